/* Means, errors and comparisons of samples. Errors are one standard error. Correlation times are
 * integrated ones in samples, tau = 1/2 + sum_{t>=1} rho(t), so that error^2 = 2 tau variance / n and
 * independent samples have tau = 1/2. A number that the data cannot give (the error of one sample) is NaN. */
#ifndef HOLONOM_OBSERVABLES_STATISTICS_H
#define HOLONOM_OBSERVABLES_STATISTICS_H

#include <stdint.h>

#include "engine/status.h"

/* --- moments, added one sample at a time (Welford, Technometrics 4, 419 (1962)) -------------------- */

typedef struct StatisticsMoments {
  int64_t n;
  double mean, m2; /* m2 = sum of squared deviations from the mean; all zero is empty */
} StatisticsMoments;

/* One sample of ncol columns. */
void statistics_moments_add(StatisticsMoments *moments, const double *x, int ncol);

/* Adds what another has seen; merging parts in a fixed order gives fixed bits. */
void statistics_moments_merge(StatisticsMoments *into, const StatisticsMoments *from, int ncol);

double statistics_moments_variance(const StatisticsMoments *moments); /* of one sample, n - 1 */
double statistics_moments_error(const StatisticsMoments *moments);    /* of the mean of independent samples */

/* Mean and standard error of n independent numbers. */
void statistics_mean(const double *x, int64_t n, double *mean, double *error);

/* --- one correlated series: block averages of all lengths 1, 2, 4, ... at once ------------------------ */

enum { STATISTICS_LEVELS = 48 };

/* All zero is empty. Takes one sample at a time in constant memory. */
typedef struct StatisticsBlocks {
  StatisticsMoments level[STATISTICS_LEVELS]; /* of blocks of 2^k samples                   */
  double pending[STATISTICS_LEVELS];          /* the first of a pair, when level[k].n is odd */
} StatisticsBlocks;

void statistics_blocks_add(StatisticsBlocks *blocks, double x);

typedef struct StatisticsSeries {
  int64_t n;
  double mean, error;
  double error_error;  /* of the error itself: error/sqrt(2 (nblock - 1))                         */
  double tau;          /* correlation time that the plateau implies, in samples, from 1/2 up      */
  double block_length; /* samples                                                                 */
  int64_t nblock;
  int plateau; /* 0: none found, the series is too short for its correlation; error is the largest seen */
} StatisticsSeries;

/* Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989), the block length by statistics_block_enough. */
StatisticsSeries statistics_blocks_result(const StatisticsBlocks *blocks);
StatisticsSeries statistics_series(const double *x, int64_t n);

/* Whether blocks of this length are long enough, given n samples and the inefficiency (error/naive error)^2
 * seen with it: length^3 > 2 n inefficiency^2, where the bias of the error (1/length) and its scatter
 * (length/n) balance (Lee et al., Phys. Rev. E 83, 066706 (2011)). The shortest that passes is the plateau.
 */
int statistics_block_enough(double length, double n, double inefficiency);

/* The correlation time by summing the autocorrelation up to five times itself (Madras & Sokal, J. Stat.
 * Phys. 50, 109 (1988)); *error may be NULL. */
double statistics_correlation_time(const double *x, int64_t n, double *error);

/* --- straight lines ------------------------------------------------------------------------------------ */

typedef struct StatisticsLine {
  double slope, slope_error;
  double intercept, intercept_error;
  double chi2; /* of statistics_line_weighted; NaN else                  */
  double p;    /* chance of a larger chi2; NaN without degrees of freedom */
  int dof;
} StatisticsLine;

/* Least squares on a series in order of x, for drifts: the errors come from the residuals in blocks of the
 * plateau length, so they hold for correlated samples. */
StatisticsLine statistics_line(const double *x, const double *y, int64_t n);

/* Independent points with known errors; through the origin on request. */
StatisticsLine statistics_line_weighted(const double *x, const double *y, const double *error, int n,
                                        int through_origin);

/* --- comparisons -----------------------------------------------------------------------------------------
 */

typedef struct StatisticsWelch {
  double difference, error; /* b - a                                                      */
  double z;                 /* difference/error                                           */
  double dof;               /* Welch-Satterthwaite                                        */
  double p;                 /* two-sided, Student's t                                     */
} StatisticsWelch;

/* Two means with their errors from na and nb independent draws; a count below 2 means an error that is
 * known otherwise, taken as exact. */
StatisticsWelch statistics_welch(double mean_a, double error_a, int64_t na, double mean_b, double error_b,
                                 int64_t nb);

typedef struct StatisticsDistance {
  double tv;                 /* 1/2 sum |mean_a - mean_b|                                      */
  double null_mean, null_sd; /* what equal distributions give: over the permutations           */
  double p;                  /* chance of tv or more among the permutations (add-one estimate) */
  int permutations;
} StatisticsDistance;

/* Total variation distance of the mean distributions of two sets of independent rows a[na][ncol] and
 * b[nb][ncol] (each sums to 1), with a permutation test over whole rows: exact whatever the correlation
 * of the columns. STATUS_INPUT (fewer than 2 rows in a set), STATUS_MEMORY. */
Status statistics_distance(int ncol, int na, const double *a, int nb, const double *b, int permutations,
                           uint64_t seed, StatisticsDistance *distance, Error *error);

/* Holm-Bonferroni: adjusted[k] are p-values to hold against the level of the whole family. Scand. J.
 * Stat. 6, 65 (1979). NaN (a test that could not be made) stays NaN and does not count. STATUS_MEMORY. */
Status statistics_holm(const double *p, int n, double *adjusted, Error *error);

#endif
