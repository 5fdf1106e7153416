/* Private interface between mesh.c and the kernels that take sites from packs and bring forces back, compiled
 * once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_MESH_KERNELS_H
#define HOLONOM_FORCEFIELDS_MESH_KERNELS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/octet.h"
#include "forcefields/pme_kernels.h"
#include "forcefields/site_map.h"

#define MESH_BOXES 0x1p20 /* coordinates farther out than so many boxes are absurd */
enum { MESH_TERMS = 24 };

/* erf(beta r)/r = sum of c[k] w^k, w = scale r^2 - 1, for r^2 up to `most`; beyond, plainly. */
typedef struct MeshErf {
  double beta, scale, most;
  int n;
  double c[MESH_TERMS];
} MeshErf;

enum { MESH_PAIRS = SITE_MAP_SITES * (SITE_MAP_SITES - 1) / 2 };

/* The packs of one block. Sites from..map.nsite-1 of a molecule count as charged, n of them, and are
 * numbered: the i-th of pack p, lane l is first + (p n + i) 8 + l. */
typedef struct MeshBlock {
  SiteMap map;
  int from, n;
  int first; /* number of the block's first charged site                */
  int npack;
  double qq[MESH_PAIRS];       /* C q q of pairs of charged sites 01, 02 .. 12 ..         */
  double mass[SITE_MAP_ATOMS]; /* share of the net force that an atom takes up            */
} MeshBlock;

enum { MESH_SUMS = 7 }; /* energy, virial xx yy zz xy xz yz */

typedef struct MeshKernels {
  /* Packs begin..end-1 at q: rows and tags of their sites, scale = 1/L. Returns the first pack with a lane in
   * use that is no place, or -1. */
  int (*stage[2])(const PmeMesh *mesh, const MeshBlock *block, const double scale[3], const Octet *q,
                  const Octet *active, int begin, int end, const PmeSites *out);
  /* f += the forces on sites, force[site][4], less mass times net, and the correction inside molecules, whose
   * sums are added to those given (NULL: not wanted). */
  void (*deliver[2])(const MeshBlock *block, const MeshErf *erf, const void *force, const double net[3],
                     const Octet *q, const Octet *active, int begin, int end, Octet *f, double *sums);
} MeshKernels; /* indexed by PmePrecision */

ISA_DECLARE(MeshKernels, mesh_kernels_table);

#endif
