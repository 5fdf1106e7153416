/* Private to the pair kernels: converts positions of atoms to sites in packs of the kernels, and forces
 * back. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_STAGE_H
#define HOLONOM_FORCEFIELDS_PAIR_STAGE_H

#include "forcefields/pair_kernels.h"
#include "forcefields/pair_real.h"
#include "forcefields/site_map_vec.h"

/* Maps of four sites are planar; maps of five may not be. */
VEC_INLINE bool pair_planar(const int nsite) { return nsite < 5; }

/* Sites relative to the oxygen, without x[0..2], and the oxygen's position. */
VEC_INLINE void pair_relative(const SiteMap *map, const int nsite, const Vec8 *q, int part, vd *oxygen, vd *x)
{
  UNROLL
  for (int d = 0; d < 3; d++) {
    oxygen[d] = vd_load(q + d, part);
    x[d] = vd_set(0.0);
    x[3 + d] = vd_load(q + 3 + d, part) - oxygen[d];
    x[6 + d] = vd_load(q + 6 + d, part) - oxygen[d];
  }
  site_map_place_vd(map, nsite, pair_planar(nsite), x);
}

/* See PairKernels.stage. Without an origin the atoms' positions keep their bits. An odd last pack is joined
 * with itself. Lanes that do not exist are placed so that they produce no denormal numbers, which take a
 * hundred times as long. */
VEC_INLINE void pair_stage(const SiteMap *map, const int nsite, int begin, int end, int npack, int used,
                           const Vec8 *q, const Vec8 *origin, Real *x)
{
  const vd none[3] = {vd_set(0.0), vd_set(0.0), vd_set(0.0)};
  for (int p = begin; p < end; p++)
    for (int r = 0; r < REGISTERS; r++) {
      vd site[3 * SITE_MAP_SITES][REAL_PACKS];
      for (int h = 0; h < REAL_PACKS; h++) {
        const int from = pair_pack(p, r, h), pack = from < npack ? from : npack - 1, part = pair_part(r, h);
        const Vec8 *atom = q + 9 * (size_t)pack;
        vd oxygen[3], to[3 * SITE_MAP_SITES];
        pair_relative(map, nsite, atom, part, oxygen, to);
        UNROLL
        for (int e = 0; e < 3 * nsite; e++) {
          const vd middle = origin != NULL ? vd_load(origin + 3 * (pack % 2) + e % 3, part) : none[e % 3];
          site[e][h] = (e < 9 ? vd_load(atom + e, part) : oxygen[e % 3] + to[e]) - middle;
        }
      }
      const RealMask exist = real_first(used - p * REAL_PACK - r * REALS);
      for (int e = 0; e < 3 * nsite; e++) {
        const Real a = real_join(site[e]);
        x[((size_t)p * (size_t)(3 * nsite) + (size_t)e) * REGISTERS + (size_t)r] =
            origin != NULL ? (Real)(((RealMask)a & exist) | ((RealMask)real_set(1000.0) & ~exist)) : a;
      }
    }
}

/* See PairKernels.collect. Adds buffers in order, as doubles. */
VEC_INLINE void pair_collect(const SiteMap *map, const int nsite, int begin, int end,
                             const PairBuffers buffers, const Vec8 *q, Vec8 *f)
{
  const Real *const data = buffers.data;
  for (int p = begin; p < end; p++)
    for (int r = 0; r < REGISTERS; r++) {
      vd g[REAL_PACKS][3 * SITE_MAP_SITES] = {{{0}}};
      for (int k = 0; k < buffers.n && buffers.first[k] <= p; k++) {
        const Real *from = data +
                           ((size_t)k * (size_t)buffers.size + (size_t)p * (size_t)(3 * nsite)) * REGISTERS +
                           (size_t)r;
        UNROLL
        for (int e = 0; e < 3 * nsite; e++) {
          vd add[REAL_PACKS];
          real_split(from[e * REGISTERS], add);
          for (int h = 0; h < REAL_PACKS; h++)
            g[h][e] += add[h];
        }
      }
      for (int h = 0; h < REAL_PACKS; h++) {
        const int pack = pair_pack(p, r, h), part = pair_part(r, h);
        if (pack >= buffers.npack)
          continue;
        if (nsite > 3) {
          vd oxygen[3], x[3 * SITE_MAP_SITES];
          pair_relative(map, nsite, q + 9 * (size_t)pack, part, oxygen, x);
          site_map_spread_vd(map, nsite, pair_planar(nsite), x, g[h]);
        }
        Vec8 *to = f + 9 * (size_t)pack;
        UNROLL
        for (int e = 0; e < 9; e++)
          vd_store(to + e, part, buffers.fill ? g[h][e] : vd_load(to + e, part) + g[h][e]);
      }
    }
}

#endif
