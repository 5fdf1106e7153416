/* What a run of any sort leaves when it ends: files and pictures, summary.yaml, last words. */
#ifndef HOLONOM_SIMULATION_RUN_REPORT_H
#define HOLONOM_SIMULATION_RUN_REPORT_H

#include "simulation/run/simulation_run.h"

/* run->status and run->message say how it ended; ends the log. A picture that cannot be drawn (no gnuplot) is
 * a remark, not an error; the summary is written whatever becomes of other files, as the last of them, and
 * says that the run failed where one of them could not be written. */
Status report_write(Run *run, Error *error);

/* A picture that was drawn, or not, for `why`, which is a remark on the terminal and in the log:
 * picture_outcome. */
Status report_picture(const Run *run, Status drawn, const Error *why, Error *error);

/* A line of the log that is said on the terminal, too. */
void report_remark(const Run *run, const char *of, const char *text);

/* First words: the time step in fs, and of a run that goes on that it ends sooner than the input of before
 * asked for. */
void report_begin(const Run *run);

/* A line "mean NAME: value +- error UNIT" to words, the error with two digits; where the samples are too few
 * for an error it says so. */
void report_mean(const ResultNumber *number, char *words, size_t size);

/* A table of run->results as CSV. */
Status report_table(Run *run, const ResultTable *table, Error *error);

#endif
