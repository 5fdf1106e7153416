/* Minimises a start, if requested, and evaluates its forces, so that overlaps are found before any file is
 * changed. The minimisation is integrators/quench.h with forces in double precision, since single precision
 * fails at the forces of a newly built start. If even double precision fails, a soft repulsion first moves
 * atoms apart (simulation/molecules/soften.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_DOWNHILL_H
#define HOLONOM_SIMULATION_MOLECULES_DOWNHILL_H

#include "integrators/quench.h"
#include "simulation/simulation.h"
#include "simulation/start/start.h"

/* The result before the first replica. */
Downhill downhill_begin(void);

/* Minimises the replica of a state of width 1 by system.minimise_tolerance and minimise_steps, or only
 * evaluates it; writes x[coordinates], ordered by molecule. Errors: STATUS_RUN: a force is not finite;
 * STATUS_INPUT with file, line and key if the start is a file and causes that; those of forces;
 * STATUS_MEMORY. */
Status downhill_settle(const Simulation *simulation, const SimulationStart *how, bool minimise, State *state,
                       Downhill *downhill, double *x, Error *error);

/* Appends ", minimised in 312 steps" or similar, with a warning if the tolerance was not reached. */
void downhill_words(const Simulation *simulation, const Downhill *downhill, char *words, size_t size);

#endif
