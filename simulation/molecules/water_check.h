/* Lines of `holonom check` about a cluster or a box: rows of Sort.check (sort.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_CHECK_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_CHECK_H

#include "simulation/sort.h"

extern const CheckLine water_check_cluster[], water_check_box[];

#endif
