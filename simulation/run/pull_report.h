/* The results of a pull: work.csv, the path with its free energies as pull.csv and a figure, and a group of
 * summary.yaml. Runs without a pull have none of them.
 *
 * Replicas with the same ends and the same values of all other parameters make one path; those with the ends
 * exchanged make the same path backwards. */
#ifndef HOLONOM_SIMULATION_RUN_PULL_REPORT_H
#define HOLONOM_SIMULATION_RUN_PULL_REPORT_H

#include "simulation/run/run.h"

/* Writes tables and figure. Errors: STATUS_IO, STATUS_MEMORY. */
Status pull_report_results(Run *run, Error *error);

/* Adds the group of the summary. Errors: STATUS_MEMORY. */
Status pull_report_summary(Run *run, Error *error);

/* Appends a line on each path. */
void pull_report_words(const Run *run, char *words, size_t size);

#endif
