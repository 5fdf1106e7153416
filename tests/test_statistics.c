/* Errors of correlated samples have the right size, tests have uniform p-values where nothing differs, and
 * see what does. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "engine/random.h"
#include "observables/statistics.h"
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

START_TEST(moments_merge_as_they_add)
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
  statistics_moments_merge(part[0], part[1], 3);
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(part[0][k].n, 1000);
    ck_assert_double_eq_tol(whole[k].mean - 1e6, sum[k], 1e-8);
    ck_assert_double_eq_tol(part[0][k].mean, whole[k].mean, 1e-8);
    ck_assert_double_eq_tol(part[0][k].m2, whole[k].m2, 1e-6 * whole[k].m2);
    ck_assert_double_eq_tol(statistics_moments_variance(&whole[k]), 1.0, 0.15);
  }
}
END_TEST

START_TEST(too_few_numbers_have_no_error)
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
END_TEST

START_TEST(errors_of_correlated_series)
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
    times += statistics_correlation_time(x, N, NULL) / RUNS;
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
END_TEST

START_TEST(a_short_series_says_so)
{
  enum { N = 128 };
  double x[N];
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  autoregress(&s, 0.999, x, N);
  ck_assert_int_eq(statistics_series(x, N).plateau, 0);
}
END_TEST

START_TEST(slopes_of_correlated_series)
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
    ck_assert_double_lt(fabs(line.intercept - 5.0), 6.0 * line.intercept_error);
  }
  free(x);
  ck_assert_double_eq_tol(chi2, 1.0, 0.4);
}
END_TEST

START_TEST(weighted_lines)
{
  const double x[4] = {0.0, 1.0, 2.0, 4.0}, error[4] = {0.1, 0.2, 0.1, 0.4};
  double y[4];
  for (int i = 0; i < 4; i++)
    y[i] = 2.0 - 3.0 * x[i];
  StatisticsLine line = statistics_line_weighted(x, y, error, 4, 0);
  ck_assert_double_eq_tol(line.slope, -3.0, 1e-12);
  ck_assert_double_eq_tol(line.intercept, 2.0, 1e-12);
  ck_assert_int_eq(line.dof, 2);
  y[2] += 1.0; /* ten standard errors */
  line = statistics_line_weighted(x, y, error, 4, 0);
  ck_assert_double_lt(line.p, 1e-3);
  for (int i = 0; i < 4; i++)
    y[i] = 0.5 * x[i];
  line = statistics_line_weighted(x, y, error, 4, 1);
  ck_assert_double_eq_tol(line.slope, 0.5, 1e-12);
  ck_assert_int_eq(line.dof, 3);
  double weight = 0.0;
  for (int i = 0; i < 4; i++)
    weight += pow(x[i] / error[i], 2);
  ck_assert_double_eq_tol(line.slope_error, 1.0 / sqrt(weight), 1e-12);
}
END_TEST

START_TEST(welch_is_uniform_without_a_difference)
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
END_TEST

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

START_TEST(permutations_are_uniform_without_a_difference)
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
END_TEST

START_TEST(permutations_see_a_shift)
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
END_TEST

START_TEST(holm)
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
END_TEST

int main(void)
{
  TCase *tc = tcase_create("statistics");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, moments_merge_as_they_add);
  tcase_add_test(tc, too_few_numbers_have_no_error);
  tcase_add_loop_test(tc, errors_of_correlated_series, 0, 3);
  tcase_add_test(tc, a_short_series_says_so);
  tcase_add_test(tc, slopes_of_correlated_series);
  tcase_add_test(tc, weighted_lines);
  tcase_add_test(tc, welch_is_uniform_without_a_difference);
  tcase_add_loop_test(tc, permutations_are_uniform_without_a_difference, 0, 2);
  tcase_add_test(tc, permutations_see_a_shift);
  tcase_add_test(tc, holm);
  return suite_main("statistics", tc);
}
