/* holonom bench: measures speed and prints one line per figure: name<TAB>value<TAB>unit. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "base/ticks.h"
#include "bench/bench.h"
#include "cmd/command.h"
#include "engine/isa.h"
#include "engine/units.h"
#include "forcefields/pair.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/start/cluster.h"

SCOPED_POINTER(Topology, topology_free)

enum { KERNEL_REPEATS = 20000 };

typedef struct Bench {
  const WaterModel *model;
  Kind *kind;
  Isa isa;
  int threads;
} Bench;

/* A treatment of the bonds; figures without its name are those of the slower route. */
typedef struct Route {
  const char *name, *accel, *constraints;
  double w;
} Route;

static const Route routes[] = {{"settle", "verlet", "settle", 0.0}, {"zss", "zss", NULL, 100.0}};
enum { NROUTE = (int)(sizeof routes / sizeof *routes) };

static PlanOptions route_options(const Bench *b, const Route *r)
{
  return (PlanOptions){.word = "BABO",
                       .h = 0.05,
                       .accel = r->accel,
                       .beta = 0.4,
                       .w = r->w,
                       .hessian = HESSIAN_GAUSS_NEWTON,
                       .constraints = r->constraints,
                       .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                       .friction = FRICTION_UNIFORM,
                       .gamma = 0.01,
                       .kT = 10.06 * UNITS_BOLTZMANN,
                       .tangent = r->constraints == NULL,
                       .keep_heat = true,
                       .isa = b->isa};
}

typedef struct Making {
  const Bench *bench;
  PairPrecision precision;
} Making;

static Status make_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Making *m = self;
  field->n = 1;
  return pair_create(&field->force[0], m->bench->model, m->precision, shape, m->bench->isa, error);
}

static Status cluster_rate(const Bench *b, const Route *route, const double *x, int nmol, int replicas,
                           PairPrecision precision, int threads, double *rate, Error *error)
{
  const PlanOptions options = route_options(b, route);
  const Making making = {b, precision};
  const EnsembleOptions of = {.replicas = replicas,
                              .width = replicas == 1 ? 1 : (precision == PAIR_MIXED ? 16 : 8),
                              .threads = threads,
                              .maker = {&making, make_field}};
  BenchJob job;
  Status status = bench_job_create(&job, b->kind, nmol, &options, of, error);
  if (status == STATUS_OK)
    status = ensemble_start(job.ensemble, x, error);
  if (status == STATUS_OK)
    status = bench_rate(job.ensemble, rate, error);
  bench_job_free(&job);
  return status;
}

/* --- kernels ---------------------------------------------------------------------------------------------
 */

/* The seconds of one work(self) after prepare(self), which is not timed: the least of many, minus the time to
 * read the clock. */
static double time_call(void (*prepare)(void *self), void (*work)(void *self), void *self)
{
  double least = INFINITY, empty = INFINITY;
  for (int i = 0; i < KERNEL_REPEATS; i++) {
    prepare(self);
    const double start = ticks_seconds(), begin = ticks_seconds();
    work(self);
    const double end = ticks_seconds();
    least = fmin(least, end - begin);
    empty = fmin(empty, begin - start);
  }
  return least - empty;
}

/* Seven molecules of eight replicas, the content of a batch in the L1 cache. */
enum { KERNEL_MOLECULES = 7 };

typedef struct KernelBench {
  State *state;
  Pack pack[KERNEL_MOLECULES]; /* as in a walk */
  Vec8 *q, *moved, *p, *f;     /* start of each call; moved = q + h M^-1 p */
  size_t bytes;
  const AccelMap *map;
  Accel *accel;
  const ConstraintSolver *ops;
  void *constraints;
  Projector *projector;
  const OuKernels *kernels;
  Ou *ou;
  Vec8Word key[2];
  int64_t step;
} KernelBench;

static void prepare_rigid(void *self)
{
  KernelBench *k = self;
  memcpy(k->state->block[0].q, k->q, k->bytes);
  memcpy(k->state->block[0].f, k->f, k->bytes);
}

static void prepare_moved(void *self)
{
  KernelBench *k = self;
  memcpy(k->state->block[0].q, k->moved, k->bytes);
  memcpy(k->state->block[0].p, k->p, k->bytes);
}

static void work_accel(void *self)
{
  KernelBench *k = self;
  for (int i = 0; i < KERNEL_MOLECULES; i++)
    (void)k->map->apply(k->accel, &k->pack[i], NULL);
}

/* One loop after the other, as in a step, where forces come between them. */
static void work_settle(void *self)
{
  KernelBench *k = self;
  for (int i = 0; i < KERNEL_MOLECULES; i++)
    (void)k->ops->positions(k->constraints, 0.05, k->q + 9 * i, &k->pack[i], NULL);
  for (int i = 0; i < KERNEL_MOLECULES; i++)
    projector_apply(k->projector, &k->pack[i], NULL);
}

/* The letter O: nine normals per molecule, scaled and added to decayed momenta. */
static void work_noise(void *self)
{
  KernelBench *k = self;
  for (int i = 0; i < KERNEL_MOLECULES; i++) {
    const NoiseAddress at = {k->key, k->step, 0};
    k->kernels->step(k->ou, &at, &k->pack[i]);
  }
  k->step++;
}

static Status kernel_create(KernelBench *k, const Bench *b, const double *x, Error *error)
{
  memset(k, 0, sizeof *k);
  const Kind *kind = b->kind;
  const int nmol = KERNEL_MOLECULES;
  Status status = state_create(&k->state, LANES, 1, &kind, &nmol, 1, 0, error);
  if (status != STATUS_OK)
    return status;
  Block *block = &k->state->block[0];
  k->bytes = 9 * (size_t)block->npack * sizeof(Vec8);
  k->q = aligned_alloc(sizeof(Vec8), k->bytes);
  k->moved = aligned_alloc(sizeof(Vec8), k->bytes);
  k->p = aligned_alloc(sizeof(Vec8), k->bytes);
  k->f = aligned_alloc(sizeof(Vec8), k->bytes);
  if (k->q == NULL || k->moved == NULL || k->p == NULL || k->f == NULL)
    return error_memory(error, "a benchmark");
  for (int r = 0; r < LANES; r++)
    state_set(block, LANES, block->q, r, x);
  memcpy(k->q, block->q, k->bytes);
  RandomStream stream = random_stream(1, 0, RANDOM_TEST);
  for (size_t i = 0; i < k->bytes / sizeof(double); i++) {
    ((double *)k->p)[i] = 0.3 * random_normal(&stream);
    ((double *)k->f)[i] = 3.0 * random_normal(&stream);
  }
  for (int i = 0; i < 9 * KERNEL_MOLECULES; i++)
    k->moved[i] = k->q[i] + 0.05 / kind->mass[i % 9 / 3] * k->p[i];
  for (int i = 0; i < KERNEL_MOLECULES; i++)
    k->pack[i] = state_pack(k->state, block, i);
  const ConstraintOptions tight = {.tolerance = 1e-12, .max_iterations = 50};
  k->map = accel_map_find("zss");
  k->ops = constraint_solver_find("settle");
  k->kernels = ou_kernels(b->isa);
  random_keys(1, k->pack[0].replica, RANDOM_THERMOSTAT, k->key);
  status = k->ops->create(&k->constraints, kind, &tight, b->isa, error);
  if (status == STATUS_OK)
    status = projector_create(&k->projector, kind, NULL, true, b->isa, error);
  if (status == STATUS_OK)
    status = ou_create(&k->ou, kind, FRICTION_UNIFORM, 0.01, 0.05, 0.02, error);
  return status;
}

static void kernel_free(KernelBench *k)
{
  ou_free(k->ou);
  projector_free(k->projector);
  if (k->constraints != NULL)
    k->ops->free(k->constraints);
  free(k->q);
  free(k->moved);
  free(k->p);
  free(k->f);
  state_free(k->state);
}

static Status kernel_figures(const Bench *b, const double *x, Error *error)
{
  KernelBench *k = aligned_alloc(sizeof(Vec8), (sizeof *k + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  if (k == NULL)
    return error_memory(error, "a benchmark");
  Status status = kernel_create(k, b, x, error);
  const double molecules = KERNEL_MOLECULES * LANES;
  double slowest = 0.0;
  static const char *const name[2] = {"solve.zss.full", "solve.zss.gauss_newton"};
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    const AccelOptions options = {
        .h = 0.05, .beta = 0.4, .w = 100.0, .hessian = i == 0 ? HESSIAN_FULL : HESSIAN_GAUSS_NEWTON};
    status = accel_create(&k->accel, k->map, b->kind, &options, b->isa, error);
    if (status != STATUS_OK)
      break;
    const double ns = 1e9 * time_call(prepare_rigid, work_accel, k) / molecules;
    slowest = fmax(slowest, ns);
    printf("%s\t%.2f\tns\n", name[i], ns);
    accel_free(k->accel);
  }
  if (status == STATUS_OK) {
    printf("solve.zss\t%.2f\tns\n", slowest);
    printf("solve.settle\t%.2f\tns\n", 1e9 * time_call(prepare_moved, work_settle, k) / molecules);
    printf("normals\t%.3f\tns\n", 1e9 * time_call(prepare_moved, work_noise, k) / (9 * molecules));
    fflush(stdout);
  }
  kernel_free(k);
  free(k);
  return status;
}

/* --- figures ---------------------------------------------------------------------------------------------
 */

typedef struct Figure {
  const char *name;
  int nmol, replicas; /* replicas per thread for ensembles                     */
  PairPrecision precision;
} Figure;

static const Figure figures[] = {
    {"cluster7.ensemble", 7, 512, PAIR_DOUBLE},
    {"cluster7.ensemble.mixed", 7, 512, PAIR_MIXED},
    {"cluster7.single", 7, 1, PAIR_DOUBLE},
    {"cluster100.ensemble", 100, 32, PAIR_DOUBLE},
    {"cluster100.ensemble.mixed", 100, 32, PAIR_MIXED},
    {"cluster100.single", 100, 1, PAIR_DOUBLE},
};

static Status figure(const Bench *b, const Figure *f, const double *x, Error *error)
{
  double slowest = INFINITY;
  /* A trajectory of seven waters runs on one core; with a hundred waters, threads share the pairs. */
  const int threads = f->nmol == 7 && f->replicas == 1 ? 1 : b->threads;
  for (int i = 0; i < NROUTE; i++) {
    double rate = 0.0;
    const Status status =
        cluster_rate(b, &routes[i], x, f->nmol, f->replicas * (f->replicas > 1 ? threads : 1), f->precision,
                     threads, &rate, error);
    if (status != STATUS_OK)
      return status;
    printf("%s.%s\t%.0f\treplica-steps/s\n", f->name, routes[i].name, rate);
    slowest = fmin(slowest, rate);
  }
  printf("%s\t%.0f\treplica-steps/s\n", f->name, slowest);
  fflush(stdout);
  return STATUS_OK;
}

static Status start_field(const void *self, const State *state, ForceField *field, Error *error)
{
  const Bench *b = self;
  field->n = 1;
  return pair_create(&field->force[0], b->model, PAIR_DOUBLE, state, b->isa, error);
}

static Status build(const Bench *b, int nmol, double *x, Error *error)
{
  SCOPED(topology_free_at) Topology *topology = NULL;
  const Kind *const kind = b->kind;
  ClusterReport report;
  TRY(topology_of_kinds(&topology, 1, &kind, &nmol, error));
  const ClusterOptions start = {
      .of = {.on = {topology, start_field, b}, .seed = 1, .threads = b->threads, .isa = b->isa},
      .spacing = 3.1,
      .minimise = true};
  return cluster_build(&start, x, &report, error);
}

static Status cluster(const Bench *b, Error *error)
{
  double x[900];
  for (size_t i = 0, built = 0; i < sizeof figures / sizeof *figures; i++) {
    if (built != (size_t)figures[i].nmol)
      TRY(build(b, figures[i].nmol, x, error));
    if (built == 0)
      TRY(kernel_figures(b, x, error));
    built = (size_t)figures[i].nmol;
    TRY(figure(b, &figures[i], x, error));
  }
  return STATUS_OK;
}

static Status all_clusters(Isa isa, int threads, Error *error)
{
  Bench b = {.model = water_find("tip3p"), .isa = isa, .threads = threads};
  Status status = water_kind(b.model, WATER_MASS_O, WATER_MASS_H, &b.kind, error);
  if (status == STATUS_OK)
    status = cluster(&b, error);
  kind_free(b.kind);
  return status;
}

static const struct {
  const char *name;
  Status (*print)(Isa isa, int threads, Error *error);
} subjects[] = {{"cluster", all_clusters},    {"pendulum", bench_pendulum_print},
                {"chain", bench_chain_print}, {"ladder", bench_ladder_print},
                {"mesh", bench_mesh_print},   {"pairs", bench_pairs_print},
                {"bulk", bench_bulk_print},   {"million", bench_bulk_million}};
enum { NSUBJECT = (int)(sizeof subjects / sizeof *subjects) };

static const char *subject(int i) { return i < NSUBJECT ? subjects[i].name : NULL; }

typedef struct Call {
  int threads;
  const char *isa;
} Call;

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  const Call *call = self;
  const int threads = call->threads > 0 ? call->threads : omp_get_num_procs();
  Isa isa;
  TRY(call->isa != NULL ? isa_find(call->isa, &isa, error) : isa_wanted(&isa, error));
  int i = 0;
  while (strcmp(operand[0], subjects[i].name) != 0) /* the caller has checked it */
    i++;
  return subjects[i].print(isa, threads, error);
}

static const CommandOption options[] = {
    {"threads", 0, "N", "Threads of ensembles and of large systems; default: all processors.",
     COMMAND_TO(threads), 1, 4096},
    {"isa", 0, "NAME", "Instruction set: best, plain, avx2, avx512.", COMMAND_TO(isa)},
    {.name = NULL}};

const Command command_bench = {
    .name = "bench",
    .summary = "measures speed on this machine",
    .operands = "SUBJECT",
    .subject = "subject",
    .least = 1,
    .most = 1,
    .choice = subject,
    .doc =
        "Measures speed and prints one line per figure: name, value and unit, separated by tabs. The "
        "subjects:\n"
        "  cluster   water clusters: Langevin dynamics in steps of 2.4 fs, with constraints (SETTLE) and "
        "with\n"
        "            penalties (Zhang-Skeel); figures without a route's name are those of the slower\n"
        "  pendulum  the planar double pendulum: one trajectory on one core by several methods, and an\n"
        "            ensemble of 10,000 initial conditions by Zhang-Skeel\n"
        "  chain     hanging chains of 10 to 10,000 links in the plane, SHAKE with each constraint solver, "
        "on one\n"
        "            core: one chain, and an ensemble of 8\n"
        "  ladder    replica exchange of 8 TIP4P waters at 32 temperatures, every 100 steps, and the plain\n"
        "            ensemble of the same size\n"
        "  mesh      particle-mesh Ewald of 4,055 to 333,333 waters: sorting, spreading, transforms, "
        "gathering\n"
        "  pairs     periodic boxes of 884, 4,055 and 32,773 waters on one core: a neighbour list of 9.5 A, "
        "and\n"
        "            the force of its pairs up to 9 A, in mixed and in double precision: plain, with "
        "energies,\n"
        "            with a switch between molecules, and for TIP4P\n"
        "  bulk      periodic boxes of 884, 4,055 and 32,773 TIP3P waters: Langevin dynamics in steps of 2 "
        "fs,\n"
        "            particle-mesh Ewald; 4,055 also on one thread, in parts, and in steps of 8 fs\n"
        "  million   boxes of 33,333 and 333,333 waters: time and memory",
    .option = options,
    .size = sizeof(Call),
    .run = run,
};
