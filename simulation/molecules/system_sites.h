/* Virtual sites of the molecules of clusters and boxes. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_SITES_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_SITES_H

#include "simulation/sort.h"

/* Sort.sites. */
Status system_sites(const Simulation *system, int k, Arena *arena, SortSites *to, Error *error);

#endif
