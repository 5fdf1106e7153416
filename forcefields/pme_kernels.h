/* Private interface between pme.c and the kernels, compiled for each instruction set from one source for
 * floats and doubles. Arrays in the mesh's precision are void here. */
#ifndef HOLONOM_FORCEFIELDS_PME_KERNELS_H
#define HOLONOM_FORCEFIELDS_PME_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"

enum {
  PME_ORDER_MAX = 6,
  PME_LANES = 16, /* extra entries of arrays of sites */
  PME_WINDOW = 8  /* points of a row reached by the sites of a block */
};

/* The mesh is real[x][y][row]. Rows have space for the overhang after their n[2] points and never wrap.
 * Planes and rows wrap by tables. */
typedef struct PmeMesh {
  int order, n[3];
  int width;             /* of a row that a site touches: 4 or 8, zeros beyond the order */
  int row, plane;        /* reals between rows, and between planes */
  int wide;              /* points along z where the sites of a block begin */
  const ptrdiff_t *slab; /* [n[0] + order - 1]: offset of plane i mod n[0] */
  const ptrdiff_t *line; /* [n[1] + order - 1]: offset in a plane of row i mod n[1] */
} PmeMesh;

/* The part of the mesh that the sites of a block reach: planes from x on, all rows, and points of them from z
 * on. Rows are contiguous and as long as a register, so that all stores are aligned. Unaligned stores, seven
 * of eight otherwise, cross 32 bytes, which takes twice the time on many processors. */
typedef struct PmePatch {
  int x, z;  /* first plane and point */
  int plane; /* reals between planes */
  void *q;   /* [planes][n[1] + order - 1][PME_WINDOW], and space for one more row */
} PmePatch;

/* A site covers points k .. k + order - 1 in each direction; cell = kx<<20 | ky<<10 | kz. (The points are
 * order - 1 higher than in the formulas, which shifts the whole mesh.) */
typedef struct PmeSites {
  void *row;          /* [n][4] position between k and k + 1, in [0, 1], along x, y, z; the charge */
  uint64_t *tag;      /* [n] number of the site << 32 | cell */
  const void *charge; /* [n] by number, to be copied into rows */
} PmeSites;

typedef struct PmeKernels {
  /* Copies site i of begin..end-1 to place next[key[i]]++ of `to`. */
  void (*sort)(const PmeSites *from, const int *key, int begin, int end, int *next, const PmeSites *to);
  /* Spreads sites on a patch. */
  void (*spread)(const PmePatch *patch, const PmeSites *sites, int begin, int end);
  /* Adds a plane of each patch of a slab, `step` reals apart along z, to a plane of the mesh. */
  void (*add)(const PmeMesh *mesh, int patches, const void *patch, size_t step, void *plane);
  /* force[id][d] = q times the sum over e <= d of scale[d][e] sum phi dM/du_e; net[3] += their sum. */
  void (*gather)(const PmeMesh *mesh, const PmeSites *sites, int begin, int end, const void *phi,
                 const double scale[3][3], void *force, double net[3]);
  /* In one plane, fold adds the overhang of rows to their beginning; repeat copies their beginning to the
   * overhang. */
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
