/* Private to the pair kernels: their register type, floats in a file that defines PAIR_FLOATS, else doubles.
 * An element of a kernel's pack is 8 doubles or 16 floats: REGISTERS registers. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_REAL_H
#define HOLONOM_FORCEFIELDS_PAIR_REAL_H

#include "engine/vecf.h"

#if defined(PAIR_FLOATS)
typedef vf Real;
typedef vif RealMask; /* 0 or -1 */
typedef float Scalar;
enum { REALS = FLOATS, REAL_PACKS = 2 /* packs of the state in one pack of the kernel */ };
#define REAL_VERB(verb)   vf_##verb
#define REAL_LANES        vif_lanes
#define REAL_TERMS_AVX2   3
#define REAL_TERMS_AVX512 2
#else
typedef vd Real;
typedef vi RealMask;
typedef double Scalar;
enum { REALS = WIDTH, REAL_PACKS = 1 };
#define REAL_VERB(verb)   vd_##verb
#define REAL_LANES        vi_lanes
#define REAL_TERMS_AVX2   5
#define REAL_TERMS_AVX512 4
#endif
enum { REAL_PACK = REGISTERS * REALS };

VEC_INLINE Real real_set(double x) { return REAL_VERB(set)(x); }

/* Unaligned loads and stores. */
VEC_INLINE Real real_load(const Scalar *x)
{
  Real a;
  memcpy(&a, x, sizeof a);
  return a;
}

VEC_INLINE void real_store(Scalar *x, Real a) { memcpy(x, &a, sizeof a); }

/* Joins registers of doubles to one of the kernel, and splits it. */
VEC_INLINE Real real_join(const vd part[REAL_PACKS])
{
#if defined(PAIR_FLOATS)
  return vf_join(part[0], part[1]);
#else
  return part[0];
#endif
}

VEC_INLINE void real_split(Real a, vd part[REAL_PACKS])
{
#if defined(PAIR_FLOATS)
  part[0] = vf_low(a);
  part[1] = vf_high(a);
#else
  part[0] = a;
#endif
}

/* The pack and part of the state that register h of part r of pack p of the kernel comes from. */
VEC_INLINE int pair_pack(int p, int r, int h) { return REAL_PACKS * p + (REAL_PACKS * r + h) / REGISTERS; }
VEC_INLINE int pair_part(int r, int h) { return (REAL_PACKS * r + h) % REGISTERS; }

/* 0 where the mask is 0. */
VEC_INLINE Real real_masked(RealMask mask, Real a) { return (Real)((RealMask)a & mask); }

/* The mask of the first n lanes. */
VEC_INLINE RealMask real_first(int n) { return REAL_LANES() < n; }

/* The mask of the lanes whose bits are set. */
VEC_INLINE RealMask real_lanes_of(unsigned bits)
{
#if !defined(PAIR_FLOATS)
  return vi_mask(bits);
#elif defined(__AVX512F__)
  return (vif)vf_where((vfm)bits, (vf) ~(vif){0});
#else
  return (((vif){0} + (int32_t)bits) & ((vif){0} + 1) << vif_lanes()) != 0;
#endif
}

/* A product that the compiler does not fuse with later operations (vd_rounded). */
VEC_INLINE Real real_rounded(Real product)
{
  VEC_UNFUSED(product);
  return product;
}

/* a^(-3/2) of squared distances: with an estimate y of 1/sqrt(a) and e = 1 - a y^2 it is y^3 (1 - e)^(-3/2),
 * a series that converges at once. With |e| below twice VEC_ESTIMATE_ERROR, the remainder after REAL_TERMS
 * terms is below rounding. Machines without an estimate use one term, by root and division. */
static const double real_series[] = {1.0, 1.5, 1.875, 2.1875, 2.4609375};
#if !defined(VEC_ESTIMATE_ERROR)
enum { REAL_TERMS = 1 };
#elif defined(__AVX512F__)
enum { REAL_TERMS = REAL_TERMS_AVX512 };
#else
enum { REAL_TERMS = REAL_TERMS_AVX2 };
#endif

/* Replaces s[i] by series[i][0] s[i]^(-3/2), where series[i] is real_series times a factor: n in lock step,
 * since each is one long chain of dependent operations. */
enum { REAL_LOCK = 3 };

VEC_INLINE void real_inverse_cubes(const int n, const Real *const series[REAL_LOCK], Real *s)
{
#if defined(VEC_ESTIMATE_ERROR)
  Real y[REAL_LOCK], u[REAL_LOCK], e[REAL_LOCK], p[REAL_LOCK];
  UNROLL
  for (int i = 0; i < n; i++)
    y[i] = REAL_VERB(rsqrt_estimate)(s[i]);
  UNROLL
  for (int i = 0; i < n; i++) {
    u[i] = y[i] * y[i];
    e[i] = (Scalar)1.0 - s[i] * u[i];
    p[i] = series[i][REAL_TERMS - 1];
  }
  UNROLL
  for (int t = REAL_TERMS - 2; t >= 0; t--)
    UNROLL
  for (int i = 0; i < n; i++)
    p[i] = series[i][t] + e[i] * p[i];
  UNROLL
  for (int i = 0; i < n; i++)
    s[i] = (u[i] * y[i]) * p[i];
#else
  UNROLL
  for (int i = 0; i < n; i++)
    s[i] = series[i][0] / (s[i] * REAL_VERB(sqrt)(s[i]));
#endif
}

#endif
