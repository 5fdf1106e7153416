/* What the report of a periodic box has that others have not. */
#ifndef HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H

#include "simulation/molecules/water_report.h"

/* Parts of summary.yaml: the box and what was chosen for its forces; where the time went. */
void report_box_method(Run *run);
void report_box_times(Run *run);

/* What follows from the means. */
Status report_box_means(Run *run, Error *error);

/* The closing words, into words[size]. */
Status report_box_words(Run *run, char *words, size_t size, Error *error);

/* What periodic_choice says. */
void report_box_forces(const Simulation *system, const Force *force, ResultSet *set);

#endif
