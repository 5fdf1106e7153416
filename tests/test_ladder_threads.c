/* Ladders side by side: the same bits whoever steps them and wherever that is cut. Short, since the thread
 * sanitizer runs this. */
#include "simulation/simulation_private.h"
#include "tests/files.h"
#include "tests/ladders.h"
#include "tests/parsed.h"

static const char tuned[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 400}\n"
    "thermostat: {type: langevin, friction: 5/ps}\nprecision: double\noutput: {equilibration: 80 fs}\n"
    "exchange: {lowest: 60 K, highest: 90 K, acceptance: 0.8, ladders: 2, interval: 10, tunings: 3}\n";

enum { SETS = 5 };
#define SERIES(lowest, highest, number, ladders)                                                             \
  "exchange.temperatures=", "exchange.lowest=" #lowest, "exchange.highest=" #highest,                        \
      "exchange.number=" #number, "exchange.ladders=" #ladders

/* With 16 temperatures, and sometimes with 8, ladders are not in one batch with others: of three each of two
 * threads has one, and the third is that of both. Of 20 some have their histogram in common. */
static const struct {
  const char *text, *set[SETS];
} systems[] = {{water, {NULL}},
               {water, {"precision=mixed"}},
               {water, {"exchange.momenta=redrawn"}},
               {water, {"exchange.number=16", "exchange.ladders=3"}},
               {water, {"exchange.number=16", "exchange.ladders=3", "exchange.momenta=redrawn"}},
               {tuned, {NULL}},
               {tuned, {"exchange.acceptance=", "exchange.number=16", "exchange.ladders=3"}},
               {spring, {NULL}},
               {spring, {SERIES(1, 7, 8, 20)}},
               {rotor, {NULL}},
               {fixman, {NULL}},
               {fixman, {SERIES(0.5, 2, 16, 3)}}};
enum { SYSTEMS = (int)(sizeof systems / sizeof *systems) };

static void same(Simulation *a, Simulation *b)
{
  const size_t n = (size_t)simulation_coordinates(a);
  double *x = calloc(4 * n, sizeof *x);
  ck_assert_int_eq(simulation_done(a), simulation_done(b));
  for (int r = 0; r < simulation_replicas(a); r++) {
    simulation_get_point(a, r, x, x + n);
    simulation_get_point(b, r, x + 2 * n, x + 3 * n);
    ck_assert_mem_eq(x, x + 2 * n, 2 * n * sizeof *x);
    ck_assert_int_eq(ladder_temperature(a->ladder, r), ladder_temperature(b->ladder, r));
  }
  for (int k = 0; k < ladder_options(a->ladder)->n; k++) {
    const LadderRung one = ladder_rung(a->ladder, k), other = ladder_rung(b->ladder, k);
    ck_assert(one.samples == 0 || one.potential == other.potential);
    ck_assert_int_eq(one.exchanges, other.exchanges);
    ck_assert_int_eq(one.replicas_up, other.replicas_up);
  }
  free(x);
}

/* Threads' work is counted whoever does it: by it jobs are given threads. */
static void all_worked(const Simulation *s)
{
  int64_t steps;
  ck_assert_double_gt(ensemble_worked(s->ensemble, &steps), 0.0);
  ck_assert_int_ge(steps, simulation_done(s) * ensemble_held(s->ensemble));
}

/* One thread and one call against two, pieces, and a restart at a step of exchange. */
TEST(threads_pieces_and_restarts, .rows = SYSTEMS, .threads = true)
{
  const char *set[1 + SETS], *two[1 + SETS];
  int nset = 1;
  set[0] = "ensemble.threads=1";
  two[0] = "ensemble.threads=2";
  for (; nset <= SETS && systems[_i].set[nset - 1] != NULL; nset++)
    set[nset] = two[nset] = systems[_i].set[nset - 1];
  Simulation *a, *b, *c;
  const char *file = files_path("ladder.hol");
  fine(simulation_parse(&a, "case.yaml", systems[_i].text, set, nset, &error));
  fine(simulation_parse(&b, "case.yaml", systems[_i].text, two, nset, &error));
  fine(simulation_parse(&c, "case.yaml", systems[_i].text, two, nset, &error));
  fine(simulation_step(a, 97, NULL, &error));
  fine(simulation_step(b, 13, NULL, &error));
  fine(simulation_step(b, 7, NULL, &error));
  fine(simulation_step(b, 20, NULL, &error));
  fine(simulation_save(b, &(CheckpointStore){.path = file}, &error));
  fine(simulation_step(b, 57, NULL, &error));
  fine(simulation_restore(c, &(CheckpointStore){.path = file}, &error));
  fine(simulation_step(c, 57, NULL, &error));
  same(a, b);
  same(a, c);
  all_worked(a);
  all_worked(b);
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
}
