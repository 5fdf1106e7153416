#include "observables/isomers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { SITES = 3 }; /* of a water */

/* Rows lie anywhere, and have room for one more than are kept, to look at one. */
struct Isomers {
  int nmol, keep, owners;
  size_t coordinates, first, all; /* numbers of positions, of distances of first sites, of all distances */
  int64_t n;
  int *row;       /* [keep + 1], lowest energy first, those without an isomer last */
  double *energy; /* [keep + 1] of rows */
  int64_t *count; /* [keep + 1][owners] */
  double *number; /* [keep + 1][coordinates + all] */
  Arena arena;
};

Status isomers_create(Isomers **isomers, int nmol, int keep, int owners, Error *error)
{
  Isomers *s = *isomers = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "isomers", error);
  const size_t pairs = (size_t)nmol * (size_t)(nmol - 1) / 2, rows = (size_t)keep + 1;
  *s = (Isomers){.nmol = nmol,
                 .keep = keep,
                 .owners = owners,
                 .coordinates = 3 * SITES * (size_t)nmol,
                 .first = pairs,
                 .all = pairs * (1 + SITES * SITES)};
  s->row = arena_take(&s->arena, rows, sizeof *s->row);
  s->energy = arena_take(&s->arena, rows, sizeof *s->energy);
  s->count = arena_take(&s->arena, rows * (size_t)owners, sizeof *s->count);
  s->number = arena_take(&s->arena, rows * (s->coordinates + s->all), sizeof *s->number);
  if (s->arena.failed) {
    isomers_free(s);
    *isomers = NULL;
    return error_memory(error, "isomers");
  }
  for (int i = 0; i <= keep; i++)
    s->row[i] = i;
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
  chunk_add(list, s->number, rows * (s->coordinates + s->all) * sizeof *s->number);
}

static double *positions(const Isomers *s, int i)
{
  return s->number + (size_t)s->row[i] * (s->coordinates + s->all);
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

static void sort_distances(const Isomers *s, const double *x, double *to)
{
  double *first = to, *all = to + s->first;
  for (int m = 0; m < s->nmol; m++)
    for (int n = m + 1; n < s->nmol; n++)
      for (int k = 0; k < SITES * SITES; k++) {
        const double *a = x + 3 * (m * SITES + k / SITES), *b = x + 3 * (n * SITES + k % SITES);
        const double r = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                              (a[2] - b[2]) * (a[2] - b[2]));
        *all++ = r;
        if (k == 0)
          *first++ = r;
      }
  qsort(to, s->first, sizeof *to, ascending);
  qsort(to + s->first, s->all - s->first, sizeof *to, ascending);
}

static bool same(const Isomers *s, const double *a, const double *b)
{
  for (size_t i = 0; i < s->all; i++)
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
