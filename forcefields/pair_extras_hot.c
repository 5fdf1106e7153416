/* What goes with the pair force besides forces: the middle of a cluster, and blocks of the Hessian. */
#include "forcefields/pair_kernels.h"

/* Sums run in the order of the molecules for every replica, so that its bits do not depend on its lane. */
static void origin(int width, int nmol, const vd *q, const vd *active, vd *mean)
{
  const int npack = (nmol * width + LANES - 1) / LANES;
  for (int h = 0; h < 2; h++) {
    vd x = vd_set(0.0), y = x, z = x;
    for (int p = h; p < npack; p += 2) {
      x += active[p] * q[9 * (size_t)p];
      y += active[p] * q[9 * (size_t)p + 1];
      z += active[p] * q[9 * (size_t)p + 2];
    }
    mean[3 * h] = x;
    mean[3 * h + 1] = y;
    mean[3 * h + 2] = z;
  }
  for (int d = 0; d < 3; d++) {
    if (width == 1)
      mean[d] = mean[3 + d] = vd_set(vd_sum(mean[d] + mean[3 + d]));
    mean[d] = mean[d] * (1.0 / nmol);
    mean[3 + d] = mean[3 + d] * (1.0 / nmol);
  }
}

/* A site's 3x3 block, upper triangle: xx xy xz yy yz zz. */
typedef vd Block6[6];

/* Adds A 1 + B r r', with A = phi'/r, B = (phi'' - phi'/r)/r^2: the Hessian of phi(|r|). */
VEC_INLINE void add_block(vd *h, const vd *r, vd a, vd b)
{
  int at = 0;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++, at++)
      h[at] += i == j ? a + b * (r[i] * r[j]) : b * (r[i] * r[j]);
}

/* Blocks of the sites of molecules i in the field of molecules j, where the mask is set. */
static void accumulate(const PairModel *m, vi mask, const vd *xi, const vd *xj, Block6 *h)
{
  const int o = pair_oxygen(m->nsite);
  for (int a = 0; a < m->nsite; a++)
    for (int b = 0; b < m->nsite; b++) {
      const bool charge = a < 3 && b < 3, lj = a == o && b == o;
      if (!charge && !lj)
        continue;
      vd r[3], rr = vd_set(0.0);
      for (int d = 0; d < 3; d++) {
        r[d] = xi[3 * a + d] - xj[3 * b + d];
        rr += r[d] * r[d];
      }
      const vd y = vd_rsqrt(rr), y2 = y * y;
      vd first = vd_set(0.0), second = vd_set(0.0); /* phi'/r, (phi'' - phi'/r)/r^2 */
      if (charge) {
        first -= m->qq[(a > 0) + (b > 0)] * y * y2;
        second -= 3.0 * first * y2;
      }
      if (lj) {
        const vd y6 = y2 * y2 * y2;
        first -= (12.0 * m->a * y6 - 6.0 * m->c) * y6 * y2;
        second += (168.0 * m->a * y6 - 48.0 * m->c) * y6 * y2 * y2;
      }
      add_block(h[a], r, vd_select(mask, first, vd_set(0.0)), vd_select(mask, second, vd_set(0.0)));
    }
}

/* hess[9][9] += P' diag(h) P: P places the sites from O, H, H, the identity but for the row of M. */
static void spread_block(const PairModel *m, Block6 *h, vd *hess)
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const bool massless = m->nsite == 4;
  const double w[3] = {massless ? 1.0 - 2.0 * m->weight : 1.0, m->weight, m->weight};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
          vd sum = (w[a] * w[b]) * h[0][at[d][e]];
          if (a == b && (a > 0 || massless))
            sum += h[a > 0 ? a : 3][at[d][e]];
          hess[(3 * a + d) * 9 + 3 * b + e] += sum;
        }
}

static void hess(const PairModel *m, int width, int nmol, int begin, int end, const vd *x, vd *out)
{
  const size_t n = 3 * (size_t)m->nsite;
  const int per = width == 1 ? 1 : width / LANES; /* packs a molecule */
  for (int p = begin; p < end; p++) {
    Block6 h[4] = {0};
    for (int j = 0; j < nmol; j++) {
      vd xj[12];
      vi mask;
      const vd *from = x + n * (size_t)(width == 1 ? j / LANES : j * per + p % per);
      for (int l = 0; l < LANES; l++) {
        const int i = width == 1 ? p * LANES + l : p / per;
        mask[l] = i != j && i < nmol ? -1 : 0;
      }
      for (size_t d = 0; d < n; d++)
        xj[d] = width == 1 ? vd_set(from[d][j % LANES]) : from[d];
      accumulate(m, mask, x + n * (size_t)p, xj, h);
    }
    spread_block(m, h, out + 81 * (size_t)p);
  }
}

extern const PairExtras ISA_SYMBOL(pair_extras_table);
const PairExtras ISA_SYMBOL(pair_extras_table) = {origin, hess};
