#include "observables/distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double fewest = 0.5;  /* degrees of freedom */
static const double many = 1e15;   /* infinitely many within rounding */
static const double least = 1e-17; /* accepted error of quantiles */

double distribution_t_above(double t, double dof)
{
  if (isnan(t) || !(dof >= fewest))
    return NAN;
  if (isinf(t))
    return t > 0.0 ? 0.0 : 1.0;
  return dof > many ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, dof);
}

/* By bisection: GSL's function fails in the tails and for few degrees of freedom. */
double distribution_t_quantile(double p, double dof)
{
  if (!(p > 0.0 && p < 1.0) || !(dof >= fewest))
    return NAN;
  if (dof > many)
    return gsl_cdf_ugaussian_Pinv(p);
  const double above = p < 0.5 ? p : 1.0 - p; /* the probability beyond the quantile's absolute value */
  double low = 0.0, high = 1.0;
  while (isfinite(high) && distribution_t_above(high, dof) > above) {
    low = high;
    high *= 2.0;
  }
  while (isfinite(high) && high - low > least) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      break;
    *(distribution_t_above(middle, dof) > above ? &low : &high) = middle;
  }
  return p < 0.5 ? -high : high;
}

double distribution_chi2_above(double chi2, double dof)
{
  if (isnan(chi2) || !(dof >= fewest && dof <= many))
    return NAN;
  return isinf(chi2) && chi2 > 0.0 ? 0.0 : gsl_cdf_chisq_Q(fmax(chi2, 0.0), dof);
}

double distribution_f_above(double f, double dof_above, double dof_below)
{
  if (isnan(f) || !(dof_above >= fewest && dof_above <= many && dof_below >= fewest && dof_below <= many))
    return NAN;
  return isinf(f) && f > 0.0 ? 0.0 : gsl_cdf_fdist_Q(fmax(f, 0.0), dof_above, dof_below);
}
