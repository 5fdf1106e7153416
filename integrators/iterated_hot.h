/* Private to iterated.c, mshake_hot.c and gauss_seidel_hot.c. */
#ifndef HOLONOM_INTEGRATORS_ITERATED_HOT_H
#define HOLONOM_INTEGRATORS_ITERATED_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

typedef struct Iterated {
  ConstraintKernel *positions;
  ConstraintNumbers numbers;
  double pair[9];     /* of a triangle by Newton's method: of 1/m, see triangle_pairs */
  Jacobian *jacobian; /* NULL there                                                   */
  double memory[];    /* behind the numbers                                           */
} Iterated;

typedef struct IteratedKernels {
  ConstraintKernel *general; /* with work in pack->scratch */
  ConstraintKernel *triangle;
} IteratedKernels;

#endif
