/* Replica exchange beside the plain ensemble: the same molecules, steps and replicas, in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "engine/ticks.h"
#include "simulation/simulation.h"

enum { TEMPERATURES = 32, ROUNDS = 15, SETTINGS = 2 };
static const double seconds_each = 0.15;

/* Eight TIP4P waters, rigid, as the issue of their melting wants them. */
#define BENCH_CLUSTER                                                                                        \
  "system: {model: tip4p, molecules: 8, anneal: false, wall: {radius: 8 A, stiffness: 10}}\n"                \
  "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 1000000}\n"
#define BENCH_PLAIN                                                                                          \
  BENCH_CLUSTER "thermostat: {friction: 2/ps, temperature: 120 K}\nensemble: {replicas: 32}\n"
#define BENCH_LADDER                                                                                         \
  BENCH_CLUSTER "thermostat: {friction: 2/ps}\nexchange: {lowest: 60 K, highest: 240 K, number: 32}\n"

static Status rate_of(Simulation *s, int64_t steps, double *rate, Error *error)
{
  const double start = ticks_seconds();
  const Status status = simulation_step(s, steps, NULL, error);
  *rate = (double)steps * TEMPERATURES / (ticks_seconds() - start);
  return status;
}

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* In turn, so that what else the machine does meets both: the best rates, and the median of the ratios. */
static Status compare(Simulation *plain, Simulation *ladder, double best[2], double *ratio, Error *error)
{
  double rate[2] = {0.0, 0.0}, ratios[ROUNDS] = {0.0};
  best[0] = best[1] = 0.0;
  Status status = rate_of(plain, 2000, &rate[0], error);
  const int64_t steps = (int64_t)(seconds_each * rate[0] / TEMPERATURES / 100.0 + 1.0) * 100;
  for (int i = 0; i < ROUNDS && status == STATUS_OK; i++) {
    status = rate_of(plain, steps, &rate[0], error);
    if (status == STATUS_OK)
      status = rate_of(ladder, steps, &rate[1], error);
    best[0] = fmax(best[0], rate[0]);
    best[1] = fmax(best[1], rate[1]);
    ratios[i] = rate[1] / rate[0];
  }
  qsort(ratios, ROUNDS, sizeof *ratios, rising);
  *ratio = ratios[ROUNDS / 2];
  return status;
}

Status bench_ladder_print(Isa isa, int threads, Error *error)
{
  static const char *const precision[] = {"double", "mixed"};
  (void)isa; /* the simulations', from the environment */
  Status status = STATUS_OK;
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    char set[SETTINGS][48];
    const char *const sets[SETTINGS] = {set[0], set[1]};
    double rate[2] = {0}, ratio = 1.0;
    Simulation *plain = NULL, *ladder = NULL;
    snprintf(set[0], sizeof set[0], "precision=%s", precision[i]);
    snprintf(set[1], sizeof set[1], "ensemble.threads=%d", threads);
    status = simulation_parse(&plain, "plain", BENCH_PLAIN, sets, SETTINGS, error);
    if (status == STATUS_OK)
      status = simulation_parse(&ladder, "ladder", BENCH_LADDER, sets, SETTINGS, error);
    if (status == STATUS_OK)
      status = compare(plain, ladder, rate, &ratio, error);
    if (status == STATUS_OK)
      printf("ladder.%s.plain\t%.3f\tmillion replica-steps/s\nladder.%s\t%.3f\tmillion replica-steps/s\n"
             "ladder.%s.cost\t%.2f\t%% of the plain ensemble, median\n",
             precision[i], 1e-6 * rate[0], precision[i], 1e-6 * rate[1], precision[i], 100.0 * (1.0 - ratio));
    fflush(stdout);
    simulation_free(plain);
    simulation_free(ladder);
  }
  return status;
}
