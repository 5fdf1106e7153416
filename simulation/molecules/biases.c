#include "simulation/molecules/biases.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/scoped.h"
#include "simulation/molecules/hills_input.h"
#include "simulation/molecules/restraints.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/molecules/variables.h"

/* Finds the coordinates of a record, and adds them to the system's digest. */
static Status find_coordinates(Simulation *s, const Labels *labels, const ConfigBias *record, BiasInput *to,
                               Error *error)
{
  for (to->n = 0; to->n < record->on.n; to->n++) {
    CoordinateForm form;
    int number;
    CoordinateInput *on = &to->on[to->n];
    if (!config_biases_find(s->config, record->on.value[to->n], &form, &number))
      return error_set(error, STATUS_INPUT, "there is no coordinate '%.60s'", record->on.value[to->n]);
    TRY(variables_input(s, labels, form, number, &system_molecules(s)->arena, on, error));
    TRY(variables_formula_check(
        s, input_record(KEY(biases), (int)(record - (const ConfigBias *)s->config->biases.item), "on"), on,
        error));
    s->digest = checksum_add(s->digest, &form, sizeof form);
    s->digest = restraints_digest_options(restraints_digest_atoms(s->digest, on), on);
  }
  s->digest = checksum_add(s->digest, &to->form, sizeof to->form);
  return STATUS_OK;
}

/* A coordinate with the period of a box has no side for a wall, and hills of a grid do not go all the way
 * round. */
static Status check_periods(const Simulation *s, int number, const BiasInput *bias, Error *error)
{
  const ConfigBias *record = (const ConfigBias *)s->config->biases.item + number;
  const bool wall = bias->form == BIAS_WALL;
  if (!wall && bias->form != BIAS_METADYNAMICS)
    return STATUS_OK;
  for (int i = 0; i < bias->n; i++) {
    const CoordinateSites on = {.form = bias->on[i].form, .axis = bias->on[i].axis};
    const CoordinateType *type = &coordinate_types[on.form];
    if (!type->periodic && coordinate_sites_period(&on, &s->box) > 0.0)
      return input_error(
          s->config->input, input_record(KEY(biases), number, "on"), error,
          "'%.60s' is a %s with the period of the box, along which %s; use a distance%s", record->on.value[i],
          type->one, wall ? "a wall has no side that confines" : "metadynamics is not defined",
          wall ? ", a harmonic bias, or two walls of atoms (restraints: axis, above and below)" : "");
  }
  return STATUS_OK;
}

/* A coordinate of frozen atoms alone is constant. */
static Status check_frozen(const Simulation *s, int number, const BiasInput *bias, Error *error)
{
  const ConfigBias *record = (const ConfigBias *)s->config->biases.item + number;
  for (int i = 0; i < bias->n; i++) {
    bool frozen;
    TRY(restraints_frozen(s, &bias->on[i], &frozen, error));
    if (frozen)
      return input_error(s->config->input, input_record(KEY(biases), number, "on"), error,
                         "all atoms of '%.60s' are frozen (freeze: %.100s), so the bias would do nothing; "
                         "remove it, or freeze fewer atoms",
                         record->on.value[i], s->config->freeze);
  }
  return STATUS_OK;
}

/* The constants are parameters, k and then the point. */
static void find_constants(const Simulation *s, const ConfigBias *record, BiasInput *to)
{
  char name[64];
  snprintf(name, sizeof name, "%s.k", record->full);
  to->parameter = 1 + simulation_parameter_find(s, name);
  for (int i = 0; i < BIAS_CONSTANTS; i++)
    to->constant[i] = s->parameters.standard[to->parameter - 1 + i];
  to->below = record->constant != NULL && strcmp(record->constant, "below") == 0;
}

Status biases_create(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const InputRecords *records = &s->config->biases;
  if (records->n == 0)
    return STATUS_OK;
  SCOPED(labels_free) Labels labels = {0};
  w->bias = arena_take(&w->arena, (size_t)records->n, sizeof *w->bias);
  TRY(arena_check(&w->arena, "biases", error));
  TRY(system_frames_labels(s, s->topology, &labels, error));
  for (int i = 0; i < records->n; i++) {
    const ConfigBias *record = (const ConfigBias *)records->item + i;
    BiasInput *to = &w->bias[i];
    *to = (BiasInput){.form = (BiasForm)record->type, .name = record->full};
    TRY(find_coordinates(s, &labels, record, to, error));
    TRY(check_periods(s, i, to, error));
    TRY(check_frozen(s, i, to, error));
    if (bias_types[to->form].constants)
      find_constants(s, record, to);
    else
      TRY(hills_input_create(s, i, to, error));
    w->nbias++;
  }
  return STATUS_OK;
}
