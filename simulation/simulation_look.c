/* Measures replicas between steps: the columns of the sort's measurement, as in a run. */
#include <stdlib.h>
#include <string.h>

#include "simulation/measure/measure.h"
#include "simulation/simulation_private.h"

static Status make_measure(Simulation *s, Error *error)
{
  const RecorderOptions options = {.measurement = s->measurement,
                                   .ensemble = s->ensemble,
                                   .replicas = s->replicas,
                                   .brief = true,
                                   .equilibration = INT64_MAX};
  return s->look == NULL ? measure_create(&s->look, &options, error) : STATUS_OK;
}

/* Measures all batches that have changed and have current forces together, by all threads; other batches keep
 * their values. */
static Status look_again(Simulation *s, Error *error)
{
  const int held = ensemble_held(s->ensemble);
  bool *which = malloc((size_t)held * sizeof *which);
  TRY_MEMORY(which != NULL, "a look", error);
  for (int g = 0; g < held; g++) {
    which[g] = s->looked[g] != s->changed[g] && !s->stale[g];
    if (which[g])
      measure_flush_batch(s->look, s->first + g);
  }
  const Sampler sampler = measure_sampler(s->look);
  const Status status = simulation_step_sample(s, which, &sampler, 1u << MEASURE_THERMO, error);
  for (int g = 0; g < held && status == STATUS_OK; g++)
    s->looked[g] = which[g] ? s->changed[g] : s->looked[g];
  free(which);
  return status;
}

Status simulation_look_now(Simulation *s, int replica, double *value, Error *error)
{
  TRY(make_measure(s, error));
  const int at = simulation_place_of(s, replica);
  if (s->looked[at] != s->changed[at])
    TRY(look_again(s, error));
  memcpy(value, measure_row_value(s->look, 0, replica), (size_t)s->measurement->shown * sizeof *value);
  return STATUS_OK;
}

Status simulation_look(Simulation *s, int replica, double *value, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  TRY(simulation_step_ready_for(s, replica, error));
  return simulation_look_now(s, replica, value, error);
}
