/* What a configuration asks of the integrator. */
#ifndef HOLONOM_CONFIG_CONFIG_PLAN_H
#define HOLONOM_CONFIG_CONFIG_PLAN_H

#include "config/config.h"
#include "integrators/plan.h"

/* Points into the configuration. keep_heat is left out. */
PlanOptions config_plan_options(const Config *config, Isa isa);

#endif
