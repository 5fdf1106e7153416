/* The nearest image (images.h) for registers. */
#ifndef HOLONOM_FORCEFIELDS_IMAGES_VEC_H
#define HOLONOM_FORCEFIELDS_IMAGES_VEC_H

#include "engine/vecf.h"
#include "forcefields/images.h"

/* Replaces d[3], vectors of wrapped fractions, by the nearest image: subtracts the shift s, or its opposite,
 * that shortens d most, |d|^2 - |d -+ s|^2 = 2 |d.s| - s^2. The result for -d is the opposite. */
#define IMAGES_NEAREST(name, Real, Mask, set, shifts)                                                        \
  static __attribute__((noinline, unused)) void name(const Images *images, Real d[3])                        \
  {                                                                                                          \
    Real best = {0}, off[3] = {{0}};                                                                         \
    for (int k = 0; k < images->n; k++) {                                                                    \
      const Real s[3] = {set(images->shifts[k][0]), set(images->shifts[k][1]), set(images->shifts[k][2])};   \
      const Real along = d[0] * s[0] + d[1] * s[1] + d[2] * s[2];                                            \
      const Mask sign = (Mask)along & (Mask)set(-0.0);                                                       \
      const Real gain = 2.0f * (Real)((Mask)along ^ sign) - set(images->shifts[k][3]);                       \
      const Mask better = gain > best;                                                                       \
      best = (Real)((better & (Mask)gain) | (~better & (Mask)best));                                         \
      for (int i = 0; i < 3; i++)                                                                            \
        off[i] = (Real)((better & ((Mask)s[i] ^ sign)) | (~better & (Mask)off[i]));                          \
    }                                                                                                        \
    for (int i = 0; i < 3; i++)                                                                              \
      d[i] -= off[i];                                                                                        \
  }
IMAGES_NEAREST(images_floats, vf, vif, vf_set, single)
IMAGES_NEAREST(images_doubles, vd, vi, vd_set, exact)

/* Replaces d[3], vectors in any image, by the nearest image. */
VEC_INLINE void images_of_box(const Box *box, vd d[3])
{
  if (__builtin_expect(box_oblique(box), 0)) {
    for (int l = 0; l < WIDTH; l++) {
      double r[3] = {d[0][l], d[1][l], d[2][l]};
      box_nearest(box, r);
      for (int k = 0; k < 3; k++)
        d[k][l] = r[k];
    }
    return;
  }
  UNROLL
  for (int k = 0; k < 3; k++)
    d[k] -= box->h[k][k] * vd_whole(d[k] * box->inverse[k][k]);
}

#endif
