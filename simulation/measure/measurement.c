#include "simulation/measure/measurement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/expression.h"
#include "results/quantity.h"

/* --- columns ----------------------------------------------------------------------------------------------
 */

int measurement_add(Measurement *g, const char *name, const char *unit, unsigned traits)
{
  MeansColumn *const column = &g->column[g->n];
  if (unit == NULL && !g->options.reduced)
    unit = quantity_unit(g->options.quantities, "replicas", name);
  snprintf(column->name, sizeof column->name, "%s", name);
  column->traits = traits;
  g->name[g->n] = column->name;
  g->unit[g->n] = unit != NULL ? unit : "";
  return g->n++;
}

int measurement_find(const Measurement *g, const char *name)
{
  int i = g->shown - 1;
  while (i >= 0 && strcmp(g->name[i], name) != 0)
    i--;
  return i;
}

static Status fill_in(Measurement *g, Error *error)
{
  const MeasurementColumns *const *const part = g->options.part;
  size_t most = MEASUREMENT_SHOWN;
  for (int i = 0; part[i] != NULL; i++)
    most += part[i]->most != NULL ? (size_t)part[i]->most(g->s) : 0;
  g->column = calloc(most, sizeof *g->column);
  g->name = calloc(most, sizeof *g->name);
  g->unit = calloc(most, sizeof *g->unit);
  TRY_MEMORY(g->column != NULL && g->name != NULL && g->unit != NULL, "columns", error);
  for (int i = 0; part[i] != NULL; i++) {
    g->at[i] = g->n;
    for (int k = 0; k < MEASUREMENT_NAMES && part[i]->name[k] != NULL; k++)
      measurement_add(g, part[i]->name[k], NULL, part[i]->traits);
    if (part[i]->add != NULL)
      TRY(part[i]->add(g, error));
    g->shown = part[i]->behind ? g->shown : g->n;
  }
  g->potential = measurement_find(g, "potential");
  g->total = measurement_find(g, "total");
  return STATUS_OK;
}

Status measurement_create(Measurement **measurement, const MeasurementOptions *options, Error *error)
{
  Measurement *const g = *measurement = calloc(1, sizeof *g);
  TRY_MEMORY(g != NULL, "columns", error);
  g->options = *options;
  g->s = options->system;
  g->nterm = force_field_terms(ensemble_field(options->ensemble));
  TRY_ELSE(fill_in(g, error), (measurement_free(g), *measurement = NULL));
  return STATUS_OK;
}

void measurement_free(Measurement *g)
{
  if (g == NULL)
    return;
  for (int i = 0; i < g->nformula; i++)
    expression_free(g->formula[i]);
  free((void *)g->formula);
  free(g->column);
  free((void *)g->name);
  free((void *)g->unit);
  free(g);
}

/* --- snapshots ------------------------------------------------------------------------------------------
 */

Status measurement_open(const Measurement *g, const State *shape, Snapshot *snapshot, Error *error)
{
  for (const MeasurementColumns *const *part = g->options.part; *part != NULL; part++)
    if ((*part)->open != NULL)
      TRY((*part)->open(g, shape, snapshot, error));
  return STATUS_OK;
}

void measurement_close(Snapshot *snapshot)
{
  free(snapshot->memory);
  free(snapshot->packs);
  free(snapshot->atoms);
  free(snapshot->z);
}

Status measurement_snapshot(const Measurement *g, Snapshot *snapshot, const Sample *sample, Error *error)
{
  const MeasurementColumns *const *const part = g->options.part;
  for (int i = 0; part[i] != NULL; i++)
    if (part[i]->together != NULL)
      TRY(part[i]->together(g, snapshot, sample, error));
  for (int i = 0; part[i] != NULL && sample->team->rank == 0; i++)
    if (part[i]->alone != NULL)
      part[i]->alone(g, snapshot, sample);
  return STATUS_OK;
}

Status measurement_fill(const Measurement *g, const Snapshot *snapshot, const Sample *sample, int r, bool all,
                        double *value, Error *error)
{
  const MeasurementColumns *const *const part = g->options.part;
  const MeasurementLane lane = {g, snapshot, sample, r, value};
  for (int i = 0; part[i] != NULL && (all || !part[i]->behind); i++) {
    part[i]->fill(&lane, value + g->at[i]);
    if (part[i]->check != NULL)
      TRY(part[i]->check(&lane, value + g->at[i], error));
  }
  return STATUS_OK;
}

/* --- energies ---------------------------------------------------------------------------------------------
 */

static Status add_energies_from(Measurement *g, int first)
{
  const ForceField *field = ensemble_field(g->options.ensemble);
  g->first_listed = first;
  measurement_add(g, "kinetic", NULL, 0);
  for (int i = first; i < g->nterm; i++)
    measurement_add(g, force_field_term(field, i), NULL, 0);
  measurement_add(g, "potential", NULL, 0);
  measurement_add(g, "penalty", NULL, 0);
  if (g->options.filters)
    measurement_add(g, "penalty_excess", NULL, 0);
  measurement_add(g, "total", NULL, 0);
  measurement_add(g, "configurational", NULL, 0);
  return STATUS_OK;
}

/* The potentials of the kind come first, and are the potential energy where nothing else acts. */
static Status add_energies(Measurement *g, Error *error)
{
  (void)error;
  const ForceField *field = ensemble_field(g->options.ensemble);
  int first = 0;
  while (first < g->nterm && force_field_inside(field, first))
    first++;
  return add_energies_from(g, first);
}

static Status add_terms(Measurement *g, Error *error)
{
  (void)error;
  return add_energies_from(g, 0);
}

static Status open_energies(const Measurement *g, const State *shape, Snapshot *snapshot, Error *error)
{
  const size_t w = (size_t)shape->width;
  double *const at = snapshot->memory = malloc((4 + (size_t)g->nterm) * w * sizeof *at);
  TRY_MEMORY(at != NULL, "the measurements", error);
  snapshot->energies = (WalkEnergies){.kinetic = at, .penalty = at + w, .terms = at + 4 * w};
  return STATUS_OK;
}

static Status take_together(const Measurement *g, Snapshot *snapshot, const Sample *sample, Error *error)
{
  (void)g;
  return sample_energies(sample, &snapshot->energies, error);
}

static void take_alone(const Measurement *g, Snapshot *snapshot, const Sample *sample)
{
  if (g->options.filters)
    sample_strain(sample, snapshot->strain);
}

static void fill_energies(const MeasurementLane *lane, double *to)
{
  const Measurement *g = lane->measurement;
  const WalkEnergies *of = &lane->snapshot->energies;
  const int r = lane->r, width = sample_width(lane->sample);
  const ForceEnergy sum = force_field_energy(ensemble_field(g->options.ensemble), of->terms, width, r);
  const double configurational = sum.potential + of->penalty[r] + sum.fixman;
  *to++ = of->kinetic[r];
  for (int i = g->first_listed; i < g->nterm; i++)
    *to++ = of->terms[i * width + r];
  *to++ = sum.potential;
  *to++ = of->penalty[r];
  if (g->options.filters)
    *to++ = of->penalty[r] - lane->snapshot->strain[r];
  *to++ = of->kinetic[r] + configurational;
  *to = configurational;
}

#define ENERGIES .open = open_energies, .together = take_together, .alone = take_alone, .fill = fill_energies
const MeasurementColumns measurement_energies = {.add = add_energies, ENERGIES},
                         measurement_terms = {.add = add_terms, ENERGIES};
