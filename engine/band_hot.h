/* Inline factorisations and solves of band.h, for hot files with constant sizes. All parts of a pack advance
 * together: the chains of dependent operations hide each other's latency. The order is row by row, so that a
 * row is finished in the L1 cache, and its diagonal entry is known when the pivot is checked. */
#ifndef HOLONOM_ENGINE_BAND_HOT_H
#define HOLONOM_ENGINE_BAND_HOT_H

#include <float.h>
#include <stddef.h>

#include "engine/vec.h"

/* L D L'. Row i contains w = L D until it is finished: a(i,j) = w_j - sum_k w_k l_jk over finished rows j.
 * The diagonal stores 1/D. Includes the forward half of the solve of a right-hand side, unless NULL. */
VEC_INLINE unsigned band_factor_symmetric(int n, int half, Vec8 *matrix, Vec8 *right)
{
  Registers *a = (Registers *)matrix, *b = (Registers *)right;
  const ptrdiff_t width = half + 1;
  vi sound[REGISTERS];
  EACH_REGISTER(p) sound[p] = ~(vi){0};
  for (int i = 0; i < n; i++) {
    Registers *row = a + i * width + half - i; /* row[j] */
    const int first = i > half ? i - half : 0;
    for (int j = first + 1; j < i; j++) {
      const Registers *left = a + j * width + half - j;
      vd sum[REGISTERS];
      EACH_REGISTER(p) sum[p] = row[j][p];
      for (int k = first; k < j; k++)
        EACH_REGISTER(p) sum[p] = vd_fma(-row[k][p], left[k][p], sum[p]);
      EACH_REGISTER(p) row[j][p] = sum[p];
    }
    vd pivot[REGISTERS], diagonal[REGISTERS], x[REGISTERS];
    EACH_REGISTER(p) pivot[p] = diagonal[p] = row[i][p];
    EACH_REGISTER(p) x[p] = b != NULL ? b[i][p] : vd_set(0.0);
    for (int k = first; k < i; k++)
      EACH_REGISTER(p)
      {
        const vd w = row[k][p], l = w * a[k * width + half][p];
        pivot[p] = vd_fma(-w, l, pivot[p]);
        row[k][p] = l;
        if (b != NULL)
          x[p] = vd_fma(-l, b[k][p], x[p]);
      }
    EACH_REGISTER(p)
    {
      sound[p] &= pivot[p] > 4.0 * DBL_EPSILON * diagonal[p];
      row[i][p] = vd_recip(pivot[p]);
      if (b != NULL)
        b[i][p] = x[p];
    }
  }
  return registers_bits(sound);
}

/* L U without exchanges. The diagonal stores 1/U. */
VEC_INLINE unsigned band_factor_general(int n, int half, Vec8 *matrix)
{
  Registers *a = (Registers *)matrix;
  const ptrdiff_t width = 2 * half + 1;
  vi sound[REGISTERS];
  EACH_REGISTER(p) sound[p] = ~(vi){0};
  for (int i = 0; i < n; i++) {
    Registers *row = a + i * width + half - i;
    vd diagonal[REGISTERS];
    EACH_REGISTER(p) diagonal[p] = vd_abs(row[i][p]);
    for (int k = i > half ? i - half : 0; k < i; k++) {
      const Registers *above = a + k * width + half - k;
      vd l[REGISTERS];
      EACH_REGISTER(p) l[p] = row[k][p] * above[k][p];
      for (int j = k + 1; j < n && j <= k + half; j++)
        EACH_REGISTER(p) row[j][p] = vd_fma(-l[p], above[j][p], row[j][p]);
      EACH_REGISTER(p) row[k][p] = l[p];
    }
    EACH_REGISTER(p)
    {
      const vd pivot = vd_abs(row[i][p]);
      sound[p] &= (pivot > 1e-8 * diagonal[p]) & (pivot < 16.0 * diagonal[p]);
      row[i][p] = vd_recip(row[i][p]);
    }
  }
  return registers_bits(sound);
}

/* b <- L^-1 b; origin: index of row 0, column 0; stride: from a row to the same column of the next. */
VEC_INLINE void band_solve_lower(int n, int half, ptrdiff_t origin, ptrdiff_t stride, const Vec8 *matrix,
                                 Vec8 *right)
{
  const Registers *a = (const Registers *)matrix + origin;
  Registers *b = (Registers *)right;
  for (int i = 0; i < n; i++) {
    vd sum[REGISTERS];
    EACH_REGISTER(p) sum[p] = b[i][p];
    for (int k = i > half ? i - half : 0; k < i; k++)
      EACH_REGISTER(p) sum[p] = vd_fma(-a[i * stride + k][p], b[k][p], sum[p]);
    EACH_REGISTER(p) b[i][p] = sum[p];
  }
}

/* The backward half. */
VEC_INLINE void band_solve_upper(int n, int half, const Vec8 *matrix, Vec8 *right)
{
  const Registers *a = (const Registers *)matrix + half;
  const ptrdiff_t stride = half;
  Registers *b = (Registers *)right;
  for (int i = n - 1; i >= 0; i--) {
    vd sum[REGISTERS];
    EACH_REGISTER(p) sum[p] = vd_rounded(b[i][p] * a[i * stride + i][p]);
    for (int k = i + 1; k < n && k <= i + half; k++)
      EACH_REGISTER(p) sum[p] = vd_fma(-a[k * stride + i][p], b[k][p], sum[p]);
    EACH_REGISTER(p) b[i][p] = sum[p];
  }
}

VEC_INLINE void band_solve_symmetric(int n, int half, const Vec8 *matrix, Vec8 *right)
{
  band_solve_lower(n, half, half, half, matrix, right);
  band_solve_upper(n, half, matrix, right);
}

VEC_INLINE void band_solve_general(int n, int half, const Vec8 *matrix, Vec8 *right)
{
  const Registers *a = (const Registers *)matrix + half;
  const ptrdiff_t stride = 2 * half;
  Registers *b = (Registers *)right;
  band_solve_lower(n, half, half, stride, matrix, right);
  for (int i = n - 1; i >= 0; i--) {
    vd sum[REGISTERS];
    EACH_REGISTER(p) sum[p] = b[i][p];
    for (int k = i + 1; k < n && k <= i + half; k++)
      EACH_REGISTER(p) sum[p] = vd_fma(-a[i * stride + k][p], b[k][p], sum[p]);
    EACH_REGISTER(p) b[i][p] = sum[p] * a[i * stride + i][p];
  }
}

#endif
