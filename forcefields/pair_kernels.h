/* Private interface between pair.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_KERNELS_H
#define HOLONOM_FORCEFIELDS_PAIR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/isa.h"
#include "engine/octet.h"

/* A model as the kernels take it. Sites of a molecule: O, H, H; or M, H, H, O, so that the charges are
 * always the first three. */
typedef struct PairModel {
  int nsite;     /* 3, or 4 with a massless site */
  double weight; /* of the hydrogens in M        */
  double qq[3];  /* charge products times the Coulomb constant: OO, OH, HH (M for O) */
  double a, c;   /* of A/r^12 - C/r^6            */
} PairModel;

/* Index in a molecule's sites of the oxygen. */
VEC_INLINE int pair_oxygen(int nsite) { return nsite == 4 ? 3 : 0; }

/* One set of kernels for packs of doubles (Octet), one for packs of floats (OctetFloats): two packs of the
 * state. Arrays are x, f[pack][nsite][3] of those vectors. */
typedef struct PairKernels {
  int lanes;
  /* Fills x for packs begin..end-1 of the kernel from q[npack][3][3] of the state.
   * Floats only: origin[2][3] is subtracted, one row for even and one for odd packs of the state; lanes
   * that are not active[npack] (NULL: all are) are put at a distance that no power of it underflows. */
  void (*stage)(const PairModel *model, int begin, int end, int npack, const Octet *q, const Octet *origin,
                const Octet *active, void *x);
  /* Replicas in lanes: f += forces; molecule i is pack i*stride. energy[2] = coulomb, lj; or NULL. With
   * out, f is scratch memory that holds zeros, and out[npack][3][3] of the state gets the forces. */
  void (*gang)(const PairModel *model, int nmol, int stride, const void *x, void *f, Octet *out,
               Octet *energy);
  /* One replica, molecules in lanes: forces and energies of the pairs of packs begin..end-1, counted (0,0)
   * (0,1) ... (1,1) ... Overwrites f from the first of these packs on, and energy[2] unless NULL. */
  void (*chunk)(const PairModel *model, int nmol, int begin, int end, const void *x, void *f, Octet *energy);
  /* f[npack][3][3] of the state += the sum over nbuf buffers, `size` vectors apart, for packs begin..end-1
   * of the kernel. Buffer k is used from pack first[k] on; first does not decrease. */
  void (*collect)(const PairModel *model, int begin, int end, int npack, int nbuf, const int *first, int size,
                  const void *buffer, Octet *f);
} PairKernels;

typedef struct PairExtras {
  /* Mean position of the oxygens per replica: origin[2][3], see PairKernels.stage. */
  void (*origin)(int width, int nmol, const Octet *q, const Octet *active, Octet *origin);
  /* hess[pack][9][9] += each molecule's own block of Hess V for packs begin..end-1; x as staged. */
  void (*hess)(const PairModel *model, int width, int nmol, int begin, int end, const Octet *x, Octet *hess);
} PairExtras;

ISA_DECLARE(PairKernels, pair_double_table);
ISA_DECLARE(PairKernels, pair_mixed_table);
ISA_DECLARE(PairExtras, pair_extras_table);

/* Component d of the first site (O or M) of the molecules at q[O, H, H]. */
VEC_INLINE Octet pair_place(const PairModel *m, const int nsite, const Octet *q, int d)
{
  return nsite == 4 ? (1.0 - 2.0 * m->weight) * q[d] + m->weight * (q[3 + d] + q[6 + d]) : q[d];
}

/* f[O, H, H] += the forces g on all sites, that on M shared out by the weights that placed it. */
VEC_INLINE void pair_spread(const PairModel *m, const int nsite, const Octet *g, Octet *f)
{
  const bool massless = nsite == 4;
#pragma GCC unroll 3
  for (int d = 0; d < 3; d++) {
    f[d] += massless ? g[9 + d] + (1.0 - 2.0 * m->weight) * g[d] : g[d];
    f[3 + d] += massless ? g[3 + d] + m->weight * g[d] : g[3 + d];
    f[6 + d] += massless ? g[6 + d] + m->weight * g[d] : g[6 + d];
  }
}

/* Row and column of pair k of npack packs, counted along the rows of the upper triangle. */
VEC_INLINE void pair_locate(int npack, int k, int *row, int *column)
{
  int i = 0;
  while (k >= npack - i)
    k -= npack - i++;
  *row = i;
  *column = i + k;
}

#endif
