#include "simulation/molecules/system_field.h"

#include <string.h>

#include "base/scoped.h"
#include "simulation/molecules/system_topology.h"

SCOPED_POINTER(State, state_free)

/* The water that all molecules are; NULL: there are others. */
static const WaterModel *only_water(const Simulation *s)
{
  const WaterMolecule *water = system_topology_water(s);
  return water != NULL && s->nkind == 1 ? &water->model : NULL;
}

Truncation system_field_truncation(const Simulation *s)
{
  const Config *c = s->config;
  if (c->forces.truncation != TRUNCATION_AUTO)
    return c->forces.truncation;
  if (c->thermostat.type != THERMOSTAT_NONE)
    return TRUNCATION_PLAIN;
  const bool waters = system_molecules(s)->model != NULL && s->nkind == 1 && !c->forces.by_atom;
  return waters && c->forces.coulomb == COULOMB_PME ? TRUNCATION_SWITCH_PAIRS : TRUNCATION_SWITCH;
}

void system_field(const Simulation *s, FieldInput *input)
{
  const MolecularSystem *w = system_molecules(s);
  const WaterMolecule *water = system_topology_water(s);
  input->water = water != NULL ? &water->model : NULL;
  input->atoms = only_water(s) == NULL ? &w->atoms : NULL;
  input->alchemy = w->alchemy;
  input->nonbonded.truncation = system_field_truncation(s);
  input->nonbonded.mixed = w->precision == PAIR_MIXED;
  input->terms = s->terms ? w->terms : NULL;
  input->nrestraint = w->nrestraint;
  input->restraint = w->restraint;
  input->nheld = w->nheld;
  input->held = w->held;
  input->nbias = w->nbias;
  input->bias = w->bias;
}

/* The energy of a net charge in the field depends on its path through the box, so nothing can be accepted by
 * it. */
static Status check_electric(const Simulation *s, Error *error)
{
  const Config *c = s->config;
  const TopologySort *charged = electric_field_charged(s->topology);
  const bool moves = c->barostat.type != BAROSTAT_NONE;
  if (!config_field_is(c) || charged == NULL || (!moves && c->exchange.number == 0))
    return STATUS_OK;
  return input_error(
      c->input, KEY(field_electric), error,
      "cannot be combined with %s, since %s has a net charge, whose energy in a field is not defined "
      "in a periodic box; wanted: neutral molecules, or no %s",
      moves ? "a barostat" : "replica exchange", charged->kind->name,
      moves ? "barostat" : "replica exchange");
}

Status system_field_check(const Simulation *s, Error *error)
{
  TRY(check_electric(s, error));
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  FieldInput input = simulation_field_input(s);
  input.threads = 1;
  input.terms = NULL;
  input.nrestraint = input.nheld = input.nbias = 0;
  TRY(topology_state(s->topology, 1, 0, 0, &state, error));
  state->box = s->box;
  return simulation_field_create(s, &input, state, &field, error);
}

static FieldInput start_input(const Simulation *s)
{
  FieldInput input = simulation_field_input(s);
  input.threads = s->threads;
  input.options.wall.radius = 0.0;
  if (input.electric.period > 0.0) /* a start has no time */
    memset(input.electric.e, 0, sizeof input.electric.e);
  input.nonbonded.mixed = false;
  input.nonbonded.buffer = 0.0;
  return input;
}

Status system_field_start(const Simulation *s, const State *shape, ForceField *field, Error *error)
{
  const FieldInput input = start_input(s);
  return simulation_field_create(s, &input, shape, field, error);
}

Status system_field_bonded(const Simulation *s, const State *shape, ForceField *field, Error *error)
{
  const size_t n = (size_t)s->topology->nsort;
  SCOPED(arena_free) Arena arena = {0};
  FieldInput input = simulation_field_input(s);
  TermList *list = arena_take(&arena, n, sizeof *list);
  TRY(arena_check(&arena, "terms", error));
  bool any = false;
  for (size_t k = 0; k < n && input.terms != NULL; k++) {
    Term *term = arena_take(&arena, (size_t)input.terms[k].n + 1, sizeof *term);
    TRY(arena_check(&arena, "terms", error));
    list[k] = input.terms[k];
    list[k].term = term;
    list[k].n = 0;
    for (int i = 0; i < input.terms[k].n; i++)
      if (input.terms[k].term[i].type != &term_types[TERM_ROW_pair_14])
        term[list[k].n++] = input.terms[k].term[i];
    any = any || list[k].n > 0;
  }
  input.water = NULL;
  input.atoms = NULL;
  input.options = (FieldOptions){};
  input.electric = (ElectricField){0};
  input.fixman = false;
  input.terms = any ? list : NULL;
  return simulation_field_create(s, &input, shape, field, error);
}

static Status landscape_field(const void *system, const State *shape, ForceField *field, Error *error)
{
  return system_field_start(system, shape, field, error);
}

/* Searches start many replicas, whose numbers are not those of the run. */
static Status search_field(const void *system, const State *shape, ForceField *field, Error *error)
{
  const Simulation *s = system;
  FieldInput input = start_input(s);
  input.parameters = NULL;
  return simulation_field_create(s, &input, shape, field, error);
}

Landscape system_field_search(const Simulation *s) { return (Landscape){s->topology, search_field, s}; }

Landscape system_field_landscape(const Simulation *s) { return (Landscape){s->topology, landscape_field, s}; }
