/* Makes the biases of PLUMED that the input names (key plumed). */
#ifndef HOLONOM_SIMULATION_MOLECULES_PLUMED_INPUT_H
#define HOLONOM_SIMULATION_MOLECULES_PLUMED_INPUT_H

#include "forcefields/plumed.h"
#include "simulation/molecules/system.h"

/* Reads the file and adds it to the system's digest. STATUS_INPUT with file, line and key: the file is wrong;
 * STATUS_MEMORY. */
Status plumed_input_create(Simulation *system, Error *error);

#endif
