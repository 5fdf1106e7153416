/* What a file of molecules says of atoms one by one (atoms.h), in the order of the topology of its groups. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_INPUT_H
#define HOLONOM_FORCEFIELDS_ATOMS_INPUT_H

#include "forcefields/atoms.h"
#include "topology/groups.h"

/* All of a system whose topology is that of groups_topology; without a water of a model. Arrays are in the
 * room, the table of types is the molecules'. Errors: STATUS_INPUT (virtual sites, which are none of the
 * topology's atoms), STATUS_MEMORY. */
Status atoms_input(AtomsInput *input, const Groups *groups, const Topology *topology, Room *room,
                   Error *error);

#endif
