#include <math.h>
#include <string.h>

#include "engine/octet.h"
#include "forcefields/pme_kernels.h"

typedef double vd2 __attribute__((vector_size(128)));

/* Rows of 4 and 8 reals come in pieces that the machine has registers for: longer vectors go
 * through memory. */
#define ROW(name, type, bytes)                                                                               \
  typedef type name __attribute__((vector_size(bytes), aligned(sizeof(type)), may_alias))
#if defined(__AVX512F__)
ROW(row4d, double, 32);
ROW(row8d, double, 64);
ROW(row4f, float, 16);
ROW(row8f, float, 32);
#elif defined(__AVX__)
ROW(row4d, double, 32);
ROW(row8d, double, 32);
ROW(row4f, float, 16);
ROW(row8f, float, 32);
#else
ROW(row4d, double, 16);
ROW(row8d, double, 16);
ROW(row4f, float, 16);
ROW(row8f, float, 16);
#endif

/* Two rows in one register, where it is that long: gathering needs each row of the mesh twice. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
typedef float pair8f __attribute__((vector_size(64), may_alias));
typedef float pair4f __attribute__((vector_size(32), may_alias));
typedef double pair4d __attribute__((vector_size(64), may_alias));

VEC_INLINE pair8f pair_of8_float(const float *low, const float *high)
{
  return (pair8f)_mm512_mask_broadcastss_ps(_mm512_set1_ps(*low), 0xff00, _mm_load_ss(high));
}
VEC_INLINE pair8f pair_twice8_float(const float *row)
{
  return (pair8f)_mm512_broadcast_f32x8(_mm256_loadu_ps(row));
}
VEC_INLINE row8f pair_low8_float(pair8f x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7); }
VEC_INLINE row8f pair_high8_float(pair8f x)
{
  return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
}

VEC_INLINE pair4f pair_of4_float(const float *low, const float *high)
{
  return (pair4f)_mm256_mask_broadcastss_ps(_mm256_set1_ps(*low), 0xf0, _mm_load_ss(high));
}
VEC_INLINE pair4f pair_twice4_float(const float *row)
{
  return (pair4f)_mm256_broadcast_f32x4(_mm_loadu_ps(row));
}
VEC_INLINE row4f pair_low4_float(pair4f x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
VEC_INLINE row4f pair_high4_float(pair4f x) { return __builtin_shufflevector(x, x, 4, 5, 6, 7); }

VEC_INLINE pair4d pair_of4_double(const double *low, const double *high)
{
  return (pair4d)_mm512_mask_broadcastsd_pd(_mm512_set1_pd(*low), 0xf0, _mm_load_sd(high));
}
VEC_INLINE pair4d pair_twice4_double(const double *row)
{
  return (pair4d)_mm512_broadcast_f64x4(_mm256_loadu_pd(row));
}
VEC_INLINE row4d pair_low4_double(pair4d x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
VEC_INLINE row4d pair_high4_double(pair4d x) { return __builtin_shufflevector(x, x, 4, 5, 6, 7); }
#endif

#define S       double
#define V       Octet
#define D       Octet
#define LANES_V 8
#define R4      row4d
#define R8      row8d
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define PAIR4 pair4d
#endif
#define NAME(name) name##_double
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#include "forcefields/pme_template.h"
#undef S
#undef V
#undef D
#undef LANES_V
#undef R4
#undef R8
#undef NAME
#undef LOW
#undef HIGH
#undef EVEN
#undef ODD
#undef PAIR4

#define S       float
#define V       OctetFloats
#define D       vd2
#define LANES_V 16
#define R4      row4f
#define R8      row8f
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define PAIR4 pair4f
#define PAIR8 pair8f
#endif
#define NAME(name) name##_float
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b)  __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#include "forcefields/pme_template.h"

const PmeKernelSet ISA_SYMBOL(pme_kernels_table) = {
    {stage_double, sort_double, spread_double, add_double, gather_double, fold_double, repeat_double,
     multiply_double, measure_double},
    {stage_float, sort_float, spread_float, add_float, gather_float, fold_float, repeat_float, multiply_float,
     measure_float}};
