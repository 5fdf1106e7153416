/* What keeps the molecules of a block rigid while they go downhill. */
#ifndef HOLONOM_INTEGRATORS_QUENCH_RIGID_H
#define HOLONOM_INTEGRATORS_QUENCH_RIGID_H

#include "integrators/constraints.h"
#include "integrators/projector.h"

typedef struct QuenchRigid {
  Block *block;
  const ConstraintSolver *ops; /* NULL: nothing to keep */
  void *constraints;
  Projector *projector;
  size_t stride;  /* numbers of a molecule                         */
  size_t scratch; /* vectors wanted by the solver and the projector */
} QuenchRigid;

/* `kind` is the block's own, or one with other masses, which say what directions are at right angles to the
 * manifold. It must outlive the part. Errors: STATUS_INPUT (no solver fits), STATUS_MEMORY. */
Status quench_rigid_create(QuenchRigid *rigid, Block *block, const Kind *kind, Isa isa, Error *error);
void quench_rigid_free(QuenchRigid *rigid);

#endif
