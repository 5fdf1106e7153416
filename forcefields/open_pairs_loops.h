/* Private to the kernels of open_pairs.c: all pairs of atoms, in double or float (pair_real.h). A register
 * contains replicas of one pair, or pairs of one atom with others. Products are fused as written, so forces
 * have the same bits with and without energies and in every part of a pack. */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_LOOPS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_LOOPS_H

#include "engine/force.h"
#include "forcefields/open_pairs_kernels.h"
#include "forcefields/pair_real.h"

enum { OPEN_PAIRS_HAS_ENERGY = REAL_PACKS == 1 }; /* energies always use doubles */

/* 1/sqrt(s): with an estimate y and e = 1 - s y^2 it is y (1 - e)^(-1/2), a series that converges at once:
 * |e| is below twice VEC_ESTIMATE_ERROR, and the remainder after e^(REAL_TERMS - 1) is below rounding. */
VEC_INLINE Real inverse_root(Real s)
{
#if defined(VEC_ESTIMATE_ERROR)
  static const double series[4] = {0.5, 0.375, 0.3125, 0.2734375};
  const Real y = REAL_VERB(rsqrt_estimate)(s), e = REAL_VERB(fma)(-s, y * y, real_set(1.0));
  Real p = real_set(series[REAL_TERMS - 2]);
  UNROLL
  for (int t = REAL_TERMS - 3; t >= 0; t--)
    p = REAL_VERB(fma)(e, p, real_set(series[t]));
  return REAL_VERB(fma)(y * e, p, y);
#else
  return (Scalar)1.0 / REAL_VERB(sqrt)(s);
#endif
}

/* Computes minus the force over distance of a pair d apart. Signs are turned, with -q_i, -12 A and 6 C: the
 * result is added to f_j, and its sum is subtracted from f_i, without a change of sign for each pair. Unless
 * NULL, energy -= coulomb and 12 times Lennard-Jones. Only lanes of the mask, if there is one, count. */
VEC_INLINE Real open_pair(const Real d[3], Real qq, Real a12, Real c6, const RealMask *mask, Real *energy)
{
  const Real s = REAL_VERB(fma)(d[2], d[2], REAL_VERB(fma)(d[1], d[1], real_rounded(d[0] * d[0])));
  const Real y = inverse_root(s), y2 = y * y, y6 = y2 * y2 * y2;
  const Real coulomb = qq * y, steep = REAL_VERB(fma)(a12, y6, c6);
  const Real force = REAL_VERB(fma)(y6, steep, coulomb) * y2;
  if (energy != NULL) {
    const Real lj = y6 * (steep + c6);
    energy[OPEN_PAIRS_COULOMB] += mask != NULL ? real_masked(*mask, coulomb) : coulomb;
    energy[OPEN_PAIRS_LJ] += mask != NULL ? real_masked(*mask, lj) : lj;
  }
  return mask != NULL ? real_masked(*mask, force) : force;
}

/* Atom i at xi with one at x, whose elements are REGISTERS apart: less[3] for f_i, f of the other. */
VEC_INLINE void act(const Real xi[3], const Real *x, Real qq, Real a12, Real c6, const RealMask *mask,
                    Real *energy, Real less[3], Real *f)
{
  Real d[3];
  UNROLL
  for (int k = 0; k < 3; k++)
    d[k] = xi[k] - x[k * REGISTERS];
  const Real force = open_pair(d, qq, a12, c6, mask, energy);
  UNROLL
  for (int k = 0; k < 3; k++) {
    less[k] = REAL_VERB(fma)(force, d[k], less[k]);
    f[k * REGISTERS] = REAL_VERB(fma)(force, d[k], f[k * REGISTERS]);
  }
}

VEC_INLINE void store_energy(const Real e[OPEN_PAIRS_COLUMNS], int part, Vec8 *energy)
{
  vd coulomb[REAL_PACKS], lj[REAL_PACKS];
  real_split(e[OPEN_PAIRS_COULOMB], coulomb);
  real_split(e[OPEN_PAIRS_LJ], lj);
  vd_store(&energy[OPEN_PAIRS_COULOMB], part, -coulomb[0]);
  vd_store(&energy[OPEN_PAIRS_LJ], part, lj[0] * (-1.0 / 12.0));
}

/* Arrays of the interface with their types. */
typedef Real RealPack[REGISTERS];

VEC_INLINE RealPack *packs_from(void *f, size_t first) { return (RealPack *)f + first; }
VEC_INLINE const RealPack *packs_at(const void *x, size_t first) { return (const RealPack *)x + first; }
VEC_INLINE Scalar root_of(const OpenPairsRows *rows, size_t i) { return ((const Scalar *)rows->root)[i]; }

/* --- replicas in lanes ---------------------------------------------------------------------------------- */

/* One register of all replicas. */
VEC_INLINE void batch_part(const OpenPairsRows *rows, const OpenPairsChunk *chunk, int part, Real *energy)
{
  const Real *const x = (const Real *)chunk->x + part;
  Real *const f = (Real *)chunk->f + part;
  for (int i = chunk->begin; i < chunk->end; i++) {
    Real xi[3], less[3];
    UNROLL
    for (int k = 0; k < 3; k++) {
      xi[k] = x[(3 * (size_t)i + (size_t)k) * REGISTERS];
      less[k] = real_set(0.0);
    }
    const Real q = real_set(-root_of(rows, (size_t)i));
    const Scalar(*const lj)[2] = (const Scalar(*)[2])rows->lj + (size_t)rows->type[i] * (size_t)rows->ntype;
    for (const OpenPairsRun *run = rows->run + rows->first[i]; run < rows->run + rows->first[i + 1]; run++)
      for (size_t j = (size_t)run->begin; j < (size_t)run->end; j++) {
        const Scalar *const own = lj[rows->type[j]];
        act(xi, x + 3 * j * REGISTERS, q * root_of(rows, j), real_set(own[0]), real_set(own[1]), NULL, energy,
            less, f + 3 * j * REGISTERS);
      }
    UNROLL
    for (int k = 0; k < 3; k++)
      f[(3 * (size_t)i + (size_t)k) * REGISTERS] -= less[k];
  }
}

static void batch(const OpenPairsRows *rows, const OpenPairsChunk *chunk)
{
  memset(packs_from(chunk->f, 3 * (size_t)chunk->begin), 0,
         3 * (size_t)(rows->nrow - chunk->begin) * sizeof(RealPack));
  for (int part = 0; part < REGISTERS; part++)
    if (OPEN_PAIRS_HAS_ENERGY && chunk->energy != NULL) {
      Real e[OPEN_PAIRS_COLUMNS] = {{0}};
      batch_part(rows, chunk, part, e);
      store_energy(e, part, chunk->energy);
    } else
      batch_part(rows, chunk, part, NULL);
}

/* --- one replica ---------------------------------------------------------------------------------------- */

/* Row i on the rows of a pack. */
VEC_INLINE void single_pack(const OpenPairsRows *rows, const OpenPairsChunk *chunk, const RealPack (*with)[2],
                            Real q, const Real xi[3], size_t pack, const unsigned *bits, Real *energy,
                            Real less[3])
{
  for (int part = 0; part < REGISTERS; part++) {
    const RealMask mask = real_lanes_of(bits != NULL ? *bits >> part * REALS : 0);
    act(xi, *packs_at(chunk->x, 3 * pack) + part, q * (*packs_at(rows->root, pack))[part],
        with[pack][0][part], with[pack][1][part], bits != NULL ? &mask : NULL, energy, less,
        *packs_from(chunk->f, 3 * pack) + part);
  }
}

/* Row i with all its partners after it. */
VEC_INLINE void single_row(const OpenPairsRows *rows, const OpenPairsChunk *chunk, size_t i, Real *energy,
                           Real less[3])
{
  const Scalar *const at = (const Scalar *)packs_at(chunk->x, i / REAL_PACK * 3) + i % REAL_PACK;
  const Real xi[3] = {real_set(at[0]), real_set(at[REAL_PACK]), real_set(at[2 * REAL_PACK])},
             q = real_set(-root_of(rows, i));
  const RealPack(*const with)[2] =
      (const RealPack(*)[2])rows->with + (size_t)rows->type[i] * (size_t)rows->npack;
  size_t pack = i / REAL_PACK;
  for (const OpenPairsMask *m = rows->mask + rows->first[i]; m < rows->mask + rows->first[i + 1]; m++) {
    for (; pack < (size_t)m->pack; pack++)
      single_pack(rows, chunk, with, q, xi, pack, NULL, energy, less);
    single_pack(rows, chunk, with, q, xi, pack++, &m->bits, energy, less);
  }
  for (; pack < (size_t)rows->npack; pack++)
    single_pack(rows, chunk, with, q, xi, pack, NULL, energy, less);
}

/* Sums the forces on as many rows as a register has lanes, side by side. */
VEC_INLINE void single_rows(const OpenPairsRows *rows, const OpenPairsChunk *chunk, size_t first,
                            Real *energy)
{
  Real sum[3][REALS];
  for (int l = 0; l < REALS; l++) {
    Real less[3] = {{0}};
    if (first + (size_t)l < (size_t)rows->nrow)
      single_row(rows, chunk, first + (size_t)l, energy, less);
    UNROLL
    for (int k = 0; k < 3; k++)
      sum[k][l] = less[k];
  }
  RealPack *const f = packs_from(chunk->f, first / REAL_PACK * 3);
  for (size_t k = 0; k < 3; k++)
    f[k][first % REAL_PACK / REALS] -= REAL_VERB(sum_each)(sum[k]);
}

static void single(const OpenPairsRows *rows, const OpenPairsChunk *chunk)
{
  const size_t begin = (size_t)chunk->begin * REAL_PACK, end = (size_t)chunk->end * REAL_PACK;
  memset(packs_from(chunk->f, 3 * (size_t)chunk->begin), 0,
         3 * (size_t)(rows->npack - chunk->begin) * sizeof(RealPack));
  if (!OPEN_PAIRS_HAS_ENERGY || chunk->energy == NULL) {
    for (size_t i = begin; i < end; i += REALS)
      single_rows(rows, chunk, i, NULL);
    return;
  }
  Real e[OPEN_PAIRS_COLUMNS] = {{0}};
  for (size_t i = begin; i < end; i += REALS)
    single_rows(rows, chunk, i, e);
  memset(chunk->energy, 0, OPEN_PAIRS_COLUMNS * sizeof(Vec8));
  store_energy(e, 0, chunk->energy);
}

/* --- positions and forces ------------------------------------------------------------------------------- */

static void centre(const OpenPairsPositions *from, int begin, int end, void *to)
{
  for (int r = 0; r < REGISTERS; r++) {
    vd middle[REAL_PACKS][3], part[REAL_PACKS];
    for (int h = 0; h < REAL_PACKS; h++)
      for (size_t d = 0; d < 3; d++) {
        const Vec8 *const x = from->x + (size_t)pair_pack(0, r, h) * from->apart + d;
        vd sum = vd_set(0.0);
        for (size_t i = 0; from->middle == NULL && i < (size_t)from->nrow; i++)
          sum += vd_load(x + i * from->step, pair_part(r, h));
        middle[h][d] = from->middle != NULL ? vd_set(from->middle[d]) : sum * (1.0 / from->nrow);
      }
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
      for (size_t d = 0; d < 3; d++) {
        for (int h = 0; h < REAL_PACKS; h++)
          part[h] = vd_load(from->x + (size_t)pair_pack(0, r, h) * from->apart + i * from->step + d,
                            pair_part(r, h)) -
                    middle[h][d];
        (*packs_from(to, 3 * i + d))[r] = real_join(part);
      }
  }
}

static bool scatter(int n, const void *g, const unsigned *used, Vec8 *const *f)
{
  vi fit = ~(vi){0};
  for (int r = 0; r < REGISTERS; r++)
    for (int h = 0; h < REAL_PACKS; h++) {
      const int pack = pair_pack(0, r, h), part = pair_part(r, h);
      const vi mask = register_mask(used[pack], part);
      for (int k = 0; k < n; k++) {
        vd own[REAL_PACKS];
        real_split((*packs_at(g, (size_t)k))[r], own);
        own[h] = vd_where(mask, own[h]);
        fit &= vd_abs(own[h]) < FORCE_MOST;
        vd_add(f[pack] + k, part, own[h]);
      }
    }
  return vi_bits(~fit) == 0;
}

#define OPEN_PAIRS_TABLE                                                                                     \
  {                                                                                                          \
    REAL_PACK, batch, single, centre, scatter                                                                \
  }

#endif
