#include "simulation/molecules/system_open.h"

#include "config/config_options.h"
#include "forcefields/fixman.h"
#include "forcefields/open_pairs.h"
#include "forcefields/wall.h"
#include "simulation/molecules/system_topology.h"

/* The water that every molecule is, by whatever key it was given; NULL: there is something else. */
static const WaterModel *only_water(const Simulation *s)
{
  const WaterMolecule *water = system_topology_water(s);
  return water != NULL && s->nkind == 1 ? &water->model : NULL;
}

static Status make_pairs(const Simulation *s, PairPrecision precision, const State *state, Force *force,
                         Error *error)
{
  const WaterModel *water = only_water(s);
  if (water != NULL)
    return pair_create(force, water, precision, state, s->isa, error);
  Error why;
  const Status status = open_pairs_create(force, &system_molecules(s)->atoms, precision, state, s->isa, &why);
  return input_pass(s->config->input, system_molecules(s)->key, status, &why, error);
}

static Status add_fixman(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  Error why;
  const Status status = fixman_create(&field->force[field->n], s->config->thermostat.kT, state, &why);
  field->n += status == STATUS_OK;
  return config_options_pass(s->config, KEY(geometry_fixman), status, &why, error);
}

static Status make_field(const Simulation *s, PairPrecision precision, double wall, const State *state,
                         ForceField *field, Error *error)
{
  const Config *c = s->config;
  field->n = 0;
  TRY(make_pairs(s, precision, state, &field->force[0], error));
  field->n = 1;
  if (wall > 0.0) {
    TRY(wall_create(&field->force[1], c->system.wall_stiffness, wall, state, error));
    field->n = 2;
  }
  TRY(system_topology_terms(s, state, field, error));
  return c->geometry.fixman ? add_fixman(s, state, field, error) : STATUS_OK;
}

Status system_open_field(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  return make_field(s, system_molecules(s)->precision, s->config->system.wall_radius, state, field, error);
}

Status system_open_start_field(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  return make_field(s, PAIR_DOUBLE, 0.0, state, field, error);
}

static Status landscape_field(const void *system, const State *state, ForceField *field, Error *error)
{
  return system_open_start_field(system, state, field, error);
}

Landscape system_open_landscape(const Simulation *s) { return (Landscape){s->topology, landscape_field, s}; }
