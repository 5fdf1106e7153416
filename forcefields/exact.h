/* Private to the hot files of this folder: what the pair forces in double share. Vectors are those of one
 * register of the machine: wider ones are compared and moved lane by lane. Rows of four doubles or integers
 * (x, y, z, unused) stand for sites; as many as there are lanes become three vectors, and back. */
#ifndef HOLONOM_FORCEFIELDS_EXACT_H
#define HOLONOM_FORCEFIELDS_EXACT_H

#include <string.h>

#include "engine/octet.h"
#include "forcefields/bulk_kernels.h"

#if defined(__AVX512F__)
enum { EXACT_LANES = 8 };
#elif defined(__AVX2__)
enum { EXACT_LANES = 4 };
#else
enum { EXACT_LANES = 2 };
#endif

typedef double ed __attribute__((vector_size(8 * EXACT_LANES)));
typedef int64_t ei __attribute__((vector_size(8 * EXACT_LANES)));  /* masks: 0 or -1 */
typedef uint64_t eu __attribute__((vector_size(8 * EXACT_LANES))); /* sums wrap      */

VEC_INLINE ed ed_set(double x) { return x - (ed){0}; }

VEC_INLINE ed ed_max(ed a, ed b)
{
  const ei larger = a > b;
  return (ed)((larger & (ei)a) | (~larger & (ei)b));
}

VEC_INLINE ed ed_min(ed a, ed b)
{
  const ei smaller = a < b;
  return (ed)((smaller & (ei)a) | (~smaller & (ei)b));
}

VEC_INLINE ed ed_sqrt(ed a)
{
  ed y;
  for (int l = 0; l < EXACT_LANES; l++)
    y[l] = sqrt(a[l]);
  return y;
}

/* Bit l set where lane l of the mask is. */
VEC_INLINE unsigned ei_bits(ei mask)
{
#if defined(__AVX512F__)
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__)
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
  unsigned bits = 0;
  for (int l = 0; l < EXACT_LANES; l++)
    bits |= (unsigned)(mask[l] & 1) << l;
  return bits;
#endif
}

/* The lanes whose number is below n. */
VEC_INLINE ei exact_first(int n)
{
  static const double number[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  ed lane;
  memcpy(&lane, number, sizeof lane);
  return lane < (double)n;
}

VEC_INLINE ed exact_fused(ed a, ed b, ed c)
{
#if defined(__AVX512F__)
  return (ed)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__AVX2__)
  return (ed)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined(__FP_FAST_FMA)
  for (int l = 0; l < EXACT_LANES; l++)
    c[l] = __builtin_fma(a[l], b[l], c[l]);
  return c;
#else
  return a * b + c;
#endif
}

VEC_INLINE ei exact_integers(ed a)
{
#if defined(__AVX512DQ__)
  return (ei)_mm512_cvtpd_epi64((__m512d)a);
#else
  /* Multiples of 2^32 and the rest, each put into the last bits of a number with a fixed exponent. */
  const ed high = (a * 0x1p-32 + VEC_WHOLE), low = (a - (high - VEC_WHOLE) * 0x1p32) + VEC_WHOLE;
  const eu bits = (eu)ed_set(VEC_WHOLE);
  return (ei)((((eu)high - bits) << 32) + ((eu)low - bits));
#endif
}

/* Nearest whole number, where |a| < 2^51. */
VEC_INLINE ed exact_whole(ed a) { return (a + VEC_WHOLE) - VEC_WHOLE; }

VEC_INLINE uint64_t exact_sum(eu a)
{
  uint64_t sum = 0;
  for (int l = 0; l < EXACT_LANES; l++)
    sum += a[l];
  return sum;
}

VEC_INLINE ed exact_clear(ei mask, ed a) { return (ed)(mask & (ei)a); }

/* --- rows ------------------------------------------------------------------------------------------------
 *
 * Halves of vectors go by shuffles: what goes through memory in two pieces waits for both. */

typedef double ExactHalf __attribute__((vector_size(32)));
typedef uint64_t ExactRow __attribute__((vector_size(32)));

VEC_INLINE ExactHalf exact_load(const double *p)
{
  ExactHalf a;
  memcpy(&a, p, sizeof a);
  return a;
}

/* c[k][l] = p[l][k], k < 4. */
VEC_INLINE void exact_columns(const double *const p[EXACT_LANES], ed c[4])
{
#if defined(__AVX512F__)
#define TWO(l, m) __builtin_shufflevector(exact_load(p[l]), exact_load(p[m]), 0, 1, 2, 3, 4, 5, 6, 7)
  const ed a = TWO(0, 2), b = TWO(1, 3), d = TWO(4, 6), e = TWO(5, 7);
#undef TWO
  const ed even = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); /* 0 0 2 2 0 0 2 2 */
  const ed even_high = __builtin_shufflevector(d, e, 0, 8, 2, 10, 4, 12, 6, 14);
  const ed odd = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const ed odd_high = __builtin_shufflevector(d, e, 1, 9, 3, 11, 5, 13, 7, 15);
  c[0] = __builtin_shufflevector(even, even_high, 0, 1, 4, 5, 8, 9, 12, 13);
  c[1] = __builtin_shufflevector(odd, odd_high, 0, 1, 4, 5, 8, 9, 12, 13);
  c[2] = __builtin_shufflevector(even, even_high, 2, 3, 6, 7, 10, 11, 14, 15);
  c[3] = __builtin_shufflevector(odd, odd_high, 2, 3, 6, 7, 10, 11, 14, 15);
#elif defined(__AVX2__)
  const ed r0 = exact_load(p[0]), r1 = exact_load(p[1]), r2 = exact_load(p[2]), r3 = exact_load(p[3]);
  const ed even = __builtin_shufflevector(r0, r1, 0, 4, 2, 6),
           odd = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
  const ed even_high = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
  const ed odd_high = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
  c[0] = __builtin_shufflevector(even, even_high, 0, 1, 4, 5);
  c[1] = __builtin_shufflevector(odd, odd_high, 0, 1, 4, 5);
  c[2] = __builtin_shufflevector(even, even_high, 2, 3, 6, 7);
  c[3] = __builtin_shufflevector(odd, odd_high, 2, 3, 6, 7);
#else
  for (int k = 0; k < 4; k++)
    c[k] = (ed){p[0][k], p[1][k]};
#endif
}

/* x[3] = the rows at base + stride j[0..] in lanes. */
VEC_INLINE void exact_rows(const double *base, size_t stride, const int32_t *j, ed x[3])
{
  const double *p[EXACT_LANES];
  ed c[4];
  for (int l = 0; l < EXACT_LANES; l++)
    p[l] = base + (size_t)j[l] * stride;
  exact_columns(p, c);
  for (int k = 0; k < 3; k++)
    x[k] = c[k];
}

VEC_INLINE void exact_add_row(int64_t *at, ExactRow row)
{
  ExactRow sum;
  memcpy(&sum, at, sizeof sum);
  sum += row;
  memcpy(at, &sum, sizeof sum);
}

/* The rows at base + stride j[0..] += x[3], one after the other: lanes of the same j add up. */
VEC_INLINE void exact_add_rows(int64_t *base, size_t stride, const int32_t *j, const ei x[3])
{
#define AT(l) (base + (size_t)j[l] * stride)
#if defined(__AVX512F__)
  const eu zero = {0}, a = (eu)x[0], b = (eu)x[1], c = (eu)x[2];
  const eu xy = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); /* rows 0, 2, 4, 6 */
  const eu odd_xy = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const eu z = __builtin_shufflevector(c, zero, 0, 8, 2, 10, 4, 12, 6, 14);
  const eu odd_z = __builtin_shufflevector(c, zero, 1, 9, 3, 11, 5, 13, 7, 15);
#define ROWS(first, second, xy, z, ...)                                                                      \
  do {                                                                                                       \
    const eu two = __builtin_shufflevector(xy, z, __VA_ARGS__);                                              \
    exact_add_row(AT(first), __builtin_shufflevector(two, two, 0, 1, 2, 3));                                 \
    exact_add_row(AT(second), __builtin_shufflevector(two, two, 4, 5, 6, 7));                                \
  } while (0)
  ROWS(0, 2, xy, z, 0, 1, 8, 9, 2, 3, 10, 11);
  ROWS(1, 3, odd_xy, odd_z, 0, 1, 8, 9, 2, 3, 10, 11);
  ROWS(4, 6, xy, z, 4, 5, 12, 13, 6, 7, 14, 15);
  ROWS(5, 7, odd_xy, odd_z, 4, 5, 12, 13, 6, 7, 14, 15);
#undef ROWS
#elif defined(__AVX2__)
  const eu zero = {0}, a = (eu)x[0], b = (eu)x[1], c = (eu)x[2];
  const eu xy = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd_xy = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const eu z = __builtin_shufflevector(c, zero, 0, 4, 2, 6),
           odd_z = __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  exact_add_row(AT(0), __builtin_shufflevector(xy, z, 0, 1, 4, 5));
  exact_add_row(AT(1), __builtin_shufflevector(odd_xy, odd_z, 0, 1, 4, 5));
  exact_add_row(AT(2), __builtin_shufflevector(xy, z, 2, 3, 6, 7));
  exact_add_row(AT(3), __builtin_shufflevector(odd_xy, odd_z, 2, 3, 6, 7));
#else
  for (int l = 0; l < EXACT_LANES; l++)
    for (int k = 0; k < 3; k++)
      AT(l)[k] = (int64_t)((uint64_t)AT(l)[k] + (uint64_t)x[k][l]);
#endif
#undef AT
}

/* --- polynomials by squared distance -------------------------------------------------------------------- */

typedef struct ExactPlace {
  size_t at[EXACT_LANES]; /* which polynomial */
  ed t;                   /* s less the beginning of its interval */
} ExactPlace;

enum { EXACT_SHIFT = 52 - BULK_EXACT_STEP_BITS };

/* Lanes that do not count may hold any s: it is taken to the nearest in the table. */
VEC_INLINE ExactPlace exact_locate(const BulkTables *t, ed s)
{
  const double below = 1.0 - 0x1p-53, end = t->exact_low * ((1 << BULK_EXACT_OCTAVES) * below);
  const ed in = ed_min(ed_max(s, ed_set(t->exact_low)), ed_set(end));
  const eu which = ((eu)in >> EXACT_SHIFT) - ((eu)ed_set(t->exact_low) >> EXACT_SHIFT);
  ExactPlace g;
  for (int l = 0; l < EXACT_LANES; l++)
    g.at[l] = (size_t)which[l] * BULK_EXACT_STRIDE;
  g.t = in - (ed)((eu)in & ~((UINT64_C(1) << EXACT_SHIFT) - 1));
  return g;
}

VEC_INLINE ed exact_polynomial(const double *table, const ExactPlace *g)
{
  const double *p[EXACT_LANES];
  ed c[8];
  for (int l = 0; l < EXACT_LANES; l++)
    p[l] = table + g->at[l];
  exact_columns(p, c);
  for (int l = 0; l < EXACT_LANES; l++)
    p[l] += 4;
  exact_columns(p, c + 4);
  ed f = c[BULK_EXACT_DEGREE];
#pragma GCC unroll 5
  for (int k = BULK_EXACT_DEGREE - 1; k >= 0; k--)
    f = f * g->t + c[k];
  return f;
}

#endif
