/* The scheduled temperature and pressure as columns. */
#include "config/config.h"
#include "engine/units.h"
#include "simulation/measure/measurement.h"

static const char *const names[SCHEDULED] = {"temperature_target", "pressure_target"};

static Status add(Measurement *m, Error *error)
{
  (void)error;
  for (int i = 0; i < SCHEDULED; i++)
    if (config_schedule_has(m->options.config, (ConfigScheduled)i))
      measurement_add(m, names[i], NULL, 0);
  return STATUS_OK;
}

static void fill(const MeasurementLane *lane, double *to)
{
  const MeasurementOptions *o = &lane->measurement->options;
  const double unit[SCHEDULED] = {o->reduced ? 1.0 : 1.0 / UNITS_BOLTZMANN, UNITS_BAR};
  for (int i = 0; i < SCHEDULED; i++)
    if (config_schedule_has(o->config, (ConfigScheduled)i))
      *to++ = unit[i] * config_schedule_at(o->config, (ConfigScheduled)i,
                                           sample_replica(lane->sample, lane->r), sample_step(lane->sample));
}

const MeasurementColumns measurement_schedule = {.add = add, .fill = fill};
