/* Writes the results at the end of a run of any sort: files, pictures, summary.yaml, closing words. */
#ifndef HOLONOM_SIMULATION_RUN_REPORT_H
#define HOLONOM_SIMULATION_RUN_REPORT_H

#include "simulation/run/run.h"

/* Writes all results; run->status and run->message tell how the run ended. A picture that cannot be drawn (no
 * gnuplot) is a remark, not an error. The summary is written last, even after a fault, and reports files that
 * could not be written. */
Status report_write(Run *run, Error *error);

/* Opening words: the time step in fs, and whether a resumed run ends sooner than its previous input
 * requested. */
void report_begin(const Run *run);

/* Appends "mean NAME: value +- error UNIT", the error with two digits; too few samples give words instead of
 * an error. */
void report_mean(const ResultNumber *number, char *words, size_t size);

#endif
