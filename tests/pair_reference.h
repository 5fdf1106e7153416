/* The pair force of one configuration of waters, as one writes it down. */
#ifndef HOLONOM_TESTS_PAIR_REFERENCE_H
#define HOLONOM_TESTS_PAIR_REFERENCE_H

#include <string.h>

#include "forcefields/pair.h"

/* Forces f[nmol][3][3] (NULL: none) and energies of x[nmol][3][3], overwritten. */
static inline void pair_reference(const WaterModel *model, int nmol, const double *x, double *f,
                                  double energy[PAIR_TERMS])
{
  const SiteMap water = water_site_map(model);
  energy[PAIR_COULOMB] = energy[PAIR_LJ] = 0.0;
  if (f != NULL)
    memset(f, 0, 9 * (size_t)nmol * sizeof *f);
  for (int i = 0; i < nmol; i++)
    for (int j = i + 1; j < nmol; j++) {
      double unused[2][9] = {{0}};
      double *fi = f != NULL ? f + 9 * i : unused[0], *fj = f != NULL ? f + 9 * j : unused[1];
      pair_reference_two(&water, &water, water.lj, x + 9 * i, x + 9 * j, fi, fj, energy);
    }
}

#endif
