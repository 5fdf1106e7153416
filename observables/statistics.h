/* Means, errors and comparisons of samples. Errors are one standard error. Correlation times are integrated
 * ones in samples, tau = 1/2 + sum_{t>=1} rho(t): error^2 = 2 tau variance / n, and tau = 1/2 for independent
 * samples. A number that the data do not determine (the error of one sample) is NaN. */
#ifndef HOLONOM_OBSERVABLES_STATISTICS_H
#define HOLONOM_OBSERVABLES_STATISTICS_H

#include <stdint.h>

#include "base/status.h"

/* --- moments, added one sample at a time (Welford, Technometrics 4, 419 (1962)) -------------------- */

typedef struct StatisticsMoments {
  int64_t n;
  double mean, m2; /* m2 = sum of squared deviations from the mean; all zero is empty */
} StatisticsMoments;

/* Adds one sample of ncol columns. */
void statistics_moments_add(StatisticsMoments *moments, const double *x, int ncol);

/* Adds the samples of another; merging parts in a fixed order gives the same bits. */
void statistics_moments_merge(StatisticsMoments *into, const StatisticsMoments *from);

double statistics_moments_variance(const StatisticsMoments *moments); /* of one sample, n - 1 */
double statistics_moments_error(const StatisticsMoments *moments);    /* of the mean of independent samples */

/* Mean and standard error of n independent numbers. */
void statistics_mean(const double *x, int64_t n, double *mean, double *error);

/* --- one correlated series: block averages of all lengths 1, 2, 4, ... at once ------------------------ */

enum { STATISTICS_LEVELS = 48 };

/* All zero is empty. Samples are added one at a time, in constant memory. */
typedef struct StatisticsBlocks {
  StatisticsMoments level[STATISTICS_LEVELS]; /* of blocks of 2^k samples                   */
  double pending[STATISTICS_LEVELS];          /* the first of a pair, when level[k].n is odd */
} StatisticsBlocks;

void statistics_blocks_add(StatisticsBlocks *blocks, double x);

/* The correlation of a run's samples, by the slowest of some series. All errors of the run use blocks of this
 * length. */
typedef struct StatisticsCorrelation {
  double samples;      /* of each series                                                               */
  double inefficiency; /* in samples: 2 tau of the slowest series, at least 1 */
  double length;       /* samples in a block; without a plateau the length that leaves 4 blocks */
  int plateau;         /* 0: the series leaves fewer than STATISTICS_BLOCKS blocks of the required length;
                          inefficiency and errors are then the largest found, and lower bounds */
} StatisticsCorrelation;

/* The least number of blocks at a plateau. With the length that the rule of Lee et al. requires, the run has
 * at least sqrt(2 16^3) = 90 independent samples, and blocks are 6 inefficiencies long. */
enum { STATISTICS_BLOCKS = 16, STATISTICS_BLOCKS_FEWEST = 4 };

/* The largest inefficiency among n series of the same samples, over all block lengths that leave 16 blocks,
 * but at least `known` (1: unknown). Blocks longer than the plateau count as well: their scatter sometimes
 * makes a short run appear long enough, but rarely at all lengths. */
StatisticsCorrelation statistics_correlation(const StatisticsBlocks *series, int n, double known);

/* Likewise for series of `samples` samples in another form, over the `levels` block lengths that leave
 * STATISTICS_BLOCKS blocks. The function seen(self, k, level) returns (error of the mean of series k with
 * blocks of that level's length / naive error)^2, or 0 for a constant series. */
typedef double StatisticsInefficiency(const void *self, int series, int level);
StatisticsCorrelation statistics_correlation_of(const void *self, StatisticsInefficiency *seen, int n,
                                                int levels, double samples, double known);

/* Converts the inefficiency of samples `other_every` steps apart to samples `every` steps apart, at least
 * 1. */
double statistics_inefficiency(double inefficiency, double other_every, double every);

typedef struct StatisticsSeries {
  double mean, error;
  double tau;          /* correlation time that the error implies, in samples, at least 1/2 */
  double block_length; /* samples                                                                 */
  int64_t nblock;
  int plateau; /* 0: no plateau, the series is too short for its correlation; the error is the largest found,
                  a lower bound */
} StatisticsSeries;

/* Block averages by Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989), with the block length of Lee et al.,
 * Phys. Rev. E 83, 066706 (2011), or the one that the slowest series of a run requires. */
StatisticsSeries statistics_blocks_result(const StatisticsBlocks *blocks);
StatisticsSeries statistics_blocks_result_with(const StatisticsBlocks *blocks,
                                               const StatisticsCorrelation *correlation);
StatisticsSeries statistics_series(const double *x, int64_t n);

/* The correlation time: the sum of the autocorrelation up to five times itself (Madras & Sokal, J. Stat.
 * Phys. 50, 109 (1988)). */
double statistics_correlation_time(const double *x, int64_t n);

/* Likewise about a mean that is known beforehand, such as that of many series. */
double statistics_correlation_time_about(const double *x, int64_t n, double mean);

/* --- straight lines ------------------------------------------------------------------------------------ */

typedef struct StatisticsLine {
  double slope, slope_error, intercept;
  int64_t draws; /* independent draws behind the error, one more than its degrees of freedom; 0: the error is
                    a lower bound */
} StatisticsLine;

/* Least squares for drifts, points in the order of x. Errors come from the residuals in blocks of the plateau
 * length, so they are valid for correlated samples. */
StatisticsLine statistics_line(const double *x, const double *y, int64_t n);

/* Likewise for y that also performs a random walk, such as the conserved energy of a thermostatted run, whose
 * residuals have no plateau. The error is that of the mean slope of 16 independent stretches of the series (8
 * if n < 160; statistics_line if n < 40). x must be evenly spaced. */
StatisticsLine statistics_drift(const double *x, const double *y, int64_t n);

enum { STATISTICS_TERMS = 5 };

/* y = sum_k value[k] x[k]. */
typedef struct StatisticsFit {
  int terms, dof; /* dof: points minus terms; below 0: no fit */
  int dependent;  /* 1: the points do not distinguish the terms: no fit */
  double value[STATISTICS_TERMS], error[STATISTICS_TERMS]; /* NaN without a fit    */
  double draws[STATISTICS_TERMS]; /* behind the errors, by Welch-Satterthwaite; INFINITY for exactly known
                                     errors */
  double chi2;
  double p; /* probability of a larger chi2; NaN without degrees of freedom */
} StatisticsFit;

/* Least squares of n independent points y with positive errors, each from draws[] draws (NULL: exact errors);
 * x[n][terms]. STATUS_MEMORY. */
Status statistics_fit(const double *x, const double *y, const double *error, const int64_t *draws, int n,
                      int terms, StatisticsFit *fit, Error *why);

/* --- comparisons -----------------------------------------------------------------------------------------
 */

typedef struct StatisticsWelch {
  double difference, error; /* b - a                                                      */
  double z;                 /* difference/error                                           */
  double dof;               /* Welch-Satterthwaite                                        */
  double p;                 /* two-sided, Student's t                                     */
} StatisticsWelch;

/* Welch's test of two means with errors from na and nb independent draws; a number below 2 stands for an
 * exact error. */
StatisticsWelch statistics_welch(double mean_a, double error_a, int64_t na, double mean_b, double error_b,
                                 int64_t nb);

typedef struct StatisticsDistance {
  double tv;                 /* 1/2 sum |mean_a - mean_b|                                      */
  double null_mean, null_sd; /* for equal distributions: over the permutations */
  double p;                  /* fraction of permutations with this tv or more (add-one estimate) */
  int permutations;
} StatisticsDistance;

/* The total variation distance of the mean distributions of two sets of independent rows a[na][ncol] and
 * b[nb][ncol] (each sums to 1). The permutation test over whole rows is exact for any correlation of the
 * columns. Errors: STATUS_INPUT (fewer than 2 rows in a set), STATUS_MEMORY. */
Status statistics_distance(int ncol, int na, const double *a, int nb, const double *b, int permutations,
                           uint64_t seed, StatisticsDistance *distance, Error *error);

/* The Holm-Bonferroni correction (Scand. J. Stat. 6, 65 (1979)): adjusted[k] are p-values to compare with the
 * level of the whole family. A p of NaN (no test) stays NaN and does not count. STATUS_MEMORY. */
Status statistics_holm(const double *p, int n, double *adjusted, Error *error);

#endif
