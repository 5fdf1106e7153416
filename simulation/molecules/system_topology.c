#include "simulation/molecules/system_topology.h"

#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "forcefields/atoms_input.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/frictions.h"
#include "simulation/molecules/system_contents.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/start/cluster.h"
#include "simulation/start/lattice.h"
#include "topology/hydrogen_mass.h"

/* --- making ------- */

enum { LEFT_SAID = 3 /* limit of single notes about distances of a molecule that are not constraints */ };

/* Notes from the file, and distances that are not constrained, of which a peptide has hundreds. */
static void note_all(const Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  char words[512];
  for (int i = 0; i < w->molecules->nnote; i++)
    input_note(s->config->input, s->contents, "%s", w->molecules->note[i]);
  for (int m = 0; m < w->molecules->nmolecule; m++) {
    const GroupsMolecule *of = &w->groups->molecule[m];
    for (int i = 0; i < LEFT_SAID && groups_words(w->groups, m, i, words, sizeof words); i++)
      input_note(s->config->input, KEY(geometry_constrain), "%s", words);
    if (of->nleft > LEFT_SAID)
      input_note(s->config->input, KEY(geometry_constrain),
                 "molecule %s: %d more of the %d selected distances are not constraints either",
                 of->molecule->name, of->nleft - LEFT_SAID, of->ncon + of->nleft);
  }
}

static double strength_of(const Config *c, int method, double w)
{
  return method == GEOMETRY_NONE ? 0.0 : method > GEOMETRY_PENALTY ? INFINITY : w > 0.0 ? w : c->geometry.w;
}

/* The requests of geometry.keep; *held is NULL without any. */
static Status list_changes(const Config *c, Arena *arena, GroupsHeld **held, Error *error)
{
  const ConfigKeep *keep = c->geometry.keep.item;
  const int n = c->geometry.keep.n;
  *held = NULL;
  if (n == 0)
    return STATUS_OK;
  *held = arena_take(arena, 1, sizeof **held);
  GroupsChange *change = arena_take(arena, (size_t)n, sizeof *change);
  TRY(arena_check(arena, "what is kept", error));
  **held = (GroupsHeld){.w = strength_of(c, c->geometry.method, 0.0), .n = n, .change = change};
  for (int i = 0; i < n; i++) {
    change[i] = (GroupsChange){.natom = keep[i].atoms.n, .w = strength_of(c, keep[i].method, keep[i].w)};
    for (int e = 0; e < change[i].natom; e++)
      change[i].atoms[e] = keep[i].atoms.value[e];
  }
  return STATUS_OK;
}

/* A row without effect is an error. */
static Status check_changes(const Simulation *s, const GroupsHeld *held, Error *error)
{
  for (int i = 0; held != NULL && i < held->n; i++) {
    const GroupsChange *change = &held->change[i];
    const InputKey key = input_record(KEY(geometry_keep), i, "atoms");
    for (int e = 0; e < change->natom; e++)
      if (change->seen[e] == 0)
        return input_error(
            s->config->input, key, error,
            change->sites[e]
                ? "'%.100s' is a virtual site in the molecules of %s: it is placed by atoms and cannot be "
                  "constrained"
                : "'%.100s' is not a name, type, index or selection of atoms in the molecules of %s",
            change->atoms[e], system_molecules(s)->source);
    if (change->met == 0)
      return input_error(s->config->input, key, error, "no %s of %s connects such atoms",
                         change->natom == 2 ? "bond or constraint" : "angle", system_molecules(s)->source);
  }
  return STATUS_OK;
}

/* Moves mass to hydrogens, before groups, whose kinds have masses. */
static Status set_masses(const Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const Config *c = s->config;
  Error why;
  const Status status = c->geometry.hydrogen_mass > 0.0
                            ? hydrogen_mass_set(w->molecules, c->geometry.hydrogen_mass,
                                                c->geometry.hydrogen_mass_water, &w->hydrogens, &why)
                            : STATUS_OK;
  return input_pass(c->input, KEY(geometry_hydrogen_mass), status, &why, error);
}

/* Makes the groups from coordinates of one molecule of each type. */
static Status make_groups(const Simulation *s, const double (*const *shape)[3], Error *error)
{
  MolecularSystem *w = system_molecules(s);
  SCOPED(arena_free) Arena arena = {0};
  const size_t n = (size_t)w->molecules->nmolecule;
  GroupsKeep *keep = arena_take(&arena, n, sizeof *keep); /* zero: GROUPS_NONE */
  GroupsHeld *held;
  TRY(arena_check(&arena, "groups", error));
  TRY(list_changes(s->config, &arena, &held, error));
  for (size_t i = 0; i < n && w->origin->described; i++)
    keep[i] = (GroupsKeep)s->config->geometry.constrain;
  Error why;
  const Status status = groups_create_held(&w->groups, w->molecules, keep, held, shape, &why);
  const bool row = held != NULL && held->wrong >= 0;
  const bool cut = status != STATUS_OK && why.option != NULL; /* a group of several frictions */
  /* Without frozen atoms the groups were made before. */
  TRY(input_pass(s->config->input,
                 cut              ? KEY(thermostat_frictions)
                 : row            ? input_record(KEY(geometry_keep), held->wrong, "atoms")
                 : w->nfrozen > 0 ? KEY(freeze)
                                  : KEY(geometry_constrain),
                 status, &why, error));
  return check_changes(s, held, error);
}

static Status take_kinds(Simulation *s, Error *error)
{
  const MolecularSystem *w = system_molecules(s);
  Groups *g = w->groups;
  const Input *in = s->config->input;
  const bool free = s->config->geometry.method == GEOMETRY_NONE;
  TRY(simulation_room_for_kinds(s, (size_t)g->nkind, error));
  for (int k = 0; k < g->nkind; k++) {
    if (free && g->kind[k]->ncon > 0 && g->kind[k]->w == NULL)
      return input_error(in, KEY(geometry_method), error,
                         "'none' allows no constraints, but %s has some; wanted: rattle, shake or penalty",
                         w->source);
    s->lanes[k] = g->lanes[k];
    s->kind[k] = g->kind[k];
  }
  s->nkind = g->nkind;
  return STATUS_OK;
}

/* The first molecule of each type in the start file defines the shape of its groups. */
static Status read_shapes(void *self, int i, Frame *frame, const char *path, Error *error)
{
  Simulation *s = self;
  const Molecules *all = system_molecules(s)->molecules;
  if (i > 0)
    return STATUS_OK;
  SCOPED(arena_free) Arena arena = {0};
  int64_t atoms, massless;
  molecules_count_atoms(all, &atoms, &massless);
  double(*file)[3] = arena_take(&arena, (size_t)atoms + 1, sizeof *file);
  const double(**shape)[3] = arena_take(&arena, (size_t)all->nmolecule, sizeof *shape);
  TRY(arena_check(&arena, "positions", error));
  TRY(system_frames_atoms(s, frame, path, file, NULL, &s->box, error));
  MoleculesWalk walk = {.all = all};
  for (const Molecule *m; (m = molecules_next(&walk)) != NULL; file += m->natom)
    if (shape[m - all->molecule] == NULL)
      shape[m - all->molecule] = (const double(*)[3])file;
  return make_groups(s, shape, error);
}

/* Makes the groups; shapes: of the molecule types, NULL: those of the start file. */
static Status make_groups_from(Simulation *s, const double (*const *shape)[3], Error *error)
{
  return shape != NULL ? make_groups(s, shape, error)
                       : start_file_read(s->config, &system_molecules(s)->from, read_shapes, s, error);
}

/* Makes the groups again, with frozen atoms in groups of their own. */
static Status freeze(Simulation *s, Arena *arena, const double (*const *shape)[3], Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const int *like;
  if (s->config->freeze == NULL)
    return STATUS_OK;
  TRY(freeze_apply(s, &like, error));
  const double(**all)[3] = arena_take(arena, (size_t)w->molecules->nmolecule, sizeof *all);
  TRY(arena_check(arena, "frozen molecules", error));
  for (int m = 0; m < w->molecules->nmolecule && shape != NULL; m++)
    all[m] = shape[like[m]];
  groups_free(w->groups);
  w->groups = NULL;
  return make_groups_from(s, shape != NULL ? (const double(*const *)[3])all : NULL, error);
}

/* Whether all molecules are the water that was found. */
static bool all_are_water(const MolecularSystem *w)
{
  for (int k = 0; k < w->molecules->ncount; k++)
    if (w->molecules->count[k].n > 0 && w->molecules->count[k].molecule != w->water.molecule)
      return false;
  return w->water.model.name != NULL;
}

/* Finds the water for the kernels of water. In open space it must be the whole system. In a box it is the
 * most numerous one without charges at lone pairs, which the kernels in single precision do not support. */
static void find_water(const Simulation *s)
{
  MolecularSystem *w = system_molecules(s);
  char words[512];
  const bool boxed = system_form(s)->boxed;
  water_molecule_find(w->groups, boxed && w->model == NULL ? 1 : 2, &w->water, words, sizeof words);
  if (w->model != NULL)
    w->water.model = *w->model; /* to the last bit */
  if (!boxed && !all_are_water(w))
    w->water = (WaterMolecule){.molecule = -1, .block = -1};
  if (words[0] != '\0' && (boxed || w->molecules->nmolecule == 1))
    input_note(
        s->config->input, s->contents,
        "%s: this water is computed atom by atom, which takes several times as long as the kernel for water",
        words);
}

const WaterMolecule *system_topology_water(const Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  return w->groups != NULL && w->water.model.name != NULL ? &w->water : NULL;
}

/* Fills in everything that depends on molecules and groups. */
static Status describe(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  find_water(s);
  const WaterMolecule *water = system_topology_water(s);
  TRY(groups_topology(w->groups, water != NULL ? water->molecule : -1, &s->topology, error));
  if (w->model == NULL || s->topology->nsort > 1)
    s->digest = molecules_digest(w->molecules);
  w->atoms = atoms_input(w->groups, s->topology, water);
  w->terms = arena_take(&w->arena, (size_t)s->topology->nsort, sizeof *w->terms);
  TRY(arena_check(&w->arena, "terms", error));
  for (int k = 0; k < s->topology->nsort; k++) {
    w->terms[k] = w->groups->molecule[w->molecules->count[k].molecule].terms;
    s->terms = s->terms || w->terms[k].n > 0;
  }
  return STATUS_OK;
}

/* Refuses a search that would take too long. */
static Status check_search(const Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->system.start != START_MINIMUM || s->topology->nmol <= CLUSTER_THOROUGH)
    return STATUS_OK;
  return input_error(c->input, KEY(system_start), error,
                     "the lowest minimum of %d molecules would take too long to find; at most %d are "
                     "allowed. Use 'holonom minima' and start: file",
                     s->topology->nmol, CLUSTER_THOROUGH);
}

/* Computes the size of a built box from its density, if given. */
static Status size_box(Simulation *s, Error *error)
{
  const Config *c = s->config;
  Error why;
  if (box_periodic(&s->box) || !(c->system.density > 0.0))
    return STATUS_OK;
  const Topology *t = s->topology;
  const Status status = lattice_size(t->nblock, t->block, t->lanes, c->system.density, &s->box, &why);
  TRY(input_pass(c->input, KEY(system_density), status, &why, error));
  if (c->system.shape != BOX_CUBIC)
    s->box = box_of_volume((BoxShape)c->system.shape, box_volume(&s->box));
  return STATUS_OK;
}

Status system_topology_create(Simulation *s, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  SystemShapes shapes;
  Error why;
  TRY(system_contents_find(s, &arena, &shapes, error));
  TRY(set_masses(s, error));
  TRY(frictions_mark(s, error));
  TRY(make_groups_from(s, shapes.x, error));
  TRY(freeze(s, &arena, shapes.x, error));
  note_all(s);
  TRY(input_pass(s->config->input, s->contents, describe(s, &why), &why, error));
  TRY(check_search(s, error));
  TRY(size_box(s, error));
  TRY(take_kinds(s, error));
  return frictions_of_kinds(s, error);
}
