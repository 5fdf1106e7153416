#include "app/bench_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/ticks.h"
#include "forcefields/bulk.h"
#include "forcefields/list_choose.h"

/* --- a box ---------------------------------------------------------------------------------------------- */

enum { TRIES = 1000 };
static const double closest = 1.2, jitter = 0.15;

static void place_one(RandomStream *s, const Kind *kind, const double *at, double *x)
{
  double q[4], norm = 0.0;
  for (int k = 0; k < 4; k++) {
    q[k] = random_normal(s);
    norm += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(norm);
  for (int b = 0; b < 3; b++) {
    /* v + 2 w u x v + 2 u x (u x v) for the quaternion (w, u) */
    double v[3], c[3];
    for (int d = 0; d < 3; d++)
      v[d] = kind->reference[3 * b + d] - kind->reference[d];
    for (int d = 0; d < 3; d++)
      c[d] = q[1 + (d + 1) % 3] * v[(d + 2) % 3] - q[1 + (d + 2) % 3] * v[(d + 1) % 3];
    for (int d = 0; d < 3; d++)
      x[3 * b + d] = at[d] + v[d] + 2.0 * q[0] * c[d] +
                     2.0 * (q[1 + (d + 1) % 3] * c[(d + 2) % 3] - q[1 + (d + 2) % 3] * c[(d + 1) % 3]);
  }
}

static double near_distance2(const double *length, const double *a, const double *b)
{
  double s = 0.0;
  for (int d = 0; d < 3; d++) {
    const double x = b[d] - a[d], near = x - length[d] * rint(x / length[d]);
    s += near * near;
  }
  return s;
}

static bool collides(const double *length, const double *x, int i)
{
  for (int j = 0; j < i; j++) {
    if (near_distance2(length, x + 9 * (size_t)i, x + 9 * (size_t)j) > 25.0)
      continue;
    for (size_t s = 0; s < 9; s++)
      if (near_distance2(length, x + 9 * (size_t)i + 3 * (s / 3), x + 9 * (size_t)j + 3 * (s % 3)) <
          closest * closest)
        return true;
  }
  return false;
}

Status bench_pairs_lattice(const Kind *kind, int n, const double length[3], unsigned long seed, double *x,
                           Error *error)
{
  RandomStream s = random_stream(seed, 0, RANDOM_START);
  const double spacing = cbrt(length[0] * length[1] * length[2] / n);
  size_t m[3];
  for (int d = 0; d < 3; d++)
    m[d] = (size_t)fmax(1.0, floor(length[d] / spacing));
  for (int d = 0; m[0] * m[1] * m[2] < (size_t)n; d = (d + 1) % 3)
    m[d]++;
  for (int i = 0; i < n; i++) {
    const size_t place = (size_t)i * (m[0] * m[1] * m[2]) / (size_t)n; /* holes evenly spread */
    const size_t cell[3] = {place / (m[1] * m[2]), place / m[2] % m[1], place % m[2]};
    int tries = 0;
    do {
      double at[3];
      for (int d = 0; d < 3; d++)
        at[d] = (double)cell[d] * length[d] / (double)m[d] + jitter * (2.0 * random_uniform(&s) - 1.0);
      place_one(&s, kind, at, x + 9 * (size_t)i);
    } while (collides(length, x, i) && ++tries < TRIES);
    if (tries == TRIES)
      return error_set(error, STATUS_INPUT, "%d molecules do not fit into a box of %g x %g x %g A", n,
                       length[0], length[1], length[2]);
  }
  return STATUS_OK;
}

/* --- figures -------------------------------------------------------------------------------------------- */

enum { REPEATS = 40 };
static const double cutoff = 9.0, buffer = 0.5, beta = 0.32, width = 0.5;

/* The force as it is measured: suffix of the line, model (of the same atoms), whether energies are asked for.
 */
static const struct {
  const char *name, *model;
  BulkPrecision precision;
  BulkTruncation truncation;
  bool sums;
} figures[] = {{"mixed", "tip3p", BULK_MIXED, BULK_PLAIN, false},
               {"mixed.energy", "tip3p", BULK_MIXED, BULK_PLAIN, true},
               {"mixed.switch", "tip3p", BULK_MIXED, BULK_SWITCH_ALL, false},
               {"mixed.tip4p", "tip4p", BULK_MIXED, BULK_PLAIN, false},
               {"double", "tip3p", BULK_DOUBLE, BULK_PLAIN, false},
               {"double.energy", "tip3p", BULK_DOUBLE, BULK_PLAIN, true}};
enum { FIGURES = (int)(sizeof figures / sizeof *figures) };

typedef struct Liquid {
  Kind *kind;
  State *state;
  List *list;
  Bulk *bulk[FIGURES];
  double *x;
  int32_t (*o)[4];
} Liquid;

static void liquid_free(Liquid *b)
{
  for (int k = 0; k < FIGURES; k++)
    bulk_free(b->bulk[k]);
  list_free(b->list);
  state_free(b->state);
  kind_free(b->kind);
  free(b->x);
  free(b->o);
}

static Status liquid_create(Liquid *b, int n, double side, Isa isa, Error *error)
{
  *b = (Liquid){.x = malloc(9 * (size_t)n * sizeof(double)), .o = malloc((size_t)n * sizeof *b->o)};
  if (b->x == NULL || b->o == NULL)
    return error_memory(error, "a benchmark");
  Status status = water_kind(water_find("tip3p"), 15.9994, 1.008, &b->kind, error);
  const Kind *kind = b->kind;
  if (status == STATUS_OK)
    status = state_create(&b->state, 1, 1, &kind, &n, 1, 0, error);
  const ListOptions list = {{side, side, side}, cutoff, buffer, 0, isa};
  if (status == STATUS_OK)
    status = list_create(&b->list, &list, n, error);
  for (int k = 0; k < FIGURES && status == STATUS_OK; k++) {
    const BulkOptions bulk = {.model = water_find(figures[k].model),
                              .length = {side, side, side},
                              .cutoff = cutoff,
                              .beta = beta,
                              .precision = figures[k].precision,
                              .threads = 1,
                              .isa = isa,
                              .truncation = figures[k].truncation,
                              .switch_from = cutoff - width};
    status = bulk_create(&b->bulk[k], &bulk, n, error);
  }
  if (status == STATUS_OK)
    status = bench_pairs_lattice(kind, n, list.length, 1, b->x, error);
  const Team alone = team_alone();
  if (status == STATUS_OK) {
    state_set(&b->state->block[0], 1, b->state->block[0].q, 0, b->x);
    status = bulk_places(b->bulk[0], &alone, &b->state->block[0], b->o, error);
  }
  return status;
}

static Status measure(const char *name, int n, double side, Isa isa, Error *error)
{
  Liquid b;
  Status status = liquid_create(&b, n, side, isa, error);
  const Team alone = team_alone();
  double list = INFINITY, best[FIGURES];
  for (int k = 0; k < FIGURES; k++)
    best[k] = INFINITY;
  for (int i = 0; i < REPEATS && status == STATUS_OK; i++) {
    double start = ticks_seconds();
    list_forget(b.list);
    status = list_update(b.list, &alone, (const int32_t(*)[4])b.o, NULL, error);
    list = fmin(list, ticks_seconds() - start);
    for (int k = 0; k < FIGURES && status == STATUS_OK; k++) {
      BulkSums sums;
      start = ticks_seconds();
      status = bulk_add(b.bulk[k], &alone, list_view(b.list), (const int32_t(*)[4])b.o, &b.state->block[0],
                        figures[k].sums ? &sums : NULL, error);
      best[k] = fmin(best[k], ticks_seconds() - start);
    }
  }
  if (status == STATUS_OK) {
    printf("pairs%s.list\t%.3f\tms\n", name, 1e3 * list);
    for (int k = 0; k < FIGURES; k++)
      printf("pairs%s.%s\t%.3f\tms\n", name, figures[k].name, 1e3 * best[k]);
    printf("pairs%s.listed\t%lld\tpairs of molecules\n", name, (long long)list_pairs(b.list));
    fflush(stdout);
  }
  liquid_free(&b);
  return status;
}

Status bench_pairs_print(Isa isa, Error *error)
{
  Status status = measure("884", 884, 29.84, isa, error);
  if (status == STATUS_OK)
    status = measure("4055", 4055, 49.6, isa, error);
  return status;
}
