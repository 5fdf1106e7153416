/* Columns of collective variables for every replica: cosine and sine of torsions, whose means are meaningful,
 * and values of others; means over the molecules with the variable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/molecules/variables.h"
#include "simulation/molecules/water_columns.h"

static int columns_of(const CoordinateType *type) { return type->periodic ? 2 : 1; }

static int most_columns(const Simulation *s)
{
  int n = 0;
  for (int form = 0; s->collective != NULL && form < COORDINATES; form++)
    n += columns_of(&coordinate_types[form]) * s->collective[form].n;
  return n;
}

static Status add(Measurement *g, Error *error)
{
  (void)error;
  const CollectiveList *list = g->s->collective;
  for (int form = 0; list != NULL && form < COORDINATES; form++)
    for (int v = 0; v < list[form].n; v++) {
      const CoordinateType *type = &coordinate_types[form];
      const char *const begins[2] = {type->periodic ? "cos" : type->name, "sin"};
      for (int k = 0; k < columns_of(type); k++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%.40s", begins[k], list[form].variable[v].name);
        measurement_add(g, name, NULL, 0);
      }
    }
  return STATUS_OK;
}

/* Largest numbers of atoms of a variable, and of atoms and molecules of a type with one. */
typedef struct Largest {
  size_t variable, atoms, molecules;
} Largest;

static size_t larger(size_t a, int b) { return (size_t)b > a ? (size_t)b : a; }

static Largest find_largest(const Simulation *s)
{
  Largest most = {0, 0, 0};
  for (int form = 0; form < COORDINATES; form++)
    for (int v = 0; v < s->collective[form].n; v++) {
      const Collective *of = &s->collective[form].variable[v];
      most.variable = larger(most.variable, of->natom);
      for (int k = 0; k < of->nspan; k++) {
        const TopologySort *sort = &s->topology->sort[of->span[k].sort];
        most.atoms = larger(most.atoms, sort->nmol * sort->kind->nsite);
        most.molecules = larger(most.molecules, sort->nmol);
      }
    }
  return most;
}

/* Memory for the scratch of a variable, the positions of all molecules of a type and their values. */
static Status open(const Measurement *g, const Sample *sample, Snapshot *snapshot, Error *error)
{
  (void)sample;
  if (most_columns(g->s) == 0)
    return STATUS_OK;
  const Largest most = find_largest(g->s);
  const size_t packs = COLLECTIVE_SCRATCH * most.variable + (3 * most.atoms + most.molecules) / LANES + 1;
  snapshot->atoms = aligned_alloc(sizeof(Vec8), packs * sizeof(Vec8));
  TRY_MEMORY(snapshot->atoms != NULL, "the measurements", error);
  return STATUS_OK;
}

/* The mean moments of a variable in lane r. */
static void mean_of(const MeasurementLane *lane, CoordinateForm form, const Collective *of, double mean[2])
{
  Vec8 *const scratch = lane->snapshot->atoms;
  double *const x = (double *)(scratch + (ptrdiff_t)COLLECTIVE_SCRATCH * of->natom), moment[2];
  int all = 0;
  mean[0] = mean[1] = 0.0;
  for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++) {
    const TopologySort *sort = &lane->measurement->s->topology->sort[span->sort];
    const int n = span->end - span->begin, nsite = sort->kind->nsite;
    double *const from = x + (ptrdiff_t)3 * span->begin * nsite, *const value =
                                                                     x + (ptrdiff_t)3 * sort->nmol * nsite;
    sample_gather(lane->sample, sort, STATE_POSITIONS, lane->r, span->begin, span->end, x);
    collective_values(form, of, n, nsite, from, scratch, value);
    for (int m = 0; m < n; m++, all++) {
      collective_moments(&coordinate_types[form], value[m], moment);
      mean[0] += moment[0];
      mean[1] += moment[1];
    }
  }
  mean[0] /= all;
  mean[1] /= all;
}

static void fill(const MeasurementLane *lane, double *to)
{
  const CollectiveList *list = lane->measurement->s->collective;
  for (int form = 0; list != NULL && form < COORDINATES; form++)
    for (int v = 0; v < list[form].n; v++) {
      const CoordinateType *type = &coordinate_types[form];
      double mean[2];
      mean_of(lane, (CoordinateForm)form, &list[form].variable[v], mean);
      if (type->angle && !type->periodic)
        mean[0] *= 180.0 / M_PI;
      for (int k = 0; k < columns_of(type); k++)
        *to++ = mean[k];
    }
}

const MeasurementColumns variables_columns = {.most = most_columns, .add = add, .open = open, .fill = fill};
