/* The schedule: temperature and pressure as functions of time, linear between the points of the input, for
 * all replicas or for each. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "config/config_private.h"
#include "engine/units.h"

static const ConfigSchedulePoint *point(const Config *c, int i)
{
  return (const ConfigSchedulePoint *)c->schedule.points.item + i;
}

static const InputReals *values(const Config *c, ConfigScheduled what, int i)
{
  return what == SCHEDULED_PRESSURE ? &point(c, i)->pressure : &point(c, i)->temperature;
}

/* The value of one number for all replicas, or of a list by replica. Spare lanes beyond the list have the
 * first. */
static double of_replica(const InputReals *list, int replica)
{
  return list->value[replica < list->n ? replica : 0];
}

bool config_schedule_has(const Config *c, ConfigScheduled what)
{
  for (int i = 0; i < c->schedule.points.n; i++)
    if (values(c, what, i)->n > 0)
      return true;
  return false;
}

bool config_schedule_begins(const Config *c, ConfigScheduled what)
{
  for (int i = 0; i < c->schedule.points.n; i++)
    if (values(c, what, i)->n > 0)
      return point(c, i)->time == 0.0;
  return false;
}

/* The step of a point; times beyond the longest run are reported by check_points. */
static int64_t step_of(const Config *c, int i)
{
  return llround(fmin(point(c, i)->time / c->integrator.timestep, 9e15));
}

/* Undoes the conversion from kelvin in reduced units, where temperatures are kT. */
static double scaled(const Config *c, ConfigScheduled what, double value)
{
  double kelvin = 1.0;
  (void)units_factor(QUANTITY_TEMPERATURE, NULL, &kelvin);
  return c->reduced && what == SCHEDULED_TEMPERATURE ? value / kelvin : value;
}

/* The line between the last point at or before the step and the next one. */
static double at_step(const Config *c, ConfigScheduled what, int replica, int64_t step)
{
  double before = c->schedule.start[what];
  int64_t from = 0;
  for (int i = 0; i < c->schedule.points.n; i++) {
    if (values(c, what, i)->n == 0)
      continue;
    const double value = scaled(c, what, of_replica(values(c, what, i), replica));
    const int64_t at = step_of(c, i);
    if (at > step)
      return before + (value - before) * ((double)(step - from) / (double)(at - from));
    before = value;
    from = at;
  }
  return before;
}

double config_schedule_at(const Config *c, ConfigScheduled what, int replica, int64_t step)
{
  return at_step(c, what, replica, step - step % c->schedule.every);
}

double config_schedule_highest(const Config *c)
{
  double most =
      config_schedule_begins(c, SCHEDULED_TEMPERATURE) ? 0.0 : c->schedule.start[SCHEDULED_TEMPERATURE];
  for (int i = 0; i < c->schedule.points.n; i++) {
    const InputReals *list = values(c, SCHEDULED_TEMPERATURE, i);
    for (int r = 0; r < list->n; r++)
      most = fmax(most, scaled(c, SCHEDULED_TEMPERATURE, list->value[r]));
  }
  return most;
}

/* --- checks ------------------------------------------------------------------------------------------- */

/* The value after the last point, which does not depend on the length of the run. */
static double last(const Config *c, ConfigScheduled what) { return at_step(c, what, 0, INT64_MAX); }

/* Whether a quantity changes after equilibration, or differs between replicas. */
static bool varies(const Config *c, ConfigScheduled what)
{
  const double end = last(c, what);
  for (int r = 0; r < c->ensemble.replicas; r++) {
    bool same = at_step(c, what, r, c->output.equilibration) == end;
    for (int i = 0; i < c->schedule.points.n; i++)
      if (values(c, what, i)->n > 0 && step_of(c, i) > c->output.equilibration)
        same = same && scaled(c, what, of_replica(values(c, what, i), r)) == end;
    if (!same)
      return true;
  }
  return false;
}

static int64_t divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Updates ten steps apart, or fewer: every point is an update, and a short ramp has at least ten of them. */
static int64_t stride_of(const Config *c)
{
  enum { MOST = 10 };
  int64_t every = MOST, before = 0;
  for (int i = 0; i < c->schedule.points.n; i++) {
    const int64_t length = step_of(c, i) - before;
    if (length > 0 && length < (int64_t)MOST * MOST)
      every = 1;
    every = divisor(every, step_of(c, i));
    before = step_of(c, i);
  }
  return every;
}

static void check_list(const Config *c, Input *in, int i, const char *name, const InputReals *list)
{
  if (list->n > 1 && list->n != c->ensemble.replicas)
    input_complain(in, input_record(KEY(schedule), i, name),
                   "has %d values; wanted: one, or %d, one for each replica (ensemble.replicas)", list->n,
                   c->ensemble.replicas);
}

static void check_points(Config *c, Input *in)
{
  const double h = c->integrator.timestep;
  for (int i = 0; i < c->schedule.points.n; i++) {
    const ConfigSchedulePoint *p = point(c, i);
    const InputKey time = input_record(KEY(schedule), i, "time");
    if (config_steps(in, time, p->time, h) < 0)
      input_complain(in, time, "is more than 9e15 steps");
    if (i > 0 && p->time < point(c, i - 1)->time)
      input_complain(in, time,
                     "is before the time of the previous point; wanted: rising times (two points at "
                     "one time make a jump)");
    if (p->temperature.n == 0 && p->pressure.n == 0)
      input_complain(in, input_record(KEY(schedule), i, "temperature"),
                     "is missing, and so is pressure; wanted: a value of one or both at this time");
    check_list(c, in, i, "temperature", &p->temperature);
    check_list(c, in, i, "pressure", &p->pressure);
  }
}

/* A value at time 0 replaces the key that otherwise gives it. */
static void check_start(const Config *c, Input *in, ConfigScheduled what, InputKey key)
{
  if (config_schedule_begins(c, what) && input_given(in, key))
    input_complain(in, key, "is also given at time 0 by the schedule (%s); remove one of the two",
                   input_where(in, KEY(schedule)));
}

/* What a schedule cannot be combined with. */
static void check_meaning(const Config *c, Input *in)
{
  const bool warm = config_schedule_has(c, SCHEDULED_TEMPERATURE);
  if (c->exchange.number > 0)
    input_complain(
        in, KEY(schedule),
        "contradicts replica exchange (section exchange), whose states have constant temperatures; "
        "remove one of the two");
  if (warm && c->thermostat.type == THERMOSTAT_NONE)
    input_complain(in, KEY(schedule),
                   "changes the temperature, but there is no thermostat; wanted: "
                   "thermostat.type: langevin or rescale");
  if (warm && c->geometry.fixman)
    input_complain(in, KEY(schedule),
                   "changes the temperature, but Fixman's potential (geometry.fixman) is "
                   "defined for one temperature; remove one of the two");
  if (config_schedule_has(c, SCHEDULED_PRESSURE) && c->barostat.type == BAROSTAT_NONE)
    input_complain(in, KEY(schedule),
                   "changes the pressure, but there is no barostat; wanted: barostat.type: "
                   "monte-carlo or rescale");
}

/* A barostat that ends with equilibration leaves no pressure to change. */
static void check_barostat(const Config *c, Input *in)
{
  for (int i = 0; i < c->schedule.points.n && c->barostat.until == 1; i++)
    if (point(c, i)->pressure.n > 0 && step_of(c, i) > c->output.equilibration)
      input_complain(in, input_record(KEY(schedule), i, "pressure"),
                     "is reached after output.equilibration, when the volume is fixed (barostat.until: "
                     "equilibration)");
}

void config_schedule_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const int n = c->schedule.points.n;
  c->schedule.varies = c->field.period > 0.0;
  if (n == 0)
    return;
  check_points(c, in);
  check_meaning(c, in);
  check_barostat(c, in);
  check_start(c, in, SCHEDULED_TEMPERATURE, KEY(thermostat_temperature));
  check_start(c, in, SCHEDULED_TEMPERATURE, KEY(thermostat_inverse_temperature));
  check_start(c, in, SCHEDULED_PRESSURE, KEY(barostat_pressure));
  c->schedule.every = stride_of(c);
  c->schedule.start[SCHEDULED_TEMPERATURE] = c->thermostat.kT;
  c->schedule.start[SCHEDULED_PRESSURE] = c->barostat.pressure;
  c->schedule.varies =
      c->schedule.varies || varies(c, SCHEDULED_TEMPERATURE) || varies(c, SCHEDULED_PRESSURE);
  c->thermostat.kT = last(c, SCHEDULED_TEMPERATURE);
  c->barostat.pressure = last(c, SCHEDULED_PRESSURE);
  if (step_of(c, n - 1) > c->integrator.steps)
    input_note(in, KEY(schedule), "the run ends before the last point of the schedule");
}

/* --- words -------------------------------------------------------------------------------------------- */

/* "300", or "300 to 340" over replicas, in the unit of printed values. */
static void value_words(const Config *c, ConfigScheduled what, const InputReals *list, double one,
                        char *words, size_t size)
{
  const double unit = what == SCHEDULED_PRESSURE ? UNITS_BAR : c->reduced ? 1.0 : 1.0 / UNITS_BOLTZMANN;
  double low = one, high = one;
  for (int r = 0; list != NULL && r < list->n; r++) {
    const double value = scaled(c, what, list->value[r]);
    low = r == 0 ? value : fmin(low, value);
    high = r == 0 ? value : fmax(high, value);
  }
  text_append(words, size, "%.6g", low * unit);
  if (high > low)
    text_append(words, size, " to %.6g", high * unit);
}

bool config_schedule_words(const Config *c, ConfigScheduled what, char *words, size_t size)
{
  const char *const unit = what == SCHEDULED_PRESSURE ? " bar" : c->reduced ? "" : " K";
  const double time = c->integrator.timestep * (c->reduced ? 1.0 : 1e-3 * UNITS_AKMA_FS);
  words[0] = '\0';
  if (!config_schedule_has(c, what))
    return false;
  if (!config_schedule_begins(c, what)) {
    value_words(c, what, NULL, c->schedule.start[what], words, size);
    text_append(words, size, "%s at 0, ", unit);
  }
  for (int i = 0; i < c->schedule.points.n; i++) {
    if (values(c, what, i)->n == 0)
      continue;
    value_words(c, what, values(c, what, i), 0.0, words, size);
    text_append(words, size, "%s at %.6g%s, ", unit, (double)step_of(c, i) * time, c->reduced ? "" : " ps");
  }
  text_append(words, size, "linear between");
  return true;
}
