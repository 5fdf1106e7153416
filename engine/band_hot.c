#include "engine/band_hot.h"
#include "engine/band.h"

ISA_DECLARE(BandKernels, band_kernels_table);

/* Calls with the widths of narrow bands as constants. */
#define FOR_WIDTH(function, half, ...)                                                                       \
  ((half) == 1   ? function(n, 1, __VA_ARGS__)                                                               \
   : (half) == 2 ? function(n, 2, __VA_ARGS__)                                                               \
                 : function(n, half, __VA_ARGS__))

static unsigned symmetric_factor(int n, int half, Vec8 *a)
{
  return FOR_WIDTH(band_factor_symmetric, half, a, NULL);
}

static void symmetric_solve(int n, int half, const Vec8 *a, Vec8 *b)
{
  FOR_WIDTH(band_solve_symmetric, half, a, b);
}

static unsigned general_factor(int n, int half, Vec8 *a) { return FOR_WIDTH(band_factor_general, half, a); }

static void general_solve(int n, int half, const Vec8 *a, Vec8 *b)
{
  FOR_WIDTH(band_solve_general, half, a, b);
}

const BandKernels ISA_SYMBOL(band_kernels_table) = {symmetric_factor, symmetric_solve, general_factor,
                                                    general_solve};
