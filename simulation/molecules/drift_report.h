/* How fast the conserved energy of a run drifts, beside what the word's own shadow work makes it drift by. */
#ifndef HOLONOM_SIMULATION_MOLECULES_DRIFT_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_DRIFT_REPORT_H

#include "simulation/run/run.h"

/* Both into the summary, per replica: the measured rate from the rows of thermo.csv after equilibration, the
 * expected one from the frequencies at the run's last positions (those at the start where it failed). Nothing
 * without such rows, and of a ladder, whose exchanges change energies. STATUS_MEMORY. */
Status drift_report_summary(Run *run, Error *error);

#endif
