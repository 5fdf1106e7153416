/* When something is said of numbers with errors: one standard for comparisons and studies, pages of runs,
 * ladders and their tables (docs/statistics.md). A verdict
 *
 * - rests on VERDICT_DRAWS independent draws or more behind each error (replicas, ladders, blocks of time
 * longer than the correlation), and on none where errors are lower bounds;
 * - goes by Student's t with the degrees of freedom that so many draws have;
 * - is at the level of its family, all tests of a call or of a page, by Holm and Bonferroni
 * (statistics_holm). */
#ifndef HOLONOM_OBSERVABLES_VERDICT_H
#define HOLONOM_OBSERVABLES_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "observables/statistics.h"

enum { VERDICT_DRAWS = 8 };

/* What a user asks for (do these runs differ?), and what every run says of itself unasked, where an alarm in
 * twenty would be too many. */
#define VERDICT_LEVEL       0.05
#define VERDICT_LEVEL_ALARM 0.01

bool verdict_enough(int64_t draws);

/* Whether a run warns of itself, by a p of its family; not, of NaN. */
bool verdict_alarms(double p);

/* statistics_welch, whose p is NaN where there are too few draws behind one of the errors. A number that is
 * known exactly has error 0. */
StatisticsWelch verdict_difference(double mean_a, double error_a, int64_t draws_a, double mean_b,
                                   double error_b, int64_t draws_b);

/* One-sided: the chance of a value so far above 0 where it is 0; NaN of too few draws. */
double verdict_above(double value, double error, int64_t draws);

#endif
