/* Makes force fields from an input. */
#include <math.h>
#include <string.h>

#include "config/config_options.h"
#include "simulation/simulation_private.h"

static ElectricField electric_of(const Simulation *s)
{
  const Config *c = s->config;
  ElectricField field = {.period = c->field.period,
                         .phase = c->field.phase * M_PI / 180.0,
                         .h = s->h,
                         .time = s->settings.time,
                         .since = s->settings.since};
  memcpy(field.e, c->field.electric, sizeof field.e);
  return field;
}

FieldInput simulation_field_input(const Simulation *s)
{
  FieldInput input = {.topology = s->topology,
                      .options = s->config->system.force,
                      .isa = s->isa,
                      .threads = s->replicas > 1 ? 1 : s->threads,
                      .kT = s->kT,
                      .h = s->h,
                      .parameters = s->parameters.n > 0 ? &s->parameters : NULL,
                      .inside = config_mechanical(s->config),
                      .nonbonded = s->config->forces,
                      .electric = electric_of(s),
                      .fixman = s->config->geometry.fixman};
  if (s->sort->field != NULL)
    s->sort->field(s, &input);
  return input;
}

Status simulation_field_create(const Simulation *s, const FieldInput *input, const State *shape,
                               ForceField *field, Error *error)
{
  const InputKey key[] = {
#define FORCE(name, its_key, ...) its_key,
#include "forcefields/force_rows.def"
  };
  const FieldInput own = input == NULL ? simulation_field_input(s) : *input;
  FieldRow row;
  Error why;
  const Status status = field_create(field, &own, shape, &row, &why);
  return status == STATUS_OK ? status : config_options_pass(s->config, key[row], status, &why, error);
}

Status simulation_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Simulation *s = self;
  FieldInput input = simulation_field_input(s);
  input.external = s->external;
  input.plumed = s->plumed;
  field->n = 0;
  return simulation_field_create(s, &input, shape, field, error);
}
