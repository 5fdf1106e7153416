/* Positions of all atoms in a file: the points of restraints and the references of RMSDs. */
#ifndef HOLONOM_SIMULATION_MOLECULES_POINTS_H
#define HOLONOM_SIMULATION_MOLECULES_POINTS_H

#include "simulation/molecules/system.h"

/* Reads x[coordinates], ordered by molecule, and the box, from the first frame of a file, or from the start
 * file before minimisation (NULL). Molecules are whole. Errors: STATUS_INPUT with file, line and `key`: the
 * file does not fit, the start is built, or replicas start from frames of their own; STATUS_MEMORY. */
Status points_read(const Simulation *system, InputKey key, const char *file, double *x, Box *box,
                   Error *error);

/* Reads the reference of a coordinate that has one, with its box; it lives in the arena. Errors: those of
 * points_read. */
Status points_reference(const Simulation *system, InputKey key, const char *file, Arena *arena,
                        CoordinateInput *input, Error *error);

#endif
