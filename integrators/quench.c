#include "integrators/quench.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/letters.h"
#include "integrators/quench_rigid.h"

/* FIRE's constants, and the largest time step for the librations of a hydrogen (AKMA). */
static const double fire_alpha = 0.1, fire_decay = 0.99, fire_grow = 1.1, fire_shrink = 0.5;
static const double dt_start = 0.02, dt_largest = 0.15, move_largest = 0.1;
enum { FIRE_PATIENCE = 5, PIECE_PACKS = 64, THREADS_MOST = 1024 };

typedef struct Sums {
  double power, pp, ff;         /* f.v, |p|^2, |f|^2                              */
  double largest, speed, accel; /* max |f|, max |v|, max |f|/m; largest is NaN if any f is NaN */
} Sums;

/* A piece of one block: sums are added piece by piece, so that they do not depend on the threads. */
typedef struct Piece {
  int rigid, begin, end;
  Sums sums;
  int failed; /* a molecule that could not be kept rigid, counted from 1; 0: no such molecule */
} Piece;

/* Data that all threads share. */
typedef struct Fire {
  State *state;
  const ForceField *field;
  const QuenchOptions *options;
  const LetterKernels *letters;
  QuenchRigid *rigid; /* [nblock] */
  Piece *piece;
  int npiece;
  size_t stride, scratch; /* vectors: of the largest molecule; of the solvers' and projectors' scratch */
  TeamBarrier barrier;
  atomic_int halt; /* a stop was requested */
  double energy[FORCE_TERMS * FORCES_MAX];
} Fire;

/* Data of each thread: its own memory, and the same numbers as all others. */
typedef struct Runner {
  Fire *fire;
  Team team;
  Vec8 *old, *memory;
  double dt, alpha;
  int downhill;
} Runner;

/* --- making ----------------------------------------------------------------------------------------------
 */

static void make_pieces(Fire *fire)
{
  fire->npiece = 0;
  for (int b = 0; b < fire->state->nblock; b++) {
    const int npack = fire->state->block[b].npack;
    if (fire->state->block[b].kind->frozen && !fire->options->thaw)
      continue;
    for (int begin = 0; begin < npack; begin += PIECE_PACKS)
      fire->piece[fire->npiece++] = (Piece){
          .rigid = b, .begin = begin, .end = begin + PIECE_PACKS < npack ? begin + PIECE_PACKS : npack};
  }
}

static Status fire_create(Fire *fire, State *state, const ForceField *field, const QuenchOptions *options,
                          Isa isa, Error *error)
{
  *fire = (Fire){.state = state, .field = field, .options = options, .letters = letter_kernels(isa)};
  size_t pieces = 0;
  for (int b = 0; b < state->nblock; b++)
    pieces += (size_t)(state->block[b].npack + PIECE_PACKS - 1) / PIECE_PACKS;
  fire->rigid = calloc((unsigned)state->nblock, sizeof *fire->rigid);
  fire->piece = calloc(pieces + 1, sizeof *fire->piece);
  TRY_MEMORY(fire->rigid != NULL && fire->piece != NULL, "a minimisation", error);
  make_pieces(fire);
  for (int b = 0; b < state->nblock; b++) {
    QuenchRigid *rigid = &fire->rigid[b];
    TRY(quench_rigid_create(rigid, &state->block[b], state->block[b].kind, isa, error));
    fire->stride = rigid->stride > fire->stride ? rigid->stride : fire->stride;
    fire->scratch = rigid->scratch > fire->scratch ? rigid->scratch : fire->scratch;
  }
  return STATUS_OK;
}

static void fire_free(Fire *fire)
{
  for (int b = 0; fire->rigid != NULL && b < fire->state->nblock; b++)
    quench_rigid_free(&fire->rigid[b]);
  free(fire->rigid);
  free(fire->piece);
}

/* --- one step --------------------------------------------------------------------------------------------
 */

/* The forces of one pack along the manifold, and FIRE's sums over these and the momenta. */
static void sum_pack(const QuenchRigid *rigid, Pack *pack, Sums *sums)
{
  const Kind *kind = rigid->block->kind;
  if (rigid->projector != NULL) { /* a force projects like a momentum */
    Pack force = *pack;
    force.p = pack->f;
    projector_apply(rigid->projector, &force, NULL);
  }
  for (size_t k = 0; k < rigid->stride; k++) {
    const double mass = kind->mass[k / (size_t)kind->dim];
    for (int l = 0; l < LANES; l++) {
      if ((*pack->active)[l] == 0.0)
        continue;
      const double f = pack->f[k][l], p = pack->p[k][l];
      sums->power += f * p / mass;
      sums->pp += p * p;
      sums->ff += f * f;
      if (!(fabs(f) <= sums->largest)) /* fmax would drop a NaN */
        sums->largest = isfinite(f) && !isnan(sums->largest) ? fabs(f) : NAN;
      sums->speed = fmax(sums->speed, fabs(p) / mass);
      sums->accel = fmax(sums->accel, fabs(f) / mass);
    }
  }
}

/* p <- a p + b f, then the drift along the manifold over dt; returns the lanes that left it. */
static unsigned move_pack(const Runner *run, const QuenchRigid *rigid, Pack *pack, double a, double b,
                          double dt)
{
  for (size_t k = 0; k < rigid->stride; k++)
    pack->p[k] = (a * pack->p[k] + b * pack->f[k]) * *pack->active;
  memcpy(run->old, pack->q, rigid->stride * sizeof(Vec8));
  run->fire->letters->drift(dt, pack);
  if (rigid->ops == NULL)
    return 0;
  const unsigned failed = rigid->ops->positions(rigid->constraints, dt, run->old, pack, NULL);
  return failed | projector_apply(rigid->projector, pack, NULL);
}

/* Computes forces, and sums over all molecules, which are equal in all threads. */
static Status fire_forces(const Runner *run, Sums *to, Error *error)
{
  Fire *fire = run->fire;
  const Status status = force_field_compute(fire->field, &run->team, fire->state, NULL, error);
  team_barrier(&run->team); /* a thread's pieces differ from its packs in the forces */
  if (status != STATUS_OK)
    return status;
  int begin, end;
  team_range(&run->team, fire->npiece, &begin, &end);
  for (int c = begin; c < end; c++) {
    Piece *piece = &fire->piece[c];
    const QuenchRigid *rigid = &fire->rigid[piece->rigid];
    piece->sums = (Sums){0};
    for (int i = piece->begin; i < piece->end; i++) {
      Pack pack = state_pack(fire->state, rigid->block, i);
      pack.scratch = run->memory;
      sum_pack(rigid, &pack, &piece->sums);
    }
  }
  team_barrier(&run->team);
  *to = (Sums){0};
  for (int c = 0; c < fire->npiece; c++) {
    const Sums *s = &fire->piece[c].sums;
    to->power += s->power;
    to->pp += s->pp;
    to->ff += s->ff;
    to->largest = isnan(s->largest) || isnan(to->largest) ? NAN : fmax(to->largest, s->largest);
    to->speed = fmax(to->speed, s->speed);
    to->accel = fmax(to->accel, s->accel);
  }
  return STATUS_OK;
}

/* Returns the first molecule that could not be kept rigid, counted from 1, or 0; equal in all threads. */
static int fire_move(const Runner *run, double a, double b, double dt)
{
  Fire *fire = run->fire;
  int begin, end;
  team_range(&run->team, fire->npiece, &begin, &end);
  for (int c = begin; c < end; c++) {
    const QuenchRigid *rigid = &fire->rigid[fire->piece[c].rigid];
    fire->piece[c].failed = 0;
    for (int i = fire->piece[c].begin; i < fire->piece[c].end; i++) {
      Pack pack = state_pack(fire->state, rigid->block, i);
      pack.scratch = run->memory;
      const unsigned failed = move_pack(run, rigid, &pack, a, b, dt);
      if (failed != 0 && fire->piece[c].failed == 0)
        fire->piece[c].failed =
            1 + state_molecule(fire->state, state_lane(fire->state, rigid->block, i, __builtin_ctz(failed)));
    }
  }
  team_barrier(&run->team);
  int failed = 0;
  for (int c = 0; c < fire->npiece && failed == 0; c++)
    failed = fire->piece[c].failed;
  return failed;
}

static void fire_rest(const Runner *run)
{
  Fire *fire = run->fire;
  int begin, end;
  team_range(&run->team, fire->npiece, &begin, &end);
  for (int c = begin; c < end; c++) {
    const QuenchRigid *rigid = &fire->rigid[fire->piece[c].rigid];
    const size_t packs = (size_t)(fire->piece[c].end - fire->piece[c].begin);
    memset(rigid->block->p + (size_t)fire->piece[c].begin * rigid->stride, 0,
           packs * rigid->stride * sizeof(Vec8));
  }
  team_barrier(&run->team);
}

/* Computes the factor of the momenta, and the factor of the forces to add to them. */
static void fire_steer(Runner *run, const Sums *sums, double *keep, double *push)
{
  *keep = 1.0;
  *push = 0.0;
  if (sums->power >= 0.0) {
    *keep = 1.0 - run->alpha;
    *push = sums->ff > 0.0 ? run->alpha * sqrt(sums->pp / sums->ff) : 0.0;
    if (++run->downhill > FIRE_PATIENCE) {
      run->dt = fmin(run->dt * fire_grow, dt_largest);
      run->alpha *= fire_decay;
    }
    return;
  }
  run->downhill = 0;
  run->dt *= fire_shrink;
  run->alpha = fire_alpha;
  *keep = 0.0;
}

/* --- the whole -------------------------------------------------------------------------------------------
 */

static Status fire_loop(Runner *run, QuenchResult *result, Error *error)
{
  const QuenchOptions *options = run->fire->options;
  run->dt = dt_start;
  run->alpha = fire_alpha;
  fire_rest(run);
  for (result->steps = 0;; result->steps++) {
    Sums sums;
    const Status status = fire_forces(run, &sums, error);
    if (status != STATUS_OK) /* an evaluation of forces alone has no step to report */
      return options->max_steps > 0 ? error_prefix(error, "minimisation step %d", result->steps) : status;
    result->force = sums.largest;
    if (isnan(sums.largest))
      return error_set(error, STATUS_RUN,
                       "minimisation step %d: a force is not a number; do two molecules overlap?",
                       result->steps);
    result->converged = sums.largest <= options->tolerance;
    if (result->converged || result->steps >= options->max_steps)
      return STATUS_OK;
    if (options->show != NULL && run->team.rank == 0)
      options->show(options->watcher, result->steps, sums.largest);
    if (run->team.rank == 0 && flag_value(options->stop) != 0)
      atomic_store(&run->fire->halt, 1);
    double keep, push;
    fire_steer(run, &sums, &keep, &push);
    /* Close contacts push hard: limit the step by the move of the fastest site. */
    const double speed = keep * sums.speed + (push + run->dt) * sums.accel;
    const double step = speed * run->dt > move_largest ? move_largest / speed : run->dt;
    const int failed = fire_move(run, keep, push + step, step);
    if (failed != 0)
      return error_set(
          error, STATUS_RUN,
          "minimisation step %d: molecule %d cannot be kept rigid; is its start distorted, or do "
          "molecules overlap?",
          result->steps, failed);
    if (atomic_load(&run->fire->halt) != 0)
      return error_set(error, STATUS_RUN, "interrupted at minimisation step %d", result->steps);
  }
}

static Status fire_steps(Runner *run, QuenchResult *result, Error *error)
{
  Fire *fire = run->fire;
  if (atomic_load(&fire->barrier.stop) != 0)
    return error_memory(error, "a minimisation");
  run->memory = fire->scratch > 0 ? run->old + fire->stride : NULL;
  TRY(fire_loop(run, result, error));
  fire_rest(run);
  return force_field_compute(fire->field, &run->team, fire->state, &(ForceSums){fire->energy, NULL}, error);
}

static Status fire_run(Fire *fire, const Team *team, QuenchResult *result, Error *error)
{
  Runner run = {.fire = fire, .team = *team};
  run.old = aligned_alloc(sizeof(Vec8), (fire->stride + fire->scratch) * sizeof(Vec8));
  if (run.old == NULL)
    atomic_store(&fire->barrier.stop, 1);
  team_barrier(team);
  const Status status = fire_steps(&run, result, error);
  free(run.old);
  return status;
}

static int team_size(const QuenchOptions *options)
{
  return options->threads < 1 ? 1 : options->threads > THREADS_MOST ? THREADS_MOST : options->threads;
}

Status quench_run(State *state, const ForceField *field, const QuenchOptions *options, Isa isa,
                  QuenchResult *result, Error *error)
{
  *result = (QuenchResult){0};
  Fire fire;
  Status status = fire_create(&fire, state, field, options, isa, error);
  if (status == STATUS_OK) {
#pragma omp parallel num_threads(team_size(options))
    {
      const Team team = {omp_get_thread_num(), omp_get_num_threads(), &fire.barrier};
      QuenchResult own = {0};
      Error why = {0};
      const Status ended = fire_run(&fire, &team, &own, &why);
      if (team.rank == 0) { /* all threads have the same result */
        status = ended;
        *result = own;
        if (ended != STATUS_OK && error != NULL)
          *error = why;
      }
    }
    for (int i = 0; status == STATUS_OK && i < force_field_terms(field); i++)
      result->energy += fire.energy[i];
  }
  fire_free(&fire);
  return status;
}
