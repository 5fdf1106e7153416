/* Exact sums: the same bits in any order and grouping, and right where plain sums are wrong. */
#include "observables/exact_sum.h"
#include "observables/statistics.h"
#include "tests/suite.h"

enum { N = 1000 };

static double wild(void) { return (drand48() - 0.5) * exp2(200.0 * (drand48() - 0.5)); }

static void check_same(const ExactSum *a, const ExactSum *b)
{
  const double x[2] = {exact_sum_mean(a), exact_sum_error(a)}, y[2] = {exact_sum_mean(b), exact_sum_error(b)};
  ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
  ck_assert_double_eq(a->top, b->top);
}

TEST(order_and_parts_leave_no_trace)
{
  srand48(3);
  double x[N];
  ExactSum whole = {0}, turned = {0}, parts = {0};
  for (int i = 0; i < N; i++) {
    x[i] = wild();
    exact_sum_add(&whole, x[i]);
  }
  for (int i = N; i-- > 0;)
    exact_sum_add(&turned, x[i]);
  for (int i = 0; i < N;) {
    ExactSum part = {0};
    for (int k = (int)(drand48() * 50.0); k >= 0 && i < N; k--)
      exact_sum_add(&part, x[i++]);
    exact_sum_merge(&parts, &part);
  }
  check_same(&whole, &turned);
  check_same(&whole, &parts);
  ck_assert_int_eq(parts.n, N);
}

TEST(agrees_with_two_passes)
{
  srand48(4);
  double x[N], mean, error;
  ExactSum sum = {0};
  for (int i = 0; i < N; i++) {
    x[i] =
        -53.5 + 1e-6 * (drand48() - 0.5); /* a sum of squares in doubles would have no digit left of this */
    exact_sum_add(&sum, x[i]);
  }
  statistics_mean(x, N, &mean, &error);
  ck_assert_double_eq_tol(exact_sum_mean(&sum), mean, 1e-13);
  ck_assert_double_eq_tol(exact_sum_error(&sum), error, 1e-6 * error);
}

TEST(nothing_is_lost)
{
  static const double x[] = {1e100, 1.0, 1e-100, -1e100, -1e-100, 3.0};
  ExactSum sum = {0};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    exact_sum_add(&sum, x[i]);
  ck_assert_double_eq(exact_sum_mean(&sum), 4.0 / 6.0);
  ck_assert_double_eq(sum.top, 1e100);
  ExactSum same = {0};
  for (int i = 0; i < 7; i++)
    exact_sum_add(&same, 0.1);
  ck_assert_double_eq_tol(exact_sum_mean(&same), 0.1, 2e-17);
  ck_assert_double_eq(exact_sum_error(&same), 0.0);
}

TEST(few_and_odd_samples)
{
  ExactSum sum = {0}, none = {0};
  ck_assert(isnan(exact_sum_mean(&sum)));
  exact_sum_add(&sum, -2.5);
  exact_sum_merge(&sum, &none);
  ck_assert_double_eq(exact_sum_mean(&sum), -2.5);
  ck_assert_double_eq(exact_sum_error(&sum), 0.0);
  exact_sum_merge(&none, &sum);
  ck_assert_double_eq(none.top, -2.5);
  exact_sum_add(&sum, NAN);
  ck_assert(isnan(exact_sum_mean(&sum)));
  ck_assert(isnan(exact_sum_error(&sum)));
}

/* Carries are taken out in time: as if 2^31 samples were added, by merging a sum with itself. */
TEST(many_samples)
{
  ExactSum sum = {0};
  exact_sum_add(&sum, -1e-3);
  exact_sum_add(&sum, 7.0);
  for (int k = 0; k < 50; k++) {
    const ExactSum copy = sum;
    exact_sum_merge(&sum, &copy);
  }
  ck_assert_double_eq_tol(exact_sum_mean(&sum), 3.4995, 1e-15);
  ck_assert_double_eq_tol(exact_sum_error(&sum), 3.5005 / sqrt(exp2(51.0)), 1e-20);
}
