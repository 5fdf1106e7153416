/* Lennard-Jones and Coulomb between all atoms of a system without a box or cutoff. Molecules are of any
 * type, with atoms in several lanes and blocks (atoms.h). Excluded pairs do not interact.
 *
 * With replicas in lanes a pair of atoms is a pair of packs, and charges and types are scalars. Each atom
 * interacts with runs of later atoms between its exclusions, without masks. In a state of width 1 an atom
 * interacts with eight others at a time, and masks hide excluded ones. The pairs of one replica are cut
 * into chunks whose forces are added in order.
 *
 * The kernels in float (PAIR_MIXED) come from the same source, with 16 replicas or 16 atoms as lanes and
 * positions relative to the mean of the atoms. Their forces have an error of 2e-7 (20 atoms) to 1.4e-6
 * (600 atoms) of the rms force; energies are in double. States of width 8 use the kernels in double. */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/atoms.h"
#include "forcefields/pair.h"

/* The force "open-pairs" with the energies "coulomb" and "lj", for states of the shape of `shape` and any
 * width. The topology of the input is borrowed, all else is copied. Forces have the same bits with and
 * without energies, for any team, and in any lane of a replica.
 *
 * Errors: STATUS_INPUT (a box; a model water; those of atoms_create), STATUS_MEMORY. In a run STATUS_RUN:
 * a force on an atom is not finite or is beyond FORCE_MOST; the message names the two atoms and their
 * molecules. */
Status open_pairs_create(Force *force, const AtomsInput *input, PairPrecision precision, const State *shape,
                         Isa isa, Error *error);

#endif
