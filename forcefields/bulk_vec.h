/* Verbs of the mixed water kernel: lanes that count, rows of molecules to and from registers, the tables.
 *
 * Multiplications and additions are fused by name here and not left to the compiler: see bulk_hot.c. */
#ifndef HOLONOM_FORCEFIELDS_BULK_VEC_H
#define HOLONOM_FORCEFIELDS_BULK_VEC_H

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "forcefields/bulk_kernels.h"
#include "forcefields/wide.h"

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

VEC_INLINE Real all_of(double x) { return (Real){0} + (float)x; }

/* --- which lanes count ---------------------------------------------------------------------------------- */

#if defined(__AVX512F__)
typedef __mmask16 Lanes;

VEC_INLINE Lanes lanes_below(Real a, Real b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
VEC_INLINE Lanes lanes_clear(Int a, int32_t bit)
{
  return _mm512_testn_epi32_mask((__m512i)a, _mm512_set1_epi32(bit));
}
VEC_INLINE Lanes lanes_first(int n) { return (Lanes)(n < WIDE ? (1u << n) - 1u : 0xffffu); }
/* a rounded; 0 in the lanes that do not count. */
VEC_INLINE Int lanes_integers(Lanes m, Real a) { return (Int)_mm512_maskz_cvtps_epi32(m, (__m512)a); }
VEC_INLINE unsigned lanes_bits(Lanes m) { return m; }
#else
typedef Int Lanes;

VEC_INLINE Lanes lanes_below(Real a, Real b) { return a < b; }
VEC_INLINE Lanes lanes_clear(Int a, int32_t bit) { return (a & bit) == 0; }
VEC_INLINE Lanes lanes_first(int n)
{
  static const int32_t iota[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  Int lane;
  memcpy(&lane, iota, sizeof lane);
  return lane < n;
}
VEC_INLINE Int lanes_integers(Lanes m, Real a) { return m & to_integers(a); }
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

VEC_INLINE Int both(Int a, Int b, Int c)
{
#if defined(__AVX512F__)
  return (Int)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0x80);
#else
  return a & b & c;
#endif
}

/* --- moving within sixteen bytes ------------------------------------------------------------------------ */

#if defined(__AVX512F__)
#define LOW_WORDS(a, b)  ((Int)_mm512_unpacklo_epi32((__m512i)(a), (__m512i)(b)))
#define HIGH_WORDS(a, b) ((Int)_mm512_unpackhi_epi32((__m512i)(a), (__m512i)(b)))
#define LOW_PAIRS(a, b)  ((Int)_mm512_unpacklo_epi64((__m512i)(a), (__m512i)(b)))
#define HIGH_PAIRS(a, b) ((Int)_mm512_unpackhi_epi64((__m512i)(a), (__m512i)(b)))
#define LOW_HIGH(a, b)   ((Int)_mm512_shuffle_pd((__m512d)(a), (__m512d)(b), 0xaa)) /* a's low, b's high */
#define HIGH_LOW(a, b)   ((Int)_mm512_shuffle_pd((__m512d)(a), (__m512d)(b), 0x55))
#define SECOND_WORDS(a)  ((Int)_mm512_srli_epi64((__m512i)(a), 32))
#elif defined(__AVX2__)
#define LOW_WORDS(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_WORDS(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_PAIRS(a, b)  __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW_HIGH(a, b)   __builtin_shufflevector(a, b, 0, 1, 10, 11, 4, 5, 14, 15)
#define HIGH_LOW(a, b)   __builtin_shufflevector(a, b, 2, 3, 8, 9, 6, 7, 12, 13)
#define SECOND_WORDS(a)  ((Int)_mm256_srli_epi64((__m256i)(a), 32))
#else
#define LOW_WORDS(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_WORDS(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define LOW_HIGH(a, b)   __builtin_shufflevector(a, b, 0, 1, 6, 7)
#define HIGH_LOW(a, b)   __builtin_shufflevector(a, b, 2, 3, 4, 5)
#define SECOND_WORDS(a)  __builtin_shufflevector(a, a, 1, 1, 3, 3)
#endif

/* The four words of each column of sixteen bytes of v[4] become a column of out[0..2]; the last is lost. */
VEC_INLINE void transpose(const Int v[4], Int out[3])
{
  const Int a = LOW_WORDS(v[0], v[1]), b = LOW_WORDS(v[2], v[3]);
  out[0] = LOW_PAIRS(a, b);
  out[1] = HIGH_PAIRS(a, b);
  out[2] = LOW_PAIRS(HIGH_WORDS(v[0], v[1]), HIGH_WORDS(v[2], v[3]));
}

/* The way back; fourth words hold anything. */
VEC_INLINE void transpose_back(const Int g[3], Int out[4])
{
  const Int a = LOW_WORDS(g[0], g[1]), b = HIGH_WORDS(g[0], g[1]), second = SECOND_WORDS(g[2]);
  out[0] = LOW_PAIRS(a, g[2]);
  out[1] = HIGH_LOW(a, second);
  out[2] = LOW_HIGH(b, g[2]);
  out[3] = HIGH_PAIRS(b, second);
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Where the rows of WIDE molecules begin, in bytes; rows of forces are as long. */
typedef struct Offsets {
  uint32_t at[WIDE];
} Offsets;

VEC_INLINE void find_rows(const int32_t *j, Offsets *offsets)
{
  Wrap v;
  memcpy(&v, j, sizeof v);
  v *= (uint32_t)sizeof(BulkRow);
  memcpy(offsets->at, &v, sizeof v);
}

/* Their sites: out[site][x, y, z]. */
VEC_INLINE void load_rows(const BulkRow *row, const Offsets *offsets, Int out[3][3])
{
  const uint32_t *const at = offsets->at;
  const char *const base = (const char *)row;
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    Int v[4];
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
#define AT(k) _mm_load_si128((const __m128i *)(base + at[m + 4 * (k)]) + b)
#if defined(__AVX512F__)
      __m512i four = _mm512_castsi128_si512(AT(0));
      four = _mm512_inserti32x4(four, AT(1), 1);
      four = _mm512_inserti32x4(four, AT(2), 2);
      v[m] = (Int)_mm512_inserti32x4(four, AT(3), 3);
#elif defined(__AVX2__)
      v[m] = (Int)_mm256_inserti128_si256(_mm256_castsi128_si256(AT(0)), AT(1), 1);
#else
      memcpy(&v[m], base + at[m] + 16 * b, sizeof v[m]);
#endif
#undef AT
    }
    transpose(v, out[b]);
  }
}

#if defined(__AVX512F__)
/* Whole rows of four molecules from their sites. The unused integers of a row get some sums too. */
VEC_INLINE void join_rows(Int o, Int h1, Int h2, __m512i row[4])
{
  const __m512i low = _mm512_shuffle_i32x4((__m512i)o, (__m512i)h1, 0x44);
  const __m512i high = _mm512_shuffle_i32x4((__m512i)o, (__m512i)h1, 0xee), h = (__m512i)h2;
  row[0] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 8, 9), h);
  row[1] = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(2, 3, 6, 7, 10, 11, 10, 11), h);
  row[2] = _mm512_permutex2var_epi64(high, _mm512_setr_epi64(0, 1, 4, 5, 12, 13, 12, 13), h);
  row[3] = _mm512_permutex2var_epi64(high, _mm512_setr_epi64(2, 3, 6, 7, 14, 15, 14, 15), h);
}
#else
VEC_INLINE void add_quad(void *f, const void *g)
{
  typedef uint32_t Quad __attribute__((vector_size(16)));
  Quad v, w;
  memcpy(&v, f, sizeof v);
  memcpy(&w, g, sizeof w);
  v += w;
  memcpy(f, &v, sizeof v);
}
#endif

/* Forces += g; molecules may come more than once. */
VEC_INLINE void scatter(int32_t *force, const Offsets *offsets, Int g[3][3])
{
  const uint32_t *const at = offsets->at;
  char *const base = (char *)force;
  Int s[3][4];
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++)
    transpose_back(g[b], s[b]);
#pragma GCC unroll 4
  for (int m = 0; m < 4; m++) {
#if defined(__AVX512F__)
    __m512i r[4];
    join_rows(s[0][m], s[1][m], s[2][m], r);
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++) {
      char *const f = base + at[m + 4 * q];
      _mm512_store_si512(f, _mm512_add_epi32(_mm512_load_si512(f), r[q]));
    }
#else
#pragma GCC unroll 2
    for (int q = 0; q < WIDE / 4; q++)
#pragma GCC unroll 3
      for (int b = 0; b < 3; b++)
        add_quad(base + at[m + 4 * q] + 16 * b, (const char *)&s[b][m] + 16 * q);
#endif
  }
}

/* The row at f -= the sum of g over its lanes. */
VEC_INLINE void subtract(int32_t *f, Wrap g[3][3])
{
#if defined(__AVX512F__)
  Int s[3], r[4];
  __m512i rows[4];
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    const Int v[3] = {(Int)g[a][0], (Int)g[a][1], (Int)g[a][2]};
    transpose_back(v, r);
    s[a] = (Int)((Wrap)r[0] + (Wrap)r[1] + (Wrap)r[2] + (Wrap)r[3]);
  }
  join_rows(s[0], s[1], s[2], rows);
  const Wrap sum = (Wrap)rows[0] + (Wrap)rows[1] + (Wrap)rows[2] + (Wrap)rows[3];
  _mm512_store_si512(f, _mm512_sub_epi32(_mm512_load_si512(f), (__m512i)sum));
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

/* --- tables --------------------------------------------------------------------------------------------- */

#if defined(__AVX512F__)
/* In registers, or in memory where there are too many. */
typedef struct Table {
  __m512 low[BULK_DEGREE + 1], high[BULK_DEGREE + 1];
} Table;
typedef __m512i Where;

VEC_INLINE Table table_load(const BulkTable *t)
{
  Table r;
#pragma GCC unroll 5
  for (int k = 0; k <= BULK_DEGREE; k++) {
    r.low[k] = _mm512_loadu_ps(t->coarse[k]);
    r.high[k] = _mm512_loadu_ps(t->coarse[k] + 16);
  }
  return r;
}

/* vpermi2ps looks at five bits. */
VEC_INLINE Where table_find(Real s) { return _mm512_srli_epi32((__m512i)s, 23 - BULK_COARSE_BITS); }

VEC_INLINE Real table_value(const Table *t, const Where *which, Real s)
{
  __m512 f = _mm512_permutex2var_ps(t->low[BULK_DEGREE], *which, t->high[BULK_DEGREE]);
#pragma GCC unroll 4
  for (int k = BULK_DEGREE - 1; k >= 0; k--)
    f = _mm512_fmadd_ps(f, (__m512)s, _mm512_permutex2var_ps(t->low[k], *which, t->high[k]));
  return (Real)f;
}

VEC_INLINE Real reciprocal(Real a)
{
  const Real y = (Real)_mm512_rcp14_ps((__m512)a);
  return y + y * (1.0f - a * y);
}
#else
typedef const BulkTable *Table;
typedef struct Where {
  int32_t at[WIDE];
} Where;

VEC_INLINE Table table_load(const BulkTable *t) { return t; }

VEC_INLINE Where table_find(Real s)
{
  const Int which = ((Int)s >> (23 - BULK_FINE_BITS)) & (BULK_FINE - 1);
  Where w;
  memcpy(w.at, &which, sizeof w.at);
  return w;
}

VEC_INLINE Real table_value(const Table *table, const Where *which, Real s)
{
  Int v[4], c[3];
#pragma GCC unroll 4
  for (int m = 0; m < 4; m++) {
#if defined(__AVX2__)
    const __m128 low = _mm_load_ps((*table)->fine[which->at[m]]);
    v[m] = (Int)_mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                     _mm_load_ps((*table)->fine[which->at[m + 4]]), 1);
#else
    memcpy(&v[m], (*table)->fine[which->at[m]], sizeof v[m]);
#endif
  }
  transpose(v, c);
  return fused(fused((Real)c[2], s, (Real)c[1]), s, (Real)c[0]);
}

VEC_INLINE Real reciprocal(Real a) { return 1.0f / a; }
#endif

VEC_INLINE Real inverse_root(Real a)
{
#if defined(__AVX512F__)
  const Real y = (Real)_mm512_rsqrt14_ps((__m512)a), e = 1.0f - a * (y * y);
  return y + 0.5f * (y * e);
#elif defined(__AVX2__)
  return 1.0f / (Real)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
  return 1.0f / (Real)_mm_sqrt_ps((__m128)a);
#else
  Real y;
  for (int l = 0; l < WIDE; l++)
    y[l] = 1.0f / __builtin_sqrtf(a[l]);
  return y;
#endif
}

#endif
