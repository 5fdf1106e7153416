/* The largest of some numbers, NaN if one is NaN: convergence tests with it never depend on the order of a
 * comparison with NaN. */
#ifndef HOLONOM_INTEGRATORS_LARGEST_H
#define HOLONOM_INTEGRATORS_LARGEST_H

#include "engine/vec8.h"

/* The larger of most and |x|, NaN if either is. */
VEC_INLINE Vec8 largest_of(Vec8 most, Vec8 x)
{
  const Vec8 size = vec8_abs(x);
  return vec8_select((size <= most) | (most != most), most, size);
}

#endif
