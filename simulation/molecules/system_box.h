/* Properties of a periodic box of molecules: its cutoff, charge and density. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H

#include "simulation/molecules/system.h"

/* STATUS_INPUT with file, line and key if the box is too small for the cutoff. */
Status system_box_check(const Simulation *system, Error *error);

/* The net charge of the box, e. *rounding: it stems from rounding in the molecules file, since the molecules'
 * charges, rounded to whole numbers, sum to zero. */
double system_box_charge(const Simulation *system, bool *rounding);

/* g/cm^3, of all masses. */
double system_box_density(const Simulation *system);

#endif
