/* Simulations of input files that have been started. */
#ifndef HOLONOM_TESTS_STARTED_H
#define HOLONOM_TESTS_STARTED_H

#include "simulation/simulation.h"

/* simulation_load and simulation_start; NULL after an error. */
static inline Status started(Simulation **simulation, const char *path, const char *const *set, int nset,
                             Error *error)
{
  Status status = simulation_load(simulation, path, set, nset, error);
  if (status == STATUS_OK)
    status = simulation_start(*simulation, NULL, error);
  if (status != STATUS_OK) {
    simulation_free(*simulation);
    *simulation = NULL;
  }
  return status;
}

#endif
