/* Starts of series that are cut, chains that agree and chains that do not. */
#include "engine/random.h"
#include "observables/convergence.h"
#include "tests/suite.h"

/* Variance 1, x' = phi x + noise, and a start that decays. */
static void series(RandomStream *s, double phi, double start, double *x, int n)
{
  double here = random_normal(s);
  for (int i = 0; i < n; i++) {
    x[i] = here + start * exp(-i / 100.0);
    here = phi * here + sqrt(1.0 - phi * phi) * random_normal(s);
  }
}

/* What relaxes over 100 samples from 20 standard deviations away is cut off, little more of what follows. */
TEST(starts_are_cut)
{
  enum { N = 4000, RUNS = 40 };
  static double x[N];
  RandomStream s = random_stream(11, 0, RANDOM_TEST);
  double kept = 0.0, cut = 0.0, inefficiency = 0.0;
  for (int run = 0; run < RUNS; run++) {
    series(&s, 0.8, 0.0, x, N);
    kept += (double)convergence_start(x, N).start / RUNS;
    series(&s, 0.8, 20.0, x, N);
    const ConvergenceStart c = convergence_start(x, N);
    ck_assert_int_ge(c.start, 150); /* where 4 standard deviations are left */
    ck_assert_double_eq_tol(c.effective * c.inefficiency, (double)(N - c.start), 1e-6 * N);
    cut += (double)c.start / RUNS;
    inefficiency += c.inefficiency / RUNS;
  }
  ck_assert_double_lt(kept, 0.12 * N);
  ck_assert_double_lt(cut, 0.25 * N);
  ck_assert_double_eq_tol(inefficiency, 9.0, 1.8);
  ck_assert_int_eq(convergence_start(x, 0).start, 0);
  memset(x, 0, sizeof x);
  ck_assert_int_eq(convergence_start(x, N).start, 0);
}

static double rhat_of(const double *x, int chains, int draws)
{
  ConvergenceChains result;
  ck_assert_int_eq(convergence_chains(x, chains, draws, &result, NULL), STATUS_OK);
  return result.rhat;
}

TEST(chains_that_agree)
{
  enum { CHAINS = 8, DRAWS = 200, RUNS = 50 };
  static double x[CHAINS * DRAWS];
  RandomStream s = random_stream(12, 0, RANDOM_TEST);
  for (int run = 0; run < RUNS; run++) {
    for (int c = 0; c < CHAINS; c++)
      series(&s, 0.0, 0.0, x + c * DRAWS, DRAWS);
    const double rhat = rhat_of(x, CHAINS, DRAWS);
    ck_assert_double_lt(rhat, 1.02);
    /* Ranks are all that it knows. */
    for (int i = 0; i < CHAINS * DRAWS; i++)
      x[i] = -0x1p300 * x[i];
    ck_assert_double_eq_tol(rhat_of(x, CHAINS, DRAWS), rhat, 1e-9);
  }
  ck_assert_str_eq(convergence_word(&(ConvergenceChains){1.003, false}), "mixed");
}

/* One chain elsewhere; one as wide again; drift: the halves of a chain differ; heavy tails whose variance is
 * infinite. */
TEST(chains_that_disagree)
{
  enum { CHAINS = 4, DRAWS = 400 };
  static double x[CHAINS * DRAWS], y[CHAINS * DRAWS];
  RandomStream s = random_stream(13, 0, RANDOM_TEST);
  series(&s, 0.0, 0.0, x, CHAINS * DRAWS);
  memcpy(y, x, sizeof x);
  for (int i = 0; i < DRAWS; i++)
    y[i] += 2.0;
  ck_assert_double_gt(rhat_of(y, CHAINS, DRAWS), CONVERGENCE_FROZEN);
  for (int i = 0; i < DRAWS; i++)
    y[i] = 4.0 * x[i];
  ck_assert_double_gt(rhat_of(y, CHAINS, DRAWS), CONVERGENCE_SLOW);
  for (int i = 0; i < CHAINS * DRAWS; i++)
    y[i] = x[i] + 2.0 * (i % DRAWS) / DRAWS;
  ck_assert_double_gt(rhat_of(y, CHAINS, DRAWS), CONVERGENCE_SLOW);
  for (int i = 0; i < CHAINS * DRAWS; i++)
    y[i] = tan(1.57 * (2.0 * random_uniform(&s) - 1.0)) + (i < DRAWS ? 5.0 : 0.0);
  ck_assert_double_gt(rhat_of(y, CHAINS, DRAWS), CONVERGENCE_SLOW);
  for (int i = 0; i < CHAINS * DRAWS; i++)
    y[i] = i / DRAWS; /* constant, each its own */
  ck_assert(isinf(rhat_of(y, CHAINS, DRAWS)));
  ConvergenceChains each;
  ck_assert_int_eq(convergence_chains(y, CHAINS, DRAWS, &each, NULL), STATUS_OK);
  ck_assert_str_eq(convergence_word(&each), "frozen");
  memset(y, 0, sizeof y);
  ck_assert_double_eq(rhat_of(y, CHAINS, DRAWS), 1.0);
  y[7] = NAN;
  ck_assert(isnan(rhat_of(y, CHAINS, DRAWS)) && isnan(rhat_of(x, CHAINS, 3)));
  ck_assert_str_eq(convergence_word(&(ConvergenceChains){NAN, false}), "unknown");
}

/* Gaussian series with a correlation time in draws, about `centre`. */
static void correlated(RandomStream *s, double tau, double centre, double *x, int n)
{
  const double keep = exp(-1.0 / tau);
  double y = random_normal(s);
  for (int i = 0; i < n; i++) {
    x[i] = centre + y;
    y = keep * y + sqrt(1.0 - keep * keep) * random_normal(s);
  }
}

/* A liquid whose run is a few times as long as it remembers, or as long: R-hat is large by chance, and no
 * chain is frozen, the only one least of all. Chains in basins of their own are, whatever they remember
 * inside of these, though few of them as a rule are not told from slow ones. */
TEST(short_is_not_frozen)
{
  enum { MOST = 32, DRAWS = 200, TRIES = 100 };
  static const int chains[] = {1, 2, 8, MOST};
  static double x[MOST * DRAWS];
  for (int k = 0; k < 4; k++) {
    RandomStream s = random_stream(21, (uint32_t)k, RANDOM_TEST);
    int large = 0, wrong = 0, right = 0;
    for (int t = 0; t < TRIES; t++) {
      ConvergenceChains result;
      for (int c = 0; c < chains[k]; c++)
        correlated(&s, t % 2 == 0 ? DRAWS / 5.0 : DRAWS, 0.0, x + c * DRAWS, DRAWS);
      ck_assert_int_eq(convergence_chains(x, chains[k], DRAWS, &result, NULL), STATUS_OK);
      large += result.rhat >= CONVERGENCE_FROZEN;
      wrong += result.frozen;
      for (int c = 0; c < chains[k]; c++)
        correlated(&s, 3.0, 3.0 * (c % 3), x + c * DRAWS, DRAWS);
      ck_assert_int_eq(convergence_chains(x, chains[k], DRAWS, &result, NULL), STATUS_OK);
      right += result.frozen;
    }
    ck_assert_int_gt(large, TRIES / 4);
    ck_assert_int_le(wrong, chains[k] == 1 ? 0 : 4); /* 1 %, with four standard errors */
    ck_assert_int_ge(right, chains[k] < 8 ? 0 : 9 * TRIES / 10);
  }
}
