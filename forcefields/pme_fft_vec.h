/* The mesh's Fourier transforms over registers. pme_fft_float_hot.c and pme_fft_double_hot.c include this
 * file with PME_SINGLE 1 or 0.
 *
 * Every transform is complex, of as many lines at once as a register has complexes, re and im side by side
 * (Cooley and Tukey's with mixed radices in Stockham's order, without permutation: Van Loan, Computational
 * Frameworks for the Fast Fourier Transform, 1992). Two real lines a, b are one complex line c = a + i b,
 * with transforms
 *
 *   A_k = (C_k + conj C_{n-k})/2,   B_k = (C_k - conj C_{n-k})/(2i),
 *   C_k = A_k + i B_k,   C_{n-k} = conj(A_k - i B_k)
 *
 * A plane is transformed along y first: reals side by side along z are the two lines, and data are
 * contiguous. Then, for each wave number of y, lines along x and z are transformed, multiplied by the
 * influence function, and transformed back. Only lines along z are transposed, once before and once after. */
#include <stdbool.h>
#include <string.h>

#include "engine/vecf.h"
#include "forcefields/pme_private.h"

#if PME_SINGLE
typedef float real;
typedef vf Reg;
enum { REALS = FLOATS };
#define FMA     vf_fma
#define SWAP(x) VF_SHUFFLE(x, x, 1, 0, 3, 2)
#else
typedef double real;
typedef vd Reg;
enum { REALS = WIDTH };
#define FMA     vd_fma
#define SWAP(x) VEC_PAIRS(x, x, 1, 0)
#endif
enum {
  COMPLEXES = REALS / 2,   /* of a register */
  BLOCK = 8 / sizeof(real) /* complexes of 16 bytes */
};
typedef real Loose __attribute__((vector_size(sizeof(Reg)), aligned(sizeof(real)), may_alias));

VEC_INLINE Reg load(const real *p) { return *(const Loose *)p; }
VEC_INLINE void store(real *p, Reg x) { *(Loose *)p = x; }

VEC_INLINE Reg set(real x) { return x - (Reg){0}; }

/* a, b, a, b, ... */
VEC_INLINE Reg alternate(const real *pair)
{
#if PME_SINGLE
  uint64_t bits;
  memcpy(&bits, pair, sizeof bits);
  return (Reg)vu_set(bits);
#else
  return vd_repeat(pair);
#endif
}

/* --- butterflies ---------------------------------------------------------------------------------------- */

/* Multiplies by -i forward, by i back: the sign factor of `turned`. */
VEC_INLINE Reg sign_of(PmeFftWay way)
{
  static const real sign[2][2] = {{1, -1}, {-1, 1}};
  return alternate(sign[way]);
}

VEC_INLINE Reg turned(Reg x, Reg sign) { return sign * SWAP(x); }

VEC_INLINE void butterfly2(Reg *x)
{
  const Reg a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}

VEC_INLINE void butterfly4(Reg *x, Reg sign)
{
  const Reg a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = turned(x[1] - x[3], sign);
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

VEC_INLINE void butterfly8(Reg *x, Reg sign)
{
  const real root = (real)0.70710678118654752440;
  Reg even[4], odd[4];
  UNROLL
  for (int k = 0; k < 4; k++) {
    even[k] = x[k] + x[k + 4];
    odd[k] = x[k] - x[k + 4];
  }
  butterfly4(even, sign);
  const Reg d2 = turned(odd[2], sign), d3 = turned(odd[3], sign);
  const Reg a = odd[0] + d2, b = odd[0] - d2, c = odd[1] + d3, d = odd[1] - d3;
  const Reg e = c + turned(c, sign), f = turned(d, sign) - d;
  x[0] = even[0];
  x[2] = even[1];
  x[4] = even[2];
  x[6] = even[3];
  x[1] = a + root * e;
  x[5] = a - root * e;
  x[3] = b + root * f;
  x[7] = b - root * f;
}

/* cos and sin of 2 pi k/radix. */
static const double roots3[3][2] = {
    {1.0, 0.0}, {-0.5, 0.86602540378443864676}, {-0.5, -0.86602540378443864676}};
static const double roots5[5][2] = {{1.0, 0.0},
                                    {0.30901699437494742410, 0.95105651629515357212},
                                    {-0.80901699437494742410, 0.58778525229247312917},
                                    {-0.80901699437494742410, -0.58778525229247312917},
                                    {0.30901699437494742410, -0.95105651629515357212}};
static const double roots7[7][2] = {{1.0, 0.0},
                                    {0.62348980185873353053, 0.78183148246802980871},
                                    {-0.22252093395631440429, 0.97492791218182360702},
                                    {-0.90096886790241912624, 0.43388373911755812048},
                                    {-0.90096886790241912624, -0.43388373911755812048},
                                    {-0.22252093395631440429, -0.97492791218182360702},
                                    {0.62348980185873353053, -0.78183148246802980871}};

/* Sums of x_j and x_{n-j} multiply the cosines, differences the sines. */
VEC_INLINE void butterfly_odd(const int radix, const double (*root)[2], Reg *x, Reg sign)
{
  const int half = radix / 2;
  Reg even[4], odd[4], out[8];
  out[0] = x[0];
  UNROLL
  for (int j = 1; j <= half; j++) {
    even[j] = x[j] + x[radix - j];
    odd[j] = x[j] - x[radix - j];
    out[0] += even[j];
  }
  UNROLL
  for (int k = 1; k <= half; k++) {
    Reg c = x[0] + (real)root[k][0] * even[1], s = (real)root[k][1] * odd[1];
    UNROLL
    for (int j = 2; j <= half; j++) {
      c += (real)root[j * k % radix][0] * even[j];
      s += (real)root[j * k % radix][1] * odd[j];
    }
    const Reg t = turned(s, sign);
    out[k] = c + t;
    out[radix - k] = c - t;
  }
  UNROLL
  for (int k = 0; k < radix; k++)
    x[k] = out[k];
}

/* Twice an odd radix r, by the prime factor algorithm without twiddles (Good 1958): point j is r j_1 + 2 j_2,
 * and number k is the k_1 of 2 and k_2 of r that it is congruent to. */
VEC_INLINE void butterfly_twice(const int r, const double (*root)[2], Reg *x, Reg sign)
{
  Reg sum[5], gap[5];
  UNROLL
  for (int j = 0; j < r; j++) {
    sum[j] = x[2 * j] + x[(2 * j + r) % (2 * r)];
    gap[j] = x[2 * j] - x[(2 * j + r) % (2 * r)];
  }
  butterfly_odd(r, root, sum, sign);
  butterfly_odd(r, root, gap, sign);
  UNROLL
  for (int k = 0; k < r; k++) {
    x[(r + 1) * k % (2 * r)] = sum[k];
    x[((r + 1) * k + r) % (2 * r)] = gap[k];
  }
}

VEC_INLINE void butterfly(const int radix, Reg *x, Reg sign)
{
  if (radix == 10)
    butterfly_twice(5, roots5, x, sign);
  else if (radix == 6)
    butterfly_twice(3, roots3, x, sign);
  else if (radix == 8)
    butterfly8(x, sign);
  else if (radix == 7)
    butterfly_odd(7, roots7, x, sign);
  else if (radix == 5)
    butterfly_odd(5, roots5, x, sign);
  else if (radix == 4)
    butterfly4(x, sign);
  else if (radix == 3)
    butterfly_odd(3, roots3, x, sign);
  else
    butterfly2(x);
}

VEC_INLINE Reg times(Reg x, const real *twiddle)
{
  return FMA(x, set(twiddle[0]), SWAP(x) * alternate(twiddle + 1));
}

/* --- passes --------------------------------------------------------------------------------------------- */

typedef struct Ends {
  const real *from;
  real *to;
  ptrdiff_t in, out; /* reals between points */
} Ends;

typedef void Pass(const PmeFftPass *p, PmeFftWay way, Ends ends);

/* `apart` reals between the points of a butterfly, `next` between its results. */
VEC_INLINE void pass_one(const int radix, const real *from, ptrdiff_t apart, real *to, ptrdiff_t next,
                         const real *twiddle, Reg sign)
{
  Reg x[10];
  UNROLL
  for (int k = 0; k < radix; k++)
    x[k] = load(from + k * apart);
  butterfly(radix, x, sign);
  UNROLL
  for (int k = 0; k < radix; k++)
    store(to + k * next, twiddle != NULL && k > 0 ? times(x[k], twiddle + 3 * (k - 1)) : x[k]);
}

VEC_INLINE void pass_all(const int radix, const PmeFftPass *p, PmeFftWay way, Ends e)
{
  const Reg sign = sign_of(way);
  const int count = p->count, stride = p->stride;
  const ptrdiff_t apart = (ptrdiff_t)count * stride * e.in, next = stride * e.out, skip = (radix - 1) * next;
  const real *twiddle = p->twiddle[way], *from = e.from;
  real *to = e.to;
  for (int q = 0; q < stride; q++, from += e.in, to += e.out)
    pass_one(radix, from, apart, to, next, NULL, sign);
  for (int i = 1; i < count; i++) {
    to += skip;
    twiddle += 3 * (radix - 1);
    for (int q = 0; q < stride; q++, from += e.in, to += e.out)
      pass_one(radix, from, apart, to, next, twiddle, sign);
  }
}

#define PME_FFT_PASS(radix)                                                                                  \
  static __attribute__((noinline)) void pass##radix(const PmeFftPass *p, PmeFftWay way, Ends ends)           \
  {                                                                                                          \
    pass_all(radix, p, way, ends);                                                                           \
  }
PME_FFT_PASS(2)
PME_FFT_PASS(3)
PME_FFT_PASS(4)
PME_FFT_PASS(5)
PME_FFT_PASS(6)
PME_FFT_PASS(7)
PME_FFT_PASS(8)
PME_FFT_PASS(10)

/* Any other prime, by plain sums. */
static void pass_prime(const PmeFftPass *p, PmeFftWay way, Ends e)
{
  const Reg sign = sign_of(way);
  const real *const root = p->root, *twiddle = p->twiddle[way];
  const int n = p->radix;
  const ptrdiff_t apart = (ptrdiff_t)p->count * p->stride * e.in, next = (ptrdiff_t)p->stride * e.out;
  for (int i = 0; i < p->count; i++, twiddle += 3 * (n - 1), e.to += (n - 1) * next)
    for (int q = 0; q < p->stride; q++, e.from += e.in, e.to += e.out) {
      const Reg first = load(e.from);
      Reg sum = first;
      for (int j = 1; j < n; j++)
        sum += load(e.from + j * apart);
      store(e.to, sum);
      for (int k = 1; k <= n / 2; k++) {
        Reg c = first, s = {0};
        for (int j = 1, jk = k; j <= n / 2; j++, jk = jk + k < n ? jk + k : jk + k - n) {
          const Reg a = load(e.from + j * apart), b = load(e.from + (n - j) * apart);
          c += root[2 * jk] * (a + b);
          s += root[2 * jk + 1] * (a - b);
        }
        const Reg t = turned(s, sign);
        store(e.to + k * next, times(c + t, twiddle + 3 * (k - 1)));
        store(e.to + (n - k) * next, times(c - t, twiddle + 3 * (n - k - 1)));
      }
    }
}

static Pass *pass_of(int radix)
{
  static Pass *const of[11] = {[2] = pass2, [3] = pass3, [4] = pass4, [5] = pass5,
                               [6] = pass6, [7] = pass7, [8] = pass8, [10] = pass10};
  return radix < 11 && of[radix] != NULL ? of[radix] : pass_prime;
}

static void transform_reals(const PmeFftLength *l, PmeFftWay way, const real *from, ptrdiff_t in, real *to,
                            ptrdiff_t out, real *scratch)
{
  real *const array[2] = {scratch, scratch + (ptrdiff_t)l->n * REALS};
  Ends e = {.from = from, .in = in};
  for (int k = 0; k < l->passes; k++) {
    const bool last = k == l->passes - 1;
    e.to = last ? to : array[k % 2];
    e.out = last ? out : REALS;
    pass_of(l->pass[k].radix)(&l->pass[k], way, e);
    e.from = e.to;
    e.in = e.out;
  }
}

static void transform(const PmeFftLength *length, PmeFftWay way, const void *from, ptrdiff_t in, void *to,
                      ptrdiff_t out, void *scratch)
{
  transform_reals(length, way, from, in, to, out, scratch);
}

/* --- planes --------------------------------------------------------------------------------------------- */

/* Evens and odds, as complexes of alternate points, and back. */
VEC_INLINE void zip(Reg v[2])
{
  vd w[2] = {(vd)v[0], (vd)v[1]};
#if PME_SINGLE
  vd_zip(w);
#else
  vd_zip_blocks(w);
#endif
  v[0] = (Reg)w[0];
  v[1] = (Reg)w[1];
}

VEC_INLINE void unzip(Reg v[2])
{
  vd w[2] = {(vd)v[0], (vd)v[1]};
#if PME_SINGLE
  vd_unzip(w);
#else
  vd_unzip_blocks(w);
#endif
  v[0] = (Reg)w[0];
  v[1] = (Reg)w[1];
}

/* Rows of odd length: clears the partner of the last point. */
VEC_INLINE void clear_partner(const PmeFft *f, real *q)
{
  const int nz = f->length[2].n;
  for (int y = 0; nz % 2 != 0 && y < f->length[1].n; y++)
    q[y * f->row + nz] = 0;
}

/* Columns are as wide as a register. The last may extend beyond the end of rows, forward and back: there it
 * writes to the beginning of the next row, which is written later. */
static void plane(const PmeFft *f, void *q, void *buffer)
{
  static const real minus[2] = {1, -1}, half_turn[2] = {(real)0.5, (real)-0.5};
  const Reg conj = alternate(minus), turn = alternate(half_turn);
  const int n = f->length[1].n, columns = (f->length[2].n + REALS - 1) / REALS, size = n * REALS;
  real *const spectrum = buffer, *scratch = spectrum + (ptrdiff_t)columns * size;
  clear_partner(f, q);
  for (int c = 0; c < columns; c++)
    transform_reals(&f->length[1], PME_FFT_FORWARD, (const real *)q + c * REALS, f->row, spectrum + c * size,
                    REALS, scratch);
  for (int k = 0; k <= n / 2; k++) {
    const real *a = spectrum + k * REALS, *b = spectrum + (k == 0 ? 0 : n - k) * REALS;
    real *to = (real *)q + (ptrdiff_t)k * 2 * f->row;
    for (int c = 0; c < columns; c++, a += size, b += size, to += 2 * REALS) {
      const Reg mirror = conj * load(b);
      Reg both[2] = {(real)0.5 * (load(a) + mirror), turn * SWAP(load(a) - mirror)};
      zip(both);
      store(to, both[0]);
      store(to + REALS, both[1]);
    }
  }
}

static void plane_back(const PmeFft *f, void *q, void *buffer)
{
  static const real minus[2] = {1, -1};
  const Reg conj = alternate(minus);
  const int n = f->length[1].n, columns = (f->length[2].n + REALS - 1) / REALS, size = n * REALS;
  real *const spectrum = buffer, *scratch = spectrum + (ptrdiff_t)columns * size;
  for (int k = 0; k <= n / 2; k++) {
    real *a = spectrum + k * REALS, *b = spectrum + (k == 0 ? 0 : n - k) * REALS;
    const real *from = (const real *)q + (ptrdiff_t)k * 2 * f->row;
    for (int c = 0; c < columns; c++, a += size, b += size, from += 2 * REALS) {
      Reg both[2] = {load(from), load(from + REALS)};
      unzip(both);
      const Reg t = conj * SWAP(both[1]); /* -i times it */
      store(b, conj * (both[0] + t));
      store(a, both[0] - t);
    }
  }
  for (int c = columns - 1; c >= 0; c--)
    transform_reals(&f->length[1], PME_FFT_BACKWARD, spectrum + c * size, REALS, (real *)q + c * REALS,
                    f->row, scratch);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Points z .. z + BLOCK - 1 of COMPLEXES rows along z, `apart` reals from one to the next, to lanes, and
 * back. */
VEC_INLINE void columns_in(const real *row, ptrdiff_t apart, real *to)
{
#if PME_SINGLE
  vd v[2] = {vd_load_blocks((const double *)(const void *)row, apart),
             vd_load_blocks((const double *)(const void *)(row + apart), apart)};
  vd_turn(v);
  store(to, (Reg)v[0]);
  store(to + REALS, (Reg)v[1]);
#else
  store(to, vd_load_blocks(row, apart));
#endif
}

VEC_INLINE void columns_out(const real *from, real *row, ptrdiff_t apart)
{
#if PME_SINGLE
  vd v[2] = {(vd)load(from), (vd)load(from + REALS)};
  vd_turn(v);
  vd_store_blocks(v[0], (double *)(void *)row, apart);
  vd_store_blocks(v[1], (double *)(void *)(row + apart), apart);
#else
  vd_store_blocks(load(from), row, apart);
#endif
}

/* The influence of point z and the next, from a register of g with their lanes alternating by blocks. */
VEC_INLINE void influence_pair(const real *g, Reg pair[2])
{
  const Reg both = load(g);
#if PME_SINGLE
  pair[0] = VF_SHUFFLE(both, both, 0, 0, 1, 1);
  pair[1] = VF_SHUFFLE(both, both, 2, 2, 3, 3);
#else
  pair[0] = VEC_PAIRS(both, both, 0, 0);
  pair[1] = VEC_PAIRS(both, both, 1, 1);
#endif
}

VEC_INLINE void multiply(int n, const real *g, ptrdiff_t next, real *c)
{
  for (int z = 0; z < n; z += 2, g += next, c += 2 * REALS) {
    Reg pair[2];
    influence_pair(g, pair);
    store(c, pair[0] * load(c));
    store(c + REALS, pair[1] * load(c + REALS));
  }
}

/* Adds the sums of WIDTH waves: COMPLEXES of x and one z, or two z if a register has fewer complexes than
 * doubles. */
static void measure(const PmeInfluence *f, int x, int y, const real *g, ptrdiff_t next, const real *c,
                    double *sums)
{
  vd total[PME_FFT_SUMS] = {{0}};
  double lane[5][WIDTH];
  for (int l = 0; l < WIDTH; l++) {
    const PmeWaves w = pme_waves(f, x + l % COMPLEXES, y);
    lane[0][l] = w.x;
    lane[1][l] = w.y;
    lane[2][l] = w.odd[0];
    lane[3][l] = w.odd[1];
    lane[4][l] = w.z;
  }
  vd mx, my, ox, oy, less;
  memcpy(&mx, lane[0], sizeof mx);
  memcpy(&my, lane[1], sizeof my);
  memcpy(&ox, lane[2], sizeof ox);
  memcpy(&oy, lane[3], sizeof oy);
  memcpy(&less, lane[4], sizeof less);
  const vd mxy2 = mx * mx + my * my;
  for (int z = 0; z < f->n[2]; z += 2) {
    Reg pair[2];
    influence_pair(g + z / 2 * next, pair);
    real factor[2 * REALS], value[2 * REALS];
    memcpy(factor, pair, sizeof factor);
    memcpy(value, c + (ptrdiff_t)z * REALS, sizeof value);
    UNROLL
    for (int part = 0; part < 2 * COMPLEXES; part += WIDTH) {
      double e[WIDTH], mz[WIDTH], oz[WIDTH];
      for (int l = 0; l < WIDTH; l++) {
        const int i = part + l;
        const double re = (double)value[2 * i], im = (double)value[2 * i + 1];
        e[l] = f->count[y] * (double)factor[2 * i] * (re * re + im * im);
        mz[l] = f->m[2][z + i / COMPLEXES];
        oz[l] = f->odd[2][z + i / COMPLEXES];
      }
      vd energy, m, odd;
      memcpy(&energy, e, sizeof energy);
      memcpy(&m, mz, sizeof m);
      memcpy(&odd, oz, sizeof odd);
      m -= less;
      odd -= less;
      const vd square = m * m;
      const vd v = energy * (1.0 / vd_max(mxy2 + square, vd_set(1e-300)) + f->pi2_b2);
      total[PME_SUM_E] += energy;
      total[PME_SUM_XX] += v * mx * mx;
      total[PME_SUM_YY] += v * my * my;
      total[PME_SUM_ZZ] += v * square;
      total[PME_SUM_XY] += v * ox * oy;
      total[PME_SUM_XZ] += v * ox * odd;
      total[PME_SUM_YZ] += v * oy * odd;
    }
  }
  for (int k = 0; k < PME_FFT_SUMS; k++)
    for (int l = 0; l < WIDTH; l++)
      sums[k] += total[k][l];
}

/* Rows of the slab, complex[n[0]][along z], fill registers: rows after the last are zero. */
static void lines(const PmeFft *f, void *q, int y, const void *g, const PmeInfluence *influence, void *buffer,
                  double *sums)
{
  const PmeFftLength *const along_x = &f->length[0], *const along_z = &f->length[2];
  const int nx = along_x->n, nz = along_z->n, registers = (nz + COMPLEXES - 1) / COMPLEXES;
  const ptrdiff_t apart = f->slab_row;
  real *const mesh = (real *)q + (ptrdiff_t)y * 2 * f->row, *slab = buffer, *scratch = slab + f->slab,
              *line = scratch + 2 * f->longest, *wave = line + f->longest;
  const int rows = (nx + COMPLEXES - 1) / COMPLEXES * COMPLEXES;
  memset(slab + nx * apart, 0, (size_t)((rows - nx) * apart) * sizeof(real));
  if (nz % 2 != 0)
    memset(wave + (ptrdiff_t)nz * REALS, 0, sizeof(Reg));
  for (int r = 0; r < registers; r++)
    transform_reals(along_x, PME_FFT_FORWARD, mesh + r * REALS, f->plane, slab + r * REALS, apart, scratch);
  const ptrdiff_t next = f->influence_row;
  const real *influence_of = (const real *)g + y * (next * ((nz + 1) / 2));
  for (int x = 0; x < nx; x += COMPLEXES, influence_of += REALS) {
    real *const row = slab + x * apart;
    for (int z = 0; z < nz; z += BLOCK)
      columns_in(row + 2 * z, apart, line + z * REALS);
    transform_reals(along_z, PME_FFT_FORWARD, line, REALS, wave, REALS, scratch);
    if (sums != NULL)
      measure(influence, x, y, influence_of, next, wave, sums);
    multiply(nz, influence_of, next, wave);
    transform_reals(along_z, PME_FFT_BACKWARD, wave, REALS, line, REALS, scratch);
    for (int z = 0; z < nz; z += BLOCK)
      columns_out(line + z * REALS, row + 2 * z, apart);
  }
  for (int r = 0; r < registers; r++)
    transform_reals(along_x, PME_FFT_BACKWARD, slab + r * REALS, apart, mesh + r * REALS, f->plane, scratch);
}

#define PME_FFT_KERNELS                                                                                      \
  {                                                                                                          \
    transform, plane, plane_back, lines                                                                      \
  }
