/* The maximum or minimum of a quantity: the extremum of a polynomial fitted to points with errors. */
#ifndef HOLONOM_OBSERVABLES_EXTREMUM_H
#define HOLONOM_OBSERVABLES_EXTREMUM_H

#include <stdbool.h>

#include "observables/statistics.h"

enum { EXTREMUM_DEGREE = STATISTICS_TERMS - 1 };

typedef struct Extremum {
  int degree;
  double from, to;   /* range of the points */
  double centre;     /* origin of the powers below: the extremum, or the middle of the points */
  StatisticsFit fit; /* in ((x - centre)/((to - from)/2))^k; fit.dof < 0 or fit.dependent: no fit */
  bool found;        /* an extremum of the requested sort is inside; the highest, or lowest, of several */
  double at, at_error, value, value_error;
} Extremum;

/* Points y at x with positive errors, each from draws[] draws (NULL: exact errors). Slopes dy/dx may be known
 * (NULL or NaN: unknown); their errors are independent of those of the points. */
typedef struct ExtremumPoints {
  int n;
  const double *x, *y, *error, *slope, *slope_error;
  const int64_t *draws, *slope_draws;
} ExtremumPoints;

/* Fits, and propagates the errors of points and slopes; the error of the position is that of the slope there
 * over the curvature. STATUS_MEMORY. */
Status extremum_find(const ExtremumPoints *points, int degree, bool minimum, Extremum *extremum, Error *why);

/* The value of the polynomial at x. */
double extremum_curve(const Extremum *extremum, double x);

#endif
