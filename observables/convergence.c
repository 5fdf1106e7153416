#include "observables/convergence.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "observables/distribution.h"
#include "observables/verdict.h"

ConvergenceStart convergence_start(const double *x, int64_t n)
{
  enum { STARTS = 100 };
  ConvergenceStart best = {.start = 0, .inefficiency = 1.0, .effective = (double)n, .whole = (double)n};
  for (int k = 0; k < STARTS && n > 1; k++) {
    const int64_t start = n / 2 * k / STARTS, left = n - start;
    if (k > 0 && start == n / 2 * (k - 1) / STARTS)
      continue;
    const double tau = statistics_correlation_time(x + start, left);
    const double inefficiency = isnan(tau) ? 1.0 : fmax(2.0 * tau, 1.0),
                 effective = (double)left / inefficiency;
    if (k == 0 || effective > best.effective)
      best = (ConvergenceStart){start, inefficiency, effective, k == 0 ? effective : best.whole};
  }
  return best;
}

/* --- R-hat ------------------------------------------------------------------------------------------------
 */

typedef struct Ranked {
  double x;
  int at;
} Ranked;

static int by_value(const void *a, const void *b)
{
  const Ranked *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->at > q->at) - (p->at < q->at);
}

/* Normal scores of ranks, with mean ranks for ties; sorts `order`. */
static void normal_scores(Ranked *order, int n, double *z)
{
  qsort(order, (size_t)n, sizeof *order, by_value);
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && order[end].x == order[i].x;)
      end++;
    const double rank = 0.5 * (i + 1 + end),
                 score = distribution_t_quantile((rank - 0.375) / (n + 0.25), INFINITY);
    for (int k = i; k < end; k++)
      z[order[k].at] = score;
  }
}

/* One of two tests on z[2 chains][draws], the halves of each chain in succession. */
static bool is_frozen(const double *z, int chains, int draws)
{
  const double correlation = 0.8, least = (1.0 + correlation) / (1.0 - correlation);
  StatisticsMoments between = {0};
  double within = 0.0; /* variance of halves about their chain */
  for (int c = 0; c < chains; c++) {
    StatisticsMoments half[2] = {{0}};
    for (int i = 0; i < 2 * draws; i++)
      statistics_moments_add(&half[i / draws], &z[2 * c * draws + i], 1);
    const double mean = 0.5 * (half[0].mean + half[1].mean), apart = half[0].mean - half[1].mean;
    statistics_moments_add(&between, &mean, 1);
    within += 0.5 * apart * apart / chains;
  }
  const double variance = chains > 1 ? 2.0 * statistics_moments_variance(&between) : 0.0;
  if (!(within > 0.0))
    return variance > 0.0;
  return chains > 1 &&
         distribution_f_above(variance / within / least, chains - 1, chains) < 0.5 * VERDICT_LEVEL_ALARM;
}

/* R-hat of z[chains][draws]. */
static double plain_rhat(const double *z, int chains, int draws)
{
  StatisticsMoments between = {0};
  double within = 0.0;
  for (int c = 0; c < chains; c++) {
    StatisticsMoments m = {0};
    for (int i = 0; i < draws; i++)
      statistics_moments_add(&m, &z[c * draws + i], 1);
    statistics_moments_add(&between, &m.mean, 1);
    within += statistics_moments_variance(&m) / chains;
  }
  const double apart = statistics_moments_variance(&between);
  if (!(within > 0.0))
    return apart > 0.0 ? INFINITY : 1.0;
  return sqrt((draws - 1.0) / draws + apart / within);
}

static void judge(const double *z, int chains, int draws, ConvergenceChains *result)
{
  const double rhat = plain_rhat(z, 2 * chains, draws);
  result->rhat = fmax(result->rhat, rhat);
  result->frozen = result->frozen || (rhat >= CONVERGENCE_FROZEN && is_frozen(z, chains, draws));
}

Status convergence_chains(const double *x, int chains, int draws, ConvergenceChains *result, Error *error)
{
  const int half = draws / 2, n = 2 * half * chains;
  *result = (ConvergenceChains){.rhat = NAN};
  if (chains < 1 || half < 2)
    return STATUS_OK;
  SCOPED(arena_free) Arena arena = {0};
  double *z = arena_take(&arena, (size_t)n, sizeof *z);
  Ranked *order = arena_take(&arena, (size_t)n, sizeof *order);
  TRY(arena_check(&arena, "R-hat", error));
  bool finite = true;
  for (int c = 0; c < chains; c++)
    for (int i = 0; i < 2 * half; i++) { /* for an odd number of draws the middle one is left out */
      const double value = x[c * draws + (i < half ? i : draws - 2 * half + i)];
      order[c * 2 * half + i] = (Ranked){value, c * 2 * half + i};
      finite = finite && isfinite(value);
    }
  if (finite) {
    normal_scores(order, n, z);
    judge(z, chains, half, result);
    const double median = 0.5 * (order[(n - 1) / 2].x + order[n / 2].x);
    for (int i = 0; i < n; i++)
      order[i].x = fabs(order[i].x - median);
    normal_scores(order, n, z);
    judge(z, chains, half, result);
  }
  return STATUS_OK;
}

const char *convergence_word(const ConvergenceChains *chains)
{
  if (isnan(chains->rhat))
    return "unknown";
  return chains->rhat < CONVERGENCE_SLOW ? "mixed" : chains->frozen ? "frozen" : "slow";
}
