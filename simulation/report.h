/* What a run of any sort leaves when it ends: files and pictures, summary.yaml, last words. */
#ifndef HOLONOM_SIMULATION_REPORT_H
#define HOLONOM_SIMULATION_REPORT_H

#include "simulation/simulation_run.h"

/* run->status and run->message say how it ended; ends the log. A picture that cannot be drawn (no gnuplot) is
 * a remark, not an error; the summary is written whatever becomes of other files. */
Status report_write(Run *run, Error *error);

/* A picture that was drawn, or not, for `why`, which is a remark in the log: picture_outcome. */
Status report_picture(const Run *run, Status drawn, const Error *why, Error *error);

/* The line `wall: ...`: times of a run that was put together are those of its parts. */
void report_wall(const Run *run, Text *text);

#endif
