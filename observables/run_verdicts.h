/* What the numbers of a run say about it, matter by matter: the only place that says it. Results, pages,
 * status, comparisons and Python print what it leaves in a set (docs/report.md). */
#ifndef HOLONOM_OBSERVABLES_RUN_VERDICTS_H
#define HOLONOM_OBSERVABLES_RUN_VERDICTS_H

#include "results/results.h"

/* Adds to the set the verdict on the whole run ("run") and then one on each matter of which something can be
 * said. Rows against time are read from the set's folder. Nothing where the set has verdicts, as that of a
 * run that has ended; results of earlier versions and runs at work have none. STATUS_MEMORY. */
Status run_verdicts_make(ResultSet *set, Error *error);

#endif
