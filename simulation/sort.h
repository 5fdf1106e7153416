/* The sorts of systems. What differs between them is in these rows; nothing else asks which sort it is. */
#ifndef HOLONOM_SIMULATION_SORT_H
#define HOLONOM_SIMULATION_SORT_H

#include "engine/force.h"
#include "simulation/simulation.h"

typedef struct Sort {
  const char *name;
  bool alone; /* replicas are never side by side in one state */
  /* Kinds, numbers, plan: what simulation_private.h leaves to the sort. simulation_free frees what there is
   * after an error, too. */
  Status (*create)(Simulation *simulation, Error *error);
  void (*free)(Simulation *simulation); /* own, which may be NULL */
  /* Forces for a shape of state, but those of the caller's. */
  Status (*field)(const Simulation *simulation, const State *shape, ForceField *field, Error *error);
  /* The start: found, and all replicas of the ensemble put there with their forces. */
  Status (*start)(Simulation *simulation, const SimulationStart *how, Error *error);
  Status (*place)(Simulation *simulation, Error *error);
  /* simulation_columns and simulation_look, with an ensemble. */
  Status (*columns)(Simulation *simulation, SimulationColumns *columns, Error *error);
  void (*forget)(Simulation *simulation); /* what these two have made of an ensemble that goes; may be NULL */
  Status (*look)(Simulation *simulation, int replica, double *value, Error *error);
  Status (*run)(Simulation *simulation, const SimulationRun *options, Error *error);
} Sort;

extern const Sort sort_cluster, sort_box, sort_sites, sort_hamiltonian;

/* The row of a configuration. */
const Sort *sort_of(const Config *config);

#endif
