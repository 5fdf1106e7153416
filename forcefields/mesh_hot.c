#include <string.h>

#include "engine/vecf.h"
#include "forcefields/mesh_kernels.h"
#include "forcefields/pme_exclusion.h"
#include "forcefields/site_map_vec.h"

/* --- forces --------------------------------------------------------------------------------------------- */

/* f[3] of WIDTH sites from force[site][4]. */
VEC_INLINE void columns(const PmePrecision precision, const void *force, ptrdiff_t at, vd *f)
{
  if (precision == PME_DOUBLE) {
    vd_columns3((const double *)force + 4 * at, f);
    return;
  }
  vh column[3];
  vh_columns3((const float *)force + 4 * at, column);
  UNROLL
  for (int d = 0; d < 3; d++)
    f[d] = vh_widen(column[d]);
}

/* Lanes that the polynomial does not reach. */
static __attribute__((noinline)) void plainly(const MeshErf *e, const vd *r2, vd *value, vd *slope)
{
  for (int l = 0; l < WIDTH; l++)
    if (!((*r2)[l] <= e->most)) {
      double factor;
      (*value)[l] = -pme_exclusion_pair(e->beta, 1.0, (*r2)[l], &factor);
      (*slope)[l] = 0.5 * factor;
    }
}

/* erf(beta r)/r of some pairs, and its derivative by r^2. */
VEC_INLINE void potentials(const MeshErf *e, const int n, const vd *r2, vd *value, vd *slope)
{
  vd w[MESH_PAIRS];
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
      plainly(e, &r2[k], &value[k], &slope[k]);
  }
}

/* total += weight r f as a virial. */
VEC_INLINE void add_virial(vd weight, const vd *r, const vd *f, vd *total)
{
  UNROLL
  for (int d = 0; d < 3; d++)
    total[1 + d] += weight * r[d] * f[d];
  total[4] += weight * r[0] * f[1];
  total[5] += weight * r[0] * f[2];
  total[6] += weight * r[1] * f[2];
}

/* Takes out of f[n][3] what the mesh holds of pairs inside molecules x[n][3], from any origin. */
VEC_INLINE void exclude(const MeshBlock *b, const MeshErf *e, const int n, const vd *x, vd active, vd *f,
                        vd *total)
{
  vd r[MESH_PAIRS][3], r2[MESH_PAIRS], value[MESH_PAIRS], slope[MESH_PAIRS];
  int pair = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    UNROLL
    for (int j = i + 1; j < n; j++, pair++) {
      UNROLL
      for (int d = 0; d < 3; d++)
        r[pair][d] = x[3 * i + d] - x[3 * j + d];
      r2[pair] = vd_dot3(r[pair], r[pair]);
    }
  }
  potentials(e, pair, r2, value, slope);
  pair = 0;
  UNROLL
  for (int i = 0; i < n; i++) {
    UNROLL
    for (int j = i + 1; j < n; j++, pair++) {
      const vd factor = 2.0 * b->qq[pair] * slope[pair];
      UNROLL
      for (int d = 0; d < 3; d++) {
        f[3 * i + d] += factor * r[pair][d];
        f[3 * j + d] -= factor * r[pair][d];
      }
      if (total == NULL)
        continue;
      total[0] -= active * b->qq[pair] * value[pair];
      add_virial(active * factor, r[pair], r[pair], total);
    }
  }
}

/* From forces on sites to those on atoms; what that changes in the virial. */
VEC_INLINE void spread(const SiteShape shape, const SiteMap *map, const vd *r, vd active, vd *g, vd *total)
{
  if (shape.nsite == shape.natom)
    return;
  for (int s = 1; !shape.planar && total != NULL && s < shape.nsite; s++)
    add_virial(-active, r + 3 * s, g + 3 * s, total);
  site_map_spread_vd(map, shape.nsite, shape.planar, r, g);
  for (int s = 1; !shape.planar && total != NULL && s < shape.natom; s++)
    add_virial(active, r + 3 * s, g + 3 * s, total);
}

VEC_INLINE void deliver_part(const PmePrecision precision, const SiteShape shape, const MeshBlock *b,
                             const MeshErf *e, const void *force, const double net[3], const Octet *q,
                             const Octet *active, int pack, const int part, Octet *f, vd *total)
{
  const int from = site_shape_charged(shape), n = shape.nsite - from;
  const vd on = vd_load(active + pack, part);
  vd x[3 * SITE_MAP_ATOMS], r[3 * SITE_MAP_SITES], g[3 * SITE_MAP_SITES];
  vd *const own = g + 3 * from;
  Octet *to = f + (ptrdiff_t)pack * shape.natom * 3;
  UNROLL
  for (int k = 0; k < 3 * from; k++)
    g[k] = vd_set(0.0);
  UNROLL
  for (int s = 0; s < n; s++)
    columns(precision, force, b->first + ((ptrdiff_t)pack * n + s) * LANES + part * WIDTH, own + 3 * s);
  if (shape.nsite > 1) {
    site_map_load(shape, &b->map, q + (ptrdiff_t)pack * shape.natom * 3, part, x, r);
    exclude(b, e, n, r + 3 * from, on, own, total);
    spread(shape, &b->map, r, on, g, total);
  }
  UNROLL
  for (int k = 0; k < 3 * shape.natom; k++)
    vd_store(to + k, part, vd_load(to + k, part) + on * (g[k] - b->mass[k / 3] * net[k % 3]));
}

VEC_INLINE void deliver(const PmePrecision precision, const SiteShape shape, const bool sum,
                        const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],
                        const Octet *q, const Octet *active, int begin, int end, Octet *f, double *sums)
{
  Octet total[MESH_SUMS] = {{0}};
  for (int part = 0; part < PARTS; part++) {
    vd mine[MESH_SUMS] = {{0}};
    for (int p = begin; p < end; p++)
      deliver_part(precision, shape, b, e, force, net, q, active, p, part, f, sum ? mine : NULL);
    for (int k = 0; sum && k < MESH_SUMS; k++)
      vd_store(&total[k], part, mine[k]);
  }
  for (int k = 0; sum && k < MESH_SUMS; k++)
    sums[k] += octet_sum(total[k]);
}

/* --- the variants --------------------------------------------------------------------------------------- */

#define DELIVER(shape)                                                                                       \
  (sums == NULL ? deliver(precision, shape, false, b, e, force, net, q, active, begin, end, f, NULL)         \
                : deliver(precision, shape, true, b, e, force, net, q, active, begin, end, f, sums))

VEC_INLINE void deliver_any(const PmePrecision precision, const MeshBlock *b, const MeshErf *e,
                            const void *force, const double net[3], const Octet *q, const Octet *active,
                            int begin, int end, Octet *f, double *sums)
{
  SITE_SHAPE(b->map.nsite, DELIVER);
}

#define VARIANTS(name, precision)                                                                            \
  static void deliver_##name(const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],   \
                             const Octet *q, const Octet *active, int begin, int end, Octet *f,              \
                             double *sums)                                                                   \
  {                                                                                                          \
    deliver_any(precision, b, e, force, net, q, active, begin, end, f, sums);                                \
  }

VARIANTS(double, PME_DOUBLE)
VARIANTS(float, PME_FLOAT)

const MeshKernels ISA_SYMBOL(mesh_kernels_table) = {{deliver_double, deliver_float}};
