/* Molecules by their site maps, one register of molecules at a time. */
#ifndef HOLONOM_FORCEFIELDS_SITE_MAP_VEC_H
#define HOLONOM_FORCEFIELDS_SITE_MAP_VEC_H

#include "engine/vec.h"
#include "engine/vec8.h"
#include "forcefields/site_map.h"
#include "topology/virtual_site_vec.h"

SITE_MAP_FUNCTIONS(vd, vd)

/* Constants of a water's map, so that loops unroll. */
typedef struct SiteShape {
  int nsite;
  bool planar;
} SiteShape;

/* See site_map_first_charged. */
VEC_INLINE int site_shape_charged(const SiteShape shape)
{
  return site_map_first_charged(SITE_MAP_ATOMS, shape.nsite);
}

/* Calls the macro `run` with the shape of a map of `nsite` sites. */
#define SITE_SHAPE(nsite, run)                                                                               \
  ((nsite) == 3   ? run(((SiteShape){3, true}))                                                              \
   : (nsite) == 4 ? run(((SiteShape){4, true}))                                                              \
                  : run(((SiteShape){5, false})))

/* Loads atoms x[atom][3] of part `part` of a pack, and sites r[site][3] relative to the first. */
VEC_INLINE void site_map_load(const SiteShape shape, const SiteMap *map, const Vec8 *q, const int part, vd *x,
                              vd *r)
{
  UNROLL
  for (int k = 0; k < 3 * SITE_MAP_ATOMS; k++)
    x[k] = vd_load(q + k, part);
  UNROLL
  for (int k = 0; k < 3 * SITE_MAP_ATOMS; k++)
    r[k] = x[k] - x[k % 3];
  site_map_place_vd(map, shape.nsite, shape.planar, r);
}

#endif
