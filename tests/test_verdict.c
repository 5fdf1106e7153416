/* When something is said of numbers with errors, and errors of groups that are not equal: chances are what
 * they are called, whatever the number of draws, and nothing is said of few. */
#include "engine/random.h"
#include "observables/jackknife.h"
#include "observables/verdict.h"
#include "tests/suite.h"

/* Of n independent draws. */
static void draw_mean(RandomStream *s, int n, double *mean, double *error)
{
  StatisticsMoments m = {0};
  for (int i = 0; i < n; i++) {
    const double x = random_normal(s);
    statistics_moments_add(&m, &x, 1);
  }
  *mean = m.mean;
  *error = statistics_moments_error(&m);
}

/* Of as few draws as a verdict takes, too: an alarm about what is right comes as often as its level says. */
TEST(alarms_are_as_rare_as_they_say, .rows = 3)
{
  enum { RUNS = 20000 };
  static const int draws[3] = {VERDICT_DRAWS, 12, 64};
  RandomStream s = random_stream(1, (uint32_t)_i, RANDOM_TEST);
  int apart = 0, above = 0;
  for (int run = 0; run < RUNS; run++) {
    double mean, error;
    draw_mean(&s, draws[_i], &mean, &error);
    apart += verdict_alarms(verdict_difference(0.0, 0.0, 0, mean, error, draws[_i]).p);
    above += verdict_alarms(verdict_above(mean, error, draws[_i]));
  }
  const double expected = VERDICT_LEVEL_ALARM * RUNS, tolerance = 4.0 * sqrt(expected);
  ck_assert_double_eq_tol(apart, expected, tolerance);
  ck_assert_double_eq_tol(above, expected, tolerance);
}

TEST(nothing_is_said_of_few_draws)
{
  const int few = VERDICT_DRAWS - 1, enough = VERDICT_DRAWS;
  ck_assert(isnan(verdict_difference(0.0, 1.0, few, 99.0, 1.0, enough).p));
  ck_assert(isnan(verdict_difference(0.0, 1.0, enough, 99.0, 1.0, few).p));
  ck_assert(isnan(verdict_difference(0.0, 0.0, 0, 99.0, 1.0, few).p)); /* beside what is known exactly */
  ck_assert_double_lt(verdict_difference(0.0, 0.0, 0, 99.0, 1.0, enough).p, 1e-6);
  ck_assert_double_eq(verdict_difference(0.0, 1.0, few, 99.0, 1.0, few).difference,
                      99.0); /* shown all the same */
  ck_assert(isnan(verdict_above(99.0, 1.0, few)) && isnan(verdict_above(99.0, NAN, enough)));
  ck_assert_double_gt(verdict_above(-99.0, 1.0, enough), 0.999);
  ck_assert(!verdict_alarms(NAN) && verdict_alarms(1e-9));
}

/* --- jackknife --------------------------------------------------------------------------------------------
 */

enum { MOST = 40 };

/* The error of the mean of x[n], whose groups[] follow each other. */
static double error_of_mean(const double *x, int n, const int *group, int groups)
{
  double mean = 0.0;
  for (int i = 0; i < n; i++)
    mean += x[i] / n;
  Jackknife j;
  ck_assert_int_eq(jackknife_create(&j, &mean, 1, NULL), STATUS_OK);
  for (int g = 0, at = 0; g < groups; at += group[g++]) {
    double without = 0.0;
    for (int i = 0; i < n; i++)
      without += i < at || i >= at + group[g] ? x[i] / (n - group[g]) : 0.0;
    jackknife_add(&j, &without, (double)group[g] / n);
  }
  const double error = jackknife_error(&j, 0);
  jackknife_free(&j);
  return error;
}

/* The variance is a quadratic form of the numbers; its mean over independent ones is its trace, which must be
 * 1/n whatever the groups. Of equal numbers it is nothing. */
TEST(unequal_groups_are_unbiased, .rows = 5)
{
  static const int groups[5][6] = {
      {1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, {1, 1, 1, 2, 2, 2}, {1, 1, 1, 1, 1, 9}, {5, 1, 3, 1, 7, 2}};
  int n = 0;
  double x[MOST], trace = 0.0;
  for (int g = 0; g < 6; g++)
    n += groups[_i][g];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++)
      x[k] = k == i;
    trace += pow(error_of_mean(x, n, groups[_i], 6), 2);
  }
  ck_assert_double_eq_tol(trace * n, 1.0, 1e-10);
  for (int k = 0; k < n; k++)
    x[k] = 1.0 / 3.0;
  ck_assert_double_lt(error_of_mean(x, n, groups[_i], 6), 1e-14);
}

/* Of groups of one it is the standard error; what fails leaves an error of the rest. */
TEST(groups_of_one_and_failures)
{
  enum { N = 12 };
  double x[N], mean, error;
  int one[N];
  RandomStream s = random_stream(2, 0, RANDOM_TEST);
  for (int i = 0; i < N; i++) {
    x[i] = random_normal(&s);
    one[i] = 1;
  }
  statistics_mean(x, N, &mean, &error);
  ck_assert_double_eq_tol(error_of_mean(x, N, one, N), error, 1e-12);
  Jackknife j;
  ck_assert_int_eq(jackknife_create(&j, &mean, 1, NULL), STATUS_OK);
  ck_assert(isnan(jackknife_error(&j, 0)));
  for (int i = 0; i < N / 2; i++) {
    const double without = mean + (i % 2 == 0 ? 0.1 : -0.1);
    jackknife_add(&j, &without, 1.0 / N);
    jackknife_fail(&j);
  }
  ck_assert_double_eq_tol(jackknife_error(&j, 0), 0.1 * sqrt(N - 1.0), 1e-12); /* as of all N alike */
  jackknife_fail(&j);
  ck_assert(isnan(jackknife_error(&j, 0)));
  jackknife_free(&j);
}
