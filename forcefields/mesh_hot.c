#include <string.h>

#include "engine/vecf.h"
#include "forcefields/mesh_kernels.h"
#include "forcefields/pme_exclusion.h"

/* --- sites of a pack, a register of its lanes at a time ------------------------------------------------- */

/* Charged sites: x[site][3]. */
VEC_INLINE void place(const int nsite, const bool massless, const MeshBlock *b, const Octet *q,
                      const int part, vd *x)
{
  UNROLL
  for (int k = 0; k < 3 * nsite; k++)
    x[k] = vd_load(q + k, part);
  UNROLL
  for (int d = 0; massless && d < 3; d++)
    x[d] = (1.0 - 2.0 * b->weight) * x[d] + b->weight * (x[3 + d] + x[6 + d]);
}

/* The point at or below u n and what is left, for u less than 2^51; t is 1 at times instead of 0 in the next.
 */
VEC_INLINE vd split(vd u, double n, vd *t)
{
  u -= (u + VEC_WHOLE) - VEC_WHOLE;
  u = vd_select(u < 0.0, u + 1.0, u);
  const vd v = u * n;
  vd k = ((v - 0.5) + VEC_WHOLE) - VEC_WHOLE;
  k = vd_max(vd_min(k, vd_set(n - 1.0)), vd_set(0.0)); /* NaN: n - 1, and t is NaN */
  *t = v - k;
  return k;
}

/* t and charges of WIDTH sites as rows. */
VEC_INLINE void write_rows(const PmePrecision precision, const vd t[3], const PmeSites *out, ptrdiff_t at)
{
  if (precision == PME_DOUBLE) {
    vd q;
    memcpy(&q, (const double *)out->charge + at, sizeof q);
    vd_rows4((const vd[4]){t[0], t[1], t[2], q}, (double *)out->row + 4 * at);
  } else {
    vh q;
    memcpy(&q, (const float *)out->charge + at, sizeof q);
    vh_rows4((const vh[4]){__builtin_convertvector(t[0], vh), __builtin_convertvector(t[1], vh),
                           __builtin_convertvector(t[2], vh), q},
             (float *)out->row + 4 * at);
  }
}

/* Lanes of one register of pack `pack`: rows and tags of its sites; the mask of those that are somewhere. */
VEC_INLINE vi stage_part(const PmePrecision precision, const int nsite, const bool massless,
                         const PmeMesh *mesh, const MeshBlock *b, const double scale[3], const Octet *q,
                         int pack, const int part, const PmeSites *out)
{
  vd x[9];
  vi sound = (vi){0} - 1;
  place(nsite, massless, b, q + (ptrdiff_t)pack * nsite * 3, part, x);
  UNROLL
  for (int s = 0; s < nsite; s++) {
    const ptrdiff_t at = b->first + ((ptrdiff_t)pack * nsite + s) * LANES + part * WIDTH;
    vd t[3];
    vi cell = {0};
    UNROLL
    for (int d = 0; d < 3; d++) {
      const vd u = x[3 * s + d] * scale[d];
      const vd k = split(u, mesh->n[d], &t[d]);
      sound &= vd_abs(u) < MESH_BOXES;
      cell = cell << 10 | ((vi)(k + VEC_WHOLE) - (vi)vd_set(VEC_WHOLE));
    }
    const vi tag = (at + vi_lanes()) << 32 | cell;
    memcpy(out->tag + at, &tag, sizeof tag);
    write_rows(precision, t, out, at);
  }
  return sound;
}

VEC_INLINE int stage(const PmePrecision precision, const int nsite, const bool massless, const PmeMesh *mesh,
                     const MeshBlock *b, const double scale[3], const Octet *q, const Octet *active,
                     int begin, int end, const PmeSites *out)
{
  int unfit = -1;
  for (int p = begin; p < end; p++) {
    vi lost = {0};
    for (int part = 0; part < PARTS; part++)
      lost |= ~stage_part(precision, nsite, massless, mesh, b, scale, q, p, part, out) &
              (vd_load(active + p, part) != 0.0);
    if (unfit < 0 && vi_bits(lost) != 0)
      unfit = p;
  }
  return unfit;
}

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
    f[d] = __builtin_convertvector(column[d], vd);
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

/* erf(beta r)/r of the three pairs, and its derivative by r^2. */
VEC_INLINE void potentials(const MeshErf *e, const vd r2[3], vd value[3], vd slope[3])
{
  vd w[3];
  UNROLL
  for (int k = 0; k < 3; k++) {
    w[k] = e->scale * r2[k] - 1.0;
    value[k] = vd_set(e->c[e->n - 1]);
    slope[k] = vd_set(0.0);
  }
  for (int i = e->n - 2; i >= 0; i--) {
    UNROLL
    for (int k = 0; k < 3; k++) {
      slope[k] = slope[k] * w[k] + value[k];
      value[k] = value[k] * w[k] + e->c[i];
    }
  }
  UNROLL
  for (int k = 0; k < 3; k++) {
    slope[k] *= e->scale;
    if (vi_bits(~(r2[k] <= e->most)) != 0)
      plainly(e, &r2[k], &value[k], &slope[k]);
  }
}

/* Takes out of f[3][3] what the mesh holds of pairs inside molecules x[3][3]. */
VEC_INLINE void exclude(const MeshBlock *b, const MeshErf *e, const vd *x, vd active, vd *f, vd *total)
{
  static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
  vd r[3][3], r2[3], value[3], slope[3];
  UNROLL
  for (int k = 0; k < 3; k++) {
    UNROLL
    for (int d = 0; d < 3; d++)
      r[k][d] = x[3 * first[k] + d] - x[3 * second[k] + d];
    r2[k] = vd_dot3(r[k], r[k]);
  }
  potentials(e, r2, value, slope);
  UNROLL
  for (int k = 0; k < 3; k++) {
    const vd factor = 2.0 * b->qq[k] * slope[k];
    UNROLL
    for (int d = 0; d < 3; d++) {
      f[3 * first[k] + d] += factor * r[k][d];
      f[3 * second[k] + d] -= factor * r[k][d];
    }
    if (total == NULL)
      continue;
    const vd counted = active * factor;
    total[0] -= active * b->qq[k] * value[k];
    UNROLL
    for (int d = 0; d < 3; d++)
      total[1 + d] += counted * r[k][d] * r[k][d];
    total[4] += counted * r[k][0] * r[k][1];
    total[5] += counted * r[k][0] * r[k][2];
    total[6] += counted * r[k][1] * r[k][2];
  }
}

VEC_INLINE void deliver_part(const PmePrecision precision, const int nsite, const bool massless,
                             const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],
                             const Octet *q, const Octet *active, int pack, const int part, Octet *f,
                             vd *total)
{
  const vd on = vd_load(active + pack, part);
  vd x[9], g[9];
  Octet *to = f + (ptrdiff_t)pack * nsite * 3;
  UNROLL
  for (int s = 0; s < nsite; s++)
    columns(precision, force, b->first + ((ptrdiff_t)pack * nsite + s) * LANES + part * WIDTH, g + 3 * s);
  if (nsite == 3) {
    place(nsite, massless, b, q + (ptrdiff_t)pack * nsite * 3, part, x);
    exclude(b, e, x, on, g, total);
  }
  UNROLL
  for (int d = 0; massless && d < 3; d++) {
    g[3 + d] += b->weight * g[d];
    g[6 + d] += b->weight * g[d];
    g[d] *= 1.0 - 2.0 * b->weight;
  }
  UNROLL
  for (int k = 0; k < 3 * nsite; k++)
    vd_store(to + k, part, vd_load(to + k, part) + on * (g[k] - b->mass[k / 3] * net[k % 3]));
}

VEC_INLINE void deliver(const PmePrecision precision, const int nsite, const bool massless, const bool sum,
                        const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],
                        const Octet *q, const Octet *active, int begin, int end, Octet *f, double *sums)
{
  Octet total[MESH_SUMS] = {{0}};
  for (int part = 0; part < PARTS; part++) {
    vd mine[MESH_SUMS] = {{0}};
    for (int p = begin; p < end; p++)
      deliver_part(precision, nsite, massless, b, e, force, net, q, active, p, part, f, sum ? mine : NULL);
    for (int k = 0; sum && k < MESH_SUMS; k++)
      vd_store(&total[k], part, mine[k]);
  }
  for (int k = 0; sum && k < MESH_SUMS; k++)
    sums[k] += octet_sum(total[k]);
}

/* --- the variants --------------------------------------------------------------------------------------- */

#define VARIANTS(name, precision)                                                                            \
  static int stage_##name(const PmeMesh *mesh, const MeshBlock *b, const double scale[3], const Octet *q,    \
                          const Octet *active, int begin, int end, const PmeSites *out)                      \
  {                                                                                                          \
    if (b->nsite == 1)                                                                                       \
      return stage(precision, 1, false, mesh, b, scale, q, active, begin, end, out);                         \
    if (b->weight == 0.0)                                                                                    \
      return stage(precision, 3, false, mesh, b, scale, q, active, begin, end, out);                         \
    return stage(precision, 3, true, mesh, b, scale, q, active, begin, end, out);                            \
  }                                                                                                          \
  static void deliver_##name(const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],   \
                             const Octet *q, const Octet *active, int begin, int end, Octet *f,              \
                             double *sums)                                                                   \
  {                                                                                                          \
    if (b->nsite == 1)                                                                                       \
      deliver(precision, 1, false, false, b, e, force, net, q, active, begin, end, f, NULL);                 \
    else if (b->weight == 0.0 && sums == NULL)                                                               \
      deliver(precision, 3, false, false, b, e, force, net, q, active, begin, end, f, NULL);                 \
    else if (b->weight == 0.0)                                                                               \
      deliver(precision, 3, false, true, b, e, force, net, q, active, begin, end, f, sums);                  \
    else if (sums == NULL)                                                                                   \
      deliver(precision, 3, true, false, b, e, force, net, q, active, begin, end, f, NULL);                  \
    else                                                                                                     \
      deliver(precision, 3, true, true, b, e, force, net, q, active, begin, end, f, sums);                   \
  }

VARIANTS(double, PME_DOUBLE)
VARIANTS(float, PME_FLOAT)

const MeshKernels ISA_SYMBOL(mesh_kernels_table) = {{stage_double, stage_float},
                                                    {deliver_double, deliver_float}};
