/* Verbs that only the pair kernels need: inverse powers of distances, sums across lanes, floats. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_VEC_H
#define HOLONOM_FORCEFIELDS_PAIR_VEC_H

#include "engine/octet.h"

typedef float vh __attribute__((vector_size(4 * LANES))); /* one pack as floats */

/* Two packs of doubles side by side as floats, and back. */
VEC_INLINE OctetFloats octet_float_join(Octet a, Octet b)
{
  return __builtin_shufflevector(__builtin_convertvector(a, vh), __builtin_convertvector(b, vh), 0, 1, 2, 3,
                                 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

VEC_INLINE Octet octet_float_low(OctetFloats a)
{
  return __builtin_convertvector(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7), Octet);
}

VEC_INLINE Octet octet_float_high(OctetFloats a)
{
  return __builtin_convertvector(__builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15), Octet);
}

/* 1/sqrt(a) in float. One Newton step in the form y += y*e/2, e = 1 - a*y*y, keeps the rounding of the
 * result near half a unit; the form y*(1.5 - a/2*y*y) loses half a digit. The estimate of AVX2 has only 12
 * bits and needs the next term. */
VEC_INLINE OctetFloats octet_float_rsqrt(OctetFloats a)
{
#if defined(__AVX512F__)
  const OctetFloats y = (OctetFloats)_mm512_rsqrt14_ps((__m512)a);
  const OctetFloats e = 1.0f - a * (y * y);
  return y + 0.5f * (y * e);
#elif defined(__AVX2__)
  union {
    OctetFloats all;
    __m256 half[2];
  } u = {a};
  u.half[0] = _mm256_rsqrt_ps(u.half[0]);
  u.half[1] = _mm256_rsqrt_ps(u.half[1]);
  const OctetFloats y = u.all, e = 1.0f - a * (y * y);
  return y + y * e * (0.5f + 0.375f * e);
#else
  OctetFloats y;
  for (int l = 0; l < 2 * LANES; l++)
    y[l] = 1.0f / sqrtf(a[l]);
  return y;
#endif
}

#if defined(__AVX512F__) || defined(__AVX2__)
#define PAIR_ESTIMATE 1

/* 1/sqrt(a) to 14 bits, or to 12 by way of floats, whose range squared distances never leave. */
VEC_INLINE Octet octet_rsqrt_estimate(Octet a)
{
#if defined(__AVX512F__)
  return (Octet)_mm512_rsqrt14_pd((__m512d)a);
#else
  union {
    Octet all;
    __m256d half[2];
  } u = {a};
  u.half[0] = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(u.half[0])));
  u.half[1] = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(u.half[1])));
  return u.all;
#endif
}
#endif

/* 1/sqrt(a) and a^(-3/2) of squared distances. With an estimate y of 1/sqrt(a) and e = 1 - a y^2 they are
 * y (1 - e)^(-1/2) and y^3 (1 - e)^(-3/2), whose series converge at once: |e| < 1.3e-4 on AVX-512, so that
 * terms up to e^3 leave 6e-16, and |e| < 7.4e-4 on AVX2, which takes one more. The second is two operations
 * shorter than the cube of the first. */
VEC_INLINE Octet octet_rsqrt_distance(Octet a)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
  const Octet y = octet_rsqrt_estimate(a);
  const Octet e = 1.0 - a * (y * y);
  return y + (y * e) * (0.5 + e * (0.375 + e * (0.3125 + e * 0.2734375)));
#else
  return octet_rsqrt(a);
#endif
}

VEC_INLINE Octet octet_rsqrt_cubed(Octet a)
{
#if defined(PAIR_ESTIMATE)
  const Octet y = octet_rsqrt_estimate(a);
  const Octet u = y * y;
  const Octet e = 1.0 - a * u;
#if defined(__AVX512F__)
  const Octet tail = octet_set(2.1875);
#else
  const Octet tail = 2.1875 + e * 2.4609375;
#endif
  return (u * y) * (1.0 + e * (1.5 + e * (1.875 + e * tail)));
#else
  const Octet y = octet_rsqrt(a);
  return y * y * y;
#endif
}

VEC_INLINE OctetFloats octet_float_rsqrt_cubed(OctetFloats a)
{
#if defined(__AVX512F__)
  const OctetFloats y = (OctetFloats)_mm512_rsqrt14_ps((__m512)a);
  const OctetFloats u = y * y;
  const OctetFloats e = 1.0f - a * u;
  return (u * y) * (1.0f + e * 1.5f);
#else
  const OctetFloats y = octet_float_rsqrt(a);
  return y * y * y;
#endif
}

/* out[l] = the sum over the lanes of v[l]: in each round two vectors are folded in half and laid side by
 * side. v is overwritten. */
VEC_INLINE Octet octet_sum_each(Octet v[LANES])
{
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 2], 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(v[i], v[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14) +
         __builtin_shufflevector(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
}

VEC_INLINE OctetFloats octet_float_sum_each(OctetFloats v[2 * LANES])
{
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 8], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
        __builtin_shufflevector(v[i], v[i + 8], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
        __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
        __builtin_shufflevector(v[i], v[i + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  return __builtin_shufflevector(v[0], v[1], 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
         __builtin_shufflevector(v[0], v[1], 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
}

#endif
