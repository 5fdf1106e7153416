/* The molecules of a system: their groups, their topology, and the forces that follow from them. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H

#include "simulation/molecules/system.h"

/* Finds what the system holds (system_contents.h), and makes of it groups, topology, kinds and forces' atoms;
 * fills in the box of a periodic system. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY,
 * STATUS_IO.
 */
Status system_topology_create(Simulation *system, Error *error);

/* What of the molecules is rigid water, which boxes have a kernel for; NULL: nothing. */
const WaterMolecule *system_topology_water(const Simulation *system);

#endif
