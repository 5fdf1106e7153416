/* The pair force, written plainly as a reference. */
#include <math.h>

#include "engine/units.h"
#include "forcefields/pair.h"

/* Adds s r to f and subtracts it from g; r = x - y. */
static void push(double s, const double *x, const double *y, double *f, double *g)
{
  for (int d = 0; d < 3; d++) {
    f[d] += s * (x[d] - y[d]);
    g[d] -= s * (x[d] - y[d]);
  }
}

static double square_distance(const double *x, const double *y)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    sum += (x[d] - y[d]) * (x[d] - y[d]);
  return sum;
}

void pair_reference_two(const SiteMap *mi, const SiteMap *mj, const double lj[2], const double *xi,
                        const double *xj, double *fi, double *fj, double energy[PAIR_TERMS])
{
  double i[3 * SITE_MAP_SITES], j[3 * SITE_MAP_SITES], gi[3 * SITE_MAP_SITES] = {0.0},
                                                              gj[3 * SITE_MAP_SITES] = {0.0};
  site_map_sites(mi, xi, i);
  site_map_sites(mj, xj, j);
  for (int a = 0; a < mi->nsite; a++)
    for (int b = 0; b < mj->nsite; b++) {
      const double qq = mi->charge[a] * mj->charge[b];
      if (qq == 0.0)
        continue;
      const double r2 = square_distance(i + 3 * a, j + 3 * b), v = UNITS_COULOMB * qq / sqrt(r2);
      energy[PAIR_COULOMB] += v;
      push(v / r2, i + 3 * a, j + 3 * b, gi + 3 * a, gj + 3 * b);
    }
  const double r2 = square_distance(i, j), r6 = 1.0 / (r2 * r2 * r2);
  energy[PAIR_LJ] += (lj[0] * r6 - lj[1]) * r6;
  push((12.0 * lj[0] * r6 - 6.0 * lj[1]) * r6 / r2, i, j, gi, gj);
  site_map_forces(mi, i, gi, fi);
  site_map_forces(mj, j, gj, fj);
}
