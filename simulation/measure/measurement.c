#include "simulation/measure/measurement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/expression.h"
#include "results/quantity.h"

/* --- columns ------- */

int measurement_add(Measurement *m, const char *name, const char *unit, unsigned traits)
{
  MeansColumn *const column = &m->column[m->n];
  if (unit == NULL && !m->options.reduced)
    unit = quantity_unit(m->options.quantities, "replicas", name);
  snprintf(column->name, sizeof column->name, "%s", name);
  column->traits = traits;
  m->name[m->n] = column->name;
  m->unit[m->n] = unit != NULL ? unit : "";
  return m->n++;
}

int measurement_find(const Measurement *m, const char *name)
{
  int i = m->shown - 1;
  while (i >= 0 && strcmp(m->name[i], name) != 0)
    i--;
  return i;
}

static Status fill_in(Measurement *m, Error *error)
{
  const MeasurementColumns *const *const part = m->options.part;
  size_t most = MEASUREMENT_SHOWN;
  for (int i = 0; part[i] != NULL; i++)
    most += part[i]->most != NULL ? (size_t)part[i]->most(m->s) : 0;
  m->column = calloc(most, sizeof *m->column);
  m->name = calloc(most, sizeof *m->name);
  m->unit = calloc(most, sizeof *m->unit);
  TRY_MEMORY(m->column != NULL && m->name != NULL && m->unit != NULL, "columns", error);
  for (int i = 0; part[i] != NULL; i++) {
    m->at[i] = m->n;
    for (int k = 0; k < MEASUREMENT_NAMES && part[i]->name[k] != NULL; k++)
      measurement_add(m, part[i]->name[k], NULL, part[i]->traits);
    if (part[i]->add != NULL)
      TRY(part[i]->add(m, error));
    m->shown = part[i]->behind ? m->shown : m->n;
  }
  m->potential = measurement_find(m, "potential");
  m->total = measurement_find(m, "total");
  return STATUS_OK;
}

Status measurement_create(Measurement **measurement, const MeasurementOptions *options, Error *error)
{
  Measurement *const m = *measurement = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "columns", error);
  m->options = *options;
  m->s = options->system;
  m->nterm = force_field_terms(ensemble_field(options->ensemble));
  TRY_ELSE(fill_in(m, error), (measurement_free(m), *measurement = NULL));
  return STATUS_OK;
}

void measurement_free(Measurement *m)
{
  if (m == NULL)
    return;
  for (int i = 0; i < m->nformula; i++)
    expression_free(m->formula[i]);
  free((void *)m->formula);
  free(m->column);
  free((void *)m->name);
  free((void *)m->unit);
  free(m);
}

/* --- snapshots ------- */

Status measurement_open(const Measurement *m, const Sample *sample, Snapshot *snapshot, Error *error)
{
  for (const MeasurementColumns *const *part = m->options.part; *part != NULL; part++)
    if ((*part)->open != NULL)
      TRY((*part)->open(m, sample, snapshot, error));
  return STATUS_OK;
}

void measurement_close(Snapshot *snapshot)
{
  free(snapshot->memory);
  free(snapshot->packs);
  free(snapshot->atoms);
  free(snapshot->z);
}

Status measurement_snapshot(const Measurement *m, Snapshot *snapshot, const Sample *sample, Error *error)
{
  const MeasurementColumns *const *const part = m->options.part;
  for (int i = 0; part[i] != NULL; i++)
    if (part[i]->together != NULL)
      TRY(part[i]->together(m, snapshot, sample, error));
  for (int i = 0; part[i] != NULL && sample->team->rank == 0; i++)
    if (part[i]->alone != NULL)
      part[i]->alone(m, snapshot, sample);
  return STATUS_OK;
}

Status measurement_fill(const Measurement *m, const Snapshot *snapshot, const Sample *sample, int r, bool all,
                        double *value, Error *error)
{
  const MeasurementColumns *const *const part = m->options.part;
  const MeasurementLane lane = {m, snapshot, sample, r, value};
  for (int i = 0; part[i] != NULL && (all || !part[i]->behind); i++) {
    part[i]->fill(&lane, value + m->at[i]);
    if (part[i]->check != NULL)
      TRY(part[i]->check(&lane, value + m->at[i], error));
  }
  return STATUS_OK;
}

/* --- energies ------- */

static Status add_energies_from(Measurement *m, int first)
{
  const ForceField *field = ensemble_field(m->options.ensemble);
  m->first_listed = first;
  measurement_add(m, "kinetic", NULL, 0);
  for (int i = first; i < m->nterm; i++)
    measurement_add(m, force_field_term(field, i), NULL, 0);
  measurement_add(m, "potential", NULL, 0);
  measurement_add(m, "penalty", NULL, 0);
  if (m->options.filters)
    measurement_add(m, "penalty_excess", NULL, 0);
  measurement_add(m, "total", NULL, 0);
  measurement_add(m, "configurational", NULL, 0);
  return STATUS_OK;
}

/* The kind's potentials come first, and are the potential energy if no other force acts. */
static Status add_energies(Measurement *m, Error *error)
{
  (void)error;
  const ForceField *field = ensemble_field(m->options.ensemble);
  int first = 0;
  while (first < m->nterm && force_field_inside(field, first))
    first++;
  return add_energies_from(m, first);
}

static Status add_terms(Measurement *m, Error *error)
{
  (void)error;
  return add_energies_from(m, 0);
}

static Status open_energies(const Measurement *m, const Sample *sample, Snapshot *snapshot, Error *error)
{
  const size_t w = (size_t)sample_width(sample);
  double *const at = snapshot->memory = malloc((4 + (size_t)m->nterm) * w * sizeof *at);
  TRY_MEMORY(at != NULL, "the measurements", error);
  snapshot->energies = (WalkEnergies){.kinetic = at, .penalty = at + w, .terms = at + 4 * w};
  return STATUS_OK;
}

static Status take_together(const Measurement *m, Snapshot *snapshot, const Sample *sample, Error *error)
{
  (void)m;
  return sample_energies(sample, &snapshot->energies, error);
}

static void take_alone(const Measurement *m, Snapshot *snapshot, const Sample *sample)
{
  if (m->options.filters)
    sample_strain(sample, snapshot->strain);
}

static void fill_energies(const MeasurementLane *lane, double *to)
{
  const Measurement *m = lane->measurement;
  const WalkEnergies *of = &lane->snapshot->energies;
  const int r = lane->r, width = sample_width(lane->sample);
  const ForceEnergy sum = force_field_energy(ensemble_field(m->options.ensemble), of->terms, width, r);
  const double configurational = sum.potential + sum.bias + of->penalty[r] + sum.fixman;
  *to++ = of->kinetic[r];
  for (int i = m->first_listed; i < m->nterm; i++)
    *to++ = of->terms[i * width + r];
  *to++ = sum.potential;
  *to++ = of->penalty[r];
  if (m->options.filters)
    *to++ = of->penalty[r] - lane->snapshot->strain[r];
  *to++ = of->kinetic[r] + configurational;
  *to = configurational;
}

#define ENERGIES .open = open_energies, .together = take_together, .alone = take_alone, .fill = fill_energies
const MeasurementColumns measurement_energies = {.add = add_energies, ENERGIES},
                         measurement_terms = {.add = add_terms, ENERGIES};
