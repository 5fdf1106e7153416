#include "observables/gofr_kernels.h"

typedef int32_t vbin __attribute__((vector_size(4 * LANES)));

/* The gap taken to the nearest image. */
VEC_INLINE vd nearest(vd gap, double length)
{
  const vd turns = (gap * (1.0 / length) + VEC_WHOLE) - VEC_WHOLE;
  return gap - turns * length;
}

static void count(const GofrRule *rule, const double site[3], double molecule, const GofrRun *run,
                  uint32_t *counts)
{
  const vd least = vd_set(1e-30), beyond = vd_set(rule->nbin) + (vd){0, 1, 2, 3, 4, 5, 6, 7};
  const double longest2 = rule->longest * rule->longest;
  for (int k = 0; k < run->npack; k++) {
    const vd dx = nearest(run->x[k] - site[0], rule->length[0]);
    const vd dy = nearest(run->y[k] - site[1], rule->length[1]);
    const vd dz = nearest(run->z[k] - site[2], rule->length[2]);
    const vd d2 = vd_max(least, dx * dx + dy * dy + dz * dz); /* keeps NaN */
    const vi counted = (d2 < longest2) & (run->molecule[k] != molecule);
    const vd place = vd_select(counted, d2 * vd_rsqrt(d2) * rule->scale, beyond);
    const vbin at = __builtin_convertvector(place, vbin);
    for (int l = 0; l < LANES; l++)
      counts[at[l]]++;
  }
}

const GofrKernels ISA_SYMBOL(gofr_kernels_table) = {count};
