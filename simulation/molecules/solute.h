/* Finds the molecule that alchemy decouples (forcefields/alchemy.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_SOLUTE_H
#define HOLONOM_SIMULATION_MOLECULES_SOLUTE_H

#include "simulation/molecules/system.h"

/* Fills in the system's alchemy and the solute of its atoms; nothing without alchemy.molecules. After the
 * topology. Errors: STATUS_INPUT with file, line and key: an unknown molecule type, one with several
 * molecules or of model water, charges under a soft core, and forces that alchemy does not support. */
Status solute_find(Simulation *system, Error *error);

#endif
