#include "forcefields/pme_exclusion.h"

#include <math.h>

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
