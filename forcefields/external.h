/* Forces from outside the engine: a function of the caller's that gets all positions of one replica. */
#ifndef HOLONOM_FORCEFIELDS_EXTERNAL_H
#define HOLONOM_FORCEFIELDS_EXTERNAL_H

#include "engine/force.h"

/* One replica as such a function sees it. */
typedef struct ExternalCall {
  uint32_t replica; /* id, the same wherever and beside whatever it runs               */
  int64_t step;     /* steps done                                                      */
  size_t n;         /* coordinates: of all sites of all molecules, block after block   */
  const double *x;  /* [n] positions, A                                                */
  double *f;        /* [n] forces, kcal/mol/A: zero at the call, to be set             */
  double energy;    /* kcal/mol: zero at the call, to be set                           */
} ExternalCall;

/* Returns STATUS_OK, or another status with the reason in *error (which may be NULL): the run stops with it.
 * Forces and energies that are no finite numbers are STATUS_RUN, with the replica and the steps done.
 * A run is the same for any number of threads and after a restart if the function's results depend on what
 * the call holds alone. Several threads may be in it at once, each with another replica. */
typedef Status (*ExternalFunction)(void *user, ExternalCall *call, Error *error);

/* The force "external" with the term "external", any kinds and width; it is called once a replica (lanes that
 * hold nobody are left out) and force evaluation, and has no Hessian and no virial. `user` is handed on and
 * stays the caller's. Errors: STATUS_MEMORY. */
Status external_create(Force *force, ExternalFunction function, void *user, const State *shape, Error *error);

#endif
