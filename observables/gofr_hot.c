#include "engine/vec.h"
#include "observables/gofr_kernels.h"

/* The gap taken to the nearest image. */
VEC_INLINE vd nearest(vd gap, double length) { return gap - vd_whole(gap * (1.0 / length)) * length; }

static void count(const GofrRule *rule, const double site[3], double molecule, const GofrRun *run,
                  uint32_t *counts)
{
  static const Octet lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const Octet *const axis[3] = {run->x, run->y, run->z};
  const double longest2 = rule->longest * rule->longest;
  for (int k = 0; k < run->npack; k++) {
    int32_t at[LANES];
    UNROLL for (int part = 0; part < PARTS; part++)
    {
      vd dx[3];
      UNROLL for (int d = 0; d < 3; d++) dx[d] =
          nearest(vd_load(&axis[d][k], part) - site[d], rule->length[d]);
      const vd d2 = vd_max(vd_set(1e-30), vd_dot3(dx, dx)); /* keeps NaN */
      const vi counted = (d2 < longest2) & (vd_load(&run->molecule[k], part) != molecule);
      const vd beyond = (double)rule->nbin + vd_load(&lane, part);
      vd_truncate(vd_select(counted, d2 * vd_rsqrt(d2) * rule->scale, beyond), at + part * WIDTH);
    }
    for (int l = 0; l < LANES; l++)
      counts[at[l]]++;
  }
}

const GofrKernels ISA_SYMBOL(gofr_kernels_table) = {count};
