/* Means, errors and comparisons of samples. Errors are one standard error. Correlation times are integrated
 * ones in samples, tau = 1/2 + sum_{t>=1} rho(t), so that error^2 = 2 tau variance / n and independent
 * samples have tau = 1/2. A number that the data cannot give (the error of one sample) is NaN. */
#ifndef HOLONOM_OBSERVABLES_STATISTICS_H
#define HOLONOM_OBSERVABLES_STATISTICS_H

#include <stdint.h>

#include "base/status.h"

/* --- moments, added one sample at a time (Welford, Technometrics 4, 419 (1962)) -------------------- */

typedef struct StatisticsMoments {
  int64_t n;
  double mean, m2; /* m2 = sum of squared deviations from the mean; all zero is empty */
} StatisticsMoments;

/* One sample of ncol columns. */
void statistics_moments_add(StatisticsMoments *moments, const double *x, int ncol);

/* Adds what another has seen; merging parts in a fixed order gives fixed bits. */
void statistics_moments_merge(StatisticsMoments *into, const StatisticsMoments *from);

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

/* How correlated the samples of a run are, by the slowest of some series. Errors of everything in the run are
 * taken from blocks of this one length. */
typedef struct StatisticsCorrelation {
  double samples;      /* of each series                                                               */
  double inefficiency; /* samples to an independent one: 2 tau of the slowest series, from 1 up         */
  double length;       /* samples that a block needs; without a plateau what leaves 4 blocks           */
  int plateau; /* 0: too short to say, fewer than STATISTICS_BLOCKS blocks of the length that is needed.
                * Inefficiency and errors are then the largest seen, and lower bounds                  */
} StatisticsCorrelation;

/* Blocks that a plateau must leave; with the length that the rule of Lee et al. asks for the run then has
 * sqrt(2 16^3) = 90 independent samples or more, and blocks are 6 inefficiencies long. */
enum { STATISTICS_BLOCKS = 16, STATISTICS_BLOCKS_FEWEST = 4 };

/* The largest inefficiency among n series that got the same samples, with blocks of any length that leaves
 * 16, no less than `known` (1: nothing is known from elsewhere). Longer blocks than the plateau's count, too:
 * the scatter of few blocks lets a run that is too short seem long enough now and then, but rarely at all
 * lengths. */
StatisticsCorrelation statistics_correlation(const StatisticsBlocks *series, int n, double known);

/* The same of series of `samples` samples that are kept in another way: seen(self, k, level) is (error of the
 * mean of series k with blocks of the level's length / naive error)^2, 0 of one that does not vary, for the
 * `levels` lengths that leave STATISTICS_BLOCKS blocks. */
typedef double StatisticsInefficiency(const void *self, int series, int level);
StatisticsCorrelation statistics_correlation_of(const void *self, StatisticsInefficiency *seen, int n,
                                                int levels, double samples, double known);

/* Inefficiency of samples `every` apart whose correlation is that of samples `other_every` apart, of which it
 * takes `inefficiency` to an independent one; 1 where the others are too far apart to be correlated. */
double statistics_inefficiency(double inefficiency, double other_every, double every);

typedef struct StatisticsSeries {
  double mean, error;
  double tau;          /* correlation time that the error implies, in samples, from 1/2 up        */
  double block_length; /* samples                                                                 */
  int64_t nblock;
  int plateau; /* 0: none found, the series is too short for its correlation; error is the largest seen, a
                * lower bound */
} StatisticsSeries;

/* Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989), the block length by Lee et al., Phys. Rev. E 83,
 * 066706 (2011); or with the blocks that the slowest series of a run asks for. */
StatisticsSeries statistics_blocks_result(const StatisticsBlocks *blocks);
StatisticsSeries statistics_blocks_result_with(const StatisticsBlocks *blocks,
                                               const StatisticsCorrelation *correlation);
StatisticsSeries statistics_series(const double *x, int64_t n);

/* The correlation time by summing the autocorrelation up to five times itself (Madras & Sokal, J. Stat.
 * Phys. 50, 109 (1988)). */
double statistics_correlation_time(const double *x, int64_t n);

/* --- straight lines ------------------------------------------------------------------------------------ */

typedef struct StatisticsLine {
  double slope, slope_error, intercept;
  int64_t draws; /* behind the error, one more than its degrees of freedom; 0: it is a lower bound */
} StatisticsLine;

/* Least squares on a series in order of x, for drifts: the errors come from the residuals in blocks of the
 * plateau length, so they hold for correlated samples. */
StatisticsLine statistics_line(const double *x, const double *y, int64_t n);

/* The same for y that may wander besides, as the conserved energy of a thermostatted run does by random
 * errors that add up: residuals of a random walk have no plateau. The error is then that of the mean of the
 * slopes in 16 stretches of the series (8 where n is below 160), which are independent of each other; below
 * 40 points as statistics_line. x evenly spaced. */
StatisticsLine statistics_drift(const double *x, const double *y, int64_t n);

enum { STATISTICS_TERMS = 5 };

/* y = sum_k value[k] x[k]. */
typedef struct StatisticsFit {
  int terms, dof; /* dof: points less terms; below 0 there is no fit                */
  int dependent;  /* 1: the terms cannot be told apart by these points: there is no fit */
  double value[STATISTICS_TERMS], error[STATISTICS_TERMS]; /* NaN without a fit    */
  double draws[STATISTICS_TERMS]; /* behind these errors: Welch-Satterthwaite; INFINITY of errors known
                                     exactly */
  double chi2;
  double p; /* chance of a larger chi2; NaN without degrees of freedom         */
} StatisticsFit;

/* Least squares of n independent points y with errors above 0, each of so many draws (NULL: known exactly);
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
