/* The noise of the letter O: Philox4x32-10 on the counters of a register's lanes, in 64-bit lanes, and
 * Box-Muller on its words with a logarithm, a sine and a cosine written for it.
 *
 * Chunks of one molecule share step, molecule and key, so their first rounds are partly equal. Inlining them
 * together lets the compiler use this and overlap their chains of dependent products. For the same reason
 * several pairs of words pass Box-Muller in lock step. */
#include "engine/vec.h"
#include "thermostat/ou.h"

/* Philox4x32 as in Salmon et al., SC11 (2011), section 3.3. */
enum { ROUNDS = 10, WATER_CHUNKS = 3, PAIRS = 5 /* in lock step */ };
static const uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
static const uint64_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
static const uint64_t low_half = 0xFFFFFFFF;

/* The four words of nchunk chunks from `first` on, in the low halves; the high halves are undefined. */
VEC_INLINE void philox(const NoiseAddress *at, int part, vu molecule, uint32_t first, int nchunk, vu *word)
{
  const uint64_t step = (uint64_t)at->step;
  vu key0 = ((const vu *)&at->key[0])[part], key1 = ((const vu *)&at->key[1])[part];
  UNROLL for (int j = 0; j < nchunk; j++)
  {
    word[4 * j] = vu_set(step & low_half);
    word[4 * j + 1] = vu_set(step >> 32);
    word[4 * j + 2] = molecule;
    word[4 * j + 3] = vu_set((uint64_t)at->letter << 16 | (first + (uint32_t)j));
  }
  UNROLL for (int round = 0; round < ROUNDS; round++)
  {
    UNROLL for (int j = 0; j < nchunk; j++)
    {
      vu *w = word + 4 * j;
      const vu product0 = vu_multiply_low(w[0], vu_set(multiplier0));
      const vu product1 = vu_multiply_low(w[2], vu_set(multiplier1));
      w[0] = (product1 >> 32) ^ w[1] ^ key0;
      w[1] = product1;
      w[2] = (product0 >> 32) ^ w[3] ^ key1;
      w[3] = product0;
    }
    key0 += weyl0;
    key1 += weyl1;
  }
}

/* The low half of each lane as a double, minus `offset`: placed under the exponent of 2^52, where one unit is
 * the last bit, and subtracted. */
VEC_INLINE vd to_double(vu word, uint64_t mask, double offset)
{
  return (vd)((word & mask) | 0x4330000000000000) - (0x1p52 + offset);
}

/* p[j] = the polynomial of z[j] with these coefficients, the highest first. */
VEC_INLINE void polynomial(int ncoefficient, const double *coefficient, int n, const vd *z, vd *p)
{
  UNROLL for (int j = 0; j < n; j++) p[j] = z[j] * coefficient[0] + coefficient[1];
  UNROLL for (int k = 2; k < ncoefficient; k++)
  {
    UNROLL for (int j = 0; j < n; j++) p[j] = z[j] * p[j] + coefficient[k];
  }
}

/* -2 ln(x 2^-32) for x = word + 1/2, of every other word. Let x 2^-32 = 2^e m, m in [sqrt(1/2), sqrt(2)), and
 * s = (m - 1)/(m + 1). ln m = 2 atanh s is s times a polynomial in s^2 (minimax, relative error 2e-16). Near
 * x 2^-32 = 1, e = 0, so the relative error stays small where the logarithm goes to zero. */
VEC_INLINE void minus_two_log(int n, const vu *word, vd *out)
{
  static const double coefficient[7] = {-0.33678809192611253, -0.3624356528993039, -0.4444687899650487,
                                        -0.5714283189341289,  -0.8000000012449366, -1.3333333333310333,
                                        -4.000000000000001};
  vd e[PAIRS], s[PAIRS], z[PAIRS];
  UNROLL for (int j = 0; j < n; j++)
  {
    const vi bits = (vi)to_double(word[2 * j], low_half, -0.5);
    /* Exponent and fraction are counted from sqrt(1/2) 2^(32 - 64), which makes both positive. */
    const vi from = bits - (0x3FE6A09E667F3BCD - ((int64_t)(64 - 32) << 52));
    const vd m = (vd)((from & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD);
    e[j] = to_double((vu)from >> 52, low_half, 64.0);
    s[j] = (m - 1.0) / (m + 1.0);
    z[j] = s[j] * s[j];
  }
  polynomial(7, coefficient, n, z, out);
  UNROLL for (int j = 0; j < n; j++) out[j] = s[j] * out[j] + e[j] * -1.3862943611198906;
}

/* Cosine and sine of 2 pi (word + 1/2) 2^-32 of every other word, up to the sign, which the top bit
 * determines. They are -sin a and cos a of a = pi (low 31 bits + 1/2) 2^-31 - pi/2 in (-pi/2, pi/2) (minimax,
 * absolute errors 1e-16 and 4e-18). */
VEC_INLINE void half_turn(int n, const vu *word, vd *cosine, vd *sine)
{
  static const double odd[8] = {7.357691922666536e-13,   -1.6046623469180067e-10, 2.505182476885475e-08,
                                -2.7557315531362196e-06, 0.00019841269813983796,  -0.008333333333226396,
                                0.16666666666664787,     -0.999999999999999};
  static const double even[8] = {4.609007379109759e-14,   -1.146290489983553e-11, 2.087656196014587e-09,
                                 -2.7557316393535663e-07, 2.4801587277443956e-05, -0.0013888888888773173,
                                 0.04166666666666389,     -0.4999999999999997};
  const double unit = 0x1p-31 * 3.141592653589793;
  vd a[PAIRS], z[PAIRS];
  UNROLL for (int j = 0; j < n; j++)
  {
    a[j] = to_double(word[2 * j], 0x7FFFFFFF, 0x1p30) * unit + 0.5 * unit;
    z[j] = a[j] * a[j];
  }
  polynomial(8, odd, n, z, cosine);
  polynomial(8, even, n, z, sine);
  UNROLL for (int j = 0; j < n; j++)
  {
    cosine[j] = a[j] * cosine[j];
    sine[j] = z[j] * sine[j] + 1.0;
  }
}

/* Box and Muller: n normals from n words, one word more if n is odd. */
VEC_INLINE void box_muller(int n, const vu *word, vd *out)
{
  UNROLL for (int first = 0; first < n; first += 2 * PAIRS)
  {
    const int npair = n - first < 2 * PAIRS ? (n - first + 1) / 2 : PAIRS;
    vd r[PAIRS], cosine[PAIRS], sine[PAIRS];
    minus_two_log(npair, word + first, r);
    half_turn(npair, word + first + 1, cosine, sine);
    UNROLL for (int j = 0; j < npair; j++)
    {
      const int at = first + 2 * j;
      const vd root = (vd)((vu)vd_root(r[j]) ^ ((word[at + 1] << 32) & 0x8000000000000000));
      out[at] = root * cosine[j];
      if (at + 1 < n)
        out[at + 1] = root * sine[j];
    }
  }
}

/* Three sites in three dimensions, unrolled: uses 9 of the 10 normals of 5 pairs. */
static void step_water(const Ou *ou, const NoiseAddress *at, Pack *pack)
{
  vu word[REGISTERS][4 * WATER_CHUNKS];
  UNROLL for (int part = 0; part < REGISTERS; part++)
      philox(at, part, vu_widen(pack->number + part * WIDTH), 0, WATER_CHUNKS, word[part]);
  UNROLL for (int part = 0; part < REGISTERS; part++)
  {
    const vd scale = vd_load(pack->noise, part);
    vd xi[9];
    box_muller(9, word[part], xi);
    UNROLL for (int i = 0; i < 9; i++)
    {
      const vd p = vd_load(&pack->p[i], part);
      vd_store(&pack->p[i], part, ou->decay[i / 3] * p + ou->noise[i / 3] * scale * xi[i]);
    }
  }
}

/* The normals of one chunk, in part of a pack. */
VEC_INLINE void normals_of_chunk(const NoiseAddress *at, int part, const uint32_t molecule[LANES],
                                 uint32_t chunk, vd xi[4])
{
  vu word[4];
  philox(at, part, vu_widen(molecule + part * WIDTH), chunk, 1, word);
  box_muller(4, word, xi);
}

static void step(const Ou *ou, const NoiseAddress *at, Pack *pack)
{
  const int dim = ou->dim, n = ou->nsite * dim;
  if (ou->nsite == 3 && dim == 3) {
    step_water(ou, at, pack);
    return;
  }
  for (int part = 0; part < REGISTERS; part++) {
    const vd scale = vd_load(pack->noise, part);
    for (int i = 0; i < n; i += 4) {
      vd xi[4];
      normals_of_chunk(at, part, pack->number, (uint32_t)i / 4, xi);
      for (int k = i; k < i + 4 && k < n; k++) {
        const vd p = vd_load(&pack->p[k], part);
        vd_store(&pack->p[k], part, ou->decay[k / dim] * p + ou->noise[k / dim] * scale * xi[k - i]);
      }
    }
  }
}

static void normals_of_molecules(const NoiseAddress *at, const uint32_t molecule[LANES], int n, Vec8 *out)
{
  for (int part = 0; part < REGISTERS; part++)
    for (int i = 0; i < n; i += 4) {
      vd xi[4];
      normals_of_chunk(at, part, molecule, (uint32_t)i / 4, xi);
      for (int k = i; k < i + 4 && k < n; k++)
        vd_store(&out[k], part, xi[k - i]);
    }
}

const OuKernels ISA_SYMBOL(ou_kernels_table);
const OuKernels ISA_SYMBOL(ou_kernels_table) = {
    .step = step,
    .normals = normals_of_molecules,
};
