/* Starts and ends MPI for the processes of mpirun. */
#ifndef HOLONOM_CMD_MPI_RANKS_H
#define HOLONOM_CMD_MPI_RANKS_H

#include "simulation/parts/ranks.h"

/* *several: mpirun started more than one process; otherwise MPI is not initialised. STATUS_INPUT: several
 * processes, and the program was built without MPI. */
Status mpi_ranks_begin(Ranks *ranks, bool *several, Error *error);

/* Warns once on stderr that `command` does not share its work among the processes. */
void mpi_ranks_warn(const char *command);

/* Waits for the other processes. */
void mpi_ranks_end(void);

#endif
