/* Lines of `holonom check` about a mechanical system: rows of Sort.check (sort.h). */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_CHECK_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_CHECK_H

#include "simulation/sort.h"

extern const CheckLine mechanics_check_natural[], mechanics_check_general[];

#endif
