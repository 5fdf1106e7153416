/* How clusters and boxes begin: from a file's frames (start_file.h), as a cluster's lowest minimum or what
 * else is built for it or was kept (cluster.h), on a lattice that fills a box (lattice.h). One way leads from
 * there over minimising, where it is wanted, and a look at the forces to what is told of it. */
#ifndef HOLONOM_SIMULATION_MOLECULES_STARTS_H
#define HOLONOM_SIMULATION_MOLECULES_STARTS_H

#include "simulation/simulation.h"
#include "simulation/start/minima.h"
#include "simulation/start/start.h"

/* How the sorts begin: SystemForm.start. */
typedef struct StartForm StartForm;
extern const StartForm start_cluster, start_box;

/* The start with its rates, not judged by them yet. */
Status start_find(Simulation *system, const SimulationStart *how, Error *error);

/* Builds the start or reads it from the file. The bits are the same whether it was kept or is built. Errors:
 * STATUS_INPUT with file, line and key, those of forces, STATUS_MEMORY; there is nothing to free then. */
Status start_make(const Simulation *system, const SimulationStart *how, Start *start, Error *error);

/* The molecules of a system in open space, which must outlive it, for searches of their minima: seed and
 * threads of the input, silent. STATUS_INPUT: a box, or no molecules. */
Status start_minima(const Simulation *system, MinimaOf *of, Error *error);

/* Keeps a start that was built for a cluster in the run's folder; of others there is nothing to keep. */
Status start_keep(const Simulation *system, const Start *start, const char *dir, Error *error);

#endif
