/* Private to the hot files of this folder: what the pair forces in double share. Rows of four doubles or
 * integers (x, y, z, unused) stand for sites; eight of them at a time become three vectors, and back. */
#ifndef HOLONOM_FORCEFIELDS_EXACT_H
#define HOLONOM_FORCEFIELDS_EXACT_H

#include <string.h>

#include "engine/vec.h"
#include "forcefields/bulk_kernels.h"

VEC_INLINE vd exact_fused(vd a, vd b, vd c)
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

VEC_INLINE vi exact_integers(vd a)
{
#if defined(__AVX512DQ__)
  return (vi)_mm512_cvtpd_epi64((__m512d)a);
#else
  /* Multiples of 2^32 and the rest, each put into the last bits of a number with a fixed exponent. */
  const double big = 6755399441055744.0; /* 1.5 * 2^52 */
  const vd high = (a * 0x1p-32 + big), low = (a - (high - big) * 0x1p32) + big;
  const vi bits = (vi)vd_set(big);
  return (((vi)high - bits) << 32) + ((vi)low - bits);
#endif
}

/* Nearest whole number, where |a| < 2^51. */
VEC_INLINE vd exact_whole(vd a)
{
  const double big = 6755399441055744.0; /* 1.5 * 2^52 */
  return (a + big) - big;
}

VEC_INLINE vd exact_clear(vi mask, vd a) { return (vd)(mask & (vi)a); }

/* --- polynomials by squared distance -------------------------------------------------------------------- */

typedef struct ExactPlace {
  int at[LANES]; /* which polynomial */
  vd t;          /* s less the beginning of its interval */
} ExactPlace;

enum { EXACT_STEP_BITS = 7, EXACT_SHIFT = 52 - EXACT_STEP_BITS };

/* Lanes that do not count may hold any s: their places are kept inside the table. */
VEC_INLINE ExactPlace exact_locate(const BulkTables *t, vd s)
{
  ExactPlace g;
  const vd low = vd_set(t->exact_low);
  const vi first = (vi)low >> EXACT_SHIFT, which = ((vi)s >> EXACT_SHIFT) - first;
  const vi inside = (which >= 0) & (which < BULK_EXACT_OCTAVES * BULK_EXACT_STEPS);
  for (int l = 0; l < LANES; l++)
    g.at[l] = (int)(which[l] & inside[l]) * BULK_EXACT_STRIDE;
  g.t = s - (vd)((vi)s & ~((INT64_C(1) << EXACT_SHIFT) - 1));
  return g;
}

VEC_INLINE vd exact_polynomial(const double *table, const ExactPlace *g)
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

/* --- rows ------------------------------------------------------------------------------------------------
 */

/* Halves of vectors by shuffles: what goes through memory in two pieces waits for both. */
typedef double ExactHalf __attribute__((vector_size(32)));
typedef uint64_t ExactRow __attribute__((vector_size(32))); /* sums wrap */

/* Two rows side by side. */
VEC_INLINE vd exact_two(const double *first, const double *second)
{
  ExactHalf a, b;
  memcpy(&a, first, sizeof a);
  memcpy(&b, second, sizeof b);
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* x[3] = the rows at base + stride j[0..7] in lanes. */
VEC_INLINE void exact_rows(const double *base, size_t stride, const int32_t *j, vd x[3])
{
#if !defined(__AVX512F__)
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < LANES; l++)
      x[k][l] = base[(size_t)j[l] * stride + (size_t)k];
#else
#define ROW(l) (base + (size_t)j[l] * stride)
  const vd a = exact_two(ROW(0), ROW(2)), b = exact_two(ROW(1), ROW(3));
  const vd c = exact_two(ROW(4), ROW(6)), d = exact_two(ROW(5), ROW(7));
#undef ROW
  const vd low = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); /* x0 x1 z0 z1 x2 x3 z2 z3 */
  const vd high = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const vd low_y = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const vd high_y = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  x[0] = __builtin_shufflevector(low, high, 0, 1, 4, 5, 8, 9, 12, 13);
  x[1] = __builtin_shufflevector(low_y, high_y, 0, 1, 4, 5, 8, 9, 12, 13);
  x[2] = __builtin_shufflevector(low, high, 2, 3, 6, 7, 10, 11, 14, 15);
#endif
}

VEC_INLINE void exact_add_row(int64_t *base, size_t stride, int32_t j, ExactRow row)
{
  int64_t *const at = base + (size_t)j * stride;
  ExactRow sum;
  memcpy(&sum, at, sizeof sum);
  sum += row;
  memcpy(at, &sum, sizeof sum);
}

/* The rows at base + stride j[0..7] += x[3], one after the other: lanes of the same j add up. */
VEC_INLINE void exact_add_rows(int64_t *base, size_t stride, const int32_t *j, const vi x[3])
{
#if !defined(__AVX512F__)
  for (int l = 0; l < LANES; l++)
    for (int k = 0; k < 3; k++) {
      int64_t *const at = base + (size_t)j[l] * stride + (size_t)k;
      *at = (int64_t)((uint64_t)*at + (uint64_t)x[k][l]);
    }
#else
  const vu zero = {0}, a = (vu)x[0], b = (vu)x[1], c = (vu)x[2];
  const vu xy = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); /* rows 0, 2, 4, 6 */
  const vu odd_xy = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const vu z = __builtin_shufflevector(c, zero, 0, 8, 2, 10, 4, 12, 6, 14);
  const vu odd_z = __builtin_shufflevector(c, zero, 1, 9, 3, 11, 5, 13, 7, 15);
#define ROWS(first, second, xy, z, ...)                                                                      \
  do {                                                                                                       \
    const vu two = __builtin_shufflevector(xy, z, __VA_ARGS__);                                              \
    exact_add_row(base, stride, j[first], __builtin_shufflevector(two, two, 0, 1, 2, 3));                    \
    exact_add_row(base, stride, j[second], __builtin_shufflevector(two, two, 4, 5, 6, 7));                   \
  } while (0)
  ROWS(0, 2, xy, z, 0, 1, 8, 9, 2, 3, 10, 11);
  ROWS(1, 3, odd_xy, odd_z, 0, 1, 8, 9, 2, 3, 10, 11);
  ROWS(4, 6, xy, z, 4, 5, 12, 13, 6, 7, 14, 15);
  ROWS(5, 7, odd_xy, odd_z, 4, 5, 12, 13, 6, 7, 14, 15);
#undef ROWS
#endif
}

#endif
