#include "simulation/molecules/system_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/scoped.h"
#include "engine/units.h"
#include "io/structure.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system_topology.h"
#include "simulation/start/lattice.h"

SCOPED_POINTER(State, state_free)

static const double warm = 300.0; /* K: for the choice of a buffer where no temperature is given */

/* --- what is in the box ----------------------------------------------------------------------------------
 */

static const char *model_name(const Simulation *s)
{
  return system_molecules(s)->model != NULL ? system_molecules(s)->model->name : NULL;
}

static Status no_species(const Simulation *s, const char *name, Error *error)
{
  Nearest nearest = nearest_start(name);
  bool other = false; /* known, for another model */
  for (const AtomModel *row = atom_model_list; row->name != NULL; row++) {
    if (atom_model_find(row->name, model_name(s)) != NULL)
      nearest_try(&nearest, row->name, 0.0);
    other = other || strcmp(row->name, name) == 0;
  }
  if (other)
    return input_error(s->config->input, KEY(system_atoms), error, "'%s' has no parameters for %s", name,
                       system_molecules(s)->model != NULL ? system_molecules(s)->model->name
                                                          : "a box without water");
  return input_error(s->config->input, KEY(system_atoms), error,
                     "there is no species '%s'; 'holonom list' has them%s%s%s", name,
                     nearest.name != NULL ? "; did you mean '" : "", nearest.name != NULL ? nearest.name : "",
                     nearest.name != NULL ? "'?" : "");
}

static Status add_kind(Simulation *s, const AtomModel *species, int nmol, Error *error)
{
  Kind *kind;
  TRY(species != NULL ? atom_model_kind(species, &kind, error)
                      : water_kind(system_molecules(s)->model, s->config->system.mass_O,
                                   s->config->system.mass_H, &kind, error));
  s->kind[s->nkind] = kind;
  s->lanes[s->nkind++] = nmol;
  return STATUS_OK;
}

/* Entry i of system.atoms. */
static Status read_atoms(const Simulation *s, int i, const AtomModel **species, int *number, Error *error)
{
  const InputMap *atoms = &s->config->system.atoms;
  *species = atom_model_find(atoms->name[i], model_name(s));
  if (*species == NULL)
    return no_species(s, atoms->name[i], error);
  char *end;
  const long n = strtol(atoms->value[i], &end, 10);
  if (*end != '\0' || end == atoms->value[i] || n < 0 || n > STATE_MOLECULES)
    return input_error(s->config->input, KEY(system_atoms), error,
                       "%s: '%s' is no number of atoms; wanted: a whole number from 0 to %d", atoms->name[i],
                       atoms->value[i], STATE_MOLECULES);
  *number = (int)n;
  return STATUS_OK;
}

/* The numbers of system.atoms, in their order. */
static Status add_atoms(Simulation *s, Error *error)
{
  for (int i = 0; i < s->config->system.atoms.n; i++) {
    const AtomModel *species;
    int n = 0;
    TRY(read_atoms(s, i, &species, &n, error));
    if (n > 0)
      TRY(add_kind(s, species, n, error));
  }
  return STATUS_OK;
}

/* Of all kinds. */
static Status check_total(const Simulation *s, Error *error)
{
  double all = 0.0;
  for (int k = 0; k < s->nkind; k++)
    all += s->lanes[k];
  Error why;
  const Status status = state_may_hold(all, &why);
  return input_pass(s->config->input, s->nkind > 1 ? KEY(system_atoms) : KEY(system_molecules), status, &why,
                    error);
}

static double mass_of_kinds(const Simulation *s) { return lattice_mass(s->nkind, s->kind, s->lanes); }

/* Two of box, density and molecules give the third. */
static Status size_built(Simulation *s, Error *error)
{
  const Config *c = s->config;
  Status status = STATUS_OK;
  Error why;
  s->box = c->system.box;
  if (system_molecules(s)->model != NULL)
    s->lanes[0] = c->system.molecules;
  if (system_molecules(s)->model != NULL && s->lanes[0] == 0)
    status = lattice_count(s->kind[0], &s->box, mass_of_kinds(s), c->system.density, &s->lanes[0], &why);
  if (status == STATUS_OK && box_volume(&s->box) <= 0.0)
    status = lattice_size(s->nkind, s->kind, s->lanes, c->system.density, &s->box, &why);
  if (status == STATUS_OK && !box_periodic(&c->system.box) && c->system.shape != BOX_CUBIC)
    s->box = box_of_volume((BoxShape)c->system.shape, box_volume(&s->box));
  status = input_pass(c->input, KEY(system_density), status, &why, error);
  return status == STATUS_OK ? check_total(s, error) : status;
}

static Status create_built(Simulation *s, Error *error)
{
  if (system_molecules(s)->model != NULL)
    TRY(add_kind(s, NULL, 0, error));
  TRY(add_atoms(s, error));
  return size_built(s, error);
}

/* --- files -----------------------------------------------------------------------------------------------
 */

Status system_box_read(const Simulation *s, Frame *frame, const char *path, Structure *structure,
                       Error *error)
{
  *structure = (Structure){0};
  const AtomModelNames names = atom_model_names();
  Error why;
  TRY(system_frame_box(s, frame, error));
  const Status status = structure_molecules(frame, path, names.n, names.symbol, structure, &why);
  return input_pass(s->config->input, KEY(system_file), status, &why, error);
}

/* The numbers that were asked for, if any were. */
static Status check_numbers(const Simulation *s, const Structure *structure, Error *error)
{
  const Config *c = s->config;
  const int waters = structure->group[0].nmol;
  if (system_molecules(s)->model != NULL && input_given(c->input, KEY(system_molecules)) &&
      waters != c->system.molecules)
    return input_error(c->input, KEY(system_molecules), error, "%d are asked for, but %s holds %d",
                       c->system.molecules, c->system.file, waters);
  for (int i = 0; i < c->system.atoms.n; i++) {
    const AtomModel *species;
    int wanted = 0;
    TRY(read_atoms(s, i, &species, &wanted, error));
    const int held = system_group(structure, species->symbol)->nmol;
    if (held != wanted)
      return input_error(c->input, KEY(system_atoms), error, "%d of %s are asked for, but %s holds %d",
                         wanted, species->name, c->system.file, held);
  }
  return STATUS_OK;
}

static Status create_from(Simulation *s, const Structure *structure, Error *error)
{
  const Config *c = s->config;
  const AtomModelNames names = atom_model_names();
  s->box = structure->box;
  const int waters = structure->group[0].nmol;
  for (int i = 0; i < structure->ngroup; i++)
    TRY(start_velocities(s, &structure->group[i], error));
  if (waters > 0 && system_molecules(s)->model == NULL)
    return input_error(c->input, KEY_SECTION(system_model), error,
                       "%s holds %d waters; wanted: system.model, the name of their model", c->system.file,
                       waters);
  if (system_molecules(s)->model != NULL && waters == 0)
    return input_error(c->input, KEY(system_model), error, "%s holds no water", c->system.file);
  if (waters > 0)
    TRY(add_kind(s, NULL, waters, error));
  TRY(check_numbers(s, structure, error));
  for (int i = 0; i < names.n; i++) {
    const int nmol = structure->group[1 + i].nmol;
    const AtomModel *species = atom_model_find(names.name[i], model_name(s));
    if (nmol == 0)
      continue;
    TRY(species != NULL ? add_kind(s, species, nmol, error) : no_species(s, names.name[i], error));
  }
  return STATUS_OK;
}

static Status create_first(void *self, int i, Frame *frame, const char *path, Error *error)
{
  if (i > 0)
    return STATUS_OK;
  SCOPED(structure_free) Structure structure = {0};
  TRY(system_box_read(self, frame, path, &structure, error));
  return create_from(self, &structure, error);
}

static Status create_read(Simulation *s, Error *error)
{
  return start_file_read(s->config, &system_molecules(s)->from, create_first, s, error);
}

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

static Status check_box(const Simulation *s, Error *error)
{
  const Input *in = s->config->input;
  Error why;
  const Status status = config_box_holds_cutoff(s->config, &s->box, &why);
  return input_pass(in, input_given(in, KEY(system_box)) ? KEY(system_box) : KEY(system_density), status,
                    &why, error);
}

Status system_box_create(Simulation *s, Error *error)
{
  if (s->config->system.topology != NULL) {
    TRY(system_topology_create(s, error));
    return check_box(s, error);
  }
  TRY(simulation_room_for_kinds(s, 1 + (size_t)atom_model_names().n + (size_t)s->config->system.atoms.n,
                                error));
  TRY(s->config->system.start == START_FILE ? create_read(s, error) : create_built(s, error));
  if (s->nkind == 0)
    TRY(input_error(s->config->input, KEY_SECTION(system_model), error, "there is nothing in the box"));
  TRY(system_topology_builtin(s, error));
  return check_box(s, error);
}

double system_box_density(const Simulation *s) { return lattice_density_of(mass_of_kinds(s), &s->box); }

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
  const Config *c = s->config;
  PeriodicOptions options = force_options(s);
  options.threads = threads;
  if (strict_double) {
    options.nonbonded.mixed = false;
    options.nonbonded.buffer = options.atoms_buffer = 0.0;
  }
  Error why;
  const Status status = periodic_create(force, &options, state, &why);
  return input_pass(c->input, KEY_SECTION(forces_cutoff), status, &why, error);
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
