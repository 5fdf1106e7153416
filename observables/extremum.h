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

/* Of n points y with errors above 0, each of so many draws (NULL: known exactly). Errors are those of the
 * points, propagated: of the place x that of the slope there over the curvature. STATUS_MEMORY. */
Status extremum_find(const double *x, const double *y, const double *error, const int64_t *draws, int n,
                     int degree, bool minimum, Extremum *extremum, Error *why);

/* The polynomial. */
double extremum_curve(const Extremum *extremum, double x);

#endif
