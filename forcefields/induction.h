/* -C/r^4 of the 12-6-4 model (Li and Merz, J. Chem. Theory Comput. 10, 289 (2014)) between ions and other
 * atoms: an ion's charge and the dipoles that it induces. It adds to Lennard-Jones and Coulomb. In a box it
 * has the truncation of Lennard-Jones, and no correction beyond the cutoff, as in AMBER. Anions can have C <
 * 0.
 *
 * Of two types with C, the one with fewer atoms counts as the ion. All pairs of an ion and another atom are
 * computed, in double precision and by nearest images in a box: ions are few, and the other kernels stay
 * unchanged. The cost is proportional to ions times atoms. A model water has C at its first site. Excluded
 * pairs do not interact. */
#ifndef HOLONOM_FORCEFIELDS_INDUCTION_H
#define HOLONOM_FORCEFIELDS_INDUCTION_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/atoms.h"
#include "forcefields/nonbonded.h"

/* The force "induction" with the energy "induction_energy", for states of the shape of `shape` and any width.
 * input->c4 must not be NULL; the topology is borrowed, all else is copied. nonbonded: the truncation in a
 * box; open systems have none. Forces have the same bits for any team and in any lane.
 *
 * Errors: STATUS_INPUT (those of atoms_create; C that is not finite or not symmetric), STATUS_MEMORY. */
Status induction_create(Force *force, const AtomsInput *input, const Nonbonded *nonbonded, const State *shape,
                        Isa isa, Error *error);

#endif
