/* Makes the forces of systems of molecules. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_FIELD_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_FIELD_H

#include "simulation/molecules/system.h"

/* forces.truncation, or with auto the one that conserves energy where no thermostat controls it. */
Truncation system_field_truncation(const Simulation *system);

/* Sort.field of molecules. */
void system_field(const Simulation *system, FieldInput *input);

/* Makes and frees the force between molecules, so that its errors appear when an input is opened. Errors:
 * STATUS_INPUT with file, line and key; STATUS_MEMORY. */
Status system_field_check(const Simulation *system, Error *error);

/* The forces for making a start, with all threads: in double precision, and without the wall, which would
 * trap molecules near it. Errors: STATUS_INPUT with file, line and key; STATUS_MEMORY. */
Status system_field_start(const Simulation *system, const State *shape, ForceField *field, Error *error);

/* The molecules with these forces, for the minima that a run passes. */
Landscape system_field_landscape(const Simulation *system);

/* The same for searches from many starts, in which parameters have the values of the input's restraints, not
 * those of single replicas. */
Landscape system_field_search(const Simulation *system);

/* Appends only terms and restraints to the field, without pairs 1-4, whose forces diverge at short distances.
 * Errors: as above. */
Status system_field_bonded(const Simulation *system, const State *shape, ForceField *field, Error *error);

#endif
