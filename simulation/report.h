/* What a run of any sort leaves when it ends: files and pictures, summary.yaml, last words. */
#ifndef HOLONOM_SIMULATION_REPORT_H
#define HOLONOM_SIMULATION_REPORT_H

#include "simulation/simulation_run.h"

/* run->status and run->message say how it ended; ends the log. A picture that cannot be drawn (no gnuplot) is
 * a remark, not an error; the summary is written whatever becomes of other files. */
Status report_write(Run *run, Error *error);

#endif
