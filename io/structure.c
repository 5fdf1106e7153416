#include "io/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "io/atom_name.h"

static const double longest = 2.0, shortest = 0.5; /* angstrom: limits of an O-H bond */

/* Describes an atom: "atom 17 (line 19), 'NA' of residue 'NA'". */
static const char *describe(const Frame *frame, int atom, char text[128])
{
  int used = snprintf(text, 128, "atom %d", atom + 1);
  if (frame->lines[atom] > 0)
    used += snprintf(text + used, 128 - (size_t)used, " (line %d)", frame->lines[atom]);
  used += snprintf(text + used, 128 - (size_t)used, ", '%s'", frame->symbols[atom]);
  if (frame->residues[atom][0] != '\0')
    snprintf(text + used, 128 - (size_t)used, " of residue '%s'", frame->residues[atom]);
  return text;
}

/* The molecules that a file may have: waters, and atoms of these species. */
typedef struct Known {
  const char *path;
  int nspecies;
  const char *const *species;
} Known;

/* The species of an atom, or -1. */
static int species_of(const Frame *frame, int atom, const Known *known)
{
  for (int s = 0; s < known->nspecies; s++)
    if (atom_name_same_element(frame->symbols[atom], known->species[s]) &&
        (atom_name_any_residue(frame->residues[atom]) ||
         atom_name_same_element(frame->residues[atom], known->species[s])))
      return s;
  return -1;
}

static Status reject_unknown(const Known *known, const char *atom, Error *error)
{
  char names[256] = "";
  size_t used = 0;
  for (int s = 0; s < known->nspecies && used < sizeof names; s++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", s > 0 ? ", " : "", known->species[s]);
  return error_set(error, STATUS_INPUT,
                   "%s: %s is neither in a water (O H H in this order, massless charge sites are left out) "
                   "nor one of the known single atoms (%s); other molecules need an input file with "
                   "system.topology ('holonom help import')",
                   known->path, atom, names);
}

static Status reject(const Frame *frame, const Known *known, int atom, int site, int molecule, AtomRole role,
                     Error *error)
{
  char text[128];
  describe(frame, atom, text);
  if (role == ATOM_NUMBER)
    return error_set(error, STATUS_INPUT,
                     "%s: %s: a number instead of an element; write O and H instead of atom types",
                     known->path, text);
  if (role == ATOM_OTHER && known->nspecies > 0 && species_of(frame, atom, known) < 0)
    return reject_unknown(known, text, error);
  return error_set(error, STATUS_INPUT,
                   "%s: %s is found where %s of water %d is expected: only water%s can be read, every "
                   "molecule in the order O H H (massless charge sites are left out); %s",
                   known->path, text,
                   site == 0   ? "the oxygen"
                   : site == 1 ? "the first hydrogen"
                               : "the second hydrogen",
                   molecule + 1, known->nspecies > 0 ? " and single atoms" : "",
                   role == ATOM_OTHER && known->nspecies == 0 ? "remove other residues"
                                                              : "put the atoms in this order");
}

/* Rows of inverse: fractional coordinates are s[k] = inverse[k] . x for x = sum of s[k] cell[k]. */
static void invert_cell(const double cell[3][3], double inverse[3][3])
{
  double volume = 0.0;
  for (int k = 0; k < 3; k++) {
    const double *b = cell[(k + 1) % 3], *c = cell[(k + 2) % 3];
    for (int d = 0; d < 3; d++)
      inverse[k][d] = b[(d + 1) % 3] * c[(d + 2) % 3] - b[(d + 2) % 3] * c[(d + 1) % 3];
  }
  for (int d = 0; d < 3; d++)
    volume += cell[0][d] * inverse[0][d];
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 3; d++)
      inverse[k][d] /= volume;
}

/* Moves x by box vectors next to `centre`: exact for bond lengths. */
static void bring_next_to(const double cell[3][3], const double inverse[3][3], const double centre[3],
                          double x[3])
{
  double shift[3];
  for (int k = 0; k < 3; k++) {
    shift[k] = 0.0;
    for (int d = 0; d < 3; d++)
      shift[k] += inverse[k][d] * (x[d] - centre[d]);
    shift[k] = rint(shift[k]);
  }
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 3; d++)
      x[d] -= shift[k] * cell[k][d];
}

static Status check_bonds(const Frame *frame, const char *path, double (*x)[3], const int atom[3],
                          int molecule, Error *error)
{
  for (int site = 1; site < 3; site++) {
    const double *const o = x[atom[0]], *const h = x[atom[site]];
    double square = 0.0;
    for (int d = 0; d < 3; d++)
      square += (h[d] - o[d]) * (h[d] - o[d]);
    const double distance = sqrt(square);
    if (distance >= shortest && distance <= longest)
      continue;
    char text[128];
    return error_set(error, STATUS_INPUT,
                     "%s: water %d, which ends with %s: the distance from O to hydrogen %d is %g A, which is "
                     "not a bond (%g to %g A)%s",
                     path, molecule + 1, describe(frame, atom[2], text), site, distance, shortest, longest,
                     distance < shortest ? "; are the coordinates in nm?" : "");
  }
  return STATUS_OK;
}

/* --- molecules --------------------------------------------------------------------------------------------
 */

enum { GROUP_NONE = -1, GROUP_WATER = 0 };

/* Sets group[atom] to 0 for water, 1 + s for species s, and counts the molecules of each. */
static Status sort_atoms(const Frame *frame, const Known *known, int *group, int *nmol, Error *error)
{
  int site = 0;
  for (int i = 0; i < frame->natoms; i++) {
    const AtomRole role = atom_name_role(frame->symbols[i]);
    group[i] = GROUP_NONE;
    if (role == ATOM_MASSLESS)
      continue;
    for (int d = 0; d < 3; d++) {
      char text[128];
      if (!isfinite(frame->positions[i][d]))
        return error_set(error, STATUS_INPUT, "%s: %s: coordinate %c is %g", known->path,
                         describe(frame, i, text), "xyz"[d], frame -> positions[i][d]);
    }
    const int species = role == ATOM_OTHER && site == 0 ? species_of(frame, i, known) : -1;
    group[i] = species >= 0 ? 1 + species : GROUP_WATER;
    if (species < 0) {
      if (role != (site == 0 ? ATOM_OXYGEN : ATOM_HYDROGEN))
        return reject(frame, known, i, site, nmol[GROUP_WATER], role, error);
      site = (site + 1) % 3;
    }
    nmol[group[i]] += site == 0;
  }
  if (site != 0)
    return error_set(error, STATUS_INPUT, "%s: water %d, the last one, has only %d of its 3 atoms (O H H)",
                     known->path, nmol[GROUP_WATER] + 1, site);
  return STATUS_OK;
}

int structure_first(const Structure *structure, int group)
{
  int first = group > GROUP_WATER ? 3 * structure->nmol[GROUP_WATER] : 0;
  for (int g = 1; g < group; g++)
    first += structure->nmol[g];
  return first;
}

/* Lists the atoms of each group, and makes waters whole. */
static Status list_groups(const Frame *frame, const Known *known, const int *group,
                          const Structure *structure, Error *error)
{
  double inverse[3][3], (*const x)[3] = structure->x;
  if (frame->has_cell)
    invert_cell(frame->cell, inverse);
  int next[1 + STRUCTURE_SPECIES];
  for (int g = 0; g <= structure->nspecies; g++)
    next[g] = structure_first(structure, g);
  for (int i = 0; i < frame->natoms; i++) {
    memcpy(x[i], frame->positions[i], sizeof x[i]);
    if (group[i] == GROUP_NONE)
      continue;
    const int at = next[group[i]]++, site = group[i] == GROUP_WATER ? at % 3 : 0;
    structure->atom[at] = i;
    if (site > 0 && frame->has_cell)
      bring_next_to(frame->cell, (const double(*)[3])inverse, x[structure->atom[at - site]], x[i]);
    if (site == 2)
      TRY(check_bonds(frame, known->path, x, structure->atom + at - 2, at / 3, error));
  }
  return STATUS_OK;
}

static Status find(const Frame *frame, const Known *known, Structure *structure, Error *error)
{
  if (!frame->has_symbols)
    return error_set(error, STATUS_INPUT, "%s: has no names of atoms; use an XYZ, GRO or PDB file",
                     known->path);
  SCOPED(scoped_free) int *group = malloc((size_t)frame->natoms * sizeof *group);
  TRY_MEMORY(group != NULL, "the molecules of a structure", error);
  TRY(sort_atoms(frame, known, group, structure->nmol, error));
  for (int i = 0; i < frame->natoms; i++)
    structure->natom += group[i] != GROUP_NONE;
  if (structure->natom == 0)
    return error_set(error, STATUS_INPUT, "%s: has massless sites only, no %s", known->path,
                     known->nspecies > 0 ? "molecule" : "water");
  structure->atom = malloc((size_t)structure->natom * sizeof *structure->atom);
  structure->x = malloc((size_t)frame->natoms * sizeof *structure->x);
  TRY_MEMORY(structure->atom != NULL && structure->x != NULL, "the molecules of a structure", error);
  return list_groups(frame, known, group, structure, error);
}

Status structure_find(const Frame *frame, const char *path, int nspecies, const char *const *species,
                      Structure *structure, Error *error)
{
  *structure = (Structure){.nspecies = nspecies};
  if (nspecies > STRUCTURE_SPECIES)
    return error_set(error, STATUS_INPUT, "%d species are given; at most %d are allowed", nspecies,
                     STRUCTURE_SPECIES);
  const Known known = {path, nspecies, species};
  TRY_ELSE(find(frame, &known, structure, error), structure_free(structure));
  return STATUS_OK;
}

void structure_free(Structure *structure)
{
  free(structure->atom);
  free(structure->x);
  *structure = (Structure){0};
}

Status structure_box(const Frame *frame, const char *path, Box *box, Error *error)
{
  *box = (Box){0};
  if (!frame->has_cell)
    return error_set(error, STATUS_INPUT,
                     "%s: has no periodic box (zeros in a GRO file mean none, as do an XYZ file without "
                     "Lattice and a PDB file without CRYST1)",
                     path);
  const Status status = box_set(box, (const double(*)[3])frame->cell, error);
  return status == STATUS_OK ? STATUS_OK : (error_prefix(error, "%s", path), status);
}

void structure_set_box(const Box *box, Frame *frame)
{
  frame->has_cell = box_periodic(box) != 0;
  memcpy(frame->cell, box->h, sizeof frame->cell);
}

static void name_atoms(const TopologySort *sort, Frame *frame, int at)
{
  for (int i = 0; i < sort->nmol * sort->kind->nsite; i++, at++) {
    const int site = i % sort->kind->nsite;
    const char *symbol = sort->kind->site[site];
    frame->masses[at] = sort->kind->mass[site];
    frame_name(frame->symbols[at], symbol, (int)strlen(symbol));
    frame->molecules[at] = sort->first + i / sort->kind->nsite + 1;
  }
}

Status structure_shape(const Topology *topology, const Box *box, Frame *frame, Error *error)
{
  TRY(frame_resize(frame, topology->natom, error));
  int at = 0;
  for (int k = 0; k < topology->nsort; k++) {
    name_atoms(&topology->sort[k], frame, at);
    at += topology->sort[k].nmol * topology->sort[k].kind->nsite;
  }
  frame->has_symbols = frame->has_masses = true;
  structure_set_box(box, frame);
  return STATUS_OK;
}

/* Converts velocities from A per AKMA time to A/ps. */
static void finish_frame(const Topology *topology, const Box *box, Frame *frame)
{
  static const double per_ps = 1e3 / UNITS_AKMA_FS;
  for (int i = 0; i < 3 * frame->natoms && frame->has_velocities; i++)
    frame->velocities[i / 3][i % 3] *= per_ps;
  if (box != NULL && frame->has_cell)
    topology_wrap(topology, box, &frame->positions[0][0]);
}

void structure_fill(const Topology *topology, const Box *box, const double *x, const double *v, Frame *frame)
{
  const size_t size = (size_t)frame->natoms * sizeof *frame->positions;
  memcpy(frame->positions, x, size);
  frame->has_velocities = v != NULL;
  if (v != NULL)
    memcpy(frame->velocities, v, size);
  finish_frame(topology, box, frame);
}

Status structure_frame(const Topology *topology, const State *state, Frame *frame, Error *error)
{
  TRY(structure_shape(topology, &state->box, frame, error));
  topology_get(topology, state, STATE_POSITIONS, 0, &frame->positions[0][0]);
  topology_get(topology, state, STATE_VELOCITIES, 0, &frame->velocities[0][0]);
  frame->has_velocities = true;
  finish_frame(topology, &state->box, frame);
  return STATUS_OK;
}

static Status check_pattern(const Frame *frame, int sites, Error *error)
{
  if (sites > 0 && frame->natoms % sites != 0)
    return error_set(error, STATUS_INPUT, "%d atoms are not a multiple of %d sites per molecule",
                     frame->natoms, sites);
  if (sites <= 0 && !frame->has_symbols)
    return error_set(error, STATUS_INPUT,
                     "the file has no names of atoms (DCD and XTC never have): give the number of sites per "
                     "molecule, or a structure file (XYZ, GRO, PDB) with the same atoms");
  return STATUS_OK;
}

Status structure_oxygens(const Frame *frame, int sites, int **index, int *n, Error *error)
{
  *index = NULL;
  *n = 0;
  TRY(check_pattern(frame, sites, error));
  int *found = malloc(((size_t)frame->natoms + 1) * sizeof *found);
  if (found == NULL)
    return error_memory(error, "the list of oxygens");
  int count = 0;
  for (int i = 0; i < frame->natoms; i++)
    if (sites > 0 ? i % sites == 0 : atom_name_role(frame->symbols[i]) == ATOM_OXYGEN)
      found[count++] = i;
  if (count == 0) {
    free(found);
    return error_set(error, STATUS_INPUT, "none of the %d atoms is an oxygen (O, OW, OH2); the first is '%s'",
                     frame->natoms, frame->natoms > 0 ? frame->symbols[0] : "");
  }
  *index = found;
  *n = count;
  return STATUS_OK;
}
