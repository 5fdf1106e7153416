/* What a configuration asks of the integrator. */
#ifndef HOLONOM_APP_CONFIG_PLAN_H
#define HOLONOM_APP_CONFIG_PLAN_H

#include "app/config.h"
#include "integrators/plan.h"

/* Points into the configuration. keep_heat is left out. */
PlanOptions config_plan_options(const Config *config, Isa isa);

#endif
