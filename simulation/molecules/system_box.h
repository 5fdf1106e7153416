/* What a periodic box of molecules has beside them: whether it holds the cutoff, its charge, its density. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H

#include "simulation/molecules/system.h"

/* Refuses a box that does not hold the cutoff: STATUS_INPUT with file, line and key. */
Status system_box_check(const Simulation *system, Error *error);

/* The net charge of the box, e. *rounding: it comes from the rounding of charges in the file of molecules, as
 * the charges of its molecules, rounded to whole numbers, sum to zero. */
double system_box_charge(const Simulation *system, bool *rounding);

/* g/cm^3, of all masses. */
double system_box_density(const Simulation *system);

#endif
