/* Newmark in its own variables: solved, and with one Newton step alone. Pushed forward by x = q - beta h^2
 * a(q) it is the word BAB of the map "newmark" (Tao & Owhadi 2015, (2.2)). A step therefore transforms to x,
 * solves the map's equation, and transforms back:
 *
 *   a = -M^-1 grad V(q),  x' = q - beta h^2 a + h v + h^2/2 a;
 *
 *   a' = -M^-1 grad V(x' + beta h^2 a'),  q' = x' + beta h^2 a',  v' = v + h/2 (a + a').
 *
 * One Newton step for (q', v') from (q, v) replaces a' by the tangent a + Da (q' - q):
 *
 *   (M + beta h^2 Hess V) d = h p + h^2/2 M a,  q' = q + d,  p' = p + h/2 (2 M a - Hess V d).
 *
 * Here d is h^2/2 times the Zhang-Skeel acceleration of the force M a + 2 p/h. */
#include <stdlib.h>
#include <string.h>

#include "integrators/accel_hot.h"
#include "methods/method_table.h"

typedef struct NewmarkOwn {
  double beta;
  size_t n;
  Accel *implicit; /* for h */
} NewmarkOwn;

static void newmark_free(void *self)
{
  NewmarkOwn *newmark = self;
  accel_free(newmark->implicit);
  free(newmark);
}

static Status create(void **self, const char *map, const Kind *kind, const MethodOptions *options, Isa isa,
                     Error *error)
{
  *self = NULL;
  NewmarkOwn *newmark = calloc(1, sizeof *newmark);
  TRY_MEMORY(newmark != NULL, "Newmark's method", error);
  newmark->beta = options->step.beta;
  newmark->n = (size_t)kind->nsite * (size_t)kind->dim;
  TRY_ELSE(accel_create(&newmark->implicit, accel_map_find(map), kind, &options->step, isa, error),
           newmark_free(newmark));
  *self = newmark;
  return STATUS_OK;
}

static Status newmark_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa,
                             Error *error)
{
  return create(self, "newmark", kind, options, isa, error);
}

static Status one_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa, Error *error)
{
  if (!(options->step.beta > 0.0))
    return error_set(error, STATUS_INPUT, "the method newmark-1 needs a beta above 0, not %g",
                     options->step.beta);
  return create(self, "zss-block", kind, options, isa, error);
}

/* The map's own scratch, then x' and the forces at both ends. */
static size_t newmark_scratch(const void *self)
{
  const NewmarkOwn *newmark = self;
  return accel_scratch(newmark->implicit) + 3 * newmark->n;
}

/* f = -grad V0 at q. */
static void bare_force(const Kind *kind, const Vec8 *q, Vec8 *f)
{
  memset(f, 0, (size_t)kind->nsite * (size_t)kind->dim * sizeof *f);
  kind_potential(kind, q, NULL, f);
}

/* Only the strength of the map depends on the time: sets it for a part of a step, or a negative one. */
static Accel map_over(const NewmarkOwn *newmark, double t)
{
  Accel implicit = *newmark->implicit;
  implicit.block = newmark->beta * t * t;
  implicit.c = implicit.block * implicit.w2;
  return implicit;
}

static unsigned newmark_step(const void *self, double t, Pack *pack)
{
  const NewmarkOwn *newmark = self;
  const Kind *kind = pack->kind;
  const size_t n = newmark->n;
  Vec8 *x = pack->scratch + accel_scratch(newmark->implicit), *before = x + n, *after = x + 2 * n;
  const Accel implicit = map_over(newmark, t);

  Pack here = *pack, there = *pack;
  here.f = before;
  there.q = x;
  there.f = after;
  bare_force(kind, here.q, here.f);
  (void)accel_force(&implicit, &here, NULL);
  for (size_t i = 0; i < n; i++) {
    const double m = kind->mass[i / (size_t)kind->dim];
    x[i] = pack->q[i] + t / m * pack->p[i] + (0.5 * t * t - implicit.block) / m * before[i];
  }
  bare_force(kind, x, after);
  const unsigned failed = ACCEL_FAILED(accel_solve(&implicit, &there, NULL));
  for (size_t i = 0; i < n; i++) {
    pack->q[i] = x[i] + implicit.block / kind->mass[i / (size_t)kind->dim] * after[i];
    pack->p[i] += 0.5 * t * (before[i] + after[i]);
  }
  return failed;
}

const Method method_newmark = {
    .name = "newmark",
    .doc = "Newmark with gamma = 1/2 in its own variables, solved to a tolerance; conserves the form of the "
           "map newmark in these variables",
    .cite = "Newmark (1959); Tao & Owhadi 2015, Integrator 2.1",
    .traits = METHOD_REVERSIBLE,
    .order = 2,
    .create = newmark_create,
    .scratch = newmark_scratch,
    .step = newmark_step,
    .free = newmark_free,
};

static unsigned one_step(const void *self, double t, Pack *pack)
{
  const NewmarkOwn *newmark = self;
  const Kind *kind = pack->kind;
  const size_t n = newmark->n;
  Vec8 *force = pack->scratch + accel_scratch(newmark->implicit), *moved = force + n;
  const Accel implicit = map_over(newmark, t);
  Pack here = *pack, there = *pack;
  here.f = force;
  there.f = moved;
  bare_force(kind, pack->q, force);
  for (size_t i = 0; i < n; i++)
    moved[i] = force[i] + 2.0 / t * pack->p[i];
  (void)accel_force(&implicit, &here, NULL);
  const unsigned failed = ACCEL_FAILED(accel_solve(&implicit, &there, NULL)); /* moved = 2/t^2 M d */
  for (size_t i = 0; i < n; i++) {
    const Vec8 curved = (2.0 / t * pack->p[i] + force[i] - moved[i]) / (2.0 * newmark->beta); /* Hess V d */
    pack->q[i] += 0.5 * t * t / kind->mass[i / (size_t)kind->dim] * moved[i];
    pack->p[i] += 0.5 * t * (2.0 * force[i] - curved);
  }
  return failed;
}

const Method method_newmark_1 = {
    .name = "newmark-1",
    .doc =
        "Newmark in its own variables by one Newton step for new positions and velocities together: neither "
        "symplectic nor reversible, the negative example",
    .cite = "Tao & Owhadi 2015, Integrator 2.1 and Fig. 1, row 5",
    .traits = 0,
    .order = 2,
    .create = one_create,
    .scratch = newmark_scratch,
    .step = one_step,
    .free = newmark_free,
};
