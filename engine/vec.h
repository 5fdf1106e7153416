/* The vector vocabulary: packs of 8 doubles, and the few verbs that the physics is written in.
 *
 * LANES is 8 on every machine; the compiler splits the vector where the machine has narrower ones, so
 * layout, checkpoints and tests do not depend on it. Vector types cross files by pointer only: by value
 * their calling convention differs between instruction sets. */
#ifndef HOLONOM_ENGINE_VEC_H
#define HOLONOM_ENGINE_VEC_H

#include <math.h>
#include <stdint.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { LANES = 8 };

typedef double vd __attribute__((vector_size(8 * LANES)));    /* 8 doubles                     */
typedef int64_t vi __attribute__((vector_size(8 * LANES)));   /* 8 int64; masks: 0 or -1       */
typedef uint64_t vu __attribute__((vector_size(8 * LANES)));  /* 8 uint64                      */
typedef float vf __attribute__((vector_size(4 * 2 * LANES))); /* 16 floats: two packs          */
typedef int32_t vif __attribute__((vector_size(4 * 2 * LANES)));

#define VEC_INLINE static inline __attribute__((always_inline))

/* What is added to it (of a size below 2^51) is rounded to a whole number, which its last bits then hold. */
#define VEC_WHOLE 0x1.8p52

VEC_INLINE vd vd_set(double x) { return (vd){x, x, x, x, x, x, x, x}; }

/* a where the mask is -1, b where it is 0. */
VEC_INLINE vd vd_select(vi mask, vd a, vd b) { return (vd)((mask & (vi)a) | (~mask & (vi)b)); }

VEC_INLINE vd vd_abs(vd a) { return (vd)((vi)a & INT64_MAX); }

VEC_INLINE vd vd_max(vd a, vd b) { return vd_select(a > b, a, b); }

VEC_INLINE vd vd_min(vd a, vd b) { return vd_select(a < b, a, b); }

VEC_INLINE vd vd_sqrt(vd a)
{
#if defined(__AVX512F__)
  return (vd)_mm512_sqrt_pd((__m512d)a);
#else
  vd y;
  for (int l = 0; l < LANES; l++)
    y[l] = sqrt(a[l]);
  return y;
#endif
}

/* 1/sqrt(a) to a few units in the last place: rsqrt14 and two Newton steps where there is one (measured:
 * as fast as one step of third order and 1e-15 instead of 1e-12), the plain division elsewhere. */
VEC_INLINE vd vd_rsqrt(vd a)
{
#if defined(__AVX512F__)
  vd y = (vd)_mm512_rsqrt14_pd((__m512d)a);
  const vd half = vd_set(0.5) * a;
  y = y * (1.5 - half * y * y);
  y = y * (1.5 - half * y * y);
  return y;
#else
  return 1.0 / vd_sqrt(a);
#endif
}

/* Lanes in a fixed order, so that sums do not depend on the machine's width. */
VEC_INLINE double vd_sum(vd a) { return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])); }

/* Bit l set where lane l of the mask is. */
VEC_INLINE unsigned vi_bits(vi mask)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#else
  unsigned bits = 0;
  for (int l = 0; l < LANES; l++)
    bits |= (unsigned)(mask[l] & 1) << l;
  return bits;
#endif
}

#endif
