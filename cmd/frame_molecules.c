#include "cmd/frame_molecules.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "base/text.h"
#include "cmd/trial.h"
#include "io/structure.h"
#include "io/trajectory.h"

Status frame_molecules_read_names(const char *path, Frame *names, Error *error)
{
  TRY(trial_of(path, error));
  TRY(trajectory_read_first(path, names, error));
  return names->has_symbols ? STATUS_OK : error_set(error, STATUS_INPUT, "%s has no names of atoms", path);
}

Status frame_molecules_names(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                             Error *error)
{
  static const char *const pattern[3] = {"O", "H", "H"};
  if (frame->has_symbols)
    return STATUS_OK;
  if (names != NULL && names->natoms != frame->natoms)
    return error_set(error, STATUS_INPUT, "--names has %d atoms, %s has %d", names->natoms, path,
                     frame->natoms);
  if (names == NULL && (model == NULL || frame->natoms % 3 != 0))
    return error_set(error, STATUS_INPUT,
                     "%s has no names of atoms, and %s; give a structure file of the same atoms with --names",
                     path,
                     model == NULL ? "no water --model is given" : "their number is not a multiple of 3");
  for (int i = 0; i < frame->natoms; i++) {
    strcpy(frame->symbols[i], names != NULL ? names->symbols[i] : pattern[i % 3]);
    strcpy(frame->residues[i], names != NULL ? names->residues[i] : "");
  }
  frame->has_symbols = true;
  return STATUS_OK;
}

void frame_molecules_free(FrameMolecules *m)
{
  particles_free(&m->particles);
  atoms_free(m->atoms);
  topology_free(m->topology);
  state_free(m->state);
  frame_molecules_kinds_free(&m->kinds);
  free(m->x);
  free(m->rank);
  *m = (FrameMolecules){0};
}

static Status no_parameters(const char *path, const AtomModelNames *names, int wanted,
                            const WaterModel *model, Error *error)
{
  const char *water = model != NULL ? model->name : NULL;
  char known[256] = "";
  for (int i = 0; i < names->n; i++)
    if (atom_model_find(names->name[i], water) != NULL)
      text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", names->name[i]);
  return error_set(error, STATUS_INPUT, "%s: '%s' has no parameters %s%s; species with parameters: %s", path,
                   names->name[wanted], model != NULL ? "for " : "without a water --model",
                   model != NULL ? water : "", known);
}

Status frame_molecules_kinds_find(FrameMoleculesKinds *k, const Structure *structure, const char *path,
                                  const WaterModel *model, Error *error)
{
  const AtomModelNames names = atom_model_names();
  *k = (FrameMoleculesKinds){0};
  for (int g = 0; g < structure->ngroup; g++) {
    if (structure->group[g].nmol == 0)
      continue;
    if (g == 0 && model == NULL)
      return error_set(error, STATUS_INPUT, "%s contains water: give its --model", path);
    const AtomModel *species =
        g > 0 ? atom_model_find(names.name[g - 1], model != NULL ? model->name : NULL) : NULL;
    if (g > 0 && species == NULL)
      return no_parameters(path, &names, g - 1, model, error);
    TRY(g == 0 ? water_kind(model, WATER_MASS_O, WATER_MASS_H, &k->kind[k->n], error)
               : atom_model_kind(species, &k->kind[k->n], error));
    k->map[k->n] = g == 0 ? water_site_map(model) : atom_model_site_map(species);
    k->group[k->n++] = g;
  }
  return STATUS_OK;
}

void frame_molecules_kinds_free(FrameMoleculesKinds *k)
{
  for (int b = 0; b < k->n; b++)
    kind_free(k->kind[b]);
  *k = (FrameMoleculesKinds){0};
}

/* Sets rank[k] of atom k, which is atom[k] of the frame. */
static Status rank_atoms(int natom, const int *atom, int of_frame, int *rank, Error *error)
{
  SCOPED(scoped_free) int *at = calloc((size_t)of_frame + 1, sizeof *at);
  if (at == NULL)
    return error_memory(error, "the order of a file's atoms");
  for (int k = 0; k < natom; k++)
    at[atom[k]] = k + 1;
  for (int i = 0, n = 0; i < of_frame; i++)
    if (at[i] > 0)
      rank[at[i] - 1] = n++;
  return STATUS_OK;
}

/* Describes the single atoms of the state, if any, and all interactions. */
static Status describe(FrameMolecules *m, const WaterModel *model, Error *error)
{
  const FrameMoleculesKinds *k = &m->kinds;
  const bool water = k->n > 0 && k->group[0] == 0;
  SCOPED(arena_free) Arena arena = {0};
  AtomsInput input;
  TRY(topology_of_state(&m->topology, m->state, error));
  TRY(atom_model_input(&input, m->topology, k->map, water, &arena, error));
  if (k->n > water)
    TRY(atoms_create(&m->atoms, &input, m->state, error));
  return particles_make(&m->particles, model, m->atoms, m->state, error);
}

static Status take(FrameMolecules *m, const Frame *frame, const char *path, const Structure *structure,
                   const WaterModel *model, const Box *box, Error *error)
{
  const FrameMoleculesKinds *k = &m->kinds;
  int nmol[FRAME_MOLECULES_KINDS];
  TRY(frame_molecules_kinds_find(&m->kinds, structure, path, model, error));
  for (int b = 0; b < k->n; b++)
    nmol[b] = structure->group[k->group[b]].nmol;
  TRY(state_create(&m->state, 1, k->n, (const Kind *const *)k->kind, nmol, 1, 0, error));
  m->state->box = *box;
  m->natom = (int)(state_coordinates(m->state) / 3);
  m->x = malloc(3 * ((size_t)m->natom + 1) * sizeof *m->x);
  m->rank = malloc(((size_t)m->natom + 1) * sizeof *m->rank);
  if (m->x == NULL || m->rank == NULL)
    return error_memory(error, "the atoms of a configuration");
  /* Groups of the structure and blocks of the state are in the same order. */
  memcpy(m->x, structure->group[0].x, 3 * (size_t)m->natom * sizeof *m->x);
  state_set_all(m->state, STATE_POSITIONS, 0, m->x);
  TRY(rank_atoms(m->natom, structure->group[0].atom, frame->natoms, m->rank, error));
  return describe(m, model, error);
}

Status frame_molecules_make(FrameMolecules *m, const Frame *frame, const char *path, const WaterModel *model,
                            const Box *box, Error *error)
{
  *m = (FrameMolecules){0};
  const AtomModelNames names = atom_model_names();
  SCOPED(structure_free) Structure structure = {0};
  TRY(structure_cluster(frame, path, names.n, names.symbol, &structure, error));
  const Status status = take(m, frame, path, &structure, model, box, error);
  if (status != STATUS_OK)
    frame_molecules_free(m);
  return status;
}

Status frame_molecules_frame(const FrameMolecules *m, const double *f, Frame *frame, Error *error)
{
  TRY(frame_resize(frame, m->natom, error));
  frame->has_symbols = frame->has_forces = true;
  int at = 0;
  for (int b = 0; b < m->state->nblock; b++) {
    const Kind *kind = m->kinds.kind[b];
    for (int k = 0; k < m->state->block[b].nlane * kind->nsite; k++, at++) {
      const char *symbol = kind->site[k % kind->nsite];
      const int to = m->rank[at];
      memcpy(frame->positions[to], m->x + 3 * (size_t)at, sizeof *frame->positions);
      memcpy(frame->forces[to], f + 3 * (size_t)at, sizeof *frame->forces);
      frame_name(frame->symbols[to], symbol, (int)strlen(symbol));
    }
  }
  return STATUS_OK;
}
