#include <float.h>

#include "integrators/band.h"
#include "integrators/jacobian_hot.h"

ISA_DECLARE(BandKernels, band_kernels_table);

/* Row by row, so that a row is finished while it sits in registers or the L1 cache, and its diagonal entry
 * is known when the pivot is judged. Written once and inlined with the narrow bands' widths as constants. */

/* Row i holds w = L D before its own turn ends: a(i,j) = w_j - sum_k w_k l_jk over finished rows j. The
 * diagonal keeps 1/D. */
VEC_INLINE unsigned symmetric_factor_of(int n, int half, Octet *a)
{
  const ptrdiff_t width = half + 1;
  OctetMask sound = ~(OctetMask){0};
  for (int i = 0; i < n; i++) {
    Octet *row = a + i * width + half - i; /* row[j] */
    const Octet diagonal = row[i];
    for (int k = i > half ? i - half : 0; k < i; k++) {
      const Octet w = row[k], l = w * a[k * width + half];
      for (int j = k + 1; j < i; j++)
        row[j] -= w * a[j * width + half - j + k];
      row[i] -= w * l;
      row[k] = l;
    }
    sound &= row[i] > 4.0 * DBL_EPSILON * diagonal;
    row[i] = lanes_recip(row[i]);
  }
  return octet_bits(sound);
}

VEC_INLINE void symmetric_solve_of(int n, int half, const Octet *a, Octet *b)
{
  const ptrdiff_t width = half + 1;
  for (int i = 0; i < n; i++) {
    const Octet *row = a + i * width + half - i;
    Octet sum = b[i];
    for (int k = i > half ? i - half : 0; k < i; k++)
      sum -= row[k] * b[k];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; i--) {
    Octet sum = b[i] * a[i * width + half];
    for (int k = i + 1; k < n && k <= i + half; k++)
      sum -= a[k * width + half - k + i] * b[k];
    b[i] = sum;
  }
}

/* The diagonal keeps 1/U. */
VEC_INLINE unsigned general_factor_of(int n, int half, Octet *a)
{
  const ptrdiff_t width = 2 * half + 1;
  OctetMask sound = ~(OctetMask){0};
  for (int i = 0; i < n; i++) {
    Octet *row = a + i * width + half - i;
    const Octet diagonal = octet_abs(row[i]);
    for (int k = i > half ? i - half : 0; k < i; k++) {
      const Octet *above = a + k * width + half - k;
      const Octet l = row[k] * above[k];
      for (int j = k + 1; j < n && j <= k + half; j++)
        row[j] -= l * above[j];
      row[k] = l;
    }
    const Octet pivot = octet_abs(row[i]);
    sound &= (pivot > 1e-8 * diagonal) & (pivot < 16.0 * diagonal);
    row[i] = lanes_recip(row[i]);
  }
  return octet_bits(sound);
}

VEC_INLINE void general_solve_of(int n, int half, const Octet *a, Octet *b)
{
  const ptrdiff_t width = 2 * half + 1;
  for (int i = 0; i < n; i++) {
    const Octet *row = a + i * width + half - i;
    Octet sum = b[i];
    for (int k = i > half ? i - half : 0; k < i; k++)
      sum -= row[k] * b[k];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; i--) {
    const Octet *row = a + i * width + half - i;
    Octet sum = b[i];
    for (int k = i + 1; k < n && k <= i + half; k++)
      sum -= row[k] * b[k];
    b[i] = sum * row[i];
  }
}

#define FOR_WIDTH(function, half, ...)                                                                       \
  ((half) == 1   ? function(n, 1, __VA_ARGS__)                                                               \
   : (half) == 2 ? function(n, 2, __VA_ARGS__)                                                               \
                 : function(n, half, __VA_ARGS__))

static unsigned symmetric_factor(int n, int half, Octet *a)
{
  return FOR_WIDTH(symmetric_factor_of, half, a);
}

static void symmetric_solve(int n, int half, const Octet *a, Octet *b)
{
  FOR_WIDTH(symmetric_solve_of, half, a, b);
}

static unsigned general_factor(int n, int half, Octet *a) { return FOR_WIDTH(general_factor_of, half, a); }

static void general_solve(int n, int half, const Octet *a, Octet *b)
{
  FOR_WIDTH(general_solve_of, half, a, b);
}

const BandKernels ISA_SYMBOL(band_kernels_table) = {symmetric_factor, symmetric_solve, general_factor,
                                                    general_solve};
