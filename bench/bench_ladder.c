/* Replica exchange beside the plain ensemble: the same molecules, steps and replicas, in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "engine/ticks.h"
#include "simulation/simulation.h"

enum { TEMPERATURES = 32, ROUNDS = 15, SETTINGS = 3 };
static const double seconds_each = 0.15;

/* Eight TIP4P waters, rigid, as the issue of their melting wants them. */
#define BENCH_CLUSTER                                                                                        \
  "system: {model: tip4p, molecules: 8, anneal: false, wall: {radius: 8 A, stiffness: 10}}\n"                \
  "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 1000000}\n"
#define BENCH_PLAIN BENCH_CLUSTER "thermostat: {friction: 2/ps, temperature: 120 K}\n"
#define BENCH_LADDER                                                                                         \
  BENCH_CLUSTER "thermostat: {friction: 2/ps}\nexchange: {lowest: 60 K, highest: 240 K, number: 32}\n"

static Status rate_of(Simulation *s, int64_t steps, double *rate, Error *error)
{
  const double start = ticks_seconds();
  const Status status = simulation_step(s, steps, NULL, error);
  *rate = (double)steps * simulation_replicas(s) / (ticks_seconds() - start);
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
  const int64_t steps = (int64_t)(seconds_each * rate[0] / simulation_replicas(plain) / 100.0 + 1.0) * 100;
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

static Status print_ladders(const char *precision, int ladders, int threads, Error *error)
{
  char set[SETTINGS][48], name[32];
  const char *const sets[SETTINGS] = {set[0], set[1], set[2]};
  double rate[2] = {0}, ratio = 1.0;
  Simulation *plain = NULL, *ladder = NULL;
  snprintf(name, sizeof name, "ladder%s.%s", ladders > 1 ? "s" : "", precision);
  snprintf(set[0], sizeof set[0], "precision=%s", precision);
  snprintf(set[1], sizeof set[1], "ensemble.threads=%d", threads);
  snprintf(set[2], sizeof set[2], "ensemble.replicas=%d", TEMPERATURES * ladders);
  Status status = simulation_parse(&plain, "plain", BENCH_PLAIN, sets, SETTINGS, error);
  snprintf(set[2], sizeof set[2], "exchange.ladders=%d", ladders);
  if (status == STATUS_OK)
    status = simulation_parse(&ladder, "ladder", BENCH_LADDER, sets, SETTINGS, error);
  if (status == STATUS_OK)
    status = compare(plain, ladder, rate, &ratio, error);
  if (status == STATUS_OK)
    printf("%s.plain\t%.0f\treplica-steps/s\n%s\t%.0f\treplica-steps/s\n"
           "%s.cost\t%.2f\t%% of the plain ensemble, median\n%s.billion\t%.1f\tmin of 1e9 replica-steps\n",
           name, rate[0], name, rate[1], name, 100.0 * (1.0 - ratio), name, 1e9 / rate[1] / 60.0);
  fflush(stdout);
  simulation_free(plain);
  simulation_free(ladder);
  return status;
}

/* One ladder, in which all threads wait for each other at every exchange, and one for each thread. */
Status bench_ladder_print(Isa isa, int threads, Error *error)
{
  static const char *const precision[] = {"double", "mixed"};
  Status status = STATUS_OK;
  if (setenv("HOLONOM_ISA", isa_name(isa), 1) != 0) /* as simulations are told of it */
    return error_memory(error, "the environment");
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    status = print_ladders(precision[i], 1, threads, error);
    if (status == STATUS_OK && threads > 1)
      status = print_ladders(precision[i], threads, threads, error);
  }
  return status;
}
