/* Moves overlapping atoms of a start apart by a soft repulsion, until a minimisation by the true forces can
 * begin.
 *
 * Two interacting atoms closer than d have the energy k/2 (d - r)^2 instead of Lennard-Jones and charges. The
 * distance d is the mean of those at which two atoms of either type repel each other by 100 kcal/mol/A, at
 * least 1.2 A. Bonded terms and restraints act as in a run, except pairs 1-4, which count as interacting
 * atoms; constraints are enforced (integrators/quench.h). Atoms of one group repel each other too, since
 * torsions of a large group can move them. Since terms are undefined for coinciding atoms, their groups are
 * first displaced by about 0.1 A. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SOFTEN_H
#define HOLONOM_SIMULATION_MOLECULES_SOFTEN_H

#include "integrators/quench.h"
#include "simulation/simulation.h"

enum { SOFTEN_STEPS = 500 }; /* limit */

/* Runs it for clusters and boxes of molecules. `how`: threads, tolerance and limit of steps are ignored.
 * *steps: the number of steps. Errors: those of the terms and of quench_run; STATUS_MEMORY. */
Status soften_run(const Simulation *simulation, const QuenchOptions *how, State *state, int *steps,
                  Error *error);

#endif
