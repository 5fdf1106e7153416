/* The processes that mpirun has started. */
#ifndef HOLONOM_CMD_MPI_RANKS_H
#define HOLONOM_CMD_MPI_RANKS_H

#include "simulation/parts/ranks.h"

/* *several: there are others; else MPI is not touched. STATUS_INPUT: there are, and the program was built
 * without MPI. */
Status mpi_ranks_begin(Ranks *ranks, bool *several, Error *error);

/* The first of several processes says on stderr that `command` does not share its work with the others. */
void mpi_ranks_warn(const char *command);

/* Waits for the others. */
void mpi_ranks_end(void);

#endif
