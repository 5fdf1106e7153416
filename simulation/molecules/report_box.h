/* The report of a periodic box. */
#ifndef HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H

#include "simulation/molecules/water_report.h"

/* Functions of the row of sort box (sort.h). */
void report_box_system(Run *run);
Status report_box_summary(Run *run, Error *error);
void report_box_words(const Run *run, char *words, size_t size);

/* Adds the values of periodic_choice. */
void report_box_forces(const Simulation *system, const Force *force, ResultSet *set);

#endif
