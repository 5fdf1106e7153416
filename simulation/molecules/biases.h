/* The biases of an input (key `biases`), for the force of forcefields/bias.h. */
#ifndef HOLONOM_SIMULATION_MOLECULES_BIASES_H
#define HOLONOM_SIMULATION_MOLECULES_BIASES_H

#include "simulation/molecules/system.h"

/* Makes the biases of a system that has topology and groups, and adds them to its digest. Errors:
 * STATUS_INPUT with file, line and key: a coordinate has several values; STATUS_MEMORY. */
Status biases_create(Simulation *system, Error *error);

#endif
