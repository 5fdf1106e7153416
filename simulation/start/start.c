#include "simulation/start/start.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/place.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/pair.h"
#include "forcefields/wall.h"
#include "integrators/plan.h"
#include "integrators/quench.h"
#include "simulation/start/minima.h"

/* The annealing schedule: geometric from a warm liquid drop down to where basins are settled. */
enum { STAGES = 30, STAGE_STEPS = 1000, STAGE_STEPS_LEAST = 10, ANNEALED = 64 };
static const double anneal_hot = 220.0, anneal_cold = 20.0; /* K                       */
static const double anneal_step = 0.08;                     /* AKMA, about 4 fs        */
static const double anneal_friction = 0.25;                 /* 1/AKMA, about 5 per ps  */
/* Molecule pairs in all, at most and at least, and as a multiple of the run's. */
static const double pairs_most = 6e8, pairs_least = 4.1e7, pairs_share = 10.0;
/* Walkers that hop where the lowest minimum may be out of reach, K. */
static const double hop_cold = 100.0, hop_hot = 300.0;
static const double same_basin = 0.01; /* of annealed replicas, kcal/mol */
static const QuenchOptions rough = {.tolerance = 1e-3, .max_steps = 2000},
                           fine = {.tolerance = 1e-7, .max_steps = 60000};

/* --- lattice ---------------------------------------------------------------------------------------------
 */

typedef struct Point {
  double r2;
  int x[3];
} Point;

static int point_order(const void *a, const void *b)
{
  const Point *p = a, *q = b;
  if (p->r2 != q->r2)
    return p->r2 < q->r2 ? -1 : 1;
  return memcmp(p->x, q->x, sizeof p->x);
}

/* The nmol points of a cubic lattice nearest to the centre of a cell, each with a random orientation. */
static Status lattice(const StartOptions *o, double *x, Error *error)
{
  int n = 1;
  while ((int64_t)n * n * n < 2 * (int64_t)o->nmol + 8)
    n++;
  Point *point = malloc((size_t)n * (size_t)n * (size_t)n * sizeof *point);
  if (point == NULL)
    return error_memory(error, "a lattice");
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        const double at[3] = {i - 0.5 * (n - 1), j - 0.5 * (n - 1), k - 0.5 * (n - 1)};
        point[count++] = (Point){at[0] * at[0] + at[1] * at[1] + at[2] * at[2], {i, j, k}};
      }
  qsort(point, (size_t)count, sizeof *point, point_order);
  RandomStream stream = random_stream(o->seed, 0, RANDOM_START);
  for (int m = 0; m < o->nmol; m++) {
    double centre[3];
    for (int d = 0; d < 3; d++)
      centre[d] = o->spacing * point[m].x[d];
    place_molecule(o->kind, &stream, centre, x + 9 * m);
  }
  free(point);
  return STATUS_OK;
}

void start_centre(const Kind *kind, int nmol, const double *x, double at[3])
{
  double sum[3] = {0}, mass = 0.0;
  for (int m = 0; m < nmol; m++)
    for (int s = 0; s < kind->nsite; s++) {
      mass += kind->mass[s];
      for (int d = 0; d < 3; d++)
        sum[d] += kind->mass[s] * x[3 * (m * kind->nsite + s) + d];
    }
  for (int d = 0; d < 3; d++)
    at[d] = sum[d] / mass;
}

void start_to_centre(const Kind *kind, int nmol, double *x)
{
  double at[3];
  start_centre(kind, nmol, x, at);
  for (int i = 0; i < 3 * kind->nsite * nmol; i++)
    x[i] -= at[i % 3];
}

static double extent(const double *x, int nmol)
{
  double r2 = 0.0;
  for (int m = 0; m < nmol; m++) {
    const double *o = x + 9 * m;
    r2 = fmax(r2, o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
  }
  return sqrt(r2);
}

/* --- minimisation of one replica ---------------------------------------------------------------------------
 */

/* One replica of width 1 with its own force field, used again and again. */
typedef struct Bench {
  State *state;
  ForceField field;
  const StartOptions *options;
} Bench;

static Status bench_create(Bench *bench, const StartOptions *o, Error *error)
{
  *bench = (Bench){.options = o};
  TRY(state_create(&bench->state, 1, 1, &o->kind, &o->nmol, o->seed, 0, error));
  bench->field.n = 1;
  return pair_create(&bench->field.force[0], o->model, PAIR_DOUBLE, bench->state, o->isa, error);
}

static void bench_free(Bench *bench)
{
  force_field_free(&bench->field);
  state_free(bench->state);
}

static void show_quench(void *watcher, int step, double force)
{
  LOCALE_PLAIN;
  const StartOptions *o = watcher;
  char words[64];
  snprintf(words, sizeof words, "largest force %.2g kcal/mol/A", force);
  o->show(o->watcher, "minimising the start", step, fine.max_steps, words);
}

static Status bench_quench(Bench *bench, double *x, const QuenchOptions *options, QuenchResult *result,
                           Error *error)
{
  const StartOptions *o = bench->options;
  Block *block = &bench->state->block[0];
  QuenchOptions own = *options;
  own.stop = o->stop;
  if (o->show != NULL && options == &fine) {
    own.show = show_quench;
    own.watcher = (void *)o;
  }
  state_set(block, 1, block->q, 0, x);
  const Status status = quench_run(bench->state, &bench->field, &own, o->isa, result, error);
  state_get(block, 1, block->q, 0, x);
  return status;
}

/* --- annealing ---------------------------------------------------------------------------------------------
 */

typedef struct Anneal {
  const StartOptions *options;
  Plan *plan[STAGES];
  int replicas, steps; /* steps of one stage                                    */
  atomic_long done;    /* stages of gangs */
  double radius;       /* of the wall that keeps the warm drop together         */
  const double *from;  /* [nmol][3][3]                                          */
  double *to;          /* [replicas][nmol][3][3]                                */
} Anneal;

static bool stopped(const StartOptions *o) { return flag_value(o->stop) != 0; }

static double kelvin_of(int stage)
{
  return anneal_hot * pow(anneal_cold / anneal_hot, (double)stage / (STAGES - 1));
}

/* One thread tells of all. */
static void show_stage(Anneal *a, int stage)
{
  LOCALE_PLAIN;
  const StartOptions *o = a->options;
  const long done = atomic_fetch_add(&a->done, 1) + 1, all = (long)a->replicas / LANES * STAGES;
  if (o->show == NULL || omp_get_thread_num() != 0)
    return;
  char words[64];
  snprintf(words, sizeof words, "%d replicas, at %.0f K", a->replicas, kelvin_of(stage));
  o->show(o->watcher, "annealing the start", (int64_t)done * a->steps, (int64_t)all * a->steps, words);
}

static Status anneal_gang(Anneal *a, int gang, Error *error)
{
  const StartOptions *o = a->options;
  const Team alone = team_alone();
  State *state = NULL;
  Walk *walk = NULL;
  ForceField field = {.n = 2};
  Status status =
      state_create(&state, LANES, 1, &o->kind, &o->nmol, o->seed, (uint32_t)(gang * LANES), error);
  if (status == STATUS_OK)
    status = pair_create(&field.force[0], o->model, PAIR_DOUBLE, state, o->isa, error);
  if (status == STATUS_OK)
    status = wall_create(&field.force[1], 10.0, a->radius, state, error);
  for (int r = 0; r < LANES && status == STATUS_OK; r++)
    state_set(&state->block[0], LANES, state->block[0].q, r, a->from);
  for (int stage = 0; stage < STAGES && status == STATUS_OK; stage++) {
    status = stopped(o) ? error_set(error, STATUS_RUN, "interrupted")
                        : walk_create(&walk, a->plan[stage], &field, state, error);
    if (status != STATUS_OK)
      break;
    walk_attach(walk, state, RANDOM_START);
    if (stage == 0)
      walk_draw_momenta(walk);
    status = walk_prepare(walk, &alone, error);
    if (status == STATUS_OK)
      status = walk_run(walk, &alone, a->steps, error);
    walk_free(walk);
    show_stage(a, stage);
  }
  const size_t size = 9 * (size_t)o->nmol;
  for (int r = 0; r < LANES && status == STATUS_OK; r++)
    state_get(&state->block[0], LANES, state->block[0].q, r, a->to + (size_t)(gang * LANES + r) * size);
  force_field_free(&field);
  state_free(state);
  return status;
}

static Status anneal_plans(Anneal *a, Error *error)
{
  for (int stage = 0; stage < STAGES; stage++) {
    const PlanOptions options = {.word = "BAOAB",
                                 .h = anneal_step,
                                 .accel = "verlet",
                                 .constraints = "settle",
                                 .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                                 .friction = FRICTION_MASS,
                                 .gamma = anneal_friction,
                                 .kT = kelvin_of(stage) * UNITS_BOLTZMANN,
                                 .removal = REMOVE_LINEAR,
                                 .isa = a->options->isa};
    TRY(plan_create(&a->plan[stage], a->options->kind, &options, error));
  }
  return STATUS_OK;
}

static Status anneal_gangs(Anneal *a, Error *error)
{
  const int gangs = a->replicas / LANES;
  Status status = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(a->options->threads)
  for (int g = 0; g < gangs; g++) {
    Error own;
    const Status s = anneal_gang(a, g, &own);
    if (s != STATUS_OK) {
#pragma omp critical(start_anneal)
      status = error_set(error, s, "annealing: %s", own.text);
    }
  }
  return status;
}

/* The lowest of all annealed replicas, after a rough minimisation of each. */
static Status anneal_choose(const Anneal *a, Bench *bench, double *x, StartReport *report, Error *error)
{
  const size_t size = 9 * (size_t)a->options->nmol;
  double *energy = malloc((size_t)a->replicas * sizeof *energy);
  if (energy == NULL)
    return error_memory(error, "an annealing");
  int best = 0;
  Status status = STATUS_OK;
  for (int r = 0; r < a->replicas && status == STATUS_OK; r++) {
    QuenchResult result;
    status = bench_quench(bench, a->to + (size_t)r * size, &rough, &result, error);
    energy[r] = result.energy;
    if (energy[r] < energy[best])
      best = r;
  }
  report->replicas = a->replicas;
  report->steps = a->steps * STAGES;
  report->same = 0;
  for (int r = 0; r < a->replicas && status == STATUS_OK; r++)
    report->same += energy[r] < energy[best] + same_basin;
  memcpy(x, a->to + (size_t)best * size, size * sizeof *x);
  free(energy);
  return status;
}

static Status anneal(const StartOptions *o, Bench *bench, double *x, StartReport *report, Error *error)
{
  const StartEffort effort = start_effort(o);
  if (effort.replicas <= 0)
    return STATUS_OK;
  Anneal a = {.options = o,
              .replicas = effort.replicas,
              .steps = effort.steps,
              .from = x,
              .radius = extent(x, o->nmol) + 1.5};
  a.to = malloc((size_t)a.replicas * 9 * (size_t)o->nmol * sizeof *a.to);
  Status status = a.to != NULL ? anneal_plans(&a, error) : error_memory(error, "an annealing");
  if (status == STATUS_OK)
    status = anneal_gangs(&a, error);
  if (status == STATUS_OK)
    status = anneal_choose(&a, bench, x, report, error);
  for (int stage = 0; stage < STAGES; stage++)
    plan_free(a.plan[stage]);
  free(a.to);
  return status;
}

/* --- basin hopping ---------------------------------------------------------------------------------------
 */

static Status hop(const StartOptions *o, double *x, StartReport *report, Error *error)
{
  const bool small = o->nmol <= START_SURE;
  const MinimaOptions options = {.model = o->model,
                                 .kind = o->kind,
                                 .nmol = o->nmol,
                                 .steps = minima_steps(o->nmol),
                                 .walkers = MINIMA_WALKERS,
                                 .cold = small ? MINIMA_COLD : hop_cold,
                                 .hot = small ? MINIMA_HOT : hop_hot,
                                 .keep = 1,
                                 .until_sure = true,
                                 .evaluations = start_effort(o).evaluations,
                                 .seed = o->seed,
                                 .threads = o->threads,
                                 .isa = o->isa,
                                 .show = o->show,
                                 .watcher = o->watcher,
                                 .stop = o->stop};
  Isomers *isomers;
  MinimaReport found;
  const Status status = minima_search(&options, &isomers, &found, error);
  if (status == STATUS_OK)
    memcpy(x, isomers_at(isomers, 0).x, 9 * (size_t)o->nmol * sizeof *x);
  report->replicas = found.searches;
  report->same = found.agree;
  report->quenches = found.quenches;
  isomers_free(isomers);
  return status;
}

/* --- what is done for a start ----------------------------------------------------------------------------
 */

/* Pairs of molecules that a start may cost. */
static double affordable(const StartOptions *o)
{
  return o->work > 0.0 ? fmin(fmax(pairs_share * o->work, pairs_least), pairs_most) : pairs_most;
}

static StartEffort anneal_effort(double evaluations)
{
  StartEffort effort = {START_ANNEALING, .replicas = ANNEALED};
  while (effort.replicas > LANES && evaluations / (effort.replicas * STAGES) < 10 * STAGE_STEPS_LEAST)
    effort.replicas -= LANES;
  const double steps = evaluations / (effort.replicas * STAGES);
  if (steps < STAGE_STEPS_LEAST) /* a drop this large would take minutes: it is only minimised */
    return (StartEffort){.way = START_LATTICE};
  effort.steps = steps > STAGE_STEPS ? STAGE_STEPS : (int)steps;
  return effort;
}

StartEffort start_effort(const StartOptions *o)
{
  if (o->nmol < 2 || !(o->anneal || o->thorough))
    return (StartEffort){.way = START_LATTICE};
  const double evaluations = affordable(o) / (0.5 * o->nmol * (o->nmol - 1.0));
  if (o->nmol > (o->thorough ? START_THOROUGH : START_HOPPED))
    return anneal_effort(evaluations);
  return (StartEffort){START_HOPPING,
                       .evaluations = o->thorough || o->nmol <= START_SURE ? 0 : (int64_t)evaluations};
}

static Status from_lattice(const StartOptions *o, StartWay way, Bench *bench, double *x, StartReport *report,
                           Error *error)
{
  QuenchResult result;
  Status status = lattice(o, x, error);
  if (status != STATUS_OK)
    return status;
  start_to_centre(o->kind, o->nmol, x);
  if (o->anneal || o->minimise)
    status = bench_quench(bench, x, &rough, &result, error);
  if (status == STATUS_OK && way == START_ANNEALING)
    status = anneal(o, bench, x, report, error);
  return status;
}

static Status finish(const StartOptions *o, Bench *bench, double *x, StartReport *report, Error *error)
{
  static const QuenchOptions still = {.tolerance = INFINITY}; /* energy and force only */
  QuenchResult result;
  const Status status = bench_quench(bench, x, o->minimise ? &fine : &still, &result, error);
  if (status != STATUS_OK)
    return error_prefix(error, "start configuration");
  report->energy = result.energy;
  report->force = result.force;
  report->converged = !o->minimise || result.converged;
  return STATUS_OK;
}

Status start_build(const StartOptions *options, double *x, StartReport *report, Error *error)
{
  *report = (StartReport){0};
  const StartWay way = start_effort(options).way;
  Bench bench;
  Status status = bench_create(&bench, options, error);
  if (status == STATUS_OK)
    status = way == START_HOPPING ? hop(options, x, report, error)
                                  : from_lattice(options, way, &bench, x, report, error);
  if (status == STATUS_OK)
    status = finish(options, &bench, x, report, error);
  if (status == STATUS_OK)
    start_to_centre(options->kind, options->nmol, x);
  bench_free(&bench);
  return status;
}
