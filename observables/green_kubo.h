/* Integrals of an autocorrelation over time (Green and Kubo), and whether they are a transport coefficient.
 */
#ifndef HOLONOM_OBSERVABLES_GREEN_KUBO_H
#define HOLONOM_OBSERVABLES_GREEN_KUBO_H

#include <stddef.h>

/* The integral over all lags; its change if every other lag is left out; and the contribution of the later
 * half of the lags. */
enum { GREEN_KUBO_INTEGRAL, GREEN_KUBO_SPACING, GREEN_KUBO_TAIL, GREEN_KUBO_NUMBERS };

/* Computes these by the trapezoidal rule from c[nlag], at times `step` apart. */
void green_kubo_integrals(const double *c, int nlag, double step, double out[GREEN_KUBO_NUMBERS]);

/* Returns why the integral is not a transport coefficient, in words[size] or a constant, or NULL: the series
 * is too short, or its integral depends on the spacing or the length of the lags. That is, half of the lags,
 * or the earlier half of the times, change it by more than a tenth and two standard errors. Numbers are
 * printed times `factor`; step: ps. */
const char *green_kubo_unfit(const double value[GREEN_KUBO_NUMBERS], const double error[GREEN_KUBO_NUMBERS],
                             int nlag, double step, double factor, char *words, size_t size);

#endif
