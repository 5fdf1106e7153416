/* Private interface between virtual_lanes.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_VIRTUAL_LANES_KERNELS_H
#define HOLONOM_FORCEFIELDS_VIRTUAL_LANES_KERNELS_H

#include "engine/isa.h"
#include "engine/vec8.h"
#include "topology/virtual_site.h"

/* Eight equal sites side by side; those with bits in `used` count. */
typedef struct VirtualEight {
  VirtualSiteKind kind;
  double ready[3]; /* of virtual_site_ready */
  unsigned used;
  Vec8 x[3 * VIRTUAL_SITE_PARENTS]; /* the atoms that place them, at least three */
  Vec8 at[3];                       /* positions; unused lanes are unchanged */
  Vec8 f[3];                        /* forces on the sites */
  Vec8 g[3 * VIRTUAL_SITE_PARENTS]; /* their share for the atoms, 0 in unused lanes; overwritten */
} VirtualEight;

typedef struct VirtualKernels {
  unsigned (*place)(VirtualEight *eight); /* bits of lanes whose site is undetermined */
  /* virial[9] += the sum of x_d f_e over atoms minus that over sites, unless NULL. */
  void (*spread)(VirtualEight *eight, Vec8 *virial);
} VirtualKernels;

ISA_DECLARE(VirtualKernels, virtual_lanes_table);

#endif
