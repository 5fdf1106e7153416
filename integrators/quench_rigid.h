/* The constraints of a block's molecules during minimisation. */
#ifndef HOLONOM_INTEGRATORS_QUENCH_RIGID_H
#define HOLONOM_INTEGRATORS_QUENCH_RIGID_H

#include "integrators/constraints.h"
#include "integrators/projector.h"

typedef struct QuenchRigid {
  Block *block;
  const ConstraintSolver *ops; /* NULL: no constraints */
  void *constraints;
  Projector *projector;
  size_t stride;  /* numbers of a molecule                         */
  size_t scratch; /* vectors that the solver and the projector need */
} QuenchRigid;

/* `kind` is the block's own, or one with other masses, which define the metric. It must outlive the part.
 * Errors: STATUS_INPUT (no solver fits), STATUS_MEMORY. */
Status quench_rigid_create(QuenchRigid *rigid, Block *block, const Kind *kind, Isa isa, Error *error);
void quench_rigid_free(QuenchRigid *rigid);

#endif
