/* Forces of the mesh on charges one by one. */
#ifndef HOLONOM_TESTS_CHARGES_H
#define HOLONOM_TESTS_CHARGES_H

#include <math.h>

#include "forcefields/pme_private.h"

/* Site i of x[d][i], in the box or not, as the mesh reads it. */
static inline void charges_put(const Pme *pme, const PmeOptions *o, const double *const x[3], int i)
{
  const PmeSites *sites = pme_sites(pme);
  const double at[3] = {x[0][i], x[1][i], x[2][i]};
  uint64_t tag = (uint64_t)i << 32;
  double fraction[3];
  box_fractions(o->box, at, fraction);
  for (int d = 0; d < 4; d++) {
    double t = o->charge[i];
    if (d < 3) {
      const int n = pme_mesh(pme)->n[d];
      double u = (fraction[d] - floor(fraction[d])) * n;
      if (u >= n) /* rounded up to the end, which is the beginning */
        u = 0.0;
      const uint32_t k = u >= 0.0 ? (uint32_t)u : 0; /* NaN goes on in the row */
      tag |= k << (20 - 10 * d);
      t = u - k;
    }
    if (o->precision == PME_DOUBLE)
      ((double *)sites->row)[4 * i + d] = t;
    else
      ((float *)sites->row)[4 * i + d] = (float)t;
  }
  sites->tag[i] = tag;
}

/* f[d][i] += the forces on sites at x[d][i], in the box of the options, by all members of a team together. */
static inline void charges_forces(Pme *pme, const PmeOptions *o, const Team *team, const double *const x[3],
                                  double *const f[3], PmeSums *sums)
{
  int begin, end;
  double net[3];
  team_range(team, o->nsite, &begin, &end);
  for (int i = begin; i < end; i++)
    charges_put(pme, o, x, i);
  team_barrier(team);
  pme_count(pme, team);
  team_barrier(team);
  pme_sort(pme, team);
  team_barrier(team);
  pme_solve(pme, team, sums);
  const void *force = pme_force(pme, net);
  for (int i = begin; i < end; i++)
    for (int d = 0; d < 3; d++)
      f[d][i] += o->precision == PME_DOUBLE ? ((const double *)force)[4 * i + d]
                                            : (double)((const float *)force)[4 * i + d];
}

#endif
