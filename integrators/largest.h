/* The largest of some numbers, of which none that is no number is lost: what converged is then never told
 * from what blew up by the order of a comparison. */
#ifndef HOLONOM_INTEGRATORS_LARGEST_H
#define HOLONOM_INTEGRATORS_LARGEST_H

#include "engine/octet.h"

/* The larger of most and |x|, NaN if either is. */
VEC_INLINE Octet largest_of(Octet most, Octet x)
{
  const Octet size = octet_abs(x);
  return octet_select((size <= most) | (most != most), most, size);
}

#endif
