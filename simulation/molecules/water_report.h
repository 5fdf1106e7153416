/* What the report of a cluster or a box says; report_box.h has what boxes alone have. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_REPORT_H

#include "simulation/molecules/water_run.h"

/* What the kinetic temperature will read by the word's discretisation alone, in words: a line, a note where
 * it is more than 1 % off; and a line on the temperature of slow motions, where that is off. False: there is
 * none. */
bool water_report_reading(const Simulation *system, char *words, size_t size);

/* For the rows of sorts, sort.h: what clusters and boxes have alike, and clusters; report_box.h has boxes. */
void water_report_system(Run *run);
void water_report_cluster_system(Run *run);

/* How many there are of each sort of molecules. */
void water_report_kinds(Run *run);
Status water_report_cluster_summary(Run *run, Error *error);
void water_report_cluster_words(const Run *run, char *words, size_t size);

/* Adds to the summary, first what penalties hold and how fast the conserved energy drifts; last what the
 * temperature will read, and results that have names of their own. */
Status water_report_energies(Run *run, Error *error);
void water_report_known(Run *run);

/* Prints remarks at the end: on molecules that have left, temperatures that read wrong, heated penalties. */
void water_report_remarks(const Run *run);

#endif
