/* What a file of molecules says of atoms one by one (atoms.h), virtual sites among them, in its order. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_INPUT_H
#define HOLONOM_FORCEFIELDS_ATOMS_INPUT_H

#include "forcefields/atoms.h"
#include "forcefields/water_molecule.h"

/* All of a system whose topology is that of groups_topology; water: what of it is the water of a model (NULL:
 * nothing is). Arrays are in the room, the table of types is the molecules'; virtual sites, and a topology
 * with them, are from then on the groups' (groups_see_sites), which must outlive what is made of the input.
 * Errors: STATUS_INPUT (virtual sites that the coordinates leave without a place), STATUS_MEMORY. */
Status atoms_input(AtomsInput *input, Groups *groups, const Topology *topology, const WaterMolecule *water,
                   Arena *arena, Error *error);

#endif
