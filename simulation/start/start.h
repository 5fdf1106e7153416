/* How clusters and boxes begin: from a file's frames (start_file.h), as a cluster's lowest minimum or what
 * else is built for it or was kept (cluster.h), on a lattice that fills a box (lattice.h). One way leads from
 * there over minimising, where it is wanted, and a look at the forces to what is told of it. */
#ifndef HOLONOM_SIMULATION_START_START_H
#define HOLONOM_SIMULATION_START_START_H

#include "io/structure.h"
#include "simulation/simulation.h"
#include "simulation/start/downhill.h"
#include "simulation/start/start_file.h"

/* How the replicas begin. */
typedef struct Start {
  int frames;    /* 1: all alike; else replica r with number r % frames                             */
  double *x;     /* [frames][coordinates], in the order of molecules                                */
  double *p;     /* momenta likewise, from the start file; NULL: to be drawn, or zero               */
  bool built;    /* a cluster's, not from a file                                                    */
  Downhill down; /* energies and forces of all frames, and the way there */
  /* Of a file: what it has, how far sites were moved to make molecules rigid, or would have been, A, and
   * where a cluster is: the first one's centre of mass, the farthest molecule of all. */
  bool velocities, boxed;
  double moved, centre[3], reach;
  char remark[1024]; /* where they came from and what was done to them, in words                 */
} Start;

/* How the sorts begin: SystemForm.start. */
typedef struct StartForm StartForm;
extern const StartForm start_cluster, start_open, start_box;

/* The start with its rates, not judged by them yet. */
Status start_find(Simulation *system, const SimulationStart *how, Error *error);

/* Builds the start or reads it from the file. The bits are the same whether it was kept or is built. Errors:
 * STATUS_INPUT with file, line and key, those of forces, STATUS_MEMORY; there is nothing to free then. */
Status start_make(const Simulation *system, const SimulationStart *how, Start *start, Error *error);

/* Keeps a start that was built for a cluster in the run's folder; of others there is nothing to keep. */
Status start_keep(const Simulation *system, const Start *start, const char *dir, Error *error);
void start_free(Start *start);

/* STATUS_INPUT if the run is to begin with the file's velocities and these molecules have none. */
Status start_velocities(const Simulation *system, const StructureGroup *group, Error *error);

#endif
