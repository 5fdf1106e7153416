/* Virtual sites: each kind has a kernel with the kind's constants. */
#include "forcefields/virtual_lanes_kernels.h"
#include "topology/virtual_site_vec.h"

/* Atoms j, k and l relative to i. */
VEC_INLINE void relative(const VirtualSiteKind kind, const VirtualEight *eight, int part, vd r[9])
{
  UNROLL
  for (int k = 0; k < 3 * virtual_site_vectors(kind); k++)
    r[k] = vd_load(&eight->x[3 + k], part) - vd_load(&eight->x[k % 3], part);
}

VEC_INLINE unsigned place_kind(const VirtualSiteKind kind, VirtualEight *eight)
{
  unsigned lost = 0;
  for (int part = 0; part < REGISTERS; part++) {
    const vi used = register_mask(eight->used, part);
    vd r[9], at[3];
    relative(kind, eight, part, r);
    const vd known = virtual_site_place_vd(kind, eight->ready, r, at);
    vi fine = known > VIRTUAL_SITE_FLAT;
    for (int d = 0; d < 3; d++) {
      at[d] += vd_load(&eight->x[d], part);
      fine &= vd_finite(at[d]);
      vd_store(&eight->at[d], part, vd_select(used, at[d], vd_load(&eight->at[d], part)));
    }
    lost |= vi_bits(used & ~fine) << part * WIDTH;
  }
  return lost;
}

VEC_INLINE void spread_kind(const VirtualSiteKind kind, VirtualEight *eight, Vec8 *virial)
{
  for (int part = 0; part < REGISTERS; part++) {
    const vi used = register_mask(eight->used, part);
    vd r[9], f[3], g[12];
    relative(kind, eight, part, r);
    for (int d = 0; d < 3; d++)
      f[d] = vd_load(&eight->f[d], part);
    virtual_site_spread_vd(kind, eight->ready, r, f, g + 3);
    for (int d = 0; d < 3; d++) {
      g[d] = f[d] - (g[3 + d] + g[6 + d]);
      if (virtual_site_vectors(kind) == 3)
        g[d] -= g[9 + d];
    }
    for (int k = 0; k < 3 + 3 * virtual_site_vectors(kind); k++)
      vd_store(&eight->g[k], part, vd_where(used, g[k]));
    for (int k = 0; k < 9 && virial != NULL; k++) {
      const int d = k / 3, e = k % 3;
      const vd site = vd_load(&eight->at[d], part) - vd_load(&eight->x[d], part);
      vd sum = r[d] * g[3 + e] + r[3 + d] * g[6 + e] - site * f[e];
      if (virtual_site_vectors(kind) == 3)
        sum += r[6 + d] * g[9 + e];
      vd_add(&virial[k], part, vd_where(used, sum));
    }
  }
}

#define EACH_KIND(RUN)                                                                                       \
  RUN(2)                                                                                                     \
  RUN(2FD) RUN(3) RUN(3FD) RUN(3FAD) RUN(3OUT) RUN(4FDN) RUN(3FADD) RUN(3MEDIAN) RUN(3BISECTOR) RUN(4BISECTOR)

static unsigned place(VirtualEight *eight)
{
#define PLACE(kind)                                                                                          \
  case VIRTUAL_SITE_##kind:                                                                                  \
    return place_kind(VIRTUAL_SITE_##kind, eight);
  switch (eight->kind) {
    EACH_KIND(PLACE)
  case VIRTUAL_SITE_KINDS:
    break;
  }
  return eight->used;
}

static void spread(VirtualEight *eight, Vec8 *virial)
{
#define SPREAD(kind)                                                                                         \
  case VIRTUAL_SITE_##kind:                                                                                  \
    spread_kind(VIRTUAL_SITE_##kind, eight, virial);                                                         \
    break;
  switch (eight->kind) {
    EACH_KIND(SPREAD)
  case VIRTUAL_SITE_KINDS:
    break;
  }
}

const VirtualKernels ISA_SYMBOL(virtual_lanes_table) = {place, spread};
