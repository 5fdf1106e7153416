#include "simulation/ensemble/schedule.h"

#include <math.h>

static void set(const Schedule *s, Ensemble *e, int first, int end, int64_t step)
{
  const int width = ensemble_width(e);
  const bool warm = config_schedule_has(s->config, SCHEDULED_TEMPERATURE),
             pressed = config_schedule_has(s->config, SCHEDULED_PRESSURE);
  for (int r = first * width; r < end * width; r++) {
    const double kT = config_schedule_at(s->config, SCHEDULED_TEMPERATURE, r, step);
    if (warm)
      ensemble_set_noise(e, r, sqrt(kT / s->kT));
    if (warm && s->barostat != NULL)
      barostat_set_temperature(s->barostat, r, kT);
    if (pressed)
      barostat_set_pressure(s->barostat, r, config_schedule_at(s->config, SCHEDULED_PRESSURE, r, step));
  }
}

void schedule_begin(const Schedule *s)
{
  Ensemble *e = s->ensemble;
  set(s, e, ensemble_base(e), ensemble_base(e) + ensemble_held(e), 0);
}

/* Not only at multiples of the stride: after a restart the barostat needs the pressure of the last update. */
static Status make(void *self, Ensemble *group, Error *error)
{
  (void)error;
  set(self, group, ensemble_first(group), ensemble_end(group), ensemble_step(group));
  return STATUS_OK;
}

/* Batches do not depend on each other. */
static bool begins(const void *self, int batch)
{
  (void)self;
  (void)batch;
  return true;
}

Move schedule_move(Schedule *s)
{
  return (Move){.self = s,
                .every = s->config->schedule.every,
                .make = make,
                .begins = ensemble_width(s->ensemble) > 1 ? begins : NULL};
}
