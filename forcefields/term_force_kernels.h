/* Private interface between term_force.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_TERM_FORCE_KERNELS_H
#define HOLONOM_FORCEFIELDS_TERM_FORCE_KERNELS_H

#include "engine/force.h"
#include "engine/isa.h"
#include "engine/vec8.h"
#include "topology/term.h"

/* Sums of energies by column, then the sum over terms of v_a f_b, v the vectors of the coordinate and f the
 * forces on them: it equals the sum over atoms of r_a f_b. */
enum { TERM_VIRIAL = TERM_COLUMNS, TERM_SUMS = TERM_COLUMNS + 9 };
_Static_assert((int)TERM_COLUMNS <= (int)FORCE_TERMS, "a force tells so many energies");

/* Eight terms of one type side by side, packs first to last - 1 of npack. */
typedef struct TermPacks {
  int first, last, npack;
  unsigned tail;        /* bits of the lanes in use in the last of npack */
  const Vec8 *param;    /* [npack][n of term_ready] */
  const uint32_t *row;  /* [npack][natom][LANES] row of x of each atom */
  const double (*x)[4]; /* three numbers, the fourth unused */
  const TermNode *node; /* of all grids */
  Vec8 *force;          /* [npack][natom][3], overwritten */
  Vec8 *sums;           /* [TERM_SUMS] +=; or NULL */
} TermPacks;

/* One term in the lanes of a pack, of replicas or of molecules. */
typedef struct TermLanes {
  const double *param;       /* of term_ready */
  const TermNode *node;      /* of all grids */
  unsigned used;             /* lanes, by bits */
  const Vec8 *q[TERM_ATOMS]; /* [3] of each atom */
  Vec8 *f[TERM_ATOMS];       /* [3] of each atom += forces */
  Vec8 *sums;                /* [TERM_COLUMNS] +=; or NULL */
  Vec8 *hess;                /* [n][n] += second derivatives, of each atom from `place` on */
  int n, place[TERM_ATOMS];
} TermLanes;

typedef struct TermKernel {
  bool (*packs)(const TermPacks *packs);     /* whether all forces are below FORCE_MOST */
  unsigned (*lanes)(const TermLanes *lanes); /* bits of the lanes where they are not */
  void (*hess)(const TermLanes *lanes);
} TermKernel;

typedef struct TermKernels {
  void (*rows)(const Vec8 *q, int n, double (*x)[4]); /* q[n][3] of a pack to x[n][LANES] */
  TermKernel row[TERM_TYPES];
} TermKernels;

ISA_DECLARE(TermKernels, term_force_kernels_table);

#endif
