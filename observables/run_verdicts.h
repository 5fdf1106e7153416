/* Verdicts on a run from its numbers, subject by subject. Results, reports, status, comparisons and Python
 * all print the verdicts stored in the set (docs/report.md). */
#ifndef HOLONOM_OBSERVABLES_RUN_VERDICTS_H
#define HOLONOM_OBSERVABLES_RUN_VERDICTS_H

#include "results/results.h"

/* Adds to the set the verdict on the whole run ("run") and then one on each subject that can be judged. Rows
 * against time are read from the set's folder. A set that has verdicts, such as that of a finished run, stays
 * as it is; results of earlier versions and running simulations have none. STATUS_MEMORY. */
Status run_verdicts_make(ResultSet *set, Error *error);

#endif
