#include "simulation/molecules/system_box.h"

#include <math.h>

#include "base/scoped.h"
#include "config/config_options.h"
#include "engine/units.h"
#include "simulation/molecules/system_topology.h"
#include "simulation/start/lattice.h"

SCOPED_POINTER(State, state_free)

static const double warm = 300.0; /* K: for the choice of a buffer where no temperature is given */

/* --- the whole -------------------------------------------------------------------------------------------
 */

double system_box_charge(const Simulation *s, bool *rounding)
{
  const Molecules *const all = system_molecules(s)->molecules;
  double charge = 0.0, whole = 0.0;
  for (int k = 0; k < all->ncount; k++) {
    const double each = all->molecule[all->count[k].molecule].charge;
    charge += all->count[k].n * each;
    whole += all->count[k].n * rint(each);
  }
  *rounding = whole == 0.0;
  return charge;
}

Status system_box_check(const Simulation *s, Error *error)
{
  const Input *in = s->config->input;
  Error why;
  const Status status = config_box_holds_cutoff(s->config, &s->box, &why);
  return input_pass(in, input_given(in, KEY(system_box)) ? KEY(system_box) : KEY(system_density), status,
                    &why, error);
}

double system_box_density(const Simulation *s)
{
  return lattice_density_of(lattice_mass(s->nkind, s->kind, s->lanes), &s->box);
}

/* --- forces ----------------------------------------------------------------------------------------------
 */

Truncation system_box_truncation(const Simulation *s)
{
  const Config *c = s->config;
  if (c->forces.truncation != TRUNCATION_AUTO)
    return c->forces.truncation;
  if (c->thermostat.type != THERMOSTAT_NONE)
    return TRUNCATION_PLAIN;
  const bool waters = system_molecules(s)->model != NULL && s->nkind == 1 && !c->forces.by_atom;
  return waters && c->forces.coulomb == COULOMB_PME ? TRUNCATION_SWITCH_PAIRS : TRUNCATION_SWITCH;
}

static PeriodicOptions force_options(const Simulation *s)
{
  const WaterMolecule *water = system_topology_water(s);
  PeriodicOptions o = {.model = water != NULL ? &water->model : NULL,
                       .atoms = water == NULL || s->nkind > 1 ? &system_molecules(s)->atoms : NULL,
                       .nonbonded = s->config->forces,
                       .kT = s->kT > 0.0 ? s->kT : warm * UNITS_BOLTZMANN,
                       .h = s->h,
                       .isa = s->isa};
  o.nonbonded.truncation = system_box_truncation(s);
  o.nonbonded.mixed = system_molecules(s)->precision == PAIR_MIXED;
  return o;
}

/* threads: of the team that computes it. */
static Status make_force(const Simulation *s, bool strict_double, int threads, const State *state,
                         Force *force, Error *error)
{
  PeriodicOptions options = force_options(s);
  options.threads = threads;
  if (strict_double) {
    options.nonbonded.mixed = false;
    options.nonbonded.buffer = options.atoms_buffer = 0.0;
  }
  Error why;
  const Status status = periodic_create(force, &options, state, &why);
  return config_options_pass(s->config, KEY_SECTION(forces_cutoff), status, &why, error);
}

Status system_box_check_forces(const Simulation *s, Error *error)
{
  SCOPED(state_free_at) State *state = NULL;
  Force force;
  TRY(topology_state(s->topology, 1, 0, 0, &state, error));
  state->box = s->box;
  TRY(make_force(s, false, 1, state, &force, error));
  force.ops->free(force.self);
  return STATUS_OK;
}

static Status make_field(const Simulation *s, bool strict_double, int threads, const State *state,
                         ForceField *field, Error *error)
{
  field->n = 0;
  TRY(make_force(s, strict_double, threads, state, &field->force[0], error));
  field->n = 1;
  return system_topology_terms(s, state, field, error);
}

Status system_box_field(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  return make_field(s, false, s->replicas > 1 ? 1 : s->threads, state, field, error);
}

Status system_box_start_field(const Simulation *s, bool own, const State *state, ForceField *field,
                              Error *error)
{
  return make_field(s, !own, s->threads, state, field, error);
}
