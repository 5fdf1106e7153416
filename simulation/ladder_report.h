/* What a ladder of temperatures leaves: ladder.csv, its block of summary.yaml, closing words with a warning
 * where replicas do not come through. Nothing at all of runs without one. */
#ifndef HOLONOM_SIMULATION_LADDER_REPORT_H
#define HOLONOM_SIMULATION_LADDER_REPORT_H

#include "simulation/simulation_run.h"

/* Temperature k of the ladder, K; of a system in reduced units kT. */
double ladder_report_kelvin(const Simulation *simulation, int k);

Status ladder_report_results(Run *run, Error *error);
void ladder_report_summary(const Run *run, Text *text);
void ladder_report_words(const Run *run, char *words, size_t size, char *files, size_t files_size);

#endif
