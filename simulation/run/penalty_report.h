/* What a run's penalties hold beside what they should: summary, words, and what `holonom check` says. The
 * standard is that of docs/statistics.md. */
#ifndef HOLONOM_SIMULATION_RUN_PENALTY_REPORT_H
#define HOLONOM_SIMULATION_RUN_PENALTY_REPORT_H

#include "base/text.h"
#include "simulation/penalty.h"
#include "simulation/run/run.h"

/* The keys penalty_* of summary.yaml, and `penalty` where it is not there yet. */
Status penalty_report_summary(Run *run, Error *error);

/* Before a run: what equipartition and the step predict at the highest temperature, to the log, a warning to
 * the terminal, too; and as a line of a check (sort.h). */
void penalty_report_start(const Run *run);
Status penalty_report_check(Simulation *simulation, FILE *out, Error *error);

#endif
