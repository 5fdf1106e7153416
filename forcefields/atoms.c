#include "forcefields/atoms.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"

/* --- rows ----------------------------------------------------------------------------------------------- */

/* The lane of a row, counted through all blocks; *site: the atom in it. */
static int lane_of(const Atoms *a, int row, int *block, int *site)
{
  int b = 0, lane = 0;
  for (; row >= a->first[b + 1]; b++)
    lane += a->topology->lanes[b];
  const int each = a->each[b] > 1 ? a->each[b] : 1; /* never 0; for the analyser */
  *block = b;
  *site = (row - a->first[b]) % each;
  return lane + (row - a->first[b]) / each;
}

/* Row of a site of molecule m of a molecule type. */
static int row_of(const Atoms *a, const TopologySort *sort, int m, int site)
{
  const TopologyGroup *const group = &sort->group[sort->atom[site].group];
  return a->first[group->block] + (group->first + m * group->step) * a->each[group->block] +
         sort->atom[site].site;
}

static const char *name_of(const TopologySort *sort, int site)
{
  return site < sort->kind->nsite ? sort->kind->site[site] : sort->virtual_name[site - sort->kind->nsite];
}

const char *atoms_words(const Atoms *a, int row, char words[ATOMS_WORDS])
{
  const Topology *const t = a->topology;
  int block, site;
  const int lane = lane_of(a, row, &block, &site), molecule = t->molecule[lane];
  const TopologySort *sort = t->sort;
  while (molecule >= sort->first + sort->nmol)
    sort++;
  const int number = t->group[lane]->atom[site];
  if (atoms_are(a, block))
    snprintf(words, ATOMS_WORDS, "atom %d (%.32s) of molecule %d (%.40s)", topology_file(sort, number) + 1,
             name_of(sort, number), molecule + 1, sort->kind->name);
  else
    snprintf(words, ATOMS_WORDS, "molecule %d (%.40s)", molecule + 1, sort->kind->name);
  return words;
}

int atoms_site(const Atoms *a, int row)
{
  int block, site;
  const int lane = lane_of(a, row, &block, &site);
  return a->topology->group[lane]->atom[site];
}

void atoms_set_strength(Atoms *a, double strength)
{
  for (int i = 0; i < a->nrow && a->solute != NULL; i++)
    if (a->solute[i])
      a->root[i] = strength * (sqrt(UNITS_COULOMB) * a->charge[i]);
}

bool atoms_excluded(const Atoms *a, int i, int j)
{
  for (int k = a->begin[i]; k < a->begin[i + 1] && a->partner[k] <= j; k++)
    if (a->partner[k] == j)
      return true;
  return false;
}

/* --- checks of the input -------------------------------------------------------------------------------- */

/* Whether a molecule type is the model water, whose parameters are in its kernel. */
static bool is_water(const AtomsInput *in, const TopologySort *sort)
{
  return sort->group->block == in->water;
}

/* The solute is one molecule, which is not the model water. */
static Status check_solute(const AtomsInput *in, Error *error)
{
  if (in->solute == 0)
    return STATUS_OK;
  if (in->solute < 0 || in->solute > in->topology->nsort)
    return error_set(error, STATUS_INPUT, "there is no molecule type %d; there are %d", in->solute,
                     in->topology->nsort);
  const TopologySort *const sort = &in->topology->sort[in->solute - 1];
  if (sort->nmol != 1 || is_water(in, sort))
    return error_set(
        error, STATUS_INPUT,
        "%s cannot be decoupled: one molecule of a type of its own is required, and no model water, but "
        "there are %d%s",
        sort->kind->name, sort->nmol, is_water(in, sort) ? " waters of a model" : "");
  return STATUS_OK;
}

static Status check_shape(const AtomsInput *in, const State *shape, Error *error)
{
  const Topology *const t = in->topology;
  bool same = topology_blocks(t) == shape->nblock && t->dim == 3;
  for (int b = 0; b < shape->nblock && same; b++)
    same = t->block[b] == shape->block[b].kind && t->lanes[b] == shape->block[b].nlane;
  if (!same)
    return error_set(error, STATUS_INPUT, "the atoms of the box have a different topology from its state");
  if (in->water >= t->nblock || (in->water >= 0 && t->block[in->water]->nsite != 3))
    return error_set(error, STATUS_INPUT,
                     "block %d cannot be the model water: a block of three sites is required", in->water + 1);
  return STATUS_OK;
}

static Status check_types(const AtomsInput *in, Error *error)
{
  const int n = in->ntype;
  if (n < 1 || n > 32768 || (in->water >= 0 && (in->water_type < 0 || in->water_type >= n)))
    return error_set(error, STATUS_INPUT,
                     "the table has %d types and the water has type %d; 1 to 32768 types are allowed, and "
                     "the water must have one",
                     n, in->water_type + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 2; k++) {
        const double own = in->lj[i * n + j][k], other = in->lj[j * n + i][k];
        if (!(own >= 0.0 && isfinite(own) && own == other))
          return error_set(error, STATUS_INPUT,
                           "Lennard-Jones between types %d and %d: %c is %g in one order and %g in the "
                           "other; both must be equal, 0 or more",
                           i + 1, j + 1, "AC"[k], own, other);
      }
  return STATUS_OK;
}

static Status check_sort(const AtomsInput *in, const TopologySort *sort, Error *error)
{
  if (sort->nvirtual > 0 && (topology_groups(sort) == sort->ngroup) != is_water(in, sort))
    return error_set(
        error, STATUS_INPUT,
        "molecule %.40s: virtual sites of the model water must have no lanes, and all others need lanes",
        sort->kind->name);
  if (is_water(in, sort))
    return STATUS_OK;
  for (int i = 0; i < sort->nsite; i++) {
    const int number = topology_file(sort, i) + 1;
    if (sort->type[i] < 0 || sort->type[i] >= in->ntype)
      return error_set(error, STATUS_INPUT,
                       "atom %d (%.32s) of molecule %.40s has type %d; the table has types 1 to %d", number,
                       name_of(sort, i), sort->kind->name, sort->type[i] + 1, in->ntype);
    if (!isfinite(sort->charge[i]))
      return error_set(error, STATUS_INPUT,
                       "atom %d (%.32s) of molecule %.40s has a charge of %g e; it must be finite", number,
                       name_of(sort, i), sort->kind->name, sort->charge[i]);
  }
  for (int k = 0; k < sort->nexcluded; k++) {
    const int *const p = sort->excluded[k];
    if (p[0] < 0 || p[1] < 0 || p[0] >= sort->nsite || p[1] >= sort->nsite || p[0] == p[1])
      return error_set(
          error, STATUS_INPUT,
          "exclusion %d of molecule %.40s names sites %d and %d; two different sites of its %d are required",
          k + 1, sort->kind->name, p[0] + 1, p[1] + 1, sort->nsite);
  }
  return STATUS_OK;
}

static void fill_sort(Atoms *a, const TopologySort *sort, bool solute)
{
  for (int m = 0; m < sort->nmol; m++)
    for (int i = 0; i < sort->nsite; i++) {
      const int row = row_of(a, sort, m, i);
      a->type[row] = sort->type[i];
      a->charge[row] = sort->charge[i];
      a->root[row] = sqrt(UNITS_COULOMB) * sort->charge[i];
      a->mass[row] = i < sort->kind->nsite ? sort->kind->mass[i] : 0.0;
      a->number[sort->type[i]] += solute ? 0.0 : 1.0;
      a->pairing += !solute;
      if (solute)
        a->solute[row] = true;
    }
}

/* A water is one row, with the type of its first site. */
static void fill_water(Atoms *a)
{
  const int first = a->first[a->water], n = a->topology->lanes[a->water];
  for (int i = 0; i < n; i++)
    a->type[first + i] = a->water_type;
  a->number[a->water_type] += n;
}

static Status fill_rows(Atoms *a, const AtomsInput *in, Error *error)
{
  for (int k = 0; k < in->topology->nsort; k++) {
    TRY(check_sort(in, &in->topology->sort[k], error));
    if (!is_water(in, &in->topology->sort[k]))
      fill_sort(a, &in->topology->sort[k], k + 1 == in->solute);
  }
  if (a->water >= 0)
    fill_water(a);
  return STATUS_OK;
}

static int rising(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The number of excluded pairs in a molecule: all of the solute. */
static int pairs_of(const AtomsInput *in, int k)
{
  const TopologySort *const sort = &in->topology->sort[k];
  return k + 1 == in->solute ? sort->nsite * (sort->nsite - 1) / 2 : sort->nexcluded;
}

/* Pair n of them. */
static void find_pair(const AtomsInput *in, int k, int n, int pair[2])
{
  const TopologySort *const sort = &in->topology->sort[k];
  if (k + 1 != in->solute) {
    memcpy(pair, sort->excluded[n], 2 * sizeof *pair);
    return;
  }
  for (pair[1] = 1; n >= pair[1]; pair[1]++)
    n -= pair[1];
  pair[0] = n;
}

/* Counts the excluded pairs of each row, or (partner) lists the partners. */
static void pass_excluded(const Atoms *a, const AtomsInput *in, int *next, int *partner)
{
  for (int k = 0; k < in->topology->nsort; k++) {
    const TopologySort *const sort = &in->topology->sort[k];
    for (int m = 0; m < sort->nmol && !is_water(in, sort); m++)
      for (int i = 0; i < 2 * pairs_of(in, k); i++) {
        int pair[2];
        find_pair(in, k, i / 2, pair);
        const int row = row_of(a, sort, m, pair[i % 2]);
        if (partner == NULL)
          next[row]++;
        else
          partner[next[row]++] = row_of(a, sort, m, pair[1 - i % 2]);
      }
  }
}

static Status fill_excluded(Atoms *a, const AtomsInput *in, Error *error)
{
  pass_excluded(a, in, a->begin + 1, NULL);
  for (int i = 0; i < a->nrow; i++)
    a->begin[i + 1] += a->begin[i];
  pass_excluded(a, in, a->begin, a->partner); /* moves begin to the end, */
  for (int i = a->nrow; i > 0; i--)           /* and back */
    a->begin[i] = a->begin[i - 1];
  a->begin[0] = 0;
  for (int i = 0; i < a->nrow; i++) {
    int *const partner = a->partner + a->begin[i], n = a->begin[i + 1] - a->begin[i];
    qsort(partner, (size_t)n, sizeof *partner, rising);
    for (int k = 1; k < n; k++) {
      char one[ATOMS_WORDS], other[ATOMS_WORDS];
      if (partner[k] == partner[k - 1])
        return error_set(error, STATUS_INPUT, "%s and %s are excluded twice", atoms_words(a, i, one),
                         atoms_words(a, partner[k], other));
    }
  }
  return STATUS_OK;
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status allocate(Atoms *a, bool solute, Error *error)
{
  const size_t n = (size_t)a->nrow + 1, types = (size_t)a->ntype * (size_t)a->ntype;
  a->lj = malloc(types * sizeof *a->lj);
  a->number = calloc((size_t)a->ntype, sizeof *a->number);
  a->type = malloc(n * sizeof *a->type);
  a->charge = calloc(n, sizeof *a->charge);
  a->root = calloc(n, sizeof *a->root);
  a->mass = calloc(n, sizeof *a->mass);
  a->solute = solute ? calloc(n, sizeof *a->solute) : NULL;
  a->begin = calloc(n, sizeof *a->begin);
  a->partner = malloc((2 * (size_t)a->nexcluded + 1) * sizeof *a->partner);
  TRY_MEMORY(a->lj != NULL && a->number != NULL && a->type != NULL && a->charge != NULL && a->root != NULL &&
                 a->mass != NULL && (!solute || a->solute != NULL) && a->begin != NULL && a->partner != NULL,
             "the atoms of a box", error);
  return STATUS_OK;
}

static Status count_excluded(Atoms *a, const AtomsInput *in, Error *error)
{
  int64_t pairs = 0;
  for (int k = 0; k < in->topology->nsort; k++)
    if (!is_water(in, &in->topology->sort[k]))
      pairs += (int64_t)pairs_of(in, k) * in->topology->sort[k].nmol;
  if (pairs > INT_MAX)
    return error_memory(error, "this many excluded pairs");
  a->nexcluded = (int)pairs;
  return STATUS_OK;
}

static Status fill(Atoms *a, const AtomsInput *in, const State *shape, Error *error)
{
  const Topology *const t = in->topology;
  TRY(check_shape(in, shape, error));
  TRY(check_types(in, error));
  TRY(check_solute(in, error));
  *a = (Atoms){.topology = t, .water = in->water, .water_type = in->water_type, .ntype = in->ntype};
  TRY(count_excluded(a, in, error));
  const int nblock = topology_blocks(t);
  a->first = calloc((size_t)nblock + 1, sizeof *a->first);
  a->each = calloc((size_t)nblock, sizeof *a->each);
  TRY_MEMORY(a->first != NULL && a->each != NULL, "the atoms of a box", error);
  for (int b = 0; b < nblock; b++) {
    a->each[b] = atoms_are(a, b) ? t->block[b]->nsite : 1;
    if ((int64_t)a->nrow + (int64_t)t->lanes[b] * a->each[b] > STATE_MOLECULES)
      return error_set(error, STATUS_INPUT, "too many atoms in a box: at most %d are allowed",
                       STATE_MOLECULES);
    a->first[b + 1] = a->nrow += t->lanes[b] * a->each[b];
  }
  TRY(allocate(a, in->solute > 0, error));
  memcpy(a->lj, in->lj, (size_t)in->ntype * (size_t)in->ntype * sizeof *a->lj);
  TRY(fill_rows(a, in, error));
  return fill_excluded(a, in, error);
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
  free(a->solute);
  free(a->begin);
  free(a->partner);
  free(a);
}
