/* Collective variables as columns of every replica, against time: of torsions cosine and sine, which may be
 * averaged, of the others the value; means over the molecules that have it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/molecules/variables.h"
#include "simulation/molecules/water_columns.h"

/* How columns begin. */
static const char *const begins[COLLECTIVES][2] = {[COLLECTIVE_TORSIONS] = {"cos", "sin"},
                                                   [COLLECTIVE_ANGLES] = {"angle", NULL},
                                                   [COLLECTIVE_DISTANCES] = {"distance", NULL},
                                                   [COLLECTIVE_GYRATION] = {"gyration", NULL}};

static int most_columns(const Simulation *s)
{
  int n = 0;
  for (int row = 0; s->collective != NULL && row < COLLECTIVES; row++)
    n += 2 * s->collective[row].n;
  return n;
}

static Status add(Measurement *g, Error *error)
{
  (void)error;
  const CollectiveList *list = g->s->collective;
  for (int row = 0; list != NULL && row < COLLECTIVES; row++)
    for (int v = 0; v < list[row].n; v++)
      for (int k = 0; k < 2 && begins[row][k] != NULL; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%.40s", begins[row][k], list[row].variable[v].name);
        measurement_add(g, name, NULL, 0);
      }
  return STATUS_OK;
}

/* Atoms of the largest sort that has a variable. */
static size_t largest_sort(const Simulation *s)
{
  size_t most = 0;
  for (int row = 0; row < COLLECTIVES; row++)
    for (int v = 0; v < s->collective[row].n; v++) {
      const Collective *of = &s->collective[row].variable[v];
      for (int k = 0; k < of->nspan; k++) {
        const TopologySort *sort = &s->topology->sort[of->span[k].sort];
        const size_t atoms = (size_t)sort->nmol * (size_t)sort->kind->nsite;
        most = atoms > most ? atoms : most;
      }
    }
  return most;
}

/* Memory for the masses and the atoms of a variable, and for all molecules of a sort. */
static Status open(const Measurement *g, const State *shape, Snapshot *snapshot, Error *error)
{
  (void)shape;
  if (most_columns(g->s) == 0)
    return STATUS_OK;
  snapshot->atoms = malloc(7 * largest_sort(g->s) * sizeof *snapshot->atoms);
  TRY_MEMORY(snapshot->atoms != NULL, "the measurements", error);
  return STATUS_OK;
}

/* Of lane r the mean moments of a variable. */
static void mean_of(const MeasurementLane *lane, const CollectiveType *type, const Collective *of,
                    double mean[2])
{
  double *const mass = lane->snapshot->atoms, moment[2];
  double(*const x)[3] = (double(*)[3])(mass + of->natom);
  double *const all = mass + 4 * (ptrdiff_t)of->natom;
  int n = 0;
  mean[0] = mean[1] = 0.0;
  for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++) {
    const TopologySort *sort = &lane->measurement->s->topology->sort[span->sort];
    sample_gather(lane->sample, sort, STATE_POSITIONS, lane->r, span->begin, span->end, all);
    for (int m = span->begin; m < span->end; m++, n++) {
      for (int i = 0; i < of->natom; i++) {
        mass[i] = sort->kind->mass[of->atom[i]];
        memcpy(x[i], all + 3 * ((ptrdiff_t)m * sort->kind->nsite + of->atom[i]), sizeof *x);
      }
      collective_moments(type, type->value(of->natom, mass, (const double(*)[3])x), moment);
      mean[0] += moment[0];
      mean[1] += moment[1];
    }
  }
  mean[0] /= n;
  mean[1] /= n;
}

static void fill(const MeasurementLane *lane, double *to)
{
  const CollectiveList *list = lane->measurement->s->collective;
  for (int row = 0; list != NULL && row < COLLECTIVES; row++)
    for (int v = 0; v < list[row].n; v++) {
      const CollectiveType *type = &collective_types[row];
      double mean[2];
      mean_of(lane, type, &list[row].variable[v], mean);
      if (type->angle && !type->periodic)
        mean[0] *= 180.0 / M_PI;
      for (int k = 0; k < 2 && begins[row][k] != NULL; k++)
        *to++ = mean[k];
    }
}

const MeasurementColumns variables_columns = {.most = most_columns, .add = add, .open = open, .fill = fill};
