/* Reports the measured and predicted energy of a run's penalties: summary, words, and lines of `holonom
 * check`. The criterion is that of docs/statistics.md. */
#ifndef HOLONOM_SIMULATION_RUN_PENALTY_REPORT_H
#define HOLONOM_SIMULATION_RUN_PENALTY_REPORT_H

#include "base/text.h"
#include "simulation/penalty.h"
#include "simulation/run/run.h"

/* Adds the keys penalty_* of summary.yaml, and `penalty` if it is missing. */
Status penalty_report_summary(Run *run, Error *error);

/* Before a run: equipartition and predicted heat at the highest temperature, in the log, a warning also on
 * the terminal; and as lines of a check (sort.h). */
void penalty_report_start(const Run *run);
Status penalty_report_check(Simulation *simulation, FILE *out, Error *error);

#endif
