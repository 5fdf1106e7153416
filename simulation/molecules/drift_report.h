/* Reports the drift of the conserved energy, measured and as expected from the word's shadow work. */
#ifndef HOLONOM_SIMULATION_MOLECULES_DRIFT_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_DRIFT_REPORT_H

#include "simulation/run/run.h"

/* Adds both to the summary, per replica: the measured rate from rows of thermo.csv after equilibration; the
 * expected rate from the frequencies at the last positions (at the start after a fault). Nothing without such
 * rows, and with a ladder, whose exchanges change energies. STATUS_MEMORY. */
Status drift_report_summary(Run *run, Error *error);

#endif
