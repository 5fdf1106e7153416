#include "app/bench_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/box_build.h"
#include "engine/ticks.h"
#include "forcefields/bulk.h"
#include "forcefields/list_choose.h"

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
  int32_t (*o)[4];
} Liquid;

static void liquid_free(Liquid *b)
{
  for (int k = 0; k < FIGURES; k++)
    bulk_free(b->bulk[k]);
  list_free(b->list);
  state_free(b->state);
  kind_free(b->kind);
  free(b->o);
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
  const ListOptions list = {{side, side, side}, cutoff, buffer, isa};
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
  if (status == STATUS_OK) {
    b->state->box = (Box){{side, side, side}};
    status = box_build_lattice(b->state, error);
  }
  const Team alone = team_alone();
  if (status == STATUS_OK)
    status = bulk_stage(b->bulk[0], &alone, NULL, &b->state->block[0], b->o, error);
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
      status = bulk_add(b.bulk[k], &alone, list_view(b.list), &b.state->block[0],
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
