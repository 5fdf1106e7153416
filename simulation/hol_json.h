/* What holonom.h gives as JSON beside the keys of inputs. */
#ifndef HOLONOM_SIMULATION_HOL_JSON_H
#define HOLONOM_SIMULATION_HOL_JSON_H

#include "base/status.h"

/* The water models: hol_waters. The caller frees *json. Errors: STATUS_MEMORY. */
Status hol_json_waters(char **json, Error *error);

#endif
