/* The largest of some numbers, of which none that is no number is lost: what converged is then never told
 * from what blew up by the order of a comparison. */
#ifndef HOLONOM_INTEGRATORS_LARGEST_H
#define HOLONOM_INTEGRATORS_LARGEST_H

#include "engine/vec.h"

/* The larger of most and |x|, NaN if either is. */
VEC_INLINE vd largest_of(vd most, vd x)
{
  const vd size = vd_abs(x);
  return vd_select((size <= most) | (most != most), most, size);
}

/* Lanes in which x is a finite number. */
VEC_INLINE vi largest_finite(vd x) { return vd_abs(x) <= __DBL_MAX__; }

#endif
