/* The part of a system that is a periodic box: what is in it, its forces, its start. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H

#include "forcefields/periodic.h"
#include "simulation/molecules/system.h"

/* Refuses a box that does not hold the cutoff: STATUS_INPUT with file, line and key. */
Status system_box_check(const Simulation *system, Error *error);

/* The forces of the run. Errors: STATUS_INPUT with file and line, STATUS_MEMORY, STATUS_IO. */
Status system_box_field(const Simulation *system, const State *state, ForceField *field, Error *error);

/* Makes the force between molecules once and frees it, so that what it refuses is refused as an input is
 * opened. Errors: as system_box_field. */
Status system_box_check_forces(const Simulation *system, Error *error);

/* The same for who builds a start, a team of all threads; or, not `own`, in double. */
Status system_box_start_field(const Simulation *system, bool own, const State *state, ForceField *field,
                              Error *error);

/* What forces.truncation says, or, with auto, what conserves the energy where no thermostat keeps it. */
Truncation system_box_truncation(const Simulation *system);

/* The net charge of the box, e. *rounding: it comes from the rounding of charges in the file of molecules, as
 * the charges of its molecules, rounded to whole numbers, sum to zero. */
double system_box_charge(const Simulation *system, bool *rounding);

/* g/cm^3, of all masses. */
double system_box_density(const Simulation *system);

#endif
