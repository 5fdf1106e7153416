/* What a ladder whose states differ in parameters of the Hamiltonian leaves: their free energies, in
 * ladder.csv and the summary, and u_nk.csv, the reduced energies of the samples that these are made of. */
#ifndef HOLONOM_SIMULATION_RUN_LADDER_STATES_H
#define HOLONOM_SIMULATION_RUN_LADDER_STATES_H

#include "simulation/run/run.h"

/* Whether the states have parameters. */
bool ladder_states(const Simulation *simulation);

/* Writes u_nk.csv, and finds the free energies; a line of the log says why where there are none. Errors:
 * STATUS_IO, STATUS_MEMORY. */
Status ladder_states_results(Run *run, Error *error);

/* Adds the columns of parameters and free energies to a table with a row for each state. */
void ladder_states_columns(const Run *run, ResultTable *table);

/* The free energies in the block of the ladder. */
void ladder_states_summary(Run *run);

#endif
