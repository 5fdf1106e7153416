/* What biases that change in time, metadynamics and pulls, need of a simulation. */
#include <stdio.h>

#include "base/file.h"
#include "base/scoped.h"
#include "forcefields/plumed.h"
#include "observables/collective.h"
#include "simulation/simulation_private.h"

/* Clusters round the number of replicas up to whole batches, so lists must have a value for each. */
static Status check(const Simulation *s, const ConfigBias *b, Error *error)
{
  const int record = (int)(b - (const ConfigBias *)s->config->biases.item);
  if (b->nend[1] > 1 && b->nend[1] != s->replicas)
    return input_error(s->config->input, input_record(KEY(biases), record, "to"), error,
                       "has %d values; this system runs replicas in batches of %d, here %d replicas: set "
                       "ensemble.replicas: %d and give a value for each",
                       b->nend[1], s->width, s->replicas, s->replicas);
  return STATUS_OK;
}

Status simulation_biases_pull(Simulation *s, Error *error)
{
  const ConfigBias *b = config_biases_pull(s->config);
  if (b == NULL)
    return STATUS_OK;
  SCOPED(arena_free) Arena arena = {0};
  const int replicas = ensemble_replicas(s->ensemble);
  char name[64];
  PullOptions options = {.parameters = &s->parameters,
                         .begin = config_biases_pull_begin(s->config),
                         .every = b->stride,
                         .stairs = b->stairs};
  CoordinateForm form;
  int number;
  TRY(check(s, b, error));
  if (!config_biases_find(s->config, b->on.value[0], &form, &number))
    return error_set(error, STATUS_INPUT, "there is no coordinate '%.60s'", b->on.value[0]);
  options.on = &s->collective[form].variable[number].sites;
  snprintf(name, sizeof name, "%s.centre", b->full);
  options.parameter = simulation_parameter_find(s, name);
  for (int i = 0; i < 2; i++) {
    double *const end = arena_take(&arena, (size_t)replicas, sizeof *end);
    TRY(arena_check(&arena, "a pull", error));
    for (int r = 0; r < replicas; r++)
      end[r] = b->end[i][r < b->nend[i] ? r : 0];
    options.end[i] = end;
  }
  TRY(pull_create(&s->pull, &options, s->ensemble, error));
  pull_clear(s->pull);
  return STATUS_OK;
}

void simulation_biases_clear(const Simulation *s)
{
  if (s->metadynamics != NULL)
    bias_grid_clear(s->metadynamics->grid);
  if (s->pull != NULL)
    pull_clear(s->pull);
}

/* --- what they need constant ------- */

Status simulation_biases_temperature(const Simulation *s, Error *error)
{
  if (s->metadynamics != NULL)
    return error_set(error, STATUS_INPUT,
                     "a temperature cannot be set, since the hills of metadynamics belong to one temperature "
                     "(thermostat.temperature)");
  if (config_biases_pull(s->config) != NULL)
    return error_set(error, STATUS_INPUT,
                     "a temperature cannot be set, since free energies from a pull belong to one temperature "
                     "(thermostat.temperature)");
  if (s->plumed != NULL)
    return error_set(error, STATUS_INPUT,
                     "a temperature cannot be set, since PLUMED learns it when it starts "
                     "(thermostat.temperature)");
  return STATUS_OK;
}

Status simulation_biases_timestep(const Simulation *s, Error *error)
{
  if (s->plumed != NULL)
    return error_set(error, STATUS_INPUT,
                     "the time step cannot be changed, since PLUMED learns it when it starts; set "
                     "integrator.timestep in the input");
  return config_biases_pull(s->config) == NULL
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "the time step cannot be changed with a pull, whose duration is in steps; set "
                         "integrator.timestep in the input");
}

/* Any change of the Hamiltonian does work. */
Status simulation_biases_parameter(const Simulation *s, int parameter, Error *error)
{
  return config_biases_pull(s->config) == NULL
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "%s cannot be set, since a bias pulls, and the recorded work would not be all the "
                         "work; give values in the input (biases, ensemble.parameters)",
                         s->parameters.name[parameter]);
}

/* --- files of PLUMED ------- */

/* The folder is made now, since forces are computed before other files are opened. Of several processes the
 * first has computed those of all replicas by then, without files. */
Status simulation_biases_files(const Simulation *s, const char *folder, bool resume, Error *error)
{
  if (s->plumed == NULL)
    return STATUS_OK;
  Error why;
  const Status status = plumed_load(s->plumed, &why);
  TRY(input_pass(s->config->input, KEY(plumed), status, &why, error));
  TRY(file_make_folder(folder, error));
  return plumed_write(s->plumed, folder, resume, error);
}

Status simulation_biases_end(const Simulation *s, Error *error)
{
  return s->plumed != NULL ? plumed_close(s->plumed, error) : STATUS_OK;
}
