/* Minimisation of molecules as rigid bodies: FIRE on the manifold g(q) = 0. */
#ifndef HOLONOM_INTEGRATORS_QUENCH_H
#define HOLONOM_INTEGRATORS_QUENCH_H

#include "base/flag.h"
#include "engine/force.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct QuenchOptions {
  double tolerance; /* largest force along the manifold accepted, kcal/mol/A */
  int max_steps;
  int threads; /* 0: one. The bits do not depend on it */
  /* Called by one thread before every step, with the largest force so far; NULL: not. */
  void (*show)(void *watcher, int step, double force);
  void *watcher;
  const Flag *stop; /* raised: end with STATUS_RUN, soon; NULL: never */
} QuenchOptions;

typedef struct QuenchResult {
  double energy; /* kcal/mol                                       */
  double force;  /* largest component of the force along the manifold */
  int steps;
  int converged;
} QuenchResult;

/* Moves the one replica of a state of width 1 downhill, all its blocks together, bonds kept rigid; momenta
 * end at zero. A start with close contacts is fine: no site moves more than 0.1 A in a step. Not converging
 * is no error (see the result). Errors: STATUS_RUN where the force is no number or
 * a molecule cannot be kept rigid, those of the forces,
 * STATUS_MEMORY. Source: Bitzek et al., Phys. Rev. Lett. 97, 170201 (2006). */
Status quench_run(State *state, const ForceField *field, const QuenchOptions *options, Isa isa,
                  QuenchResult *result, Error *error);

#endif
