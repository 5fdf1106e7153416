/* What the forces of a system of molecules are made from. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_FIELD_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_FIELD_H

#include "simulation/molecules/system.h"

/* What forces.truncation says, or, with auto, what conserves the energy where no thermostat keeps it. */
Truncation system_field_truncation(const Simulation *system);

/* Sort.field of molecules. */
void system_field(const Simulation *system, FieldInput *input);

/* Makes the force between molecules once and frees it, so that what it refuses is refused as an input is
 * opened. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
Status system_field_check(const Simulation *system, Error *error);

/* The forces that make a start, of a team of all threads: in double precision, without the wall, which would
 * hold molecules that come near it. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
Status system_field_start(const Simulation *system, const State *shape, ForceField *field, Error *error);

/* The molecules with these forces, for searches of minima. */
Landscape system_field_landscape(const Simulation *system);

/* Terms and restraints alone, behind the forces of the field, without pairs 1-4, whose forces grow without
 * bound as atoms come close. Errors: as above. */
Status system_field_bonded(const Simulation *system, const State *shape, ForceField *field, Error *error);

#endif
