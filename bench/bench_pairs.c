#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "forcefields/sites.h"

/* --- figures -------------------------------------------------------------------------------------------- */

enum { REPEATS = 1 << 18 /* waters over all repeats */, REPEATS_LEAST = 10, REPEATS_MOST = 40 };
static const double cutoff = 9.0, buffer = 0.5, beta = 0.32, width = 0.5;

/* The measured variants: suffix of the line, model (of the same atoms), with energies. */
static const struct {
  const char *name, *model;
  bool mixed, switched, sums;
} figures[] = {
    {"mixed", "tip3p", true, false, false},         {"mixed.energy", "tip3p", true, false, true},
    {"mixed.switch", "tip3p", true, true, false},   {"mixed.tip4p", "tip4p", true, false, false},
    {"double", "tip3p", false, false, false},       {"double.energy", "tip3p", false, false, true},
    {"double.tip4p", "tip4p", false, false, false}, {"double.tip5p", "tip5p", false, false, false}};
enum { FIGURES = (int)(sizeof figures / sizeof *figures) };

typedef struct Liquid {
  Kind *kind;
  State *state;
  List *list;
  Particles particles[FIGURES];
  Sites *sites[FIGURES];
  Stage stage[FIGURES];
  int32_t (*o)[4];
} Liquid;

static void liquid_free(Liquid *b)
{
  for (int k = 0; k < FIGURES; k++) {
    sites_free(b->sites[k]);
    stage_free(&b->stage[k]);
    particles_free(&b->particles[k]);
  }
  list_free(b->list);
  state_free(b->state);
  kind_free(b->kind);
  free(b->o);
}

static Status make_sites(Liquid *b, int k, Isa isa, Error *error)
{
  const Nonbonded options = {.cutoff = cutoff,
                             .truncation = figures[k].switched ? TRUNCATION_SWITCH_PAIRS : TRUNCATION_PLAIN,
                             .switch_width = width,
                             .coulomb = COULOMB_PME,
                             .beta = beta,
                             .mixed = figures[k].mixed};
  TRY(particles_make(&b->particles[k], water_find(figures[k].model), NULL, b->state, error));
  TRY(sites_create(&b->sites[k], &b->particles[k], &b->state->box, &options, 1, isa, error));
  return sites_make_stage(b->sites[k], &b->stage[k], error);
}

/* Computes rows and forces, and returns forces to atoms. */
static Status add(Liquid *b, int k, const Team *team, Error *error)
{
  StageForces forces = {0};
  const StageOut out = sites_rows(b->sites[k], list_view(b->list));
  TRY(stage_run(&b->stage[k], team, b->state, &out, error));
  TRY(sites_run(b->sites[k], team, list_view(b->list), b->state, figures[k].sums, &forces, error));
  stage_deliver(&b->stage[k], team, &forces, b->state->block, figures[k].sums);
  return STATUS_OK;
}

static Status liquid_create(Liquid *b, int n, double side, Isa isa, Error *error)
{
  *b = (Liquid){.o = malloc((size_t)n * sizeof *b->o)};
  if (b->o == NULL)
    return error_memory(error, "a benchmark");
  Status status = water_kind(water_find("tip3p"), WATER_MASS_O, WATER_MASS_H, &b->kind, error);
  const Kind *kind = b->kind;
  if (status == STATUS_OK)
    status = state_create(&b->state, 1, 1, &kind, &n, 1, 0, error);
  if (status == STATUS_OK) {
    b->state->box = box_brick(side, side, side);
    const ListOptions list = {.box = &b->state->box, .cutoff = cutoff, .buffer = buffer, .isa = isa};
    status = list_create(&b->list, &list, n, error);
  }
  if (status == STATUS_OK)
    status = bench_lattice(b->state, error);
  for (int k = 0; k < FIGURES && status == STATUS_OK; k++)
    status = make_sites(b, k, isa, error);
  const Team alone = team_alone();
  if (status == STATUS_OK)
    status = stage_run(&b->stage[0], &alone, b->state, &(StageOut){.o = b->o}, error);
  return status;
}

static Status measure(const char *name, int n, double side, Isa isa, Error *error)
{
  Liquid b;
  Status status = liquid_create(&b, n, side, isa, error);
  const Team alone = team_alone();
  const int wanted = REPEATS / n, most = wanted < REPEATS_MOST ? wanted : REPEATS_MOST,
            repeats = most > REPEATS_LEAST ? most : REPEATS_LEAST;
  double list = INFINITY, best[FIGURES];
  for (int k = 0; k < FIGURES; k++)
    best[k] = INFINITY;
  for (int i = 0; i < repeats && status == STATUS_OK; i++) {
    double start = ticks_seconds();
    list_forget(b.list);
    status = list_update(b.list, &alone, (const int32_t(*)[4])b.o, error);
    list = fmin(list, ticks_seconds() - start);
    for (int k = 0; k < FIGURES && status == STATUS_OK; k++) {
      start = ticks_seconds();
      status = add(&b, k, &alone, error);
      best[k] = fmin(best[k], ticks_seconds() - start);
    }
  }
  if (status == STATUS_OK) {
    printf("pairs%s.list\t%.3f\tms\n", name, 1e3 * list);
    for (int k = 0; k < FIGURES; k++)
      printf("pairs%s.%s\t%.3f\tms\n", name, figures[k].name, 1e3 * best[k]);
    long long listed = 0;
    for (int i = 0; i < n; i++)
      listed += list_view(b.list)->end[i] - list_view(b.list)->begin[i];
    printf("pairs%s.listed\t%lld\tpairs of molecules\n", name, listed);
    fflush(stdout);
  }
  liquid_free(&b);
  return status;
}

Status bench_pairs_print(Isa isa, int threads, Error *error)
{
  (void)threads;
  Status status = measure("884", 884, 29.84, isa, error);
  if (status == STATUS_OK)
    status = measure("4055", 4055, 49.6, isa, error);
  if (status == STATUS_OK)
    status = measure("32773", 32773, 99.53, isa, error); /* more than the caches of a core */
  return status;
}
