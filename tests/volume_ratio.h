/* Volumes at two pressures: whatever the forces, the log ratio of their distributions is a line in V, of
 * slope
 * -(P1 - P2)/kT. What is the same for both, as a power of V is, cancels: exact distributions see to that
 * (test_barostat.c). */
#ifndef HOLONOM_TESTS_VOLUME_RATIO_H
#define HOLONOM_TESTS_VOLUME_RATIO_H

#include <stdint.h>

enum { VOLUME_RATIO_BINS = 8 };

typedef struct VolumeRatio {
  int64_t samples[2];            /* that are independent: four correlation times of each run apart */
  double slope, error;           /* by maximum likelihood, 1/A^3                           */
  double z;                      /* of the slope: its score at the law's                   */
  double bin[VOLUME_RATIO_BINS]; /* z of the counts in bins of equal variances */
  double chi2, p;                /* the bins' sum of squares; the chance of as much or more     */
} VolumeRatio;

/* Of volume[run][n[run]], A^3, taken at even distances, against the slope of the law: (P2 - P1)/kT. Runs too
 * short for a correlation time, or apart, leave numbers that are no numbers. */
VolumeRatio volume_ratio(double *const volume[2], const int64_t n[2], double slope);

/* Whether no |z| is 3.5 or more, and the sum of squares is in its 99.9 % band. */
int volume_ratio_holds(const VolumeRatio *ratio);

#endif
