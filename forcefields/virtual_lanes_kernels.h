/* Private interface between virtual_lanes.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_VIRTUAL_LANES_KERNELS_H
#define HOLONOM_FORCEFIELDS_VIRTUAL_LANES_KERNELS_H

#include "engine/isa.h"
#include "engine/vec8.h"
#include "topology/virtual_site.h"

/* Eight like sites side by side, of which those whose bits are set in `used` count. */
typedef struct VirtualEight {
  VirtualSiteKind kind;
  double ready[3]; /* of virtual_site_ready                                       */
  unsigned used;
  Vec8 x[3 * VIRTUAL_SITE_PARENTS]; /* the atoms that place them, three at least  */
  Vec8 at[3];                       /* places; of others they stay                                     */
  Vec8 f[3];                        /* forces on the sites                                             */
  Vec8 g[3 * VIRTUAL_SITE_PARENTS]; /* what they are worth to the atoms, 0 for others; overwritten */
} VirtualEight;

typedef struct VirtualKernels {
  unsigned (*place)(VirtualEight *eight); /* bits of those whose place is not known */
  /* virial[9] += what the sum of x_d f_e over the atoms has more than that over the sites, unless NULL. */
  void (*spread)(VirtualEight *eight, Vec8 *virial);
} VirtualKernels;

ISA_DECLARE(VirtualKernels, virtual_lanes_table);

#endif
