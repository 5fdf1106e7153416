/* Block averages and their errors: the slowest monitor decides, errors cover, a short series says so. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "engine/random.h"
#include "observables/block_rows.h"
#include "tests/suite.h"

enum { MONITORS = 6 };

static void mean(const void *self, const double *sum, double n, double *out)
{
  (void)self;
  *out = sum[0] / n;
}

/* A slow series of variance 1, x' = phi x + noise, beside five that forget at once. */
static BlockRowsErrors series(RandomStream *s, double phi, int samples, double *value, double *error)
{
  BlockRows *rows;
  BlockRowsErrors errors;
  const BlockRowsFunction function = {NULL, 1, mean};
  double x = random_normal(s);
  ck_assert_int_eq(block_rows_create(&rows, 1, MONITORS, NULL), STATUS_OK);
  for (int i = 0; i < samples; i++) {
    double monitor[MONITORS] = {x};
    for (int k = 1; k < MONITORS; k++)
      monitor[k] = random_normal(s);
    block_rows_now(rows)[0] += x;
    block_rows_end(rows, monitor);
    x = phi * x + sqrt(1.0 - phi * phi) * random_normal(s);
  }
  ck_assert_int_eq(block_rows_result(rows, 1.0, &function, value, error, &errors, NULL), STATUS_OK);
  block_rows_free(rows);
  return errors;
}

/* Averaged with the five others the inefficiency of 39 would be 7, and errors half as large as they are. */
START_TEST(errors_cover_what_the_slowest_does)
{
  enum { RUNS = 100, SAMPLES = 1 << 14 };
  RandomStream s = random_stream(1, 0, RANDOM_TEST);
  double chi2 = 0.0;
  for (int run = 0; run < RUNS; run++) {
    double value, error;
    const BlockRowsErrors errors = series(&s, 0.95, SAMPLES, &value, &error);
    ck_assert_int_eq(errors.plateau, 1);
    ck_assert_double_gt(errors.inefficiency, 20.0);
    chi2 += pow(value / error, 2) / RUNS;
  }
  ck_assert_double_eq_tol(chi2, 1.1, 4.0 * sqrt(2.5 / RUNS)); /* Student's t of some 25 blocks: 1.09 */
}
END_TEST

START_TEST(a_short_series_says_so)
{
  RandomStream s = random_stream(2, 0, RANDOM_TEST);
  for (int run = 0; run < 20; run++) {
    double value, error;
    ck_assert_int_eq(series(&s, 0.95, 1000, &value, &error).plateau, 0); /* 26 independent samples */
  }
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("block_rows");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, errors_cover_what_the_slowest_does);
  tcase_add_test(tc, a_short_series_says_so);
  return suite_main("block_rows", tc);
}
