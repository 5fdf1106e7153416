/* Runs of part of the replicas: alone, or as one of several processes. */
#ifndef HOLONOM_SIMULATION_RUN_RUN_PART_H
#define HOLONOM_SIMULATION_RUN_RUN_PART_H

#include "simulation/run/run.h"

/* Call it first: selects the replicas, so that others take no memory. STATUS_INPUT: not whole batches, or
 * only one replica. Does nothing for a whole run in one process. */
Status run_part_range(Run *run, Error *error);

/* At the first step. STATUS_INPUT: tunings of ladders remain, which need the energies of all replicas. */
Status run_part_begun(const Run *run, Error *error);

/* After record_create: replaces the sort's files by one file of samples, or by messages to rank 0.
 * STATUS_INPUT: a file does not consist of samples. */
Status run_part_files(Run *run, Error *error);

/* In a process of several, with its range set: the hills of metadynamics are those of all processes. */
void run_part_share_hills(const Run *run);

/* The closing words of a part, which has no results. */
void run_part_close(const Run *run);

#endif
