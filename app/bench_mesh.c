#include "app/bench_mesh.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/random.h"
#include "engine/ticks.h"
#include "forcefields/pme.h"

enum { MOLECULES = 4055, SITES = 3 * MOLECULES, REPEATS = 200 };
static const double side = 49.6, beta = 0.325;

typedef struct Case {
  const char *name;
  int grid, order;
  PmePrecision precision;
} Case;

static const Case cases[] = {
    {"mesh32.order4", 32, 4, PME_FLOAT},        {"mesh32.order5", 32, 5, PME_FLOAT},
    {"mesh32.order6", 32, 6, PME_FLOAT},        {"mesh36.order5", 36, 5, PME_FLOAT},
    {"mesh40.order4", 40, 4, PME_FLOAT},        {"mesh44.order4", 44, 4, PME_FLOAT},
    {"mesh64.order4", 64, 4, PME_FLOAT},        {"mesh32.order6.double", 32, 6, PME_DOUBLE},
    {"mesh48.order6.double", 48, 6, PME_DOUBLE}};

/* Oxygens at the points of a lattice, nearly, in the order of the lattice, hydrogens about 1 A from them in
 * random directions. */
static void place(int32_t *at, double *charge)
{
  RandomStream s = random_stream(1, 0, RANDOM_START);
  const double spacing = side / 16.0;
  for (int m = 0; m < MOLECULES; m++) {
    const int cell[3] = {m / 256, m / 16 % 16, m % 16};
    for (int d = 0; d < 3; d++) {
      const double o = (cell[d] + 0.5 * random_uniform(&s)) * spacing;
      for (int k = 0; k < 3; k++)
        at[d * SITES + 3 * m + k] = pme_fraction(o + (k > 0 ? 0.55 * random_normal(&s) : 0.0), side);
    }
    for (int k = 0; k < 3; k++)
      charge[3 * m + k] = k == 0 ? -0.834 : 0.417;
  }
}

/* The best of the repeats, part by part. */
static void time_mesh(Pme *pme, int threads, const int32_t *at, double *f, double best[PME_PARTS + 1])
{
  const int32_t *const sites[3] = {at, at + SITES, at + 2 * SITES};
  double *const force[3] = {f, f + SITES, f + 2 * SITES};
  TeamBarrier barrier = {0};
  for (int k = 0; k <= PME_PARTS; k++)
    best[k] = INFINITY;
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    double before[PME_PARTS], after[PME_PARTS];
    for (int i = 0; i < REPEATS; i++) {
      if (team.rank == 0)
        pme_times(pme, before);
      pme_compute(pme, &team, sites, force, NULL);
      if (team.rank != 0)
        continue;
      pme_times(pme, after);
      double all = 0.0;
      for (int k = 0; k < PME_PARTS; k++) {
        best[k] = fmin(best[k], after[k] - before[k]);
        all += after[k] - before[k];
      }
      best[PME_PARTS] = fmin(best[PME_PARTS], all);
    }
  }
}

static Status measure(const Case *c, Isa isa, int threads, const int32_t *at, const double *charge, double *f,
                      Error *error)
{
  static const char *const part[PME_PARTS + 1] = {".sort", ".spread", ".fft", ".gather", ""};
  const PmeOptions o = {.length = {side, side, side},
                        .beta = beta,
                        .order = c->order,
                        .grid = {c->grid, c->grid, c->grid},
                        .precision = c->precision,
                        .nsite = SITES,
                        .charge = charge,
                        .threads = threads,
                        .isa = isa};
  Pme *pme;
  const Status status = pme_create(&pme, &o, error);
  if (status != STATUS_OK)
    return status;
  double best[PME_PARTS + 1];
  time_mesh(pme, threads, at, f, best);
  for (int k = 0; k <= PME_PARTS; k++)
    printf("%s%s\t%.4f\tms\n", c->name, part[k], 1e3 * best[k]);
  fflush(stdout);
  pme_free(pme);
  return STATUS_OK;
}

Status bench_mesh_print(Isa isa, int threads, Error *error)
{
  int32_t *at = calloc((size_t)3 * SITES, sizeof *at);
  double *charge = calloc(SITES, sizeof *charge), *f = calloc((size_t)3 * SITES, sizeof *f);
  Status status = at != NULL && charge != NULL && f != NULL ? STATUS_OK : error_memory(error, "a benchmark");
  if (status == STATUS_OK)
    place(at, charge);
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++)
    status = measure(&cases[i], isa, threads, at, charge, f, error);
  free(at);
  free(charge);
  free(f);
  return status;
}
