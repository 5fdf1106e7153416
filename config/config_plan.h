/* What a configuration asks of the integrator. */
#ifndef HOLONOM_CONFIG_CONFIG_PLAN_H
#define HOLONOM_CONFIG_CONFIG_PLAN_H

#include "config/config.h"
#include "integrators/plan.h"

/* Points into the configuration. keep_heat is left out. */
PlanOptions config_plan_options(const Config *config, Isa isa);

/* Checks them by the rules of the plan; complains at the key of the wrong option. */
void config_plan_check(const Config *config, Input *in);

/* Puts the key of the option that the error names, and its line, in front of the message; other errors stay.
 * Returns status. */
Status config_plan_name(const Config *config, Status status, Error *error);

#endif
