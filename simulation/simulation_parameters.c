/* Parameters of the Hamiltonian: their values in each replica, and the energies at other values. */
#include <math.h>
#include <string.h>

#include "simulation/simulation_private.h"

Status simulation_parameters_name(Simulation *s, Error *error)
{
  const Config *c = s->config;
  const size_t n = (size_t)c->parameters.n;
  const char **name = arena_take(&s->arena, n + 1, sizeof *name),
             **unit = arena_take(&s->arena, n + 1, sizeof *unit);
  double *standard = arena_take(&s->arena, n + 1, sizeof *standard);
  TRY(arena_check(&s->arena, "parameters", error));
  for (size_t i = 0; i < n; i++) {
    name[i] = c->parameters.item[i].name;
    unit[i] = config_parameter_unit(&c->parameters.item[i]);
    standard[i] = c->parameters.item[i].value;
  }
  s->parameters = (Parameters){.n = (int)n, .name = name, .unit = unit, .standard = standard};
  return STATUS_OK;
}

int simulation_parameter_find(const Simulation *s, const char *name)
{
  for (int i = 0; i < s->parameters.n; i++)
    if (strcmp(s->parameters.name[i], name) == 0)
      return i;
  return -1;
}

/* The value of replica r, or of state r of the ladder. */
static double value_of(const ConfigParameter *p, int r) { return r < p->neach ? p->each[r] : p->value; }

/* Clusters round the number of replicas up to whole batches, and each replica of a batch has its own
 * values. */
static Status check_replicas(const Simulation *s, Error *error)
{
  for (int i = 0; i < s->parameters.n; i++) {
    const ConfigParameter *p = &s->config->parameters.item[i];
    if (p->each != NULL && !p->states && p->neach != s->replicas)
      return input_error(s->config->input, config_parameter_each(p), error,
                         "has %d values; this system runs replicas in batches of %d, here %d replicas: set "
                         "ensemble.replicas: %d and give a value for each",
                         p->neach, s->width, s->replicas, s->replicas);
  }
  return STATUS_OK;
}

Status simulation_parameters_schedule(const Simulation *s, Error *error)
{
  const ConfigSchedulePoint *point = s->config->schedule.points.item;
  for (int i = 0; i < s->config->schedule.points.n; i++, point++) {
    const InputReals *const list = point->temperature.n > 1 ? &point->temperature : &point->pressure;
    if (list->n > 1 && list->n != s->replicas)
      return input_error(
          s->config->input,
          input_record(KEY(schedule), i, list == &point->pressure ? "pressure" : "temperature"), error,
          "has %d values; this system runs replicas in batches of %d, here %d replicas: set "
          "ensemble.replicas: %d and give a value for each",
          list->n, s->width, s->replicas, s->replicas);
  }
  return STATUS_OK;
}

Status simulation_parameters_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  const int n = s->parameters.n, states = c->exchange.number;
  if (n == 0)
    return STATUS_OK;
  TRY(check_replicas(s, error));
  const int replicas = (s->replicas + s->width - 1) / s->width * s->width;
  s->parameters.value = arena_take(&s->arena, (size_t)replicas * (size_t)n, sizeof *s->parameters.value);
  s->states = arena_take(&s->arena, (size_t)(states * n) + 1, sizeof *s->states);
  TRY(arena_check(&s->arena, "parameters", error));
  s->parameters.replicas = (uint32_t)replicas;
  for (int i = 0; i < replicas * n; i++) {
    const ConfigParameter *p = &c->parameters.item[i % n];
    const int r = i / n, state = states > 0 && r < states * c->exchange.ladders ? r % states : 0;
    s->parameters.value[i] = value_of(p, p->states ? state : r);
  }
  for (int i = 0; i < states * n; i++)
    s->states[i] = value_of(&c->parameters.item[i % n], i / n);
  return STATUS_OK;
}

int simulation_parameters(const Simulation *s) { return s->parameters.n; }

const char *simulation_parameter_name(const Simulation *s, int parameter)
{
  return parameter >= 0 && parameter < s->parameters.n ? s->parameters.name[parameter] : NULL;
}

const char *simulation_parameter_unit(const Simulation *s, int parameter)
{
  return parameter >= 0 && parameter < s->parameters.n ? s->parameters.unit[parameter] : NULL;
}

static Status check_number(const Simulation *s, int i, Error *error)
{
  if (i < 0 || i >= s->parameters.n)
    return error_set(error, STATUS_INPUT, "there is no parameter %d; there are %d, numbered from 0", i,
                     s->parameters.n);
  return STATUS_OK;
}

static Status check_value(const Simulation *s, int i, double value, Error *error)
{
  const ConfigParameter *p = &s->config->parameters.item[i];
  const bool limited = p->positive && p->most > 0.0;
  if (isfinite(value) && !(p->positive && value < 0.0) && !(limited && value > p->most))
    return STATUS_OK;
  if (limited)
    return error_set(error, STATUS_INPUT, "%s must be a number from 0 to %g, not %g", p->name, p->most,
                     value);
  return error_set(error, STATUS_INPUT, "%s must be %s, not %g", p->name,
                   p->positive ? "a finite number of 0 or more" : "a finite number", value);
}

Status simulation_parameter_get(const Simulation *s, int parameter, int replica, double *value, Error *error)
{
  TRY(check_number(s, parameter, error));
  *value = parameters_of(&s->parameters, (uint32_t)replica)[parameter];
  return STATUS_OK;
}

Status simulation_parameter_check(const Simulation *s, int parameter, double value, Error *error)
{
  TRY(check_number(s, parameter, error));
  if (s->ladder != NULL)
    return error_set(error, STATUS_INPUT,
                     "%s cannot be set, since a ladder exchanges it (exchange.parameters)",
                     s->parameters.name[parameter]);
  TRY(simulation_biases_parameter(s, parameter, error));
  return check_value(s, parameter, value, error);
}

void simulation_parameter_set(Simulation *s, int parameter, int replica, double value)
{
  s->parameters.value[(ptrdiff_t)replica * s->parameters.n + parameter] = value;
  simulation_changed(s, replica);
}

/* The field evaluates only energies that depend on parameters, so the change is added to the present
 * energy. */
Status simulation_parameter_energies(Simulation *s, int replica, int nset, const double *set, double *energy,
                                     double *slope, Error *error)
{
  double own = 0.0, present = 0.0;
  for (int i = 0; i < nset * s->parameters.n; i++)
    TRY(check_value(s, i % s->parameters.n, set[i], error));
  memset(energy, 0, (size_t)nset * sizeof *energy);
  memset(slope, 0, (size_t)s->parameters.n * sizeof *slope);
  const ParameterQuery query = {&s->parameters, nset, set, energy, &own, slope};
  TRY(simulation_scratch_respond(s, replica, &query, &present, error));
  for (int i = 0; i < nset; i++)
    energy[i] += present - own;
  return STATUS_OK;
}
