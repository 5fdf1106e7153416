#include "io/structure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double longest = 2.0, shortest = 0.5; /* angstrom: what can still be an O-H bond */

typedef enum SiteRole { SITE_OXYGEN, SITE_HYDROGEN, SITE_MASSLESS, SITE_NUMBER, SITE_OTHER } SiteRole;

/* By the name without digits at its ends: OW1, OH2 (CHARMM), 1HW, H2, MW. */
static SiteRole role_of(const char *name)
{
  static const struct {
    const char *stem;
    SiteRole role;
  } stems[] = {{"O", SITE_OXYGEN},    {"OW", SITE_OXYGEN},   {"OH", SITE_OXYGEN},   {"OT", SITE_OXYGEN},
               {"H", SITE_HYDROGEN},  {"HW", SITE_HYDROGEN}, {"HT", SITE_HYDROGEN}, {"M", SITE_MASSLESS},
               {"MW", SITE_MASSLESS}, {"X", SITE_MASSLESS},  {"EP", SITE_MASSLESS}, {"EPW", SITE_MASSLESS},
               {"LP", SITE_MASSLESS}, {"IW", SITE_MASSLESS}, {"DU", SITE_MASSLESS}};
  char stem[FRAME_NAME];
  while (isdigit((unsigned char)*name))
    name++;
  size_t length = strlen(name);
  while (length > 0 && isdigit((unsigned char)name[length - 1]))
    length--;
  if (length == 0)
    return SITE_NUMBER;
  for (size_t i = 0; i < length; i++)
    stem[i] = (char)toupper((unsigned char)name[i]);
  stem[length] = '\0';
  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
    if (strcmp(stems[i].stem, stem) == 0)
      return stems[i].role;
  return SITE_OTHER;
}

/* "atom 17 (line 19), 'NA' of residue 'NA'" */
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

static Status reject(const Frame *frame, const char *path, int atom, int site, int molecule, SiteRole role,
                     Error *error)
{
  char text[128];
  describe(frame, atom, text);
  if (role == SITE_NUMBER)
    return error_set(error, STATUS_INPUT,
                     "%s: %s: a number, where an element is expected; write O and H instead of atom types",
                     path, text);
  return error_set(error, STATUS_INPUT,
                   "%s: %s stands where %s of water %d is expected: only water can be read, every molecule "
                   "in the order O H H (massless charge sites are left out); %s",
                   path, text,
                   site == 0   ? "the oxygen"
                   : site == 1 ? "the first hydrogen"
                               : "the second hydrogen",
                   molecule + 1,
                   role == SITE_OTHER ? "remove other residues" : "put the atoms in this order");
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

/* Moves x by box vectors so that it lies next to `centre`: exact for distances of bonds. */
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

static Status check_bonds(const Frame *frame, const char *path, double (*x)[3], int molecule, int last,
                          Error *error)
{
  for (int site = 1; site < 3; site++) {
    double square = 0.0;
    for (int d = 0; d < 3; d++)
      square += (x[site][d] - x[0][d]) * (x[site][d] - x[0][d]);
    const double distance = sqrt(square);
    if (distance >= shortest && distance <= longest)
      continue;
    char text[128];
    return error_set(error, STATUS_INPUT,
                     "%s: water %d, which ends with %s: the distance from O to hydrogen %d is %g A, which is "
                     "no bond (%g to %g A)%s",
                     path, molecule + 1, describe(frame, last, text), site, distance, shortest, longest,
                     distance < shortest ? "; are the coordinates in nm?" : "");
  }
  return STATUS_OK;
}

static Status fill_waters(const Frame *frame, const char *path, double (*x)[3][3], int *nmol, Error *error)
{
  double inverse[3][3];
  if (frame->has_cell)
    invert_cell(frame->cell, inverse);
  int site = 0, molecule = 0;
  for (int i = 0; i < frame->natoms; i++) {
    const SiteRole role = role_of(frame->symbols[i]);
    if (role == SITE_MASSLESS)
      continue;
    if (role != (site == 0 ? SITE_OXYGEN : SITE_HYDROGEN))
      return reject(frame, path, i, site, molecule, role, error);
    double *here = x[molecule][site];
    for (int d = 0; d < 3; d++) {
      here[d] = frame->positions[i][d];
      char text[128];
      if (!isfinite(here[d]))
        return error_set(error, STATUS_INPUT, "%s: %s: coordinate %c is %g", path, describe(frame, i, text),
                         "xyz"[d], here[d]);
    }
    if (site > 0 && frame->has_cell)
      bring_next_to(frame->cell, (const double(*)[3])inverse, x[molecule][0], here);
    if (++site < 3)
      continue;
    const Status status = check_bonds(frame, path, x[molecule], molecule, i, error);
    if (status != STATUS_OK)
      return status;
    site = 0;
    molecule++;
  }
  *nmol = molecule;
  if (site != 0 || molecule == 0)
    return error_set(error, STATUS_INPUT, "%s: %s %d has %d of its 3 atoms (O H H) when the atoms end", path,
                     "water", molecule + 1, site);
  return STATUS_OK;
}

Status structure_waters(const Frame *frame, const char *path, double (**x)[3][3], int *nmol, Error *error)
{
  *x = NULL;
  *nmol = 0;
  if (!frame->has_symbols)
    return error_set(
        error, STATUS_INPUT,
        "%s: has no atom names, so that nothing says what its atoms are; give an XYZ, GRO or PDB "
        "file",
        path);
  double(*sites)[3][3] = malloc(((size_t)frame->natoms / 3 + 1) * sizeof *sites);
  if (sites == NULL)
    return error_memory(error, "the molecules of a structure");
  const Status status = fill_waters(frame, path, sites, nmol, error);
  if (status != STATUS_OK) {
    free(sites);
    return status;
  }
  *x = sites;
  return STATUS_OK;
}

static Status check_pattern(const Frame *frame, int sites, Error *error)
{
  if (sites > 0 && frame->natoms % sites != 0)
    return error_set(error, STATUS_INPUT, "%d atoms are no multiple of %d sites per molecule", frame->natoms,
                     sites);
  if (sites <= 0 && !frame->has_symbols)
    return error_set(error, STATUS_INPUT,
                     "the file names no atoms (DCD never does): give the number of sites per molecule, or a "
                     "structure file (XYZ, GRO, PDB) with the same atoms");
  return STATUS_OK;
}

Status structure_oxygens(const Frame *frame, int sites, int **index, int *n, Error *error)
{
  *index = NULL;
  *n = 0;
  const Status status = check_pattern(frame, sites, error);
  if (status != STATUS_OK)
    return status;
  int *found = malloc(((size_t)frame->natoms + 1) * sizeof *found);
  if (found == NULL)
    return error_memory(error, "the list of oxygens");
  int count = 0;
  for (int i = 0; i < frame->natoms; i++)
    if (sites > 0 ? i % sites == 0 : role_of(frame->symbols[i]) == SITE_OXYGEN)
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
