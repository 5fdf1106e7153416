#include "observables/isomers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Distances between the molecules of two types, or of one: those of first sites, then all, from index `at`
 * on. */
typedef struct Span {
  size_t at, first, all;
} Span;

/* Rows are in any order, with one more than `keep` for a candidate. */
struct Isomers {
  const Topology *topology;
  int keep, owners;
  size_t coordinates, distances; /* numbers of coordinates, and of distances in all spans */
  Span *span;                    /* [pairs of types] */
  int64_t n;
  int *row;       /* [keep + 1] rows by rising energy, unused ones last */
  double *energy; /* [keep + 1] of rows */
  int64_t *count; /* [keep + 1][owners] */
  double *number; /* [keep + 1][coordinates + distances] */
  Arena arena;
};

/* --- construction --------------------------------------------------------------------------------------- */

/* The number of pairs of sites in one molecule but in different groups. */
static size_t pairs_inside(const TopologySort *sort)
{
  const size_t n = (size_t)sort->kind->nsite;
  size_t pairs = n * (n - 1) / 2;
  for (int g = 0; g < sort->ngroup; g++) {
    const size_t own = (size_t)sort->group[g].kind->nsite;
    pairs -= own * (own - 1) / 2;
  }
  return pairs;
}

static Span span_of(const Topology *t, int k, int l)
{
  const TopologySort *a = &t->sort[k], *b = &t->sort[l];
  const size_t na = (size_t)a->nmol, nb = (size_t)b->nmol,
               sites = (size_t)a->kind->nsite * (size_t)b->kind->nsite;
  const size_t pairs = k == l ? na * (na - 1) / 2 : na * nb;
  return (Span){.first = pairs, .all = pairs * sites + (k == l ? na * pairs_inside(a) : 0)};
}

static Status make_spans(Isomers *s, Error *error)
{
  const size_t types = (size_t)s->topology->nsort;
  Span *span = s->span = arena_take(&s->arena, types * (types + 1) / 2, sizeof *s->span);
  TRY(arena_check(&s->arena, "isomers", error));
  for (int k = 0; k < s->topology->nsort; k++)
    for (int l = k; l < s->topology->nsort; l++, span++) {
      *span = span_of(s->topology, k, l);
      span->at = s->distances;
      s->distances += span->first + span->all;
    }
  return STATUS_OK;
}

static Status fill(Isomers *s, Error *error)
{
  const size_t rows = (size_t)s->keep + 1;
  TRY(make_spans(s, error));
  s->row = arena_take(&s->arena, rows, sizeof *s->row);
  s->energy = arena_take(&s->arena, rows, sizeof *s->energy);
  s->count = arena_take(&s->arena, rows * (size_t)s->owners, sizeof *s->count);
  s->number = arena_take(&s->arena, rows * (s->coordinates + s->distances), sizeof *s->number);
  TRY(arena_check(&s->arena, "isomers", error));
  for (int i = 0; i <= s->keep; i++)
    s->row[i] = i;
  return STATUS_OK;
}

Status isomers_create(Isomers **isomers, const Topology *topology, int keep, int owners, Error *error)
{
  Isomers *s = *isomers = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "isomers", error);
  *s = (Isomers){
      .topology = topology, .keep = keep, .owners = owners, .coordinates = topology_coordinates(topology)};
  TRY_ELSE(fill(s, error), (isomers_free(s), *isomers = NULL));
  return STATUS_OK;
}

void isomers_free(Isomers *s)
{
  if (s != NULL)
    arena_free(&s->arena);
  free(s);
}

void isomers_chunks(Isomers *s, ChunkList *list)
{
  const size_t rows = (size_t)s->keep + 1;
  chunk_add(list, &s->n, sizeof s->n);
  chunk_add(list, s->row, rows * sizeof *s->row);
  chunk_add(list, s->energy, rows * sizeof *s->energy);
  chunk_add(list, s->count, rows * (size_t)s->owners * sizeof *s->count);
  chunk_add(list, s->number, rows * (s->coordinates + s->distances) * sizeof *s->number);
}

static double *positions(const Isomers *s, int i)
{
  return s->number + (size_t)s->row[i] * (s->coordinates + s->distances);
}

static double *sorted(const Isomers *s, int i) { return positions(s, i) + s->coordinates; }

static int64_t *counts(const Isomers *s, int i) { return s->count + (size_t)s->row[i] * (size_t)s->owners; }

int isomers_number(const Isomers *s) { return (int)s->n; }

Isomer isomers_at(const Isomers *s, int i)
{
  Isomer isomer = {.energy = s->energy[s->row[i]], .count = counts(s, i), .x = positions(s, i)};
  for (int k = 0; k < s->owners; k++)
    isomer.all += isomer.count[k];
  return isomer;
}

int isomers_place(const Isomers *s, int i) { return s->row[i]; }

bool isomers_wants(const Isomers *s, double energy)
{
  return s->n < s->keep || energy < s->energy[s->row[s->n - 1]] + ISOMERS_ENERGY;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double distance(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Writes the distances between all sites of two molecules, or of a molecule's groups. Returns the end. */
static double *add_distances(const TopologySort *one, const double *x, const TopologySort *other,
                             const double *y, double *to)
{
  const bool inside = x == y;
  for (int i = 0; i < one->kind->nsite; i++)
    for (int j = inside ? i + 1 : 0; j < other->kind->nsite; j++)
      if (!inside || one->atom[i].group != one->atom[j].group)
        *to++ = distance(x + (ptrdiff_t)3 * i, y + (ptrdiff_t)3 * j);
  return to;
}

static void sort_span(const Span *span, const TopologySort *one, const double *x, const TopologySort *other,
                      const double *y, double *to)
{
  double *first = to, *all = to + span->first;
  for (int m = 0; m < one->nmol; m++) {
    const double *a = x + (ptrdiff_t)3 * m * one->kind->nsite;
    if (one == other)
      all = add_distances(one, a, one, a, all);
    for (int n = one == other ? m + 1 : 0; n < other->nmol; n++) {
      const double *b = y + (ptrdiff_t)3 * n * other->kind->nsite;
      *first++ = distance(a, b);
      all = add_distances(one, a, other, b, all);
    }
  }
  qsort(to, span->first, sizeof *to, ascending);
  qsort(to + span->first, span->all, sizeof *to, ascending);
}

static void sort_distances(const Isomers *s, const double *x, double *to)
{
  const Topology *t = s->topology;
  const Span *span = s->span;
  for (int k = 0; k < t->nsort; x += (ptrdiff_t)3 * t->sort[k].nmol * t->sort[k].kind->nsite, k++) {
    const double *y = x;
    for (int l = k; l < t->nsort; y += (ptrdiff_t)3 * t->sort[l].nmol * t->sort[l].kind->nsite, l++, span++)
      sort_span(span, &t->sort[k], x, &t->sort[l], y, to + span->at);
  }
}

static bool same(const Isomers *s, const double *a, const double *b)
{
  for (size_t i = 0; i < s->distances; i++)
    if (!(fabs(a[i] - b[i]) <= ISOMERS_DISTANCE))
      return false;
  return true;
}

int isomers_find(Isomers *s, double energy, const double *x)
{
  const int spare = (int)s->n;
  bool looked = false;
  for (int i = 0; i < spare; i++) {
    if (!(fabs(s->energy[s->row[i]] - energy) <= ISOMERS_ENERGY))
      continue;
    if (!looked)
      sort_distances(s, x, sorted(s, spare));
    looked = true;
    if (same(s, sorted(s, i), sorted(s, spare)))
      return i;
  }
  return -1;
}

int isomers_add(Isomers *s, double energy, int owner, int64_t count, const double *x)
{
  const int known = isomers_find(s, energy, x), spare = (int)s->n;
  if (known >= 0) {
    counts(s, known)[owner] += count;
    return known;
  }
  int at = spare;
  while (at > 0 && energy < s->energy[s->row[at - 1]])
    at--;
  if (at == s->keep)
    return -1;
  memcpy(positions(s, spare), x, s->coordinates * sizeof *x);
  sort_distances(s, x, sorted(s, spare));
  memset(counts(s, spare), 0, (size_t)s->owners * sizeof *s->count);
  counts(s, spare)[owner] = count;
  const int row = s->row[spare];
  s->energy[row] = energy;
  memmove(&s->row[at + 1], &s->row[at], (size_t)(spare - at) * sizeof row);
  s->row[at] = row;
  s->n += s->n < s->keep;
  return at;
}

void isomers_merge(Isomers *into, const Isomers *from, int first)
{
  for (int i = 0; i < isomers_number(from); i++) {
    const Isomer isomer = isomers_at(from, i);
    for (int k = 0; k < from->owners && first + k < into->owners; k++)
      isomers_add(into, isomer.energy, first + k, isomer.count[k], isomer.x);
  }
}
