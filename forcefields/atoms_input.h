/* The individual atoms (atoms.h) of a molecules file, virtual sites included, in the file's order. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_INPUT_H
#define HOLONOM_FORCEFIELDS_ATOMS_INPUT_H

#include "forcefields/atoms.h"
#include "forcefields/water_molecule.h"

/* For a topology of groups_topology; water: its part that is model water (NULL: none). The table of types is
 * that of the molecules. */
AtomsInput atoms_input(const Groups *groups, const Topology *topology, const WaterMolecule *water);

#endif
