/* Block averages and their errors: the slowest monitor decides, errors cover, a short series says so. */
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
  const BlockRowsFunction function = {.nout = 1, .call = mean};
  double x = random_normal(s);
  ck_assert_int_eq(block_rows_create(&rows, &(BlockRowsShape){.real = 1, .monitors = MONITORS}, NULL),
                   STATUS_OK);
  for (int i = 0; i < samples; i++) {
    double monitor[MONITORS] = {x};
    for (int k = 1; k < MONITORS; k++)
      monitor[k] = random_normal(s);
    block_rows_now(rows, 0).real[0] += x;
    block_rows_end(rows, 0, monitor);
    x = phi * x + sqrt(1.0 - phi * phi) * random_normal(s);
  }
  ck_assert_int_eq(block_rows_result(rows, 1.0, &function, value, error, &errors, NULL), STATUS_OK);
  block_rows_free(rows);
  return errors;
}

/* Averaged with the five others the inefficiency of 39 would be 7, and errors half as large as they are. */
TEST(errors_cover_what_the_slowest_does)
{
  enum { RUNS = 100, SAMPLES = 1 << 14 };
  RandomStream s = random_stream(1, 0, RANDOM_TEST);
  double chi2 = 0.0, inefficiency = 0.0;
  for (int run = 0; run < RUNS; run++) {
    double value, error;
    const BlockRowsErrors errors = series(&s, 0.95, SAMPLES, &value, &error);
    ck_assert_int_eq(errors.plateau, 1);
    inefficiency += errors.inefficiency / RUNS;
    chi2 += pow(value / error, 2) / RUNS;
  }
  /* (1 + phi)/(1 - phi); by 32 blocks within sqrt(2/31) of it, or more by the larger of two estimates */
  ck_assert_double_eq_tol(inefficiency, 39.0, 4.0 * 39.0 * sqrt(2.0 / 31 / RUNS) + 3.0);
  ck_assert_double_eq_tol(chi2, 1.1, 4.0 * sqrt(2.5 / RUNS)); /* Student's t of some 25 blocks: 1.09 */
}

static void variance(const void *self, const double *sum, double n, double *out)
{
  (void)self;
  *out = sum[1] / n - sum[0] * sum[0] / (n * n);
}

static bool always(const void *self, int k)
{
  (void)self;
  (void)k;
  return true;
}

/* About its own mean a series of n samples varies less, by its inefficiency over n. */
TEST(a_variance_is_not_too_small)
{
  enum { RUNS = 2000, SAMPLES = 1024 };
  const double phi = 0.9;
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  double mean_of[2] = {0.0}, square = 0.0;
  for (int run = 0; run < RUNS; run++) {
    BlockRows *rows;
    BlockRowsErrors errors;
    double x = random_normal(&s), value[2], error;
    ck_assert_int_eq(block_rows_create(&rows, &(BlockRowsShape){.real = 2, .monitors = 1}, NULL), STATUS_OK);
    for (int i = 0; i < SAMPLES; i++) {
      block_rows_now(rows, 0).real[0] += x;
      block_rows_now(rows, 0).real[1] += x * x;
      block_rows_end(rows, 0, &x);
      x = phi * x + sqrt(1.0 - phi * phi) * random_normal(&s);
    }
    for (int k = 0; k < 2; k++) {
      const BlockRowsFunction function = {.nout = 1, .call = variance, .fluctuates = k == 1 ? always : NULL};
      ck_assert_int_eq(block_rows_result(rows, 1.0, &function, &value[k], &error, &errors, NULL), STATUS_OK);
      mean_of[k] += value[k] / RUNS;
    }
    square += value[1] * value[1] / RUNS;
    block_rows_free(rows);
  }
  const double error = sqrt((square - mean_of[1] * mean_of[1]) / RUNS),
               bias = (1.0 + phi) / (1.0 - phi) / SAMPLES;
  ck_assert_double_eq_tol(mean_of[0], 1.0 - bias, 4.0 * error);
  ck_assert_double_lt(4.0 * error, bias);
  ck_assert_double_eq_tol(mean_of[1], 1.0, 4.0 * error);
}

TEST(a_short_series_says_so)
{
  RandomStream s = random_stream(2, 0, RANDOM_TEST);
  for (int run = 0; run < 20; run++) {
    double value, error;
    ck_assert_int_eq(series(&s, 0.95, 1000, &value, &error).plateau, 0); /* 26 independent samples */
  }
}

/* Whole numbers and others, of draws: sums, samples, and errors that are
 * those of the mean. */
TEST(draws_are_taken_as_they_are)
{
  enum { DRAWS = 40 };
  BlockRows *rows, *odd;
  BlockRowsErrors errors;
  const BlockRowsFunction function = {.nout = 1, .call = mean};
  const BlockRowsShape shape = {.whole = 1, .real = 1, .monitors = 1, .draws = DRAWS};
  double x[DRAWS], value, error, expected, spread, sum[2];
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  ck_assert_int_eq(block_rows_create(&rows, &shape, NULL), STATUS_OK);
  for (int k = 0; k < DRAWS; k++) {
    x[k] = floor(100.0 * random_normal(&s));
    for (int i = 0; i < 3; i++) {
      block_rows_now(rows, k).whole[0] += (int64_t)x[k];
      block_rows_now(rows, k).real[0] += 0.5 * x[k];
      block_rows_end(rows, k, NULL);
    }
  }
  statistics_mean(x, DRAWS, &expected, &spread);
  ck_assert_int_eq(block_rows_result(rows, 1.0, &function, &value, &error, &errors, NULL), STATUS_OK);
  ck_assert(errors.samples == 3 * DRAWS && errors.nblock == DRAWS && errors.plateau);
  ck_assert_double_eq_tol(value, expected, 1e-12 * spread);
  ck_assert_double_eq_tol(error, spread, 1e-12 * spread);
  ck_assert_double_eq(block_rows_sum(rows, &errors, 7, sum), 3.0);
  ck_assert(sum[0] == 3.0 * x[7] && sum[1] == 1.5 * x[7]);
  ck_assert_int_eq(block_rows_pick(rows, 1, 2, &odd, NULL), STATUS_OK);
  ck_assert_int_eq(block_rows_number(odd), DRAWS / 2);
  ck_assert_int_eq(*block_rows_at(odd, 3).whole, *block_rows_at(rows, 7).whole);
  block_rows_free(odd);
  block_rows_free(rows);
}
