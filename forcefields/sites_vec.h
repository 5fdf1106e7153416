/* Loads and stores of the kernel of pairs in double: a site is a row of four doubles or integers (x, y, z,
 * unused); rows for each lane of a register become three registers, and back. */
#ifndef HOLONOM_FORCEFIELDS_SITES_VEC_H
#define HOLONOM_FORCEFIELDS_SITES_VEC_H

#include <string.h>

#include "engine/vec.h"
#include "forcefields/water_float_kernels.h"

/* VEC_PHASE for every machine: gcc 12 would otherwise look up all pairs at once, and spill. */
#define EXACT_PHASE(array) __asm__ volatile("" : "+m"(array))

/* --- rows ----------------------------------------------------------------------------------------------- */

/* A memory offset for each lane, in bytes, used one by one. */
typedef struct ExactOffsets {
  uint64_t at[WIDTH];
} ExactOffsets;

/* The offsets of rows j[0..] of `stride` numbers. */
VEC_INLINE void exact_find_rows(const int32_t *j, size_t stride, ExactOffsets *offsets)
{
  UNROLL
  for (int l = 0; l < WIDTH; l++)
    offsets->at[l] = (uint64_t)j[l] * (stride * sizeof(double));
}

/* x[3] = the rows in lanes. */
VEC_INLINE void exact_rows(const double *base, const ExactOffsets *offsets, vd x[3])
{
  vd c[4];
  vd_gather4(base, offsets->at, c);
  memcpy(x, c, 3 * sizeof *x);
}

typedef uint64_t ExactRow __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint64_t ExactHalf __attribute__((vector_size(16), aligned(8), may_alias));

/* The rows += x[3], one after the other: repeated rows add up. */
VEC_INLINE void exact_add_rows(int64_t *base, const ExactOffsets *offsets, const vi x[3])
{
  const vu xy = (vu)VEC_PAIRS(x[0], x[1], 0, 2), odd_xy = (vu)VEC_PAIRS(x[0], x[1], 1, 3);
  const vu z = (vu)VEC_PAIRS(x[2], (vi){0}, 0, 2), odd_z = (vu)VEC_PAIRS(x[2], (vi){0}, 1, 3);
#define ROW(l) (*(ExactRow *)((char *)base + offsets->at[l]))
#if defined(__AVX512F__)
  /* Two rows each. */
  const vu low = __builtin_shufflevector(xy, z, 0, 1, 8, 9, 2, 3, 10, 11),
           high = __builtin_shufflevector(xy, z, 4, 5, 12, 13, 6, 7, 14, 15),
           odd_low = __builtin_shufflevector(odd_xy, odd_z, 0, 1, 8, 9, 2, 3, 10, 11),
           odd_high = __builtin_shufflevector(odd_xy, odd_z, 4, 5, 12, 13, 6, 7, 14, 15);
  ROW(0) += __builtin_shufflevector(low, low, 0, 1, 2, 3);
  ROW(1) += __builtin_shufflevector(odd_low, odd_low, 0, 1, 2, 3);
  ROW(2) += __builtin_shufflevector(low, low, 4, 5, 6, 7);
  ROW(3) += __builtin_shufflevector(odd_low, odd_low, 4, 5, 6, 7);
  ROW(4) += __builtin_shufflevector(high, high, 0, 1, 2, 3);
  ROW(5) += __builtin_shufflevector(odd_high, odd_high, 0, 1, 2, 3);
  ROW(6) += __builtin_shufflevector(high, high, 4, 5, 6, 7);
  ROW(7) += __builtin_shufflevector(odd_high, odd_high, 4, 5, 6, 7);
#elif defined(__AVX2__)
  ROW(0) += __builtin_shufflevector(xy, z, 0, 1, 4, 5);
  ROW(1) += __builtin_shufflevector(odd_xy, odd_z, 0, 1, 4, 5);
  ROW(2) += __builtin_shufflevector(xy, z, 2, 3, 6, 7);
  ROW(3) += __builtin_shufflevector(odd_xy, odd_z, 2, 3, 6, 7);
#else
  const ExactHalf half[4] = {xy, z, odd_xy, odd_z};
  UNROLL
  for (int k = 0; k < 4; k++)
    ((ExactHalf *)&ROW(k / 2))[k % 2] += half[k];
#endif
#undef ROW
}

/* --- polynomials by squared distance -------------------------------------------------------------------- */

typedef struct ExactInterval {
  ExactOffsets row; /* of the polynomial */
  vd t;             /* s minus the beginning of its interval */
} ExactInterval;

/* The last bits of the exponent and the first of the mantissa choose an interval. s beyond the table's range,
 * in lanes that do not count, gets any interval. */
VEC_INLINE void exact_locate(vd s, ExactInterval *place)
{
  enum { SHIFT = 52 - WATER_FLOAT_EXACT_STEP_BITS, BYTES = 6 /* log2 of a row's */ };
  const vu row = ((vu)s >> (SHIFT - BYTES)) & ((uint64_t)(WATER_FLOAT_EXACT_ROWS - 1) << BYTES);
  memcpy(place->row.at, &row, sizeof row);
  place->t = s - (vd)((vu)s & ~((UINT64_C(1) << SHIFT) - 1));
}

VEC_INLINE vd exact_polynomial(const double *table, const ExactInterval *place)
{
  vd c[WATER_FLOAT_EXACT_DEGREE + 1];
  vd_gather4(table, place->row.at, c);
  vd_gather2(table + 4, place->row.at, c + 4);
  vd f = c[WATER_FLOAT_EXACT_DEGREE];
  UNROLL
  for (int k = WATER_FLOAT_EXACT_DEGREE - 1; k >= 0; k--)
    f = f * place->t + c[k];
  return f;
}

#endif
