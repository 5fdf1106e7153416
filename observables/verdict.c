#include "observables/verdict.h"

#include <math.h>

bool verdict_enough(int64_t draws) { return draws >= VERDICT_DRAWS; }

bool verdict_alarms(double p) { return p < VERDICT_LEVEL_ALARM; }

StatisticsWelch verdict_difference(double mean_a, double error_a, int64_t draws_a, double mean_b,
                                   double error_b, int64_t draws_b)
{
  StatisticsWelch w = statistics_welch(mean_a, error_a, draws_a, mean_b, error_b, draws_b);
  if ((error_a != 0.0 && !verdict_enough(draws_a)) || (error_b != 0.0 && !verdict_enough(draws_b)))
    w.p = NAN;
  return w;
}

double verdict_above(double value, double error, int64_t draws)
{
  const StatisticsWelch w = verdict_difference(0.0, 0.0, 0, value, error, draws);
  return w.z > 0.0 ? 0.5 * w.p : 1.0 - 0.5 * w.p;
}
