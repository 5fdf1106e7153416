/* What a file of molecules says of atoms one by one (atoms.h), in the order of the topology of its groups. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_INPUT_H
#define HOLONOM_FORCEFIELDS_ATOMS_INPUT_H

#include "forcefields/atoms.h"
#include "forcefields/water_molecule.h"

/* All of a system whose topology is that of groups_topology; water: what of it is the water of a model
 * (NULL: nothing is). Arrays are in the room, the table of types is the molecules'. Errors: STATUS_INPUT
 * (virtual sites, which are none of the topology's atoms), STATUS_MEMORY. */
Status atoms_input(AtomsInput *input, const Groups *groups, const Topology *topology,
                   const WaterMolecule *water, Room *room, Error *error);

#endif
