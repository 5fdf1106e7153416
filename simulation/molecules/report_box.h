/* What the report of a periodic box has that others have not. */
#ifndef HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_REPORT_BOX_H

#include "simulation/molecules/water_report.h"

/* Parts of summary.yaml: the box and what was chosen for its forces; where the time went. */
void report_box_method(const Run *run, Text *text);
void report_box_times(const Run *run, Text *text);

/* What follows from the means. */
Status report_box_means(const Run *run, Text *text, Error *error);

/* Files and pictures of the observables; their numbers go to the log and to summary.yaml. */
void report_box_observables(const Run *run, Text *text);

/* The closing words, into words[size]. */
Status report_box_words(Run *run, char *words, size_t size, Error *error);

/* What periodic_choice says, in lines of YAML, for a report or a terminal. */
void report_box_forces(const Simulation *system, const Force *force, char *words, size_t size);

#endif
