/* Private interface between open_pairs.c and the kernels, compiled for each instruction set in double and in
 * float. */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/vec8.h"

enum { OPEN_PAIRS_COULOMB, OPEN_PAIRS_LJ, OPEN_PAIRS_COLUMNS };

/* Partners after row i: the rows begin to end - 1, or the rows of a pack whose bits are set. */
typedef struct OpenPairsRun {
  int begin, end;
} OpenPairsRun;
typedef struct OpenPairsMask {
  int pack;
  unsigned bits;
} OpenPairsMask;

/* Interacting rows and their parameters. A pack is 64 bytes of rows in the kernel's precision; root, lj and
 * with have this precision. */
typedef struct OpenPairsRows {
  int nrow, npack, ntype;
  const int *type;  /* [nrow] */
  const void *root; /* [npack] packs: charges times sqrt(Coulomb's constant); 0 after the last row */
  const void *lj;   /* [ntype][ntype][2] -12 A and 6 C of A/r^12 - C/r^6 */
  const void
      *with; /* width 1: [ntype][npack][2] packs of lj, for a type and each row; 0 after the last row */
  const int *first; /* [nrow + 1] of each row's runs or masks: ascending */
  const OpenPairsRun *run;
  const OpenPairsMask
      *mask; /* the first is of the row's own pack; packs between and after masks interact completely */
} OpenPairsRows;

/* Pairs of rows, or of packs of rows, begin to end - 1 with all later ones. */
typedef struct OpenPairsChunk {
  int begin, end;
  const void *x; /* [nrow][3] packs of replicas, or [npack][3] of rows */
  void *f;       /* likewise: overwritten from `begin` on */
  Vec8 *energy;  /* [OPEN_PAIRS_COLUMNS] overwritten, or NULL; always NULL for floats */
} OpenPairsChunk;

/* Positions in double as input of a kernel: pack h of eight of element i is at x + h * apart + i * step. */
typedef struct OpenPairsPositions {
  const Vec8 *x;
  size_t apart, step;
  const double *middle; /* [3] subtracted from all; NULL: the mean of nrow elements, in each lane */
  int nrow;
} OpenPairsPositions;

typedef struct OpenPairsKernels {
  int lanes; /* of a pack: 8 doubles or 16 floats */
  void (*batch)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  void (*single)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  /* to[begin..end-1][3]: positions relative to the middle. */
  void (*centre)(const OpenPairsPositions *from, int begin, int end, void *to);
  /* f[pack of eight][n] += the numbers of g[n] in the lanes whose bits are set in used[pack of eight];
   * returns whether all of them are below FORCE_MOST. */
  bool (*scatter)(int n, const void *g, const unsigned *used, Vec8 *const *f);
} OpenPairsKernels;

ISA_DECLARE(OpenPairsKernels, open_pairs_double_table);
ISA_DECLARE(OpenPairsKernels, open_pairs_mixed_table);

#endif
