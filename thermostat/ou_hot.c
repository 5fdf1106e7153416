/* The noise of the O letter: Philox4x32-10 on the counters of 8 molecules at a time, in 64-bit lanes, and
 * Box-Muller on its words with a logarithm and a sine and cosine of our own.
 *
 * Everything is written once over the vectors of vec.h. Only the product of two 32-bit halves is an
 * intrinsic, because no compiler finds it in plain vector code. Chunks of one molecule share step,
 * molecule and key, so the first rounds are partly the same for all: inlining them together lets the
 * compiler see it, and it overlaps their chains of dependent products. */
#include <string.h>

#include "thermostat/ou.h"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Philox4x32 as in Salmon et al., SC11 (2011), section 3.3. */
enum { ROUNDS = 10, WATER_CHUNKS = 3 };
static const uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
static const uint64_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
static const uint64_t low_half = 0xFFFFFFFF;

VEC_INLINE OctetWord vu_set(uint64_t x) { return (OctetWord){x, x, x, x, x, x, x, x}; }

/* The 64-bit products of the low halves of the lanes; the high halves may hold anything. */
VEC_INLINE OctetWord multiply_low(OctetWord a, OctetWord b)
{
#if defined(__AVX512F__)
  return (OctetWord)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  __m256i x[2], y[2];
  memcpy(x, &a, sizeof a);
  memcpy(y, &b, sizeof b);
  for (int i = 0; i < 2; i++)
    x[i] = _mm256_mul_epu32(x[i], y[i]);
  memcpy(&a, x, sizeof a);
  return a;
#elif defined(__SSE2__)
  __m128i x[4], y[4];
  memcpy(x, &a, sizeof a);
  memcpy(y, &b, sizeof b);
  for (int i = 0; i < 4; i++)
    x[i] = _mm_mul_epu32(x[i], y[i]);
  memcpy(&a, x, sizeof a);
  return a;
#else
  return (a & low_half) * (b & low_half);
#endif
}

/* The four words of nchunk chunks from `first` on, in the low halves; the high halves hold rubbish. */
VEC_INLINE void philox(const NoiseAddress *at, OctetWord molecule, uint32_t first, int nchunk,
                       OctetWord word[][4])
{
  const uint64_t step = (uint64_t)at->step;
  OctetWord key0 = at->key[0], key1 = at->key[1];
  for (int j = 0; j < nchunk; j++) {
    word[j][0] = vu_set(step & low_half);
    word[j][1] = vu_set(step >> 32);
    word[j][2] = molecule;
    word[j][3] = vu_set((uint64_t)at->letter << 16 | (first + (uint32_t)j));
  }
#pragma GCC unroll 10
  for (int round = 0; round < ROUNDS; round++) {
#pragma GCC unroll 4
    for (int j = 0; j < nchunk; j++) {
      OctetWord *w = word[j];
      const OctetWord product0 = multiply_low(w[0], vu_set(multiplier0));
      const OctetWord product1 = multiply_low(w[2], vu_set(multiplier1));
      w[0] = (product1 >> 32) ^ w[1] ^ key0;
      w[1] = product1;
      w[2] = (product0 >> 32) ^ w[3] ^ key1;
      w[3] = product0;
    }
    key0 += weyl0;
    key1 += weyl1;
  }
}

/* The low half of each lane as a double, less `offset`: put under the exponent of 2^52, where one unit
 * is the last bit, and subtracted. */
VEC_INLINE Octet to_double(OctetWord word, uint64_t mask, double offset)
{
  return (Octet)((word & mask) | 0x4330000000000000) - (0x1p52 + offset);
}

/* -2 ln(x 2^-32) for x = word + 1/2. With x 2^-32 = 2^e m, m in [sqrt(1/2), sqrt(2)), and
 * s = (m - 1)/(m + 1), ln m = 2 atanh s is s times a polynomial in s^2 (minimax, relative error 2e-16),
 * and e = 0 near x 2^-32 = 1, so the relative error stays small where the logarithm goes to zero. */
VEC_INLINE Octet minus_two_log(OctetWord word)
{
  const OctetMask bits = (OctetMask)to_double(word, low_half, -0.5);
  /* Exponent and fraction counted from sqrt(1/2) 2^(32 - 64): then both are positive. */
  const OctetMask from = bits - (0x3FE6A09E667F3BCD - ((int64_t)(64 - 32) << 52));
  const Octet e = to_double((OctetWord)from >> 52, low_half, 64.0);
  const Octet m = (Octet)((from & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD);
  const Octet s = (m - 1.0) / (m + 1.0), z = s * s;
  Octet p = z * -0.33678809192611253 - 0.3624356528993039;
  p = z * p - 0.4444687899650487;
  p = z * p - 0.5714283189341289;
  p = z * p - 0.8000000012449366;
  p = z * p - 1.3333333333310333;
  p = z * p - 4.000000000000001;
  return s * p + e * -1.3862943611198906;
}

/* Cosine and sine of 2 pi (word + 1/2) 2^-32, up to the sign of the half turn that the top bit says: with
 * a = pi (low 31 bits + 1/2) 2^-31 - pi/2 in (-pi/2, pi/2) they are -sin a and cos a (minimax, absolute
 * errors 1e-16 and 4e-18). */
VEC_INLINE void half_turn(OctetWord word, Octet *cosine, Octet *sine)
{
  const double unit = 0x1p-31 * 3.141592653589793;
  const Octet a = to_double(word, 0x7FFFFFFF, 0x1p30) * unit + 0.5 * unit, z = a * a;
  Octet p = z * 7.357691922666536e-13 - 1.6046623469180067e-10;
  p = z * p + 2.505182476885475e-08;
  p = z * p - 2.7557315531362196e-06;
  p = z * p + 0.00019841269813983796;
  p = z * p - 0.008333333333226396;
  p = z * p + 0.16666666666664787;
  p = z * p - 0.999999999999999;
  *cosine = a * p;
  p = z * 4.609007379109759e-14 - 1.146290489983553e-11;
  p = z * p + 2.087656196014587e-09;
  p = z * p - 2.7557316393535663e-07;
  p = z * p + 2.4801587277443956e-05;
  p = z * p - 0.0013888888888773173;
  p = z * p + 0.04166666666666389;
  p = z * p - 0.4999999999999997;
  *sine = z * p + 1.0;
}

/* The square root of a normal positive number to a few units in the last place. Where the processor has a
 * fast reciprocal root the divider, busy with the logarithms, is left alone: a fifth of the whole time. */
VEC_INLINE Octet root(Octet x)
{
#if defined(__AVX512F__)
  return x * octet_rsqrt(x);
#else
  return octet_sqrt(x);
#endif
}

/* Box and Muller: two normals of two words; `second` NULL if only one is wanted. */
VEC_INLINE void box_muller(const OctetWord word[2], Octet *first, Octet *second)
{
  const OctetWord top = (word[1] << 32) & 0x8000000000000000;
  const Octet r = (Octet)((OctetWord)root(minus_two_log(word[0])) ^ top);
  Octet cosine, sine;
  half_turn(word[1], &cosine, &sine);
  *first = r * cosine;
  if (second != NULL)
    *second = r * sine;
}

/* Normals 0..n-1 of nchunk chunks from `first` on, n <= 4 nchunk. Pairs that nobody wants are not made. */
VEC_INLINE void normals(const NoiseAddress *at, OctetWord molecule, uint32_t first, int nchunk, int n,
                        Octet *out)
{
  OctetWord word[WATER_CHUNKS][4];
  philox(at, molecule, first, nchunk, word);
#pragma GCC unroll 8
  for (int i = 0; i < n; i += 2)
    box_muller(word[i / 4] + i % 4, out + i, i + 1 < n ? out + i + 1 : NULL);
}

VEC_INLINE OctetWord widen(const uint32_t molecule[LANES])
{
  OctetWord wide;
  for (int l = 0; l < LANES; l++)
    wide[l] = molecule[l];
  return wide;
}

/* Three sites in three dimensions, unrolled: 9 of the 10 normals of 5 pairs are used. */
static void step_water(const Ou *ou, const NoiseAddress *at, Pack *pack)
{
  Octet xi[9];
  normals(at, widen(pack->molecule), 0, WATER_CHUNKS, 9, xi);
#pragma GCC unroll 3
  for (int s = 0; s < 3; s++) {
    const Octet noise = ou->noise[s] * *pack->active;
#pragma GCC unroll 3
    for (int d = 0; d < 3; d++)
      pack->p[3 * s + d] = ou->decay[s] * pack->p[3 * s + d] + noise * xi[3 * s + d];
  }
}

static void step(const Ou *ou, const NoiseAddress *at, Pack *pack)
{
  const int dim = ou->dim, n = ou->nsite * dim;
  if (ou->nsite == 3 && dim == 3) {
    step_water(ou, at, pack);
    return;
  }
  const OctetWord molecule = widen(pack->molecule);
  for (int i = 0; i < n; i += 4) {
    const int count = n - i < 4 ? n - i : 4;
    Octet xi[4];
    normals(at, molecule, (uint32_t)i / 4, 1, count, xi);
    for (int k = 0; k < count; k++) {
      const int site = (i + k) / dim;
      const Octet noise = ou->noise[site] * *pack->active;
      pack->p[i + k] = ou->decay[site] * pack->p[i + k] + noise * xi[k];
    }
  }
}

static void normals_of_molecules(const NoiseAddress *at, const uint32_t molecule[LANES], int n, Octet *out)
{
  const OctetWord wide = widen(molecule);
  for (int i = 0; i < n; i += 4)
    normals(at, wide, (uint32_t)i / 4, 1, n - i < 4 ? n - i : 4, out + i);
}

static void words(const NoiseAddress *at, const uint32_t molecule[LANES], int nchunk, OctetWord *out)
{
  const OctetWord wide = widen(molecule);
  for (int j = 0; j < nchunk; j++) {
    OctetWord word[1][4];
    philox(at, wide, (uint32_t)j, 1, word);
    for (int i = 0; i < 4; i++)
      out[4 * j + i] = word[0][i] & low_half;
  }
}

#define TEXT_(name) #name
#define TEXT(name)  TEXT_(name)

const OuKernels ISA_SYMBOL(ou_kernels_table);
const OuKernels ISA_SYMBOL(ou_kernels_table) = {
    .isa = TEXT(ISA_NAME),
    .step = step,
    .normals = normals_of_molecules,
    .words = words,
};
