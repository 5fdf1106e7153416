/* What goes with the pair force besides forces: the middle of a cluster, and blocks of the Hessian. */
#include "forcefields/pair_kernels.h"
#include "forcefields/pair_vec.h"

/* Sums run in the order of the molecules for every replica, so that its bits do not depend on its lane. */
static void origin(int width, int nmol, const Octet *q, const Octet *active, Octet *mean)
{
  const int npack = (nmol * width + LANES - 1) / LANES;
  for (int h = 0; h < 2; h++) {
    Octet x = octet_set(0.0), y = x, z = x;
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
      mean[d] = mean[3 + d] = octet_set(octet_sum(mean[d] + mean[3 + d]));
    mean[d] = mean[d] * (1.0 / nmol);
    mean[3 + d] = mean[3 + d] * (1.0 / nmol);
  }
}

/* A site's 3x3 block, upper triangle: xx xy xz yy yz zz. */
typedef Octet Block6[6];

/* Adds A 1 + B r r', with A = phi'/r, B = (phi'' - phi'/r)/r^2: the Hessian of phi(|r|). */
VEC_INLINE void add_block(Octet *h, const Octet *r, Octet a, Octet b)
{
  const Octet x = b * r[0], y = b * r[1];
  h[0] += x * r[0] + a;
  h[1] += x * r[1];
  h[2] += x * r[2];
  h[3] += y * r[1] + a;
  h[4] += y * r[2];
  h[5] += b * r[2] * r[2] + a;
}

/* Blocks of the sites of molecules i in the field of molecules j, where the mask is set. */
VEC_INLINE void accumulate(const PairModel *m, const int nsite, OctetMask mask, const Octet *xi,
                           const Octet *xj, Block6 *h)
{
  const int o = pair_oxygen(nsite);
#pragma GCC unroll 4
  for (int a = 0; a < nsite; a++)
#pragma GCC unroll 4
    for (int b = 0; b < nsite; b++) {
      const bool charge = a < 3 && b < 3, lj = a == o && b == o;
      if (!charge && !lj)
        continue;
      const Octet r[3] = {xi[3 * a] - xj[3 * b], xi[3 * a + 1] - xj[3 * b + 1],
                          xi[3 * a + 2] - xj[3 * b + 2]};
      const Octet y = octet_rsqrt_distance(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), y2 = y * y;
      Octet first = octet_set(0.0), second = octet_set(0.0); /* phi'/r, (phi'' - phi'/r)/r^2 */
      if (charge) {
        first -= m->qq[(a > 0) + (b > 0)] * y * y2;
        second -= 3.0 * first * y2;
      }
      if (lj) {
        const Octet y6 = y2 * y2 * y2;
        first -= (12.0 * m->a * y6 - 6.0 * m->c) * y6 * y2;
        second += (168.0 * m->a * y6 - 48.0 * m->c) * y6 * y2 * y2;
      }
      add_block(h[a], r, (Octet)((OctetMask)first & mask), (Octet)((OctetMask)second & mask));
    }
}

/* hess[9][9] += P' diag(h) P: P places the sites from O, H, H, the identity but for the row of M. */
static void spread_block(const PairModel *m, Block6 *h, Octet *hess)
{
  static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  const bool massless = m->nsite == 4;
  const double w[3] = {massless ? 1.0 - 2.0 * m->weight : 1.0, m->weight, m->weight};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
          Octet sum = (w[a] * w[b]) * h[0][at[d][e]];
          if (a == b && (a > 0 || massless))
            sum += h[a > 0 ? a : 3][at[d][e]];
          hess[(3 * a + d) * 9 + 3 * b + e] += sum;
        }
}

/* -1 in the lanes of pack p whose molecule exists and is not j, with molecules in lanes. */
VEC_INLINE OctetMask other_lanes(int p, int nmol, int j)
{
  OctetMask molecule;
#pragma GCC unroll 8
  for (int l = 0; l < LANES; l++)
    molecule[l] = p * LANES + l;
  return (molecule < nmol) & (molecule != j);
}

VEC_INLINE void hess_any(const PairModel *m, const int nsite, const bool single, int per, int nmol, int begin,
                         int end, const Octet *x, Octet *out)
{
  const size_t n = 3 * (size_t)nsite;
  for (int p = begin; p < end; p++) {
    Block6 h[4] = {0};
    for (int j = 0; j < nmol; j++) {
      if (!single && j == p / per)
        continue;
      const OctetMask mask = single ? other_lanes(p, nmol, j) : ~(OctetMask){0};
      const Octet *from = x + n * (size_t)(single ? j / LANES : j * per + p % per);
      Octet xj[12];
#pragma GCC unroll 12
      for (size_t d = 0; d < n; d++)
        xj[d] = single ? octet_set(from[d][j % LANES]) : from[d];
      accumulate(m, nsite, mask, x + n * (size_t)p, xj, h);
    }
    spread_block(m, h, out + 81 * (size_t)p);
  }
}

static void hess(const PairModel *m, int width, int nmol, int begin, int end, const Octet *x, Octet *out)
{
  const int per = width / LANES; /* packs a molecule */
  if (m->nsite == 4 && width == 1)
    hess_any(m, 4, true, 1, nmol, begin, end, x, out);
  else if (m->nsite == 4)
    hess_any(m, 4, false, per, nmol, begin, end, x, out);
  else if (width == 1)
    hess_any(m, 3, true, 1, nmol, begin, end, x, out);
  else
    hess_any(m, 3, false, per, nmol, begin, end, x, out);
}

extern const PairExtras ISA_SYMBOL(pair_extras_table);
const PairExtras ISA_SYMBOL(pair_extras_table) = {origin, hess};
