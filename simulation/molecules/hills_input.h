/* The grid of metadynamics of an input (type: metadynamics in `biases`). */
#ifndef HOLONOM_SIMULATION_MOLECULES_HILLS_INPUT_H
#define HOLONOM_SIMULATION_MOLECULES_HILLS_INPUT_H

#include "simulation/molecules/system.h"

/* Makes the grid of record `number`, whose coordinates are in `to`, and passes it to both. Errors:
 * STATUS_INPUT with file, line and key: a second record; conditions under which walkers cannot share a bias,
 * such as a ladder, several values of a parameter, or a temperature that changes; a grid that is not allowed;
 * STATUS_MEMORY. */
Status hills_input_create(Simulation *system, int number, BiasInput *to, Error *error);

#endif
