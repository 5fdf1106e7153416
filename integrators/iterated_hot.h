/* Private to iterated.c, mshake_hot.c and gauss_seidel_hot.c. */
#ifndef HOLONOM_INTEGRATORS_ITERATED_HOT_H
#define HOLONOM_INTEGRATORS_ITERATED_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

typedef struct Iterated Iterated;
typedef unsigned IteratedKernel(const Iterated *self, double t, const Octet *q_old, Pack *pack,
                                Octet *nu_out);

struct Iterated {
  IteratedKernel *positions;
  ConstraintNumbers numbers;
  double pair[9];     /* of a triangle by Newton's method: of 1/m, see triangle_pairs */
  Jacobian *jacobian; /* NULL there                                                   */
  double memory[];    /* behind the numbers                                           */
};

typedef struct IteratedKernels {
  IteratedKernel *general; /* with work in pack->scratch */
  IteratedKernel *triangle;
} IteratedKernels;

#endif
