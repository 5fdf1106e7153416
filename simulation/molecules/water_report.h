/* What the report of a cluster or a box says; report_box.h has what boxes alone have. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H

#include "simulation/molecules/water_run.h"

/* What the kinetic temperature will read by the word's discretisation alone, in words: a line, a note where
 * it is more than 1 % off. reading: of SystemRates. False: there is none. */
bool water_report_reading(const Simulation *system, double reading, char *words, size_t size);

/* A line "mean WHAT: value +- error UNIT" to words, the error with two digits; where the samples are too few
 * for an error it says so. */
void water_report_mean(char *words, size_t size, const char *what, double mean, double error, int64_t samples,
                       const char *unit);

/* What one of the two sorts has in its summary: after the model, after the times, after the means (or NULL).
 */
typedef struct WaterReport {
  void (*method)(Run *run);
  void (*times)(Run *run);
  Status (*means)(Run *run, Error *error);
} WaterReport;

Status water_report_summary(Run *run, const WaterReport *of, Error *error);
void water_report_evaporation(Run *run);

/* replicas.csv, rdf.csv, rdf_replicas.csv, pictures. */
Status water_report_results(Run *run, Error *error);

/* Closing words of a cluster; what all end with: notes on temperatures that read wrong, a warning of
 * penalties that are heated, and notes on errors that are only lower bounds. */
Status water_report_cluster_words(Run *run, char *words, size_t size, Error *error);
void water_report_bias(const Run *run);
Status water_report_errors(const Run *run, char *words, size_t size, Error *error);

/* The files in the last line. */
void water_report_files(const Run *run, char *words, size_t size);

#endif
