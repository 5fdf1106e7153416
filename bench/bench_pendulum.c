#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "engine/random.h"

enum { INITIAL_CONDITIONS = 10000 };

static const double mass[2] = {1.0, 1.0};
static const char *const site[2] = {"A", "B"};
static const Constraint con[2] = {{&constraint_anchor, 1, {0}, {1.0}, NULL},
                                  {&constraint_distance, 2, {0, 1}, {M_SQRT2}, NULL}};
static const Potential weight[2] = {{&potential_field, 1, {0}, {0.0, 0.0, -1.0}, NULL},
                                    {&potential_field, 1, {1}, {0.0, 0.0, -1.0}, NULL}};
static const double start[4] = {0.0, -1.0, 1.0, -2.0};
static const Kind kind = {.name = "double pendulum",
                          .nsite = 2,
                          .dim = 2,
                          .ncon = 2,
                          .mass = mass,
                          .site = site,
                          .con = con,
                          .reference = start,
                          .npot = 2,
                          .pot = weight};

typedef struct Route {
  const char *name, *accel, *constraints;
} Route;

static const Route routes[] = {{"zs", "zs", NULL},
                               {"zss", "zss-block", NULL},
                               {"newmark", "newmark", NULL},
                               {"shake", "verlet", "shake"}};
enum { NROUTE = (int)(sizeof routes / sizeof *routes) };

/* One trajectory starts as in the paper. An ensemble starts at rest with both joints bent by angles of about
 * 0.1. From the paper's start one trajectory in a hundred breaks a rod within 30,000 steps of h = 0.1 at w =
 * 20. */
static Status spread(Ensemble *e, Error *error)
{
  RandomStream stream = random_stream(1, 0, RANDOM_TEST);
  const int replicas = ensemble_replicas(e);
  for (int r = 0; r < replicas; r++) {
    const double first = replicas > 1 ? 0.1 * random_normal(&stream) : 0.0;
    const double second = replicas > 1 ? 0.1 * random_normal(&stream) : M_PI / 4.0;
    const double x[4] = {sin(first), -cos(first), sin(first) + M_SQRT2 * sin(second),
                         -cos(first) - M_SQRT2 * cos(second)};
    const double p[4] = {0.0};
    ensemble_set(e, r, x, p);
  }
  return ensemble_ready(e, error);
}

static Status rate_of(const Route *route, int replicas, int threads, Isa isa, double *rate, Error *error)
{
  const PlanOptions o = {.word = "BAB",
                         .h = 0.1,
                         .accel = route->accel,
                         .beta = 0.4,
                         .w = route->constraints == NULL ? 20.0 : 0.0,
                         .hessian = HESSIAN_FULL,
                         .constraints = route->constraints,
                         .constraint = {.tolerance = 1e-12, .max_iterations = 50, .solver = NULL},
                         .isa = isa};
  const EnsembleOptions of = {.replicas = replicas,
                              .width = replicas > 1 ? WIDTH_MAX : 1,
                              .threads = threads,
                              .maker = {NULL, bench_internal_field}};
  BenchJob job;
  Status status = bench_job_create(&job, &kind, 1, &o, of, error);
  if (status == STATUS_OK)
    status = spread(job.ensemble, error);
  if (status == STATUS_OK)
    status = bench_rate(job.ensemble, rate, error);
  bench_job_free(&job);
  return status;
}

Status bench_pendulum_print(Isa isa, int threads, Error *error)
{
  double rate[NROUTE], many = 0.0;
  for (int i = 0; i < NROUTE; i++) {
    const Status status = rate_of(&routes[i], 1, 1, isa, &rate[i], error);
    if (status != STATUS_OK)
      return status;
    printf("pendulum.%s\t%.3f\tmillion steps/s\n", routes[i].name, 1e-6 * rate[i]);
  }
  for (int i = 1; i < NROUTE; i++)
    printf("pendulum.%s.ratio\t%.2f\ttimes the time of zs\n", routes[i].name, rate[0] / rate[i]);
  printf("pendulum.single\t%.3f\tmillion steps/s\n", 1e-6 * rate[0]);
  const Status status = rate_of(&routes[0], INITIAL_CONDITIONS, threads, isa, &many, error);
  if (status == STATUS_OK)
    printf("pendulum.ensemble\t%.2f\tmillion trajectory-steps/s\n", 1e-6 * many);
  fflush(stdout);
  return status;
}
