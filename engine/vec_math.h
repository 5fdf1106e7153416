/* Functions of registers computed by series, to a few units in the last place of each lane. */
#ifndef HOLONOM_ENGINE_VEC_MATH_H
#define HOLONOM_ENGINE_VEC_MATH_H

#include "engine/vec.h"

/* e^x for |x| <= 700, clamped beyond: e^x = 2^n e^r with |r| <= ln 2/2, and e^r by its series. */
VEC_INLINE vd vd_exp(vd x)
{
  static const double term[13] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};
  const vd inside = vd_max(vd_min(x, vd_set(700.0)), vd_set(-700.0));
  const vd n = vd_whole(inside * 1.4426950408889634);
  const vd r = vd_fma(n, vd_set(-0x1.abc9e3b39803fp-56), vd_fma(n, vd_set(-0x1.62e42fefa39efp-1), inside));
  vd sum = vd_set(1.0 / 6227020800);
  UNROLL
  for (int k = 0; k < 13; k++)
    sum = vd_fma(sum, r, vd_set(term[k]));
  return sum * (vd)((vd_integer(n) + 1023) << 52);
}

/* The angle of the vector (x, y), from -pi to pi; 0 for the zero vector. The tangent of the angle or, beyond
 * pi/8, of its difference from pi/4 is below tan(pi/8); there atan t = t P(t^2) (minimax, relative error
 * 2e-18). */
VEC_INLINE vd vd_atan2(vd y, vd x)
{
  static const double term[12] = {-0.017797894580085439, 0.037958485922384814,  -0.050348390947698741,
                                  0.058468205483387793,  -0.066629439708754263, 0.076920446486449466,
                                  -0.090908967710695161, 0.11111110743605271,   -0.14285714279223825,
                                  0.19999999999940620,   -0.33333333333333120,  1.0};
  const double quarter = 0.78539816339744831;
  const vd across = vd_abs(x), up = vd_abs(y), zero = vd_set(0.0);
  const vi steep = up > across;
  const vd large = vd_select(steep, up, across), small = vd_select(steep, across, up);
  const vi far = small > 0.41421356237309503 * large;
  const vd t =
      vd_select(far, small - large, small) / vd_max(vd_select(far, small + large, large), vd_set(0x1p-1022));
  const vd z = t * t;
  vd sum = vd_set(term[0]);
  UNROLL
  for (int k = 1; k < 12; k++)
    sum = vd_fma(sum, z, vd_set(term[k]));
  vd angle = vd_fma(t, sum, vd_select(far, vd_set(quarter), zero));
  angle = vd_select(steep, 2.0 * quarter - angle, angle);
  angle = vd_select(x < 0.0, 4.0 * quarter - angle, angle);
  return vd_select(y < 0.0, -angle, angle);
}

#endif
