/* Constraint methods and solvers. A method says when momenta are projected, a solver how the drift along the
 * manifold g(q) = 0 is found; any method goes with any solver that fits the kind. One row each.
 *
 * SHAKE projects only where a letter asks for it; kinetic energies are then measured on a projected copy. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINTS_H
#define HOLONOM_INTEGRATORS_CONSTRAINTS_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct ConstraintOptions {
  double tolerance;   /* largest |g_c| / scale_c accepted, scale = d^2 for distances; where the coordinates'
                         own rounding is more (|q| above some 1000 A for 1e-12), that */
  int max_iterations; /* Newton's steps; of gauss-seidel, sweeps over all constraints */
  const char *solver; /* a row of constraint_solvers; NULL or "auto": the method's own, else milc in
                         chains of three and more, else newton */
} ConstraintOptions;

typedef struct ConstraintMethod {
  const char *name, *doc, *cite;
  bool lazy; /* SHAKE: momenta are projected only where a letter needs tangent ones, not at the end of a step
              */
  const char *solver; /* the only one that goes with it; NULL: any */
} ConstraintMethod;

typedef struct ConstraintSolver {
  const char *name, *doc, *cite;
  const char *cases; /* "for ...": the kinds that it fits */
  bool (*fits)(const Kind *kind);
  /* The kind's constraints may be the first of those that packs have. Errors: STATUS_INPUT where it does not
   * fit, with the reason, and for bad options; STATUS_MEMORY. */
  Status (*create)(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa, Error *error);
  /* q_old[nsite][dim] lies on the manifold, pack->q = q_old + t M^-1 p does not yet. Finds nu so that
   * q + t M^-1 J(q_old)' nu does, sets q, and adds J(q_old)' nu to p. nu_out[ncon] unless NULL.
   * Returns the bits of active lanes that did not converge; finished lanes are frozen, so that a lane's
   * bits do not depend on the others. */
  unsigned (*positions)(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out);
  size_t (*scratch)(const void *self); /* vectors wanted in pack->scratch; NULL: none */
  void (*free)(void *self);
} ConstraintSolver;

/* All rows, ended by NULL: "settle", "rattle", "shake"; and "settle", "newton", "gauss-seidel", "milc". */
extern const ConstraintMethod *const constraint_methods[];
extern const ConstraintSolver *const constraint_solvers[];

/* The row by name, or NULL. */
const ConstraintMethod *constraint_method_find(const char *name);
const ConstraintSolver *constraint_solver_find(const char *name);

/* The solver that a method takes for a kind; name: NULL or "auto" as above. Errors: STATUS_INPUT
 * (no such solver, one that does not go with the method or does not fit the kind). */
Status constraint_solver_choose(const ConstraintSolver **solver, const ConstraintMethod *method,
                                const char *name, const Kind *kind, Error *error);

#endif
