#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "simulation/ensemble/ensemble.h"

/* Unit masses on unit links, hung at the origin and released from a horizontal zigzag, links 5 degrees up and
 * down in turn, under unit gravity; SHAKE. Timing begins after some steps with milc, so that all solvers do
 * the same steps. Straighter chains need more Gauss-Seidel sweeps: from a straight line 2e4 per step for 100
 * links and 2e6 for 1,000, a minute per step. */
static const double timestep = 0.01, slope = 5.0 * M_PI / 180.0;
enum { SETTLE_STEPS = 200, REPEATS = 3 };
static const double seconds_each = 0.1;

typedef struct Chain {
  Kind kind;
  double *mass, *start, *p;
  const char **site;
  Constraint *con;
  Potential *weight;
} Chain;

static void chain_free(Chain *c)
{
  free(c->mass);
  free(c->start);
  free(c->p);
  free((void *)c->site);
  free(c->con);
  free(c->weight);
}

static Status chain_create(Chain *c, int n, Error *error)
{
  const size_t links = (size_t)n;
  *c = (Chain){.mass = malloc(links * sizeof(double)),
               .start = malloc(2 * links * sizeof(double)),
               .p = calloc(2 * links, sizeof(double)),
               .site = malloc(links * sizeof(char *)),
               .con = calloc(links, sizeof(Constraint)),
               .weight = calloc(links, sizeof(Potential))};
  if (c->mass == NULL || c->start == NULL || c->p == NULL || c->site == NULL || c->con == NULL ||
      c->weight == NULL)
    return error_memory(error, "a benchmark");
  for (int i = 0; i < n; i++) {
    c->mass[i] = 1.0;
    c->site[i] = "A";
    c->start[2 * i] = (i + 1) * cos(slope);
    c->start[2 * i + 1] = i % 2 == 0 ? sin(slope) : 0.0;
    c->weight[i] = (Potential){&potential_field, 1, {i}, {0.0, 0.0, -1.0}, NULL};
    c->con[i] = i == 0 ? (Constraint){&constraint_anchor, 1, {0}, {1.0}, NULL}
                       : (Constraint){&constraint_distance, 2, {i - 1, i}, {1.0}, NULL};
  }
  c->kind = (Kind){.name = "chain",
                   .nsite = n,
                   .dim = 2,
                   .ncon = n,
                   .mass = c->mass,
                   .site = c->site,
                   .con = c->con,
                   .reference = c->start,
                   .npot = n,
                   .pot = c->weight};
  return STATUS_OK;
}

/* Sets all replicas to one state. */
static Status restart(const Chain *c, Ensemble *e, Error *error)
{
  for (int r = 0; r < ensemble_replicas(e); r++)
    ensemble_set(e, r, c->start, c->p);
  return ensemble_ready(e, error);
}

static Status chain_job(BenchJob *job, const Chain *c, const char *solver, int replicas, Isa isa,
                        Error *error)
{
  const PlanOptions o = {.word = "BAB",
                         .h = timestep,
                         .accel = "verlet",
                         .constraints = "shake",
                         .constraint = {.tolerance = 1e-10, .max_iterations = 10000000, .solver = solver},
                         .isa = isa};
  const EnsembleOptions of = {.replicas = replicas,
                              .width = replicas > 1 ? LANES : 1,
                              .threads = 1,
                              .maker = {NULL, bench_internal_field}};
  return bench_job_create(job, &c->kind, 1, &o, of, error);
}

/* Lets the chain fall for SETTLE_STEPS with milc. */
static Status settle(Chain *c, Isa isa, Error *error)
{
  BenchJob job;
  Status status = chain_job(&job, c, "milc", 1, isa, error);
  if (status == STATUS_OK)
    status = restart(c, job.ensemble, error);
  if (status == STATUS_OK)
    status = ensemble_run(job.ensemble, SETTLE_STEPS, NULL, error);
  if (status == STATUS_OK)
    ensemble_get(job.ensemble, 0, c->start, c->p);
  bench_job_free(&job);
  return status;
}

/* Seconds per link and step: the best of several repeats of the same steps, long enough for the clock. */
static Status time_solver(const Chain *c, const char *solver, int replicas, int steps, Isa isa,
                          double *seconds, Error *error)
{
  BenchJob job;
  Status status = chain_job(&job, c, solver, replicas, isa, error);
  Ensemble *e = job.ensemble;
  double best = INFINITY, spent = 0.0;
  for (int i = 0; status == STATUS_OK && (i < REPEATS || spent < seconds_each); i++) {
    status = restart(c, e, error);
    const double start = ticks_seconds();
    if (status == STATUS_OK)
      status = ensemble_run(e, ensemble_step(e) + steps, NULL, error);
    const double took = ticks_seconds() - start;
    spent += took;
    if (i > 0) /* the first run has cold caches */
      best = fmin(best, took);
    if (spent > 10.0 * seconds_each && i > 0)
      break;
  }
  *seconds = best / ((double)steps * c->kind.nsite * replicas);
  bench_job_free(&job);
  return status;
}

typedef struct Row {
  const char *solver, *name;
  int longest; /* links */
} Row;

/* Gauss-Seidel with 10,000 links would take longer than everything else. */
static const Row rows[] = {
    {"milc", "milc", 10000}, {"newton", "newton", 10000}, {"gauss-seidel", "gauss_seidel", 1000}};
enum { NROW = (int)(sizeof rows / sizeof *rows) };

static Status measure(int n, Isa isa, Error *error)
{
  Chain c;
  Status status = chain_create(&c, n, error);
  if (status == STATUS_OK)
    status = settle(&c, isa, error);
  const int steps = n <= 100 ? 20000 / n : 20;
  double seconds[NROW];
  for (int many = 0; many < 2 && status == STATUS_OK; many++) {
    for (int i = 0; i < NROW && status == STATUS_OK; i++) {
      if (n > rows[i].longest)
        continue;
      status = time_solver(&c, rows[i].solver, many ? LANES : 1, steps, isa, &seconds[i], error);
      if (status == STATUS_OK)
        printf("chain%d.%s%s\t%.2f\tns per link and step\n", n, rows[i].name, many ? ".ensemble" : "",
               1e9 * seconds[i]);
      fflush(stdout);
    }
    if (n == 1000 && status == STATUS_OK)
      printf("chain%d%s.ratio\t%.0f\tgauss-seidel over milc\n", n, many ? ".ensemble" : "",
             seconds[2] / seconds[0]);
  }
  chain_free(&c);
  return status;
}

Status bench_chain_print(Isa isa, int threads, Error *error)
{
  (void)threads;
  Status status = STATUS_OK;
  for (int n = 10; n <= 10000 && status == STATUS_OK; n *= 10)
    status = measure(n, isa, error);
  return status;
}
