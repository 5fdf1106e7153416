/* Private interface between open_pairs.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_KERNELS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/vec8.h"

enum { OPEN_PAIRS_COULOMB, OPEN_PAIRS_LJ, OPEN_PAIRS_COLUMNS };

/* Of the rows behind row i: begin to end - 1, all of which it sees; or those of a pack of eight whose bits
 * are set. */
typedef struct OpenPairsRun {
  int begin, end;
} OpenPairsRun;
typedef struct OpenPairsMask {
  int pack;
  unsigned bits;
} OpenPairsMask;

/* Who sees whom, and with what. */
typedef struct OpenPairsRows {
  int nrow, npack, ntype; /* packs: of eight rows */
  const int *type;        /* [nrow] */
  const double *root;     /* [8 npack] charges times the root of C; beyond the last row 0 */
  const double (*lj)[2];  /* [ntype][ntype] -12 A and 6 C of A/r^12 - C/r^6 */
  const Vec8 (*with)[2];  /* width 1: [ntype][npack] of lj, a type and each row; beyond the last 0 */
  const int *first;       /* [nrow + 1] of each row's runs, or masks: rising */
  const OpenPairsRun *run;
  const OpenPairsMask
      *mask; /* the first is of the row's own pack; what comes between and behind them is all seen */
} OpenPairsRows;

/* Pairs of rows, or of packs of rows, begin to end - 1 with all behind. */
typedef struct OpenPairsChunk {
  int begin, end;
  const Vec8 *x; /* [nrow][3] octets of replicas, or [npack][3] of rows */
  Vec8 *f;       /* likewise: overwritten from `begin` on */
  Vec8 *energy;  /* [OPEN_PAIRS_COLUMNS] overwritten; NULL: not wanted */
} OpenPairsChunk;

typedef struct OpenPairsKernels {
  void (*gang)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  void (*single)(const OpenPairsRows *rows, const OpenPairsChunk *chunk);
  /* f[n] += g[n] in the lanes whose bits are set; returns whether all of these are below FORCE_MOST. */
  bool (*hand_out)(int n, const Vec8 *g, unsigned used, Vec8 *f);
} OpenPairsKernels;

ISA_DECLARE(OpenPairsKernels, open_pairs_table);

#endif
