/* Starts of clusters and boxes: frames of a file (start_file.h), the lowest minimum of a cluster or another
 * built or saved start (cluster.h), a lattice in a box (lattice.h). All are then minimised, if requested,
 * evaluated and described in words. */
#ifndef HOLONOM_SIMULATION_MOLECULES_STARTS_H
#define HOLONOM_SIMULATION_MOLECULES_STARTS_H

#include "simulation/simulation.h"
#include "simulation/start/minima.h"
#include "simulation/start/start.h"

/* The starts of a sort: SystemForm.start. */
typedef struct StartForm StartForm;
extern const StartForm start_cluster, start_box;

/* Finds the start with its rates; does not judge them. */
Status start_find(Simulation *system, const SimulationStart *how, Error *error);

/* Builds the start or reads it from a file; a saved start has the same bits as a built one. Errors:
 * STATUS_INPUT with file, line and key; those of forces; STATUS_MEMORY; nothing needs to be freed then. */
Status start_make(const Simulation *system, const SimulationStart *how, Start *start, Error *error);

/* The molecules of a system in open space, which must outlive this, for searches of minima, with seed and
 * threads of the input and without output. STATUS_INPUT: a box, or no molecules. */
Status start_minima(const Simulation *system, MinimaOf *of, Error *error);

/* Saves a built start of a cluster in the run's folder; does nothing for other starts. */
Status start_keep(const Simulation *system, const Start *start, const char *dir, Error *error);

#endif
