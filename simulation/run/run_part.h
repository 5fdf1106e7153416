/* Runs that take steps of some replicas only: by themselves, or as one of several processes. */
#ifndef HOLONOM_SIMULATION_RUN_RUN_PART_H
#define HOLONOM_SIMULATION_RUN_RUN_PART_H

#include "simulation/run/run.h"

/* First of all: which replicas, so that no others take memory. STATUS_INPUT: they are no whole batches, or
 * there is one replica. Nothing where one process runs all. */
Status run_part_range(Run *run, Error *error);

/* At the step that it begins with. STATUS_INPUT: temperatures of ladders are still to be chosen anew, by the
 * energies of all. */
Status run_part_begun(const Run *run, Error *error);

/* After `record`: all that is sampled goes to one file, or from rank to rank, in place of the sort's files.
 * STATUS_INPUT: one of these is no matter of samples. */
Status run_part_files(Run *run, Error *error);

/* The last words: a part has no results of its own. */
void run_part_close(const Run *run);

#endif
