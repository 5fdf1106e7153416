/* Water on water in double, one molecule against a register full of its list at a time. As in bulk_hot.c,
 * molecules may change places without a trace. */
#include "forcefields/exact.h"

/* --- the force ------------------------------------------------------------------------------------------ */

/* What a register full of molecules gets. */
typedef struct Result {
  vi on[3][3], back[3][3]; /* forces on the sites of j, minus those on the sites of i */
  vi sum[BULK_SUMS];
  vi close;
} Result;

/* Sites of the charges relative to O: at[0] is M. */
VEC_INLINE void place_charge(const BulkModel *m, const bool four, vd at[3][3])
{
  for (int k = 0; k < 3; k++)
    at[0][k] = four ? m->weight * (at[1][k] + at[2][k]) : (vd){0};
}

/* The switching function at s = r^2, and minus its derivative over r. */
VEC_INLINE vd switched(const BulkModel *m, vd s, vd *slope)
{
  const vd r = vd_sqrt(s), x = (r - m->start) / m->width, t = vd_where(x > 0.0, x), rest = 1.0 - t;
  *slope = 30.0 / m->width * (t * t) * (rest * rest) / r;
  return 1.0 - t * (t * t) * (10.0 - t * (15.0 - 6.0 * t));
}

/* The force on M goes to the atoms. */
VEC_INLINE void hand_back(const BulkModel *m, vd g[3][3])
{
  for (int k = 0; k < 3; k++) {
    g[1][k] = vd_fma(vd_set(m->weight), g[0][k], g[1][k]);
    g[2][k] = vd_fma(vd_set(m->weight), g[0][k], g[2][k]);
    g[0][k] *= 1.0 - 2.0 * m->weight;
  }
}

VEC_INLINE void round_all(vi counts, const vd d[3], vd g[3][3], vd back[3][3], vd lj, vd real,
                          const bool sums, Result *out)
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS), small = (double)(INT64_C(1) << BULK_SUM_BITS);
  for (int k = 0; sums && k < 3; k++) {
    const vd f = 0.5 * ((g[0][k] + (g[1][k] + g[2][k])) + (back[0][k] + (back[1][k] + back[2][k])));
    for (int m = 0; m < 3; m++)
      out->sum[2 + 3 * m + k] = vd_integer(small * d[m] * f);
  }
  if (sums) {
    out->sum[0] = vd_integer(vd_where(counts, small * lj));
    out->sum[1] = vd_integer(vd_where(counts, small * real));
  }
  for (int b = 0; b < 3; b++)
    for (int k = 0; k < 3; k++) {
      out->on[b][k] = vd_integer(unit * g[b][k]);
      out->back[b][k] = vd_integer(unit * back[b][k]);
    }
}

/* What two oxygens have to do with each other: their vector, its square; Lennard-Jones, minus its derivative
 * over the distance and its energy; the switch, where there is one. */
typedef struct Contact {
  vd d[3], s, lj, lj_energy, share, slope;
} Contact;

VEC_INLINE void oxygens(const BulkModel *m, const BulkVariant v, Contact *o)
{
  o->s = vd_fma(o->d[2], o->d[2], vd_fma(o->d[1], o->d[1], o->d[0] * o->d[0]));
  const vd u = 1.0 / o->s, u3 = u * u * u;
  o->lj = (12.0 * m->a * u3 - 6.0 * m->c) * (u3 * u);
  o->lj_energy = (m->a * u3 - m->c) * u3 - m->shift;
  o->share = o->slope = (vd){0};
  if (v.switching != BULK_SWITCH_NOTHING)
    o->share = switched(m, o->s, &o->slope);
  if (v.switching == BULK_SWITCH_LJ) {
    o->lj = o->share * o->lj + o->slope * o->lj_energy;
    o->lj_energy *= o->share;
  }
}

/* From site a of i to site b of j. */
VEC_INLINE void between(const bool four, const vd d[3], vd from_i[3][3], vd at[3][3], int a, int b, vd r[3])
{
  UNROLL
  for (int k = 0; k < 3; k++)
    r[k] = a + b == 0 && !four ? d[k] : d[k] + (at[b][k] - from_i[a][k]);
}

enum { PAIRS = 9 /* of charges */ };

/* The charges' forces g on j and back on i; returns their energy where it is wanted, and in *least the least
 * squared distance. In phases, as in bulk_hot.c. */
VEC_INLINE vd charges(const BulkModel *m, const BulkVariant v, Contact *o, vd from_i[3][3], vd at[3][3],
                      vi counts, vd g[3][3], vd back[3][3], vd *least)
{
  const bool all = v.switching == BULK_SWITCH_MOLECULES, energy = v.sums || all;
  ExactPlace where[PAIRS];
  vd r[3], f[PAIRS], real[3] = {0}; /* a = b, a < b, a > b: the last two change places with the molecules */
  *least = o->s;
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    between(v.four, o->d, from_i, at, p / 3, p % 3, r);
    const vd s = vd_fma(r[2], r[2], vd_fma(r[1], r[1], r[0] * r[0]));
    *least = vd_min(*least, s);
    exact_locate(s, &where[p]);
  }
  EXACT_PHASE(where);
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    const int a = p / 3, b = p % 3;
    const double qq = m->qq[(a > 0) + (b > 0)];
    f[p] = qq * exact_polynomial(m->tables.exact_force, &where[p]);
    if (energy)
      real[a == b ? 0 : (a < b ? 1 : 2)] += qq * exact_polynomial(m->tables.exact_energy, &where[p]);
    f[p] = vd_where(counts, all ? f[p] * o->share : f[p]);
  }
  EXACT_PHASE(f);
  EXACT_PHASE(o->d);
  UNROLL
  for (int p = 0; p < PAIRS; p++) {
    const int a = p / 3, b = p % 3;
    between(v.four, o->d, from_i, at, a, b, r);
    UNROLL
    for (int k = 0; k < 3; k++) {
      g[b][k] = a == 0 ? f[p] * r[k] : vd_fma(f[p], r[k], g[b][k]);
      back[a][k] = b == 0 ? f[p] * r[k] : vd_fma(f[p], r[k], back[a][k]);
    }
  }
  return real[0] + (real[1] + real[2]);
}

VEC_INLINE void several(const BulkModel *m, const BulkVariant v, const double *row, const double *i,
                        vd from_i[3][3], const ExactOffsets *j, int left, Result *out)
{
  const bool all = v.switching == BULK_SWITCH_MOLECULES;
  Contact o;
  vd at[3][3], g[3][3], back[3][3], least;
  UNROLL
  for (int b = 0; b < 3; b++)
    exact_rows(row + 4 * b, j, at[b]);
  UNROLL
  for (int k = 0; k < 3; k++) {
    const vd x = at[0][k] - i[k];
    o.d[k] = x - m->length[k] * vd_whole(x * m->inverse[k]);
  }
  place_charge(m, v.four, at);
  oxygens(m, v, &o);
  const vi counts = (vi_lanes() < (int64_t)left) & (o.s < m->cutoff2);
  vd real = charges(m, v, &o, from_i, at, counts, g, back, &least);
  out->close = counts & ((o.s < m->near_exact) | (least < m->tables.exact_low));
  if (v.four) {
    hand_back(m, g);
    hand_back(m, back);
  }
  if (all) {
    o.lj = o.share * o.lj + o.slope * (o.lj_energy + real);
    o.lj_energy *= o.share;
    real *= o.share;
  }
  o.lj = vd_where(counts, o.lj);
  UNROLL
  for (int k = 0; k < 3; k++) {
    g[0][k] = vd_fma(o.lj, o.d[k], g[0][k]);
    back[0][k] = vd_fma(o.lj, o.d[k], back[0][k]);
  }
  round_all(counts, o.d, g, back, o.lj_energy, real, v.sums, out);
}

/* --- lists ---------------------------------------------------------------------------------------------- */

VEC_INLINE void run(const BulkModel *model, const BulkWork *work, const BulkVariant v)
{
  vu sums[BULK_SUMS] = {0};
  for (int i = work->chunk->first; i < work->chunk->last; i++) {
    const double *const own = work->exact_row + (size_t)i * BULK_ROW;
    vd from[3][3];
    vu back[3][3] = {0};
    for (int b = 0; b < 3; b++)
      for (int k = 0; k < 3; k++)
        from[b][k] = vd_set(own[4 * b + k]);
    place_charge(model, v.four, from);
    for (int k = work->begin[i]; k < work->end[i]; k += WIDTH) {
      const int32_t *const j = work->chunk->j + k;
      ExactOffsets rows;
      Result r;
      exact_find_rows(j, BULK_ROW, &rows);
      several(model, v, work->exact_row, own, from, &rows, work->end[i] - k, &r);
      const unsigned close = vi_bits(r.close);
      if (close != 0 && work->fault->i < 0)
        *work->fault = (BulkFault){i, j[__builtin_ctz(close)]};
      if (close != 0)
        continue; /* nothing of use comes of this */
      for (int b = 0; b < 3; b++)
        exact_add_rows(work->exact_force + 4 * b, &rows, r.on[b]);
      for (int t = 0; t < 9; t++)
        back[t / 3][t % 3] += (vu)r.back[t / 3][t % 3]; /* may wrap on the way */
      for (int t = 0; v.sums && t < BULK_SUMS; t++)
        sums[t] += (vu)r.sum[t];
    }
    int64_t *const f = work->exact_force + (size_t)i * BULK_ROW;
    for (int t = 0; t < 9; t++)
      f[t / 3 * 4 + t % 3] = (int64_t)((uint64_t)f[t / 3 * 4 + t % 3] - vu_sum(back[t / 3][t % 3]));
  }
  for (int t = 0; v.sums && t < BULK_SUMS; t++)
    work->sums[t] = (int64_t)((uint64_t)work->sums[t] + vu_sum(sums[t]));
}

BULK_VARIANTS

const BulkKernels ISA_SYMBOL(bulk_double_table) = {BULK_TABLE};
