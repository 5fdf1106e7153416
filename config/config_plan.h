/* What a configuration asks of the integrator. */
#ifndef HOLONOM_CONFIG_CONFIG_PLAN_H
#define HOLONOM_CONFIG_CONFIG_PLAN_H

#include "config/config.h"
#include "integrators/method.h"
#include "integrators/plan.h"

/* All methods that a file can name: those of method_table, then the program's own, by number; NULL after the
 * last. */
const Method *config_plan_method_row(int i);

/* What the letter H does; NULL: no method. */
const Method *config_plan_method(const Config *config);

/* Points into the configuration. keep_heat is left out. */
PlanOptions config_plan_options(const Config *config, Isa isa);

#endif
