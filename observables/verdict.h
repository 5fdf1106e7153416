/* The criterion for verdicts on numbers with errors, common to comparisons, studies, reports and ladders
 * (docs/statistics.md).
 *
 * - A verdict requires at least VERDICT_DRAWS independent draws behind each error (replicas, ladders, blocks
 *   of time longer than the correlation), and no error that is a lower bound.
 *
 * - It uses Student's t with the degrees of freedom of that number of draws.
 *
 * - It has the level of its family, all tests of a call or of a report, by Holm and Bonferroni
 *   (statistics_holm). */
#ifndef HOLONOM_OBSERVABLES_VERDICT_H
#define HOLONOM_OBSERVABLES_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "observables/statistics.h"

enum { VERDICT_DRAWS = 8 };

/* LEVEL: of tests that a user requests (do these runs differ?). ALARM: of tests in every run's report, where
 * one false alarm in twenty would be too many. */
#define VERDICT_LEVEL       0.05
#define VERDICT_LEVEL_ALARM 0.01

bool verdict_enough(int64_t draws);

/* Whether a run's report warns, by a p adjusted for its family; false for NaN. */
bool verdict_alarms(double p);

/* statistics_welch with p = NaN if one of the errors has too few draws. A number that is known exactly has
 * error 0. */
StatisticsWelch verdict_difference(double mean_a, double error_a, int64_t draws_a, double mean_b,
                                   double error_b, int64_t draws_b);

/* One-sided: the probability of a value this far above 0 if the true value is 0; NaN with too few draws. */
double verdict_above(double value, double error, int64_t draws);

#endif
