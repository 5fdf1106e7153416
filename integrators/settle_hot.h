/* Private to settle.c and settle_hot.c. */
#ifndef HOLONOM_INTEGRATORS_SETTLE_HOT_H
#define HOLONOM_INTEGRATORS_SETTLE_HOT_H

#include "integrators/constraint_methods.h"

/* A triangle with equal sides from its apex a to b and c, and equal masses of b and c. */
typedef struct Settle {
  ConstraintKernel *positions;
  int a, b, c;       /* the sites                                                                */
  double mass;       /* of b, and of c                                                           */
  double share;      /* mass of b over the mass of the molecule                                  */
  double pull;       /* mass of b over the mass of a: how far a moves for b and c                */
  double ra, rb, rc; /* a lies ra above the centre of mass, b and c rb below it, rc to each side */
  double inverse[9]; /* (J M^-1 J')^-1 on the manifold                                           */
} Settle;

typedef struct SettleKernels {
  ConstraintKernel *positions;
} SettleKernels;

#endif
