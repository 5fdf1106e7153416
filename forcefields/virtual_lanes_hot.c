/* Virtual sites, each kind by a kernel of its own: what depends on the kind is a constant there. */
#include "forcefields/virtual_lanes_kernels.h"
#include "topology/virtual_site_vec.h"

/* Atoms j and k less i. */
VEC_INLINE void relative(const VirtualEight *eight, int part, vd r[6])
{
  UNROLL
  for (int k = 0; k < 6; k++)
    r[k] = vd_load(&eight->x[3 + k], part) - vd_load(&eight->x[k % 3], part);
}

VEC_INLINE unsigned place_kind(const VirtualSiteKind kind, VirtualEight *eight)
{
  unsigned lost = 0;
  for (int part = 0; part < REGISTERS; part++) {
    const vi used = register_mask(eight->used, part);
    vd r[6], at[3];
    relative(eight, part, r);
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

VEC_INLINE void spread_kind(const VirtualSiteKind kind, VirtualEight *eight, Octet *virial)
{
  for (int part = 0; part < REGISTERS; part++) {
    const vi used = register_mask(eight->used, part);
    vd r[6], f[3], g[9];
    relative(eight, part, r);
    for (int d = 0; d < 3; d++)
      f[d] = vd_load(&eight->f[d], part);
    virtual_site_spread_vd(kind, eight->ready, r, f, g + 3, g + 6);
    for (int d = 0; d < 3; d++)
      g[d] = f[d] - (g[3 + d] + g[6 + d]);
    for (int k = 0; k < 9; k++)
      vd_store(&eight->g[k], part, vd_where(used, g[k]));
    for (int k = 0; k < 9 && virial != NULL; k++) {
      const int d = k / 3, e = k % 3;
      const vd site = vd_load(&eight->at[d], part) - vd_load(&eight->x[d], part);
      vd_add(&virial[k], part, vd_where(used, r[d] * g[3 + e] + r[3 + d] * g[6 + e] - site * f[e]));
    }
  }
}

#define EACH_KIND(RUN)                                                                                       \
  RUN(VIRTUAL_SITE_2) RUN(VIRTUAL_SITE_3) RUN(VIRTUAL_SITE_3FD) RUN(VIRTUAL_SITE_3FAD) RUN(VIRTUAL_SITE_3OUT)

static unsigned place(VirtualEight *eight)
{
#define PLACE(kind)                                                                                          \
  case kind:                                                                                                 \
    return place_kind(kind, eight);
  switch (eight->kind) {
    EACH_KIND(PLACE)
  }
  return eight->used;
}

static void spread(VirtualEight *eight, Octet *virial)
{
#define SPREAD(kind)                                                                                         \
  case kind:                                                                                                 \
    spread_kind(kind, eight, virial);                                                                        \
    break;
  switch (eight->kind) {
    EACH_KIND(SPREAD)
  }
}

const VirtualKernels ISA_SYMBOL(virtual_lanes_table) = {place, spread};
