/* The element of a pack: 8 doubles side by side, one per lane, on every machine. Code that is not hot
 * computes with this type directly; compilers split it where registers are narrower, which is slow. Hot code
 * uses registers (vec.h). Vector types cross files by pointer only, because their calling convention by value
 * differs between instruction sets. */
#ifndef HOLONOM_ENGINE_VEC8_H
#define HOLONOM_ENGINE_VEC8_H

#include <math.h>
#include <stdint.h>

enum { LANES = 8 };

typedef double Vec8 __attribute__((vector_size(8 * LANES)));       /* 8 doubles               */
typedef int64_t Vec8Mask __attribute__((vector_size(8 * LANES)));  /* 8 int64; masks: 0 or -1 */
typedef uint64_t Vec8Word __attribute__((vector_size(8 * LANES))); /* 8 uint64                */

#define VEC_INLINE static inline __attribute__((always_inline))

/* Adding this to a number below 2^51 in size rounds it to an integer, which the last bits then contain. */
#define VEC_WHOLE 0x1.8p52

VEC_INLINE Vec8 vec8_set(double x) { return (Vec8){x, x, x, x, x, x, x, x}; }

/* a where the mask is -1, b where it is 0. */
VEC_INLINE Vec8 vec8_select(Vec8Mask mask, Vec8 a, Vec8 b)
{
  return (Vec8)((mask & (Vec8Mask)a) | (~mask & (Vec8Mask)b));
}

VEC_INLINE Vec8 vec8_abs(Vec8 a) { return (Vec8)((Vec8Mask)a & INT64_MAX); }

VEC_INLINE Vec8 vec8_sqrt(Vec8 a)
{
  Vec8 y;
  for (int l = 0; l < LANES; l++)
    y[l] = sqrt(a[l]);
  return y;
}

/* Adds the lanes in a fixed order, so that sums do not depend on the machine's width. */
VEC_INLINE double vec8_sum(Vec8 a)
{
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

/* Bit l is set where lane l of the mask is -1. */
VEC_INLINE unsigned vec8_bits(Vec8Mask mask)
{
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++)
    bits |= (unsigned)(mask[l] & 1) << l;
  return bits;
}

/* The inverse of vec8_bits. */
VEC_INLINE Vec8Mask vec8_mask(unsigned bits)
{
  Vec8Mask mask;
  for (int l = 0; l < LANES; l++)
    mask[l] = bits >> l & 1 ? -1 : 0;
  return mask;
}

#endif
