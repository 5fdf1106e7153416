/* Tests of equivalence: whether a difference is smaller than a margin (a test of difference cannot show
 * this). Two one-sided tests (Schuirmann, J. Pharmacokin. Biopharm. 15, 657 (1987)): equal at the 5 % level
 * if the 90 % interval of the difference is within the margin. */
#ifndef HOLONOM_OBSERVABLES_EQUIVALENCE_H
#define HOLONOM_OBSERVABLES_EQUIVALENCE_H

#include <stdint.h>

#include "base/status.h"
#include "observables/statistics.h"

typedef struct Equivalence {
  double p;         /* probability of so small a difference if the true one is the margin; NaN: no test */
  double low, high; /* the 90 % interval of the difference                                   */
} Equivalence;

Equivalence equivalence_test(const StatisticsWelch *difference, double margin);

/* Likewise for the total variation distance of mean distributions (statistics_distance). p is the fraction of
 * resamplings (bootstrap of rows) whose distance is at least the margin. Noise increases distances, here
 * twice, so the test is conservative. The interval ends at the distance that 5 % of the resamplings exceed,
 * and is symmetric about the distance found, cut at 0. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status equivalence_distance(int ncol, int na, const double *a, int nb, const double *b, double margin,
                            int resamples, uint64_t seed, Equivalence *result, Error *error);

#endif
