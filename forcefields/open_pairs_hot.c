/* All pairs of atoms: replicas of two atoms side by side, or one atom and eight others. Sums are fused as
 * written, so that forces have the same bits with and without energies and in every part of a pack. */
#include "engine/force.h"
#include "engine/vec.h"
#include "forcefields/open_pairs_kernels.h"

/* 1/sqrt(s): with an estimate y of it and e = 1 - s y^2 it is y (1 - e)^(-1/2), whose series converges at
 * once: |e| is below twice VEC_ESTIMATE_ERROR, and what TERMS of them leave is below the rounding. */
#if defined(__AVX512F__)
enum { TERMS = 3 };
#else
enum { TERMS = 4 };
#endif

VEC_INLINE vd inverse_root(vd s)
{
#if defined(VEC_ESTIMATE_ERROR)
  static const double series[4] = {0.5, 0.375, 0.3125, 0.2734375};
  const vd y = vd_rsqrt_estimate(s), e = vd_fma(-s, y * y, vd_set(1.0));
  vd p = vd_set(series[TERMS - 1]);
  UNROLL
  for (int t = TERMS - 2; t >= 0; t--)
    p = vd_fma(e, p, vd_set(series[t]));
  return vd_fma(y * e, p, y);
#else
  return 1.0 / vd_sqrt(s);
#endif
}

/* All that an atom i does to others is worked out with the sign turned, by -q_i, -12 A and 6 C: what comes
 * out is added to f_j, and what is summed up is taken from f_i, without a change of sign for a pair.
 *
 * Less the force over distance of a pair d apart; energy -= unless NULL: of Lennard-Jones twelve times it.
 * Only lanes of the mask count, where there is one. */
VEC_INLINE vd pair(const vd d[3], vd qq, vd a12, vd c6, const vi *mask, vd *energy)
{
  const vd s = vd_fma(d[2], d[2], vd_fma(d[1], d[1], vd_rounded(d[0] * d[0])));
  const vd y = inverse_root(s), y2 = y * y, y6 = y2 * y2 * y2;
  const vd coulomb = qq * y, steep = vd_fma(a12, y6, c6);
  const vd force = vd_fma(y6, steep, coulomb) * y2;
  if (energy != NULL) {
    const vd lj = y6 * (steep + c6);
    energy[OPEN_PAIRS_COULOMB] += mask != NULL ? vd_where(*mask, coulomb) : coulomb;
    energy[OPEN_PAIRS_LJ] += mask != NULL ? vd_where(*mask, lj) : lj;
  }
  return mask != NULL ? vd_where(*mask, force) : force;
}

/* Of atom i at xi on one at x, whose elements are REGISTERS apart: less[3] of f_i, f of the other. */
VEC_INLINE void act(const vd xi[3], const vd *x, vd qq, vd a12, vd c6, const vi *mask, vd *energy, vd less[3],
                    vd *f)
{
  vd d[3];
  UNROLL
  for (int k = 0; k < 3; k++)
    d[k] = xi[k] - x[k * REGISTERS];
  const vd force = pair(d, qq, a12, c6, mask, energy);
  UNROLL
  for (int k = 0; k < 3; k++) {
    less[k] = vd_fma(force, d[k], less[k]);
    f[k * REGISTERS] = vd_fma(force, d[k], f[k * REGISTERS]);
  }
}

VEC_INLINE void store_energy(const vd e[OPEN_PAIRS_COLUMNS], int part, Vec8 *energy)
{
  vd_store(&energy[OPEN_PAIRS_COULOMB], part, -e[OPEN_PAIRS_COULOMB]);
  vd_store(&energy[OPEN_PAIRS_LJ], part, e[OPEN_PAIRS_LJ] * (-1.0 / 12.0));
}

/* --- replicas in lanes ---------------------------------------------------------------------------------- */

/* One register of all replicas. */
VEC_INLINE void gang_part(const OpenPairsRows *rows, const OpenPairsChunk *chunk, int part, vd *energy)
{
  const vd *const x = (const vd *)chunk->x + part;
  vd *const f = (vd *)chunk->f + part;
  for (int i = chunk->begin; i < chunk->end; i++) {
    vd xi[3], less[3];
    UNROLL
    for (int k = 0; k < 3; k++) {
      xi[k] = x[(3 * (size_t)i + (size_t)k) * REGISTERS];
      less[k] = vd_set(0.0);
    }
    const vd q = vd_set(-rows->root[i]);
    const double(*const lj)[2] = rows->lj + (size_t)rows->type[i] * (size_t)rows->ntype;
    for (const OpenPairsRun *run = rows->run + rows->first[i]; run < rows->run + rows->first[i + 1]; run++)
      for (size_t j = (size_t)run->begin; j < (size_t)run->end; j++) {
        const double *const own = lj[rows->type[j]];
        act(xi, x + 3 * j * REGISTERS, q * rows->root[j], vd_set(own[0]), vd_set(own[1]), NULL, energy, less,
            f + 3 * j * REGISTERS);
      }
    UNROLL
    for (int k = 0; k < 3; k++)
      f[(3 * (size_t)i + (size_t)k) * REGISTERS] -= less[k];
  }
}

static void gang(const OpenPairsRows *rows, const OpenPairsChunk *chunk)
{
  memset(chunk->f + 3 * (size_t)chunk->begin, 0, 3 * (size_t)(rows->nrow - chunk->begin) * sizeof(Vec8));
  for (int part = 0; part < REGISTERS; part++)
    if (chunk->energy != NULL) {
      vd e[OPEN_PAIRS_COLUMNS] = {{0}};
      gang_part(rows, chunk, part, e);
      store_energy(e, part, chunk->energy);
    } else
      gang_part(rows, chunk, part, NULL);
}

/* --- one replica ---------------------------------------------------------------------------------------- */

/* Row i on the rows of a pack. */
VEC_INLINE void single_pack(const OpenPairsRows *rows, const OpenPairsChunk *chunk, const Vec8 (*with)[2],
                            vd q, const vd xi[3], size_t pack, const unsigned *bits, vd *energy, vd less[3])
{
  for (int part = 0; part < REGISTERS; part++) {
    const vi mask = vi_mask(bits != NULL ? *bits >> part * WIDTH : 0);
    act(xi, (const vd *)(chunk->x + 3 * pack) + part, q * vd_load((const Vec8 *)rows->root + pack, part),
        vd_load(&with[pack][0], part), vd_load(&with[pack][1], part), bits != NULL ? &mask : NULL, energy,
        less, (vd *)(chunk->f + 3 * pack) + part);
  }
}

/* Row i on all that it sees behind it. */
VEC_INLINE void single_row(const OpenPairsRows *rows, const OpenPairsChunk *chunk, size_t i, vd *energy,
                           vd less[3])
{
  const double *const at = (const double *)(chunk->x + i / LANES * 3) + i % LANES;
  const vd xi[3] = {vd_set(at[0]), vd_set(at[LANES]), vd_set(at[2 * LANES])}, q = vd_set(-rows->root[i]);
  const Vec8(*const with)[2] = rows->with + (size_t)rows->type[i] * (size_t)rows->npack;
  size_t pack = i / LANES;
  for (const OpenPairsMask *m = rows->mask + rows->first[i]; m < rows->mask + rows->first[i + 1]; m++) {
    for (; pack < (size_t)m->pack; pack++)
      single_pack(rows, chunk, with, q, xi, pack, NULL, energy, less);
    single_pack(rows, chunk, with, q, xi, pack++, &m->bits, energy, less);
  }
  for (; pack < (size_t)rows->npack; pack++)
    single_pack(rows, chunk, with, q, xi, pack, NULL, energy, less);
}

/* The forces on as many rows as a register has lanes are summed side by side. */
VEC_INLINE void single_rows(const OpenPairsRows *rows, const OpenPairsChunk *chunk, size_t first, vd *energy)
{
  vd sum[3][WIDTH];
  for (int l = 0; l < WIDTH; l++) {
    vd less[3] = {{0}};
    if (first + (size_t)l < (size_t)rows->nrow)
      single_row(rows, chunk, first + (size_t)l, energy, less);
    UNROLL
    for (int k = 0; k < 3; k++)
      sum[k][l] = less[k];
  }
  for (size_t k = 0; k < 3; k++)
    vd_add(chunk->f + first / LANES * 3 + k, (int)(first % LANES) / WIDTH, -vd_sum_each(sum[k]));
}

static void single(const OpenPairsRows *rows, const OpenPairsChunk *chunk)
{
  const size_t begin = (size_t)chunk->begin * LANES, end = (size_t)chunk->end * LANES;
  memset(chunk->f + 3 * (size_t)chunk->begin, 0, 3 * (size_t)(rows->npack - chunk->begin) * sizeof(Vec8));
  vd e[OPEN_PAIRS_COLUMNS] = {{0}};
  if (chunk->energy == NULL) {
    for (size_t i = begin; i < end; i += WIDTH)
      single_rows(rows, chunk, i, NULL);
    return;
  }
  for (size_t i = begin; i < end; i += WIDTH)
    single_rows(rows, chunk, i, e);
  memset(chunk->energy, 0, OPEN_PAIRS_COLUMNS * sizeof(Vec8));
  store_energy(e, 0, chunk->energy);
}

/* --- forces --------------------------------------------------------------------------------------------- */

static bool hand_out(int n, const Vec8 *g, unsigned used, Vec8 *f)
{
  vi fit = ~(vi){0};
  EACH_REGISTER(part)
  {
    const vi mask = register_mask(used, part);
    for (int k = 0; k < n; k++) {
      const vd own = vd_where(mask, vd_load(g + k, part));
      fit &= vd_abs(own) < FORCE_MOST;
      vd_add(f + k, part, own);
    }
  }
  return vi_bits(~fit) == 0;
}

const OpenPairsKernels ISA_SYMBOL(open_pairs_table) = {gang, single, hand_out};
