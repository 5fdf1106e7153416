/* Private to gauss_seidel.c and gauss_seidel_hot.c. */
#ifndef HOLONOM_INTEGRATORS_GAUSS_SEIDEL_HOT_H
#define HOLONOM_INTEGRATORS_GAUSS_SEIDEL_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

typedef struct GaussSeidel GaussSeidel;
typedef unsigned GaussSeidelKernel(const GaussSeidel *self, double t, const Octet *q_old, Pack *pack,
                                   Octet *nu_out);

struct GaussSeidel {
  GaussSeidelKernel *positions;
  ConstraintNumbers numbers;
  Jacobian *jacobian;
  double memory[]; /* behind the numbers */
};

typedef struct GaussSeidelKernels {
  GaussSeidelKernel *positions;
} GaussSeidelKernels;

#endif
