/* Registers of floats and of 32-bit integers, as wide as the machine's (see vec.h). A register of floats has
 * the lanes of two registers of doubles. */
#ifndef HOLONOM_ENGINE_VECF_H
#define HOLONOM_ENGINE_VECF_H

#include "engine/vec.h"

enum { FLOATS = 2 * WIDTH };

typedef float vf __attribute__((vector_size(4 * FLOATS)));
typedef int32_t vif __attribute__((vector_size(4 * FLOATS)));  /* masks: 0 or -1            */
typedef uint32_t vuf __attribute__((vector_size(4 * FLOATS))); /* sums and differences wrap */
typedef float vh __attribute__((vector_size(4 * WIDTH)));      /* a register of doubles, as floats */

VEC_INLINE vf vf_set(double x) { return (float)x - (vf){0.0f}; }

/* A register of doubles as floats, and back. */
VEC_INLINE vh vh_narrow(vd a)
{
#if defined(__AVX2__)
  return VEC_X86(cvtpd_ps)(a);
#else
  return __builtin_convertvector(a, vh);
#endif
}

VEC_INLINE vd vh_widen(vh a)
{
#if defined(__AVX2__)
  return VEC_X86(cvtps_pd)(a);
#else
  return __builtin_convertvector(a, vd);
#endif
}

/* Two registers of doubles side by side as floats, and each half back. */
VEC_INLINE vf vf_join(vd a, vd b)
{
  const vh low = vh_narrow(a), high = vh_narrow(b);
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif defined(__AVX2__)
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#endif
}

VEC_INLINE vd vf_low(vf a)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return vh_widen(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7));
#elif defined(__AVX2__)
  return vh_widen(__builtin_shufflevector(a, a, 0, 1, 2, 3));
#else
  return vh_widen(__builtin_shufflevector(a, a, 0, 1));
#endif
}

VEC_INLINE vd vf_high(vf a)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return vh_widen(__builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
#elif defined(__AVX2__)
  return vh_widen(__builtin_shufflevector(a, a, 4, 5, 6, 7));
#else
  return vh_widen(__builtin_shufflevector(a, a, 2, 3));
#endif
}

VEC_INLINE vf vf_sqrt(vf a)
{
#if defined(__SSE2__)
  return VEC_X86(sqrt_ps)(a);
#elif defined(__aarch64__)
  return (vf)vsqrtq_f32((float32x4_t)a);
#else
  return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

/* The result is b where either is NaN. */
VEC_INLINE vf vf_max(vf a, vf b)
{
#if defined(__SSE2__)
  return VEC_X86(max_ps)(a, b);
#else
  const vif larger = a > b;
  return (vf)((larger & (vif)a) | (~larger & (vif)b));
#endif
}

VEC_INLINE vf vf_min(vf a, vf b)
{
#if defined(__SSE2__)
  return VEC_X86(min_ps)(a, b);
#else
  const vif smaller = a < b;
  return (vf)((smaller & (vif)a) | (~smaller & (vif)b));
#endif
}

/* a*b + c, rounded once where the machine can: for results that must not depend on the compiler's choice. */
VEC_INLINE vf vf_fma(vf a, vf b, vf c)
{
#if defined(__FMA__)
  return VEC_X86(fmadd_ps)(a, b, c);
#elif defined(__aarch64__)
  return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
  return a * b + c;
#endif
}

/* 1/a and 1/sqrt(a) to a unit or two in the last place. */
VEC_INLINE vf vf_recip(vf a)
{
#if defined(__AVX512F__)
  const vf y = (vf)_mm512_rcp14_ps((__m512)a);
  return vf_fma(y, vf_fma(-a, y, vf_set(1.0)), y);
#else
  return 1.0f / a;
#endif
}

VEC_INLINE vf vf_rsqrt(vf a)
{
#if defined(__AVX512F__)
  const vf y = (vf)_mm512_rsqrt14_ps((__m512)a), e = vf_fma(-a, y * y, vf_set(1.0));
  return vf_fma(vf_set(0.5), y * e, y);
#else
  return 1.0f / vf_sqrt(a);
#endif
}

/* The nearest integers. */
VEC_INLINE vif vif_round(vf a)
{
#if defined(__SSE2__)
  return (vif)VEC_X86(cvtps_epi32)(a);
#elif defined(__aarch64__)
  return (vif)vcvtnq_s32_f32((float32x4_t)a);
#else
  return (vif){(int32_t)lrintf(a[0]), (int32_t)lrintf(a[1]), (int32_t)lrintf(a[2]), (int32_t)lrintf(a[3])};
#endif
}

VEC_INLINE vif vif_and3(vif a, vif b, vif c)
{
#if defined(__AVX512F__)
  return (vif)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0x80);
#else
  return a & b & c;
#endif
}

/* The index of each lane: 0, 1, 2 ... */
VEC_INLINE vif vif_lanes(void)
{
  static const int32_t number[2 * LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  vif lanes;
  memcpy(&lanes, number, sizeof lanes);
  return lanes;
}

/* --- masks of lanes: a mask register where the machine has them ----------------------------------------- */

#if defined(__AVX512F__)
typedef __mmask16 vfm;

VEC_INLINE vfm vfm_below(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
VEC_INLINE vfm vfm_clear(vif a, int32_t bit)
{
  return _mm512_testn_epi32_mask((__m512i)a, _mm512_set1_epi32(bit));
}
VEC_INLINE vfm vfm_equal(vif a, int32_t b)
{
  return _mm512_cmpeq_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}
VEC_INLINE vfm vfm_first(int n) { return (vfm)(n < FLOATS ? (1u << n) - 1u : 0xffffu); }
VEC_INLINE vif vif_round_where(vfm m, vf a) { return (vif)_mm512_maskz_cvtps_epi32(m, (__m512)a); }
VEC_INLINE unsigned vfm_bits(vfm m) { return m; }
VEC_INLINE vf vf_where(vfm m, vf a) { return (vf)_mm512_maskz_mov_ps(m, (__m512)a); }
#else
typedef vif vfm;

VEC_INLINE vfm vfm_below(vf a, vf b) { return a < b; }
/* Lanes in which this bit of a is 0. */
VEC_INLINE vfm vfm_clear(vif a, int32_t bit) { return (a & bit) == 0; }
VEC_INLINE vfm vfm_equal(vif a, int32_t b) { return a == b; }
/* Lanes 0..n-1. */
VEC_INLINE vfm vfm_first(int n) { return vif_lanes() < n; }
/* a rounded; 0 in the other lanes. */
VEC_INLINE vif vif_round_where(vfm m, vf a) { return m & vif_round(a); }
/* a; 0 in the other lanes. */
VEC_INLINE vf vf_where(vfm m, vf a) { return (vf)(m & (vif)a); }
/* Bit l is set where lane l of the mask is -1. */
VEC_INLINE unsigned vfm_bits(vfm m)
{
#if defined(__SSE2__)
  return (unsigned)VEC_X86(movemask_ps)((vf)m);
#elif defined(__aarch64__)
  return vaddvq_u32(vandq_u32((uint32x4_t)m, (uint32x4_t){1, 2, 4, 8}));
#else
  return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}
#endif

/* Writes the selected lanes side by side to out, which has room for all; returns their number. */
VEC_INLINE int vif_compress(int32_t *out, vif a, unsigned bits)
{
#if defined(__AVX512F__)
  const vif first = (vif)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)a);
  memcpy(out, &first, sizeof first);
  return __builtin_popcount(bits);
#elif defined(__AVX2__)
  const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101u) * 0xffu;
  const uint64_t from = _pext_u64(0x0706050403020100u, bytes);
  const __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)from));
  _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32((__m256i)a, index));
  return __builtin_popcount(bits);
#else
  /* Two bits for each place: the selected lanes, the lowest first. */
  static const uint8_t from[16] = {0x00, 0x00, 0x01, 0x04, 0x02, 0x08, 0x09, 0x24,
                                   0x03, 0x0c, 0x0d, 0x34, 0x0e, 0x38, 0x39, 0xe4};
  int32_t lane[FLOATS];
  memcpy(lane, &a, sizeof lane);
  for (int k = 0; k < FLOATS; k++)
    out[k] = lane[from[bits] >> 2 * k & 3];
  return (int)(0x4332322132212110u >> 4 * bits & 7); /* number of bits set */
#endif
}

/* As for doubles (vec.h). */
#if defined(__AVX512F__)
VEC_INLINE vf vf_rsqrt_estimate(vf a) { return (vf)_mm512_rsqrt14_ps((__m512)a); }
#elif defined(__AVX2__)
VEC_INLINE vf vf_rsqrt_estimate(vf a) { return (vf)_mm256_rsqrt_ps((__m256)a); }
#endif

VEC_INLINE vf vf_sum_each(vf v[FLOATS])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  UNROLL
  for (int i = 0; i < 8; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 8], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
        __builtin_shufflevector(v[i], v[i + 8], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  UNROLL
  for (int i = 0; i < 4; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
        __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  UNROLL
  for (int i = 0; i < 2; i++)
    v[i] =
        __builtin_shufflevector(v[i], v[i + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
        __builtin_shufflevector(v[i], v[i + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  return __builtin_shufflevector(v[0], v[1], 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
         __builtin_shufflevector(v[0], v[1], 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
#elif defined(__AVX2__)
  UNROLL
  for (int i = 0; i < 4; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  UNROLL
  for (int i = 0; i < 2; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 2], 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(v[i], v[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14) +
         __builtin_shufflevector(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
#else
  UNROLL
  for (int i = 0; i < 2; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 2], 0, 1, 4, 5) +
           __builtin_shufflevector(v[i], v[i + 2], 2, 3, 6, 7);
  return __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6) + __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
#endif
}

/* --- transposing, by blocks of 16 bytes (vec.h) ----------------------------------------------------------
 */

typedef float vf_block __attribute__((vector_size(16), aligned(4), may_alias));

/* A shuffle within each block of n floats: 0 to 3 select from a, 4 to 7 from b. */
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

#if defined(__AVX2__)
typedef float vf_eight __attribute__((vector_size(32)));

/* Rotates eight floats up by 0 to 8 lanes. */
VEC_INLINE vf_eight vf_turned_up(vf_eight a, int by)
{
  static const int32_t from[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  return (vf_eight)_mm256_permutevar8x32_ps((__m256)a, _mm256_loadu_si256((const __m256i *)(from + 8 - by)));
}
#endif

/* Four floats, twice. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
VEC_INLINE vh vh_twice(const float *half) { return (vh)_mm256_broadcast_f32x4(_mm_loadu_ps(half)); }
#elif defined(__AVX2__)
VEC_INLINE vf vf_twice(const float *half) { return (vf)_mm256_broadcast_ps((const __m128 *)half); }
#endif

/* Transposes four columns of WIDTH floats to rows of four, and such rows to three columns. */
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

/* Transposes the four words of each 16 bytes of v[4] into out[0..2]; the fourth word is dropped. */
VEC_INLINE void vif_transpose(const vif v[4], vif out[3])
{
  const vi a = (vi)VF_SHUFFLE(v[0], v[1], 0, 4, 1, 5), b = (vi)VF_SHUFFLE(v[2], v[3], 0, 4, 1, 5);
  const vi c = (vi)VF_SHUFFLE(v[0], v[1], 2, 6, 3, 7), d = (vi)VF_SHUFFLE(v[2], v[3], 2, 6, 3, 7);
  out[0] = (vif)VEC_PAIRS(a, b, 0, 2);
  out[1] = (vif)VEC_PAIRS(a, b, 1, 3);
  out[2] = (vif)VEC_PAIRS(c, d, 0, 2);
}

/* The inverse; the fourth words are undefined. */
VEC_INLINE void vif_transpose_back(const vif g[3], vif out[4])
{
  const vi a = (vi)VF_SHUFFLE(g[0], g[1], 0, 4, 1, 5), b = (vi)VF_SHUFFLE(g[0], g[1], 2, 6, 3, 7);
  const vi z = (vi)g[2], odd = (vi)((vu)z >> 32);
  out[0] = (vif)VEC_PAIRS(a, z, 0, 2);
  out[1] = (vif)VEC_PAIRS(a, odd, 1, 2);
  out[2] = (vif)VEC_PAIRS(b, z, 0, 3);
  out[3] = (vif)VEC_PAIRS(b, odd, 1, 3);
}

#if defined(__AVX2__)
/* For each lane, the number of one register, or of two, that the last bits of `which` select. */
VEC_INLINE vf vf_pick(vf from, vif which)
{
#if defined(__AVX512F__)
  return (vf)_mm512_permutexvar_ps((__m512i)which, (__m512)from);
#else
  return (vf)_mm256_permutevar8x32_ps((__m256)from, (__m256i)which);
#endif
}

VEC_INLINE vf vf_choose(vf low, vf high, vif which)
{
#if defined(__AVX512F__)
  return (vf)_mm512_permutex2var_ps((__m512)low, (__m512i)which, (__m512)high);
#else
  return (vf)_mm256_blendv_ps((__m256)vf_pick(low, which), (__m256)vf_pick(high, which),
                              (__m256)(which << 28));
#endif
}
#endif

/* The 16 bytes at base + at[0], base + at[4], ... side by side; all must be aligned. */
VEC_INLINE vif vif_load_quads(const void *base, const uint32_t *at)
{
#define AT(k) _mm_load_si128((const __m128i *)((const char *)base + at[4 * (k)]))
#if defined(__AVX512F__)
  __m512i four = _mm512_castsi128_si512(AT(0));
  four = _mm512_inserti32x4(four, AT(1), 1);
  four = _mm512_inserti32x4(four, AT(2), 2);
  return (vif)_mm512_inserti32x4(four, AT(3), 3);
#elif defined(__AVX2__)
  return (vif)_mm256_inserti128_si256(_mm256_castsi128_si256(AT(0)), AT(1), 1);
#else
  vif v;
  memcpy(&v, (const char *)base + at[0], sizeof v);
  return v;
#endif
#undef AT
}

#endif
