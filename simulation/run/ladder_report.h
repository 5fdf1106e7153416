/* The results of a ladder: ladder.csv, its group of summary.yaml, and closing words with a warning about
 * bottlenecks. Runs without a ladder have none of them. */
#ifndef HOLONOM_SIMULATION_RUN_LADDER_REPORT_H
#define HOLONOM_SIMULATION_RUN_LADDER_REPORT_H

#include "simulation/run/run.h"

/* Temperature k of the ladder, K; kT in reduced units. */
double ladder_report_kelvin(const Simulation *simulation, int k);

/* Copies the temperatures to kelvin[LADDER_TEMPERATURES], and returns the format of a table of means; without
 * a ladder only the remark. */
MeansTable ladder_report_table(const Simulation *simulation, const char *remark, double *kelvin);

/* Whether output.trajectory_replica selects a slot of a ladder, not a replica (exchange.trajectory); and the
 * name of number r: "replica 3", "slot 3 (temperature 1 of ladder 0)". */
bool ladder_report_slots(const Simulation *simulation);
void ladder_report_place(const Simulation *simulation, int r, char *words, size_t size);

/* Writes the comment of a table against time with a row for each temperature: the number of ladders, and the
 * columns that contain the largest value ("largest_g is"). */
void ladder_report_rows(const Simulation *simulation, const char *largest, Text *text);

Status ladder_report_results(Run *run, Error *error);
void ladder_report_summary(Run *run);
void ladder_report_words(const Run *run, char *words, size_t size);

#endif
