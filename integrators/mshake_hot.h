/* Private to mshake.c and mshake_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MSHAKE_HOT_H
#define HOLONOM_INTEGRATORS_MSHAKE_HOT_H

#include "integrators/constraints.h"

typedef struct Mshake {
  unsigned (*positions)(const struct Mshake *self, double t, const vd *q_old, Pack *pack, vd *nu_out);
  int max_iterations;
  double pair[9];             /* triangle: of 1/m, see jacobian_triangle_pair  */
  const double *inverse_mass; /* [nsite]                                       */
  const double *limit;        /* [ncon] largest |g_c| accepted                 */
  const double *rounding;     /* [ncon] but never less than this times |q|     */
  double memory[];            /* [nsite + 2 ncon] behind the three pointers    */
} Mshake;

typedef struct MshakeKernels {
  unsigned (*triangle)(const Mshake *self, double t, const vd *q_old, Pack *pack, vd *nu_out);
  unsigned (*general)(const Mshake *self, double t, const vd *q_old, Pack *pack, vd *nu_out);
} MshakeKernels;

#endif
