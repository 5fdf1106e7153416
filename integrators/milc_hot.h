/* Private to milc.c and milc_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MILC_HOT_H
#define HOLONOM_INTEGRATORS_MILC_HOT_H

#include "integrators/constraint_methods.h"

typedef struct Milc Milc;
typedef unsigned MilcKernel(const Milc *self, double t, const vd *q_old, Pack *pack, vd *nu_out);

/* A constraint and the site that it shares with the one before it: the k-th of its own, the l-th of the
 * other's; k = -1 where a new chain begins. */
typedef struct MilcLink {
  int constraint;
  signed char k, l;
} MilcLink;

struct Milc {
  MilcKernel *positions;
  ConstraintNumbers numbers;
  size_t scratch;
  int n;
  MilcLink *link;  /* [n] along the chain                */
  double memory[]; /* behind the numbers, then the links */
};

typedef struct MilcKernels {
  MilcKernel *positions;
} MilcKernels;

#endif
