/* Constraint solvers: the drift along the manifold g(q) = 0. One row per method. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINTS_H
#define HOLONOM_INTEGRATORS_CONSTRAINTS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/state.h"
#include "engine/status.h"

typedef struct ConstraintOptions {
  double tolerance; /* largest |g_c| / scale_c accepted, scale = d^2 for distances; where the coordinates'
                       own rounding is more (|q| above some 1000 A for 1e-12), that */
  int max_iterations;
} ConstraintOptions;

typedef struct ConstraintOps {
  const char *name, *doc, *cite;
  bool lazy; /* SHAKE: momenta are projected only where a letter needs tangent ones, not at the end of a step
              */
  bool (*fits)(const Kind *kind);
  Status (*create)(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa, Error *error);
  /* q_old[nsite][dim] lies on the manifold, pack->q = q_old + t M^-1 p does not yet. Finds nu so that
   * q + t M^-1 J(q_old)' nu does, sets q, and adds J(q_old)' nu to p. nu_out[ncon] unless NULL.
   * Returns the bits of active lanes that did not converge; finished lanes are frozen, so that a lane's
   * bits do not depend on the others. */
  unsigned (*positions)(const void *self, double t, const vd *q_old, Pack *pack, vd *nu_out);
  size_t (*scratch)(const void *self); /* vectors wanted in pack->scratch; NULL: none */
  void (*free)(void *self);
} ConstraintOps;

/* All rows, ended by NULL: "settle", "rattle", "shake". */
extern const ConstraintOps *const constraint_methods[];

/* The row by name, or NULL. */
const ConstraintOps *constraint_method_find(const char *name);

/* The largest |g_c| / scale_c of a pack's active lanes, per lane: how far off the manifold it is. */
void constraint_residual(const Pack *pack, vd *residual);

#endif
