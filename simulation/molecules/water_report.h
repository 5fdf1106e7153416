/* The report of clusters, and of what boxes have in common with them; report_box.h has the rest. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H

#include "simulation/molecules/water_run.h"

/* Writes the expected kinetic temperature by the word's discretisation alone (a note above 1 % error), the
 * temperature of slow motions if it deviates, and the expected drift. False: unknown. */
bool water_report_reading(const Simulation *system, char *words, size_t size);

/* Functions of the rows of sorts (sort.h): shared ones, and those of clusters. */
void water_report_system(Run *run);
void water_report_cluster_system(Run *run);

/* The number of molecules of each type. */
void water_report_kinds(Run *run);
Status water_report_cluster_summary(Run *run, Error *error);
void water_report_cluster_words(const Run *run, char *words, size_t size);

/* Add to the summary: first energies of penalties and drift of the conserved energy; last the expected
 * temperature, and results with keys of their own. */
Status water_report_energies(Run *run, Error *error);
void water_report_known(Run *run);

/* Prints remarks at the end: molecules that have left, biased temperatures. */
void water_report_remarks(const Run *run);

#endif
