#include "integrators/constraints.h"

#include <math.h>
#include <string.h>

#include "integrators/constraint_methods.h"
#include "integrators/jacobian.h"

const ConstraintOps *const constraint_methods[] = {&constraint_settle, &constraint_rattle, &constraint_shake,
                                                   NULL};

const ConstraintOps *constraint_method_find(const char *name)
{
  for (const ConstraintOps *const *row = constraint_methods; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}

Status constraint_check(const ConstraintOptions *options, Error *error)
{
  if (!(options->tolerance > 0.0) || !isfinite(options->tolerance))
    return error_set(error, STATUS_INPUT, "the constraints' tolerance must be positive, not %g",
                     options->tolerance);
  if (options->max_iterations < 1)
    return error_set(error, STATUS_INPUT, "the constraint solver needs at least 1 iteration, not %d",
                     options->max_iterations);
  return STATUS_OK;
}

void constraint_residual(const Pack *pack, vd *residual)
{
  const Kind *kind = pack->kind;
  vd largest = vd_set(0.0);
  for (int c = 0; c < kind->ncon; c++) {
    vd g;
    kind->con[c].type->eval(&kind->con[c], kind->dim, pack->q, &g, NULL);
    const vd size = vd_abs(g) * (1.0 / constraint_scale(&kind->con[c]));
    largest = vd_select((size <= largest) | (largest != largest), largest, size); /* a NaN stays */
  }
  *residual = vd_select(*pack->active == 0.0, vd_set(0.0), largest);
}
