/* The permutation test of statistics.h. Under the null hypothesis all rows are draws of one distribution, so
 * all divisions into two sets of these sizes have the same probability as the one observed. */
#include <math.h>

#include "base/arena.h"
#include "engine/random.h"
#include "observables/statistics.h"

typedef struct Deal {
  int ncol, na, nb;
  const double **row; /* [na + nb], the first na are set a */
  double *total;      /* [ncol] sum of all rows            */
  double *sum;        /* [ncol] scratch                    */
} Deal;

/* The distance of the present division; only the smaller set is summed. */
static double deal_distance(Deal *deal)
{
  const int a_is_smaller = deal->na <= deal->nb;
  const int begin = a_is_smaller ? 0 : deal->na, end = a_is_smaller ? deal->na : deal->na + deal->nb;
  for (int k = 0; k < deal->ncol; k++)
    deal->sum[k] = 0.0;
  for (int i = begin; i < end; i++)
    for (int k = 0; k < deal->ncol; k++)
      deal->sum[k] += deal->row[i][k];
  const double mine = 1.0 / (end - begin), others = 1.0 / (deal->na + deal->nb - (end - begin));
  double tv = 0.0;
  for (int k = 0; k < deal->ncol; k++)
    tv += fabs(deal->sum[k] * mine - (deal->total[k] - deal->sum[k]) * others);
  return 0.5 * tv;
}

/* Draws the members of the smaller set: the first steps of the Fisher-Yates shuffle. */
static void deal_again(Deal *deal, RandomStream *stream)
{
  const int n = deal->na + deal->nb, few = deal->na <= deal->nb ? deal->na : deal->nb;
  const int offset = deal->na <= deal->nb ? 0 : deal->na;
  for (int i = 0; i < few; i++) {
    const int at = (offset + i) % n;
    const int with = (at + (int)random_below(stream, (uint32_t)(n - i))) % n;
    const double *keep = deal->row[at];
    deal->row[at] = deal->row[with];
    deal->row[with] = keep;
  }
}

static void deal_test(Deal *deal, int permutations, uint64_t seed, StatisticsDistance *distance)
{
  RandomStream stream = random_stream(seed, 0, RANDOM_STATISTICS);
  StatisticsMoments null = {0};
  const double tv = deal_distance(deal), rounding = 1e-12;
  int reached = 0;
  for (int k = 0; k < permutations; k++) {
    deal_again(deal, &stream);
    const double drawn = deal_distance(deal);
    statistics_moments_add(&null, &drawn, 1);
    reached += drawn >= tv - rounding;
  }
  *distance = (StatisticsDistance){.tv = tv,
                                   .null_mean = null.mean,
                                   .null_sd = sqrt(statistics_moments_variance(&null)),
                                   .p = (1.0 + reached) / (1.0 + permutations),
                                   .permutations = permutations};
}

Status statistics_distance(int ncol, int na, const double *a, int nb, const double *b, int permutations,
                           uint64_t seed, StatisticsDistance *distance, Error *error)
{
  if (na < 2 || nb < 2)
    return error_set(error, STATUS_INPUT,
                     "comparing distributions needs 2 or more independent rows in each, not %d and %d", na,
                     nb);
  Deal deal = {.ncol = ncol, .na = na, .nb = nb};
  SCOPED(arena_free) Arena arena = {0};
  deal.row = arena_take(&arena, (size_t)na + (size_t)nb, sizeof *deal.row);
  deal.total = arena_take(&arena, 2 * (size_t)ncol, sizeof *deal.total);
  TRY(arena_check(&arena, "a permutation test", error));
  deal.sum = deal.total + ncol;
  for (int i = 0; i < na; i++)
    deal.row[i] = a + (size_t)i * (size_t)ncol;
  for (int i = 0; i < nb; i++)
    deal.row[na + i] = b + (size_t)i * (size_t)ncol;
  for (int i = 0; i < na + nb; i++)
    for (int k = 0; k < ncol; k++)
      deal.total[k] += deal.row[i][k];
  deal_test(&deal, permutations, seed, distance);
  return STATUS_OK;
}
