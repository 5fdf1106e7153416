#include "simulation/start/minima.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "engine/random.h"
#include "engine/units.h"
#include "integrators/lbfgs.h"
#include "simulation/start/moves.h"

static const double rough = 1e-2, fine = 1e-7; /* final forces of a trial quench, and of a returned minimum */
enum { EVALUATIONS = 3000, PATIENCE = 40 /* trials per molecule before a walker starts a new search */ };
/* The lowest minimum counts as found when ENDED independent searches have ended, as many are running, and
 * AGREEING of all have reached it. A minimum that a third of searches reach is missed by 16 searches once in
 * 650 cases, by 24 once in 17,000. ROUND: quenches of a batch between checks. TOLD: quenches between progress
 * reports. */
enum { ENDED = 16, AGREEING = 6, ROUND = 200, TOLD = 100 };

/* The purpose of the quench in a walker's lane. */
typedef enum Aim { FROM_START, TRIAL, KEEP } Aim;

typedef struct Walker {
  RandomStream random;
  double kT;
  Aim aim;
  double energy, lowest; /* present energy; lowest of this search */
  int64_t done, idle;    /* trials; trials since the lowest */
  bool agrees;           /* this search has reached the batch's lowest minimum */
  double *x, *trial;     /* [natom][3] */
} Walker;

typedef struct Batch {
  const MinimaOptions *options;
  State *state;
  ForceField field;
  Lbfgs *lbfgs;
  Walker walker[LANES];
  Isomers *isomers;
  Moves *moves;
  double *memory;
  double force;
  int64_t quenches, evaluations;
  int searches, agree; /* searches begun, and the number that reached the lowest minimum */
} Batch;

/* --- walkers ------- */

static void send(Batch *g, int lane, Aim aim)
{
  Walker *w = &g->walker[lane];
  w->aim = aim;
  topology_set(g->options->of.on.topology, g->state, STATE_POSITIONS, lane, w->trial);
  lbfgs_begin(g->lbfgs, 1U << lane, rough);
}

static void begin_anew(Batch *g, int lane)
{
  Walker *w = &g->walker[lane];
  w->lowest = INFINITY;
  w->idle = 0;
  w->agrees = false;
  g->searches++;
  moves_start(g->moves, &w->random, w->trial);
  send(g, lane, FROM_START);
}

static void decide(Walker *w, double energy, size_t coordinates)
{
  const bool taken = w->aim == FROM_START || energy <= w->energy ||
                     random_uniform(&w->random) < exp((w->energy - energy) / w->kT);
  if (!taken)
    return;
  w->energy = energy;
  memcpy(w->x, w->trial, coordinates * sizeof *w->x);
}

/* Counts a walker at a minimum if that is the lowest so far. A lower minimum resets all counts. */
static void count(Batch *g, Walker *w, double energy)
{
  if (isomers_add(g->isomers, energy, 0, 1, w->trial) != 0)
    return;
  if (isomers_at(g->isomers, 0).all == 1) {
    g->agree = 0;
    for (int r = 0; r < LANES; r++)
      g->walker[r].agrees = false;
  }
  g->agree += !w->agrees;
  w->agrees = true;
}

/* The quench in a lane has ended: evaluates it and begins the next. */
static void arrive(Batch *g, int lane)
{
  const Topology *const topology = g->options->of.on.topology;
  Walker *w = &g->walker[lane];
  const double energy = lbfgs_energy(g->lbfgs, lane), force = lbfgs_force(g->lbfgs, lane);
  const bool sound = isfinite(energy) && force <= (w->aim == KEEP ? fine : rough);
  if (sound) {
    topology_get(topology, g->state, STATE_POSITIONS, lane, w->trial);
    topology_to_origin(topology, w->trial);
  }
  if (sound && w->aim != KEEP) {
    const int known = isomers_find(g->isomers, energy, w->trial);
    if (known < 0 && isomers_wants(g->isomers, energy)) {
      if (w->aim == FROM_START)
        w->energy = INFINITY; /* accepted in any case */
      w->aim = KEEP;
      lbfgs_tighten(g->lbfgs, 1U << lane, fine);
      return;
    }
    if (known >= 0)
      count(g, w, energy);
  } else if (sound) {
    count(g, w, energy);
    g->force = fmax(g->force, force);
  }
  g->quenches++;
  g->evaluations += lbfgs_evaluations(g->lbfgs, lane);
  if (sound)
    decide(w, energy, topology_coordinates(topology));
  w->done++;
  w->idle = sound && energy < w->lowest - ISOMERS_ENERGY ? 0 : w->idle + 1;
  w->lowest = sound ? fmin(w->lowest, energy) : w->lowest;
  if (w->done >= g->options->steps)
    return;
  if (w->idle > (int64_t)PATIENCE * topology->nmol || !isfinite(w->lowest)) {
    begin_anew(g, lane);
    return;
  }
  moves_propose(g->moves, &w->random, w->x, w->trial);
  send(g, lane, TRIAL);
}

/* --- batches ------- */

static Status batch_create(Batch *g, const MinimaOptions *o, int number, Error *error)
{
  const Topology *const topology = o->of.on.topology;
  const size_t size = topology_coordinates(topology);
  g->options = o;
  TRY(topology_state(topology, LANES, o->of.seed, 0, &g->state, error));
  TRY(o->of.on.field(o->of.on.system, g->state, &g->field, error));
  TRY(lbfgs_create(&g->lbfgs, g->state, &g->field, o->of.isa, error));
  TRY(moves_create(&g->moves, topology, &g->field, g->state, error));
  TRY(isomers_create(&g->isomers, topology, o->keep, 1, error));
  g->memory = calloc(2 * LANES * size, sizeof *g->memory);
  TRY_MEMORY(g->memory != NULL, "walkers", error);
  for (int r = 0; r < LANES; r++) {
    const int walker = number * LANES + r;
    const double share = o->walkers > 1 ? (double)walker / (o->walkers - 1) : 0.0;
    g->walker[r] = (Walker){.random = random_stream(o->of.seed, (uint32_t)walker, RANDOM_SEARCH),
                            .kT = UNITS_BOLTZMANN * o->cold * pow(o->hot / o->cold, share),
                            .x = g->memory + 2 * (size_t)r * size,
                            .trial = g->memory + (2 * (size_t)r + 1) * size};
  }
  return STATUS_OK;
}

static void batch_free(Batch *g)
{
  isomers_free(g->isomers);
  lbfgs_free(g->lbfgs);
  force_field_free(&g->field);
  state_free(g->state);
  moves_free(g->moves);
  free(g->memory);
}

typedef struct Search {
  const MinimaOptions *options;
  int batches;
  Batch *batch;
  atomic_llong done; /* quenches of all batches */
} Search;

static void show(Search *search, const Batch *g, int64_t done)
{
  LOCALE_PLAIN;
  const MinimaOptions *o = search->options;
  const long long all = atomic_fetch_add(&search->done, done) + done;
  if (o->of.show == NULL || omp_get_thread_num() != 0 || isomers_number(g->isomers) == 0)
    return;
  char words[64];
  snprintf(words, sizeof words, "lowest %.4f kcal/mol", isomers_at(g->isomers, 0).energy);
  o->of.show(o->of.watcher, "basin hopping", all, o->steps * search->batches * LANES, words);
}

static bool over(const Batch *g)
{
  for (int r = 0; r < LANES; r++)
    if (g->walker[r].done < g->options->steps)
      return false;
  return true;
}

/* Runs until all trials are done, or for about `quenches` more. */
static Status batch_run(Search *search, Batch *g, int64_t quenches, Error *error)
{
  const MinimaOptions *o = search->options;
  const int64_t from = g->quenches;
  int64_t told = from;
  while (!over(g) && g->quenches - from < quenches) {
    if (flag_value(o->of.stop) != 0)
      return error_set(error, STATUS_RUN, "interrupted");
    TRY(lbfgs_step(g->lbfgs, error));
    const unsigned arrived = lbfgs_arrived(g->lbfgs);
    for (int r = 0; r < LANES; r++)
      if (g->walker[r].done < o->steps &&
          ((arrived >> r & 1) != 0 || lbfgs_evaluations(g->lbfgs, r) >= EVALUATIONS))
        arrive(g, r);
    if (g->quenches >= told + TOLD) {
      show(search, g, g->quenches - told);
      told = g->quenches;
    }
  }
  show(search, g, g->quenches - told);
  return STATUS_OK;
}

static Status create_batches(Search *search, Error *error)
{
  search->batch = calloc((size_t)search->batches, sizeof *search->batch);
  TRY_MEMORY(search->batch != NULL, "walkers", error);
  for (int i = 0; i < search->batches; i++) {
    TRY(batch_create(&search->batch[i], search->options, i, error));
    for (int r = 0; r < LANES; r++)
      begin_anew(&search->batch[i], r);
  }
  return STATUS_OK;
}

static void free_batches(const Search *search)
{
  for (int i = 0; i < search->batches && search->batch != NULL; i++)
    batch_free(&search->batch[i]);
  free(search->batch);
}

static Status run_batches(Search *search, int64_t quenches, Error *error)
{
  Status status = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(search->options->of.threads)
  for (int i = 0; i < search->batches; i++) {
    Error own = {0};
    const Status s = batch_run(search, &search->batch[i], quenches, &own);
    if (s != STATUS_OK) {
#pragma omp critical(minima_search)
      status = error_pass(error, s, &own);
    }
  }
  return status;
}

/* --- search ------- */

/* The batch with the lowest minimum; NULL: no batch has a minimum. */
static Batch *lowest_batch(const Search *search)
{
  Batch *best = NULL;
  for (int i = 0; i < search->batches; i++) {
    Batch *g = &search->batch[i];
    if (isomers_number(g->isomers) > 0 &&
        (best == NULL || isomers_at(g->isomers, 0).energy < isomers_at(best->isomers, 0).energy))
      best = g;
  }
  return best;
}

static void sum_up(const Search *search, MinimaReport *report)
{
  const Batch *best = lowest_batch(search);
  *report = (MinimaReport){0};
  for (int i = 0; i < search->batches; i++) {
    const Batch *g = &search->batch[i];
    report->quenches += g->quenches;
    report->evaluations += g->evaluations;
    report->force = fmax(report->force, g->force);
    report->searches += g->searches;
    if (isomers_number(g->isomers) == 0)
      continue;
    const Isomer own = isomers_at(g->isomers, 0);
    report->agree += isomers_find(best->isomers, own.energy, own.x) == 0 ? g->agree : 0;
  }
}

/* Whether the search may end. */
static bool enough(const Search *search, const MinimaReport *report)
{
  const MinimaOptions *o = search->options;
  bool all = true;
  for (int i = 0; i < search->batches; i++)
    all = all && over(&search->batch[i]);
  const bool sure = report->agree >= AGREEING && report->searches - search->batches * LANES >= ENDED;
  const bool long_enough = o->evaluations > 0 && report->evaluations >= o->evaluations;
  return all || (o->until_sure && sure) || (long_enough && report->agree > 0);
}

static Status gather(const Search *search, Isomers **isomers, Error *error)
{
  const MinimaOptions *o = search->options;
  if (lowest_batch(search) == NULL)
    return error_set(error, STATUS_RUN, "no quench reached a minimum");
  TRY(isomers_create(isomers, o->of.on.topology, o->keep, 1, error));
  for (int i = 0; i < search->batches; i++)
    isomers_merge(*isomers, search->batch[i].isomers, 0);
  return STATUS_OK;
}

Status minima_search(const MinimaOptions *o, Isomers **isomers, MinimaReport *report, Error *error)
{
  *isomers = NULL;
  *report = (MinimaReport){0};
  SCOPED(free_batches) Search search = {.options = o, .batches = o->walkers / LANES};
  const int64_t round = o->until_sure || o->evaluations > 0 ? ROUND : INT64_MAX;
  TRY(create_batches(&search, error));
  while (!enough(&search, report)) {
    TRY(run_batches(&search, round, error));
    sum_up(&search, report);
  }
  return gather(&search, isomers, error);
}
