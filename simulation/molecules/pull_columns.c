#include "simulation/molecules/pull_columns.h"

#include <stdio.h>

#include "simulation/simulation_private.h"

/* Summaries leave them out: an average over the time of a pull has no meaning. */
static Status add(Measurement *m, Error *error)
{
  const ConfigBias *b = config_biases_pull(m->s->config);
  char name[64];
  (void)error;
  if (b == NULL)
    return STATUS_OK;
  snprintf(name, sizeof name, "centre_%s", b->full);
  measurement_add(m, name, m->s->parameters.unit[pull_options(m->s->pull)->parameter], MEANS_HIDDEN);
  snprintf(name, sizeof name, "work_%s", b->full);
  measurement_add(m, name, NULL, MEANS_HIDDEN);
  return STATUS_OK;
}

static void fill(const MeasurementLane *lane, double *to)
{
  const Pull *pull = lane->measurement->s->pull;
  const int replica = sample_replica(lane->sample, lane->r);
  if (pull == NULL)
    return;
  *to++ = pull_centre(pull, replica, pull_stairs(pull, sample_step(lane->sample)));
  *to = pull_work(pull, replica);
}

const MeasurementColumns pull_columns = {.add = add, .fill = fill};
