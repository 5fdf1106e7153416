/* Replica exchange compared with the plain ensemble: the same molecules, steps and replicas, in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "bench/bench.h"
#include "simulation/simulation.h"

/* New pairs of simulations differ in their place in memory, which alone can change times by 1 or 2 %. */
enum { TEMPERATURES = 32, PAIRS = 6, ROUNDS = 6, RATIOS = PAIRS * ROUNDS, SETTINGS = 3 };
static const double seconds_each = 0.1;

/* Eight rigid TIP4P waters. */
#define BENCH_CLUSTER                                                                                        \
  "system: {model: tip4p, molecules: 8, anneal: false, wall: {radius: 8 A, stiffness: 10}}\n"                \
  "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 1000000}\n"
#define BENCH_PLAIN BENCH_CLUSTER "thermostat: {friction: 2/ps, temperature: 120 K}\n"
#define BENCH_LADDER                                                                                         \
  BENCH_CLUSTER "thermostat: {friction: 2/ps}\nexchange: {lowest: 60 K, highest: 240 K, number: 32}\n"

/* Steps before measurements: the start, and the first exchanges, which touch the histograms' memory. */
enum { WARM_UP = 8000 };

typedef struct Times {
  double clock, worked; /* s; all threads, without waiting and exchanging */
} Times;

/* Times of the ladder over those of the plain ensemble, for every round, and the best rates. */
typedef struct Comparison {
  double rate[2];
  double clock[RATIOS], worked[RATIOS];
  int n;
} Comparison;

static Status times_of(Simulation *s, int64_t steps, Times *times, Error *error)
{
  const double start = ticks_seconds(), worked = simulation_worked(s);
  const Status status = simulation_step(s, steps, NULL, error);
  *times = (Times){ticks_seconds() - start, simulation_worked(s) - worked};
  return status;
}

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Runs both in turn, so that other load affects both alike; each is first in every second round. */
static Status compare(Simulation *const s[2], Comparison *to, Error *error)
{
  Times times[2] = {{1.0, 1.0}, {1.0, 1.0}};
  Status status = STATUS_OK;
  for (int k = 0; k < 2 && status == STATUS_OK; k++)
    status = simulation_step(s[k], WARM_UP, NULL, error);
  if (status == STATUS_OK)
    status = times_of(s[0], WARM_UP, &times[0], error);
  const int64_t steps = (int64_t)(seconds_each / times[0].clock * WARM_UP / 100.0 + 1.0) * 100;
  for (int i = 0; i < ROUNDS && status == STATUS_OK; i++, to->n++) {
    for (int k = 0; k < 2 && status == STATUS_OK; k++)
      status = times_of(s[(i + k) % 2], steps, &times[(i + k) % 2], error);
    for (int k = 0; k < 2; k++)
      to->rate[k] = fmax(to->rate[k], (double)steps * simulation_replicas(s[k]) / times[k].clock);
    to->clock[to->n] = times[1].clock / times[0].clock;
    to->worked[to->n] = times[1].worked / times[0].worked;
  }
  return status;
}

static Status compare_new_pair(const char *const *sets, const char *replicas, const char *ladders,
                               Comparison *to, Error *error)
{
  const char *const plain[SETTINGS] = {sets[0], sets[1], replicas};
  const char *const ladder[SETTINGS] = {sets[0], sets[1], ladders};
  Simulation *s[2] = {NULL, NULL};
  Status status = simulation_parse(&s[0], "plain", BENCH_PLAIN, plain, SETTINGS, error);
  if (status == STATUS_OK)
    status = simulation_parse(&s[1], "ladder", BENCH_LADDER, ladder, SETTINGS, error);
  if (status == STATUS_OK)
    status = compare(s, to, error);
  simulation_free(s[0]);
  simulation_free(s[1]);
  return status;
}

/* The loss of the plain ensemble's rate in percent, at this quantile of all rounds. */
static double cost(const double *ratio, double part)
{
  return 100.0 * (1.0 - 1.0 / ratio[(int)(part * (RATIOS - 1))]);
}

static void print(const char *name, Comparison *of)
{
  qsort(of->clock, RATIOS, sizeof *of->clock, rising);
  qsort(of->worked, RATIOS, sizeof *of->worked, rising);
  printf("%s.plain\t%.0f\treplica-steps/s\n%s\t%.0f\treplica-steps/s\n", name, of->rate[0], name,
         of->rate[1]);
  printf("%s.cost\t%.2f\t%% of the plain ensemble, median of %d rounds\n", name, cost(of->clock, 0.5),
         RATIOS);
  printf("%s.cost.lower\t%.2f\t%%, of a quarter of the rounds at most\n", name, cost(of->clock, 0.25));
  printf("%s.cost.upper\t%.2f\t%%, of a quarter of the rounds at least\n", name, cost(of->clock, 0.75));
  printf("%s.cost.work\t%.2f\t%%, of the time in which threads work: the rest they wait or one exchanges\n",
         name, cost(of->worked, 0.5));
  printf("%s.billion\t%.1f\tmin of 1e9 replica-steps\n", name, 1e9 / of->rate[1] / 60.0);
  fflush(stdout);
}

static Status print_ladders(const char *name, const char *precision, int ladders, int threads, Error *error)
{
  char set[4][48], full[48];
  const char *const sets[2] = {set[0], set[1]};
  snprintf(full, sizeof full, "%s.%s", name, precision);
  snprintf(set[0], sizeof set[0], "precision=%s", precision);
  snprintf(set[1], sizeof set[1], "ensemble.threads=%d", threads);
  snprintf(set[2], sizeof set[2], "ensemble.replicas=%d", TEMPERATURES * ladders);
  snprintf(set[3], sizeof set[3], "exchange.ladders=%d", ladders);
  Comparison all = {.n = 0};
  Status status = STATUS_OK;
  for (int i = 0; i < PAIRS && status == STATUS_OK; i++)
    status = compare_new_pair(sets, set[2], set[3], &all, error);
  if (status == STATUS_OK)
    print(full, &all);
  return status;
}

/* Measures one ladder, whose threads all wait for each other at every exchange; one ladder per thread; and
 * one ladder on one thread, without waiting. */
Status bench_ladder_print(Isa isa, int threads, Error *error)
{
  static const char *const precision[] = {"double", "mixed"};
  Status status = STATUS_OK;
  if (setenv("HOLONOM_ISA", isa_name(isa), 1) != 0) /* simulations read the set from the environment */
    return error_memory(error, "the environment");
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    status = print_ladders("ladder", precision[i], 1, threads, error);
    if (status == STATUS_OK && threads > 1)
      status = print_ladders("ladders", precision[i], threads, threads, error);
    if (status == STATUS_OK && threads > 1)
      status = print_ladders("ladder.one", precision[i], 1, 1, error);
  }
  return status;
}
