/* Turns a configuration into options of the integrator, and names the keys of wrong options in messages. */
#ifndef HOLONOM_CONFIG_CONFIG_OPTIONS_H
#define HOLONOM_CONFIG_CONFIG_OPTIONS_H

#include "config/config.h"
#include "integrators/plan.h"

/* The options of the plan, which refer to the configuration; keep_heat is not set. */
PlanOptions config_options_plan(const Config *config, Isa isa);

/* Checks the options by the rules of the plan, and reports an error at the key of a wrong option. */
void config_options_check(const Config *config, Input *in);

/* Put the key and line of the option that the error names in front of its message. Without an option the
 * first leaves the error as it is, and the second uses the key `otherwise`. Both return status. */
Status config_options_name(const Config *config, Status status, Error *error);
Status config_options_pass(const Config *config, InputKey otherwise, Status status, const Error *why,
                           Error *error);

#endif
