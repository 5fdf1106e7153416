#include "integrators/quench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/constraints.h"
#include "integrators/letters.h"
#include "integrators/projector.h"

/* FIRE's own constants, and the largest time step that the librations of a hydrogen bear (AKMA). */
static const double fire_alpha = 0.1, fire_decay = 0.99, fire_grow = 1.1, fire_shrink = 0.5;
static const double dt_start = 0.02, dt_largest = 0.15, move_largest = 0.1;
enum { FIRE_PATIENCE = 5 };

typedef struct Fire {
  State *state;
  Block *block;
  const ForceField *field;
  const LetterKernels *letters;
  const ConstraintSolver *ops;
  void *constraints;
  Projector *projector;
  size_t stride;
  vd *old;     /* [stride] */
  vd *scratch; /* what solver and projector want, or NULL */
} Fire;

static Status fire_scratch(Fire *fire, Error *error)
{
  const size_t project = projector_scratch(fire->projector);
  size_t n = fire->ops->scratch != NULL ? fire->ops->scratch(fire->constraints) : 0;
  n = project > n ? project : n;
  if (n == 0)
    return STATUS_OK;
  fire->scratch = aligned_alloc(sizeof(vd), n * sizeof(vd));
  return fire->scratch != NULL ? STATUS_OK : error_memory(error, "a minimisation");
}

static Status fire_create(Fire *fire, State *state, const ForceField *field, Isa isa, Error *error)
{
  const Kind *kind = state->block[0].kind;
  *fire = (Fire){.state = state,
                 .block = &state->block[0],
                 .field = field,
                 .letters = letter_kernels(isa),
                 .stride = (size_t)kind->nsite * (size_t)kind->dim};
  fire->old = aligned_alloc(sizeof(vd), fire->stride * sizeof(vd));
  if (fire->old == NULL)
    return error_memory(error, "a minimisation");
  if (kind->ncon == 0)
    return STATUS_OK;
  const ConstraintOptions options = {.tolerance = 1e-12, .max_iterations = 100};
  for (int i = 0; constraint_solvers[i] != NULL && fire->ops == NULL; i++)
    if (constraint_solvers[i]->fits(kind))
      fire->ops = constraint_solvers[i];
  if (fire->ops == NULL)
    return error_set(error, STATUS_INPUT, "no constraint solver fits the kind '%s'", kind->name);
  const Status status = fire->ops->create(&fire->constraints, kind, &options, isa, error);
  if (status != STATUS_OK)
    return status;
  const Status projects = projector_create(&fire->projector, kind, NULL, true, isa, error);
  return projects != STATUS_OK ? projects : fire_scratch(fire, error);
}

static void fire_free(Fire *fire)
{
  projector_free(fire->projector);
  if (fire->constraints != NULL)
    fire->ops->free(fire->constraints);
  free(fire->old);
  free(fire->scratch);
}

typedef struct Sums {
  double power, pp, ff;         /* f.v, |p|^2, |f|^2                              */
  double largest, speed, accel; /* max |f|, max |v|, max |f|/m; largest NaN if any f is no number */
} Sums;

/* Forces along the manifold, and what FIRE asks of them and the momenta. */
static Status fire_forces(Fire *fire, Sums *to, Error *error)
{
  const Team team = team_alone();
  const Status status = force_field_compute(fire->field, &team, fire->state, NULL, error);
  if (status != STATUS_OK)
    return status;
  Sums sums = {0};
  const Kind *kind = fire->block->kind;
  for (int i = 0; i < fire->block->npack; i++) {
    Pack pack = state_pack(fire->state, fire->block, i);
    pack.scratch = fire->scratch;
    if (fire->projector != NULL) { /* a force projects as a momentum does */
      Pack force = pack;
      force.p = pack.f;
      projector_apply(fire->projector, &force, NULL);
    }
    for (size_t k = 0; k < fire->stride; k++) {
      const double mass = kind->mass[k / (size_t)kind->dim];
      for (int l = 0; l < LANES; l++) {
        if ((*pack.active)[l] == 0.0)
          continue;
        const double f = pack.f[k][l], p = pack.p[k][l];
        sums.power += f * p / mass;
        sums.pp += p * p;
        sums.ff += f * f;
        if (!(fabs(f) <= sums.largest)) /* not fmax, which would drop a NaN */
          sums.largest = isfinite(f) && !isnan(sums.largest) ? fabs(f) : NAN;
        sums.speed = fmax(sums.speed, fabs(p) / mass);
        sums.accel = fmax(sums.accel, fabs(f) / mass);
      }
    }
  }
  *to = sums;
  return STATUS_OK;
}

/* p <- a p + b f, then the drift along the manifold over dt. */
static void fire_move(Fire *fire, double a, double b, double dt)
{
  for (int i = 0; i < fire->block->npack; i++) {
    Pack pack = state_pack(fire->state, fire->block, i);
    pack.scratch = fire->scratch;
    for (size_t k = 0; k < fire->stride; k++)
      pack.p[k] = (a * pack.p[k] + b * pack.f[k]) * *pack.active;
    memcpy(fire->old, pack.q, fire->stride * sizeof(vd));
    fire->letters->drift(dt, &pack);
    if (fire->ops != NULL) {
      (void)fire->ops->positions(fire->constraints, dt, fire->old, &pack, NULL);
      projector_apply(fire->projector, &pack, NULL);
    }
  }
}

static void fire_rest(Fire *fire)
{
  const size_t n = (size_t)fire->block->npack * fire->stride;
  memset(fire->block->p, 0, n * sizeof(vd));
}

static Status fire_loop(Fire *fire, const QuenchOptions *options, QuenchResult *result, Error *error)
{
  double dt = dt_start, alpha = fire_alpha;
  int downhill = 0;
  fire_rest(fire);
  for (result->steps = 0;; result->steps++) {
    Sums sums;
    const Status status = fire_forces(fire, &sums, error);
    if (status != STATUS_OK)
      return error_prefix(error, "minimisation step %d", result->steps);
    result->force = sums.largest;
    if (isnan(sums.largest))
      return error_set(error, STATUS_RUN,
                       "minimisation step %d: a force is not a number; do two molecules overlap?",
                       result->steps);
    result->converged = sums.largest <= options->tolerance;
    if (result->converged || result->steps >= options->max_steps)
      return STATUS_OK;
    double keep = 1.0, push = 0.0;
    if (sums.power >= 0.0) {
      keep = 1.0 - alpha;
      push = sums.ff > 0.0 ? alpha * sqrt(sums.pp / sums.ff) : 0.0;
      if (++downhill > FIRE_PATIENCE) {
        dt = fmin(dt * fire_grow, dt_largest);
        alpha *= fire_decay;
      }
    } else {
      downhill = 0;
      dt *= fire_shrink;
      alpha = fire_alpha;
      keep = 0.0;
    }
    /* Close contacts push hard: bound the step by the fastest site's move. */
    const double speed = keep * sums.speed + (push + dt) * sums.accel;
    const double step = speed * dt > move_largest ? move_largest / speed : dt;
    fire_move(fire, keep, push + step, step);
  }
}

Status quench_run(State *state, const ForceField *field, const QuenchOptions *options, Isa isa,
                  QuenchResult *result, Error *error)
{
  *result = (QuenchResult){0};
  if (state->width != 1)
    return error_set(error, STATUS_INPUT, "a minimisation takes one replica, not a group of %d",
                     state->width);
  Fire fire;
  Status status = fire_create(&fire, state, field, isa, error);
  if (status == STATUS_OK)
    status = fire_loop(&fire, options, result, error);
  if (status == STATUS_OK) {
    fire_rest(&fire);
    const Team team = team_alone();
    double energy[FORCE_TERMS * FORCES_MAX];
    status = force_field_compute(field, &team, state, &(ForceSums){energy, NULL}, error);
    for (int i = 0; i < force_field_terms(field); i++)
      result->energy += energy[i];
  }
  fire_free(&fire);
  return status;
}
