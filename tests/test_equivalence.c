/* Tests of equivalence: their level at the margin, their power inside, none outside. */
#include "engine/random.h"
#include "observables/equivalence.h"
#include "tests/suite.h"

/* Of two sets of draws whose means are apart by `apart`, of standard deviations 1 and 2. */
static double test_of(RandomStream *s, double apart, double margin)
{
  double a[10], b[20], mean[2], error[2];
  for (int i = 0; i < 10; i++)
    a[i] = random_normal(s);
  for (int i = 0; i < 20; i++)
    b[i] = apart + 2.0 * random_normal(s);
  statistics_mean(a, 10, &mean[0], &error[0]);
  statistics_mean(b, 20, &mean[1], &error[1]);
  const StatisticsWelch d = statistics_welch(mean[0], error[0], 10, mean[1], error[1], 20);
  const Equivalence e = equivalence_test(&d, margin);
  /* The words of the header: within the margin at 5 % is the 90 % interval within it. */
  ck_assert_int_eq(e.p<0.05, e.low> - margin && e.high < margin);
  return e.p;
}

TEST(equal_is_said_at_the_margin_in_one_of_twenty)
{
  enum { RUNS = 4000 };
  RandomStream s = random_stream(14, 0, RANDOM_TEST);
  int at = 0, inside = 0, outside = 0, wide = 0;
  for (int run = 0; run < RUNS; run++) {
    at += test_of(&s, run % 2 == 0 ? 2.5 : -2.5, 2.5) < 0.05;
    inside += test_of(&s, 0.0, 2.5) < 0.05;
    outside += test_of(&s, 3.5, 2.5) < 0.05;
    wide += test_of(&s, 0.0, 0.3) < 0.05; /* a margin that the errors never allow */
  }
  ck_assert_double_eq_tol((double)at / RUNS, 0.05, 4.0 * sqrt(0.05 * 0.95 / RUNS));
  ck_assert_double_gt((double)inside / RUNS, 0.98);
  ck_assert_double_lt((double)outside / RUNS, 0.01);
  ck_assert_double_lt((double)wide / RUNS, 0.05);
}

TEST(what_has_no_numbers_has_no_verdict)
{
  const StatisticsWelch none = statistics_welch(0.0, NAN, 5, 1.0, 1.0, 5),
                        some = statistics_welch(0.0, 0.1, 5, 1.0, 0.1, 5),
                        exact = statistics_welch(0.0, 0.0, 0, 1.0, 0.0, 0);
  ck_assert(isnan(equivalence_test(&none, 1.0).p));
  ck_assert(isnan(equivalence_test(&some, 0.0).p) && isnan(equivalence_test(&some, NAN).p));
  ck_assert_double_eq(equivalence_test(&exact, 1.5).p, 0.0);
  ck_assert_double_eq(equivalence_test(&exact, 0.5).p, 1.0);
}

/* Rows of fractions of two columns, p and 1 - p: their distance is the difference of p. */
TEST(distances_within_a_margin)
{
  enum { ROWS = 40, RUNS = 300, RESAMPLES = 199 };
  double x[2][2 * ROWS];
  int said[3] = {0};
  RandomStream s = random_stream(15, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++)
    for (int k = 0; k < 3; k++) {
      static const double apart[3] = {0.0, 0.05, 0.08};
      for (int i = 0; i < 2 * ROWS; i++) {
        const double p = 0.4 + (i < ROWS ? 0.0 : apart[k]) + 0.05 * random_normal(&s);
        x[i / ROWS][2 * (i % ROWS)] = p;
        x[i / ROWS][2 * (i % ROWS) + 1] = 1.0 - p;
      }
      Equivalence e;
      ck_assert_int_eq(equivalence_distance(2, ROWS, x[0], ROWS, x[1], 0.05, RESAMPLES, 1, &e, NULL),
                       STATUS_OK);
      ck_assert_double_le(e.low, e.high);
      said[k] += e.p < 0.05;
    }
  ck_assert_int_gt(said[0], RUNS * 9 / 10);
  ck_assert_int_le(said[1], (int)(0.05 * RUNS + 4.0 * sqrt(0.05 * RUNS)));
  ck_assert_int_eq(said[2], 0);
}
