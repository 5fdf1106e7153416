/* Private to the pair kernels: two waters in registers, and the loops over all pairs of molecules.
 *
 * Sites are those of a SiteMap: O, H, H, then virtual ones. With three sites all have charges; with four
 * (M) and five (L1, L2) all but the oxygen, which always has Lennard-Jones. The number of sites is a
 * constant at every call, to unroll each instance. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_MOLECULES_H
#define HOLONOM_FORCEFIELDS_PAIR_MOLECULES_H

#include "forcefields/pair_kernels.h"
#include "forcefields/pair_real.h"

enum { PAIR_ELEMENTS = 3 * SITE_MAP_SITES, PAIR_COUNT = 17 /* the most pairs of sites */, PAIR_UNIT = 3 };

/* The series of a^(-3/2) times the product of two charges, by their number of hydrogens; the last one times
 * 1. */
typedef struct PairConstants {
  Real series[4][REAL_TERMS];
  Real qq; /* of the oxygens, if charged */
  Real a12, c6, a, c;
} PairConstants;

VEC_INLINE PairConstants pair_constants(const SiteMap *map)
{
  double qq[3];
  pair_charge_products(map, qq);
  PairConstants k = {.qq = real_set(qq[0]),
                     .a12 = real_set(12.0 * map->lj[0]),
                     .c6 = real_set(6.0 * map->lj[1]),
                     .a = real_set(map->lj[0]),
                     .c = real_set(map->lj[1])};
  for (int s = 0; s <= PAIR_UNIT; s++)
    for (int t = 0; t < REAL_TERMS; t++)
      k.series[s][t] = real_set((s == PAIR_UNIT ? 1.0 : qq[s]) * real_series[t]);
  return k;
}

/* --- two molecules -------------------------------------------------------------------------------------- */

/* Pairs of charges are counted e = 0, 1 ..., the site of the second molecule slowest. If oxygens have no
 * charges, their pair is last. */
VEC_INLINE int pair_charges(const int nsite) { return nsite == 3 ? 3 : nsite - 1; }
VEC_INLINE int pair_oxygens(const int nsite) { return nsite == 3 ? 0 : (nsite - 1) * (nsite - 1); }
VEC_INLINE int pair_count(const int nsite) { return nsite == 3 ? 9 : (nsite - 1) * (nsite - 1) + 1; }

VEC_INLINE int pair_first_site(const int nsite, const int e)
{
  return e == pair_oxygens(nsite) ? 0 : e % pair_charges(nsite) + (nsite > 3);
}

VEC_INLINE int pair_second_site(const int nsite, const int e)
{
  return e == pair_oxygens(nsite) ? 0 : e / pair_charges(nsite) + (nsite > 3);
}

VEC_INLINE int pair_series(const int nsite, const int e)
{
  return e == pair_oxygens(nsite)
             ? PAIR_UNIT
             : pair_hydrogen(pair_first_site(nsite, e)) + pair_hydrogen(pair_second_site(nsite, e));
}

/* Replaces squared distances by force over distance; energy[2] += coulomb, lj unless NULL. Products that the
 * forces sum have no other use: the compiler then fuses them alike with and without energies, and the forces
 * have the same bits. */
VEC_INLINE void pair_factors(const PairConstants *k, const int nsite, Real *energy, const RealMask *mask,
                             Real *s)
{
  const int n = pair_count(nsite), o = pair_oxygens(nsite);
  Real square[PAIR_COUNT];
  UNROLL
  for (int e = 0; e < n; e++)
    if (energy != NULL || e == o)
      square[e] = s[e];
  UNROLL
  for (int e = 0; e < n; e += REAL_LOCK) {
    const Real *series[REAL_LOCK];
    const int some = n - e < REAL_LOCK ? n - e : REAL_LOCK;
    UNROLL
    for (int i = 0; i < some; i++)
      series[i] = k->series[pair_series(nsite, e + i)];
    real_inverse_cubes(some, series, s + e);
  }
  const Real r3 = s[o], y6 = r3 * r3, y4 = y6 * square[o];
  const Real steep = (k->a12 * y6 - k->c6) * (y4 * y4);
  s[o] = nsite == 3 ? steep + k->qq * r3 : steep;
  UNROLL
  for (int e = 0; e < n && mask != NULL; e++)
    s[e] = real_masked(*mask, s[e]);
  if (energy == NULL)
    return;
  UNROLL
  for (int e = 0; e < n; e++)
    if (e != o)
      energy[0] += s[e] * square[e];
  const Real charges = k->qq * (r3 * square[o]), lj = (k->a * y6 - k->c) * y6;
  if (nsite == 3)
    energy[0] += mask != NULL ? real_masked(*mask, charges) : charges;
  energy[1] += mask != NULL ? real_masked(*mask, lj) : lj;
}

/* Site j at x with n sites of molecule i, from `from` on: adds to f_j = g and f_i. */
VEC_INLINE void pair_forces(const int from, const int n, const Real *s, const Real *xi, Real *fi,
                            const Real *x, Real *g, const int step)
{
  const Real x0 = x[0], x1 = x[step], x2 = x[2 * step];
  Real g0 = g[0], g1 = g[step], g2 = g[2 * step];
  UNROLL
  for (int e = 0; e < n; e++) {
    const int a = 3 * (from + e);
    const Real r0 = xi[a] - x0, r1 = xi[a + 1] - x1, r2 = xi[a + 2] - x2;
    fi[a] += s[e] * r0;
    fi[a + 1] += s[e] * r1;
    fi[a + 2] += s[e] * r2;
    g0 -= s[e] * r0;
    g1 -= s[e] * r1;
    g2 -= s[e] * r2;
  }
  g[0] = g0;
  g[step] = g1;
  g[2 * step] = g2;
}

/* Molecule i with molecule j, whose elements are `step` registers apart: f_i, f_j, energies. Lanes with mask
 * 0 get nothing; NULL: all count. Three phases limit the number of live values to the registers: squared
 * distances; factors; forces, with differences recomputed, which is cheaper than storing them. */
VEC_INLINE void pair_molecules(const PairConstants *k, const int nsite, Real *energy, const RealMask *mask,
                               const Real *xi, Real *fi, const Real *xj, Real *fj, const int step)
{
  const int n = pair_count(nsite), charges = pair_charges(nsite);
  Real s[PAIR_COUNT];
  UNROLL
  for (int e = 0; e < n; e++) {
    const Real *a = xi + 3 * pair_first_site(nsite, e), *b = xj + 3 * step * pair_second_site(nsite, e);
    const Real x = a[0] - b[0], y = a[1] - b[step], z = a[2] - b[2 * step];
    s[e] = x * x + y * y + z * z;
  }
  VEC_PHASE(s);
  pair_factors(k, nsite, energy, mask, s);
  VEC_PHASE(s);
  UNROLL
  for (int b = 0; b < charges; b++) {
    const int at = 3 * step * (b + (nsite > 3));
    pair_forces(nsite > 3, charges, s + b * charges, xi, fi, xj + at, fj + at, step);
  }
  if (nsite > 3)
    pair_forces(0, 1, s + pair_oxygens(nsite), xi, fi, xj, fj, step);
}

/* --- replicas in lanes ---------------------------------------------------------------------------------- */

/* The first of some molecules, `step` apart, with the later ones: f += forces, or = with `fill`. */
VEC_INLINE void pair_row(const PairConstants *k, const int nsite, const bool fill, int nmol, size_t step,
                         const Real *x, Real *f, Real *energy)
{
  Real xi[PAIR_ELEMENTS], fi[PAIR_ELEMENTS];
  UNROLL
  for (int d = 0; d < 3 * nsite; d++) {
    xi[d] = x[d * REGISTERS];
    fi[d] = real_set(0.0);
  }
  const Real *xj = x + step;
  Real *fj = f + step;
  for (int j = 1; j < nmol; j++, xj += step, fj += step) {
    for (int d = 0; d < 3 * nsite && fill; d++)
      fj[d * REGISTERS] = real_set(0.0);
    pair_molecules(k, nsite, energy, NULL, xi, fi, xj, fj, REGISTERS);
  }
  UNROLL
  for (int d = 0; d < 3 * nsite; d++)
    f[d * REGISTERS] = fill ? fi[d] : f[d * REGISTERS] + fi[d];
}

/* Part `part` of molecules in packs `stride` apart: f = forces. */
VEC_INLINE void pair_batch(const PairConstants *k, const int nsite, int nmol, int stride, int part,
                           const Real *x, Real *f, Real *energy)
{
  const size_t step = 3 * (size_t)nsite * REGISTERS * (size_t)stride;
  x += part;
  f += part;
  pair_row(k, nsite, true, nmol, step, x, f, energy);
  for (int i = 1; i < nmol; i++) {
    x += step;
    f += step;
    pair_row(k, nsite, false, nmol - i, step, x, f, energy);
  }
}

/* --- molecules in lanes --------------------------------------------------------------------------------- */

/* The first `count` molecules of a pack with each other. Each interacts with the one d = 1, 2 ... count/2
 * places further in a ring; for even counts the last turn finds each pair twice and computes half. Loads from
 * two copies of the pack in a row find partners; stores return their forces in the same way. */
VEC_INLINE void pair_ring(const PairConstants *k, const int nsite, int count, const Real *x, Real *f,
                          Real *energy)
{
  Scalar y[PAIR_ELEMENTS][2 * REAL_PACK], g[PAIR_ELEMENTS][2 * REAL_PACK];
  for (int e = 0; e < 3 * nsite; e++) {
    for (int p = 0; p < REGISTERS; p++) {
      real_store(y[e] + p * REALS, x[e * REGISTERS + p]);
      real_store(g[e] + p * REALS, real_set(0.0));
      real_store(g[e] + count + p * REALS, real_set(0.0));
    }
    for (int p = 0; p < REGISTERS; p++)
      real_store(y[e] + count + p * REALS, x[e * REGISTERS + p]);
  }
  for (int p = 0; p < REGISTERS && p * REALS < count; p++) {
    Real xi[PAIR_ELEMENTS], fi[PAIR_ELEMENTS];
    UNROLL
    for (int e = 0; e < 3 * nsite; e++) {
      xi[e] = x[e * REGISTERS + p];
      fi[e] = real_set(0.0);
    }
    for (int d = 1; 2 * d <= count; d++) {
      const int left = (2 * d == count ? d : count) - p * REALS;
      if (left <= 0)
        break;
      const RealMask mask = real_first(left);
      Real xj[PAIR_ELEMENTS], fj[PAIR_ELEMENTS];
      UNROLL
      for (int e = 0; e < 3 * nsite; e++) {
        xj[e] = real_load(y[e] + d + p * REALS);
        fj[e] = real_load(g[e] + d + p * REALS);
      }
      pair_molecules(k, nsite, energy, &mask, xi, fi, xj, fj, 1);
      UNROLL
      for (int e = 0; e < 3 * nsite; e++)
        real_store(g[e] + d + p * REALS, fj[e]);
    }
    UNROLL
    for (int e = 0; e < 3 * nsite; e++)
      f[e * REGISTERS + p] += fi[e];
  }
  for (int p = 0; p < REGISTERS && p * REALS < count; p++) {
    const RealMask mask = real_first(count - p * REALS);
    for (int e = 0; e < 3 * nsite; e++)
      f[e * REGISTERS + p] +=
          real_masked(mask, real_load(g[e] + p * REALS) + real_load(g[e] + count + p * REALS));
  }
}

/* A full pack of molecules i with those in `lanes` lanes of packs from x on, all later. */
VEC_INLINE void pair_between(const PairConstants *k, const int nsite, int lanes, const Real *x_row,
                             Real *f_row, const Real *x, Real *f, Real *energy)
{
  const int elements = 3 * nsite, full = lanes / REALS;
  for (int p = 0; p < REGISTERS; p++) {
    Real sum[PAIR_ELEMENTS][REALS];
    for (int i = 0; i < REALS; i++) {
      Real xi[PAIR_ELEMENTS], fi[PAIR_ELEMENTS];
      UNROLL
      for (int e = 0; e < elements; e++) {
        xi[e] = ((const Scalar *)&x_row[e * REGISTERS + p])[i] - real_set(0.0);
        fi[e] = real_set(0.0);
      }
      for (int r = 0; r < full; r++) {
        const int at = r / REGISTERS * elements * REGISTERS + r % REGISTERS;
        pair_molecules(k, nsite, energy, NULL, xi, fi, x + at, f + at, REGISTERS);
      }
      if (lanes > full * REALS) {
        const int at = full / REGISTERS * elements * REGISTERS + full % REGISTERS;
        const RealMask mask = real_first(lanes - full * REALS);
        pair_molecules(k, nsite, energy, &mask, xi, fi, x + at, f + at, REGISTERS);
      }
      UNROLL
      for (int e = 0; e < elements; e++)
        sum[e][i] = fi[e];
    }
    for (int e = 0; e < elements; e++)
      f_row[e * REGISTERS + p] += REAL_VERB(sum_each)(sum[e]);
  }
}

/* Pairs of packs begin..end-1 (see PairKernels.chunk). */
VEC_INLINE void pair_chunk(const PairConstants *k, const int nsite, int nmol, int64_t begin, int64_t end,
                           const Real *x, Real *f, Real *energy)
{
  const int npack = (nmol + REAL_PACK - 1) / REAL_PACK;
  const size_t step = 3 * (size_t)nsite * REGISTERS;
  int row, column;
  pair_locate(npack, begin, &row, &column);
  memset(f + (size_t)row * step, 0, (size_t)(npack - row) * step * sizeof *f);
  while (begin < end) {
    const int stop = end - begin < npack - column ? column + (int)(end - begin) : npack;
    begin += stop - column;
    const Real *x_row = x + (size_t)row * step;
    Real *f_row = f + (size_t)row * step;
    if (column == row) {
      const int left = nmol - row * REAL_PACK;
      pair_ring(k, nsite, left < REAL_PACK ? left : REAL_PACK, x_row, f_row, energy);
      column++;
    }
    if (column < stop) {
      const int last = stop * REAL_PACK < nmol ? stop * REAL_PACK : nmol;
      pair_between(k, nsite, last - column * REAL_PACK, x_row, f_row, x + (size_t)column * step,
                   f + (size_t)column * step, energy);
    }
    column = ++row;
  }
}

#endif
