/* Water on water in float, one molecule against as many of its list at a time as a register has lanes.
 *
 * Every operation gives the same result, but for its sign, when the two molecules change places, and forces
 * are summed as integers: so the order of the list, and who is in whose, do not show. That is why
 * multiplications and additions are fused by name here and not left to the compiler. */
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "forcefields/bulk_kernels.h"
#include "forcefields/wide.h"

typedef int32_t Quad __attribute__((vector_size(16)));
typedef uint32_t WrapQuad __attribute__((vector_size(16)));

/* a*b + c */
VEC_INLINE Real fused(Real a, Real b, Real c)
{
#if defined(__AVX512F__)
  return (Real)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX2__)
  return (Real)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__FP_FAST_FMAF)
  for (int l = 0; l < WIDE; l++)
    c[l] = __builtin_fmaf(a[l], b[l], c[l]);
  return c;
#else
  return a * b + c;
#endif
}

VEC_INLINE Real smaller(Real a, Real b)
{
#if defined(__AVX512F__)
  return (Real)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (Real)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (Real)_mm_min_ps((__m128)a, (__m128)b);
#else
  const Int m = a < b;
  return (Real)((m & (Int)a) | (~m & (Int)b));
#endif
}

VEC_INLINE Int to_integers(Real a)
{
#if defined(__AVX512F__)
  return (Int)_mm512_cvtps_epi32((__m512)a);
#elif defined(__AVX2__)
  return (Int)_mm256_cvtps_epi32((__m256)a);
#elif defined(__SSE2__)
  return (Int)_mm_cvtps_epi32((__m128)a);
#else
  Int y;
  for (int l = 0; l < WIDE; l++)
    y[l] = (int32_t)__builtin_lrintf(a[l]);
  return y;
#endif
}

/* --- which lanes count ---------------------------------------------------------------------------------- */

#if defined(__AVX512F__)
typedef __mmask16 Lanes;

VEC_INLINE Lanes lanes_below(Real a, Real b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
VEC_INLINE Lanes lanes_first(int n) { return (Lanes)(n < WIDE ? (1u << n) - 1u : 0xffffu); }
VEC_INLINE Real lanes_product(Lanes m, Real a, Real b)
{
  return (Real)_mm512_maskz_mul_ps(m, (__m512)a, (__m512)b);
}
VEC_INLINE unsigned lanes_bits(Lanes m) { return m; }
#else
typedef Int Lanes;

static const int32_t iota[8] = {0, 1, 2, 3, 4, 5, 6, 7};

VEC_INLINE Lanes lanes_below(Real a, Real b) { return a < b; }
VEC_INLINE Lanes lanes_first(int n)
{
  Int lane;
  memcpy(&lane, iota, sizeof lane);
  return lane < n;
}
VEC_INLINE Real lanes_product(Lanes m, Real a, Real b) { return (Real)(m & (Int)(a * b)); }
VEC_INLINE unsigned lanes_bits(Lanes m)
{
#if defined(__AVX2__)
  return (unsigned)_mm256_movemask_ps((__m256)m);
#elif defined(__SSE2__)
  return (unsigned)_mm_movemask_ps((__m128)m);
#else
  unsigned bits = 0;
  for (int l = 0; l < WIDE; l++)
    bits |= (unsigned)(m[l] & 1) << l;
  return bits;
#endif
}
#endif

/* --- the force ------------------------------------------------------------------------------------------ */

#if defined(__AVX512F__)
/* The table in registers. */
typedef struct Table {
  __m512 low[BULK_DEGREE + 1], high[BULK_DEGREE + 1];
} Table;

VEC_INLINE Table table_load(const BulkTables *t)
{
  Table r;
  for (int k = 0; k <= BULK_DEGREE; k++) {
    r.low[k] = _mm512_loadu_ps(t->force[k]);
    r.high[k] = _mm512_loadu_ps(t->force[k] + 16);
  }
  return r;
}

VEC_INLINE Real table_force(const Table *t, Real s)
{
  const __m512i which = _mm512_srli_epi32((__m512i)s, 21); /* vpermi2ps looks at five bits */
  __m512 f = _mm512_permutex2var_ps(t->low[BULK_DEGREE], which, t->high[BULK_DEGREE]);
#pragma GCC unroll 4
  for (int k = BULK_DEGREE - 1; k >= 0; k--)
    f = _mm512_fmadd_ps(f, (__m512)s, _mm512_permutex2var_ps(t->low[k], which, t->high[k]));
  return (Real)f;
}

VEC_INLINE Real reciprocal(Real a)
{
  const Real y = (Real)_mm512_rcp14_ps((__m512)a);
  return y + y * (1.0f - a * y);
}
#else
typedef const BulkTables *Table;

VEC_INLINE Table table_load(const BulkTables *t) { return t; }

/* As vf_rsqrt of pair_vec.h: 12 bits of the estimate and a step of third order. */
VEC_INLINE Real inverse_root(Real a)
{
#if defined(__AVX2__)
  const Real y = (Real)_mm256_rsqrt_ps((__m256)a), e = 1.0f - a * (y * y);
#elif defined(__SSE2__)
  const Real y = (Real)_mm_rsqrt_ps((__m128)a), e = 1.0f - a * (y * y);
#else
  Real y, e = {0};
  for (int l = 0; l < WIDE; l++)
    y[l] = 1.0f / __builtin_sqrtf(a[l]);
#endif
  return y + y * e * (0.5f + 0.375f * e);
}

VEC_INLINE Real table_force(const Table *table, Real s)
{
  const BulkTables *t = *table;
  const Real y = inverse_root(s), x = s * t->smooth_scale - 1.0f;
  Real f = (Real){0} + t->smooth[BULK_SMOOTH_DEGREE];
#pragma GCC unroll 20
  for (int k = BULK_SMOOTH_DEGREE - 1; k >= 0; k--)
    f = f * x + t->smooth[k];
  return y * (y * y) - f;
}

VEC_INLINE Real reciprocal(Real a) { return 1.0f / a; }
#endif

/* --- rows ----------------------------------------------------------------------------------------------- */

/* x, y, z of one site of WIDE molecules: columns of 16 bytes, transposed four by four. */
VEC_INLINE void load_site(const BulkRow *row, const int32_t *j, const int site, Int out[3])
{
#if defined(__AVX512F__)
  __m512i v[4];
#pragma GCC unroll 4
  for (int m = 0; m < 4; m++) {
#define AT(k) _mm_load_si128((const __m128i *)&row[j[m + 4 * (k)]] + site)
    v[m] = _mm512_castsi128_si512(AT(0));
    v[m] = _mm512_inserti32x4(v[m], AT(1), 1);
    v[m] = _mm512_inserti32x4(v[m], AT(2), 2);
    v[m] = _mm512_inserti32x4(v[m], AT(3), 3);
#undef AT
  }
  const __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpacklo_epi32(v[2], v[3]);
  out[0] = (Int)_mm512_unpacklo_epi64(a, b);
  out[1] = (Int)_mm512_unpackhi_epi64(a, b);
  out[2] = (Int)_mm512_unpacklo_epi64(_mm512_unpackhi_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[2], v[3]));
#else
  union {
    Int all;
    Quad quarter[WIDE / 4];
  } u[3];
#pragma GCC unroll 2
  for (int q = 0; q < WIDE / 4; q++) {
    Quad v[4];
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++)
      memcpy(&v[m], (const char *)&row[j[4 * q + m]] + 16 * site, sizeof v[m]);
    const Quad a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    const Quad b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    const Quad c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    const Quad d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    u[0].quarter[q] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    u[1].quarter[q] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    u[2].quarter[q] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  }
#pragma GCC unroll 3
  for (int d = 0; d < 3; d++)
    out[d] = u[d].all;
#endif
}

#if defined(__AVX512F__)
/* out[m] holds x, y, z, z of the lanes m, m + 4, m + 8, m + 12. */
VEC_INLINE void split_site(const Int g[3], __m512i out[4])
{
  const __m512i x = (__m512i)g[0], y = (__m512i)g[1], z = (__m512i)g[2];
  const __m512i a = _mm512_unpacklo_epi32(x, y), b = _mm512_unpackhi_epi32(x, y);
  const __m512i c = _mm512_unpacklo_epi32(z, z), d = _mm512_unpackhi_epi32(z, z);
  out[0] = _mm512_unpacklo_epi64(a, c);
  out[1] = _mm512_unpackhi_epi64(a, c);
  out[2] = _mm512_unpacklo_epi64(b, d);
  out[3] = _mm512_unpackhi_epi64(b, d);
}

/* Whole rows of four molecules from their sites. The unused integers of a row get some sums too. */
VEC_INLINE void join_rows(__m512i o, __m512i h1, __m512i h2, __m512i row[4])
{
  const __m512i low = _mm512_shuffle_i32x4(o, h1, 0x44), high = _mm512_shuffle_i32x4(o, h1, 0xee);
  row[0] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 8, 9), h2);
  row[1] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 10, 11), h2);
  row[2] = _mm512_permutex2var_epi64(high, _mm512_setr_epi64(0, 1, 4, 5, 12, 13, 12, 13), h2);
  row[3] = _mm512_permutex2var_epi64(high, _mm512_setr_epi64(2, 3, 6, 7, 14, 15, 14, 15), h2);
}
#else
/* x, y, z, z of the lanes 4q .. 4q+3. */
VEC_INLINE void split_quarter(const Int g[3], int q, Quad out[4])
{
  union {
    Int all;
    Quad quarter[WIDE / 4];
  } u[3] = {{g[0]}, {g[1]}, {g[2]}};
  const Quad x = u[0].quarter[q], y = u[1].quarter[q], z = u[2].quarter[q];
  const Quad a = __builtin_shufflevector(x, y, 0, 4, 1, 5), b = __builtin_shufflevector(x, y, 2, 6, 3, 7);
  const Quad c = __builtin_shufflevector(z, z, 0, 4, 1, 5), d = __builtin_shufflevector(z, z, 2, 6, 3, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  out[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

VEC_INLINE void add_quad(int32_t *f, Quad g)
{
  WrapQuad v;
  memcpy(&v, f, sizeof v);
  v += (WrapQuad)g;
  memcpy(f, &v, sizeof v);
}
#endif

/* force of WIDE rows += g */
VEC_INLINE void scatter(int32_t *force, const int32_t *j, Int g[3][3])
{
#if defined(__AVX512F__)
  __m512i s[3][4], r[4];
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
    split_site(g[b], s[b]);
#pragma GCC unroll 4
  for (int m = 0; m < 4; m++) {
    join_rows(s[0][m], s[1][m], s[2][m], r);
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++) {
      int32_t *const f = force + 16 * (size_t)j[m + 4 * q];
      _mm512_store_si512(f, _mm512_add_epi32(_mm512_load_si512(f), r[q]));
    }
  }
#else
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
#pragma GCC unroll 2
    for (int q = 0; q < WIDE / 4; q++) {
      Quad s[4];
      split_quarter(g[b], q, s);
#pragma GCC unroll 4
      for (int m = 0; m < 4; m++)
        add_quad(force + 16 * (size_t)j[4 * q + m] + 4 * b, s[m]);
    }
#endif
}

/* The row at f -= the sum of g over its lanes. */
VEC_INLINE void subtract(int32_t *f, Wrap g[3][3])
{
#if defined(__AVX512F__)
  __m512i s[3], r[4];
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    const Int v[3] = {(Int)g[a][0], (Int)g[a][1], (Int)g[a][2]};
    split_site(v, r);
    s[a] = _mm512_add_epi32(_mm512_add_epi32(r[0], r[1]), _mm512_add_epi32(r[2], r[3]));
  }
  join_rows(s[0], s[1], s[2], r);
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(r[0], r[1]), _mm512_add_epi32(r[2], r[3]));
  _mm512_store_si512(f, _mm512_sub_epi32(_mm512_load_si512(f), sum));
#else
  for (int a = 0; a < 3; a++)
    for (int d = 0; d < 3; d++) {
      uint32_t sum = (uint32_t)f[4 * a + d];
      for (int l = 0; l < WIDE; l++)
        sum -= g[a][d][l];
      f[4 * a + d] = (int32_t)sum;
    }
#endif
}

/* --- the kernel ----------------------------------------------------------------------------------------- */

typedef struct Constants {
  Real scale[3], qq[3], a12, c6, cutoff2, near, low;
} Constants;

VEC_INLINE Real all_of(double x) { return (Real){0} + (float)x; }

VEC_INLINE Constants constants_of(const BulkModel *m)
{
  const double unit = 1 << BULK_FORCE_BITS;
  Constants c = {.a12 = all_of(12.0 * m->a * unit),
                 .c6 = all_of(6.0 * m->c * unit),
                 .cutoff2 = all_of(m->cutoff2),
                 .near = all_of((double)m->near),
                 .low = all_of((double)m->tables.low)};
  for (int d = 0; d < 3; d++) {
    c.scale[d] = (Real){0} + m->scale[d];
    c.qq[d] = all_of(m->qq[d] * unit);
  }
  return c;
}

/* Molecule at row i with o and h (of each hydrogen) against the WIDE ones at j, of which `left` count: g is
 * the force on those, own += that on them by each site of i. Returns the lanes that are too close. */
VEC_INLINE unsigned against(const Constants *c, const Table *table, const BulkRow *row, const BulkRow *i,
                            const int32_t *j, int left, Int forces[3][3], Wrap own[3][3])
{
  Int at[3];
  Real d[3], h[2][3], g[3][3];
  load_site(row, j, 0, at);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++)
    d[k] = __builtin_convertvector((Int)((Wrap)at[k] - (uint32_t)i->o[k]), Real) * c->scale[k];
#pragma GCC unroll 2
  for (int b = 0; b < 2; b++) {
    load_site(row, j, b + 1, at);
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
      h[b][k] = (Real)at[k];
  }
  const Real s0 = fused(d[2], d[2], fused(d[1], d[1], d[0] * d[0]));
  const Lanes counts = lanes_below(s0, c->cutoff2) & lanes_first(left);
  const Real u = reciprocal(s0), u3 = u * (u * u);
  const Real lj = lanes_product(counts, fused(c->a12, u3, -c->c6), u3 * u);
  Real nearest = c->cutoff2;
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    Real back[3];
#pragma GCC unroll 3
    for (int b = 0; b < 3; b++) {
      Real r[3];
      const float *const hi = a == 1 ? i->h1 : i->h2;
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++)
        r[k] = b == 0 ? (a == 0 ? d[k] : d[k] - hi[k])
                      : (a == 0 ? d[k] + h[b - 1][k] : d[k] + (h[b - 1][k] - hi[k]));
      const Real s = a + b == 0 ? s0 : fused(r[2], r[2], fused(r[1], r[1], r[0] * r[0]));
      if (a + b > 0)
        nearest = smaller(nearest, s);
      Real f = lanes_product(counts, c->qq[(a > 0) + (b > 0)], table_force(table, s));
      if (a + b == 0)
        f += lj;
#pragma GCC unroll 3
      for (int k = 0; k < 3; k++) {
        g[b][k] = a == 0 ? f * r[k] : fused(f, r[k], g[b][k]);
        back[k] = b == 0 ? f * r[k] : fused(f, r[k], back[k]);
      }
    }
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
      own[a][k] += (Wrap)to_integers(back[k]);
  }
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
      forces[b][k] = to_integers(g[b][k]);
  return lanes_bits(counts & (lanes_below(s0, c->near) | lanes_below(nearest, c->low)));
}

static void chunk(const BulkModel *model, const BulkWork *work, const BulkRow *row, int32_t *force)
{
  const Constants c = constants_of(model);
  const Table table = table_load(&model->tables);
  for (int i = work->chunk->first; i < work->chunk->last; i++) {
    const int32_t *const j = work->chunk->j;
    Wrap own[3][3] = {0};
    for (int k = work->begin[i]; k < work->end[i]; k += WIDE) {
      Int forces[3][3];
      const unsigned close = against(&c, &table, row, &row[i], j + k, work->end[i] - k, forces, own);
      if (__builtin_expect(close != 0, 0) && work->fault->i < 0)
        *work->fault = (BulkFault){i, j[k + __builtin_ctz(close)]};
      scatter(force, j + k, forces);
    }
    subtract(force + 16 * (size_t)i, own);
  }
}

const BulkKernels ISA_SYMBOL(bulk_kernels_table) = {chunk};
