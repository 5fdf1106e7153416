/* Minimisation of molecules as rigid bodies: FIRE on the manifold g(q) = 0. */
#ifndef HOLONOM_INTEGRATORS_QUENCH_H
#define HOLONOM_INTEGRATORS_QUENCH_H

#include <stdbool.h>

#include "base/flag.h"
#include "engine/force.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct QuenchOptions {
  double tolerance; /* largest accepted force along the manifold, kcal/mol/A */
  int max_steps;
  int threads; /* 0: one. The bits do not depend on the number */
  /* Called by one thread before every step, with the largest force so far; NULL: no calls. */
  void (*show)(void *watcher, int step, double force);
  void *watcher;
  bool thaw;        /* frozen kinds (kind.h) move like others */
  const Flag *stop; /* when raised, the run ends with STATUS_RUN; NULL: never */
} QuenchOptions;

typedef struct QuenchResult {
  double energy; /* kcal/mol                                       */
  double force;  /* largest component of the force along the manifold */
  int steps;
  int converged;
} QuenchResult;

/* Minimises the one replica of a state of width 1, all its blocks together, with rigid molecules; momenta end
 * at zero. Frozen kinds keep their positions, and the forces on them do not count. Close contacts are
 * allowed: no site moves more than 0.1 A in a step. Missing convergence is not an error (see the result).
 * Errors: STATUS_RUN (a force is NaN, or a molecule cannot be kept rigid), those of the forces,
 * STATUS_MEMORY. Source: Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006). */
Status quench_run(State *state, const ForceField *field, const QuenchOptions *options, Isa isa,
                  QuenchResult *result, Error *error);

#endif
