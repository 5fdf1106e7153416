/* Histograms of energies: the same numbers in any order, shared out in any way, with any range. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "engine/random.h"
#include "observables/energy_pool.h"
#include "tests/chunks.h"
#include "tests/suite.h"

enum { K = 5, SAMPLES = 300, BINS = 256, COLUMNS = 2 };

static const double unit[COLUMNS] = {1.0, 0x1p-10};

static EnergyHistogram *make(void)
{
  EnergyHistogram *h;
  const EnergyHistogramOptions options = {K, BINS, 0.003, COLUMNS, 8, unit};
  ck_assert_int_eq(energy_histogram_create(&h, &options, NULL), STATUS_OK);
  return h;
}

/* Negative and positive, in a range that grows. */
static double energy(int k, int t)
{
  RandomStream s = random_stream(1, (uint32_t)(k * SAMPLES + t), RANDOM_TEST);
  return -1.0 + (0.1 + 0.02 * t) * random_normal(&s) + k;
}

static void add(EnergyHistogram *h, int k, int t)
{
  const double u = energy(k, t), column[COLUMNS] = {k, floor(1024.0 * u) / 1024.0};
  energy_histogram_add(h, k, u, column);
}

static void same(EnergyHistogram *a, EnergyHistogram *b)
{
  ChunkList x = {0}, y = {0};
  energy_histogram_chunks(a, &x);
  energy_histogram_chunks(b, &y);
  chunks_same(&x, &y);
}

static EnergyPool *pool_of(EnergyHistogram *const *h, int n, const int *times)
{
  EnergyPool *pool;
  ck_assert_int_eq(energy_pool_create(&pool, h, n, times, NULL), STATUS_OK);
  return pool;
}

START_TEST(order_and_sharing_leave_no_trace)
{
  EnergyHistogram *whole = make(), *back = make(), *low = make(), *high = make();
  for (int t = 0; t < SAMPLES; t++) {
    for (int k = 0; k < K; k++) {
      add(whole, k, t);
      add(back, K - 1 - k, t);
      add(k < 2 ? low : high, k, t);
    }
    energy_histogram_end(whole);
    energy_histogram_end(back);
    energy_histogram_end(low);
    energy_histogram_end(high);
  }
  same(whole, back);
  ck_assert_int_eq(energy_histogram_merge(low, high, NULL), STATUS_OK);
  same(whole, low);
  ck_assert_int_eq(energy_histogram_samples(whole), SAMPLES);
  ck_assert_int_eq(energy_histogram_odd(whole), 0);
  energy_histogram_end(high);
  ck_assert_int_eq(energy_histogram_merge(low, high, NULL), STATUS_INPUT);
  energy_histogram_free(whole);
  energy_histogram_free(back);
  energy_histogram_free(low);
  energy_histogram_free(high);
}
END_TEST

/* Against sums by hand, and two ladders of unlike widths. */
START_TEST(pools_have_all_that_was_added)
{
  EnergyHistogram *ladder[2] = {make(), make()};
  double total[2] = {0.0}, least = INFINITY, most = -INFINITY, column[COLUMNS] = {0.0}, counts = 0.0;
  for (int l = 0; l < 2; l++)
    for (int t = 0; t < (l == 0 ? 20 : SAMPLES); t++) {
      for (int k = 0; k < K; k++) {
        const double u = energy(k, t);
        add(ladder[l], k, t);
        total[0] += u;
        total[1] += floor(1024.0 * u) / 1024.0;
        least = fmin(least, u);
        most = fmax(most, u);
      }
      energy_histogram_end(ladder[l]);
    }
  EnergyPool *pool = pool_of(ladder, 2, NULL), *own = pool_of(ladder, 1, NULL);
  ck_assert_double_gt(pool->width, own->width);
  double sum = 0.0, by_temperature = 0.0, *of_group = calloc((size_t)pool->groups, sizeof *of_group);
  for (int i = 0; i < pool->bins; i++) {
    counts += pool->count[i];
    sum += pool->count[i] * pool->energy[i];
    of_group[pool->group[i]] += pool->count[i];
    ck_assert(i == 0 || pool->energy[i] > pool->energy[i - 1]);
  }
  for (int g = 0; g < pool->groups; g++)
    for (int c = 0; c < COLUMNS; c++)
      column[c] += of_group[g] * pool->column[g * COLUMNS + c];
  for (int k = 0; k < K; k++) {
    ck_assert_double_eq(pool->drawn[k], SAMPLES + 20);
    by_temperature += pool->drawn[k] * pool->mean[k];
  }
  ck_assert_double_eq(counts, (SAMPLES + 20) * K);
  ck_assert_double_eq_tol(sum, total[0], 1e-6 * counts);
  ck_assert_double_eq_tol(by_temperature, total[0], 1e-6 * counts);
  ck_assert_double_eq_tol(column[0], 2.0 * counts, 1e-9 * counts); /* the mean k */
  ck_assert_double_eq_tol(column[1], total[1], 1e-9 * counts);
  ck_assert_double_le(pool->width * BINS, 4.0 * (most - least)); /* the finest that has room */
  free(of_group);
  energy_pool_free(pool);
  energy_pool_free(own);
  energy_histogram_free(ladder[0]);
  energy_histogram_free(ladder[1]);
}
END_TEST

/* Blocks drawn once each are all that there is; twice, twice that. */
START_TEST(blocks_add_up)
{
  enum { WHOLE = 256 };
  EnergyHistogram *h = make();
  int times[2][64];
  for (int b = 0; b < 64; b++) {
    times[0][b] = 1;
    times[1][b] = 2 * (b % 2);
  }
  for (int t = 0; t < WHOLE; t++) {
    for (int k = 0; k < K; k++)
      add(h, k, t);
    energy_histogram_end(h);
  }
  EnergyPool *all = pool_of(&h, 1, NULL), *once = pool_of(&h, 1, times[0]), *odd = pool_of(&h, 1, times[1]);
  ck_assert_int_eq(all->bins, once->bins);
  for (int i = 0; i < all->bins; i++)
    ck_assert_double_eq(all->count[i], once->count[i]);
  ck_assert_double_eq(odd->drawn[1], WHOLE);
  ck_assert_double_ne(odd->mean[1], all->mean[1]);
  energy_pool_free(all);
  energy_pool_free(once);
  energy_pool_free(odd);
  energy_histogram_free(h);
}
END_TEST

START_TEST(checkpoints_go_on)
{
  EnergyHistogram *a = make(), *b = make();
  for (int t = 0; t < SAMPLES; t++) {
    if (t == 100) {
      ChunkList x = {0}, y = {0};
      energy_histogram_chunks(a, &x);
      energy_histogram_chunks(b, &y);
      chunks_restore(&x, &y);
    }
    for (int k = 0; k < K; k++) {
      add(a, k, t);
      if (t >= 100)
        add(b, k, t);
    }
    energy_histogram_end(a);
    if (t >= 100)
      energy_histogram_end(b);
  }
  same(a, b);
  energy_histogram_free(a);
  energy_histogram_free(b);
}
END_TEST

START_TEST(what_is_no_energy_is_left_out)
{
  EnergyHistogram *h = make();
  EnergyPool *pool;
  const double column[COLUMNS] = {0.0};
  Error error;
  energy_histogram_add(h, 0, NAN, column);
  energy_histogram_add(h, 0, -INFINITY, column);
  energy_histogram_end(h);
  ck_assert_int_eq(energy_histogram_odd(h), 2);
  EnergyHistogram *other = make();
  energy_histogram_add(other, 0, INFINITY, column);
  energy_histogram_end(other);
  ck_assert_int_eq(energy_histogram_merge(h, other, NULL), STATUS_OK);
  ck_assert_int_eq(energy_histogram_odd(h), 3);
  energy_histogram_free(other);
  ck_assert_int_eq(energy_pool_create(&pool, &h, 1, NULL, &error), STATUS_INPUT);
  const EnergyHistogramOptions bad = {K, 100, 0.01, 0, 1, NULL};
  EnergyHistogram *none;
  ck_assert_int_eq(energy_histogram_create(&none, &bad, &error), STATUS_INPUT);
  energy_histogram_free(h);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("energy_histogram");
  tcase_add_test(tc, order_and_sharing_leave_no_trace);
  tcase_add_test(tc, pools_have_all_that_was_added);
  tcase_add_test(tc, blocks_add_up);
  tcase_add_test(tc, checkpoints_go_on);
  tcase_add_test(tc, what_is_no_energy_is_left_out);
  return suite_main("energy_histogram", tc);
}
