/* Tail probabilities and quantiles for tests, by GSL. GSL's error handler ends the program if an argument is
 * out of range. These functions therefore validate arguments and return NaN for NaN, fewer than half a degree
 * of freedom, or a probability outside 0 to 1. */
#ifndef HOLONOM_OBSERVABLES_DISTRIBUTION_H
#define HOLONOM_OBSERVABLES_DISTRIBUTION_H

/* Student's t with dof degrees of freedom (INFINITY: normal distribution): the probability of t or more, and
 * the quantile at p. */
double distribution_t_above(double t, double dof);
double distribution_t_quantile(double p, double dof);

/* The probability of this chi^2 or more with dof degrees of freedom. */
double distribution_chi2_above(double chi2, double dof);

/* The probability that the ratio of two variances with these degrees of freedom is f or more. */
double distribution_f_above(double f, double dof_above, double dof_below);

#endif
