#include "integrators/quench_part.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

Status quench_part_create(QuenchPart *part, Block *block, const Kind *kind, Isa isa, Error *error)
{
  *part = (QuenchPart){.block = block, .stride = (size_t)kind->nsite * (size_t)kind->dim};
  if (kind->ncon == 0)
    return STATUS_OK;
  const ConstraintOptions options = {.tolerance = 1e-12, .max_iterations = 100};
  for (int i = 0; constraint_solvers[i] != NULL && part->ops == NULL; i++)
    if (constraint_solvers[i]->fits(kind))
      part->ops = constraint_solvers[i];
  if (part->ops == NULL)
    return error_set(error, STATUS_INPUT, "no constraint solver fits the kind '%s'", kind->name);
  TRY(part->ops->create(&part->constraints, kind, &options, isa, error));
  TRY(projector_create(&part->projector, kind, NULL, true, isa, error));
  part->scratch = larger(projector_scratch(part->projector),
                         part->ops->scratch != NULL ? part->ops->scratch(part->constraints) : 0);
  return STATUS_OK;
}

void quench_part_free(QuenchPart *part)
{
  projector_free(part->projector);
  if (part->constraints != NULL)
    part->ops->free(part->constraints);
}
