/* Private to iterated.c, mshake_hot.c and gauss_seidel_hot.c. */
#ifndef HOLONOM_INTEGRATORS_ITERATED_HOT_H
#define HOLONOM_INTEGRATORS_ITERATED_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

typedef struct Iterated {
  ConstraintKernel *positions;
  ConstraintNumbers numbers;
  double pair[9];     /* triangle with Newton's method: triangle_pairs of 1/m */
  Jacobian *jacobian; /* NULL for triangles                                           */
  double memory[];    /* of `numbers`                                                 */
} Iterated;

typedef struct IteratedKernels {
  ConstraintKernel *general; /* uses pack->scratch */
  ConstraintKernel *triangle;
} IteratedKernels;

#endif
