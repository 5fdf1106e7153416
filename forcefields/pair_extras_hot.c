/* The mean position of a cluster, and blocks of the Hessian of the pair force. */
#include "forcefields/pair_stage.h"

/* Sums are in the order of molecules for every replica, so its bits do not depend on its lane. */
static void origin(int width, int nmol, const Vec8 *q, const Vec8 *active, Vec8 *mean)
{
  const int npack = (nmol * width + LANES - 1) / LANES;
  for (int h = 0; h < 2; h++)
    for (int part = 0; part < REGISTERS; part++) {
      vd sum[3] = {{0}, {0}, {0}};
      for (int p = h; p < npack; p += 2)
        for (int d = 0; d < 3; d++)
          sum[d] += vd_load(active + p, part) * vd_load(q + 9 * (size_t)p + d, part);
      for (int d = 0; d < 3; d++)
        vd_store(mean + 3 * h + d, part, sum[d] * (1.0 / nmol));
    }
  for (int d = 0; d < 3 && width == 1; d++)
    mean[d] = mean[3 + d] = vec8_set(vec8_sum(mean[d]) + vec8_sum(mean[3 + d]));
}

/* Gradient of the energy by a site's position, and Hessian xx xy xz yy yz zz. */
typedef struct SiteDerivatives {
  vd gradient[3], hess[6];
} SiteDerivatives;

static const int upper[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}; /* index in hess */

/* Adds A 1 + B r r', with A = phi'/r, B = (phi'' - phi'/r)/r^2: the Hessian of phi(|r|). */
VEC_INLINE void add_derivatives(SiteDerivatives *s, const vd *r, vd a, vd b)
{
  const vd x = b * r[0], y = b * r[1];
  for (int d = 0; d < 3; d++)
    s->gradient[d] += a * r[d];
  s->hess[0] += x * r[0] + a;
  s->hess[1] += x * r[1];
  s->hess[2] += x * r[2];
  s->hess[3] += y * r[1] + a;
  s->hess[4] += y * r[2];
  s->hess[5] += b * r[2] * r[2] + a;
}

/* The sites of molecules i in the field of molecules j, in lanes of the mask. */
VEC_INLINE void accumulate(const SiteMap *map, const int nsite, const double qq[3], vi mask, const vd *xi,
                           const vd *xj, SiteDerivatives *s)
{
  UNROLL
  for (int a = 0; a < nsite; a++)
    UNROLL
  for (int b = 0; b < nsite; b++) {
    const bool charge = nsite == 3 || (a > 0 && b > 0), lj = a == 0 && b == 0;
    if (!charge && !lj)
      continue;
    const vd r[3] = {xi[3 * a] - xj[3 * b], xi[3 * a + 1] - xj[3 * b + 1], xi[3 * a + 2] - xj[3 * b + 2]};
    const vd y = vd_rsqrt(vd_dot3(r, r)), y2 = y * y;
    vd first = vd_set(0.0), second = vd_set(0.0); /* phi'/r, (phi'' - phi'/r)/r^2 */
    if (charge) {
      first -= qq[pair_hydrogen(a) + pair_hydrogen(b)] * y * y2;
      second -= 3.0 * first * y2;
    }
    if (lj) {
      const vd y6 = y2 * y2 * y2;
      first -= (12.0 * map->lj[0] * y6 - 6.0 * map->lj[1]) * y6 * y2;
      second += (168.0 * map->lj[0] * y6 - 48.0 * map->lj[1]) * y6 * y2 * y2;
    }
    add_derivatives(&s[a], r, (vd)((vi)first & mask), (vd)((vi)second & mask));
  }
}

/* 1, -1 or 0: e_k in the cross product of e_i and e_j. */
static int permutation(int k, int i, int j) { return (k - i) * (i - j) * (j - k) / 2; }

/* jacobian[atom][k][d]: derivative of component k of virtual site v by component d of an atom; r are the
 * sites relative to the oxygen. */
static void site_jacobian(const SiteMap *map, int v, const vd *r, vd jacobian[3][3][3])
{
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 3; d++) {
      const double same = k == d ? 1.0 : 0.0;
      vd one = vd_set(same * map->place[v][0]), two = vd_set(same * map->place[v][1]);
      for (int m = 0; m < 3; m++) {
        one += map->place[v][2] * permutation(k, d, m) * r[6 + m];
        two += map->place[v][2] * permutation(k, m, d) * r[3 + m];
      }
      jacobian[1][k][d] = one;
      jacobian[2][k][d] = two;
      jacobian[0][k][d] = same - one - two;
    }
}

/* hess[9][9] += J' H J of virtual site v, and its gradient times the second derivatives of its position,
 * nonzero for the product r_1 x r_2 of c (site_map.h). */
static void spread_virtual(const SiteMap *map, int v, const SiteDerivatives *s, const vd *r, int part,
                           Vec8 *hess)
{
  vd jacobian[3][3][3];
  site_jacobian(map, v, r, jacobian);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double twist = map->place[v][2] * ((b + 3 - a) % 3 == 1 ? 1.0 : a == b ? 0.0 : -1.0);
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
          Vec8 *to = hess + (size_t)((3 * a + d) * 9 + 3 * b + e);
          vd sum = vd_load(to, part);
          for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++)
              sum += jacobian[a][k][d] * s->hess[upper[k][l]] * jacobian[b][l][e];
            sum += twist * permutation(k, d, e) * s->gradient[k];
          }
          vd_store(to, part, sum);
        }
    }
}

static void spread(const SiteMap *map, const SiteDerivatives *s, const vd *x, int part, Vec8 *hess)
{
  vd r[3 * SITE_MAP_SITES];
  for (int e = 0; e < 3 * map->nsite; e++)
    r[e] = x[e] - x[e % 3];
  for (int a = 0; a < 3; a++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++) {
        Vec8 *to = hess + (size_t)((3 * a + d) * 9 + 3 * a + e);
        vd_store(to, part, vd_load(to, part) + s[a].hess[upper[d][e]]);
      }
  for (int v = 3; v < map->nsite; v++)
    spread_virtual(map, v, &s[v], r, part, hess);
}

/* Part `part` of pack p of x; `single`: molecules are in lanes. */
VEC_INLINE void hess_part(const SiteMap *map, const int nsite, const bool single, int per, int nmol, int p,
                          int part, const Vec8 *x, Vec8 *out)
{
  const int n = 3 * nsite;
  double qq[3];
  pair_charge_products(map, qq);
  SiteDerivatives s[SITE_MAP_SITES] = {0};
  vd xi[3 * SITE_MAP_SITES], xj[3 * SITE_MAP_SITES];
  for (int e = 0; e < n; e++)
    xi[e] = vd_load(x + (size_t)(p * n + e), part);
  for (int j = 0; j < nmol; j++) {
    if (!single && j == p / per)
      continue;
    const vi molecule = vi_lanes() + (p * LANES + part * WIDTH);
    const vi mask = single ? (molecule < nmol) & (molecule != j) : ~(vi){0};
    const Vec8 *from = x + (size_t)(n * (single ? j / LANES : j * per + p % per));
    for (int e = 0; e < n; e++)
      xj[e] = single ? vd_set(from[e][j % LANES]) : vd_load(from + e, part);
    accumulate(map, nsite, qq, mask, xi, xj, s);
  }
  spread(map, s, xi, part, out + 81 * (size_t)p);
}

VEC_INLINE void hess_sites(const SiteMap *map, const int nsite, int width, int nmol, int begin, int end,
                           const Vec8 *x, Vec8 *out)
{
  for (int p = begin; p < end; p++)
    for (int part = 0; part < REGISTERS; part++)
      if (width == 1)
        hess_part(map, nsite, true, 1, nmol, p, part, x, out);
      else
        hess_part(map, nsite, false, width / LANES, nmol, p, part, x, out);
}

static void hess(const SiteMap *map, int width, int nmol, int begin, int end, const Vec8 *x, Vec8 *out)
{
  PAIR_INSTANCE(hess_sites, map, width, nmol, begin, end, x, out);
}

extern const PairExtras ISA_SYMBOL(pair_extras_table);
const PairExtras ISA_SYMBOL(pair_extras_table) = {origin, hess};
