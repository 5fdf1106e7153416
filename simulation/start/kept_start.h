/* The start that was built for a cluster, kept in the run's folder, so that other runs of the same system
 * need not build it again. What is read back is what was built, to the bit. */
#ifndef HOLONOM_SIMULATION_START_KEPT_START_H
#define HOLONOM_SIMULATION_START_KEPT_START_H

#include "simulation/molecules/system.h"

#define KEPT_START_NAME "built-start.xyz"

/* Reads x[coordinates] from a run's folder or from such a file, if it was built from the same system section
 * with the same effort, program and instruction set. STATUS_INPUT with the reason if there is none, or one
 * that does not fit. */
Status kept_start_read(const Simulation *system, const StartOptions *options, const char *from, double *x,
                       Error *error);

/* Writes it into the folder of a run. */
Status kept_start_write(const Simulation *system, const StartOptions *options, const double *x,
                        const char *dir, Error *error);

#endif
