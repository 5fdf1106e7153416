#include "simulation/molecules/system_topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scoped.h"
#include "forcefields/atoms_input.h"
#include "forcefields/term_force.h"
#include "io/atom_name.h"
#include "io/molecules_file.h"
#include "io/molecules_join.h"

/* --- the order of the file --------------------------------------------------------------------------------
 */

/* Molecule after molecule of a system, as the file of molecules counts them. */
typedef struct Walker {
  const Molecules *all;
  int row, copy; /* of all->count, and of that row's molecules */
} Walker;

/* The next molecule; NULL after the last. */
static const Molecule *next_molecule(Walker *at)
{
  while (at->row < at->all->ncount && at->copy == at->all->count[at->row].n) {
    at->row++;
    at->copy = 0;
  }
  if (at->row == at->all->ncount)
    return NULL;
  at->copy++;
  return &at->all->molecule[at->all->count[at->row].molecule];
}

/* All atoms, and those of them that have no mass. */
static void count_atoms(const Molecules *all, int64_t *atoms, int64_t *massless)
{
  *atoms = *massless = 0;
  for (int c = 0; c < all->ncount; c++) {
    const Molecule *m = &all->molecule[all->count[c].molecule];
    *atoms += (int64_t)all->count[c].n * m->natom;
    *massless += (int64_t)all->count[c].n * m->nvirtual;
  }
}

/* --- names ------------------------------------------------------------------------------------------------
 */

static Status wrong_name(const Simulation *s, const Frame *frame, const char *path, int at,
                         const Molecule *molecule, int64_t number, const MoleculesAtom *atom, Error *error)
{
  char line[32] = "";
  if (frame->lines[at] > 0)
    snprintf(line, sizeof line, ":%d", frame->lines[at]);
  return error_set(error, STATUS_INPUT,
                   "%s%s: atom %d is called '%s', where %s has %s, of molecule %lld (%s); atoms stand in the "
                   "order of the file of molecules",
                   path, line, at + 1, frame->symbols[at], s->config->system.topology, atom->name,
                   (long long)number, molecule->name);
}

/* --- coordinates ------------------------------------------------------------------------------------------
 */

/* A frame's vectors at the places that the file of molecules gives its atoms; those of virtual sites that the
 * frame leaves out are zero. */
static void spread(const Molecules *all, bool whole, const double (*from)[3], double (*to)[3])
{
  Walker at = {.all = all};
  for (const Molecule *m; (m = next_molecule(&at)) != NULL; to += m->natom)
    for (int i = 0; i < m->natom; i++)
      if (whole || m->atom[i].mass > 0.0)
        memcpy(to[i], *from++, sizeof *to);
}

static Status check_names(const Simulation *s, const Frame *frame, const char *path, bool whole, Error *error)
{
  Walker at = {.all = system_molecules(s)->molecules};
  int atom = 0;
  int64_t number = 0;
  for (const Molecule *m; frame->has_symbols && (m = next_molecule(&at)) != NULL;) {
    number++;
    for (int i = 0; i < m->natom; i++) {
      if (!whole && m->atom[i].mass == 0.0)
        continue;
      if (!atom_name_fits(&m->atom[i], frame->symbols[atom]))
        return wrong_name(s, frame, path, atom, m, number, &m->atom[i], error);
      atom++;
    }
  }
  return STATUS_OK;
}

static Status make_all_whole(const Molecules *all, const Box *box, double (*x)[3], Error *error)
{
  int most = 0;
  for (int i = 0; i < all->nmolecule; i++)
    most = all->molecule[i].natom > most ? all->molecule[i].natom : most;
  SCOPED(scoped_free) bool *placed = malloc((size_t)most + 1);
  TRY_MEMORY(placed != NULL, "positions", error);
  Walker at = {.all = all};
  for (const Molecule *m; (m = next_molecule(&at)) != NULL; x += m->natom)
    molecules_make_whole(m->natom, m->nbond, m->bond, box, x, placed);
  return STATUS_OK;
}

/* The box of the input or of the file; zero in open space. */
static Status find_box(const Simulation *s, Frame *frame, const char *path, Box *box, Error *error)
{
  *box = (Box){0};
  if (!system_form(s)->boxed)
    return system_open_frame(s, frame, error);
  TRY(system_frame_box(s, frame, error));
  Error why;
  const Status status = structure_box(frame, path, box, &why);
  return input_pass(s->config->input, KEY(system_file), status, &why, error);
}

/* Positions file[all atoms][3], velocities likewise or NULL, of a frame that has them. */
static Status read_atoms(const Simulation *s, const Frame *frame, const char *path, double (*file)[3],
                         double (*velocity)[3], Error *error)
{
  const Molecules *all = system_molecules(s)->molecules;
  int64_t atoms, massless;
  count_atoms(all, &atoms, &massless);
  const bool whole = frame->natoms == atoms;
  if (!whole && frame->natoms < atoms - massless)
    return error_set(error, STATUS_INPUT,
                     "%s holds %d of the %lld atoms that %s describes: a part of them (as output.xtc_atoms "
                     "chooses) has no energies, and nothing starts from it; wanted: all atoms%s",
                     path, frame->natoms, (long long)atoms, s->config->system.topology,
                     massless > 0 ? ", or all but virtual sites" : "");
  if (!whole && frame->natoms != atoms - massless)
    return error_set(error, STATUS_INPUT, "%s holds %d atoms, and %s describes %lld%s", path, frame->natoms,
                     s->config->system.topology, (long long)atoms,
                     massless > 0 ? ", virtual sites among them" : "");
  TRY(check_names(s, frame, path, whole, error));
  spread(all, whole, (const double(*)[3])frame->positions, file);
  if (velocity != NULL)
    spread(all, whole, (const double(*)[3])frame->velocities, velocity);
  return STATUS_OK;
}

/* The same of the start, with its box, molecules whole. */
static Status read_all(const Simulation *s, Frame *frame, const char *path, double (*file)[3],
                       double (*velocity)[3], Box *box, Error *error)
{
  const Input *in = s->config->input;
  Error why;
  if (velocity != NULL && !frame->has_velocities)
    return input_error(in, KEY(thermostat_initial), error,
                       "%s has no velocities; wanted: a GRO or XYZ file that has, or initial: maxwell", path);
  const Status status = read_atoms(s, frame, path, file, velocity, &why);
  TRY(input_pass(in, KEY(system_file), status, &why, error));
  TRY(find_box(s, frame, path, box, error));
  return box_periodic(box) ? make_all_whole(system_molecules(s)->molecules, box, file, error) : STATUS_OK;
}

Status system_topology_read(const Simulation *s, Frame *frame, const char *path, double *x, double *v,
                            Box *box, Error *error)
{
  const Groups *groups = system_molecules(s)->groups;
  const size_t size = groups_file_atoms(groups);
  SCOPED(scoped_free) double(*file)[3] = calloc(2 * size, sizeof *file);
  TRY_MEMORY(file != NULL, "positions", error);
  TRY(read_all(s, frame, path, file, v != NULL ? file + size : NULL, box, error));
  groups_from_file(groups, (const double(*)[3])file, (double(*)[3])x);
  if (v != NULL)
    groups_from_file(groups, (const double(*)[3])file + size, (double(*)[3])v);
  return STATUS_OK;
}

Status system_topology_frame(const Simulation *s, const Frame *frame, const char *path, const Box *box,
                             double *x, Error *error)
{
  const Groups *groups = system_molecules(s)->groups;
  SCOPED(scoped_free) double(*file)[3] = calloc(groups_file_atoms(groups), sizeof *file);
  TRY_MEMORY(file != NULL, "positions", error);
  TRY(read_atoms(s, frame, path, file, NULL, error));
  if (box_periodic(box))
    TRY(make_all_whole(groups->molecules, box, file, error));
  groups_from_file(groups, (const double(*)[3])file, (double(*)[3])x);
  return STATUS_OK;
}

/* --- making -----------------------------------------------------------------------------------------------
 */

enum { LEFT_SAID = 3 /* distances of a molecule that are no constraints, one by one */ };

/* What the file says that is no error, and what is left out of constraints, of which a peptide has hundreds.
 */
static void note_all(const Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  char words[512];
  for (int i = 0; i < w->molecules->nnote; i++)
    input_note(s->config->input, KEY(system_topology), "%s", w->molecules->note[i]);
  for (int m = 0; m < w->molecules->nmolecule; m++) {
    const GroupsMolecule *of = &w->groups->molecule[m];
    for (int i = 0; i < LEFT_SAID && groups_words(w->groups, m, i, words, sizeof words); i++)
      input_note(s->config->input, KEY(geometry_constrain), "%s", words);
    if (of->nleft > LEFT_SAID)
      input_note(s->config->input, KEY(geometry_constrain),
                 "molecule %s: %d more of the %d wanted distances are not constraints either",
                 of->molecule->name, of->nleft - LEFT_SAID, of->ncon + of->nleft);
  }
}

static double strength_of(const Config *c, int method, double w)
{
  return method == GEOMETRY_NONE ? 0.0 : method > GEOMETRY_PENALTY ? INFINITY : w > 0.0 ? w : c->geometry.w;
}

/* What geometry.keep asks for; *held is NULL where it is not there. */
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

/* A row that is about nothing is a mistake. */
static Status check_changes(const Simulation *s, const GroupsHeld *held, Error *error)
{
  for (int i = 0; held != NULL && i < held->n; i++) {
    const GroupsChange *change = &held->change[i];
    const InputKey key = input_record(KEY(geometry_keep), i, "atoms");
    for (int e = 0; e < change->natom; e++)
      if (change->seen[e] == 0)
        return input_error(s->config->input, key, error,
                           change->sites[e]
                               ? "'%.100s' is a virtual site in the molecules of %s: it is kept "
                                 "by nobody, and goes where atoms with mass place it"
                               : "'%.100s' is no atom, by name, type, index or selection, of the "
                                 "molecules of %s",
                           change->atoms[e], s->config->system.topology);
    if (change->met == 0)
      return input_error(s->config->input, key, error, "no %s of %s is between such atoms",
                         change->natom == 2 ? "bond or constraint" : "angle", s->config->system.topology);
  }
  return STATUS_OK;
}

/* The groups, by the first of each molecule in file[all atoms][3]. */
static Status make_groups(const Simulation *s, const double (*file)[3], Error *error)
{
  MolecularSystem *w = system_molecules(s);
  SCOPED(arena_free) Arena arena = {0};
  const size_t n = (size_t)w->molecules->nmolecule;
  GroupsKeep *keep = arena_take(&arena, n, sizeof *keep);
  const double(**first)[3] = arena_take(&arena, n, sizeof *first);
  GroupsHeld *held;
  TRY(arena_check(&arena, "groups", error));
  TRY(list_changes(s->config, &arena, &held, error));
  for (size_t i = 0; i < n; i++)
    keep[i] = (GroupsKeep)s->config->geometry.constrain;
  Walker at = {.all = w->molecules};
  for (const Molecule *m; (m = next_molecule(&at)) != NULL; file += m->natom)
    if (first[m - w->molecules->molecule] == NULL)
      first[m - w->molecules->molecule] = file;
  Error why;
  const Status status = groups_create_held(&w->groups, w->molecules, keep, held, first, &why);
  const bool row = held != NULL && held->wrong >= 0;
  TRY(input_pass(s->config->input,
                 row ? input_record(KEY(geometry_keep), held->wrong, "atoms") : KEY(geometry_constrain),
                 status, &why, error));
  return check_changes(s, held, error);
}

static Status take_kinds(Simulation *s, Error *error)
{
  const bool file = s->config->system.topology != NULL;
  Groups *g = system_molecules(s)->groups;
  const Input *in = s->config->input;
  TRY(simulation_room_for_kinds(s, (size_t)g->nkind, error));
  for (int k = 0; k < g->nkind; k++) {
    if (file && s->config->geometry.method == GEOMETRY_NONE && g->kind[k]->ncon > 0 && g->kind[k]->w == NULL)
      return input_error(in, KEY(geometry_method), error,
                         "'none' keeps no lengths, but %s has constraints; wanted: rattle, shake or penalty",
                         s->config->system.topology);
    s->lanes[k] = g->lanes[k];
    s->kind[k] = g->kind[k];
  }
  s->nkind = g->nkind;
  return STATUS_OK;
}

static Status take_frame(void *self, int i, Frame *frame, const char *path, Error *error)
{
  Simulation *s = self;
  if (i > 0)
    return STATUS_OK;
  int64_t atoms, massless;
  count_atoms(system_molecules(s)->molecules, &atoms, &massless);
  SCOPED(scoped_free) double(*file)[3] = calloc((size_t)atoms + 1, sizeof *file);
  TRY_MEMORY(file != NULL, "positions", error);
  TRY(read_all(s, frame, path, file, NULL, &s->box, error));
  return make_groups(s, (const double(*)[3])file, error);
}

static Status read_molecules(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const Config *c = s->config;
  SCOPED(scoped_free) char *path = config_path(c, c->system.topology);
  TRY_MEMORY(path != NULL, "a file name", error);
  Error why;
  const Status status = molecules_file_read(&w->molecules, path, &why);
  TRY(input_pass(c->input, KEY(system_topology), status, &why, error));
  int64_t atoms, massless;
  count_atoms(w->molecules, &atoms, &massless);
  if (w->molecules->ncount < 1)
    return input_error(
        c->input, KEY(system_topology), error,
        "%s does not say what the system holds; wanted in it: system: [[molecule, number], ...]",
        c->system.topology);
  const Status fits_in = state_may_hold((double)atoms, &why);
  return input_pass(c->input, KEY(system_topology), fits_in, &why, error);
}

/* Whether a sort is the water that has a kernel of its own, whose sites nobody else sees. */
static bool is_water(const MolecularSystem *w, int sort)
{
  return w->water.model.name != NULL && w->water.molecule == w->molecules->count[sort].molecule;
}

/* Those of a sort as forces that see virtual sites number its atoms: as the file does. */
static Status terms_with_sites(const GroupsMolecule *of, Arena *arena, TermList *list, Error *error)
{
  Term *term = arena_take(arena, (size_t)of->terms.n + (size_t)of->seen.n, sizeof *term);
  TRY(arena_check(arena, "terms", error));
  *list = of->terms;
  list->term = term;
  for (int i = 0; i < of->terms.n; i++) {
    term[i] = of->terms.term[i];
    for (int k = 0; k < term[i].type->natom; k++)
      term[i].atom[k] = of->atom[term[i].atom[k]];
  }
  for (int i = 0; i < of->seen.n; i++)
    term[list->n++] = of->seen.term[i];
  return STATUS_OK;
}

static Status gather_terms(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  w->terms = arena_take(&w->arena, (size_t)s->topology->nsort, sizeof *w->terms);
  TRY(arena_check(&w->arena, "terms", error));
  for (int k = 0; k < s->topology->nsort; k++) {
    w->terms[k] = w->groups->molecule[w->molecules->count[k].molecule].terms;
    w->sites_in_terms = w->sites_in_terms || w->groups->molecule[w->molecules->count[k].molecule].seen.n > 0;
  }
  for (int k = 0; k < s->topology->nsort && w->sites_in_terms; k++)
    if (!is_water(w, k))
      TRY(terms_with_sites(&w->groups->molecule[w->molecules->count[k].molecule], &w->arena, &w->terms[k],
                           error));
  return STATUS_OK;
}

/* Whether every molecule of the system is the water that was found. */
static bool all_are_water(const MolecularSystem *w)
{
  for (int k = 0; k < w->molecules->ncount; k++)
    if (w->molecules->count[k].n > 0 && w->molecules->count[k].molecule != w->water.molecule)
      return false;
  return w->water.model.name != NULL;
}

/* The water that goes to the kernels made for it: in open space one that is the whole system; in a box the
 * most numerous one, but none with charges at lone pairs, for which boxes have no kernel in single precision.
 */
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
    input_note(s->config->input, KEY(system_topology),
               "%s: such water goes atom by atom, which takes several times as long as the kernel made for "
               "water",
               words);
}

const WaterMolecule *system_topology_water(const Simulation *s)
{
  const MolecularSystem *w = system_molecules(s);
  return w->groups != NULL && w->water.model.name != NULL ? &w->water : NULL;
}

/* Pairs of atoms in open space are computed in double precision. */
static Status check_precision(const Simulation *s, Error *error)
{
  const MolecularSystem *w = system_molecules(s);
  if (w->precision == PAIR_DOUBLE || system_form(s)->boxed || system_topology_water(s) != NULL)
    return STATUS_OK;
  return input_error(s->config->input, KEY(precision), error,
                     "in open space 'mixed' is for rigid water alone, and %s has other molecules, or water "
                     "that is not rigid or not of three to five sites; wanted: double",
                     s->config->system.topology);
}

/* All that follows from molecules and their groups. */
static Status describe(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  TRY(groups_topology(w->groups, &s->topology, error));
  find_water(s);
  if (w->model == NULL || s->topology->nsort > 1)
    s->digest = molecules_digest(w->molecules);
  TRY(atoms_input(&w->atoms, w->groups, s->topology, system_topology_water(s), &w->arena, error));
  TRY(gather_terms(s, error));
  for (int k = 0; k < s->topology->nsort; k++)
    s->terms = s->terms || w->terms[k].n > 0;
  return STATUS_OK;
}

Status system_topology_create(Simulation *s, Error *error)
{
  Error why;
  TRY(read_molecules(s, error));
  TRY(start_file_read(s->config, &system_molecules(s)->from, take_frame, s, error));
  note_all(s);
  TRY(input_pass(s->config->input, KEY(system_topology), describe(s, &why), &why, error));
  TRY(check_precision(s, error));
  return take_kinds(s, error);
}

/* --- the program's own types ------------------------------------------------------------------------------
 */

/* The text of the type that kind k is. */
static Status write_type(const Simulation *s, int k, Arena *arena, MoleculesPart *part, Error *error)
{
  const Config *c = s->config;
  const WaterModel *model = system_molecules(s)->model;
  const double mass[] = {c->system.mass_O, c->system.mass_H};
  char *text = arena_take(arena, WATER_MOLECULE_TEXT, 1);
  const bool water = k == 0 && model != NULL;
  TRY(arena_check(arena, "molecules", error));
  if (water)
    water_molecule_text(model, mass, text, WATER_MOLECULE_TEXT);
  else
    water_molecule_atom_text(atom_model_find(s->kind[k]->name, model != NULL ? model->name : NULL), text,
                             WATER_MOLECULE_TEXT);
  *part = (MoleculesPart){.path = s->kind[k]->name, .text = text, .n = s->lanes[k], .any_rule = water};
  return STATUS_OK;
}

Status system_topology_builtin(Simulation *s, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  SCOPED(arena_free) Arena arena = {0};
  SCOPED(scoped_free) char *text = NULL;
  const size_t n = (size_t)s->nkind;
  MoleculesPart *part = arena_take(&arena, n, sizeof *part);
  GroupsKeep *keep = arena_take(&arena, n, sizeof *keep);
  const double(**first)[3] = arena_take(&arena, n, sizeof *first);
  TRY(arena_check(&arena, "molecules", error));
  for (int k = 0; k < s->nkind; k++)
    TRY(write_type(s, k, &arena, &part[k], error));
  TRY(molecules_join(s->nkind, part, &text, &w->molecules, error));
  w->molecules->builtin = true;
  for (int k = 0; k < s->nkind; k++) {
    Molecule *m = &w->molecules->molecule[k];
    double(*x)[3] = arena_take(&arena, (size_t)m->natom, sizeof *x);
    TRY(arena_check(&arena, "molecules", error));
    first[k] = memcpy(x, s->kind[k]->reference, (size_t)s->kind[k]->nsite * sizeof *x);
    for (int i = 0; i < s->kind[k]->nsite; i++)
      m->atom[i].element = m->atom[i].name;
  }
  TRY(groups_create(&w->groups, w->molecules, keep, first, error));
  for (int k = 0; k < s->nkind; k++)
    kind_free((Kind *)s->kind[k]);
  s->nkind = 0;
  TRY(describe(s, error));
  return take_kinds(s, error);
}

/* --- forces -----------------------------------------------------------------------------------------------
 */

static Status make_terms(const Simulation *s, const TermList *terms, const State *state, ForceField *field,
                         Error *error)
{
  const MolecularSystem *w = system_molecules(s);
  bool any = false;
  for (int k = 0; k < s->topology->nsort; k++)
    any = any || terms[k].n > 0;
  if (!any)
    return STATUS_OK;
  Error why;
  Force *force = &field->force[field->n];
  const Status status = w->sites_in_terms
                            ? term_force_create_with_sites(force, &w->atoms, terms, state, s->isa, &why)
                            : term_force_create(force, s->topology, terms, state, s->isa, &why);
  TRY(input_pass(s->config->input, KEY(system_topology), status, &why, error));
  field->n++;
  return STATUS_OK;
}

/* Of an input that names restraints (restraints.h). */
static Status add_restraints(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  const MolecularSystem *w = system_molecules(s);
  const Parameters *parameters = s->parameters.n > 0 ? &s->parameters : NULL;
  Error why;
  Status status = STATUS_OK;
  if (w->nrestraint > 0) {
    status = restraint_create(&field->force[field->n], s->topology, w->nrestraint, w->restraint, parameters,
                              state, &why);
    field->n += status == STATUS_OK;
  }
  if (w->nheld > 0 && status == STATUS_OK) {
    status = coordinate_restraint_create(&field->force[field->n], s->topology, w->nheld, w->held, parameters,
                                         state, &why);
    field->n += status == STATUS_OK;
  }
  return input_pass(s->config->input, KEY(restraints), status, &why, error);
}

Status system_topology_terms(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  TRY(make_terms(s, system_molecules(s)->terms, state, field, error));
  return add_restraints(s, state, field, error);
}

Status system_topology_bonded(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  const TermList *all = system_molecules(s)->terms;
  const size_t n = (size_t)s->topology->nsort;
  SCOPED(arena_free) Arena arena = {0};
  TermList *list = arena_take(&arena, n, sizeof *list);
  TRY(arena_check(&arena, "terms", error));
  for (size_t k = 0; k < n; k++) {
    Term *term = arena_take(&arena, (size_t)all[k].n + 1, sizeof *term);
    TRY(arena_check(&arena, "terms", error));
    list[k] = all[k];
    list[k].term = term;
    list[k].n = 0;
    for (int i = 0; i < all[k].n; i++)
      if (all[k].term[i].type != &term_types[TERM_ROW_pair_14])
        term[list[k].n++] = all[k].term[i];
  }
  TRY(make_terms(s, list, state, field, error));
  return add_restraints(s, state, field, error);
}

/* --- frames -----------------------------------------------------------------------------------------------
 */

/* Residues have the numbers of the file; molecules of one residue go on from the largest so far. */
void system_topology_name(const Simulation *s, Frame *frame)
{
  Walker at = {.all = system_molecules(s)->molecules};
  int k = 0, last = 0;
  for (const Molecule *m; (m = next_molecule(&at)) != NULL;) {
    const bool one = m->atom[0].number == m->atom[m->natom - 1].number;
    last += one;
    for (int i = 0; i < m->natom; i++) {
      const MoleculesAtom *atom = &m->atom[i];
      const int number = one ? last : atom->number;
      last = number > last ? number : last;
      if (atom->mass == 0.0)
        continue;
      frame_name(frame->names[k], atom->name, (int)strlen(atom->name));
      frame_name(frame->residues[k], atom->residue, (int)strlen(atom->residue));
      frame_name(frame->chains[k], atom->chain, (int)strlen(atom->chain));
      frame->numbers[k++] = number;
    }
  }
  frame->has_names = true;
}
