/* What `holonom check` says of a cluster or a box. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_CHECK_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_CHECK_H

#include <stdio.h>

#include "simulation/molecules/system.h"

/* For the rows of sorts: sort.h. */
Status water_check_cluster(Simulation *simulation, FILE *out, Error *error);
Status water_check_box(Simulation *simulation, FILE *out, Error *error);

#endif
