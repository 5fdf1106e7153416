#include "forcefields/pme_exclusion.h"

#include <math.h>
#include <stddef.h>

#include "engine/units.h"

double pme_exclusion_pair(double beta, double qq, double r2, double *factor)
{
  const double c = UNITS_COULOMB * qq, b2r2 = beta * beta * r2, limit = 2.0 * beta / sqrt(M_PI);
  if (b2r2 < 1e-4) { /* the closed form loses digits: the series, to 1e-12 */
    *factor = -c * limit * beta * beta * (2.0 / 3.0 - b2r2 * (2.0 / 5.0 - b2r2 / 7.0));
    return -c * limit * (1.0 - b2r2 * (1.0 / 3.0 - b2r2 * (0.1 - b2r2 / 42.0)));
  }
  const double r = sqrt(r2), potential = erf(beta * r) / r;
  *factor = c * (limit * exp(-b2r2) - potential) / r2;
  return -c * potential;
}

/* Adds factor (r_i - r_j) to i, takes it from j, and adds to the virial. */
static inline void add_pair(double factor, int i, int j, const double *const x[3], double *const f[3],
                            double *virial)
{
  const double r[3] = {x[0][i] - x[0][j], x[1][i] - x[1][j], x[2][i] - x[2][j]};
  for (int d = 0; d < 3; d++) {
    f[d][i] += factor * r[d];
    f[d][j] -= factor * r[d];
  }
  if (virial == NULL)
    return;
  for (int d = 0; d < 3; d++)
    virial[d] += factor * r[d] * r[d];
  virial[3] += factor * r[0] * r[1];
  virial[4] += factor * r[0] * r[2];
  virial[5] += factor * r[1] * r[2];
}

void pme_exclusion_add(double beta, int n, const double *charge, int nmol, const double *const x[3],
                       double *const f[3], PmeSums *sums)
{
  for (int m = 0; m < nmol; m++)
    for (int a = 0; a < n; a++)
      for (int b = a + 1; b < n; b++) {
        const int i = m * n + a, j = m * n + b;
        double factor, r2 = 0.0;
        for (int d = 0; d < 3; d++)
          r2 += (x[d][i] - x[d][j]) * (x[d][i] - x[d][j]);
        const double energy = pme_exclusion_pair(beta, charge[a] * charge[b], r2, &factor);
        if (sums != NULL)
          sums->energy += energy;
        add_pair(factor, i, j, x, f, sums != NULL ? sums->virial : NULL);
      }
}
