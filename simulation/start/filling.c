#include "simulation/start/filling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "io/atom_name.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/start/apart.h"
#include "simulation/start/lattice.h"
#include "topology/groups.h"

SCOPED_POINTER(Groups, groups_free)
SCOPED_POINTER(Topology, topology_free)
SCOPED_POINTER(State, state_free)

static const double apart = 0.4;    /* A: the smallest distance of two atoms in a molecule */
static const double touching = 1.6; /* A: atoms of two molecules are never closer */

/* --- files of coordinates ------- */

static const char *const suffixes[] = {".gro", ".pdb", ".xyz"};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

/* Returns folder[nfolder] + name[n] with the first suffix whose file exists; else NULL. */
static const char *with_suffix(Arena *arena, const char *folder, size_t nfolder, const char *name, size_t n)
{
  const size_t size = nfolder + n + sizeof ".gro";
  char *path = arena_take(arena, size, 1);
  for (int k = 0; k < SUFFIXES && path != NULL; k++) {
    (void)snprintf(path, size, "%.*s%.*s%s", (int)nfolder, folder, (int)n, name, suffixes[k]);
    if (file_lies(path))
      return path;
  }
  return NULL;
}

Status filling_find(const MoleculesPart *part, const char *also, Arena *arena, const char **path,
                    Error *error)
{
  const char *slash = strrchr(part->path, '/'), *name = slash != NULL ? slash + 1 : part->path;
  const char *dot = strrchr(name, '.');
  const size_t folder = (size_t)(name - part->path),
               stem = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
  *path = part->molecule != NULL
              ? with_suffix(arena, part->path, folder, part->molecule, strlen(part->molecule))
              : NULL;
  if (*path == NULL)
    *path = with_suffix(arena, part->path, folder, name, stem);
  TRY(arena_check(arena, "file names", error));
  if (*path != NULL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s: a file with the coordinates of one molecule is missing next to it (%.*s.gro, .pdb or "
                   ".xyz): provide it%s",
                   part->path, (int)(folder + stem), part->path, also);
}

/* --- one molecule ------- */

static Status take_atoms(const Molecule *m, const Frame *frame, const char *path, double (*x)[3],
                         Error *error)
{
  const bool whole = frame->natoms == m->natom;
  if (!whole && frame->natoms != m->natom - m->nvirtual)
    return error_set(error, STATUS_INPUT, "%s has %d atoms, but %s has %d%s: give one molecule", path,
                     frame->natoms, m->name, m->natom, m->nvirtual > 0 ? ", including virtual sites" : "");
  int at = 0;
  for (int i = 0; i < m->natom; i++) {
    const bool virtual = m->atom[i].mass == 0.0;
    if (virtual && !whole)
      continue;
    if (frame->has_symbols && !atom_name_fits(&m->atom[i], frame->symbols[at]))
      return error_set(error, STATUS_INPUT,
                       "%s: atom %d is '%s', where %s has %s: use the order of the molecules file", path,
                       at + 1, frame->symbols[at], m->name, m->atom[i].name);
    if (!virtual)
      memcpy(x[i], frame->positions[at], sizeof *x);
    at++;
  }
  return STATUS_OK;
}

static Status check_apart(const Molecule *m, const char *path, const double (*x)[3], Error *error)
{
  for (int i = 0; i < m->natom; i++)
    for (int k = 0; k < i; k++) {
      const double r = hypot(hypot(x[i][0] - x[k][0], x[i][1] - x[k][1]), x[i][2] - x[k][2]);
      if (m->atom[i].mass > 0.0 && m->atom[k].mass > 0.0 && !(r >= apart))
        return error_set(
            error, STATUS_INPUT,
            "%s: atoms %d and %d of %s are only %.3g A apart: check the coordinates and their unit", path,
            k + 1, i + 1, m->name, r);
    }
  return STATUS_OK;
}

Status filling_read(const Molecule *m, const char *path, double (*x)[3], Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  Box box;
  SCOPED(arena_free) Arena arena = {0};
  bool *placed = arena_take(&arena, (size_t)m->natom, sizeof *placed);
  TRY(arena_check(&arena, "coordinates", error));
  TRY(trajectory_read_first(path, &frame, error));
  TRY(take_atoms(m, &frame, path, x, error));
  if (frame.has_cell && box_set(&box, frame.cell, NULL) == STATUS_OK && box_periodic(&box))
    molecules_make_whole(m->natom, m->nbond, m->bond, &box, x, placed);
  return check_apart(m, path, (const double(*)[3])x, error);
}

/* --- all ------- */

/* Copies from[natom] to to[natom] with the centre of mass at 0, the centre of rotations. */
static void centre(const Molecule *m, const double (*from)[3], double (*to)[3])
{
  double mass = 0.0, at[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < m->natom; i++) {
    mass += m->atom[i].mass;
    for (int d = 0; d < 3; d++)
      at[d] += m->atom[i].mass * from[i][d];
  }
  for (int i = 0; i < m->natom; i++)
    for (int d = 0; d < 3; d++)
      to[i][d] = from[i][d] - at[d] / mass;
}

/* Groups with the file's constraints only, so that shapes do not change. */
static Status make_groups(Groups **groups, const Molecules *all, const double (*const *x)[3], Arena *arena,
                          Error *error)
{
  const size_t n = (size_t)all->nmolecule;
  GroupsKeep *keep = arena_take(arena, n, sizeof *keep); /* zero: GROUPS_NONE */
  const double(**shape)[3] = arena_take(arena, n, sizeof *shape);
  TRY(arena_check(arena, "molecules", error));
  for (size_t i = 0; i < n; i++) {
    double(*to)[3] = arena_take(arena, (size_t)all->molecule[i].natom, sizeof *to);
    TRY(arena_check(arena, "molecules", error));
    centre(&all->molecule[i], x[i], to);
    shape[i] = (const double(*)[3])to;
  }
  return groups_create(groups, all, keep, shape, error);
}

static Status choose_box(const Topology *topology, const Filling *f, Box *box, Error *error)
{
  *box = f->box;
  if (box_volume(box) > 0.0)
    return STATUS_OK;
  TRY(lattice_size(topology->nblock, topology->block, topology->lanes, f->density, box, error));
  *box = box_of_volume(f->shape, box_volume(box));
  return STATUS_OK;
}

Status filling_apart(const Topology *topology, const State *state, double (*x)[3], Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  int *first = arena_take(&arena, (size_t)topology->nmol + 1, sizeof *first), at = 0;
  double least;
  char words[BOX_WORDS];
  RandomStream stream = random_stream(state->seed, 1, RANDOM_START);
  TRY(arena_check(&arena, "molecules", error));
  for (int k = 0; k < topology->nsort; k++)
    for (int m = 0; m < topology->sort[k].nmol; m++, at++)
      first[at + 1] = first[at] + topology->sort[k].kind->nsite;
  TRY(apart_move(&state->box, topology->nmol, first, x, &stream, &least, error));
  if (least >= touching)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "in a box of %s, at %.4g g/cm3, molecules still overlap: atoms of two molecules are %.3g "
                   "A apart: lower the density, and compress the box by pressure (holonom build --pressure)",
                   box_words(&state->box, 6, words), lattice_density(state), least);
}

Status filling_place(const Molecules *molecules, const double (*const *x)[3], const Filling *filling,
                     Frame *frame, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  SCOPED(groups_free_at) Groups *groups = NULL;
  SCOPED(topology_free_at) Topology *topology = NULL;
  SCOPED(state_free_at) State *state = NULL;
  TRY(make_groups(&groups, molecules, x, &arena, error));
  TRY(groups_topology(groups, -1, &topology, error));
  TRY(topology_state(topology, 1, filling->seed, 0, &state, error));
  TRY(choose_box(topology, filling, &state->box, error));
  TRY(lattice_fill(topology, state, error));
  if (lattice_stays(topology))
    TRY(lattice_scatter(topology, state, error));
  TRY(structure_frame(topology, state, frame, error));
  frame->has_velocities = false;
  return filling_apart(topology, state, frame->positions, error);
}
