/* Functions shared by the passes over molecules and over individual atoms: positions to fractions and to
 * sites of the mesh, forces from the mesh, and its interaction of a pair. */
#ifndef HOLONOM_FORCEFIELDS_STAGE_VEC_H
#define HOLONOM_FORCEFIELDS_STAGE_VEC_H

#include <string.h>

#include "engine/units.h"
#include "engine/vecf.h"
#include "forcefields/pme_exclusion.h"
#include "forcefields/site_map_vec.h"
#include "forcefields/stage_kernels.h"

/* The nearest integer, where |a| < 2^51. */
VEC_INLINE vi stage_near_integer(vd a) { return (vi)(a + VEC_WHOLE) - (vi)vd_set(VEC_WHOLE); }

/* Fractions f[3] of the box, in [-1/2, 1/2], as rows of 32-bit integers. */
VEC_INLINE void stage_integer_rows(const vd f[3], int32_t rows[WIDTH][4])
{
  vi i[3];
  UNROLL
  for (int d = 0; d < 3; d++)
    i[d] = (vi)(f[d] * 4294967296.0 + VEC_WHOLE) & 0xffffffff;
  const vi xy = i[0] | i[1] << 32;
  UNROLL
  for (int l = 0; l < WIDTH; l++) {
    const int64_t row[2] = {xy[l], i[2][l]};
    memcpy(rows[l], row, sizeof row);
  }
}

/* The grid point at or below u n, and the remainder t, which may be 1 instead of 0 at the next point. */
VEC_INLINE vd stage_split(vd u, double n, vd *t)
{
  u -= vd_whole(u);
  u = vd_select(u < 0.0, u + 1.0, u);
  const vd v = u * n, k = vd_max(vd_min(vd_whole(v - 0.5), vd_set(n - 1.0)), vd_set(0.0)); /* NaN: n - 1 */
  *t = v - k;
  return k;
}

/* Writes positions in cells and charges of WIDTH sites. */
VEC_INLINE void stage_mesh_row(PmePrecision precision, const vd t[3], const PmeSites *sites, ptrdiff_t at)
{
  if (precision == PME_DOUBLE) {
    vd q;
    memcpy(&q, (const double *)sites->charge + at, sizeof q);
    vd_rows4((const vd[4]){t[0], t[1], t[2], q}, (double *)sites->row + 4 * at);
  } else {
    vh q;
    memcpy(&q, (const float *)sites->charge + at, sizeof q);
    vh_rows4((const vh[4]){vh_narrow(t[0]), vh_narrow(t[1]), vh_narrow(t[2]), q},
             (float *)sites->row + 4 * at);
  }
}

/* u + component d of a vector in fractions of the edges. */
VEC_INLINE vd stage_fraction(const Box *box, vd u, const vd x[3], const int d)
{
  UNROLL
  for (int e = 2; e >= d; e--)
    u += x[e] * box->inverse[e][d];
  return u;
}

/* A site at x[3]: f[3] = its fractions of the box minus integers, r[3] = x minus as many edges; returns the
 * mask of lanes with valid coordinates. */
VEC_INLINE vi stage_wrap(const Box *box, const vd x[3], vd f[3], vd r[3])
{
  vi sound = (vi){0} - 1;
  UNROLL
  for (int d = 0; d < 3; d++) {
    const vd u = stage_fraction(box, vd_set(0.0), x, d), images = vd_whole(u);
    sound &= vd_abs(u) < STAGE_ABSURD;
    f[d] = u - images;
    r[d] = x[d];
    UNROLL
    for (int e = 0; e <= d; e++)
      r[e] -= box->h[d][e] * images;
  }
  return sound;
}

/* Writes WIDTH sites of the mesh at fractions f[3], from number `at` on. */
VEC_INLINE void stage_mesh_site(const StageMesh *mesh, const vd f[3], ptrdiff_t at)
{
  vd t[3];
  vi cell = {0};
  UNROLL
  for (int d = 0; d < 3; d++) {
    const vd k = stage_split(f[d], mesh->mesh->n[d], &t[d]);
    cell = cell << 10 | stage_near_integer(k);
  }
  const vi tag = (at + vi_lanes()) << 32 | cell;
  memcpy(mesh->sites->tag + at, &tag, sizeof tag);
  stage_mesh_row(mesh->precision, t, mesh->sites, at);
}

/* g[n][3] = forces of the mesh on charged sites, from number `at` on. */
VEC_INLINE void stage_read_mesh(const StageForces *forces, const int n, ptrdiff_t at, vd *g)
{
  if (forces->mesh->precision == PME_DOUBLE) {
    UNROLL
    for (int s = 0; s < n; s++)
      vd_columns3((const double *)forces->charged + 4 * (at + s * LANES), g + 3 * s);
    return;
  }
  UNROLL
  for (int s = 0; s < n; s++) {
    vh column[3];
    vh_columns3((const float *)forces->charged + 4 * (at + s * LANES), column);
    UNROLL
    for (int d = 0; d < 3; d++)
      g[3 * s + d] = vh_widen(column[d]);
  }
}

/* Lanes beyond the polynomial's range. */
static __attribute__((noinline)) void stage_plainly(const StageErf *e, const vd *r2, vd *value, vd *slope)
{
  for (int l = 0; l < WIDTH; l++)
    if (!((*r2)[l] <= e->most)) {
      double factor;
      (*value)[l] = -pme_exclusion_pair(e->beta, 1.0 / UNITS_COULOMB, (*r2)[l], &factor);
      (*slope)[l] = 0.5 * factor;
    }
}

/* erf(beta r)/r of n pairs, and its derivative by r^2. */
VEC_INLINE void stage_potentials(const StageErf *e, const int n, const vd *r2, vd *value, vd *slope)
{
  vd w[STAGE_PAIRS];
  UNROLL
  for (int k = 0; k < n; k++) {
    w[k] = e->scale * r2[k] - 1.0;
    value[k] = vd_set(e->c[e->n - 1]);
    slope[k] = vd_set(0.0);
  }
  for (int i = e->n - 2; i >= 0; i--) {
    UNROLL
    for (int k = 0; k < n; k++) {
      slope[k] = slope[k] * w[k] + value[k];
      value[k] = value[k] * w[k] + e->c[i];
    }
  }
  UNROLL
  for (int k = 0; k < n; k++) {
    slope[k] *= e->scale;
    if (vi_bits(~(r2[k] <= e->most)) != 0)
      stage_plainly(e, &r2[k], &value[k], &slope[k]);
  }
}

/* sums += the first `lanes` lanes, rounded, of numbers below 2^19. */
VEC_INLINE void stage_add_sums(const vd w[STAGE_SUMS], int lanes, int64_t *sums)
{
  for (int k = 0; k < STAGE_SUMS; k++) {
    const vi v = stage_near_integer((double)(INT64_C(1) << WATER_FLOAT_SITE_BITS) * w[k]);
    for (int l = 0; l < lanes; l++)
      sums[k] += v[l];
  }
}

#endif
