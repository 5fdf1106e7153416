/* Histograms of energies: the same numbers in any order, shared out in any way, with any range. */
#include "engine/random.h"
#include "observables/block_rows.h"
#include "observables/energy_pool.h"
#include "tests/chunks.h"
#include "tests/suite.h"

enum { K = 5, SAMPLES = 300, BINS = 256 };

static EnergyHistogram *make(void)
{
  EnergyHistogram *h;
  const EnergyHistogramOptions options = {K, BINS, 0.003};
  ck_assert_int_eq(energy_histogram_create(&h, &options, NULL), STATUS_OK);
  return h;
}

/* Negative and positive, in a range that grows. */
static double energy(int k, int t)
{
  RandomStream s = random_stream(1, (uint32_t)(k * SAMPLES + t), RANDOM_TEST);
  return -1.0 + (0.1 + 0.02 * t) * random_normal(&s) + k;
}

static void add(EnergyHistogram *h, int k, int t) { energy_histogram_add(h, k, energy(k, t), 0.0); }

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

static int64_t units(const EnergyPool *pool, int bin)
{
  return llrint(pool->count[bin] * pool->energy[bin] / 0x1p-20);
}

/* Whole numbers, those of bins that may be narrower in b. */
static void same_pool(const EnergyPool *a, const EnergyPool *b)
{
  int from = 0;
  ck_assert_double_ge(a->width, b->width);
  for (int k = 0; k < K; k++) {
    ck_assert_double_eq(a->drawn[k], b->drawn[k]);
    ck_assert_double_eq(a->mean[k], b->mean[k]);
  }
  for (int i = 0; i < a->bins; i++) {
    double count = 0.0;
    int64_t sum = 0;
    for (; from < b->bins && floor(b->energy[from] / a->width) == floor(a->energy[i] / a->width); from++) {
      count += b->count[from];
      sum += units(b, from);
    }
    ck_assert_double_eq(count, a->count[i]);
    ck_assert_int_eq(sum, units(a, i));
  }
  ck_assert_int_eq(from, b->bins);
}

/* Histograms to the bit, and pools of all samples and of some blocks some times. */
TEST(order_and_sharing_leave_no_trace)
{
  int times[2][BLOCK_ROWS];
  EnergyHistogram *whole = make(), *back = make(), *part[2] = {make(), make()};
  for (int t = 0; t < SAMPLES; t++) {
    for (int k = 0; k < K; k++) {
      add(whole, k, t);
      add(back, K - 1 - k, t);
      add(part[k < 2], k, t);
    }
    energy_histogram_end(whole);
    energy_histogram_end(back);
    energy_histogram_end(part[0]);
    energy_histogram_end(part[1]);
  }
  same(whole, back);
  for (int b = 0; b < BLOCK_ROWS; b++)
    times[0][b] = times[1][b] = b % 3;
  for (int some = 0; some < 2; some++) {
    const int *drawn = some ? times[0] : NULL;
    EnergyPool *one = pool_of(&whole, 1, drawn), *both = pool_of(part, 2, drawn);
    same_pool(one, both);
    energy_pool_free(one);
    energy_pool_free(both);
  }
  ck_assert_int_eq(energy_histogram_samples(whole), SAMPLES);
  ck_assert_int_eq(energy_histogram_odd(whole), 0);
  energy_histogram_free(whole);
  energy_histogram_free(back);
  energy_histogram_free(part[0]);
  energy_histogram_free(part[1]);
}

/* Against sums by hand, and two ladders of unlike widths. */
TEST(pools_have_all_that_was_added)
{
  EnergyHistogram *ladder[2] = {make(), make()};
  double total = 0.0, least = INFINITY, most = -INFINITY, counts = 0.0;
  for (int l = 0; l < 2; l++)
    for (int t = 0; t < (l == 0 ? 20 : SAMPLES); t++) {
      for (int k = 0; k < K; k++) {
        const double u = energy(k, t);
        add(ladder[l], k, t);
        total += u;
        least = fmin(least, u);
        most = fmax(most, u);
      }
      energy_histogram_end(ladder[l]);
    }
  EnergyPool *pool = pool_of(ladder, 2, NULL), *own = pool_of(ladder, 1, NULL);
  ck_assert_double_gt(pool->width, own->width);
  double sum = 0.0, by_temperature = 0.0;
  for (int i = 0; i < pool->bins; i++) {
    counts += pool->count[i];
    sum += pool->count[i] * pool->energy[i];
    ck_assert(i == 0 || pool->energy[i] > pool->energy[i - 1]);
  }
  for (int k = 0; k < K; k++) {
    ck_assert_double_eq(pool->drawn[k], SAMPLES + 20);
    by_temperature += pool->drawn[k] * pool->mean[k];
  }
  ck_assert_double_eq(counts, (SAMPLES + 20) * K);
  ck_assert_double_eq_tol(sum, total, 1e-6 * counts);
  ck_assert_double_eq_tol(by_temperature, total, 1e-6 * counts);
  ck_assert_double_le(pool->width * BINS, 4.0 * (most - least)); /* the finest that has room */
  energy_pool_free(pool);
  energy_pool_free(own);
  energy_histogram_free(ladder[0]);
  energy_histogram_free(ladder[1]);
}

/* Blocks drawn once each are all that there is; twice, twice that. */
TEST(blocks_add_up)
{
  enum { WHOLE = 256 };
  EnergyHistogram *h = make();
  int times[2][BLOCK_ROWS];
  for (int b = 0; b < BLOCK_ROWS; b++) {
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

TEST(checkpoints_go_on)
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

TEST(what_is_no_energy_is_left_out)
{
  EnergyHistogram *h = make();
  EnergyPool *pool;
  Error error;
  energy_histogram_add(h, 0, NAN, 0.0);
  energy_histogram_add(h, 0, -INFINITY, 0.0);
  energy_histogram_end(h);
  ck_assert_int_eq(energy_histogram_odd(h), 2);
  ck_assert_int_eq(energy_pool_create(&pool, &h, 1, NULL, &error), STATUS_INPUT);
  const EnergyHistogramOptions bad = {K, 100, 0.01};
  EnergyHistogram *none;
  ck_assert_int_eq(energy_histogram_create(&none, &bad, &error), STATUS_INPUT);
  energy_histogram_free(h);
}
