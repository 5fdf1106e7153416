/* Newmark in its own variables, its nonlinear system solved by one Newton step from the old positions. From
 * q' = q that step is
 *
 *   q' = q + (M + beta h^2 Hess V)^-1 (h p + h^2/2 M a(q)),  p' = p + h/2 (M a(q) + M a(q')):
 *
 * velocity Verlet, BAB, whose drift is filtered by the matrix of Zhang and Skeel. (A Newton step for a' from
 * a' = 0 would be their method in other coordinates.) */
#include <stdlib.h>
#include <string.h>

#include "integrators/accel_hot.h"

typedef struct Newmark1 {
  Accel *matrix; /* M + beta h^2 Hess V, of V what is the kind's own */
  void *plain;   /* the force of the penalties                       */
} Newmark1;

static void newmark_1_free(void *self)
{
  Newmark1 *newmark = self;
  accel_free(newmark->matrix);
  if (newmark->plain != NULL)
    accel_verlet.free(newmark->plain);
  free(newmark);
}

static Status newmark_1_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa,
                               Error *error)
{
  *self = NULL;
  Newmark1 *newmark = calloc(1, sizeof *newmark);
  TRY_MEMORY(newmark != NULL, "an acceleration map", error);
  TRY_ELSE(accel_create(&newmark->matrix, kind, options, ACCEL_LINEAR, isa, error), newmark_1_free(newmark));
  TRY_ELSE(accel_verlet.create(&newmark->plain, kind, options, isa, error), newmark_1_free(newmark));
  newmark->matrix->own = true;
  *self = newmark;
  return STATUS_OK;
}

static unsigned newmark_1_apply(const void *self, Pack *pack, const Octet *hess)
{
  return accel_verlet.apply(((const Newmark1 *)self)->plain, pack, hess);
}

static size_t newmark_1_scratch(const void *self)
{
  const Newmark1 *newmark = self;
  return accel_scratch(newmark->matrix) + (size_t)newmark->matrix->n;
}

/* The matrix comes with the force of the penalties, which is taken away beforehand. */
static unsigned newmark_1_drift(const void *self, double t, Pack *pack)
{
  const Newmark1 *newmark = self;
  const int n = newmark->matrix->n;
  Pack move = *pack;
  move.f = pack->scratch + accel_scratch(newmark->matrix);
  memset(move.f, 0, (size_t)n * sizeof *move.f);
  (void)accel_verlet.apply(newmark->plain, &move, NULL);
  for (int i = 0; i < n; i++)
    move.f[i] = pack->p[i] - move.f[i];
  const unsigned bits = accel_apply(newmark->matrix, &move, NULL);
  for (int i = 0; i < n; i++)
    pack->q[i] += t / newmark->matrix->mass[i] * move.f[i];
  return bits;
}

const AccelMap accel_newmark_1 = {
    .name = "newmark-1",
    .doc = "Newmark's nonlinear system solved by one Newton step from the old positions (with the word BAB): "
           "the plain force, and a drift filtered by M (M + beta h^2 Hess V)^-1; neither symplectic nor "
           "reversible, the paper's negative example",
    .cite = "Tao & Owhadi 2015, (2.1) and Fig. 6",
    .traits = ACCEL_IRREVERSIBLE,
    .create = newmark_1_create,
    .apply = newmark_1_apply,
    .drift = newmark_1_drift,
    .scratch = newmark_1_scratch,
    .free = newmark_1_free,
};
