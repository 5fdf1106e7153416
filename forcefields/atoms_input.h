/* What a file of molecules says of atoms one by one (atoms.h), virtual sites among them, in its order. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_INPUT_H
#define HOLONOM_FORCEFIELDS_ATOMS_INPUT_H

#include "forcefields/atoms.h"
#include "forcefields/water_molecule.h"

/* Of a topology of groups_topology; water: what of it is the water of a model (NULL: nothing is). The table
 * of types is the molecules'. */
AtomsInput atoms_input(const Groups *groups, const Topology *topology, const WaterMolecule *water);

#endif
