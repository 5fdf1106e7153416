/* What a run of any sort leaves when it ends: files and pictures, summary.yaml, last words. */
#ifndef HOLONOM_SIMULATION_RUN_REPORT_H
#define HOLONOM_SIMULATION_RUN_REPORT_H

#include "simulation/run/run.h"

/* run->status and run->message say how it ended; ends the log. A picture that cannot be drawn (no gnuplot) is
 * a remark, not an error; the summary is written whatever becomes of other files, as the last of them, and
 * says that the run failed where one of them could not be written. */
Status report_write(Run *run, Error *error);

/* First words: the time step in fs, and of a run that goes on that it ends sooner than the input of before
 * asked for. */
void report_begin(const Run *run);

/* A line "mean NAME: value +- error UNIT" to words, the error with two digits; where the samples are too few
 * for an error it says so. */
void report_mean(const ResultNumber *number, char *words, size_t size);

#endif
