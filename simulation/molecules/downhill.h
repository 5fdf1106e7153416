/* A start goes downhill, where that is wanted, and its forces are looked at: what overlaps is found before
 * any file is touched. The minimisation is integrators/quench.h with forces in double precision, whatever
 * those of the run are, since only double precision holds the forces of a start that was just built. Where
 * not even that does, a soft repulsion moves atoms apart first (simulation/molecules/soften.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_DOWNHILL_H
#define HOLONOM_SIMULATION_MOLECULES_DOWNHILL_H

#include "integrators/quench.h"
#include "simulation/simulation.h"
#include "simulation/start/start.h"

/* Before the first. */
Downhill downhill_begin(void);

/* The one replica of a state of width 1 goes downhill by system.minimise_tolerance and minimise_steps, or is
 * only looked at; into x[coordinates] in the order of molecules. Errors: STATUS_RUN where forces have no
 * value, STATUS_INPUT with file, line and key where the start is a file and that is its fault; those of
 * forces, STATUS_MEMORY. */
Status downhill_settle(const Simulation *simulation, const SimulationStart *how, bool minimise, State *state,
                       Downhill *downhill, double *x, Error *error);

/* Appends what was done: ", minimised in 312 steps", with a warning where the tolerance was not reached. */
void downhill_words(const Simulation *simulation, const Downhill *downhill, char *words, size_t size);

#endif
