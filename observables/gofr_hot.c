#include "observables/gofr_kernels.h"

typedef int32_t vbin __attribute__((vector_size(4 * LANES)));

/* The gap taken to the nearest image. */
VEC_INLINE Octet nearest(Octet gap, double length)
{
  const Octet turns = (gap * (1.0 / length) + VEC_WHOLE) - VEC_WHOLE;
  return gap - turns * length;
}

static void count(const GofrRule *rule, const double site[3], double molecule, const GofrRun *run,
                  uint32_t *counts)
{
  const Octet least = octet_set(1e-30), beyond = octet_set(rule->nbin) + (Octet){0, 1, 2, 3, 4, 5, 6, 7};
  const double longest2 = rule->longest * rule->longest;
  for (int k = 0; k < run->npack; k++) {
    const Octet dx = nearest(run->x[k] - site[0], rule->length[0]);
    const Octet dy = nearest(run->y[k] - site[1], rule->length[1]);
    const Octet dz = nearest(run->z[k] - site[2], rule->length[2]);
    const Octet d2 = octet_max(least, dx * dx + dy * dy + dz * dz); /* keeps NaN */
    const OctetMask counted = (d2 < longest2) & (run->molecule[k] != molecule);
    const Octet place = octet_select(counted, d2 * octet_rsqrt(d2) * rule->scale, beyond);
    const vbin at = __builtin_convertvector(place, vbin);
    for (int l = 0; l < LANES; l++)
      counts[at[l]]++;
  }
}

const GofrKernels ISA_SYMBOL(gofr_kernels_table) = {count};
