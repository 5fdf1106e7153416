/* Private to milc.c and milc_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MILC_HOT_H
#define HOLONOM_INTEGRATORS_MILC_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

enum { MILC_SITES = 2 }; /* of a link, at most */

typedef Vec8 MilcRow[MILC_SITES * 3]; /* its gradient, as a JacobianRow has it */

/* All that a sweep asks of a constraint, and the site that it shares with the one before it: the k-th of its
 * own, the l-th of the other's; k = -1 where a new chain begins. */
typedef struct MilcLink {
  JacobianEntry entry;
  double limit, rounding;
  double inverse_mass[MILC_SITES];
  int constraint;
  signed char k, l;
} MilcLink;

typedef struct Milc {
  ConstraintKernel *positions;
  int max_iterations;
  bool radial; /* all constraints are */
  size_t scratch;
  int n;
  MilcLink link[]; /* [n] along the chain */
} Milc;

typedef struct MilcKernels {
  ConstraintKernel *positions;
} MilcKernels;

#endif
