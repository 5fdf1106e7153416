/* Private interface between open_pairs.c and the kernels, which are compiled for each instruction set in
 * double and in float. */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/vec8.h"

enum { OPEN_PAIRS_COULOMB, OPEN_PAIRS_LJ, OPEN_PAIRS_COLUMNS };

/* Of the rows behind row i: begin to end - 1, all of which it sees; or those of a pack whose bits are set. */
typedef struct OpenPairsRun {
  int begin, end;
} OpenPairsRun;
typedef struct OpenPairsMask {
  int pack;
  unsigned bits;
} OpenPairsMask;

/* Who sees whom, and with what. A pack is as many rows as 64 bytes have numbers of the kernel's precision;
 * root, lj and with are in this precision. */
typedef struct OpenPairsRows {
  int nrow, npack, ntype;
  const int *type;  /* [nrow] */
  const void *root; /* [npack] packs: charges times the root of C; beyond the last row 0 */
  const void *lj;   /* [ntype][ntype][2] -12 A and 6 C of A/r^12 - C/r^6 */
  const void *with; /* width 1: [ntype][npack][2] packs of lj, a type and each row; beyond the last 0 */
  const int *first; /* [nrow + 1] of each row's runs, or masks: rising */
  const OpenPairsRun *run;
  const OpenPairsMask
      *mask; /* the first is of the row's own pack; what comes between and behind them is all seen */
} OpenPairsRows;

/* Pairs of rows, or of packs of rows, begin to end - 1 with all behind. */
typedef struct OpenPairsChunk {
  int begin, end;
  const void *x; /* [nrow][3] packs of replicas, or [npack][3] of rows */
  void *f;       /* likewise: overwritten from `begin` on */
  Vec8 *energy;  /* [OPEN_PAIRS_COLUMNS] overwritten; NULL: not wanted; floats: NULL */
} OpenPairsChunk;

/* Positions in double that become those of a kernel: pack h of eight of element i is at x + h * apart + i *
 * step. */
typedef struct OpenPairsPositions {
  const Vec8 *x;
  size_t apart, step;
  const double *middle; /* [3] subtracted from all; NULL: of nrow elements, in each lane */
  int nrow;
} OpenPairsPositions;

typedef struct OpenPairsKernels {
  int lanes; /* of a pack: 8 doubles or 16 floats */
  void (*batch)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  void (*single)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  /* to[begin..end-1][3]: positions relative to the middle. */
  void (*centre)(const OpenPairsPositions *from, int begin, int end, void *to);
  /* f[pack of eight][n] += the numbers of g[n] in the lanes whose bits are set in used[pack of eight];
   * returns whether all of these are below FORCE_MOST. */
  bool (*scatter)(int n, const void *g, const unsigned *used, Vec8 *const *f);
} OpenPairsKernels;

ISA_DECLARE(OpenPairsKernels, open_pairs_double_table);
ISA_DECLARE(OpenPairsKernels, open_pairs_mixed_table);

#endif
