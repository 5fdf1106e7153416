/* Options of constructors: those of the integrator that a configuration asks for, and the keys that options
 * come from, for messages. */
#ifndef HOLONOM_CONFIG_CONFIG_OPTIONS_H
#define HOLONOM_CONFIG_CONFIG_OPTIONS_H

#include "config/config.h"
#include "integrators/plan.h"

/* Points into the configuration. keep_heat is left out. */
PlanOptions config_options_plan(const Config *config, Isa isa);

/* Checks them by the rules of the plan; complains at the key of the wrong option. */
void config_options_check(const Config *config, Input *in);

/* Puts the key of the option that the error names, and its line, in front of the message; an error that names
 * none stays, or is passed on with the key `otherwise`. Returns status. */
Status config_options_name(const Config *config, Status status, Error *error);
Status config_options_pass(const Config *config, InputKey otherwise, Status status, const Error *why,
                           Error *error);

#endif
