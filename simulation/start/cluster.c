#include "simulation/start/cluster.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/scoped.h"
#include "base/text.h"
#include "engine/place.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/wall.h"
#include "integrators/lbfgs.h"
#include "integrators/plan.h"
#include "integrators/quench.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/start/moves.h"

SCOPED_POINTER(State, state_free)
SCOPED_POINTER(Walk, walk_free)
SCOPED_POINTER(Isomers, isomers_free)
SCOPED_POINTER(Lbfgs, lbfgs_free)

/* The annealing schedule: geometric, from a warm liquid drop to temperatures at which the basin is fixed. */
enum { STAGES = 30, STAGE_STEPS = 1000, STAGE_STEPS_LEAST = 10, ANNEALED = 64 };
static const double anneal_hot = 220.0, anneal_cold = 20.0; /* K */
static const double anneal_step = 0.08;                     /* AKMA, about 4 fs */
static const double anneal_friction = 0.25;                 /* 1/AKMA, about 5 per ps */
/* Limits of the total number of molecule pairs, and the number relative to the run's. */
static const double pairs_most = 6e8, pairs_least = 4.1e7, pairs_share = 10.0;
/* Temperatures of walkers where the lowest minimum may be out of reach, K. */
static const double hop_cold = 100.0, hop_hot = 300.0;
static const double same_basin = 0.01; /* of annealed replicas, kcal/mol */
static const QuenchOptions rough = {.tolerance = 1e-3, .max_steps = 2000},
                           fine = {.tolerance = 1e-7, .max_steps = 60000};

/* --- lattice ------- */

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

/* Whether all molecules are waters of one type. */
static bool is_water(const Topology *t) { return t->nsort == 1 && topology_is_water(&t->sort[0]); }

/* Waters at the points of a cubic lattice nearest to a cell's centre, with random orientations. */
static Status lattice(const ClusterOptions *o, double *x, Error *error)
{
  const Topology *t = o->of.on.topology;
  int n = 1;
  while ((int64_t)n * n * n < 2 * (int64_t)t->nmol + 8)
    n++;
  SCOPED(scoped_free) Point *point = malloc((size_t)n * (size_t)n * (size_t)n * sizeof *point);
  TRY_MEMORY(point != NULL, "a lattice", error);
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        const double at[3] = {i - 0.5 * (n - 1), j - 0.5 * (n - 1), k - 0.5 * (n - 1)};
        point[count++] = (Point){at[0] * at[0] + at[1] * at[1] + at[2] * at[2], {i, j, k}};
      }
  qsort(point, (size_t)count, sizeof *point, point_order);
  RandomStream stream = random_stream(o->of.seed, 0, RANDOM_START);
  for (int m = 0; m < t->nmol; m++) {
    double centre[3];
    for (int d = 0; d < 3; d++)
      centre[d] = o->spacing * point[m].x[d];
    place_molecule(t->block[0], &stream, centre, x + (ptrdiff_t)9 * m);
  }
  return STATUS_OK;
}

/* The largest distance from the origin of a site that the wall acts on. */
static double extent(const Topology *t, const double *x)
{
  double r2 = 0.0;
  for (int b = 0, lane = 0; b < t->nblock; b++)
    for (int k = 0; k < t->lanes[b]; k++, lane++) {
      const double *o = x + topology_place(t, lane, 0);
      r2 = fmax(r2, o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    }
  return sqrt(r2);
}

static int count_constraints(const Topology *t)
{
  int n = 0;
  for (int b = 0; b < t->nblock; b++)
    n += t->lanes[b] * t->block[b]->ncon;
  return n;
}

bool cluster_anneals(const Topology *t)
{
  bool all = true;
  for (int b = 0; b < t->nblock; b++)
    all = all && (t->block[b]->nsite == 1 || kind_is_triangle(t->block[b]));
  return all;
}

/* --- minimisation of one replica ------- */

/* One reusable replica of width 1 with its own force field. */
typedef struct Bench {
  State *state;
  ForceField field;
  const ClusterOptions *options;
} Bench;

static Status bench_create(Bench *bench, const ClusterOptions *o, Error *error)
{
  TRY(topology_state(o->of.on.topology, 1, o->of.seed, 0, &bench->state, error));
  return o->of.on.field(o->of.on.system, bench->state, &bench->field, error);
}

static void bench_free(Bench *bench)
{
  force_field_free(&bench->field);
  state_free(bench->state);
}

static void show_quench(void *watcher, int step, double force)
{
  LOCALE_PLAIN;
  const ClusterOptions *o = watcher;
  char words[64];
  snprintf(words, sizeof words, "largest force %.2g kcal/mol/A", force);
  o->of.show(o->of.watcher, "minimising the start", step, fine.max_steps, words);
}

/* Rigid molecules use FIRE, which preserves the bits of starts of water. Free bonds or angles make stiff
 * problems, where limited-memory BFGS needs a few hundred steps and FIRE tens of thousands. */
static Status go_down(const Bench *bench, const QuenchOptions *options, QuenchResult *result, Error *error)
{
  const Isa isa = bench->options->of.isa;
  if (cluster_anneals(bench->options->of.on.topology))
    return quench_run(bench->state, &bench->field, options, isa, result, error);
  SCOPED(lbfgs_free_at) Lbfgs *lbfgs = NULL;
  TRY(lbfgs_create(&lbfgs, bench->state, &bench->field, isa, error));
  lbfgs_begin(lbfgs, 1, options->tolerance);
  for (result->steps = 0; result->steps <= options->max_steps && lbfgs_arrived(lbfgs) == 0; result->steps++) {
    if (flag_value(options->stop) != 0)
      return error_set(error, STATUS_RUN, "interrupted");
    TRY(lbfgs_step(lbfgs, error));
    if (options->show != NULL)
      options->show(options->watcher, result->steps, lbfgs_force(lbfgs, 0));
  }
  result->energy = lbfgs_energy(lbfgs, 0);
  result->force = lbfgs_force(lbfgs, 0);
  result->converged = result->force <= options->tolerance;
  return STATUS_OK;
}

static Status bench_quench(Bench *bench, double *x, const QuenchOptions *options, QuenchResult *result,
                           Error *error)
{
  const ClusterOptions *o = bench->options;
  QuenchOptions own = *options;
  own.thaw = true; /* the search decides where frozen molecules are */
  own.stop = o->of.stop;
  if (o->of.show != NULL && options == &fine) {
    own.show = show_quench;
    own.watcher = (void *)o;
  }
  topology_set(o->of.on.topology, bench->state, STATE_POSITIONS, 0, x);
  const Status status = go_down(bench, &own, result, error);
  topology_get(o->of.on.topology, bench->state, STATE_POSITIONS, 0, x);
  return status;
}

/* --- annealing ------- */

typedef struct Anneal {
  const ClusterOptions *options;
  Plan *plan[STAGES];
  int replicas, steps; /* steps of one stage */
  atomic_long done;    /* stages of all batches */
  double radius;       /* of the wall around the warm drop */
  const double *from;  /* [natom][3] */
  double *to;          /* [replicas][natom][3] */
} Anneal;

static double kelvin_of(int stage)
{
  return anneal_hot * pow(anneal_cold / anneal_hot, (double)stage / (STAGES - 1));
}

/* Only one thread reports progress. */
static void show_stage(Anneal *a, int stage)
{
  LOCALE_PLAIN;
  const ClusterOptions *o = a->options;
  const long done = atomic_fetch_add(&a->done, 1) + 1, all = (long)a->replicas / LANES * STAGES;
  if (o->of.show == NULL || omp_get_thread_num() != 0)
    return;
  char words[64];
  snprintf(words, sizeof words, "%d replicas, at %.0f K", a->replicas, kelvin_of(stage));
  o->of.show(o->of.watcher, "annealing the start", (int64_t)done * a->steps, (int64_t)all * a->steps, words);
}

static Status anneal_stage(Anneal *a, int stage, const ForceField *field, State *state, Error *error)
{
  const Team alone = team_alone();
  SCOPED(walk_free_at) Walk *walk = NULL;
  if (flag_value(a->options->of.stop) != 0)
    return error_set(error, STATUS_RUN, "interrupted");
  TRY(walk_create(&walk, a->plan[stage], field, state, error));
  walk_attach(walk, state, RANDOM_START);
  if (stage == 0)
    walk_draw_momenta(walk);
  TRY(walk_prepare(walk, &alone, error));
  TRY(walk_run(walk, &alone, a->steps, error));
  show_stage(a, stage);
  return STATUS_OK;
}

static Status anneal_batch(Anneal *a, int batch, Error *error)
{
  const ClusterOptions *o = a->options;
  const Topology *t = o->of.on.topology;
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  TRY(topology_state(t, LANES, o->of.seed, (uint32_t)(batch * LANES), &state, error));
  TRY(o->of.on.field(o->of.on.system, state, &field, error));
  TRY(wall_create(&field.force[field.n], 10.0, a->radius, state, error));
  field.n++;
  for (int r = 0; r < LANES; r++)
    topology_set(t, state, STATE_POSITIONS, r, a->from);
  for (int stage = 0; stage < STAGES; stage++)
    TRY(anneal_stage(a, stage, &field, state, error));
  for (int r = 0; r < LANES; r++)
    topology_get(t, state, STATE_POSITIONS, r, a->to + (size_t)(batch * LANES + r) * topology_coordinates(t));
  return STATUS_OK;
}

static Status anneal_plans(Anneal *a, Error *error)
{
  for (int stage = 0; stage < STAGES; stage++) {
    const PlanOptions options = {.word = "BAOAB",
                                 .h = anneal_step,
                                 .accel = "verlet",
                                 .constraints =
                                     count_constraints(a->options->of.on.topology) > 0 ? "settle" : NULL,
                                 .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                                 .friction = FRICTION_MASS,
                                 .gamma = anneal_friction,
                                 .kT = kelvin_of(stage) * UNITS_BOLTZMANN,
                                 .removal = REMOVE_LINEAR,
                                 .thaw = true,
                                 .isa = a->options->of.isa};
    TRY(plan_create_kinds(&a->plan[stage], a->options->of.on.topology->nblock,
                          a->options->of.on.topology->block, &options, error));
  }
  return STATUS_OK;
}

static Status anneal_batches(Anneal *a, Error *error)
{
  const int batches = a->replicas / LANES;
  Status status = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(a->options->of.threads)
  for (int g = 0; g < batches; g++) {
    Error own;
    const Status s = anneal_batch(a, g, &own);
    if (s != STATUS_OK) {
#pragma omp critical(start_anneal)
      status = error_set(error, s, "annealing: %s", own.text);
    }
  }
  return status;
}

/* Selects the lowest replica after a rough minimisation of each. */
static Status anneal_choose(const Anneal *a, Bench *bench, double *x, ClusterReport *report, Error *error)
{
  const size_t size = topology_coordinates(a->options->of.on.topology);
  SCOPED(scoped_free) double *energy = malloc((size_t)a->replicas * sizeof *energy);
  TRY_MEMORY(energy != NULL, "an annealing", error);
  int best = 0;
  for (int r = 0; r < a->replicas; r++) {
    QuenchResult result;
    TRY(bench_quench(bench, a->to + (size_t)r * size, &rough, &result, error));
    energy[r] = result.energy;
    if (energy[r] < energy[best])
      best = r;
  }
  report->replicas = a->replicas;
  report->steps = a->steps * STAGES;
  report->same = 0;
  for (int r = 0; r < a->replicas; r++)
    report->same += energy[r] < energy[best] + same_basin;
  memcpy(x, a->to + (size_t)best * size, size * sizeof *x);
  return STATUS_OK;
}

static void anneal_free(const Anneal *a)
{
  for (int stage = 0; stage < STAGES; stage++)
    plan_free(a->plan[stage]);
  free(a->to);
}

static Status anneal(const ClusterOptions *o, Bench *bench, double *x, ClusterReport *report, Error *error)
{
  const ClusterEffort effort = cluster_effort(o);
  SCOPED(anneal_free)
  Anneal a = {.options = o,
              .replicas = effort.replicas,
              .steps = effort.steps,
              .from = x,
              .radius = extent(o->of.on.topology, x) + 1.5};
  a.to = malloc(((size_t)a.replicas * topology_coordinates(o->of.on.topology) + 1) * sizeof *a.to);
  TRY_MEMORY(a.to != NULL, "an annealing", error);
  TRY(anneal_plans(&a, error));
  TRY(anneal_batches(&a, error));
  return anneal_choose(&a, bench, x, report, error);
}

/* --- basin hopping ------- */

static Status hop(const ClusterOptions *o, double *x, ClusterReport *report, Error *error)
{
  const Topology *t = o->of.on.topology;
  const bool small = t->nmol <= CLUSTER_SURE;
  const MinimaOptions options = {.of = o->of,
                                 .steps = minima_steps(t->nmol),
                                 .walkers = MINIMA_WALKERS,
                                 .cold = small ? MINIMA_COLD : hop_cold,
                                 .hot = small ? MINIMA_HOT : hop_hot,
                                 .keep = 1,
                                 .until_sure = true,
                                 .evaluations = cluster_effort(o).evaluations};
  SCOPED(isomers_free_at) Isomers *isomers = NULL;
  MinimaReport found;
  TRY(minima_search(&options, &isomers, &found, error));
  memcpy(x, isomers_at(isomers, 0).x, topology_coordinates(t) * sizeof *x);
  report->replicas = found.searches;
  report->same = found.agree;
  report->quenches = found.quenches;
  return STATUS_OK;
}

/* --- effort ------- */

/* The number of molecule pairs that a start may cost. */
static double affordable(const ClusterOptions *o)
{
  return o->work > 0.0 ? fmin(fmax(pairs_share * o->work, pairs_least), pairs_most) : pairs_most;
}

static ClusterEffort anneal_effort(double evaluations)
{
  ClusterEffort effort = {CLUSTER_ANNEALING, .replicas = ANNEALED};
  while (effort.replicas > LANES && evaluations / (effort.replicas * STAGES) < 10 * STAGE_STEPS_LEAST)
    effort.replicas -= LANES;
  const double steps = evaluations / (effort.replicas * STAGES);
  if (steps < STAGE_STEPS_LEAST) /* so large a drop would take minutes: only minimise it */
    return (ClusterEffort){.way = CLUSTER_LATTICE};
  effort.steps = steps > STAGE_STEPS ? STAGE_STEPS : (int)steps;
  return effort;
}

/* The number of molecules, at least a third of the number of atoms. */
static double size_of(const Topology *t) { return fmax(t->nmol, t->natom / 3.0); }

ClusterEffort cluster_effort(const ClusterOptions *o)
{
  const Topology *t = o->of.on.topology;
  if (t->nmol < 2 || !(o->anneal || o->thorough))
    return (ClusterEffort){.way = CLUSTER_LATTICE};
  const double evaluations = affordable(o) / (0.5 * size_of(t) * (size_of(t) - 1.0));
  if (t->nmol > (o->thorough || !cluster_anneals(t) ? CLUSTER_THOROUGH : CLUSTER_HOPPED))
    return cluster_anneals(t) ? anneal_effort(evaluations) : (ClusterEffort){.way = CLUSTER_LATTICE};
  return (ClusterEffort){CLUSTER_HOPPING,
                         .evaluations = o->thorough || t->nmol <= CLUSTER_SURE ? 0 : (int64_t)evaluations};
}

const char *cluster_begins(const ClusterOptions *o)
{
  return is_water(o->of.on.topology) ? "lattice" : "molecules beside each other";
}

/* Puts waters on a lattice, other molecules next to each other. */
static Status put_down(const ClusterOptions *o, const Bench *bench, double *x, Error *error)
{
  if (is_water(o->of.on.topology))
    return lattice(o, x, error);
  Moves *moves;
  RandomStream stream = random_stream(o->of.seed, 0, RANDOM_START);
  TRY(moves_create(&moves, o->of.on.topology, &bench->field, bench->state, error));
  moves_start(moves, &stream, x);
  moves_free(moves);
  return STATUS_OK;
}

static Status from_lattice(const ClusterOptions *o, ClusterWay way, Bench *bench, double *x,
                           ClusterReport *report, Error *error)
{
  QuenchResult result;
  TRY(put_down(o, bench, x, error));
  topology_to_origin(o->of.on.topology, x);
  if (o->anneal || o->minimise)
    TRY(bench_quench(bench, x, &rough, &result, error));
  return way == CLUSTER_ANNEALING ? anneal(o, bench, x, report, error) : STATUS_OK;
}

static Status finish(const ClusterOptions *o, Bench *bench, double *x, ClusterReport *report, Error *error)
{
  static const QuenchOptions still = {.tolerance = INFINITY}; /* evaluates energy and force only */
  QuenchResult result;
  const Status status = bench_quench(bench, x, o->minimise ? &fine : &still, &result, error);
  if (status != STATUS_OK)
    return error_prefix(error, "start configuration");
  report->energy = result.energy;
  report->force = result.force;
  report->converged = !o->minimise || result.converged;
  return STATUS_OK;
}

Status cluster_build(const ClusterOptions *options, double *x, ClusterReport *report, Error *error)
{
  *report = (ClusterReport){0};
  const ClusterWay way = cluster_effort(options).way;
  SCOPED(bench_free) Bench bench = {.options = options};
  TRY(bench_create(&bench, options, error));
  TRY(way == CLUSTER_HOPPING ? hop(options, x, report, error)
                             : from_lattice(options, way, &bench, x, report, error));
  TRY(finish(options, &bench, x, report, error));
  topology_to_origin(options->of.on.topology, x);
  return STATUS_OK;
}

/* --- saved starts ------- */

/* The recipe of a start, as name=value. It fits into a frame's title together with the checksum. */
typedef struct Recipe {
  char text[448];
} Recipe;

static void effort_words(const ClusterEffort *e, char *words, size_t size)
{
  if (e->way == CLUSTER_LATTICE)
    snprintf(words, size, "none");
  else if (e->way == CLUSTER_ANNEALING)
    snprintf(words, size, "anneal:%dx%d", e->replicas, e->steps);
  else if (e->evaluations > 0)
    snprintf(words, size, "hop:%" PRId64, e->evaluations);
  else
    snprintf(words, size, "hop");
}

static Recipe recipe_of(const ClusterOptions *o)
{
  LOCALE_PLAIN;
  const Topology *t = o->of.on.topology;
  const ClusterEffort effort = cluster_effort(o);
  char search[64], what[128] = "";
  effort_words(&effort, search, sizeof search);
  if (is_water(t))
    text_append(what, sizeof what, " mass_O=%.17g mass_H=%.17g", t->block[0]->mass[0], t->block[0]->mass[1]);
  if (o->digest != 0)
    text_append(what, sizeof what, " system=%016" PRIx64 " constraints=%d", o->digest, count_constraints(t));
  Recipe r;
  snprintf(r.text, sizeof r.text,
           "built: version=" HOLONOM_VERSION " model=%.64s molecules=%d spacing=%.17g seed=%" PRIu64
           " search=%s minimise=%d%s instructions=%s",
           o->name, t->nmol, o->spacing, o->of.seed, search, o->minimise, what, isa_name(o->of.isa));
  return r;
}

/* The checksum that detects an edited file. */
static uint64_t sum_of(const ClusterOptions *o, const double *x)
{
  return checksum_add(CHECKSUM_START, x, topology_coordinates(o->of.on.topology) * sizeof *x);
}

/* The path of a folder's start, or of the file itself; the caller frees it. */
static char *path_of(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) ? strdup(path) : file_path(path, CLUSTER_KEPT);
}

/* Reports the first word in which the recipes differ. */
static Status tell_difference(const char *path, const char *kept, const char *wanted, Error *error)
{
  for (;;) {
    const size_t a = strcspn(kept, " \""), b = strcspn(wanted, " ");
    if (a != b || strncmp(kept, wanted, a) != 0)
      return error_set(error, STATUS_INPUT,
                       "%s was built from another system section: it has %.*s, this run needs %.*s; read it "
                       "with system.start: file, or omit it",
                       path, (int)a, kept, (int)b, wanted);
    kept += a + (kept[a] == ' ');
    wanted += b + (wanted[b] == ' ');
    if (*wanted == '\0')
      return STATUS_OK;
  }
}

Status cluster_read(const ClusterOptions *o, const char *from, double *x, Error *error)
{
  const Recipe recipe = recipe_of(o);
  SCOPED(scoped_free) char *path = path_of(from);
  SCOPED(frame_free) Frame frame = {0};
  TRY_MEMORY(path != NULL, "a file name", error);
  if (access(path, F_OK) != 0)
    return error_set(error, STATUS_INPUT, "%s contains no start of an earlier run (" CLUSTER_KEPT ")", from);
  TRY(trajectory_read_first(path, &frame, error));
  const char *kept = strstr(frame.title, "built: "), *sum = strstr(frame.title, " sum=");
  if (kept == NULL || sum == NULL)
    return error_set(error, STATUS_INPUT,
                     "%s is not a start built by 'holonom run'; read it with system.start: file", path);
  TRY(tell_difference(path, kept, recipe.text, error));
  const Topology *t = o->of.on.topology;
  if (frame.natoms != t->natom || sum_of(o, &frame.positions[0][0]) != strtoull(sum + 5, NULL, 16))
    return error_set(error, STATUS_INPUT, "%s has been changed since it was built", path);
  memcpy(x, frame.positions, topology_coordinates(t) * sizeof *x);
  return STATUS_OK;
}

Status cluster_keep(const ClusterOptions *o, const double *x, const char *dir, Error *error)
{
  const Recipe recipe = recipe_of(o);
  char title[FRAME_TITLE];
  snprintf(title, sizeof title, "%s sum=%016" PRIx64, recipe.text, sum_of(o, x));
  const TrajectoryOptions options = {.replace = true, .owned = true, .exact = true, .title = title};
  SCOPED(scoped_free) char *path = file_path(dir, CLUSTER_KEPT);
  SCOPED(frame_free) Frame frame = {0};
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(structure_shape(o->of.on.topology, &(Box){0}, &frame, error));
  structure_fill(o->of.on.topology, NULL, x, NULL, &frame);
  return trajectory_write_one(path, NULL, &options, &frame, error);
}
