/* What a ladder of temperatures leaves: ladder.csv, its block of summary.yaml, closing words with a warning
 * where replicas do not come through. Nothing at all of runs without one. */
#ifndef HOLONOM_SIMULATION_RUN_LADDER_REPORT_H
#define HOLONOM_SIMULATION_RUN_LADDER_REPORT_H

#include "simulation/run/run.h"

/* Temperature k of the ladder, K; of a system in reduced units kT. */
double ladder_report_kelvin(const Simulation *simulation, int k);

/* All of them into kelvin[LADDER_TEMPERATURES], and what a table of means is to say of them: nothing without
 * a ladder. */
MeansTable ladder_report_table(const Simulation *simulation, const char *remark, double *kelvin);

/* The slot of a ladder that output.trajectory_replica counts, not replicas (exchange.trajectory); what number
 * r of it is, in words: "replica 3", "slot 3 (temperature 1 of ladder 0)". */
bool ladder_report_slots(const Simulation *simulation);
void ladder_report_place(const Simulation *simulation, int r, char *words, size_t size);

/* The comment of a table against time that has a row for each temperature: of how many ladders, and what else
 * is the largest of these ("largest_g is"). */
void ladder_report_rows(const Simulation *simulation, const char *largest, Text *text);

Status ladder_report_results(Run *run, Error *error);
void ladder_report_summary(Run *run);
void ladder_report_words(const Run *run, char *words, size_t size);

#endif
