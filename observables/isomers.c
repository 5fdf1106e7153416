#include "observables/isomers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Isomers {
  int nmol, nsite, keep, n;
  size_t coordinates, first, all; /* numbers of positions, of distances of first sites, of all distances */
  Isomer *isomer;                 /* [keep + 1], by energy; memory goes along with rows when they move */
  double *memory;                 /* [keep + 2][coordinates + all], the last one that being looked at */
};

Status isomers_create(Isomers **isomers, int nmol, int nsite, int keep, Error *error)
{
  Isomers *s = *isomers = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "isomers");
  const size_t pairs = (size_t)nmol * (size_t)(nmol - 1) / 2, sites = (size_t)nsite;
  *s = (Isomers){.nmol = nmol,
                 .nsite = nsite,
                 .keep = keep,
                 .coordinates = 3 * (size_t)nmol * sites,
                 .first = pairs,
                 .all = pairs * (1 + sites * sites)};
  const size_t row = s->coordinates + s->all;
  s->isomer = calloc((size_t)keep + 1, sizeof *s->isomer);
  s->memory = malloc(((size_t)keep + 1) * row * sizeof *s->memory);
  if (s->isomer == NULL || s->memory == NULL) {
    isomers_free(s);
    *isomers = NULL;
    return error_memory(error, "isomers");
  }
  for (int i = 0; i <= keep; i++) {
    s->isomer[i].x = s->memory + (size_t)i * row;
    s->isomer[i].sorted = s->isomer[i].x + s->coordinates;
  }
  return STATUS_OK;
}

void isomers_free(Isomers *s)
{
  if (s == NULL)
    return;
  free(s->isomer);
  free(s->memory);
  free(s);
}

int isomers_number(const Isomers *s) { return s->n; }

const Isomer *isomers_at(const Isomers *s, int i) { return &s->isomer[i]; }

int isomers_wants(const Isomers *s, double energy)
{
  return s->n < s->keep || energy < s->isomer[s->n - 1].energy + ISOMERS_ENERGY;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sort_distances(const Isomers *s, const double *x, double *to)
{
  const int sites = s->nsite;
  double *first = to, *all = to + s->first;
  for (int m = 0; m < s->nmol; m++)
    for (int n = m + 1; n < s->nmol; n++)
      for (int k = 0; k < sites * sites; k++) {
        const double *a = x + 3 * (m * sites + k / sites), *b = x + 3 * (n * sites + k % sites);
        const double r = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                              (a[2] - b[2]) * (a[2] - b[2]));
        *all++ = r;
        if (k == 0)
          *first++ = r;
      }
  qsort(to, s->first, sizeof *to, ascending);
  qsort(to + s->first, s->all - s->first, sizeof *to, ascending);
}

static int same(const Isomers *s, const double *a, const double *b)
{
  for (size_t i = 0; i < s->all; i++)
    if (!(fabs(a[i] - b[i]) <= ISOMERS_DISTANCE))
      return 0;
  return 1;
}

/* The row behind the last: room to look at one. */
static Isomer *spare(Isomers *s) { return &s->isomer[s->n]; }

int isomers_find(Isomers *s, double energy, const double *x)
{
  int sorted = 0;
  for (int i = 0; i < s->n; i++) {
    if (!(fabs(s->isomer[i].energy - energy) <= ISOMERS_ENERGY))
      continue;
    if (!sorted)
      sort_distances(s, x, (double *)spare(s)->sorted);
    sorted = 1;
    if (same(s, s->isomer[i].sorted, spare(s)->sorted))
      return i;
  }
  return -1;
}

int isomers_add(Isomers *s, double energy, int64_t count, const double *x)
{
  const int known = isomers_find(s, energy, x);
  if (known >= 0) {
    s->isomer[known].count += count;
    return known;
  }
  int at = s->n;
  while (at > 0 && energy < s->isomer[at - 1].energy)
    at--;
  if (at == s->keep)
    return -1;
  Isomer row = *spare(s);
  row.energy = energy;
  row.count = count;
  memcpy((double *)row.x, x, s->coordinates * sizeof *x);
  sort_distances(s, x, (double *)row.sorted);
  memmove(&s->isomer[at + 1], &s->isomer[at], (size_t)(s->n - at) * sizeof row);
  s->isomer[at] = row;
  s->n += s->n < s->keep;
  return at;
}
