#include "forcefields/atoms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"

/* --- rows ----------------------------------------------------------------------------------------------- */

/* The lane of a row, through all blocks; *site: which of its atoms. */
static int lane_of(const Atoms *a, int row, int *block, int *site)
{
  int b = 0, lane = 0;
  for (; row >= a->first[b + 1]; b++)
    lane += a->topology->lanes[b];
  const int each = a->each[b] > 1 ? a->each[b] : 1; /* never 0, which the analyser does not know */
  *block = b;
  *site = (row - a->first[b]) % each;
  return lane + (row - a->first[b]) / each;
}

static int atom_of(const Topology *t, int lane, int site)
{
  return (int)(topology_place(t, lane, site) / (size_t)t->dim);
}

const char *atoms_words(const Atoms *a, int row, char words[ATOMS_WORDS])
{
  const Topology *const t = a->topology;
  int block, site, first = 0, k = 0;
  const int lane = lane_of(a, row, &block, &site), molecule = t->molecule[lane];
  for (; molecule >= t->sort[k].first + t->sort[k].nmol; k++)
    first += t->sort[k].nmol * t->sort[k].kind->nsite;
  const Kind *const kind = t->sort[k].kind;
  const int atom = (atom_of(t, lane, site) - first) % kind->nsite;
  if (atoms_are(a, block))
    snprintf(words, ATOMS_WORDS, "atom %d (%.32s) of molecule %d (%.40s)", atom + 1, kind->site[atom],
             molecule + 1, kind->name);
  else
    snprintf(words, ATOMS_WORDS, "molecule %d (%.40s)", molecule + 1, kind->name);
  return words;
}

bool atoms_excluded(const Atoms *a, int i, int j)
{
  for (int k = a->begin[i]; k < a->begin[i + 1] && a->partner[k] <= j; k++)
    if (a->partner[k] == j)
      return true;
  return false;
}

/* --- what is said of them ------------------------------------------------------------------------------- */

static Status check_shape(const AtomsInput *in, const State *shape, Error *error)
{
  const Topology *const t = in->topology;
  bool same = t->nblock == shape->nblock && t->dim == 3;
  for (int b = 0; b < shape->nblock && same; b++)
    same = t->block[b] == shape->block[b].kind && t->lanes[b] == shape->block[b].nlane;
  if (!same)
    return error_set(error, STATUS_INPUT,
                     "the atoms of a box are described for another topology than that of its state");
  if (in->water >= t->nblock || (in->water >= 0 && t->block[in->water]->nsite != 3))
    return error_set(error, STATUS_INPUT, "block %d, which the water of a model is to be, is no water",
                     in->water + 1);
  return STATUS_OK;
}

static Status check_types(const AtomsInput *in, Error *error)
{
  const int n = in->ntype;
  if (n < 1 || n > 32768 || (in->water >= 0 && (in->water_type < 0 || in->water_type >= n)))
    return error_set(error, STATUS_INPUT, "a table of %d types, of which that of the water is number %d", n,
                     in->water_type + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 2; k++) {
        const double own = in->lj[i * n + j][k], other = in->lj[j * n + i][k];
        if (!(own >= 0.0 && isfinite(own) && own == other))
          return error_set(error, STATUS_INPUT,
                           "Lennard-Jones between types %d and %d: %c is %g one way and %g the other; "
                           "positive numbers are wanted, alike",
                           i + 1, j + 1, "AC"[k], own, other);
      }
  return STATUS_OK;
}

static Status check_row(const Atoms *a, int row, Error *error)
{
  char words[ATOMS_WORDS];
  if (a->type[row] < 0 || a->type[row] >= a->ntype)
    return error_set(error, STATUS_INPUT, "%s has type %d; the table has types 1 to %d",
                     atoms_words(a, row, words), a->type[row] + 1, a->ntype);
  if (!isfinite(a->charge[row]))
    return error_set(error, STATUS_INPUT, "%s has a charge of %g e", atoms_words(a, row, words),
                     a->charge[row]);
  return STATUS_OK;
}

/* Rows of all blocks; row_of[natom]. */
static Status fill_rows(Atoms *a, const AtomsInput *in, int *row_of, Error *error)
{
  const Topology *const t = in->topology;
  for (int b = 0, lane = 0, row = 0; b < t->nblock; b++)
    for (int i = 0; i < t->lanes[b]; i++, lane++) {
      for (int s = 0; s < t->block[b]->nsite; s++)
        row_of[atom_of(t, lane, s)] = row + (s < a->each[b] ? s : 0);
      for (int s = 0; s < a->each[b]; s++, row++) {
        const bool own = atoms_are(a, b);
        const int atom = atom_of(t, lane, s);
        a->type[row] = own ? in->type[atom] : a->water_type;
        a->charge[row] = own ? in->charge[atom] : 0.0;
        a->root[row] = sqrt(UNITS_COULOMB) * a->charge[row];
        a->mass[row] = own ? t->block[b]->mass[s] : 0.0;
        TRY(check_row(a, row, error));
        a->number[a->type[row]] += 1.0;
      }
    }
  return STATUS_OK;
}

static Status check_excluded(const Atoms *a, const AtomsInput *in, const int *row_of, Error *error)
{
  for (int k = 0; k < in->nexcluded; k++) {
    const int *const p = in->excluded[k], *const last = k > 0 ? in->excluded[k - 1] : NULL;
    if (p[0] < 0 || p[1] >= in->topology->natom || p[0] >= p[1])
      return error_set(error, STATUS_INPUT,
                       "exclusion %d is of atoms %d and %d; two of the system's %d are wanted, the smaller "
                       "number first",
                       k + 1, p[0] + 1, p[1] + 1, in->topology->natom);
    if (last != NULL && (p[0] < last[0] || (p[0] == last[0] && p[1] <= last[1])))
      return error_set(error, STATUS_INPUT,
                       "exclusion %d, of atoms %d and %d, comes twice or after a later one", k + 1, p[0] + 1,
                       p[1] + 1);
    for (int s = 0; s < 2; s++) {
      char words[ATOMS_WORDS];
      int block, site;
      (void)lane_of(a, row_of[p[s]], &block, &site);
      if (!atoms_are(a, block))
        return error_set(error, STATUS_INPUT, "exclusion %d is of an atom of %s, a water of a model", k + 1,
                         atoms_words(a, row_of[p[s]], words));
    }
  }
  return STATUS_OK;
}

static int rising(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Both ways. */
static void fill_excluded(Atoms *a, const AtomsInput *in, const int *row_of)
{
  for (int k = 0; k < 2 * in->nexcluded; k++)
    a->begin[row_of[in->excluded[k / 2][k % 2]] + 1]++;
  for (int i = 0; i < a->nrow; i++)
    a->begin[i + 1] += a->begin[i];
  for (int k = 0; k < 2 * in->nexcluded; k++) /* begin moves on to the end, */
    a->partner[a->begin[row_of[in->excluded[k / 2][k % 2]]]++] = row_of[in->excluded[k / 2][1 - k % 2]];
  for (int i = a->nrow; i > 0; i--) /* and back */
    a->begin[i] = a->begin[i - 1];
  a->begin[0] = 0;
  for (int i = 0; i < a->nrow; i++)
    qsort(a->partner + a->begin[i], (size_t)(a->begin[i + 1] - a->begin[i]), sizeof *a->partner, rising);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status allocate(Atoms *a, Error *error)
{
  const size_t n = (size_t)a->nrow + 1, types = (size_t)a->ntype * (size_t)a->ntype;
  a->lj = malloc(types * sizeof *a->lj);
  a->number = calloc((size_t)a->ntype, sizeof *a->number);
  a->type = malloc(n * sizeof *a->type);
  a->charge = malloc(n * sizeof *a->charge);
  a->root = malloc(n * sizeof *a->root);
  a->mass = malloc(n * sizeof *a->mass);
  a->begin = calloc(n, sizeof *a->begin);
  a->partner = malloc((2 * (size_t)a->nexcluded + 1) * sizeof *a->partner);
  TRY_MEMORY(a->lj != NULL && a->number != NULL && a->type != NULL && a->charge != NULL && a->root != NULL &&
                 a->mass != NULL && a->begin != NULL && a->partner != NULL,
             "the atoms of a box", error);
  return STATUS_OK;
}

static Status fill(Atoms *a, const AtomsInput *in, const State *shape, Error *error)
{
  const Topology *const t = in->topology;
  TRY(check_shape(in, shape, error));
  TRY(check_types(in, error));
  *a = (Atoms){.topology = t,
               .water = in->water,
               .water_type = in->water_type,
               .ntype = in->ntype,
               .nexcluded = in->nexcluded > 0 ? in->nexcluded : 0};
  a->first = calloc((size_t)t->nblock + 1, sizeof *a->first);
  a->each = calloc((size_t)t->nblock, sizeof *a->each);
  TRY_MEMORY(a->first != NULL && a->each != NULL, "the atoms of a box", error);
  for (int b = 0; b < t->nblock; b++) {
    a->each[b] = atoms_are(a, b) ? t->block[b]->nsite : 1;
    if ((int64_t)a->nrow + (int64_t)t->lanes[b] * a->each[b] > STATE_MOLECULES)
      return error_set(error, STATUS_INPUT, "too many atoms in a box: at most %d", STATE_MOLECULES);
    a->first[b + 1] = a->nrow += t->lanes[b] * a->each[b];
  }
  TRY(allocate(a, error));
  memcpy(a->lj, in->lj, (size_t)in->ntype * (size_t)in->ntype * sizeof *a->lj);
  SCOPED(scoped_free) int *row_of = malloc((size_t)t->natom * sizeof *row_of);
  TRY_MEMORY(row_of != NULL, "the atoms of a box", error);
  TRY(fill_rows(a, in, row_of, error));
  TRY(check_excluded(a, in, row_of, error));
  fill_excluded(a, in, row_of);
  return STATUS_OK;
}

Status atoms_create(Atoms **atoms, const AtomsInput *in, const State *shape, Error *error)
{
  *atoms = NULL;
  Atoms *a = calloc(1, sizeof *a);
  TRY_MEMORY(a != NULL, "the atoms of a box", error);
  TRY_ELSE(fill(a, in, shape, error), atoms_free(a));
  *atoms = a;
  return STATUS_OK;
}

void atoms_free(Atoms *a)
{
  if (a == NULL)
    return;
  free(a->first);
  free(a->each);
  free(a->lj);
  free(a->number);
  free(a->type);
  free(a->charge);
  free(a->root);
  free(a->mass);
  free(a->begin);
  free(a->partner);
  free(a);
}
