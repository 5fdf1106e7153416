#include "simulation/molecules/system_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "io/atom_name.h"

/* --- the box ------- */

static Status check_open(const Simulation *s, const Frame *frame, Error *error)
{
  const Config *c = s->config;
  if (!frame->has_cell || c->system.box_none)
    return STATUS_OK;
  return input_error(c->input, KEY(system_box), error,
                     "is missing, but %s has a box of %.6g x %.6g x %.6g A: set box: file for the periodic "
                     "system, or box: none for a cluster in open space",
                     c->system.file, frame->cell[0][0], frame->cell[1][1], frame->cell[2][2]);
}

/* Sets the box of the input, if it has one. */
static Status give_box(const Simulation *s, Frame *frame, Error *error)
{
  const Config *c = s->config;
  if (c->system.box_of_file)
    return frame->has_cell ? STATUS_OK
                           : input_error(c->input, KEY(system_box), error,
                                         "%s has no box; wanted: its lengths, such as 31 A", c->system.file);
  Box box = (Box){0};
  Error why;
  if (frame->has_cell && structure_box(frame, c->system.file, &box, &why) != STATUS_OK)
    return input_error(c->input, KEY(system_file), error, "%s", why.text);
  char words[BOX_WORDS], other[BOX_WORDS];
  if (frame->has_cell && !box_alike(&box, &c->system.box, SYSTEM_FRAMES_SAME))
    return input_error(c->input, KEY(system_box), error,
                       "%s, but the box of %s has %s: correct one of them, or set box: file",
                       box_words(&c->system.box, 10, words), c->system.file, box_words(&box, 10, other));
  frame->has_cell = true;
  memcpy(frame->cell, c->system.box.h, sizeof frame->cell);
  return STATUS_OK;
}

Status system_frames_box(const Simulation *s, Frame *frame, const char *path, Box *box, Error *error)
{
  *box = (Box){0};
  if (!system_form(s)->boxed)
    return check_open(s, frame, error);
  TRY(give_box(s, frame, error));
  Error why;
  const Status status = structure_box(frame, path, box, &why);
  return input_pass(s->config->input, KEY(system_file), status, &why, error);
}

/* --- built-in molecules ------- */

int system_frames_group(const char *symbol)
{
  const AtomModelNames names = atom_model_names();
  int group = 0; /* water */
  for (int i = 0; i < names.n; i++)
    if (strcmp(names.symbol[i], symbol) == 0)
      group = 1 + i;
  return group;
}

/* The group of a structure that has the molecules of row k of the system. */
static int group_of(const Molecules *all, int k)
{
  return system_frames_group(all->molecule[all->count[k].molecule].atom[0].name);
}

/* The number of molecules in rows 0 to n - 1 that have the atoms of row k: a type with frozen molecules has
 * several rows. */
static int count_like(const Molecules *all, int n, int k)
{
  int number = 0;
  for (int i = 0; i < n; i++)
    if (group_of(all, i) == group_of(all, k))
      number += all->count[i].n;
  return number;
}

static Status check_contents(const Molecules *all, const Structure *structure, const char *path, Error *error)
{
  int held = 0, wanted = 0;
  for (int g = 0; g <= structure->nspecies; g++)
    held += structure->nmol[g];
  for (int k = 0; k < all->ncount; k++) {
    const int n = structure->nmol[group_of(all, k)], own = count_like(all, all->ncount, k);
    wanted += all->count[k].n;
    if (n != own)
      return error_set(error, STATUS_INPUT, "%s has %d of %s, but the system has %d", path, n,
                       all->molecule[all->count[k].molecule].name, own);
  }
  return held == wanted ? STATUS_OK
                        : error_set(error, STATUS_INPUT,
                                    "%s has %d molecules, but the system has %d: the file contains molecule "
                                    "types that the system lacks",
                                    path, held, wanted);
}

static Status order_builtin(const Molecules *all, const Frame *frame, const char *path, Structure *structure,
                            int *from, Error *error)
{
  const AtomModelNames names = atom_model_names();
  TRY(structure_find(frame, path, names.n, names.symbol, structure, error));
  TRY_ELSE(check_contents(all, structure, path, error), structure_free(structure));
  for (int k = 0; k < all->ncount; k++) {
    const int group = group_of(all, k);
    const Molecule *of = &all->molecule[all->count[k].molecule];
    const int *atom = structure->atom + structure_first(structure, group) +
                      (ptrdiff_t)count_like(all, k, k) * (of->natom - of->nvirtual);
    for (int i = 0; i < of->natom * all->count[k].n; i++)
      *from++ = of->atom[i % of->natom].mass > 0.0 ? *atom++ : -1;
  }
  return STATUS_OK;
}

/* --- molecules of files ------- */

static Status wrong_name(const Simulation *s, const Frame *frame, const char *path, int at,
                         const Molecule *molecule, int64_t number, const MoleculesAtom *atom, Error *error)
{
  char line[32] = "";
  if (frame->lines[at] > 0)
    snprintf(line, sizeof line, ":%d", frame->lines[at]);
  return error_set(error, STATUS_INPUT,
                   "%s%s: atom %d is '%s', where %s has %s, of molecule %lld (%s); atoms must have the order "
                   "of the molecules file",
                   path, line, at + 1, frame->symbols[at], system_molecules(s)->source, atom->name,
                   (long long)number, molecule->name);
}

static Status check_names(const Simulation *s, const Frame *frame, const char *path, bool whole, Error *error)
{
  MoleculesWalk walk = {.all = system_molecules(s)->molecules};
  int atom = 0;
  int64_t number = 0;
  for (const Molecule *m; frame->has_symbols && (m = molecules_next(&walk)) != NULL;) {
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

static Status check_number(const Simulation *s, const Frame *frame, const char *path, bool *whole,
                           Error *error)
{
  int64_t atoms, massless;
  molecules_count_atoms(system_molecules(s)->molecules, &atoms, &massless);
  *whole = frame->natoms == atoms;
  if (*whole || frame->natoms == atoms - massless)
    return STATUS_OK;
  if (frame->natoms < atoms - massless)
    return error_set(error, STATUS_INPUT,
                     "%s has only %d of the %lld atoms that %s describes: energies and starts need all atoms "
                     "(output.xtc_atoms may have selected a part)%s",
                     path, frame->natoms, (long long)atoms, system_molecules(s)->source,
                     massless > 0 ? ", with or without virtual sites" : "");
  return error_set(error, STATUS_INPUT, "%s has %d atoms, but %s describes %lld%s", path, frame->natoms,
                   system_molecules(s)->source, (long long)atoms,
                   massless > 0 ? ", including virtual sites" : "");
}

static Status order_described(const Simulation *s, const Frame *frame, const char *path, int *from,
                              Error *error)
{
  MoleculesWalk walk = {.all = system_molecules(s)->molecules};
  bool whole;
  int next = 0;
  TRY(check_number(s, frame, path, &whole, error));
  TRY(check_names(s, frame, path, whole, error));
  for (const Molecule *m; (m = molecules_next(&walk)) != NULL;)
    for (int i = 0; i < m->natom; i++)
      *from++ = whole || m->atom[i].mass > 0.0 ? next++ : -1;
  return STATUS_OK;
}

static Status make_all_whole(const Molecules *all, const Box *box, double (*x)[3], Error *error)
{
  int most = 0;
  for (int i = 0; i < all->nmolecule; i++)
    most = all->molecule[i].natom > most ? all->molecule[i].natom : most;
  SCOPED(scoped_free) bool *placed = malloc((size_t)most + 1);
  TRY_MEMORY(placed != NULL, "positions", error);
  MoleculesWalk walk = {.all = all};
  for (const Molecule *m; (m = molecules_next(&walk)) != NULL; x += m->natom)
    molecules_make_whole(m->natom, m->nbond, m->bond, box, x, placed);
  return STATUS_OK;
}

/* --- all molecules ------- */

/* Also fills the structure, if its molecules are built in and named. */
static Status find_order(const Simulation *s, const Frame *frame, const char *path, Structure *structure,
                         int *from, Error *error)
{
  const Molecules *all = system_molecules(s)->molecules;
  return all->builtin && frame->has_symbols ? order_builtin(all, frame, path, structure, from, error)
                                            : order_described(s, frame, path, from, error);
}

Status system_frames_order(const Simulation *s, const Frame *frame, const char *path, int *from, Error *error)
{
  SCOPED(structure_free) Structure structure = {0};
  return find_order(s, frame, path, &structure, from, error);
}

/* Reads positions file[all atoms][3], initially zero, and velocities likewise or NULL. */
static Status read_atoms(const Simulation *s, const Frame *frame, const char *path, const Box *box,
                         double (*file)[3], double (*velocity)[3], Error *error)
{
  const Molecules *all = system_molecules(s)->molecules;
  int64_t n, massless;
  molecules_count_atoms(all, &n, &massless);
  SCOPED(structure_free) Structure structure = {0};
  SCOPED(scoped_free) int *from = calloc((size_t)n + 1, sizeof *from);
  TRY_MEMORY(from != NULL, "positions", error);
  TRY(find_order(s, frame, path, &structure, from, error));
  const double(*x)[3] = (const double(*)[3])(structure.x != NULL ? structure.x : frame->positions);
  for (int64_t k = 0; k < n; k++) {
    if (from[k] < 0)
      continue;
    memcpy(file[k], x[from[k]], sizeof *file);
    if (velocity != NULL)
      memcpy(velocity[k], frame->velocities[from[k]], sizeof *velocity);
  }
  return structure.x == NULL && box_periodic(box) ? make_all_whole(all, box, file, error) : STATUS_OK;
}

Status system_frames_atoms(const Simulation *s, Frame *frame, const char *path, double (*file)[3],
                           double (*velocity)[3], Box *box, Error *error)
{
  const Input *in = s->config->input;
  Error why;
  if (velocity != NULL && !frame->has_velocities)
    return input_error(in, KEY(thermostat_initial), error,
                       "%s has no velocities; wanted: a GRO or XYZ file with velocities, or initial: maxwell",
                       path);
  TRY(system_frames_box(s, frame, path, box, error));
  const Status status = read_atoms(s, frame, path, box, file, velocity, &why);
  return input_pass(in, KEY(system_file), status, &why, error);
}

Status system_frames_start(const Simulation *s, Frame *frame, const char *path, double *x, double *v,
                           Box *box, Error *error)
{
  const Groups *groups = system_molecules(s)->groups;
  const size_t size = groups_file_atoms(groups);
  SCOPED(scoped_free) double(*file)[3] = calloc(2 * size, sizeof *file);
  TRY_MEMORY(file != NULL, "positions", error);
  TRY(system_frames_atoms(s, frame, path, file, v != NULL ? file + size : NULL, box, error));
  groups_from_file(groups, (const double(*)[3])file, (double(*)[3])x);
  if (v != NULL)
    groups_from_file(groups, (const double(*)[3])file + size, (double(*)[3])v);
  return STATUS_OK;
}

Status system_frames_read(const Simulation *s, const Frame *frame, const char *path, const Box *box,
                          double *x, Error *error)
{
  const Groups *groups = system_molecules(s)->groups;
  SCOPED(scoped_free) double(*file)[3] = calloc(groups_file_atoms(groups), sizeof *file);
  TRY_MEMORY(file != NULL, "positions", error);
  TRY(read_atoms(s, frame, path, box, file, NULL, error));
  groups_from_file(groups, (const double(*)[3])file, (double(*)[3])x);
  return STATUS_OK;
}

/* --- names ------- */

/* Adds the names of a format, number `which`, to the labels of a built-in molecule. */
static Status add_names(LabelsSort *sort, const AtomNames *format, int which, Arena *arena, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  AtomResidue at = {0};
  TRY(frame_resize(&frame, sort->natom, error));
  for (int i = 0; i < sort->natom; i++)
    frame_name(frame.symbols[i], sort->atom[i].name, (int)strlen(sort->atom[i].name));
  for (int i = 0; i < sort->natom; i++) {
    char *const name = arena_take(arena, sizeof at.name, 1), *const residue =
                                                                 arena_take(arena, sizeof at.residue_name, 1);
    TRY(arena_check(arena, "names of atoms", error));
    atom_name_next(&at, &frame, i, format);
    memcpy(name, at.name, sizeof at.name);
    memcpy(residue, at.residue_name, sizeof at.residue_name);
    sort->atom[i].other_name[which] = name;
    sort->atom[i].other_residue[which] = residue;
  }
  return STATUS_OK;
}

Status system_frames_names(const Simulation *s, LabelsSort *sort, Arena *arena, Error *error)
{
  if (!system_molecules(s)->molecules->builtin)
    return STATUS_OK;
  TRY(add_names(sort, &atom_name_gro, 0, arena, error));
  return add_names(sort, &atom_name_pdb, 1, arena, error);
}

static Status add_all_names(const Simulation *s, Labels *labels, Error *error)
{
  for (int k = 0; k < labels->nsort; k++)
    TRY(system_frames_names(s, &labels->sort[k], &labels->arena, error));
  return STATUS_OK;
}

Status system_frames_labels(const Simulation *s, const Topology *topology, Labels *labels, Error *error)
{
  TRY(labels_create(labels, topology, system_molecules(s)->groups, error));
  TRY_ELSE(add_all_names(s, labels, error), labels_free(labels));
  return STATUS_OK;
}

/* Residues have the numbers of the file; molecules of one residue continue from the largest number so far. */
void system_frames_name(const Simulation *s, Frame *frame)
{
  MoleculesWalk walk = {.all = system_molecules(s)->molecules};
  int k = 0, last = 0;
  if (walk.all->builtin)
    return;
  for (const Molecule *m; (m = molecules_next(&walk)) != NULL;) {
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
