#include <math.h>
#include <string.h>

#include "engine/octet.h"
#include "forcefields/mesh_kernels.h"
#include "forcefields/pme_exclusion.h"

typedef float Single __attribute__((vector_size(4 * LANES)));

/* --- sites of a pack ------------------------------------------------------------------------------------ */

/* Charged sites: x[site][3]. */
VEC_INLINE void place(const int nsite, const bool massless, const MeshBlock *b, const Octet *q, Octet *x)
{
#pragma GCC unroll 9
  for (int k = 0; k < 3 * nsite; k++)
    x[k] = q[k];
#pragma GCC unroll 3
  for (int d = 0; massless && d < 3; d++)
    x[d] = (1.0 - 2.0 * b->weight) * q[d] + b->weight * (q[3 + d] + q[6 + d]);
}

/* The point at or below u n and what is left, for u less than 2^51; t is 1 at times instead of 0 in the next.
 */
VEC_INLINE Octet split(Octet u, double n, Octet *t)
{
  u -= (u + VEC_WHOLE) - VEC_WHOLE;
  u = octet_select(u < 0.0, u + 1.0, u);
  const Octet v = u * n;
  Octet k = ((v - 0.5) + VEC_WHOLE) - VEC_WHOLE;
  k = octet_max(octet_min(k, octet_set(n - 1.0)), octet_set(0.0)); /* NaN: n - 1, and t is NaN */
  *t = v - k;
  return k;
}

/* t and charges of eight sites as rows. */
VEC_INLINE void write_rows(const PmePrecision precision, const Octet t[3], const PmeSites *out, ptrdiff_t at)
{
  if (precision == PME_DOUBLE) {
    double *row = (double *)out->row + 4 * at;
    for (int l = 0; l < LANES; l++) {
      for (int d = 0; d < 3; d++)
        row[4 * l + d] = t[d][l];
      row[4 * l + 3] = ((const double *)out->charge)[at + l];
    }
    return;
  }
  Single q;
  memcpy(&q, (const float *)out->charge + at, sizeof q);
  const Single x = __builtin_convertvector(t[0], Single), y = __builtin_convertvector(t[1], Single),
               z = __builtin_convertvector(t[2], Single);
  const OctetFloats xy = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15),
                    zq = __builtin_shufflevector(z, q, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  const OctetFloats row[2] = {
      __builtin_shufflevector(xy, zq, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
      __builtin_shufflevector(xy, zq, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)};
  memcpy((float *)out->row + 4 * at, row, sizeof row);
}

VEC_INLINE int stage(const PmePrecision precision, const int nsite, const bool massless, const PmeMesh *mesh,
                     const MeshBlock *b, const double scale[3], const Octet *q, const Octet *active,
                     int begin, int end, const PmeSites *out)
{
  const double n[3] = {mesh->n[0], mesh->n[1], mesh->n[2]};
  int unfit = -1;
  for (int p = begin; p < end; p++) {
    Octet x[9];
    OctetMask sound = (OctetMask){0} - 1;
    place(nsite, massless, b, q + (ptrdiff_t)p * nsite * 3, x);
#pragma GCC unroll 3
    for (int s = 0; s < nsite; s++) {
      const ptrdiff_t at = b->first + ((ptrdiff_t)p * nsite + s) * LANES;
      Octet t[3];
      OctetMask cell = {0};
#pragma GCC unroll 3
      for (int d = 0; d < 3; d++) {
        const Octet u = x[3 * s + d] * scale[d];
        const Octet k = split(u, n[d], &t[d]);
        sound &= octet_abs(u) < MESH_BOXES;
        cell = cell << 10 | ((OctetMask)(k + VEC_WHOLE) - (OctetMask)octet_set(VEC_WHOLE));
      }
      const OctetMask tag = (at + (OctetMask){0, 1, 2, 3, 4, 5, 6, 7}) << 32 | cell;
      memcpy(out->tag + at, &tag, sizeof tag);
      write_rows(precision, t, out, at);
    }
    if (unfit < 0 && octet_bits(~sound & (active[p] != 0.0)) != 0)
      unfit = p;
  }
  return unfit;
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* f[3] from force[LANES][4]. */
VEC_INLINE void columns(const PmePrecision precision, const void *force, ptrdiff_t at, Octet *f)
{
  if (precision == PME_DOUBLE) {
    const double *row = (const double *)force + 4 * at;
#pragma GCC unroll 3
    for (int d = 0; d < 3; d++)
      f[d] = (Octet){row[d],      row[d + 4],  row[d + 8],  row[d + 12],
                     row[d + 16], row[d + 20], row[d + 24], row[d + 28]};
    return;
  }
  OctetFloats a, b;
  memcpy(&a, (const float *)force + 4 * at, sizeof a);
  memcpy(&b, (const float *)force + 4 * at + 16, sizeof b);
  f[0] = __builtin_convertvector(__builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28), Octet);
  f[1] = __builtin_convertvector(__builtin_shufflevector(a, b, 1, 5, 9, 13, 17, 21, 25, 29), Octet);
  f[2] = __builtin_convertvector(__builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30), Octet);
}

/* Lanes that the polynomial does not reach. */
static __attribute__((noinline)) void plainly(const MeshErf *e, const Octet *r2, Octet *value, Octet *slope)
{
  for (int l = 0; l < LANES; l++)
    if (!((*r2)[l] <= e->most)) {
      double factor;
      (*value)[l] = -pme_exclusion_pair(e->beta, 1.0, (*r2)[l], &factor);
      (*slope)[l] = 0.5 * factor;
    }
}

/* erf(beta r)/r of the three pairs, and its derivative by r^2. */
VEC_INLINE void potentials(const MeshErf *e, const Octet r2[3], Octet value[3], Octet slope[3])
{
  Octet w[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    w[k] = e->scale * r2[k] - 1.0;
    value[k] = octet_set(e->c[e->n - 1]);
    slope[k] = octet_set(0.0);
  }
  for (int i = e->n - 2; i >= 0; i--)
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
      slope[k] = slope[k] * w[k] + value[k];
      value[k] = value[k] * w[k] + e->c[i];
    }
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    slope[k] *= e->scale;
    if (octet_bits(~(r2[k] <= e->most)) != 0)
      plainly(e, &r2[k], &value[k], &slope[k]);
  }
}

/* Takes out of f[3][3] what the mesh holds of pairs inside molecules x[3][3]. */
VEC_INLINE void exclude(const MeshBlock *b, const MeshErf *e, const Octet *x, Octet active, Octet *f,
                        Octet *total)
{
  static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
  Octet r[3][3], r2[3], value[3], slope[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
#pragma GCC unroll 3
    for (int d = 0; d < 3; d++)
      r[k][d] = x[3 * first[k] + d] - x[3 * second[k] + d];
    r2[k] = r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2];
  }
  potentials(e, r2, value, slope);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    const Octet factor = 2.0 * b->qq[k] * slope[k];
#pragma GCC unroll 3
    for (int d = 0; d < 3; d++) {
      f[3 * first[k] + d] += factor * r[k][d];
      f[3 * second[k] + d] -= factor * r[k][d];
    }
    if (total == NULL)
      continue;
    const Octet counted = active * factor;
    total[0] -= active * b->qq[k] * value[k];
#pragma GCC unroll 3
    for (int d = 0; d < 3; d++)
      total[1 + d] += counted * r[k][d] * r[k][d];
    total[4] += counted * r[k][0] * r[k][1];
    total[5] += counted * r[k][0] * r[k][2];
    total[6] += counted * r[k][1] * r[k][2];
  }
}

VEC_INLINE void deliver(const PmePrecision precision, const int nsite, const bool massless, const bool sum,
                        const MeshBlock *b, const MeshErf *e, const void *force, const double net[3],
                        const Octet *q, const Octet *active, int begin, int end, Octet *f, double *sums)
{
  Octet total[MESH_SUMS] = {{0}};
  for (int p = begin; p < end; p++) {
    Octet x[9], g[9];
    Octet *to = f + (ptrdiff_t)p * nsite * 3;
#pragma GCC unroll 3
    for (int s = 0; s < nsite; s++)
      columns(precision, force, b->first + ((ptrdiff_t)p * nsite + s) * LANES, g + 3 * s);
    if (nsite == 3) {
      place(nsite, massless, b, q + (ptrdiff_t)p * nsite * 3, x);
      exclude(b, e, x, active[p], g, sum ? total : NULL);
    }
#pragma GCC unroll 3
    for (int d = 0; massless && d < 3; d++) {
      g[3 + d] += b->weight * g[d];
      g[6 + d] += b->weight * g[d];
      g[d] *= 1.0 - 2.0 * b->weight;
    }
#pragma GCC unroll 9
    for (int k = 0; k < 3 * nsite; k++)
      to[k] += active[p] * (g[k] - b->mass[k / 3] * net[k % 3]);
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
