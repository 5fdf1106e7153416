/* The results of a ladder of alchemical states: alchemy.csv and its figure, overlap.csv, the samples as files
 * of other programs, and a group of summary.yaml. Runs without such a ladder have none of them. */
#ifndef HOLONOM_SIMULATION_RUN_ALCHEMY_REPORT_H
#define HOLONOM_SIMULATION_RUN_ALCHEMY_REPORT_H

#include "simulation/run/run.h"

/* Whether the ladder has alchemical states. */
bool alchemy_report_has(const Simulation *simulation);

/* Analyses the samples and writes tables, samples and figure; without a result of MBAR the log contains the
 * reason. Errors: STATUS_IO, STATUS_MEMORY. */
Status alchemy_report_results(Run *run, Error *error);

/* Adds the group of the summary. */
void alchemy_report_summary(Run *run);

/* Appends a line with the free energy. */
void alchemy_report_words(const Run *run, char *words, size_t size);

#endif
