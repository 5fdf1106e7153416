/* The results of a ladder whose states differ in parameters: free energies in ladder.csv and the summary, and
 * u_nk.csv, the reduced energies that they are computed from. */
#ifndef HOLONOM_SIMULATION_RUN_LADDER_STATES_H
#define HOLONOM_SIMULATION_RUN_LADDER_STATES_H

#include "simulation/run/run.h"

/* Whether the states have parameters. */
bool ladder_states(const Simulation *simulation);

/* Writes u_nk.csv and computes the free energies; without a result the log contains the reason. Errors:
 * STATUS_IO, STATUS_MEMORY. */
Status ladder_states_results(Run *run, Error *error);

/* Adds the columns of parameters and free energies to the table with a row for each state. */
void ladder_states_columns(const Run *run, ResultTable *table);

/* Adds the free energies to the ladder's group. */
void ladder_states_summary(Run *run);

#endif
