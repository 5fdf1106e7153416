/* Registers of floats and of 32-bit numbers, as wide as those of the machine (vec.h says how hot code is
 * written). A register of floats has the lanes of two registers of doubles. */
#ifndef HOLONOM_ENGINE_VECF_H
#define HOLONOM_ENGINE_VECF_H

#include <string.h>

#include "engine/vec.h"

enum { FLOATS = 2 * WIDTH };

typedef float vf __attribute__((vector_size(4 * FLOATS)));
typedef int32_t vif __attribute__((vector_size(4 * FLOATS)));  /* masks: 0 or -1            */
typedef uint32_t vuf __attribute__((vector_size(4 * FLOATS))); /* sums and differences wrap */
typedef float vh __attribute__((vector_size(4 * WIDTH)));      /* a register of doubles, as floats */

VEC_INLINE vf vf_set(double x)
{
  const float y = (float)x;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (vf){y, y, y, y, y, y, y, y, y, y, y, y, y, y, y, y};
#elif defined(__AVX2__)
  return (vf){y, y, y, y, y, y, y, y};
#else
  return (vf){y, y, y, y};
#endif
}

/* Two registers of doubles side by side as floats, and back. */
VEC_INLINE vf vf_join(vd a, vd b)
{
  const vh low = __builtin_convertvector(a, vh), high = __builtin_convertvector(b, vh);
  vf out;
  memcpy(&out, &low, sizeof low);
  memcpy((char *)&out + sizeof low, &high, sizeof high);
  return out;
}

VEC_INLINE vd vf_low(vf a)
{
  vh half;
  memcpy(&half, &a, sizeof half);
  return __builtin_convertvector(half, vd);
}

VEC_INLINE vd vf_high(vf a)
{
  vh half;
  memcpy(&half, (const char *)&a + sizeof half, sizeof half);
  return __builtin_convertvector(half, vd);
}

VEC_INLINE vf vf_sqrt(vf a)
{
#if defined(__AVX512F__)
  return (vf)_mm512_sqrt_ps((__m512)a);
#elif defined(__AVX2__)
  return (vf)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
  return (vf)_mm_sqrt_ps((__m128)a);
#elif defined(__aarch64__)
  return (vf)vsqrtq_f32((float32x4_t)a);
#else
  return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

#endif
