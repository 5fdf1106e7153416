/* Private interface between mesh.c and the kernels that bring forces from sites to packs, compiled once per
 * instruction set. */
#ifndef HOLONOM_FORCEFIELDS_MESH_KERNELS_H
#define HOLONOM_FORCEFIELDS_MESH_KERNELS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/octet.h"
#include "forcefields/pme.h"
#include "forcefields/site_map.h"

enum { MESH_TERMS = 24 };

/* erf(beta r)/r = sum of c[k] w^k, w = scale r^2 - 1, for r^2 up to `most`; beyond, plainly. */
typedef struct MeshErf {
  double beta, scale, most;
  int n;
  double c[MESH_TERMS];
} MeshErf;

enum { MESH_PAIRS = SITE_MAP_SITES * (SITE_MAP_SITES - 1) / 2 };

/* One block. */
typedef struct MeshBlock {
  SiteMap map;
  int first;                   /* number of its first charged site                        */
  double qq[MESH_PAIRS];       /* C q q of pairs of charged sites 01, 02 .. 12 ..         */
  double mass[SITE_MAP_ATOMS]; /* share of the net force that an atom takes up            */
} MeshBlock;

enum { MESH_SUMS = 7 }; /* energy, virial xx yy zz xy xz yz */

typedef struct MeshKernels {
  /* f += the forces on sites, force[site][4], less mass times net, and the correction inside molecules, whose
   * sums are added to those given (NULL: not wanted). */
  void (*deliver[2])(const MeshBlock *block, const MeshErf *erf, const void *force, const double net[3],
                     const Octet *q, const Octet *active, int begin, int end, Octet *f, double *sums);
} MeshKernels; /* indexed by PmePrecision */

ISA_DECLARE(MeshKernels, mesh_kernels_table);

#endif
