/* Runs that take steps of some replicas only: by themselves, or as one of several processes. */
#ifndef HOLONOM_SIMULATION_RUN_PART_H
#define HOLONOM_SIMULATION_RUN_PART_H

#include "simulation/simulation_run.h"

/* After `record`. The replicas that the options name: steps are taken of whole gangs, and all that is sampled
 * goes to one file. STATUS_INPUT: they are no whole gangs, or the sort has no parts. */
Status run_part_begin(Run *run, Error *error);

/* One of several processes, of which rank 0 has the files. STATUS_INPUT as above. */
Status run_part_share(Run *run, Error *error);

/* The last words: a part has no results of its own. */
void run_part_close(const Run *run);

#endif
