/* Registers of doubles, as wide as the machine's, and the operations of hot code on them. Only this header
 * and vecf.h (floats) contain intrinsics.
 *
 * A pack has 8 lanes in memory on every machine (vec8.h), so layout, checkpoints and tests do not depend on
 * the width. Hot code works on one register of a pack at a time: a pack is REGISTERS registers, part p of
 * element k is ((const vd *)q)[k * REGISTERS + p], with lanes p * WIDTH onwards. A kernel is an inlined
 * function of one part; the function in the table of kernels calls it for each part. (Compilers can split
 * wider vectors, but do so through memory, and compare, divide and take roots lane by lane.)
 *
 * Vector types cross files by pointer only: their size and their calling convention by value differ between
 * instruction sets. No struct that other files use contains one. */
#ifndef HOLONOM_ENGINE_VEC_H
#define HOLONOM_ENGINE_VEC_H

#include <stddef.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "engine/vec8.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
enum { WIDTH = 8 };
#elif defined(__AVX2__)
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
enum { REGISTERS = LANES / WIDTH };

typedef double vd __attribute__((vector_size(8 * WIDTH)));
typedef int64_t vi __attribute__((vector_size(8 * WIDTH))); /* masks: 0 or -1 */
typedef uint64_t vu __attribute__((vector_size(8 * WIDTH)));

/* The x86 intrinsic of this width, as in VEC_X86(max_pd). */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define VEC_X86(verb) _mm512_##verb
#elif defined(__AVX2__)
#define VEC_X86(verb) _mm256_##verb
#else
#define VEC_X86(verb) _mm_##verb
#endif

/* Unrolls a loop of a constant number of turns below 17, whose arrays then stay in registers. */
#if !defined(__OPTIMIZE__)
#define UNROLL /* gcc warns about loops that it does not unroll */
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)") /* else by two, if constant after inlining */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Between two phases of a kernel: stores an array on the stack, where not all values fit the registers.
 * Without it gcc mixes the phases and spills more. With 32 registers it is not needed. */
#if defined(__AVX512F__) || defined(__aarch64__)
#define VEC_PHASE(array) ((void)0)
#else
#define VEC_PHASE(array) __asm__ volatile("" : "+m"(array))
#endif

VEC_INLINE vd vd_set(double x) { return x - (vd){0.0}; } /* x + 0 is not x for -0 */

VEC_INLINE vu vu_set(uint64_t x) { return (vu){0} + x; }

/* The first WIDTH of an array of 32-bit numbers. */
VEC_INLINE vu vu_widen(const uint32_t *from)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (vu)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)from));
#elif defined(__AVX2__)
  return (vu)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)from));
#else
  return (vu){from[0], from[1]};
#endif
}

/* The 64-bit products of the low halves of the lanes; the high halves are ignored. */
VEC_INLINE vu vu_multiply_low(vu a, vu b)
{
#if defined(__SSE2__)
  typedef long long Ints __attribute__((vector_size(8 * WIDTH)));
  return (vu)VEC_X86(mul_epu32)((Ints)a, (Ints)b);
#elif defined(__aarch64__)
  return (vu)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
#else
  return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
#endif
}

/* An element of a pack as its registers, and a loop over them. In a kernel that is a long chain of dependent
 * operations, the parts advance together and hide each other's latency. */
typedef vd Registers[REGISTERS];
/* NOLINTNEXTLINE(bugprone-macro-parentheses): p is the name of a variable */
#define EACH_REGISTER(p) UNROLL for (int p = 0; p < REGISTERS; p++)

/* Part `part` of an element of a pack. */
VEC_INLINE vd vd_load(const Vec8 *element, int part) { return ((const vd *)element)[part]; }
VEC_INLINE vi vi_load(const Vec8Mask *element, int part) { return ((const vi *)element)[part]; }
VEC_INLINE void vd_store(Vec8 *element, int part, vd a) { ((vd *)element)[part] = a; }

VEC_INLINE void vd_add(Vec8 *element, int part, vd a) { ((vd *)element)[part] += a; }

/* a where the mask is -1, b where it is 0. */
VEC_INLINE vd vd_select(vi mask, vd a, vd b)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
  return (vd)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
  return (vd)((mask & (vi)a) | (~mask & (vi)b));
#endif
}

VEC_INLINE vd vd_abs(vd a) { return (vd)((vi)a & INT64_MAX); }

/* The result is b where either is NaN. */
VEC_INLINE vd vd_max(vd a, vd b)
{
#if defined(__SSE2__)
  return VEC_X86(max_pd)(a, b);
#else
  return vd_select(a > b, a, b);
#endif
}

VEC_INLINE vd vd_min(vd a, vd b)
{
#if defined(__SSE2__)
  return VEC_X86(min_pd)(a, b);
#else
  return vd_select(a < b, a, b);
#endif
}

/* The larger of most and |x|, NaN if either is NaN. Convergence tests with it never depend on the order of a
 * comparison with NaN. */
VEC_INLINE vd vd_largest(vd most, vd x)
{
  const vd size = vd_abs(x);
  return vd_select((size <= most) | (most != most), most, size);
}

VEC_INLINE vd vd_sqrt(vd a)
{
#if defined(__SSE2__)
  return VEC_X86(sqrt_pd)(a);
#elif defined(__aarch64__)
  return (vd)vsqrtq_f64((float64x2_t)a);
#else
  return (vd){sqrt(a[0]), sqrt(a[1])};
#endif
}

/* 1/sqrt(a) to a few units in the last place: an estimate and two Newton steps where the machine has one,
 * else the division. Measured: two steps are as fast as one of third order, with 1e-15 instead of 1e-12. */
VEC_INLINE vd vd_rsqrt(vd a)
{
#if defined(__AVX512F__)
  vd y = (vd)_mm512_rsqrt14_pd((__m512d)a);
  const vd half = 0.5 * a;
  y = y * (1.5 - half * y * y);
  y = y * (1.5 - half * y * y);
  return y;
#else
  return 1.0 / vd_sqrt(a);
#endif
}

/* The root of a normal positive number to a few units in the last place, without the divider where the
 * machine has an estimate. The result for 0 or less may be NaN. */
VEC_INLINE vd vd_root(vd a)
{
#if defined(__AVX512F__)
  return a * vd_rsqrt(a);
#else
  return vd_sqrt(a);
#endif
}

/* A first value of 1/sqrt(a), with a relative error of at most VEC_ESTIMATE_ERROR; on AVX2 by floats, whose
 * range squared distances do not leave. Other machines have no estimate: root and division are as fast, and
 * their bits are the same on all processors. */
#if defined(__AVX512F__)
#define VEC_ESTIMATE_ERROR 6.2e-5
VEC_INLINE vd vd_rsqrt_estimate(vd a) { return (vd)_mm512_rsqrt14_pd((__m512d)a); }
#elif defined(__AVX2__)
#define VEC_ESTIMATE_ERROR 3.7e-4
VEC_INLINE vd vd_rsqrt_estimate(vd a)
{
  return (vd)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)a)));
}
#endif

/* 1/a to a unit or two in the last place. */
VEC_INLINE vd vd_recip(vd a)
{
#if defined(__AVX512F__)
  vd y = (vd)_mm512_rcp14_pd((__m512d)a);
  y += y * (1.0 - a * y);
  y += y * (1.0 - a * y);
  return y;
#else
  return 1.0 / a;
#endif
}

/* The lanes truncated to integers, which must fit 32 bits. */
VEC_INLINE void vd_truncate(vd a, int32_t *to)
{
  typedef int32_t Narrow __attribute__((vector_size(4 * WIDTH)));
  const Narrow whole = __builtin_convertvector(a, Narrow);
  memcpy(to, &whole, sizeof whole);
}

/* Lanes in which a is a finite number. */
VEC_INLINE vi vd_finite(vd a) { return vd_abs(a) <= __DBL_MAX__; }

/* a where the mask is -1, 0 where it is 0. */
VEC_INLINE vd vd_where(vi mask, vd a) { return (vd)(mask & (vi)a); }

/* a*b + c, rounded once where the machine can: for results that must not depend on the compiler's choice. */
VEC_INLINE vd vd_fma(vd a, vd b, vd c)
{
#if defined(__FMA__)
  return VEC_X86(fmadd_pd)(a, b, c);
#elif defined(__aarch64__)
  return (vd)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
  return a * b + c;
#endif
}

/* Prevents a product from being fused with a sum. In a sum of two products gcc chooses which one to fuse,
 * differently in different parts of a pack: lanes would then differ by their place. */
#if defined(__FMA__) && !defined(__AVX512F__)
#define VEC_UNFUSED(product) __asm__("" : "+x"(product))
#elif defined(__aarch64__)
#define VEC_UNFUSED(product) __asm__("" : "+w"(product))
#else
#define VEC_UNFUSED(product) (void)(product)
#endif

VEC_INLINE vd vd_rounded(vd product)
{
  VEC_UNFUSED(product);
  return product;
}

/* The nearest whole number, where |a| < 2^51. */
VEC_INLINE vd vd_whole(vd a) { return (a + VEC_WHOLE) - VEC_WHOLE; }

/* The nearest integer. */
VEC_INLINE vi vd_integer(vd a)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (vi)_mm512_cvtpd_epi64((__m512d)a);
#elif defined(__aarch64__)
  return (vi)vcvtnq_s64_f64((float64x2_t)a);
#else
  /* Multiples of 2^32 and the rest, each in the last bits of a number with a fixed exponent. */
  const vd high = a * 0x1p-32 + VEC_WHOLE, low = (a - (high - VEC_WHOLE) * 0x1p32) + VEC_WHOLE;
  const uint64_t bits = 0x4338000000000000u; /* of VEC_WHOLE */
  return (vi)(((vu)high << 32) + ((vu)low - ((bits << 32) + bits)));
#endif
}

/* The sum of the lanes, which wraps. */
VEC_INLINE uint64_t vu_sum(vu a)
{
#if defined(__AVX512F__)
  return (uint64_t)_mm512_reduce_add_epi64((__m512i)a);
#else
  uint64_t sum = a[0] + a[1];
#if defined(__AVX2__)
  sum += a[2] + a[3];
#endif
  return sum;
#endif
}

VEC_INLINE vd vd_dot3(const vd a[3], const vd b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

VEC_INLINE void vd_cross(const vd a[3], const vd b[3], vd out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Bit l is set where lane l of the mask is -1. Shift the bits of part p by p * WIDTH. */
VEC_INLINE unsigned vi_bits(vi mask)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif defined(__SSE2__)
  return (unsigned)VEC_X86(movemask_pd)((vd)mask);
#else
  return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 1) << 1;
#endif
}

/* The inverse of vi_bits. */
VEC_INLINE vi vi_mask(unsigned bits)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (vi)_mm512_movm_epi64((__mmask8)bits);
#elif defined(__AVX2__)
  const vi bit = {1, 2, 4, 8};
  return (((vi){0} + (int64_t)bits) & bit) != 0;
#else
  return (vi){-(int64_t)(bits & 1), -(int64_t)(bits >> 1 & 1)};
#endif
}

/* The nearest doubles. */
VEC_INLINE vd vd_from_integers(vi a)
{
#if defined(__AVX512DQ__)
  return __builtin_convertvector(a, vd);
#else
  /* Each half goes into the last bits of a number with a fixed exponent: 2^52 + low, 2^84 + 2^63 + 2^32 high.
   */
  const vd low = (vd)((a & 0xffffffff) | INT64_C(0x4330000000000000));
  const vd high = (vd)(vi)(((vu)a >> 32) ^ UINT64_C(0x4530000080000000));
  return (high - 0x1.00000801p84) + low;
#endif
}

/* The index of each lane: 0, 1, 2 ... */
VEC_INLINE vi vi_lanes(void)
{
  static const int64_t number[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
  vi lanes;
  memcpy(&lanes, number, sizeof lanes);
  return lanes;
}

/* Lane l of the result is the sum over the lanes of v[l]: each round folds two registers in half and puts the
 * halves side by side. v is overwritten. */
VEC_INLINE vd vd_sum_each(vd v[WIDTH])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
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
#elif defined(__AVX2__)
  UNROLL
  for (int i = 0; i < 2; i++)
    v[i] = __builtin_shufflevector(v[i], v[i + 2], 0, 1, 4, 5) +
           __builtin_shufflevector(v[i], v[i + 2], 2, 3, 6, 7);
  return __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6) + __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
#else
  return __builtin_shufflevector(v[0], v[1], 0, 2) + __builtin_shufflevector(v[0], v[1], 1, 3);
#endif
}

/* --- transposing, by blocks of 16 bytes: shuffles within blocks cost little on every machine --------------
 */

typedef double vd_block __attribute__((vector_size(16), aligned(8), may_alias));

/* A shuffle of 64-bit numbers within each block: 0 and 1 select from a, 2 and 3 from b. */
#define VEC_PAIR(i, j, block)                                                                                \
  ((i) < 2 ? (i) + 2 * (block) : (i)-2 + WIDTH + 2 * (block)),                                               \
      ((j) < 2 ? (j) + 2 * (block) : (j)-2 + WIDTH + 2 * (block))
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define VEC_PAIRS(a, b, i, j)                                                                                \
  __builtin_shufflevector(a, b, VEC_PAIR(i, j, 0), VEC_PAIR(i, j, 1), VEC_PAIR(i, j, 2), VEC_PAIR(i, j, 3))
#elif defined(__AVX2__)
#define VEC_PAIRS(a, b, i, j) __builtin_shufflevector(a, b, VEC_PAIR(i, j, 0), VEC_PAIR(i, j, 1))
#else
#define VEC_PAIRS(a, b, i, j) __builtin_shufflevector(a, b, VEC_PAIR(i, j, 0))
#endif

/* In each block, v[0] gets the first doubles of both, v[1] the second. */
VEC_INLINE void vd_turn(vd v[2])
{
  const vd a = v[0], b = v[1];
  v[0] = VEC_PAIRS(a, b, 0, 2);
  v[1] = VEC_PAIRS(a, b, 1, 3);
}

/* Interleaves the doubles of both, a0 b0 a1 b1 ..., and the inverse. */
VEC_INLINE void vd_zip(vd v[2])
{
  const vd a = v[0], b = v[1];
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  v[0] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  v[1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#elif defined(__AVX2__)
  v[0] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  v[1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#else
  v[0] = VEC_PAIRS(a, b, 0, 2);
  v[1] = VEC_PAIRS(a, b, 1, 3);
#endif
}

VEC_INLINE void vd_unzip(vd v[2])
{
  const vd a = v[0], b = v[1];
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  v[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  v[1] = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
  v[0] = __builtin_shufflevector(a, b, 0, 2, 4, 6);
  v[1] = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
  v[0] = VEC_PAIRS(a, b, 0, 2);
  v[1] = VEC_PAIRS(a, b, 1, 3);
#endif
}

/* The same for blocks. */
VEC_INLINE void vd_zip_blocks(vd v[2])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const vd a = v[0], b = v[1];
  v[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 2, 3, 10, 11);
  v[1] = __builtin_shufflevector(a, b, 4, 5, 12, 13, 6, 7, 14, 15);
#elif defined(__AVX2__)
  const vd a = v[0], b = v[1];
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
#else
  (void)v;
#endif
}

VEC_INLINE void vd_unzip_blocks(vd v[2])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const vd a = v[0], b = v[1];
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
  v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
#else
  vd_zip_blocks(v);
#endif
}

/* A block, repeated to fill the register. */
VEC_INLINE vd vd_repeat(const double *block)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return (vd)_mm512_broadcast_f64x2(_mm_loadu_pd(block));
#elif defined(__AVX2__)
  return (vd)_mm256_broadcast_pd((const __m128d *)(const void *)block);
#else
  return *(const vd_block *)block;
#endif
}

#if defined(__AVX512F__) && defined(__AVX512DQ__)
/* Halves and blocks of a register inserted from memory: gcc turns a shuffle of two loads into the same
 * instructions, which use one port only. */
VEC_INLINE vd vd_halves(const double *low, const double *high)
{
  return (vd)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1);
}

VEC_INLINE vd vd_blocks(const double *a, const double *b, const double *c, const double *d)
{
  const __m512d two = _mm512_insertf64x2(_mm512_castpd128_pd512(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
  return (vd)_mm512_insertf64x2(_mm512_insertf64x2(two, _mm_loadu_pd(c), 2), _mm_loadu_pd(d), 3);
}
#endif

/* Loads the blocks at p, p + stride, ..., and stores them. */
VEC_INLINE vd vd_load_blocks(const double *p, ptrdiff_t stride)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  return vd_blocks(p, p + stride, p + 2 * stride, p + 3 * stride);
#elif defined(__AVX2__)
  return __builtin_shufflevector(*(const vd_block *)p, *(const vd_block *)(p + stride), 0, 1, 2, 3);
#else
  (void)stride;
  return *(const vd_block *)p;
#endif
}

VEC_INLINE void vd_store_blocks(vd a, double *p, ptrdiff_t stride)
{
  (void)stride; /* unused with one block */
  *(vd_block *)p = __builtin_shufflevector(a, a, 0, 1);
#if defined(__AVX2__)
  *(vd_block *)(p + stride) = __builtin_shufflevector(a, a, 2, 3);
#endif
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  *(vd_block *)(p + 2 * stride) = __builtin_shufflevector(a, a, 4, 5);
  *(vd_block *)(p + 3 * stride) = __builtin_shufflevector(a, a, 6, 7);
#endif
}

/* Transposes four columns of WIDTH doubles to rows of four, and such rows to three columns. */
VEC_INLINE void vd_rows4(const vd column[4], double *rows)
{
  UNROLL
  for (int g = 0; g < 4; g += 2) {
    vd v[2] = {column[g], column[g + 1]};
    vd_turn(v);
    vd_store_blocks(v[0], rows + g, 8);
    vd_store_blocks(v[1], rows + 4 + g, 8);
  }
}

VEC_INLINE void vd_columns3(const double *rows, vd column[3])
{
  vd xy[2] = {vd_load_blocks(rows, 8), vd_load_blocks(rows + 4, 8)},
     z[2] = {vd_load_blocks(rows + 2, 8), vd_load_blocks(rows + 6, 8)};
  vd_turn(xy);
  vd_turn(z);
  column[0] = xy[0];
  column[1] = xy[1];
  column[2] = z[0];
}

/* The mask of part `part` from the bits of all lanes, and the bits from the masks of all parts. */
VEC_INLINE vi register_mask(unsigned bits, int part) { return vi_mask(bits >> part * WIDTH); }

VEC_INLINE unsigned registers_bits(const vi mask[REGISTERS])
{
  unsigned bits = 0;
  EACH_REGISTER(p) bits |= vi_bits(mask[p]) << p * WIDTH;
  return bits;
}

/* The bits of the lanes in which an element is not 0. */
VEC_INLINE unsigned registers_nonzero(const Vec8 *x)
{
  unsigned bits = 0;
  EACH_REGISTER(p) bits |= vi_bits(vd_load(x, p) != 0.0) << p * WIDTH;
  return bits;
}

/* The two doubles at base + at[l] (bytes) for each lane l: the first doubles in v[0], the second in v[1]. */
VEC_INLINE void vd_gather2(const void *base, const uint64_t at[WIDTH], vd v[2])
{
#define AT(l) ((const double *)((const char *)base + at[l]))
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  v[0] = vd_blocks(AT(0), AT(2), AT(4), AT(6));
  v[1] = vd_blocks(AT(1), AT(3), AT(5), AT(7));
#elif defined(__AVX2__)
  v[0] = __builtin_shufflevector(*(const vd_block *)AT(0), *(const vd_block *)AT(2), 0, 1, 2, 3);
  v[1] = __builtin_shufflevector(*(const vd_block *)AT(1), *(const vd_block *)AT(3), 0, 1, 2, 3);
#else
  v[0] = *(const vd_block *)AT(0);
  v[1] = *(const vd_block *)AT(1);
#endif
  vd_turn(v);
}

/* Likewise four doubles, all of which must be readable. */
VEC_INLINE void vd_gather4(const void *base, const uint64_t at[WIDTH], vd v[4])
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  const vd a = vd_halves(AT(0), AT(2)), b = vd_halves(AT(1), AT(3)), c = vd_halves(AT(4), AT(6)),
           d = vd_halves(AT(5), AT(7));
  const vd even = VEC_PAIRS(a, b, 0, 2), even_high = VEC_PAIRS(c, d, 0, 2);
  const vd odd = VEC_PAIRS(a, b, 1, 3), odd_high = VEC_PAIRS(c, d, 1, 3);
  v[0] = __builtin_shufflevector(even, even_high, 0, 1, 4, 5, 8, 9, 12, 13);
  v[1] = __builtin_shufflevector(odd, odd_high, 0, 1, 4, 5, 8, 9, 12, 13);
  v[2] = __builtin_shufflevector(even, even_high, 2, 3, 6, 7, 10, 11, 14, 15);
  v[3] = __builtin_shufflevector(odd, odd_high, 2, 3, 6, 7, 10, 11, 14, 15);
#else
  vd_gather2(base, at, v);
  vd_gather2((const double *)base + 2, at, v + 2);
#endif
#undef AT
}

#endif
