/* Tests of equivalence: that a difference is smaller than a margin, where tests of difference can only fail
 * to see one. Two one-sided tests (Schuirmann, J. Pharmacokin. Biopharm. 15, 657 (1987)): at 5 % equal is
 * said where the 90 % interval of the difference is within the margin. */
#ifndef HOLONOM_OBSERVABLES_EQUIVALENCE_H
#define HOLONOM_OBSERVABLES_EQUIVALENCE_H

#include <stdint.h>

#include "base/status.h"
#include "observables/statistics.h"

typedef struct Equivalence {
  double p;         /* chance to see so small a difference where it is the margin; NaN: no test */
  double low, high; /* the 90 % interval of the difference                                   */
} Equivalence;

Equivalence equivalence_test(const StatisticsWelch *difference, double margin);

/* The same of the total variation distance of the mean distributions of rows, as statistics_distance has it:
 * p is the share of resamplings (bootstrap of rows) whose distance is the margin or more. Noise adds to
 * distances, twice here, so that equal is said too rarely rather than too often. The interval ends at the
 * distance that 5 % of the resamplings exceed and begins as far below the distance that was found, at 0 at
 * least: wide rather than narrow, it holds what was found. STATUS_INPUT, STATUS_MEMORY. */
Status equivalence_distance(int ncol, int na, const double *a, int nb, const double *b, double margin,
                            int resamples, uint64_t seed, Equivalence *result, Error *error);

#endif
