/* The forces of a system in open space. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_OPEN_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_OPEN_H

#include "simulation/molecules/system.h"

/* All forces in open space. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
Status system_open_field(const Simulation *system, const State *state, ForceField *field, Error *error);

/* The molecules with the forces of a start, for searches of minima. */
Landscape system_open_landscape(const Simulation *system);

/* The same for a start, in double precision, without the wall, which would hold molecules that come near it.
 */
Status system_open_start_field(const Simulation *system, const State *state, ForceField *field, Error *error);

#endif
