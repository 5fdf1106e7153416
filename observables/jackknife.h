/* Standard errors from what comes out without one group of the data after the other. Groups may be of unequal
 * size: the delete-m_j jackknife (Busing, Meijer & van der Leeden, Stat. Comput. 9, 3 (1999)), which is the
 * usual one where they are equal. */
#ifndef HOLONOM_OBSERVABLES_JACKKNIFE_H
#define HOLONOM_OBSERVABLES_JACKKNIFE_H

#include <stddef.h>

#include "base/status.h"

typedef struct Jackknife {
  size_t n;
  const double *value; /* [n] of all the data */
  int groups, failed;
  double inverse;                  /* what follows is summed over the groups that were added, h = 1/share */
  double *square, *sum, *weighted; /* [n] (h - 1) e^2, e, (1 - 1/h) e of deviations e from value */
} Jackknife;

/* value[n] must outlive it. STATUS_MEMORY. */
Status jackknife_create(Jackknife *jackknife, const double *value, size_t n, Error *error);
void jackknife_free(Jackknife *jackknife);

/* One group, which has this share of the data, is left out: without[n] of the rest. */
void jackknife_add(Jackknife *jackknife, const double *without, double share);

/* The rest of the data has given nothing. Errors are then of the other groups, and lower bounds. */
void jackknife_fail(Jackknife *jackknife);

/* How far the value is off, in the mean, for being that of so many groups: it is right less this
 * (Quenouille). */
double jackknife_bias(const Jackknife *jackknife, size_t k);

/* NaN of fewer than two groups, or where more than half have failed. */
double jackknife_error(const Jackknife *jackknife, size_t k);

#endif
