/* Results of observables by state, for ladders of boxes, whose slots have a set of observables each. */
#ifndef HOLONOM_SIMULATION_SAMPLING_STATES_H
#define HOLONOM_SIMULATION_SAMPLING_STATES_H

#include "results/results.h"
#include "simulation/ladder/ladder.h"

/* Writes to dir, from the results slot[n ladders]: states.csv, a row for each number of each state; and
 * rdf_ladder.csv, the distances of each state. Both are means over the ladders with standard errors from
 * them; for one ladder its own results and errors. Errors: STATUS_IO, STATUS_MEMORY. */
Status sampling_states_write(const LadderOptions *ladder, const ResultSet *slot, const char *dir,
                             ResultSet *report, Error *error);

#endif
