/* Errors of correlated samples have the right size, tests have uniform p-values where nothing differs, and
 * see what does. */
#include <gsl/gsl_errno.h>

#include "engine/random.h"
#include "observables/distribution.h"
#include "observables/extremum.h"
#include "observables/statistics.h"
#include "observables/verdict.h"
#include "tests/suite.h"

static double normal(RandomStream *s) { return random_normal(s); }

/* x' = phi x + sqrt(1 - phi^2) xi: variance 1, correlation time (1 + phi)/(2 (1 - phi)). */
static void autoregress(RandomStream *s, double phi, double *x, int n)
{
  double value = normal(s);
  for (int i = 0; i < n; i++) {
    x[i] = value;
    value = phi * value + sqrt(1.0 - phi * phi) * normal(s);
  }
}

/* Largest distance of the empirical distribution of p from the uniform one; sorts p. */
static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double uniformity(double *p, int n)
{
  double worst = 0.0;
  qsort(p, (size_t)n, sizeof *p, ascending);
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fmax(fabs(p[i] - i / (double)n), fabs(p[i] - (i + 1) / (double)n)));
  return worst;
}

TEST(moments_merge_as_they_add)
{
  RandomStream s = random_stream(1, 0, RANDOM_TEST);
  StatisticsMoments whole[3] = {0}, part[2][3] = {0};
  double sum[3] = {0}, x[3];
  for (int i = 0; i < 1000; i++) {
    for (int k = 0; k < 3; k++) {
      x[k] = 1e6 + k + normal(&s);
      sum[k] += (x[k] - 1e6) / 1000;
    }
    statistics_moments_add(whole, x, 3);
    statistics_moments_add(part[i >= 300], x, 3);
  }
  for (int k = 0; k < 3; k++) {
    statistics_moments_merge(&part[0][k], &part[1][k]);
    ck_assert_int_eq(part[0][k].n, 1000);
    ck_assert_double_eq_tol(whole[k].mean - 1e6, sum[k], 1e-8);
    ck_assert_double_eq_tol(part[0][k].mean, whole[k].mean, 1e-8);
    ck_assert_double_eq_tol(part[0][k].m2, whole[k].m2, 1e-6 * whole[k].m2);
    ck_assert_double_eq_tol(statistics_moments_variance(&whole[k]), 1.0, 0.15);
  }
}

TEST(too_few_numbers_have_no_error)
{
  double mean, error;
  const double x[2] = {3.0, 5.0};
  statistics_mean(x, 0, &mean, &error);
  ck_assert(isnan(mean) && isnan(error));
  statistics_mean(x, 1, &mean, &error);
  ck_assert(mean == 3.0 && isnan(error));
  statistics_mean(x, 2, &mean, &error);
  ck_assert(mean == 4.0 && error == 1.0);
  ck_assert(isnan(statistics_series(x, 0).mean));
  ck_assert(isnan(statistics_series(x, 1).error));
}

TEST(errors_of_correlated_series, .rows = 3)
{
  enum { N = 1 << 14, RUNS = 150 };
  static const double phis[3] = {0.0, 0.6, 0.95};
  const double phi = phis[_i], tau = 0.5 * (1.0 + phi) / (1.0 - phi);
  double *x = malloc(N * sizeof *x), squares = 0.0, taus = 0.0, times = 0.0, chi2 = 0.0;
  RandomStream s = random_stream(2, (uint32_t)_i, RANDOM_TEST);
  int found = 0;
  for (int run = 0; run < RUNS; run++) {
    autoregress(&s, phi, x, N);
    const StatisticsSeries series = statistics_series(x, N);
    squares += series.error * series.error / RUNS;
    taus += series.tau / RUNS;
    times += statistics_correlation_time(x, N) / RUNS;
    chi2 += pow(series.mean / series.error, 2) / RUNS;
    found += series.plateau;
  }
  free(x);
  const double expected = 2.0 * tau / N;
  ck_assert_int_eq(found, RUNS);
  ck_assert_double_eq_tol(squares / expected, 1.0, 0.12);
  ck_assert_double_eq_tol(taus / tau, 1.0, 0.15); /* never below 1/2, so a bit high for phi = 0 */
  ck_assert_double_eq_tol(times / tau, 1.0, 0.08);
  ck_assert_double_eq_tol(chi2, 1.0, 4.0 * sqrt(2.5 / RUNS));
}

TEST(a_short_series_says_so)
{
  enum { N = 128 };
  double x[N];
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  autoregress(&s, 0.999, x, N);
  ck_assert_int_eq(statistics_series(x, N).plateau, 0);
}

TEST(slopes_of_correlated_series)
{
  enum { N = 4096, RUNS = 200 };
  double *x = malloc(2 * N * sizeof *x), *y = x + N, chi2 = 0.0;
  RandomStream s = random_stream(4, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++) {
    autoregress(&s, 0.9, y, N);
    for (int i = 0; i < N; i++) {
      x[i] = 0.1 * i;
      y[i] += 5.0 + 0.01 * x[i];
    }
    const StatisticsLine line = statistics_line(x, y, N);
    chi2 += pow((line.slope - 0.01) / line.slope_error, 2) / RUNS;
    /* Where x begins, half of its range from the middle, the line is as uncertain as range/sqrt(3) of its
     * slope. */
    ck_assert_double_lt(fabs(line.intercept - 5.0), 6.0 * x[N - 1] / sqrt(3.0) * line.slope_error);
  }
  free(x);
  ck_assert_double_eq_tol(chi2, 1.0, 0.4);
}

/* Random walks, alone and under noise: at 1 % they raise few alarms, and most that have a slope as well do,
 * whatever the length. */
TEST(drifts_of_random_walks, .rows = 6)
{
  enum { RUNS = 600 };
  static const int length[3] = {60, 400, 3000};
  static double x[3000], y[3000];
  RandomStream s = random_stream(5, (uint32_t)_i, RANDOM_TEST);
  const int n = length[_i / 2];
  int alarms = 0, tested = 0, seen = 0;
  for (int run = 0; run < RUNS; run++) {
    double walk = 0.0;
    for (int i = 0; i < n; i++) {
      x[i] = 0.1 * i;
      walk += random_normal(&s);
      y[i] = walk + (_i % 2 ? 3.0 * random_normal(&s) : 0.0) + (run % 2 ? 8.0 * i / sqrt(n) : 0.0);
    }
    const StatisticsLine line = statistics_drift(x, y, n);
    const bool alarm =
        verdict_alarms(verdict_difference(0.0, 0.0, 0, line.slope, line.slope_error, line.draws).p);
    tested += line.draws > 0;
    *(run % 2 ? &seen : &alarms) += alarm;
  }
  ck_assert_int_eq(tested, RUNS);
  ck_assert_msg(alarms <= 3 + 4.0 * sqrt(3.0), "%d alarms of %d", alarms, RUNS / 2);
  ck_assert_int_gt(seen, RUNS / 2 * 7 / 10);
}

static StatisticsFit fit_of(const double *x, const double *y, const double *error, int n, int terms)
{
  StatisticsFit fit;
  ck_assert_int_eq(statistics_fit(x, y, error, NULL, n, terms, &fit, NULL), STATUS_OK);
  return fit;
}

static int gsl_errors;

static void count_error(const char *reason, const char *file, int line, int code)
{
  (void)reason;
  (void)file;
  (void)line;
  (void)code;
  gsl_errors++;
}

/* GSL's handler, which ends a program, is never called, whatever is asked for; and what is said is right. */
TEST(distributions_take_any_number)
{
  gsl_error_handler_t *const before = gsl_set_error_handler(count_error);
  static const double odd[] = {0.0,  1e-300, 0.1,  0.5,   1.0 - 1e-16, 1.0, 2.0,
                               40.0, 1e5,    1e25, 1e300, INFINITY,    NAN};
  enum { ODD = sizeof odd / sizeof *odd };
  for (int i = 0; i < 2 * ODD; i++)
    for (int k = 0; k < 2 * ODD; k++) {
      const double x = i < ODD ? odd[i] : -odd[i - ODD], dof = k < ODD ? odd[k] : -odd[k - ODD];
      const double p = distribution_t_above(x, dof), c = distribution_chi2_above(x, dof);
      ck_assert(isnan(p) || (p >= 0.0 && p <= 1.0));
      ck_assert(isnan(c) || (c >= 0.0 && c <= 1.0));
      ck_assert(dof >= 0.5 || isnan(p));
      distribution_t_quantile(x, dof);
      for (int l = 0; l < ODD; l++) {
        const double f = distribution_f_above(x, dof, odd[l]);
        ck_assert(isnan(f) || (f >= 0.0 && f <= 1.0));
      }
    }
  for (double dof = 0.5; dof < 1e17; dof *= 1.7)
    for (double p = 1e-12; p < 1.0; p *= 3.7) {
      const double t = distribution_t_quantile(p, dof);
      if (isfinite(t))
        ck_assert_double_eq_tol(distribution_t_above(-t, dof) / p, 1.0, 1e-6);
      ck_assert_double_eq(distribution_t_quantile(1.0 - p, dof) > 0.0, 1.0 - p > 0.5);
    }
  /* Cauchy's and the normal distribution. */
  ck_assert_double_eq_tol(distribution_t_quantile(0.975, 1.0), tan(M_PI * 0.475), 1e-12);
  ck_assert_double_eq_tol(distribution_t_quantile(0.95, INFINITY), 1.6448536269514722, 1e-14);
  ck_assert_double_eq_tol(distribution_chi2_above(3.0, 2.0), exp(-1.5), 1e-15);
  const double x[3][2] = {{1, 0.0}, {1, NAN}, {1, 2.0}}, y[3] = {1.0, 2.0, 3.0}, error[3] = {0.1, 0.1, 0.0};
  StatisticsFit fit;
  ck_assert_int_eq(statistics_fit(x[0], y, error, NULL, 3, 2, &fit, NULL), STATUS_OK);
  ck_assert(fit.dependent && isnan(fit.value[0]));
  ck_assert_int_eq(gsl_errors, 0);
  gsl_set_error_handler(before);
}

TEST(weighted_fits)
{
  const double x[4][2] = {{1, 0.0}, {1, 1.0}, {1, 2.0}, {1, 4.0}}, error[4] = {0.1, 0.2, 0.1, 0.4};
  double y[4], slope[4], weight = 0.0;
  for (int i = 0; i < 4; i++)
    y[i] = 2.0 - 3.0 * x[i][1];
  StatisticsFit fit = fit_of(x[0], y, error, 4, 2);
  ck_assert_double_eq_tol(fit.value[1], -3.0, 1e-12);
  ck_assert_double_eq_tol(fit.value[0], 2.0, 1e-12);
  ck_assert_int_eq(fit.dof, 2);
  ck_assert_double_gt(fit.p, 0.999);
  y[2] += 1.0; /* ten standard errors */
  ck_assert_double_lt(fit_of(x[0], y, error, 4, 2).p, 1e-3);
  for (int i = 0; i < 4; i++) {
    slope[i] = x[i][1];
    y[i] = 0.5 * x[i][1];
    weight += pow(x[i][1] / error[i], 2);
  }
  fit = fit_of(slope, y, error, 4, 1);
  ck_assert_double_eq_tol(fit.value[0], 0.5, 1e-12);
  ck_assert_int_eq(fit.dof, 3);
  ck_assert_double_eq_tol(fit.error[0], 1.0 / sqrt(weight), 1e-12);
}

/* Points whose errors are from few draws: so many are behind a value's error, and chances by Student's t are
 * what they are called, of a mean of several points as of a line. */
TEST(fits_of_few_draws, .rows = 2)
{
  enum { RUNS = 4000, POINTS = 4, DRAWS = 12 };
  const double one[2] = {1, 1}, error_of_two[2] = {0.1, 0.2}, y_of_two[2] = {1, 1};
  const int64_t few[2] = {8, 20};
  StatisticsFit fit;
  ck_assert_int_eq(statistics_fit(one, y_of_two, error_of_two, few, 2, 1, &fit, NULL), STATUS_OK);
  const double part[2] = {0.8, 0.2}; /* of the variance */
  ck_assert_double_eq_tol(fit.draws[0], 1.0 + 1.0 / (part[0] * part[0] / 7.0 + part[1] * part[1] / 19.0),
                          1e-9);
  ck_assert(isinf(fit_of(one, y_of_two, error_of_two, 2, 1).draws[0]));
  RandomStream s = random_stream(6, 0, RANDOM_TEST);
  const int terms = 1 + _i;
  int rare = 0;
  for (int run = 0; run < RUNS; run++) {
    double x[2 * POINTS], y[POINTS], error[POINTS];
    int64_t draws[POINTS];
    for (int i = 0; i < POINTS; i++) {
      double each[DRAWS];
      for (int k = 0; k < DRAWS; k++)
        each[k] = 2.0 - 0.5 * i * _i + normal(&s);
      x[i * terms + terms - 1] = i;
      x[i * terms] = 1.0;
      draws[i] = DRAWS;
      statistics_mean(each, DRAWS, &y[i], &error[i]);
    }
    ck_assert_int_eq(statistics_fit(x, y, error, draws, POINTS, terms, &fit, NULL), STATUS_OK);
    rare += statistics_welch(2.0, 0.0, 0, fit.value[0], fit.error[0], (int64_t)fit.draws[0]).p < 0.05;
  }
  ck_assert_double_eq_tol((double)rare / RUNS, 0.05, 0.01 + 3.0 * sqrt(0.05 * 0.95 / RUNS));
}

TEST(fits_that_points_cannot_give)
{
  const double both[6] = {1, 2, 5, 1, 1, 1}, same[6] = {1, 3, 1, 3, 1, 3}, error[3] = {1, 1, 1},
               y[3] = {1, 2, 4};
  StatisticsFit fit = fit_of(both, y, error, 2, 3); /* three terms through two points */
  ck_assert(fit.dof < 0 && isnan(fit.value[0]) && isnan(fit.p));
  fit = fit_of(same, y, error, 3, 2); /* all at one x */
  ck_assert(fit.dependent && isnan(fit.value[0]) && isnan(fit.error[1]));
  fit = fit_of(both, y, error, 2, 2);
  ck_assert(fit.dof == 0 && !fit.dependent && isfinite(fit.error[0]) && isnan(fit.p));
}

/* Coverage: errors of all three terms hold, and chi2 is what it should be. */
TEST(fits_of_two_variables)
{
  enum { RUNS = 400, POINTS = 8 };
  const double truth[3] = {-57.5, -2400.0, 3.0};
  double chi2 = 0.0, squares[3] = {0.0};
  RandomStream s = random_stream(8, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++) {
    double x[POINTS][3], y[POINTS], error[POINTS];
    for (int i = 0; i < POINTS; i++) {
      const double w = 50.0 * (1 + i % 4), h = i < 4 ? 0.05 : 0.025;
      x[i][0] = 1.0;
      x[i][1] = 1.0 / (w * w);
      x[i][2] = h * h;
      error[i] = 0.001 * (1 + i);
      y[i] = truth[0] + truth[1] * x[i][1] + truth[2] * x[i][2] + error[i] * normal(&s);
    }
    const StatisticsFit fit = fit_of(x[0], y, error, POINTS, 3);
    chi2 += fit.chi2 / RUNS;
    for (int k = 0; k < 3; k++)
      squares[k] += pow((fit.value[k] - truth[k]) / fit.error[k], 2) / RUNS;
  }
  ck_assert_double_eq_tol(chi2, POINTS - 3, 4.0 * sqrt(2.0 * (POINTS - 3) / RUNS));
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(squares[k], 1.0, 4.0 * sqrt(2.0 / RUNS));
}

/* Three series of one run, of which one is slow: it decides over the errors of all. */
TEST(the_slowest_series_decides)
{
  enum { N = 1 << 15 };
  static const double phi[3] = {0.0, 0.98, 0.5};
  static double x[N];
  StatisticsBlocks blocks[3] = {0};
  RandomStream s = random_stream(9, 0, RANDOM_TEST);
  for (int k = 0; k < 3; k++) {
    autoregress(&s, phi[k], x, N);
    for (int i = 0; i < N; i++)
      statistics_blocks_add(&blocks[k], x[i]);
  }
  const StatisticsCorrelation c = statistics_correlation(blocks, 3, 1.0);
  ck_assert_int_eq(c.plateau, 1);
  ck_assert_double_eq(c.inefficiency, statistics_correlation(&blocks[1], 1, 1.0).inefficiency);
  ck_assert_double_eq_tol(c.inefficiency / 99.0, 1.0, 0.5);
  ck_assert_double_gt(c.length, 4.0 * c.inefficiency);
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq(statistics_blocks_result_with(&blocks[k], &c).block_length,
                        exp2(ceil(log2(c.length))));
  ck_assert_double_eq(statistics_blocks_result(&blocks[1]).error,
                      statistics_blocks_result_with(&blocks[1], &c).error);
  /* What is known from elsewhere may be slower still, up to where nothing can be said. */
  ck_assert_double_eq(statistics_correlation(blocks, 3, N / 300.0).inefficiency, N / 300.0);
  const StatisticsCorrelation slow = statistics_correlation(blocks, 3, N / 20.0);
  ck_assert_int_eq(slow.plateau, 0);
  ck_assert_double_eq(slow.inefficiency, N / 20.0);
  /* Samples ten times as far apart. */
  ck_assert_double_eq_tol(statistics_inefficiency(101.0, 1.0, 10.0), 11.0, 1e-12);
  ck_assert_double_eq(statistics_inefficiency(1.0, 100.0, 10.0), 1.0);
}

/* Equal runs of every length, from much shorter than the correlation to much longer: differences are called
 * in one of twenty at most, where anything is said at all, and something is said of the long ones. */
TEST(equal_series_are_rarely_called_different, .rows = 5)
{
  enum { RUNS = 200, LONGEST = 1 << 14 };
  static const int length[5] = {1 << 8, 1 << 10, 1 << 12, 1 << 13, LONGEST};
  static double x[LONGEST];
  RandomStream s = random_stream(10, (uint32_t)_i, RANDOM_TEST);
  int said = 0, different = 0;
  for (int run = 0; run < RUNS; run++) {
    StatisticsSeries pair[2];
    for (int k = 0; k < 2; k++) {
      autoregress(&s, 0.96, x, length[_i]); /* inefficiency 49 */
      pair[k] = statistics_series(x, length[_i]);
    }
    if (!pair[0].plateau || !pair[1].plateau)
      continue;
    said++;
    different += statistics_welch(pair[0].mean, pair[0].error, pair[0].nblock, pair[1].mean, pair[1].error,
                                  pair[1].nblock)
                     .p < 0.05;
  }
  /* In all, and, where something is said of most, of those: a few that seem longer than they are are what is
   * left of runs at the limit. */
  ck_assert_msg(different <= 0.05 * RUNS + 3.0 * sqrt(0.05 * RUNS) &&
                    (said < RUNS / 2 || different <= 0.06 * said + 3.0 * sqrt(0.06 * said)),
                "%d of %d of %d different", different, said, RUNS);
  if (length[_i] <= 1 << 10) /* 20 independent samples */
    ck_assert_int_lt(said, RUNS / 50);
  if (length[_i] == LONGEST) /* 330 */
    ck_assert_int_eq(said, RUNS);
}

TEST(impossible_numbers_have_no_verdict)
{
  ck_assert(isnan(statistics_welch(0.0, NAN, 5, 1.0, 1.0, 5).p));
  ck_assert(isnan(statistics_welch(INFINITY, 1.0, 5, INFINITY, 1.0, 5).p));
  ck_assert(isnan(statistics_welch(0.0, INFINITY, 5, 1.0, 1.0, 5).p));
  const StatisticsWelch large = statistics_welch(1e100, 1e200, 5, 0.0, 1e-200, 5); /* squares overflow */
  ck_assert_double_eq_tol(large.dof, 4.0, 1e-9);
  ck_assert_double_gt(large.p, 0.99);
}

TEST(welch_is_uniform_without_a_difference)
{
  enum { RUNS = 2000 };
  static double p[RUNS];
  RandomStream s = random_stream(5, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++) {
    double a[6], b[12], mean[2], error[2];
    for (int i = 0; i < 6; i++)
      a[i] = 1.0 + 3.0 * normal(&s);
    for (int i = 0; i < 12; i++)
      b[i] = 1.0 + normal(&s);
    statistics_mean(a, 6, &mean[0], &error[0]);
    statistics_mean(b, 12, &mean[1], &error[1]);
    p[run] = statistics_welch(mean[0], error[0], 6, mean[1], error[1], 12).p;
  }
  ck_assert_double_lt(uniformity(p, RUNS), 1.63 / sqrt(RUNS)); /* Kolmogorov-Smirnov, 1 % */
  const StatisticsWelch far = statistics_welch(0.0, 0.1, 50, 1.0, 0.1, 50);
  ck_assert_double_eq_tol(far.z, 1.0 / sqrt(0.02), 1e-12);
  ck_assert_double_lt(far.p, 1e-9);
  ck_assert_double_eq_tol(statistics_welch(0.0, 1.0, 0, 1.959963985, 0.0, 0).p, 0.05, 1e-8);
  ck_assert_double_eq(statistics_welch(1.0, 0.0, 9, 1.0, 0.0, 9).p, 1.0);
}

enum { BINS = 20, ROWS = 12 };

/* Rows of fractions whose bins are correlated, as histograms of one trajectory are; a shift moves them. */
static void make_rows(RandomStream *s, int n, double shift, double *x)
{
  for (int i = 0; i < n; i++) {
    const double centre = 10.0 + shift + normal(s), width = 3.0 + random_uniform(s);
    double sum = 0.0;
    for (int k = 0; k < BINS; k++)
      sum += x[i * BINS + k] = exp(-0.5 * pow((k - centre) / width, 2));
    for (int k = 0; k < BINS; k++)
      x[i * BINS + k] /= sum;
  }
}

TEST(permutations_are_uniform_without_a_difference, .rows = 2)
{
  enum { RUNS = 300, DEALS = 199 };
  static double p[RUNS];
  double a[ROWS * BINS], b[2 * ROWS * BINS], mean_tv = 0.0, mean_null = 0.0;
  const int na = _i == 0 ? ROWS : 2 * ROWS, nb = _i == 0 ? 2 * ROWS : ROWS; /* either set the smaller */
  RandomStream s = random_stream(6, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++) {
    StatisticsDistance d;
    make_rows(&s, ROWS, 0.0, a);
    make_rows(&s, 2 * ROWS, 0.0, b);
    ck_assert_int_eq(
        statistics_distance(BINS, na, na < nb ? a : b, nb, na < nb ? b : a, DEALS, (uint64_t)run, &d, NULL),
        0);
    p[run] = d.p;
    mean_tv += d.tv / RUNS;
    mean_null += d.null_mean / RUNS;
  }
  ck_assert_double_lt(uniformity(p, RUNS), 1.63 / sqrt(RUNS) + 1.0 / DEALS);
  ck_assert_double_eq_tol(mean_tv / mean_null, 1.0, 0.1);
}

TEST(permutations_see_a_shift)
{
  double a[ROWS * BINS], b[ROWS * BINS];
  RandomStream s = random_stream(7, 0, RANDOM_TEST);
  StatisticsDistance d, again;
  make_rows(&s, ROWS, 0.0, a);
  make_rows(&s, ROWS, 4.0, b);
  ck_assert_int_eq(statistics_distance(BINS, ROWS, a, ROWS, b, 999, 1, &d, NULL), STATUS_OK);
  ck_assert_double_eq(d.p, 1.0 / 1000.0);
  ck_assert_double_gt(d.tv, d.null_mean + 5.0 * d.null_sd);
  ck_assert_int_eq(statistics_distance(BINS, ROWS, a, ROWS, b, 999, 1, &again, NULL), STATUS_OK);
  ck_assert_double_eq(d.null_mean, again.null_mean); /* the seed says it all */
  Error error;
  ck_assert_int_eq(statistics_distance(BINS, 1, a, ROWS, b, 9, 1, &d, &error), STATUS_INPUT);
}

TEST(holm)
{
  const double p[5] = {0.01, 0.04, 0.03, 0.005, NAN};
  double adjusted[5];
  ck_assert_int_eq(statistics_holm(p, 5, adjusted, NULL), STATUS_OK);
  ck_assert_double_eq_tol(adjusted[3], 0.02, 1e-15);
  ck_assert_double_eq_tol(adjusted[0], 0.03, 1e-15);
  ck_assert_double_eq_tol(adjusted[2], 0.06, 1e-15);
  ck_assert_double_eq_tol(adjusted[1], 0.06, 1e-15); /* not below that of a smaller p */
  ck_assert(isnan(adjusted[4]));
}

/* A cubic with noise, upright and upside down, by points alone and with slopes at most of them: place and
 * height have the errors that are told, and chi^2 its mean. */
TEST(an_extremum_has_its_error, .rows = 4)
{
  enum { POINTS = 10, RUNS = 2000 };
  RandomStream s = random_stream(15, (uint32_t)_i, RANDOM_TEST);
  const bool minimum = _i & 1, sloping = _i & 2;
  const double sign = minimum ? -1.0 : 1.0, top = 277.0, noise = 3e-4, steep = 2e-5;
  const int rows = sloping ? 2 * POINTS - 1 : POINTS;
  double pull[2] = {0.0}, square[2] = {0.0}, chi2 = 0.0;
  for (int run = 0; run < RUNS; run++) {
    double x[POINTS], y[POINTS], error[POINTS], slope[POINTS], slope_error[POINTS];
    Extremum e;
    for (int i = 0; i < POINTS; i++) {
      x[i] = 250.0 + 6.5 * i;
      error[i] = noise * (1.0 + i % 3);
      y[i] = sign * (1.0 - 2e-5 * pow(x[i] - top, 2) + 8e-8 * pow(x[i] - top, 3)) + error[i] * normal(&s);
      slope_error[i] = steep * (1.0 + i % 2);
      slope[i] = sign * (-4e-5 * (x[i] - top) + 24e-8 * pow(x[i] - top, 2)) + slope_error[i] * normal(&s);
    }
    slope[4] = NAN;
    const ExtremumPoints points = {.n = POINTS,
                                   .x = x,
                                   .y = y,
                                   .error = error,
                                   .slope = sloping ? slope : NULL,
                                   .slope_error = slope_error};
    ck_assert_int_eq(extremum_find(&points, 3, minimum, &e, NULL), STATUS_OK);
    ck_assert(e.found);
    ck_assert_double_eq_tol(extremum_curve(&e, e.at), e.value, 1e-9);
    const double z[2] = {(e.at - top) / e.at_error, (e.value - sign) / e.value_error};
    for (int k = 0; k < 2; k++) {
      pull[k] += z[k] / RUNS;
      square[k] += z[k] * z[k] / RUNS;
    }
    chi2 += e.fit.chi2 / RUNS;
  }
  for (int k = 0; k < 2; k++) {
    ck_assert_double_lt(fabs(pull[k]), 4.0 / sqrt(RUNS) + 0.03); /* and what is not linear in the noise */
    ck_assert_double_eq_tol(square[k], 1.0, 4.0 * sqrt(2.0 / RUNS) + 0.03);
  }
  ck_assert_double_eq_tol(chi2, rows - 4, 4.0 * sqrt(2.0 * (rows - 4) / RUNS));
}

/* A slope has none, nor have points that are too few; of several the highest is taken. */
TEST(no_extremum)
{
  double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, y[5], error[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
  ExtremumPoints points = {.n = 5, .x = x, .y = y, .error = error};
  Extremum e;
  for (int i = 0; i < 5; i++)
    y[i] = x[i] + 0.05 * x[i] * x[i];
  ck_assert_int_eq(extremum_find(&points, 2, false, &e, NULL), STATUS_OK);
  ck_assert(!e.found && isnan(e.at) && !e.fit.dependent);
  points.n = 2;
  ck_assert_int_eq(extremum_find(&points, 2, false, &e, NULL), STATUS_OK);
  ck_assert(!e.found && e.fit.dof < 0);
  points.n = 5;
  for (int i = 0; i < 5; i++) /* two tops, the second of them higher */
    y[i] = -pow((x[i] - 2.0) * (x[i] - 4.0), 2) + 0.1 * x[i];
  ck_assert_int_eq(extremum_find(&points, 4, false, &e, NULL), STATUS_OK);
  ck_assert(e.found && fabs(e.at - 4.0) < 0.05);
}
