/* Jackknife standard errors: from results without one group of the data after the other. Groups may be of
 * unequal size: the delete-m_j jackknife (Busing, Meijer & van der Leeden, Stat. Comput. 9, 3 (1999)), which
 * equals the usual one for equal sizes. */
#ifndef HOLONOM_OBSERVABLES_JACKKNIFE_H
#define HOLONOM_OBSERVABLES_JACKKNIFE_H

#include <stddef.h>

#include "base/status.h"

typedef struct Jackknife {
  size_t n;
  const double *value; /* [n] from all data */
  int groups, failed;
  double inverse;                  /* the sums below are over the groups added, with h = 1/share */
  double *square, *sum, *weighted; /* [n] (h - 1) e^2, e, (1 - 1/h) e of deviations e from value */
} Jackknife;

/* value[n] must outlive the jackknife. STATUS_MEMORY. */
Status jackknife_create(Jackknife *jackknife, const double *value, size_t n, Error *error);
void jackknife_free(Jackknife *jackknife);

/* Adds the results without one group, which contains this fraction of the data: without[n]. */
void jackknife_add(Jackknife *jackknife, const double *without, double share);

/* Counts a group without which no result could be computed. Errors are then those of the other groups, and
 * lower bounds. */
void jackknife_fail(Jackknife *jackknife);

/* The bias of the value, estimated from the groups (Quenouille); the corrected value is the value minus
 * it. */
double jackknife_bias(const Jackknife *jackknife, size_t k);

/* The standard error; NaN with fewer than two groups, or if more than half have failed. */
double jackknife_error(const Jackknife *jackknife, size_t k);

#endif
