/* Water on water in double, one molecule against eight of its list at a time; energies and virial. As in
 * bulk_hot.c, molecules may change places without a trace. */
#include <string.h>

#include "engine/vec.h"
#include "forcefields/bulk_kernels.h"

typedef struct Gathered {
  int at[LANES]; /* which polynomial */
  vd t;          /* s less the beginning of its interval */
} Gathered;

VEC_INLINE vd fused(vd a, vd b, vd c)
{
#if defined(__AVX512F__)
  return (vd)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__FP_FAST_FMA)
  for (int l = 0; l < LANES; l++)
    c[l] = __builtin_fma(a[l], b[l], c[l]);
  return c;
#else
  return a * b + c;
#endif
}

VEC_INLINE vi to_integers(vd a)
{
#if defined(__AVX512DQ__)
  return (vi)_mm512_cvtpd_epi64((__m512d)a);
#else
  vi y;
  for (int l = 0; l < LANES; l++)
    y[l] = __builtin_llrint(a[l]);
  return y;
#endif
}

/* Nearest whole number, where |a| < 2^51. */
VEC_INLINE vd whole(vd a)
{
  const double big = 6755399441055744.0; /* 1.5 * 2^52 */
  return (a + big) - big;
}

VEC_INLINE vd clear(vi mask, vd a) { return (vd)(mask & (vi)a); }

enum { STEP_BITS = 7, SHIFT = 52 - STEP_BITS };

/* Lanes that do not count may hold any s: their places are kept inside the table. */
VEC_INLINE Gathered locate(const BulkTables *t, vd s)
{
  Gathered g;
  const vd low = vd_set(t->exact_low);
  const vi first = (vi)low >> SHIFT, which = ((vi)s >> SHIFT) - first;
  const vi inside = (which >= 0) & (which < BULK_EXACT_OCTAVES * BULK_EXACT_STEPS);
  for (int l = 0; l < LANES; l++)
    g.at[l] = (int)(which[l] & inside[l]) * BULK_EXACT_STRIDE;
  g.t = s - (vd)((vi)s & ~((INT64_C(1) << SHIFT) - 1));
  return g;
}

VEC_INLINE vd polynomial(const double *table, const Gathered *g)
{
  vd c[BULK_EXACT_DEGREE + 1] = {0};
#if defined(__AVX512F__)
  const __m256i at = _mm256_loadu_si256((const __m256i *)g->at);
#pragma GCC unroll 6
  for (int k = 0; k <= BULK_EXACT_DEGREE; k++)
    c[k] = (vd)_mm512_i32gather_pd(at, table + k, 8);
#else
  for (int l = 0; l < LANES; l++)
    for (int k = 0; k <= BULK_EXACT_DEGREE; k++)
      c[k][l] = table[g->at[l] + k];
#endif
  vd f = c[BULK_EXACT_DEGREE];
#pragma GCC unroll 5
  for (int k = BULK_EXACT_DEGREE - 1; k >= 0; k--)
    f = f * g->t + c[k];
  return f;
}

/* What eight molecules of a list get. */
typedef struct Result {
  vd g[3][3], back[3][3]; /* forces on the sites of j, minus those on the sites of i */
  vd sum[BULK_SUMS];
  vi close;
} Result;

VEC_INLINE void eight(const BulkModel *m, const double *row, const double *i, const int32_t *j, int left,
                      const bool energy, Result *out)
{
  vd x[3][3] = {0};
  const vi lane = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int l = 0; l < LANES; l++)
    for (int b = 0; b < 3; b++)
      for (int k = 0; k < 3; k++)
        x[b][k][l] = row[(size_t)j[l] * BULK_ROW + (size_t)(4 * b + k)];
  for (int k = 0; k < 3; k++) {
    const vd d = x[0][k] - i[k];
    x[0][k] = d - m->length[k] * whole(d / m->length[k]);
  }
  vi counts = lane < left;
  vd sum[3][BULK_SUMS] = {0}; /* a = b, a < b, a > b: the last two change places with the molecules */
  out->close = (vi){0};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      vd r[3], *const part = sum[a == b ? 0 : (a < b ? 1 : 2)];
      for (int k = 0; k < 3; k++)
        r[k] = b == 0 ? (a == 0 ? x[0][k] : x[0][k] - i[4 * a + k])
                      : (a == 0 ? x[0][k] + x[b][k] : x[0][k] + (x[b][k] - i[4 * a + k]));
      const vd s = fused(r[2], r[2], fused(r[1], r[1], r[0] * r[0]));
      if (a + b == 0)
        counts &= s < m->cutoff2;
      out->close |= counts & (s < (a + b == 0 ? (double)m->near_exact : m->tables.exact_low));
      const Gathered where = locate(&m->tables, s);
      const double qq = m->qq[(a > 0) + (b > 0)];
      vd f = qq * polynomial(m->tables.exact_force, &where);
      if (energy)
        part[1] += clear(counts, qq * polynomial(m->tables.exact_energy, &where));
      if (a + b == 0) {
        const vd u = 1.0 / s, u3 = u * u * u;
        f += (12.0 * m->a * u3 - 6.0 * m->c) * (u3 * u);
        if (energy)
          part[0] = clear(counts, (m->a * u3 - m->c) * u3);
      }
      f = clear(counts, f);
      for (int k = 0; k < 3; k++) {
        out->g[b][k] = a == 0 ? f * r[k] : fused(f, r[k], out->g[b][k]);
        out->back[a][k] = b == 0 ? f * r[k] : fused(f, r[k], out->back[a][k]);
      }
      if (energy)
        for (int k = 0; k < 9; k++)
          part[2 + k] += f * r[k / 3] * r[k % 3];
    }
  for (int t = 0; energy && t < BULK_SUMS; t++)
    out->sum[t] = sum[0][t] + (sum[1][t] + sum[2][t]);
}

VEC_INLINE void add_forces(const Result *r, const int32_t *j, int left, int64_t *force, int64_t *own)
{
  const double unit = (double)(INT64_C(1) << BULK_EXACT_BITS);
  for (int b = 0; b < 3; b++)
    for (int k = 0; k < 3; k++) {
      const vi g = to_integers(unit * r->g[b][k]), back = to_integers(unit * r->back[b][k]);
      for (int l = 0; l < LANES && l < left; l++) {
        int64_t *const f = force + (size_t)j[l] * BULK_ROW + (size_t)(4 * b + k);
        *f = (int64_t)((uint64_t)*f + (uint64_t)g[l]); /* may wrap on the way */
        own[4 * b + k] = (int64_t)((uint64_t)own[4 * b + k] - (uint64_t)back[l]);
      }
    }
}

VEC_INLINE void run(const BulkModel *model, const BulkWork *work, const double *row, int64_t *force,
                    int64_t *sums)
{
  const bool energy = sums != NULL;
  const double unit = (double)(INT64_C(1) << BULK_SUM_BITS);
  for (int i = work->chunk->first; i < work->chunk->last; i++)
    for (int k = work->begin[i]; k < work->end[i]; k += LANES) {
      const int32_t *const j = work->chunk->j + k;
      const int left = work->end[i] - k;
      Result r;
      eight(model, row, row + (size_t)i * BULK_ROW, j, left, energy, &r);
      const unsigned close = vi_bits(r.close);
      if (close != 0 && work->fault->i < 0)
        *work->fault = (BulkFault){i, j[__builtin_ctz(close)]};
      if (close != 0)
        continue; /* nothing of use comes of this, nor could all of it be an integer */
      if (force != NULL)
        add_forces(&r, j, left, force, force + (size_t)i * BULK_ROW);
      for (int t = 0; energy && t < BULK_SUMS; t++) {
        const vi v = to_integers(unit * r.sum[t]);
        for (int l = 0; l < LANES; l++)
          sums[t] += v[l];
      }
    }
}

static void chunk(const BulkModel *model, const BulkWork *work, const double *row, int64_t *force,
                  int64_t *sums)
{
  if (sums == NULL)
    run(model, work, row, force, NULL);
  else
    run(model, work, row, force, sums);
}

const BulkDoubleKernels ISA_SYMBOL(bulk_double_table) = {chunk};
