#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/scoped.h"
#include "base/ticks.h"
#include "bench/bench.h"
#include "engine/units.h"
#include "forcefields/periodic.h"
#include "simulation/simulation.h"

SCOPED_POINTER(Simulation, simulation_free)

static const double kelvin = 298.15, cutoff = 9.0; /* A */
static const double femtoseconds = 2.0, friction_ps = 1.0;
/* Production runs write energies and pressure at this interval. */
enum { ENERGIES_EVERY = 100 };

/* A box of water, nearly equilibrated. */
typedef struct Liquid {
  const WaterModel *model;
  Kind *kind;
  int n, threads;
  Isa isa;
  Box box;
  double *x;
} Liquid;

/* --- making ----------------------------------------------------------------------------------------------
 */

static Status make_field(const void *self, const State *state, ForceField *field, Error *error)
{
  const Liquid *l = self;
  const PeriodicOptions options = {.model = l->model,
                                   .nonbonded = {.cutoff = cutoff, .tail = true, .mixed = true},
                                   .kT = kelvin * UNITS_BOLTZMANN,
                                   .h = femtoseconds / UNITS_AKMA_FS,
                                   .threads = l->threads,
                                   .isa = l->isa};
  const Status status = periodic_create(&field->force[0], &options, state, error);
  field->n = status == STATUS_OK;
  return status;
}

/* Starts a word on the liquid. */
static Status job_start(BenchJob *job, const Liquid *l, const char *word, double fs, double per_ps,
                        Error *error)
{
  const PlanOptions o = {.word = word,
                         .h = fs / UNITS_AKMA_FS,
                         .accel = "verlet",
                         .constraints = "settle",
                         .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                         .friction = FRICTION_MASS,
                         .gamma = per_ps * 1e-3 * UNITS_AKMA_FS,
                         .kT = kelvin * UNITS_BOLTZMANN,
                         .isa = l->isa};
  const EnsembleOptions of = {
      .box = l->box, .replicas = 1, .width = 1, .threads = l->threads, .maker = {l, make_field}};
  const Status status = bench_job_create(job, l->kind, l->n, &o, of, error);
  return status == STATUS_OK ? ensemble_start(job->ensemble, l->x, error) : status;
}

static void liquid_free(Liquid *l)
{
  kind_free(l->kind);
  free(l->x);
}

/* Opens the liquid as a simulation, with friction in 1/ps and one more line of input. */
static Status boxed(const Liquid *l, double friction, const char *more, Simulation **box, Error *error)
{
  char text[512];
  snprintf(text, sizeof text,
           "system: {model: %s, molecules: %d, box: [%.17g, %.17g, %.17g]}\ngeometry: {method: settle}\n"
           "forces: {cutoff: %.17g}\nensemble: {threads: %d}\n"
           "integrator: {word: BAOAB, timestep: %.17g fs, steps: 100000}\n"
           "thermostat: {temperature: %.17g K, convention: mass, friction: %g 1/ps}\n%s\n",
           l->model->name, l->n, box_length(&l->box, 0), box_length(&l->box, 1), box_length(&l->box, 2),
           cutoff, l->threads, femtoseconds, kelvin, friction, more);
  return simulation_parse(box, "bench", text, NULL, 0, error);
}

/* Melts a lattice into a liquid. */
static Status melt(Liquid *l, Error *error)
{
  enum { STEPS = 500 };
  SCOPED(simulation_free_at) Simulation *box = NULL;
  TRY(boxed(l, 5.0, "", &box, error));
  TRY(simulation_step(box, STEPS, NULL, error));
  return simulation_get(box, SIMULATION_POSITIONS, 0, l->x, error);
}

/* side in A. */
static Status liquid_create(Liquid *l, int n, double side, int threads, Isa isa, Error *error)
{
  *l = (Liquid){.model = water_find("tip3p"),
                .n = n,
                .threads = threads,
                .isa = isa,
                .box = box_brick(side, side, side),
                .x = malloc(9 * (size_t)n * sizeof(double))};
  if (l->x == NULL)
    return error_memory(error, "a box of water");
  const Status status = water_kind(l->model, WATER_MASS_O, WATER_MASS_H, &l->kind, error);
  return status == STATUS_OK ? melt(l, error) : status;
}

/* --- figures ---------------------------------------------------------------------------------------------
 */

static void print_time(const char *name, const char *what, double seconds)
{
  printf("%s%s\t%.4f\tms/step\n", name, what, 1e3 * seconds);
}

static void print_perday(const char *name, const char *what, double seconds, double fs)
{
  printf("%s%s\t%.1f\tns/day\n", name, what, 86400.0 * fs * 1e-6 / seconds);
}

/* Measures the seconds per step of a word. */
static Status time_word(const Liquid *l, const char *word, double fs, double *seconds, Error *error)
{
  BenchJob job;
  double rate = 0.0;
  Status status = job_start(&job, l, word, fs, friction_ps, error);
  if (status == STATUS_OK)
    status = bench_rate(job.ensemble, &rate, error);
  *seconds = 1.0 / rate;
  bench_job_free(&job);
  return status;
}

static const PeriodicCost parts[] = {PERIODIC_PAIRS, PERIODIC_LIST,   PERIODIC_SPREAD,
                                     PERIODIC_FFT,   PERIODIC_GATHER, PERIODIC_OTHER};
enum { SPLIT = (int)(sizeof parts / sizeof *parts), SPLIT_STEPS = 1024 };

/* The parts of one step, s: those of the force, those of the walk, energies. */
enum { CONSTRAINTS = SPLIT, NOISE, MOVES, OUTPUT, FIGURES };
static const char *const figure_names[FIGURES] = {".pairs", ".list",        ".spread", ".fft",   ".gather",
                                                  ".stage", ".constraints", ".noise",  ".moves", ".output"};

typedef struct Split {
  double seconds[FIGURES], barriers;
} Split;

typedef struct Energies {
  double terms[EWALD_TERMS], kinetic, penalty, largest;
  WalkPressure pressure;
} Energies;

static Status take_energies(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  (void)due;
  (void)batch;
  Energies *e = self;
  Topology *topology;
  TRY(topology_of_state(&topology, sample->state, error));
  const WalkEnergies to = {&e->kinetic, e->terms, &e->penalty, &e->largest, &e->pressure, NULL, NULL};
  e->pressure.topology = topology;
  const Status status = sample_energies(sample, &to, error);
  topology_free(topology);
  return status;
}

/* Prints the chosen mesh and lists, and their estimated force errors. */
static void print_choice(const Force *force, const char *name)
{
  const PmeChoice *const c = periodic_choice(force);
  printf("%s.grid\t%d\tpoints a side\n", name, c->grid[0]);
  printf("%s.order\t%d\tof the splines\n", name, c->order);
  printf("%s.beta\t%.4f\t1/A\n", name, c->beta);
  printf("%s.buffer\t%.3f\tA\n", name, periodic_options(force)->nonbonded.buffer);
  printf("%s.error\t%.5f\tkcal/mol/A\n", name, hypot(c->real, c->mesh));
}

/* Prints how evenly threads share the pairs, also for more threads than are used. */
static void print_imbalance(const Force *force, const char *name)
{
  static const int threads[] = {2, 8, 16, 64};
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
    printf("%s.imbalance.%d\t%.3f\ttimes the mean of the threads' pairs\n", name, threads[i],
           periodic_imbalance(force, threads[i]));
}

/* Measures the parts by the clocks of the force and the walk, energies by repetition. With a name, also
 * prints the choices. */
static Status measure_split(const Liquid *l, const char *name, Split *split, Error *error)
{
  BenchJob job;
  *split = (Split){0};
  Status status = job_start(&job, l, "BAOAB", femtoseconds, friction_ps, error);
  double before[PERIODIC_COSTS], after[PERIODIC_COSTS], walk[COST_COUNT];
  int64_t timed = 0, steps = 0, barriers = 0;
  if (status == STATUS_OK) {
    if (name != NULL)
      print_choice(&ensemble_field(job.ensemble)->force[0], name);
    periodic_times(&ensemble_field(job.ensemble)->force[0], before);
    barriers = ensemble_barriers(job.ensemble);
    status = ensemble_run(job.ensemble, SPLIT_STEPS, NULL, error);
  }
  if (status == STATUS_OK) {
    if (name != NULL)
      print_imbalance(&ensemble_field(job.ensemble)->force[0], name);
    split->barriers = (double)(ensemble_barriers(job.ensemble) - barriers) / SPLIT_STEPS;
    periodic_times(&ensemble_field(job.ensemble)->force[0], after);
    for (int i = 0; i < SPLIT; i++)
      split->seconds[i] = (after[parts[i]] - before[parts[i]]) / SPLIT_STEPS;
    ensemble_clock(job.ensemble, walk, &timed, &steps);
    const double each = 1.0 / (double)(timed > 0 ? timed : 1); /* summed over threads, like the steps */
    split->seconds[CONSTRAINTS] = walk[COST_SOLVES] * each;
    split->seconds[NOISE] = walk[COST_NOISE] * each;
    split->seconds[MOVES] = walk[COST_MOVES] * each;
  }
  Energies energies;
  const Sampler sampler = {.self = &energies, .every = {1}, .sample = take_energies};
  double least = INFINITY;
  for (int i = 0; i < 20 && status == STATUS_OK; i++) {
    const double start = ticks_seconds();
    status = ensemble_sample(job.ensemble, &sampler, 1, error);
    least = fmin(least, ticks_seconds() - start);
  }
  split->seconds[OUTPUT] = least / ENERGIES_EVERY;
  bench_job_free(&job);
  return status;
}

/* A part that takes a with one thread and b with n keeps (n b - a)/(n - 1) with any number of threads. Prints
 * this fixed part, waiting included, in percent of a step on one thread. */
static void print_fixed(const char *name, int threads, const Split *one, const Split *all)
{
  double step = 0.0, sum = 0.0;
  for (int i = 0; i < FIGURES; i++)
    step += one->seconds[i];
  for (int i = 0; i < FIGURES; i++) {
    const double fixed = (threads * all->seconds[i] - one->seconds[i]) / (threads - 1);
    printf("%s%s.one\t%.4f\tms/step\n", name, figure_names[i], 1e3 * one->seconds[i]);
    printf("%s%s.fixed\t%.2f\t%% of a step on one thread\n", name, figure_names[i], 100.0 * fixed / step);
    sum += fixed;
  }
  printf("%s.fixed\t%.2f\t%% of a step on one thread\n", name, 100.0 * sum / step);
  printf("%s.barriers\t%.1f\ta step\n", name, all->barriers);
}

/* Prints the parts of one step, with all threads and with one. */
static Status print_split(Liquid *l, const char *name, Error *error)
{
  const int threads = l->threads;
  Split all, one;
  Status status = measure_split(l, name, &all, error);
  for (int i = 0; i < FIGURES && status == STATUS_OK; i++)
    print_time(name, figure_names[i], all.seconds[i]);
  if (threads == 1 || status != STATUS_OK)
    return status;
  l->threads = 1;
  status = measure_split(l, NULL, &one, error);
  l->threads = threads;
  if (status == STATUS_OK)
    print_fixed(name, threads, &one, &all);
  return status;
}

/* Prints the cost of a box change, as a barostat makes it, relative to a force: the change, and the force
 * after it. */
static Status print_box(const Liquid *l, const char *name, Error *error)
{
  enum { TIMES = 40 };
  double force = INFINITY, change = INFINITY, after = INFINITY;
  BenchJob job;
  Status status = job_start(&job, l, "BAOAB", femtoseconds, friction_ps, error);
  for (int i = 0; i < TIMES && status == STATUS_OK; i++) {
    double last = ticks_seconds();
    status = ensemble_ready(job.ensemble, error);
    force = fmin(force, ticks_lap(&last));
  }
  for (int i = 0; i < TIMES && status == STATUS_OK; i++) {
    Box box = l->box;
    for (int d = 0; d < 3; d++)
      box.h[d][d] *= i % 2 == 0 ? 1.0002 : 1.0;
    status = box_set(&box, (const double(*)[3])box.h, error);
    double last = ticks_seconds();
    if (status == STATUS_OK)
      status = ensemble_set_box(job.ensemble, 0, &box, error);
    change = fmin(change, ticks_lap(&last));
    if (status == STATUS_OK)
      status = ensemble_ready(job.ensemble, error);
    after = fmin(after, ticks_lap(&last));
  }
  bench_job_free(&job);
  if (status != STATUS_OK)
    return status;
  printf("%s.force\t%.4f\tms\n", name, 1e3 * force);
  printf("%s.box\t%.1f\t%% of a force: a change of box\n", name, 100.0 * change / force);
  printf("%s.box.after\t%.1f\t%% of a force: the force after it\n", name, 100.0 * after / force);
  return STATUS_OK;
}

/* Constant volume, and each barostat. */
static const char *const barostats[] = {"", "monte-carlo", "rescale"};
enum { BAROSTATS = (int)(sizeof barostats / sizeof *barostats) };

/* The seconds of STEPS steps of each, in turn, the fastest of several. box: freed by the caller. */
static Status time_barostats(const Liquid *l, Simulation *box[], double seconds[], Error *error)
{
  enum { TIMES = 6, STEPS = 100 };
  for (int k = 0; k < BAROSTATS; k++) {
    char line[96] = "";
    if (k > 0)
      snprintf(line, sizeof line, "barostat: {type: %s, pressure: 1 bar, every: 25}", barostats[k]);
    TRY(boxed(l, friction_ps, line, &box[k], error));
    TRY(simulation_start(box[k], NULL, error));
    TRY(simulation_set(box[k], SIMULATION_POSITIONS, 0, l->x, error));
    TRY(simulation_step(box[k], STEPS, NULL, error));
    seconds[k] = INFINITY;
  }
  for (int i = 0; i < TIMES * BAROSTATS; i++) {
    double last = ticks_seconds();
    TRY(simulation_step(box[i % BAROSTATS], STEPS, NULL, error));
    seconds[i % BAROSTATS] = fmin(seconds[i % BAROSTATS], ticks_lap(&last));
  }
  return STATUS_OK;
}

static Status print_barostats(const Liquid *l, const char *name, Error *error)
{
  Simulation *box[BAROSTATS] = {NULL};
  double seconds[BAROSTATS];
  const Status status = time_barostats(l, box, seconds, error);
  for (int k = 0; k < BAROSTATS; k++) {
    simulation_free(box[k]);
    if (k > 0 && status == STATUS_OK)
      printf("%s.%s\t%.1f\t%% of a step: constant pressure, moves every 25 steps\n", name, barostats[k],
             100.0 * (seconds[k] / seconds[0] - 1.0));
  }
  return status;
}

typedef struct Size {
  const char *name;
  int n;
  double side; /* A */
} Size;

static const Size sizes[] = {{"bulk884", 884, 30.0}, {"bulk4055", 4055, 50.0}, {"bulk32773", 32773, 100.0}};
enum { NSIZE = (int)(sizeof sizes / sizeof *sizes), MIDDLE = 1 };
static const char *const long_word = "BAAAOAAAB";
static const double long_fs = 8.0;

/* Prints figures with one thread, the parts of a step, and long steps. */
static Status print_more(Liquid *l, const char *name, double seconds, Error *error)
{
  const int threads = l->threads;
  double alone, longer;
  l->threads = 1;
  Status status = time_word(l, "BAOAB", femtoseconds, &alone, error);
  l->threads = threads;
  if (status == STATUS_OK) {
    printf("%s.speedup\t%.3f\ttimes\n", name, alone / seconds);
    status = print_split(l, name, error);
  }
  if (status == STATUS_OK)
    status = time_word(l, long_word, long_fs, &longer, error);
  if (status == STATUS_OK) {
    print_time(name, ".8fs", longer);
    print_perday(name, ".8fs.perday", longer, long_fs);
  }
  return status;
}

Status bench_bulk_print(Isa isa, int threads, Error *error)
{
  Status status = STATUS_OK;
  if (setenv("HOLONOM_ISA", isa_name(isa), 1) != 0) /* simulations read the set from the environment */
    return error_memory(error, "the environment");
  for (int i = 0; i < NSIZE && status == STATUS_OK; i++) {
    Liquid l;
    double seconds = 0.0;
    status = liquid_create(&l, sizes[i].n, sizes[i].side, threads, isa, error);
    if (status == STATUS_OK)
      status = time_word(&l, "BAOAB", femtoseconds, &seconds, error);
    if (status == STATUS_OK) {
      print_time(sizes[i].name, "", seconds);
      print_perday(sizes[i].name, ".perday", seconds, femtoseconds);
    }
    if (status == STATUS_OK)
      status = print_box(&l, sizes[i].name, error);
    if (status == STATUS_OK)
      status = print_barostats(&l, sizes[i].name, error);
    if (status == STATUS_OK && i == MIDDLE)
      status = print_more(&l, sizes[i].name, seconds, error);
    fflush(stdout);
    liquid_free(&l);
  }
  return status;
}

Status bench_bulk_million(Isa isa, int threads, Error *error)
{
  static const Size large[2] = {{"bulk33333", 33333, 100.6}, {"bulk333333", 333333, 216.7}};
  double each[2] = {0.0, 0.0};
  Status status = STATUS_OK;
  for (int i = 0; i < 2 && status == STATUS_OK; i++) {
    Liquid l;
    double seconds = 0.0;
    status = liquid_create(&l, large[i].n, large[i].side, threads, isa, error);
    if (status == STATUS_OK)
      status = time_word(&l, "BAOAB", femtoseconds, &seconds, error);
    each[i] = seconds / large[i].n;
    if (status == STATUS_OK)
      print_time(large[i].name, "", seconds);
    fflush(stdout);
    liquid_free(&l);
  }
  struct rusage use;
  if (status == STATUS_OK && getrusage(RUSAGE_SELF, &use) == 0) {
    printf("bulk333333.memory\t%.2f\tGB\n", (double)use.ru_maxrss * 1024e-9);
    printf("bulk333333.cost\t%.3f\ttimes that of an atom of bulk33333\n", each[1] / each[0]);
  }
  return status;
}
