#include "simulation/hol_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "forcefields/water.h"

Status hol_json_waters(char **json, Error *error)
{
  LOCALE_PLAIN;
  size_t size;
  *json = NULL;
  FILE *const file = open_memstream(json, &size);
  TRY_MEMORY(file != NULL, "the list of water models", error);
  for (const WaterModel *w = water_models; w->name != NULL; w++)
    fprintf(file,
            "%s{\"name\": \"%s\", \"d_oh\": %.17g, \"angle\": %.17g, \"q_h\": %.17g, \"a\": %.17g, "
            "\"c\": %.17g, \"d_om\": %.17g, \"d_ol\": %.17g}",
            w == water_models ? "[" : ", ", w->name, w->d_oh, w->angle, w->q_h, w->a, w->c, w->d_om, w->d_ol);
  fputs("]\n", file);
  if (fclose(file) == 0)
    return STATUS_OK;
  free(*json);
  *json = NULL;
  return error_memory(error, "the list of water models");
}
