/* What the report of a periodic box has that others have not. */
#ifndef HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H

#include "simulation/molecules/water_report.h"

/* For the row of the sort, sort.h. */
void report_box_system(Run *run);
Status report_box_summary(Run *run, Error *error);
void report_box_words(const Run *run, char *words, size_t size);

/* What periodic_choice says. */
void report_box_forces(const Simulation *system, const Force *force, ResultSet *set);

#endif
