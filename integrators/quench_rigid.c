#include "integrators/quench_rigid.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

Status quench_rigid_create(QuenchRigid *rigid, Block *block, const Kind *kind, Isa isa, Error *error)
{
  *rigid = (QuenchRigid){.block = block, .stride = (size_t)kind->nsite * (size_t)kind->dim};
  if (kind->ncon == 0)
    return STATUS_OK;
  const ConstraintOptions options = {.tolerance = 1e-12, .max_iterations = 100};
  for (int i = 0; constraint_solvers[i] != NULL && rigid->ops == NULL; i++)
    if (constraint_solvers[i]->fits(kind))
      rigid->ops = constraint_solvers[i];
  if (rigid->ops == NULL)
    return error_set(error, STATUS_INPUT, "no constraint solver fits the kind '%s'", kind->name);
  TRY(rigid->ops->create(&rigid->constraints, kind, &options, isa, error));
  TRY(projector_create(&rigid->projector, kind, NULL, true, isa, error));
  rigid->scratch = larger(projector_scratch(rigid->projector),
                          rigid->ops->scratch != NULL ? rigid->ops->scratch(rigid->constraints) : 0);
  return STATUS_OK;
}

void quench_rigid_free(QuenchRigid *rigid)
{
  projector_free(rigid->projector);
  if (rigid->constraints != NULL)
    rigid->ops->free(rigid->constraints);
}
