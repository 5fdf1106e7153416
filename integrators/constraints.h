/* Constraint methods and solvers. A method defines when momenta are projected, a solver computes the drift
 * along the manifold g(q) = 0. Any method works with any solver that fits the kind. One row each.
 *
 * SHAKE projects only where a letter needs it; kinetic energies are then measured on a projected copy. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINTS_H
#define HOLONOM_INTEGRATORS_CONSTRAINTS_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct ConstraintOptions {
  double tolerance;   /* largest accepted |g_c| / scale_c, scale = d^2 for distances, or the rounding of the
                       * coordinates if that is larger (|q| above some 1000 A for 1e-12) */
  int max_iterations; /* Newton steps; for gauss-seidel, sweeps over all constraints */
  const char *solver; /* a row of constraint_solvers; NULL or "auto": the method's own, else milc in chains of
                       * three and more constraints, else newton */
} ConstraintOptions;

typedef struct ConstraintMethod {
  const char *name, *doc, *cite;
  bool lazy; /* SHAKE: momenta are projected only where a letter needs tangent momenta, not at the end of a
              * step */
  const char *solver; /* the only solver that works with it; NULL: any */
} ConstraintMethod;

typedef struct ConstraintSolver {
  const char *name, *doc, *cite;
  const char *cases; /* "for ...": the kinds that it fits */
  bool (*fits)(const Kind *kind);
  /* The kind's constraints may be the first of those in packs. Errors: STATUS_INPUT (does not fit, with the
   * reason; bad options), STATUS_MEMORY. */
  Status (*create)(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa, Error *error);
  /* Given q_old[nsite][dim] on the manifold and pack->q = q_old + t M^-1 p, finds nu such that q + t M^-1
   * J(q_old)' nu is on the manifold, sets q to this, and adds J(q_old)' nu to p. Writes nu_out[ncon] unless
   * NULL. Returns the bits of active lanes that did not converge. Finished lanes are frozen, so that the bits
   * of a lane do not depend on the others. */
  unsigned (*positions)(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out);
  size_t (*scratch)(const void *self); /* vectors needed in pack->scratch; NULL: none */
  void (*free)(void *self);
} ConstraintSolver;

/* All rows, ended by NULL: "settle", "rattle", "shake"; and "settle", "newton", "gauss-seidel", "milc". */
extern const ConstraintMethod *const constraint_methods[];
extern const ConstraintSolver *const constraint_solvers[];

/* The row of this name, or NULL. */
const ConstraintMethod *constraint_method_find(const char *name);
const ConstraintSolver *constraint_solver_find(const char *name);

/* Chooses the solver of a method for a kind; name: NULL or "auto" as above. Errors: STATUS_INPUT (unknown,
 * not allowed with the method, or does not fit the kind). */
Status constraint_solver_choose(const ConstraintSolver **solver, const ConstraintMethod *method,
                                const char *name, const Kind *kind, Error *error);

#endif
