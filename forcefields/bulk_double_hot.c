/* Water on water in double, one molecule against a register full of its list at a time. As in bulk_hot.c,
 * molecules may change places without a trace. */
#include "forcefields/exact.h"

/* --- the force ------------------------------------------------------------------------------------------ */

/* What a register full of molecules gets. */
typedef struct Result {
  ei on[3][3], back[3][3]; /* forces on the sites of j, minus those on the sites of i */
  ei sum[BULK_SUMS];
  ei close;
} Result;

/* Sites of the charges relative to O: at[0] is M. */
VEC_INLINE void place_charge(const BulkModel *m, const bool four, ed at[3][3])
{
  for (int k = 0; k < 3; k++)
    at[0][k] = four ? m->weight * (at[1][k] + at[2][k]) : (ed){0};
}

/* The switching function at s = r^2, and minus its derivative over r. */
VEC_INLINE ed switched(const BulkModel *m, ed s, ed *slope)
{
  const ed r = ed_sqrt(s), x = (r - m->start) / m->width, t = exact_clear(x > 0.0, x), rest = 1.0 - t;
  *slope = 30.0 / m->width * (t * t) * (rest * rest) / r;
  return 1.0 - t * (t * t) * (10.0 - t * (15.0 - 6.0 * t));
}

/* The force on M goes to the atoms. */
VEC_INLINE void hand_back(const BulkModel *m, ed g[3][3])
{
  for (int k = 0; k < 3; k++) {
    g[1][k] = exact_fused(ed_set(m->weight), g[0][k], g[1][k]);
    g[2][k] = exact_fused(ed_set(m->weight), g[0][k], g[2][k]);
    g[0][k] *= 1.0 - 2.0 * m->weight;
  }
}

VEC_INLINE void round_all(ei counts, const ed d[3], ed g[3][3], ed back[3][3], ed lj, ed real,
                          const bool sums, Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS), small = (double)(INT64_C(1) << BULK_SUM_BITS);
  for (int k = 0; sums && k < 3; k++) {
    const ed f = 0.5 * ((g[0][k] + (g[1][k] + g[2][k])) + (back[0][k] + (back[1][k] + back[2][k])));
    for (int m = 0; m < 3; m++)
      out->sum[2 + 3 * m + k] = exact_integers(exact_clear(counts, small * d[m] * f));
  }
  if (sums) {
    out->sum[0] = exact_integers(exact_clear(counts, small * lj));
    out->sum[1] = exact_integers(exact_clear(counts, small * real));
  }
  for (int b = 0; b < 3; b++)
    for (int k = 0; k < 3; k++) {
      out->on[b][k] = exact_integers(exact_clear(counts, unit * g[b][k]));
      out->back[b][k] = exact_integers(exact_clear(counts, unit * back[b][k]));
    }
}

VEC_INLINE void several(const BulkModel *m, const BulkVariant v, const double *row, const double *i,
                        ed from_i[3][3], const int32_t *j, int left, Result *out)
{
  const bool all = v.switching == BULK_SWITCH_MOLECULES, energy = v.sums || all;
  ed at[3][3], d[3], g[3][3], back[3][3];
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
    exact_rows(row + 4 * b, BULK_ROW, j, at[b]);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    const ed x = at[0][k] - i[k];
    d[k] = x - m->length[k] * exact_whole(x * m->inverse[k]);
  }
  place_charge(m, v.four, at);
  const ed s0 = exact_fused(d[2], d[2], exact_fused(d[1], d[1], d[0] * d[0]));
  const ei counts = exact_first(left) & (s0 < m->cutoff2);
  const ed u = 1.0 / s0, u3 = u * u * u;
  ed lj = (12.0 * m->a * u3 - 6.0 * m->c) * (u3 * u), slope = {0}, share = {0};
  ed lj_energy = (m->a * u3 - m->c) * u3 - m->shift;
  if (v.switching != BULK_SWITCH_NOTHING)
    share = switched(m, s0, &slope);
  if (v.switching == BULK_SWITCH_LJ) {
    lj = share * lj + slope * lj_energy;
    lj_energy *= share;
  }
  out->close = counts & (s0 < m->near_exact);
  ed real[3] = {0}; /* a = b, a < b, a > b: the last two change places with the molecules */
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++)
#pragma GCC unroll 3
    for (int b = 0; b < 3; b++) {
      ed r[3];
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++)
        r[k] = a + b == 0 && !v.four ? d[k] : d[k] + (at[b][k] - from_i[a][k]);
      const ed s = exact_fused(r[2], r[2], exact_fused(r[1], r[1], r[0] * r[0]));
      out->close |= counts & (s < m->tables.exact_low);
      const ExactPlace where = exact_locate(&m->tables, s);
      const double qq = m->qq[(a > 0) + (b > 0)];
      ed f = qq * exact_polynomial(m->tables.exact_force, &where);
      if (energy)
        real[a == b ? 0 : (a < b ? 1 : 2)] += qq * exact_polynomial(m->tables.exact_energy, &where);
      if (all)
        f *= share;
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        g[b][k] = a == 0 ? f * r[k] : exact_fused(f, r[k], g[b][k]);
        back[a][k] = b == 0 ? f * r[k] : exact_fused(f, r[k], back[a][k]);
      }
    }
  if (v.four) {
    hand_back(m, g);
    hand_back(m, back);
  }
  ed charges = real[0] + (real[1] + real[2]);
  if (all) {
    lj = share * lj + slope * (lj_energy + charges);
    lj_energy *= share;
    charges *= share;
  }
  for (int k = 0; k < 3; k++) {
    g[0][k] = exact_fused(lj, d[k], g[0][k]);
    back[0][k] = exact_fused(lj, d[k], back[0][k]);
  }
  round_all(counts, d, g, back, lj_energy, charges, v.sums, out);
}

/* --- lists ---------------------------------------------------------------------------------------------- */

VEC_INLINE void run(const BulkModel *model, const BulkWork *work, const BulkVariant v)
{
  eu sums[BULK_SUMS] = {0};
  for (int i = work->chunk->first; i < work->chunk->last; i++) {
    const double *const own = work->exact_row + (size_t)i * BULK_ROW;
    ed from[3][3];
    eu back[3][3] = {0};
    for (int b = 0; b < 3; b++)
      for (int k = 0; k < 3; k++)
        from[b][k] = ed_set(own[4 * b + k]);
    place_charge(model, v.four, from);
    for (int k = work->begin[i]; k < work->end[i]; k += EXACT_LANES) {
      const int32_t *const j = work->chunk->j + k;
      Result r;
      several(model, v, work->exact_row, own, from, j, work->end[i] - k, &r);
      const unsigned close = ei_bits(r.close);
      if (close != 0 && work->fault->i < 0)
        *work->fault = (BulkFault){i, j[__builtin_ctz(close)]};
      if (close != 0)
        continue; /* nothing of use comes of this */
      for (int b = 0; b < 3; b++)
        exact_add_rows(work->exact_force + 4 * b, BULK_ROW, j, r.on[b]);
      for (int t = 0; t < 9; t++)
        back[t / 3][t % 3] += (eu)r.back[t / 3][t % 3]; /* may wrap on the way */
      for (int t = 0; v.sums && t < BULK_SUMS; t++)
        sums[t] += (eu)r.sum[t];
    }
    int64_t *const f = work->exact_force + (size_t)i * BULK_ROW;
    for (int t = 0; t < 9; t++)
      f[t / 3 * 4 + t % 3] = (int64_t)((uint64_t)f[t / 3 * 4 + t % 3] - exact_sum(back[t / 3][t % 3]));
  }
  for (int t = 0; v.sums && t < BULK_SUMS; t++)
    work->sums[t] = (int64_t)((uint64_t)work->sums[t] + exact_sum(sums[t]));
}

BULK_VARIANTS

const BulkKernels ISA_SYMBOL(bulk_double_table) = {BULK_TABLE};
