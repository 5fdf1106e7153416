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

/* The most memory of a variable's reading, and the most atoms and molecules of a type with one. */
typedef struct Largest {
  size_t reading, atoms, molecules;
} Largest;

static size_t larger(size_t a, size_t b) { return b > a ? b : a; }

static Largest find_largest(const Simulation *s)
{
  Largest most = {0, 0, 0};
  for (int form = 0; form < COORDINATES; form++)
    for (int v = 0; v < s->collective[form].n; v++) {
      const Collective *of = &s->collective[form].variable[v];
      most.reading = larger(most.reading, coordinate_sites_memory(&of->sites));
      for (int k = 0; k < of->nspan; k++) {
        const TopologySort *sort = &s->topology->sort[of->span[k].sort];
        most.atoms = larger(most.atoms, (size_t)sort->nmol * (size_t)sort->kind->nsite);
        most.molecules = larger(most.molecules, (size_t)sort->nmol);
      }
    }
  return most;
}

/* Memory for the reading of a variable, the positions of all molecules of a type and their values. */
static Status open(const Measurement *g, const Sample *sample, Snapshot *snapshot, Error *error)
{
  (void)sample;
  if (most_columns(g->s) == 0)
    return STATUS_OK;
  const Largest most = find_largest(g->s);
  const size_t packs = most.reading + (3 * most.atoms + most.molecules) / LANES + 1;
  snapshot->atoms = aligned_alloc(sizeof(Vec8), packs * sizeof(Vec8));
  TRY_MEMORY(snapshot->atoms != NULL, "the measurements", error);
  snapshot->reading = most.reading;
  return STATUS_OK;
}

/* The value in lane r of atoms of any molecules. */
static double value_of(const MeasurementLane *lane, const Collective *of)
{
  CoordinateReading r = coordinate_sites_reading(&of->sites, lane->snapshot->atoms);
  for (int i = 0; i < of->sites.natom; i++) {
    const CoordinatePlace *at = &of->sites.place[i];
    double x[3];
    sample_site(lane->sample, &lane->measurement->s->topology->sort[at->sort], at->molecule, at->atom,
                lane->r, x);
    for (int d = 0; d < 3; d++)
      r.x[3 * i + d] = vec8_set(x[d]);
  }
  coordinate_sites_read(&of->sites, sample_box(lane->sample), &r, false);
  return r.value[0];
}

/* The mean moments of a variable in lane r. */
static void mean_of(const MeasurementLane *lane, CoordinateForm form, const Collective *of, double mean[2])
{
  Vec8 *const scratch = lane->snapshot->atoms;
  double *const x = (double *)(scratch + lane->snapshot->reading), moment[2];
  int all = 0;
  mean[0] = mean[1] = 0.0;
  if (of->span == NULL) {
    collective_moments(&coordinate_types[form], value_of(lane, of), mean);
    return;
  }
  for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++) {
    const TopologySort *sort = &lane->measurement->s->topology->sort[span->sort];
    const int n = span->end - span->begin, nsite = sort->kind->nsite;
    double *const from = x + (ptrdiff_t)3 * span->begin * nsite, *const value =
                                                                     x + (ptrdiff_t)3 * sort->nmol * nsite;
    sample_gather(lane->sample, sort, STATE_POSITIONS, lane->r, span->begin, span->end, x);
    collective_values(of, n, nsite, from, scratch, value);
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

/* Formulas may have no value where the atoms are. */
static Status check_formulas(const MeasurementLane *lane, const double *filled, Error *error)
{
  const CollectiveList *list = lane->measurement->s->collective;
  for (int form = 0; list != NULL && form < COORDINATES; form++)
    for (int v = 0; v < list[form].n; v++) {
      const CoordinateSites *of = &list[form].variable[v].sites;
      if (coordinate_types[form].composed && !isfinite(*filled))
        return error_set(error, STATUS_RUN,
                         "output.formulas: %s (%.200s) is not a finite number at step %lld in replica %d",
                         list[form].variable[v].name, of->text, (long long)sample_step(lane->sample),
                         sample_replica(lane->sample, lane->r));
      filled += columns_of(&coordinate_types[form]);
    }
  return STATUS_OK;
}

const MeasurementColumns variables_columns = {
    .most = most_columns, .add = add, .open = open, .fill = fill, .check = check_formulas};
