/* Private to mshake.c and mshake_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MSHAKE_HOT_H
#define HOLONOM_INTEGRATORS_MSHAKE_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

typedef struct Mshake Mshake;
typedef unsigned MshakeKernel(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out);

struct Mshake {
  MshakeKernel *positions;
  ConstraintNumbers numbers;
  double pair[9];     /* triangle: of 1/m, see triangle_pairs   */
  Jacobian *jacobian; /* of other kinds, else NULL                      */
  double memory[];    /* behind the numbers                             */
};

typedef struct MshakeKernels {
  MshakeKernel *triangle;
  MshakeKernel *general; /* with work in pack->scratch */
} MshakeKernels;

#endif
