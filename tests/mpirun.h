/* Processes of one call, by mpirun. */
#ifndef HOLONOM_TESTS_MPIRUN_H
#define HOLONOM_TESTS_MPIRUN_H

#include "tests/program.h"

/* Followed by the number of processes and the call. */
#define MPIRUN "ASAN_OPTIONS=detect_leaks=0 timeout 300 mpirun --oversubscribe --allow-run-as-root -n "

/* Whether there is no mpirun, or a program without MPI; says so. */
static inline int no_mpi(void)
{
  const int none = program_shell("command -v mpirun >/dev/null && ldd $P | grep -q libmpi") != 0;
  if (none)
    puts("no mpirun, or a program without MPI: processes of one call are not tested");
  return none;
}

#endif
