/* Where a quantity is largest or least: a polynomial through points with errors, and its extremum inside of
 * them. */
#ifndef HOLONOM_OBSERVABLES_EXTREMUM_H
#define HOLONOM_OBSERVABLES_EXTREMUM_H

#include <stdbool.h>

#include "observables/statistics.h"

enum { EXTREMUM_DEGREE = STATISTICS_TERMS - 1 };

typedef struct Extremum {
  int degree;
  double from, to;   /* the points                             */
  double centre;     /* of the powers below: the extremum, or the middle of the points */
  StatisticsFit fit; /* in ((x - centre)/((to - from)/2))^k; fit.dof < 0 or fit.dependent: there is none */
  bool found;        /* an extremum inside, of the sort asked for; the highest, or lowest, of several */
  double at, at_error, value, value_error;
} Extremum;

/* Points y at x with errors above 0, each of so many draws (NULL: known exactly), and slopes dy/dx there
 * where they are known (NULL or NaN: they are not), whose errors are independent of those of the points. */
typedef struct ExtremumPoints {
  int n;
  const double *x, *y, *error, *slope, *slope_error;
  const int64_t *draws, *slope_draws;
} ExtremumPoints;

/* Errors are those of points and slopes, propagated: of the place x that of the slope there over the
 * curvature. STATUS_MEMORY. */
Status extremum_find(const ExtremumPoints *points, int degree, bool minimum, Extremum *extremum, Error *why);

/* The polynomial. */
double extremum_curve(const Extremum *extremum, double x);

#endif
