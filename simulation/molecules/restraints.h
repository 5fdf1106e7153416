/* Finds the atoms and points of the position restraints of an input (key `restraints`).
 *
 * Points are the atoms' positions in the start file, before minimisation, or in another file, with whole
 * molecules in its box, or in the system's box if it has none. By default (scale: centres) the centre of mass
 * of a point's molecule follows a changing box. Points then move as the barostat moves molecules, without
 * deformation, so a molecule at its points does no work on the box. */
#ifndef HOLONOM_SIMULATION_MOLECULES_RESTRAINTS_H
#define HOLONOM_SIMULATION_MOLECULES_RESTRAINTS_H

#include "simulation/molecules/system.h"

/* Makes the restraints of a system that has topology, groups and box, and adds them to its digest. Errors:
 * STATUS_INPUT with file, line and key: there are no such atoms, an atom is restrained twice, a file does not
 * fit, or k is missing; STATUS_MEMORY. */
Status restraints_create(Simulation *system, Error *error);

/* Whether a coordinate has frozen atoms alone, so that it is constant; formulas are not examined.
 * STATUS_MEMORY. */
Status restraints_frozen(const Simulation *system, const CoordinateInput *on, bool *all, Error *error);

/* Add a coordinate's atoms, and what else defines it, to a hash. */
uint64_t restraints_digest_atoms(uint64_t digest, const CoordinateInput *on);
uint64_t restraints_digest_options(uint64_t digest, const CoordinateInput *on);

/* A hash of the molecules and of all that restraints of coordinates depend on, except values of single
 * replicas: a built start belongs to it. */
uint64_t restraints_digest(const Simulation *system);

#endif
