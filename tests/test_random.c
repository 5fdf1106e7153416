/* Keys, the reference words and the sequential streams. */
#include "engine/random.h"
#include "tests/suite.h"

/* Known answers of philox4x32-10 as published with Random123. */
TEST(words_are_those_of_random123)
{
  static const struct {
    uint32_t counter[4], key[2], word[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (int i = 0; i < 3; i++) {
    uint32_t word[4];
    random_words(known[i].key, known[i].counter, word);
    for (int k = 0; k < 4; k++)
      ck_assert_uint_eq(word[k], known[i].word[k]);
  }
}

static int compare_keys(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

TEST(keys_are_all_different)
{
  enum { SEEDS = 6, REPLICAS = 1000, PURPOSES = 5, N = SEEDS * REPLICAS * PURPOSES };
  static const uint64_t seed[SEEDS] = {0, 1, 2, 1ull << 32, 1ull << 33, UINT64_MAX};
  uint64_t *all = malloc(N * sizeof *all);
  int n = 0;
  for (int s = 0; s < SEEDS; s++)
    for (uint32_t r = 0; r < REPLICAS; r++)
      for (int p = RANDOM_THERMOSTAT; p <= RANDOM_TEST; p++) {
        uint32_t key[2];
        random_key(seed[s], r, (RandomPurpose)p, key);
        all[n++] = (uint64_t)key[1] << 32 | key[0];
      }
  qsort(all, N, sizeof *all, compare_keys);
  for (int i = 1; i < N; i++)
    ck_assert_uint_ne(all[i - 1], all[i]);
  free(all);
}

TEST(lanes_have_the_keys_of_their_replicas)
{
  const uint32_t replica[LANES] = {5, 0, 5, 7, 4000000000u, 1, 2, 3};
  Vec8Word key[2];
  random_keys(77, replica, RANDOM_MOMENTA, key);
  for (int l = 0; l < LANES; l++) {
    uint32_t one[2];
    random_key(77, replica[l], RANDOM_MOMENTA, one);
    ck_assert_uint_eq(key[0][l], one[0]);
    ck_assert_uint_eq(key[1][l], one[1]);
  }
}

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double cdf_uniform(double x) { return x; }
static double cdf_normal(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }

/* sqrt(n) times the distance of Kolmogorov and Smirnov: above 1.95 once in a thousand samples. */
static double kolmogorov(double *x, int n, double (*cdf)(double))
{
  qsort(x, (size_t)n, sizeof *x, compare_doubles);
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    const double f = cdf(x[i]);
    largest = fmax(largest, fmax((i + 1.0) / n - f, f - (double)i / n));
  }
  return largest * sqrt(n);
}

TEST(streams_have_their_distributions)
{
  enum { N = 100000 };
  static double u[N], z[N];
  RandomStream stream = random_stream(1, 0, RANDOM_TEST);
  for (int i = 0; i < N; i++) {
    u[i] = random_uniform(&stream);
    ck_assert(u[i] > 0.0 && u[i] < 1.0);
    z[i] = random_normal(&stream);
  }
  ck_assert_double_lt(kolmogorov(u, N, cdf_uniform), 1.95);
  ck_assert_double_lt(kolmogorov(z, N, cdf_normal), 1.95);
}

TEST(streams_are_repeatable_and_independent)
{
  enum { N = 20000 };
  RandomStream a = random_stream(1, 0, RANDOM_TEST), again = random_stream(1, 0, RANDOM_TEST);
  RandomStream other[3] = {random_stream(2, 0, RANDOM_TEST), random_stream(1, 1, RANDOM_TEST),
                           random_stream(1, 0, RANDOM_START)};
  double product[4] = {0};
  double before = 0.0;
  for (int i = 0; i < N; i++) {
    const double x = random_uniform(&a) - 0.5;
    ck_assert_double_eq(x, random_uniform(&again) - 0.5);
    for (int k = 0; k < 3; k++)
      product[k] += x * (random_uniform(&other[k]) - 0.5);
    product[3] += x * before;
    before = x;
  }
  for (int k = 0; k < 4; k++) /* the product of two such numbers has the standard deviation 1/12 */
    ck_assert_double_lt(fabs(product[k]), 4.0 * sqrt(N) / 12.0);
}

TEST(below_is_unbiased)
{
  RandomStream stream = random_stream(3, 0, RANDOM_TEST);
  enum { N = 60000 };
  int count[6] = {0};
  for (int i = 0; i < N; i++)
    count[random_below(&stream, 6)]++;
  double chi2 = 0.0;
  for (int k = 0; k < 6; k++)
    chi2 += (count[k] - N / 6.0) * (count[k] - N / 6.0) / (N / 6.0);
  ck_assert_double_lt(chi2, 20.5); /* 5 degrees of freedom, once in a thousand */
  /* A remainder, or a product without the turned away, would give 1/2 here instead of 1/3. */
  int low = 0;
  for (int i = 0; i < N; i++)
    low += random_below(&stream, 0xC0000000u) % 3 == 0;
  ck_assert_double_lt(fabs(low - N / 3.0), 4.0 * sqrt(N * 2.0 / 9.0));
  low = 0;
  for (int i = 0; i < N; i++)
    low += random_below(&stream, 0xC0000000u) < 0x40000000u;
  ck_assert_double_lt(fabs(low - N / 3.0), 4.0 * sqrt(N * 2.0 / 9.0));
  ck_assert_uint_eq(random_below(&stream, 1), 0);
}

/* Momenta share no random numbers with any noise, nor with momenta that are drawn for something else. */
TEST(momenta_go_by_what_they_are_drawn_for)
{
  static const RandomPurpose noise[3] = {RANDOM_THERMOSTAT, RANDOM_START, RANDOM_EQUILIBRATION};
  uint32_t key[6][2];
  for (int i = 0; i < 3; i++) {
    random_key(12, 3, noise[i], key[i]);
    random_key(12, 3, random_momenta(noise[i]), key[3 + i]);
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++)
      ck_assert(key[i][0] != key[j][0] || key[i][1] != key[j][1]);
  ck_assert_int_eq(random_momenta(RANDOM_THERMOSTAT), RANDOM_MOMENTA);
}
