/* Lennard-Jones and Coulomb between all atoms of a system without a box, no cutoff: molecules of any sort,
 * whose atoms may be in several lanes, of several blocks (atoms.h). Pairs that are excluded do not see each
 * other.
 *
 * With replicas in lanes a pair of atoms is a pair of packs, and charges and types are scalars. Each atom
 * acts on runs of those behind it, between those that it does not see, so that no pair is masked. In a state
 * of width 1 an atom acts on eight others at a time; where it does not see some of them they are masked. One
 * replica is cut into chunks of pairs, whose forces are added up in order.
 *
 * The kernels in float (PAIR_MIXED) are made of the same text; their lanes are 16 replicas or 16 atoms.
 * Positions are relative to the middle of the atoms. Forces are off by 2e-7 (20 atoms) to 1.4e-6 (600 atoms)
 * of their rms; energies are in double. States of width 8 have no kernels in float and take those in double.
 */
#ifndef HOLONOM_FORCEFIELDS_OPEN_PAIRS_H
#define HOLONOM_FORCEFIELDS_OPEN_PAIRS_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/atoms.h"
#include "forcefields/pair.h"

/* The force "open-pairs" with the energies "coulomb" and "lj", for states of the shape of `shape` and any
 * width. The topology of the input is borrowed, all else is copied. Forces have the same bits whether
 * energies are asked for or not, for any team, and in whatever lane a replica sits.
 *
 * Errors: STATUS_INPUT (a box; a water of a model; what atoms_create says), STATUS_MEMORY. In a run
 * STATUS_RUN: a force on an atom is not finite or beyond FORCE_MOST; the message names the two atoms and
 * their molecules. */
Status open_pairs_create(Force *force, const AtomsInput *input, PairPrecision precision, const State *shape,
                         Isa isa, Error *error);

#endif
