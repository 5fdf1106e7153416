/* What the mesh kernels have for either precision: included with S (real), V (vector of LANES_V of them), R4,
 * R8 (rows of 4 and 8 reals at any address), NAME(name), and LOW, HIGH, EVEN, ODD (shuffles of V). */

/* w[0..k-1]: splines of order k from those of order k - 1. */
VEC_INLINE void NAME(raise)(const int k, V t, V *w)
{
  const S part = (S)1 / (S)(k - 1);
  w[k - 1] = part * (t * w[k - 2]);
#pragma GCC unroll 6
  for (int j = k - 2; j > 0; j--)
    w[j] = part * ((t + (S)(k - 1 - j)) * w[j - 1] + ((S)(j + 1) - t) * w[j]);
  w[0] = part * (((S)1 - t) * w[0]);
}

/* w[j]: the spline at point k + j, for t in [0, 1) behind k; d (unless NULL) its derivative. */
VEC_INLINE void NAME(weights)(const int order, V t, V *w, V *d)
{
  w[0] = (S)1 - t;
  w[1] = t;
#pragma GCC unroll 6
  for (int k = 3; k < order; k++)
    NAME(raise)(k, t, w);
  if (d != NULL) {
    d[0] = -w[0];
#pragma GCC unroll 6
    for (int j = 1; j < order - 1; j++)
      d[j] = w[j - 1] - w[j];
    d[order - 1] = w[order - 2];
  }
  NAME(raise)(order, t, w);
}

/* x, y, z and charge of LANES_V sites from their rows. */
VEC_INLINE void NAME(columns)(const PmeSites *s, int i, V column[4])
{
  V a[4];
  memcpy(a, (const S *)s->row + 4 * (ptrdiff_t)i, sizeof a);
  const V xz[2] = {EVEN(a[0], a[1]), EVEN(a[2], a[3])}, yq[2] = {ODD(a[0], a[1]), ODD(a[2], a[3])};
  column[0] = EVEN(xz[0], xz[1]);
  column[1] = EVEN(yq[0], yq[1]);
  column[2] = ODD(xz[0], xz[1]);
  column[3] = ODD(yq[0], yq[1]);
}

#define COLUMNS NAME(columns)
#define WEIGHTS NAME(weights)
#define R       R4
#define W       4
#ifdef PAIR4
#define PAIR PAIR4
#endif
#define FN(name) NAME(name##4)
#include "forcefields/pme_rows_template.h"
#undef R
#undef W
#undef FN
#undef PAIR
#define R        R8
#define W        8
#define FN(name) NAME(name##8)
#ifdef PAIR8
#define PAIR PAIR8
#endif
#include "forcefields/pme_rows_template.h"
#undef PAIR
#undef R
#undef W
#undef FN
#undef WEIGHTS
#undef COLUMNS

#define VARIANTS(order, width)                                                                               \
  static __attribute__((noinline)) void NAME(spread_order##order)(const PmeMesh *m, const PmePatch *patch,   \
                                                                  const PmeSites *s, int begin, int end)     \
  {                                                                                                          \
    NAME(spread##width)(m, patch, order, s, begin, end);                                                     \
  }                                                                                                          \
  static __attribute__((noinline)) void NAME(gather_order##order)(                                           \
      const PmeMesh *m, const PmeSites *s, int begin, int end, const S *phi, const double scale[3],          \
      S *force, double net[3])                                                                               \
  {                                                                                                          \
    NAME(gather##width)(m, order, s, begin, end, phi, scale, force, net);                                    \
  }

VARIANTS(4, 4)
VARIANTS(5, 8)
VARIANTS(6, 8)
#undef VARIANTS

static void NAME(spread)(const PmeMesh *m, const PmePatch *patch, const PmeSites *s, int begin, int end)
{
  if (m->order == 4)
    NAME(spread_order4)(m, patch, s, begin, end);
  else if (m->order == 5)
    NAME(spread_order5)(m, patch, s, begin, end);
  else
    NAME(spread_order6)(m, patch, s, begin, end);
}

static void NAME(add)(const PmeMesh *m, const PmePatch *patch, void *mesh)
{
  for (int x = 0; x < patch->nx; x++) {
    S *to = (S *)mesh + m->slab[patch->x + x], *from = (S *)patch->q + (ptrdiff_t)x * patch->plane;
    for (int y = 0; y < patch->ny; y++) {
      S *restrict q = to + m->line[patch->y + y], *restrict mine = from + (ptrdiff_t)y * m->row;
      for (int z = 0; z < m->row; z++) {
        q[z] += mine[z];
        mine[z] = 0;
      }
    }
  }
}

static void NAME(gather)(const PmeMesh *m, const PmeSites *s, int begin, int end, const void *phi,
                         const double scale[3], void *force, double net[3])
{
  if (m->order == 4)
    NAME(gather_order4)(m, s, begin, end, phi, scale, force, net);
  else if (m->order == 5)
    NAME(gather_order5)(m, s, begin, end, phi, scale, force, net);
  else
    NAME(gather_order6)(m, s, begin, end, phi, scale, force, net);
}

static void NAME(fold)(const PmeMesh *m, void *plane)
{
  (m->width == 4 ? NAME(fold4) : NAME(fold8))(m, plane);
}

static void NAME(repeat)(const PmeMesh *m, void *plane)
{
  (m->width == 4 ? NAME(repeat4) : NAME(repeat8))(m, plane);
}

static void NAME(stage)(const PmeMesh *m, const double scale[3], const double *const x[3], int begin, int end,
                        const PmeSites *out)
{
  for (int i = begin; i < end; i++) {
    S *row = (S *)out->row + 4 * (ptrdiff_t)i;
    uint64_t tag = (uint64_t)i << 32;
    for (int d = 0; d < 3; d++) {
      double u = x[d][i] * scale[d];
      u = (u - floor(u)) * m->n[d];
      if (u >= m->n[d]) /* rounded up to the end, which is the beginning */
        u = 0.0;
      const uint32_t k = u >= 0.0 ? (uint32_t)u : 0; /* NaN goes on in the row */
      row[d] = (S)(u - k);
      tag |= k << (20 - 10 * d);
    }
    row[3] = ((const S *)out->charge)[i];
    out->tag[i] = tag;
  }
}

static void NAME(sort)(const PmeSites *from, const int *key, int begin, int end, int *next,
                       const PmeSites *to)
{
  const S *source = from->row;
  S *target = to->row;
  for (int i = begin; i < end; i++) {
    const int k = next[key[i]]++;
    memcpy(target + 4 * (ptrdiff_t)k, source + 4 * (ptrdiff_t)i, 4 * sizeof(S));
    to->tag[k] = from->tag[i];
  }
}

static void NAME(multiply)(int n, const void *g, void *c)
{
  const S *restrict factor = g;
  S *restrict z = c;
  for (int i = 0; i < n; i++) {
    z[2 * i] *= factor[i];
    z[2 * i + 1] *= factor[i];
  }
}

VEC_INLINE void NAME(measure_lanes)(const S *g, const S *z, const double *count, const double *mz,
                                    const double *oz, double mxy2, double pi2_b2, Octet total[4])
{
  Octet e, along, mine;
  for (int l = 0; l < LANES; l++) {
    const double re = (double)z[2 * l], im = (double)z[2 * l + 1];
    e[l] = count[l] * (double)g[l] * (re * re + im * im);
  }
  memcpy(&along, oz, sizeof along);
  memcpy(&mine, mz, sizeof mine);
  const Octet square = mine * mine;
  const Octet v = e * (1.0 / octet_max(mxy2 + square, octet_set(1e-300)) + pi2_b2);
  total[0] += e;
  total[1] += v;
  total[2] += v * along;
  total[3] += v * square;
}

static void NAME(measure)(int n, const void *g, const void *c, const double *count, const double *mz,
                          const double *oz, double mxy2, double pi2_b2, double sum[4])
{
  const S *factor = g, *z = c;
  Octet total[4] = {{0}};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    NAME(measure_lanes)(factor + i, z + 2 * i, count + i, mz + i, oz + i, mxy2, pi2_b2, total);
  if (i < n) {
    S last[LANES] = {0}, tail[2 * LANES] = {0};
    memcpy(last, factor + i, (size_t)(n - i) * sizeof(S));
    memcpy(tail, z + 2 * i, 2 * (size_t)(n - i) * sizeof(S));
    NAME(measure_lanes)(last, tail, count + i, mz + i, oz + i, mxy2, pi2_b2, total);
  }
  for (int k = 0; k < 4; k++)
    sum[k] += octet_sum(total[k]);
}
