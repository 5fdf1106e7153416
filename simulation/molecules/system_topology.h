/* Makes the molecules of a system: groups, topology, and input of the forces. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H

#include "simulation/molecules/system.h"

/* Finds the contents (system_contents.h), and makes groups, topology, kinds and the forces' atoms; sets the
 * box of a periodic system. Errors: STATUS_INPUT with file, line and key; STATUS_MEMORY; STATUS_IO. */
Status system_topology_create(Simulation *system, Error *error);

/* The rigid water that the kernels of water apply to; NULL: there is no such water. */
const WaterMolecule *system_topology_water(const Simulation *system);

#endif
