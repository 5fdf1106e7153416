/* The virial of pairs and bonded terms of frozen atoms alone, which pressures leave out: these forces move
 * nothing, and can be as large as those of overlapping atoms. It is a constant of the frozen positions, so it
 * is computed once for each replica by a field in which all other atoms have no charges, no Lennard-Jones and
 * no terms. */
#ifndef HOLONOM_SIMULATION_MOLECULES_FROZEN_VIRIAL_H
#define HOLONOM_SIMULATION_MOLECULES_FROZEN_VIRIAL_H

#include "simulation/molecules/system.h"

/* The virials of all replicas of a box; *frozen is NULL if the system has no frozen atoms. STATUS_MEMORY. */
typedef struct FrozenVirial FrozenVirial;
Status frozen_virial_create(FrozenVirial **frozen, const Simulation *system, Error *error);
void frozen_virial_free(FrozenVirial *frozen); /* may be NULL */

/* Sets virial[3][3], kcal/mol, of the replica of a sample, whose team calls this together; zeros if frozen is
 * NULL. Errors: those of making and computing forces, the same for the whole team. */
Status frozen_virial_of(FrozenVirial *frozen, const Sample *sample, double virial[3][3], Error *error);

#endif
