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

/* --- transposing, by blocks of 16 bytes (vec.h) ----------------------------------------------------------
 */

typedef float vf_block __attribute__((vector_size(16), aligned(4), may_alias));
enum { VF_BLOCKS = FLOATS / 4 };

/* A shuffle within each block of n floats: 0 to 3 are a's, 4 to 7 are b's. */
#define VEC_IN_BLOCK(n, block, i) ((i) < 4 ? (i) + 4 * (block) : (i)-4 + (n) + 4 * (block))
#define VEC_BLOCK(n, block, i, j, k, l)                                                                      \
  VEC_IN_BLOCK(n, block, i), VEC_IN_BLOCK(n, block, j), VEC_IN_BLOCK(n, block, k), VEC_IN_BLOCK(n, block, l)
#define VEC_SHUFFLE4(a, b, ...) __builtin_shufflevector(a, b, VEC_BLOCK(4, 0, __VA_ARGS__))
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define VF_SHUFFLE(a, b, ...)                                                                                \
  __builtin_shufflevector(a, b, VEC_BLOCK(16, 0, __VA_ARGS__), VEC_BLOCK(16, 1, __VA_ARGS__),                \
                          VEC_BLOCK(16, 2, __VA_ARGS__), VEC_BLOCK(16, 3, __VA_ARGS__))
#elif defined(__AVX2__)
#define VF_SHUFFLE(a, b, ...)                                                                                \
  __builtin_shufflevector(a, b, VEC_BLOCK(8, 0, __VA_ARGS__), VEC_BLOCK(8, 1, __VA_ARGS__))
#else
#define VF_SHUFFLE(a, b, ...) VEC_SHUFFLE4(a, b, __VA_ARGS__)
#endif

/* Transposes the 4 x 4 floats of each block. */
#define VEC_TURN4(v, shuffle)                                                                                \
  do {                                                                                                       \
    const __typeof__((v)[0]) low01 = shuffle((v)[0], (v)[1], 0, 4, 1, 5),                                    \
                             high01 = shuffle((v)[0], (v)[1], 2, 6, 3, 7),                                   \
                             low23 = shuffle((v)[2], (v)[3], 0, 4, 1, 5),                                    \
                             high23 = shuffle((v)[2], (v)[3], 2, 6, 3, 7);                                   \
    (v)[0] = shuffle(low01, low23, 0, 1, 4, 5);                                                              \
    (v)[1] = shuffle(low01, low23, 2, 3, 6, 7);                                                              \
    (v)[2] = shuffle(high01, high23, 0, 1, 4, 5);                                                            \
    (v)[3] = shuffle(high01, high23, 2, 3, 6, 7);                                                            \
  } while (0)

VEC_INLINE void vf_turn(vf v[4]) { VEC_TURN4(v, VF_SHUFFLE); }

/* Four columns of WIDTH floats to rows of four, and three columns of such rows. */
VEC_INLINE void vh_rows4(const vh column[4], float *rows)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const vf xy = __builtin_shufflevector(column[0], column[1], 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14,
                                        7, 15),
           zw = __builtin_shufflevector(column[2], column[3], 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14,
                                        7, 15);
  const vf v[2] = {
      __builtin_shufflevector(xy, zw, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
      __builtin_shufflevector(xy, zw, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)};
#elif defined(__AVX2__)
  vh v[4] = {column[0], column[1], column[2], column[3]};
  VEC_TURN4(v, VEC_SHUFFLE4);
#else
  const vf xy = __builtin_shufflevector(column[0], column[1], 0, 2, 1, 3),
           zw = __builtin_shufflevector(column[2], column[3], 0, 2, 1, 3);
  const vf v[2] = {VEC_SHUFFLE4(xy, zw, 0, 1, 4, 5), VEC_SHUFFLE4(xy, zw, 2, 3, 6, 7)};
#endif
  memcpy(rows, v, sizeof v);
}

VEC_INLINE void vh_columns3(const float *rows, vh column[3])
{
#if defined(__AVX2__) && !defined(__AVX512F__)
  vh v[4];
  memcpy(v, rows, sizeof v);
  VEC_TURN4(v, VEC_SHUFFLE4);
  memcpy(column, v, 3 * sizeof(vh));
#else
  vf v[2];
  memcpy(v, rows, sizeof v);
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  column[0] = __builtin_shufflevector(v[0], v[1], 0, 4, 8, 12, 16, 20, 24, 28);
  column[1] = __builtin_shufflevector(v[0], v[1], 1, 5, 9, 13, 17, 21, 25, 29);
  column[2] = __builtin_shufflevector(v[0], v[1], 2, 6, 10, 14, 18, 22, 26, 30);
#else
  column[0] = __builtin_shufflevector(v[0], v[1], 0, 4);
  column[1] = __builtin_shufflevector(v[0], v[1], 1, 5);
  column[2] = __builtin_shufflevector(v[0], v[1], 2, 6);
#endif
#endif
}

#endif
