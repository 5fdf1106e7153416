/* Replica exchange beside the plain ensemble: the same molecules, steps and replicas, in turn. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "engine/ticks.h"
#include "simulation/simulation.h"

enum { TEMPERATURES = 32, ROUNDS = 7, SETTINGS = 2 };
static const double seconds_each = 0.35;

/* Eight TIP4P waters, rigid, as the issue of their melting wants them. */
#define BENCH_CLUSTER                                                                                        \
  "system: {model: tip4p, molecules: 8, anneal: false, wall: {radius: 8 A, stiffness: 10}}\n"                \
  "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 1000000}\n"
#define BENCH_PLAIN                                                                                          \
  BENCH_CLUSTER "thermostat: {friction: 2/ps, temperature: 120 K}\nensemble: {replicas: 32}\n"
#define BENCH_LADDER                                                                                         \
  BENCH_CLUSTER "thermostat: {friction: 2/ps}\nexchange: {lowest: 60 K, highest: 240 K, number: 32}\n"

static Status rate_of(Simulation *s, int64_t steps, double *best, Error *error)
{
  const double start = ticks_seconds();
  const Status status = simulation_step(s, steps, NULL, error);
  *best = fmax(*best, (double)steps * TEMPERATURES / (ticks_seconds() - start));
  return status;
}

/* In turn, so that what else the machine does meets both. */
static Status compare(Simulation *plain, Simulation *ladder, double rate[2], Error *error)
{
  rate[0] = rate[1] = 0.0;
  Status status = rate_of(plain, 2000, &rate[0], error);
  const int64_t steps = (int64_t)(seconds_each * rate[0] / TEMPERATURES / 100.0 + 1.0) * 100;
  rate[0] = 0.0;
  for (int i = 0; i < ROUNDS && status == STATUS_OK; i++) {
    status = rate_of(plain, steps, &rate[0], error);
    if (status == STATUS_OK)
      status = rate_of(ladder, steps, &rate[1], error);
  }
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
    double rate[2] = {0};
    Simulation *plain = NULL, *ladder = NULL;
    snprintf(set[0], sizeof set[0], "precision=%s", precision[i]);
    snprintf(set[1], sizeof set[1], "ensemble.threads=%d", threads);
    status = simulation_parse(&plain, "plain", BENCH_PLAIN, sets, SETTINGS, error);
    if (status == STATUS_OK)
      status = simulation_parse(&ladder, "ladder", BENCH_LADDER, sets, SETTINGS, error);
    if (status == STATUS_OK)
      status = compare(plain, ladder, rate, error);
    if (status == STATUS_OK)
      printf("ladder.%s.plain\t%.3f\tmillion replica-steps/s\nladder.%s\t%.3f\tmillion replica-steps/s\n"
             "ladder.%s.cost\t%.2f\t%% of the plain ensemble\n",
             precision[i], 1e-6 * rate[0], precision[i], 1e-6 * rate[1], precision[i],
             100.0 * (1.0 - rate[1] / rate[0]));
    fflush(stdout);
    simulation_free(plain);
    simulation_free(ladder);
  }
  return status;
}
