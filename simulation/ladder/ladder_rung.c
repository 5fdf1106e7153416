/* The statistics of one state of a ladder. */
#include <math.h>

#include "simulation/ladder/ladder_private.h"

LadderRung ladder_rung(const Ladder *l, int k)
{
  const int n = l->options.n, ladders = l->options.ladders;
  LadderRung rung = {
      .kT = l->kT[k], .samples = l->cell[k].potential.n, .acceptance = NAN, .acceptance_error = NAN};
  StatisticsMoments potential = {0}, kinetic = {0}, means = {0}, chances = {0};
  for (int a = 0; a < ladders; a++) {
    const LadderCell *cell = &l->cell[a * n + k];
    statistics_moments_merge(&potential, &cell->potential);
    statistics_moments_merge(&kinetic, &cell->kinetic);
    statistics_moments_add(&means, &cell->potential.mean, 1);
    if (cell->chance.n > 0)
      statistics_moments_add(&chances, &cell->chance.mean, 1);
    rung.attempts += cell->chance.n;
    rung.exchanges += cell->exchanges;
    rung.replicas_up += cell->up;
    rung.replicas_down += cell->down;
  }
  rung.potential = potential.n > 0 ? potential.mean : NAN;
  rung.kinetic = potential.n > 0 ? kinetic.mean : NAN;
  rung.spread = potential.n > 1 ? sqrt(statistics_moments_variance(&potential)) : NAN;
  if (l->time != NULL && potential.n > 0) {
    const StatisticsCorrelation c = statistics_correlation(l->time, n, 1.0); /* the slowest */
    rung.potential_error = statistics_blocks_result_with(&l->time[k], &c).error;
  } else
    rung.potential_error = statistics_moments_error(&means);
  if (chances.n > 0) {
    rung.acceptance = chances.mean;
    rung.acceptance_error = statistics_moments_error(&chances);
  }
  const int64_t both = rung.replicas_up + rung.replicas_down;
  rung.up = both > 0 ? (double)rung.replicas_up / (double)both : NAN;
  return rung;
}
