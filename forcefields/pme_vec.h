/* The kernels of the mesh over registers. Each of pme_*_hot.c includes this file with PME_SINGLE (1:
 * floats, 0: doubles) and PME_WIDTH, the reals of a mesh row that a site touches: 4 at order 4, 8 at
 * orders 5 and 6, with zeros beyond the order.
 *
 * A register holds SITES sites. Their rows are transposed only by blocks of 16 bytes (vec.h), which puts
 * site l in lane lane_of(l); transposing back restores the order of sites. */
#include <math.h>
#include <string.h>

#include "engine/vecf.h"
#include "forcefields/pme_kernels.h"

#if PME_SINGLE
typedef float real;
typedef vf Lanes;
typedef vif LaneMask;
typedef int32_t Whole;
typedef vf_block Block;
enum { SITES = FLOATS, BLOCK = 4 };
#else
typedef double real;
typedef vd Lanes;
typedef vi LaneMask;
typedef int64_t Whole;
typedef vd_block Block;
enum { SITES = WIDTH, BLOCK = 2 };
#endif

/* A row is processed in pieces of ROW reals: 32 bytes if the row and the machine have them, else 16. */
#if defined(__AVX2__) && !(PME_SINGLE && PME_WIDTH == 4)
enum { ROW_BYTES = 32 };
#else
enum { ROW_BYTES = 16 };
#endif
enum {
  ROW = ROW_BYTES / sizeof(real),
  PIECES = PME_WIDTH / ROW,
  BLOCKS = PME_WIDTH / BLOCK, /* of a row */
  SITE_BLOCKS = SITES / BLOCK /* of a register */
};
typedef real Row __attribute__((vector_size(ROW_BYTES), aligned(sizeof(real)), may_alias));

VEC_INLINE int lane_of(int site) { return BLOCK * (site % SITE_BLOCKS) + site / SITE_BLOCKS; }
VEC_INLINE int site_of(int lane) { return SITE_BLOCKS * (lane % BLOCK) + lane / BLOCK; }

VEC_INLINE void turn(Lanes v[BLOCK])
{
#if PME_SINGLE
  vf_turn(v);
#else
  vd_turn(v);
#endif
}

/* Blocks b of a row, block[b][site], as a piece; and the blocks of a piece. */
VEC_INLINE Row row_of_blocks(const Block (*block)[SITES], const int piece, int site)
{
  const int b = piece * (ROW / BLOCK);
#if defined(__AVX2__) && PME_SINGLE && PME_WIDTH == 8
  return __builtin_shufflevector(block[b][site], block[b + 1][site], 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__AVX2__) && !PME_SINGLE
  return __builtin_shufflevector(block[b][site], block[b + 1][site], 0, 1, 2, 3);
#else
  return block[b][site];
#endif
}

/* Spreading uses whole rows of 64 bytes where possible. */
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !PME_SINGLE && PME_WIDTH == 8
typedef real Wide __attribute__((vector_size(64), aligned(sizeof(real)), may_alias));
VEC_INLINE Wide wide_of_blocks(const Block (*block)[SITES], const int piece, int site)
{
  (void)piece;
  return __builtin_shufflevector(row_of_blocks(block, 0, site), row_of_blocks(block, 1, site), 0, 1, 2, 3, 4,
                                 5, 6, 7);
}
#else
typedef Row Wide;
#define wide_of_blocks row_of_blocks
#endif
enum { WIDE = sizeof(Wide) / sizeof(real), WIDES = PME_WIDTH / WIDE };

VEC_INLINE Block block_of_row(Row row, const int b)
{
#if defined(__AVX2__) && PME_SINGLE && PME_WIDTH == 8
  return b == 0 ? __builtin_shufflevector(row, row, 0, 1, 2, 3)
                : __builtin_shufflevector(row, row, 4, 5, 6, 7);
#elif defined(__AVX2__) && !PME_SINGLE
  return b == 0 ? __builtin_shufflevector(row, row, 0, 1) : __builtin_shufflevector(row, row, 2, 3);
#else
  (void)b;
  return row;
#endif
}

/* --- splines -------------------------------------------------------------------------------------------- */

/* w[0..k-1]: splines of order k times (k - 1)! from those of order k - 1 times (k - 2)!. */
VEC_INLINE void raise(const int k, Lanes t, Lanes *w)
{
  w[k - 1] = t * w[k - 2];
  UNROLL
  for (int j = k - 2; j > 0; j--)
    w[j] = (t + (real)(k - 1 - j)) * w[j - 1] + ((real)(j + 1) - t) * w[j];
  w[0] = ((real)1 - t) * w[0];
}

/* w[j]: (order - 1)! times the spline at point k + j, for t in [0, 1) after k; d (unless NULL) (order - 2)!
 * times its derivative. The factors of three directions are divided out together. */
VEC_INLINE void weights(const int order, Lanes t, Lanes *w, Lanes *d)
{
  w[0] = (real)1 - t;
  w[1] = t;
  raise(3, t, w); /* the trip count depends on k */
  if (order > 4)
    raise(4, t, w);
  if (order > 5)
    raise(5, t, w);
  if (d != NULL) {
    d[0] = -w[0];
    UNROLL
    for (int j = 1; j < order - 1; j++)
      d[j] = w[j - 1] - w[j];
    d[order - 1] = w[order - 2];
  }
  raise(order, t, w);
}

VEC_INLINE double weights_unit(const int order)
{
  const double factorial = order == 4 ? 6.0 : order == 5 ? 24.0 : 120.0;
  return 1.0 / (factorial * factorial * factorial);
}

/* x, y, z and charge of SITES sites from their rows. */
VEC_INLINE void columns(const PmeSites *s, int i, Lanes column[4])
{
  const real *row = (const real *)s->row + 4 * (ptrdiff_t)i;
#if PME_SINGLE
  memcpy(column, row, 4 * sizeof(Lanes));
  turn(column);
#else
  UNROLL
  for (int g = 0; g < 4; g += 2) {
    column[g] = vd_load_blocks(row + g, 4);
    column[g + 1] = vd_load_blocks(row + 4 * SITE_BLOCKS + g, 4);
    turn(column + g);
  }
#endif
}

/* n columns to blocks[n/BLOCK][site]. */
VEC_INLINE void to_blocks(const int n, const Lanes *column, Block (*block)[SITES])
{
  UNROLL
  for (int g = 0; g < n / BLOCK; g++) {
    Lanes v[BLOCK];
    UNROLL
    for (int j = 0; j < BLOCK; j++)
      v[j] = column[BLOCK * g + j];
    turn(v);
    memcpy(block[g], v, sizeof v);
  }
}

/* --- spreading ------------------------------------------------------------------------------------------ */

/* A row of a site in a window of PME_WINDOW points, `at` points from its beginning: rotated and stored
 * aligned as a whole, or stored from there on. Zeros beyond the order then go to the next row. */
#if defined(__AVX2__) && PME_SINGLE && PME_WIDTH == 8
#define ROW_ALIGNED 1
VEC_INLINE Wide row_in_window(Wide row, int at) { return (Wide)vf_turned_up((vf_eight)row, at); }
#else
#define ROW_ALIGNED 0
VEC_INLINE Wide row_in_window(Wide row, int at)
{
  (void)at;
  return row;
}
#endif

/* Steps lead from one row of a site to the next. The pointer to a plane is opaque to compilers: they
 * otherwise spill the addresses of all rows to the stack. Loads from there may wait for unrelated stores with
 * similar address bits, up to twice the time, depending on the pages of the process. */
VEC_INLINE void spread_rows(const PmePatch *patch, const int order, const PmeSites *s, int begin, int end)
{
  real *const q = patch->q;
  const ptrdiff_t slab = patch->plane;
  for (int i = begin; i < end; i += SITES) {
    Lanes x[PME_ORDER_MAX], y[PME_ORDER_MAX], z[PME_WIDTH] = {{0}}, column[4];
    Block rows[BLOCKS][SITES] __attribute__((aligned(64)));
    columns(s, i, column);
    weights(order, column[0], x, NULL);
    weights(order, column[1], y, NULL);
    weights(order, column[2], z, NULL);
    const Lanes charge = (real)weights_unit(order) * column[3];
    UNROLL
    for (int a = 0; a < order; a++)
      x[a] *= charge;
    to_blocks(PME_WIDTH, z, rows);
    const int n = end - i < SITES ? end - i : SITES;
    for (int l = 0; l < n; l++) {
      const real *wx = (const real *)x + lane_of(l), *wy = (const real *)y + lane_of(l);
      const uint32_t cell = (uint32_t)s->tag[i + l];
      const int at = (int)(cell & 1023) - patch->z;
      real *corner = q + ((int)(cell >> 20) - patch->x) * slab + (ptrdiff_t)(cell >> 10 & 1023) * PME_WINDOW +
                     (ROW_ALIGNED ? 0 : at);
      Wide row[WIDES], yz[PME_ORDER_MAX][WIDES], along_x[PME_ORDER_MAX];
      UNROLL
      for (int k = 0; k < WIDES; k++)
        row[k] = row_in_window(wide_of_blocks(rows, k, l), at);
      UNROLL
      for (int b = 0; b < order; b++) {
        UNROLL
        for (int k = 0; k < WIDES; k++)
          yz[b][k] = wy[b * SITES] * row[k];
      }
      UNROLL
      for (int a = 0; a < order; a++)
        along_x[a] = wx[a * SITES] - (Wide){0};
      UNROLL
      for (int a = 0; a < order; a++, corner += slab) {
        __asm__("" : "+r"(corner));
        UNROLL
        for (int b = 0; b < order; b++) {
          UNROLL
          for (int k = 0; k < WIDES; k++) {
            Wide *to = (Wide *)(corner + b * PME_WINDOW + WIDE * k);
            *to += along_x[a] * yz[b][k];
          }
        }
      }
    }
  }
}

/* One function for each order: gcc uses registers less well in a function with several. */
#define PME_SPREAD(order)                                                                                    \
  static __attribute__((noinline)) void spread##order(const PmePatch *patch, const PmeSites *s, int begin,   \
                                                      int end)                                               \
  {                                                                                                          \
    spread_rows(patch, order, s, begin, end);                                                                \
  }
#if PME_WIDTH == 4
PME_SPREAD(4)
#else
PME_SPREAD(5)
PME_SPREAD(6)
#endif

/* Overlapping windows are added in turns, since a load that overlaps a recent store waits for it; some rows
 * at a time, to stay in the cache. */
static void add(const PmeMesh *m, int patches, const void *patch, size_t step, void *plane)
{
  enum { ROWS = 16 };
  const int rows = m->n[1] + m->order - 1, turns = (PME_WINDOW + m->wide - 1) / m->wide;
  for (int begin = 0; begin < rows; begin += ROWS) {
    const int end = begin + ROWS < rows ? begin + ROWS : rows;
    for (int turn = 0; turn < turns; turn++)
      for (int y = begin; y < end; y++) {
        const real *const from = (const real *)patch + (ptrdiff_t)y * PME_WINDOW;
        real *const to = (real *)plane + m->line[y];
        for (int p = turn; p < patches; p += turns) {
          UNROLL
          for (int k = 0; k < PME_WINDOW; k += ROW)
            *(Row *)(to + (ptrdiff_t)p * m->wide + k) += *(const Row *)(from + (size_t)p * step + k);
        }
      }
  }
}

/* --- gathering ------------------------------------------------------------------------------------------ */

/* Rows times weights (value) and their derivatives (slope), in one register of 32 bytes where both fit. One
 * of 64 has no advantage: a processor with loads of half the width reads rows at half the speed. */
#if defined(__AVX2__) && PME_SINGLE && PME_WIDTH == 4
#if defined(__AVX512F__)
typedef vh Both;
#define BOTH_TWICE vh_twice
#else
typedef vf Both;
#define BOTH_TWICE vf_twice
#endif

VEC_INLINE Both both_join(Row value, Row slope)
{
  return __builtin_shufflevector(value, slope, 0, 1, 2, 3, 4, 5, 6, 7);
}

VEC_INLINE Row both_value(Both x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
VEC_INLINE Row both_slope(Both x) { return __builtin_shufflevector(x, x, 4, 5, 6, 7); }
VEC_INLINE void both_add(Both *sum, Both weight, const real *row) { *sum += weight * BOTH_TWICE(row); }
VEC_INLINE Both both_times(Both weight, const real *row) { return weight * BOTH_TWICE(row); }
VEC_INLINE void both_add_weighted(Both *sum, real weight, Both x) { *sum += weight * x; }
#else
typedef struct Both {
  Row value, slope;
} Both;

/* Loads once: gcc would load it for both products, to save an instruction. */
VEC_INLINE Row row_at(const real *at)
{
  Row row = *(const Row *)at;
#if defined(__AVX512F__)
  __asm__("" : "+v"(row));
#endif
  return row;
}

VEC_INLINE Both both_join(Row value, Row slope) { return (Both){value, slope}; }
VEC_INLINE Row both_value(Both x) { return x.value; }
VEC_INLINE Row both_slope(Both x) { return x.slope; }

VEC_INLINE void both_add(Both *sum, Both weight, const real *at)
{
  const Row row = row_at(at);
  sum->value += weight.value * row;
  sum->slope += weight.slope * row;
}

VEC_INLINE Both both_times(Both weight, const real *at)
{
  const Row row = row_at(at);
  return (Both){weight.value * row, weight.slope * row};
}

VEC_INLINE void both_add_weighted(Both *sum, real weight, Both x)
{
  sum->value += weight * x.value;
  sum->slope += weight * x.slope;
}
#endif

/* Splines of SITES sites along x and y with derivatives; along z as blocks. */
typedef struct Splines {
  Lanes x[PME_ORDER_MAX], y[PME_ORDER_MAX], dx[PME_ORDER_MAX], dy[PME_ORDER_MAX];
  Block z[BLOCKS][SITES], dz[BLOCKS][SITES];
} Splines;

/* Site l: the mesh rows times the splines of x and y, or the derivative of one, summed over rows, times that
 * of z, summed over blocks. With few registers, sums of all planes stay in them while rows proceed along y;
 * else the splines of y do, plane after plane. */
VEC_INLINE void along(const int order, const real *corner, const ptrdiff_t *slab, const ptrdiff_t *line,
                      const Splines *s, int l, Block g[3])
{
  const int lane = lane_of(l);
  const real *wx = (const real *)s->x + lane, *wy = (const real *)s->y + lane,
             *ex = (const real *)s->dx + lane, *ey = (const real *)s->dy + lane;
  const Row none = {0}; /* x - 0 is exactly x, and a broadcast; x + 0 is not, for -0 */
  UNROLL
  for (int k = 0; k < PIECES; k++) {
    const real *first = corner + ROW * k;
    Both x = both_join(none, none), yz = x;
#if defined(BOTH_TWICE) || defined(__AVX512F__)
    Both y[PME_ORDER_MAX];
    UNROLL
    for (int b = 0; b < order; b++)
      y[b] = both_join(wy[b * SITES] - none, ey[b * SITES] - none);
    UNROLL
    for (int a = 0; a < order; a++) {
      const real *plane = first + slab[a];
#if !defined(BOTH_TWICE)
      __asm__("" : "+r"(plane)); /* compilers would otherwise compute all row addresses first */
#endif
      Both sum = both_times(y[0], plane + line[0]);
      UNROLL
      for (int b = 1; b < order; b++)
        both_add(&sum, y[b], plane + line[b]);
      both_add_weighted(&x, ex[a * SITES], sum);
      both_add_weighted(&yz, wx[a * SITES], sum);
    }
#else
    Both plane[PME_ORDER_MAX];
    UNROLL
    for (int a = 0; a < order; a++)
      plane[a] = yz;
    UNROLL
    for (int b = 0; b < order; b++) {
      const Both y = both_join(wy[b * SITES] - none, ey[b * SITES] - none);
      UNROLL
      for (int a = 0; a < order; a++)
        both_add(&plane[a], y, first + slab[a] + line[b]);
    }
    UNROLL
    for (int a = 0; a < order; a++) {
      both_add_weighted(&x, ex[a * SITES], plane[a]);
      both_add_weighted(&yz, wx[a * SITES], plane[a]);
    }
#endif
    UNROLL
    for (int i = 0; i < ROW / BLOCK; i++) {
      const int b = k * (ROW / BLOCK) + i;
      g[0] += s->z[b][l] * block_of_row(both_value(x), i);
      g[1] += s->z[b][l] * block_of_row(both_slope(yz), i);
      g[2] += s->dz[b][l] * block_of_row(both_value(yz), i);
    }
  }
}

/* The sum of each site's block, by lanes. */
VEC_INLINE Lanes block_sums(const Block *block)
{
  Lanes v[BLOCK];
  memcpy(v, block, sizeof v);
  turn(v);
  Lanes sum = v[0] + v[1];
#if PME_SINGLE
  sum += v[2] + v[3];
#endif
  return sum;
}

VEC_INLINE void add_doubles(Lanes a, vd sum[2])
{
#if PME_SINGLE
  sum[0] += vf_low(a);
  sum[1] += vf_high(a);
#else
  sum[0] += a;
#endif
}

VEC_INLINE void gather_rows(const PmeMesh *m, const int order, const PmeSites *s, int begin, int end,
                            const real *phi, const double scale[3][3], real *force, double net[3])
{
  Block g[3][SITES] __attribute__((aligned(64))) = {{{0}}},
                    rows[4 / BLOCK][SITES] __attribute__((aligned(64)));
  Whole number[SITES];
  for (int l = 0; l < SITES; l++)
    number[l] = site_of(l);
  LaneMask site;
  memcpy(&site, number, sizeof site);
  real factor[3][3];
  for (int d = 0; d < 3; d++)
    for (int e = 0; e <= d; e++)
      factor[d][e] = (real)((order - 1) * weights_unit(order) * scale[d][e]);
  vd sum[3][2] = {{{0}}};
  for (int i = begin; i < end; i += SITES) {
    Lanes z[PME_WIDTH] = {{0}}, dz[PME_WIDTH] = {{0}}, column[4];
    Splines w __attribute__((aligned(64)));
    const int n = end - i < SITES ? end - i : SITES;
    /* Prefetch forces, which are not in the order of blocks. */
    for (int l = 0; l < n; l++)
      __builtin_prefetch(force + 4 * (ptrdiff_t)(s->tag[i + l] >> 32), 1);
    columns(s, i, column);
    weights(order, column[0], w.x, w.dx);
    weights(order, column[1], w.y, w.dy);
    weights(order, column[2], z, dz);
    to_blocks(PME_WIDTH, z, w.z);
    to_blocks(PME_WIDTH, dz, w.dz);
    for (int l = 0; l < n; l++) {
      const uint32_t cell = (uint32_t)s->tag[i + l];
      Block f[3] = {{0}};
      along(order, phi + (cell & 1023), m->slab + (cell >> 20), m->line + (cell >> 10 & 1023), &w, l, f);
      UNROLL
      for (int d = 0; d < 3; d++)
        g[d][l] = f[d];
    }
    /* Lanes after the last site add nothing to the net force. */
    const LaneMask live = site < (Whole)n;
    Lanes slope[3];
    UNROLL
    for (int d = 0; d < 3; d++) {
      slope[d] = block_sums(g[d]);
      column[d] = factor[d][d] * column[3] * slope[d];
      UNROLL
      for (int e = 0; e < d; e++)
        column[d] += factor[d][e] * column[3] * slope[e];
      column[d] = (Lanes)(live & (LaneMask)column[d]);
      add_doubles(column[d], sum[d]);
    }
    to_blocks(4, column, rows);
    for (int l = 0; l < n; l++) {
      Block *to = (Block *)(force + 4 * (ptrdiff_t)(s->tag[i + l] >> 32));
      UNROLL
      for (int b = 0; b < 4 / BLOCK; b++)
        to[b] = rows[b][l];
    }
  }
  for (int d = 0; d < 3; d++) {
    net[d] = 0.0;
    for (int l = 0; l < 2 * WIDTH; l++)
      net[d] += ((const double *)sum[d])[l];
  }
}

#define PME_GATHER(order)                                                                                    \
  static __attribute__((noinline)) void gather##order(const PmeMesh *m, const PmeSites *s, int begin,        \
                                                      int end, const void *phi, const double scale[3][3],    \
                                                      void *force, double net[3])                            \
  {                                                                                                          \
    gather_rows(m, order, s, begin, end, phi, scale, force, net);                                            \
  }
#if PME_WIDTH == 4
PME_GATHER(4)
#else
PME_GATHER(5)
PME_GATHER(6)
#endif

/* --- the ends of rows ----------------------------------------------------------------------------------- */

static void fold(const PmeMesh *m, void *plane)
{
  for (int i = 0; i < m->n[1]; i++) {
    real *row = (real *)plane + (ptrdiff_t)i * m->row;
    for (int k = 0; k < PME_WIDTH; k++)
      row[k] += row[m->n[2] + k];
  }
}

static void repeat(const PmeMesh *m, void *plane)
{
  for (int i = 0; i < m->n[1]; i++) {
    real *row = (real *)plane + (ptrdiff_t)i * m->row;
    memcpy(row + m->n[2], row, PME_WIDTH * sizeof(real));
  }
}

/* --- independent of the width of rows
 * ------------------------------------------------------------------------- */

static void sort(const PmeSites *from, const int *key, int begin, int end, int *next, const PmeSites *to)
{
  const real *source = from->row;
  real *target = to->row;
  for (int i = begin; i < end; i++) {
    const int k = next[key[i]]++;
    memcpy(target + 4 * (ptrdiff_t)k, source + 4 * (ptrdiff_t)i, 4 * sizeof(real));
    to->tag[k] = from->tag[i];
  }
}

/* Of one order. */
#define PME_KERNELS(order)                                                                                   \
  {                                                                                                          \
    sort, spread##order, add, gather##order, fold, repeat                                                    \
  }
