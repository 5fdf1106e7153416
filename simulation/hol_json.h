/* Tables of the program as JSON, for holonom.h. */
#ifndef HOLONOM_SIMULATION_HOL_JSON_H
#define HOLONOM_SIMULATION_HOL_JSON_H

#include "base/status.h"

/* The water models, for hol_waters. The caller frees *json. Errors: STATUS_MEMORY. */
Status hol_json_waters(char **json, Error *error);

#endif
