/* Private interface between pme.c and the kernels, which are compiled once per instruction set and written
 * once for floats and doubles. Arrays of the mesh's own precision are void here. */
#ifndef HOLONOM_FORCEFIELDS_PME_KERNELS_H
#define HOLONOM_FORCEFIELDS_PME_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"

enum {
  PME_ORDER_MAX = 6,
  PME_LANES = 16, /* arrays of sites are longer by so many */
  PME_WINDOW = 8  /* points of a row that the sites of a block reach */
};

/* The mesh is real[x][y][row]: behind the n[2] points of a row is room for what hangs over its end, so that
 * rows never wrap. Planes and rows do, by tables. */
typedef struct PmeMesh {
  int order, n[3];
  int width;             /* of a row that a site touches: 4 or 8, the rest being zero        */
  int row, plane;        /* reals from one row, one plane to the next                         */
  int wide;              /* points along z where the sites of a block begin                   */
  const ptrdiff_t *slab; /* [n[0] + order - 1]: where plane i mod n[0] begins                */
  const ptrdiff_t *line; /* [n[1] + order - 1]: where in a plane row i mod n[1] begins       */
} PmeMesh;

/* What the sites of a block reach of the mesh: planes from x on, all rows, and of these the points from z on.
 * Rows are as long as a register, one behind the other, so that what a site adds is stored where it is
 * aligned: a store across 32 bytes takes twice the time on many processors, and of those at any point seven
 * of eight are such. */
typedef struct PmePatch {
  int x, z;  /* the first plane and point                                                  */
  int plane; /* reals from one plane to the next                                           */
  void *q;   /* [planes][n[1] + order - 1][PME_WINDOW], and room for a row more            */
} PmePatch;

/* A site covers points k .. k + order - 1 in each direction; cell = kx<<20 | ky<<10 | kz. (All are order - 1
 * points farther than in the formulas, which shifts the mesh as a whole.) */
typedef struct PmeSites {
  void *row;          /* [n][4] where between k and k + 1, in [0, 1], along x, y, z; the charge   */
  uint64_t *tag;      /* [n] number of the site << 32 | cell                                      */
  const void *charge; /* [n] by number, to be put into rows                                       */
} PmeSites;

typedef struct PmeKernels {
  /* Puts site i of begin..end-1 at place next[key[i]]++ of `to`. */
  void (*sort)(const PmeSites *from, const int *key, int begin, int end, int *next, const PmeSites *to);
  /* Adds what sites spread to a patch. */
  void (*spread)(const PmePatch *patch, const PmeSites *sites, int begin, int end);
  /* Adds a plane of each patch of a slab, `step` reals from one to the next along z, to one of the mesh. */
  void (*add)(const PmeMesh *mesh, int patches, const void *patch, size_t step, void *plane);
  /* force[id][d] = q times the sum over e <= d of scale[d][e] sum phi dM/du_e; net[3] gets their sum. */
  void (*gather)(const PmeMesh *mesh, const PmeSites *sites, int begin, int end, const void *phi,
                 const double scale[3][3], void *force, double net[3]);
  /* In one plane: what hangs over is added at the rows' beginning; the beginnings are repeated at the end. */
  void (*fold)(const PmeMesh *mesh, void *plane);
  void (*repeat)(const PmeMesh *mesh, void *plane);
} PmeKernels;

/* By precision and order. */
ISA_DECLARE(PmeKernels, pme_double4_order4);
ISA_DECLARE(PmeKernels, pme_double8_order5);
ISA_DECLARE(PmeKernels, pme_double8_order6);
ISA_DECLARE(PmeKernels, pme_float4_order4);
ISA_DECLARE(PmeKernels, pme_float8_order5);
ISA_DECLARE(PmeKernels, pme_float8_order6);

#endif
