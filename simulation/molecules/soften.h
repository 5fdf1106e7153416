/* A start whose atoms lie on each other, as far as forces between molecules have no value there: a soft
 * repulsion moves its atoms apart, and a minimisation by the true forces can begin.
 *
 * Two atoms that see each other and are closer than d have the energy k/2 (d - r)^2 in the place of
 * Lennard-Jones and charges, d being the mean of the distances at which two atoms of either type repel each
 * other by a force of a hundred kcal/mol/A, and at least 1.2 A. Bonded terms (but those of pairs 1-4, which
 * count as such atoms) and restraints act as in a run, and constraints are kept: integrators/quench.h. Terms
 * have no value where atoms coincide, so that groups of atoms that do are first displaced by some 0.1 A. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SOFTEN_H
#define HOLONOM_SIMULATION_MOLECULES_SOFTEN_H

#include "integrators/quench.h"
#include "simulation/simulation.h"

enum { SOFTEN_STEPS = 500 }; /* at most */

/* Of clusters and boxes of molecules. how: threads are not looked at; tolerance and most steps are this
 * phase's own. *steps: those that it took. Errors: those of the terms and of quench_run, STATUS_MEMORY. */
Status soften_run(const Simulation *simulation, const QuenchOptions *how, State *state, int *steps,
                  Error *error);

#endif
