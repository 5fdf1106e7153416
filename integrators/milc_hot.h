/* Private to milc.c and milc_hot.c. */
#ifndef HOLONOM_INTEGRATORS_MILC_HOT_H
#define HOLONOM_INTEGRATORS_MILC_HOT_H

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

enum { MILC_SITES = 2 }; /* the most sites of a link */

typedef Vec8 MilcRow[MILC_SITES * 3]; /* the gradient of a link, like JacobianRow */

/* The data of a constraint in a sweep, and the site that it shares with the previous one: its own k-th and
 * the other's l-th site; k = -1 at the start of a chain. */
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
  bool radial; /* all constraints are radial */
  size_t scratch;
  int n;
  MilcLink link[]; /* [n] along the chain */
} Milc;

typedef struct MilcKernels {
  ConstraintKernel *positions;
} MilcKernels;

#endif
