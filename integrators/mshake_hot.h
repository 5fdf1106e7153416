/* Private to mshake.c and mshake_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MSHAKE_HOT_H
#define HOLONOM_INTEGRATORS_MSHAKE_HOT_H

#include "integrators/constraint_methods.h"
#include "integrators/gram.h"

typedef struct Mshake Mshake;
typedef unsigned MshakeKernel(const Mshake *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out);

struct Mshake {
  MshakeKernel *positions;
  ConstraintNumbers numbers;
  double pair[9];          /* triangle: of 1/m, see jacobian_triangle_pair   */
  Gram *gram;              /* where the matrix is banded, else NULL     */
  const BandKernels *band; /* for it                                         */
  double memory[];         /* behind the numbers                             */
};

typedef struct MshakeKernels {
  MshakeKernel *triangle;
  MshakeKernel *general;
  MshakeKernel *banded;
} MshakeKernels;

#endif
