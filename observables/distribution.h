/* Chances and quantiles of the distributions that tests go by. They come from GSL, which ends the program for
 * numbers that it does not take, where its host has left its error handler alone; so these are asked for here
 * alone, and are NaN for such numbers: NaN, fewer than half a degree of freedom, a chance outside 0 to 1. */
#ifndef HOLONOM_OBSERVABLES_DISTRIBUTION_H
#define HOLONOM_OBSERVABLES_DISTRIBUTION_H

/* Student's t of so many degrees of freedom, INFINITY for the normal distribution: the chance of t or more,
 * and the t below which the share p lies. */
double distribution_t_above(double t, double dof);
double distribution_t_quantile(double p, double dof);

/* The chance that chi^2 of so many degrees of freedom is as large or larger. */
double distribution_chi2_above(double chi2, double dof);

/* The chance that the ratio of two variances, of so many degrees of freedom each, is f or larger. */
double distribution_f_above(double f, double dof_above, double dof_below);

#endif
