#include "observables/viscosity.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "engine/locale.h"

#define GONZALEZ_ABASCAL "Gonzalez and Abascal, J. Chem. Phys. 132, 096101 (2010)"

static const Viscosity table[] = {{"tip3p", 298.0, 0.321, GONZALEZ_ABASCAL},
                                  {"spce", 298.0, 0.729, GONZALEZ_ABASCAL},
                                  {"tip4p", 298.0, 0.494, GONZALEZ_ABASCAL}};

const Viscosity *viscosity_find(const char *model, double temperature)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].model, model) == 0 && fabs(table[i].temperature - temperature) <= 3.0)
      return &table[i];
  return NULL;
}

void viscosity_choose(ObservableOptions *options, const char *model, char *source, size_t size)
{
  LOCALE_PLAIN;
  if (options->viscosity > 0.0) {
    options->viscosity_source = "as given";
    return;
  }
  const Viscosity *v = model != NULL ? viscosity_find(model, options->temperature) : NULL;
  if (v == NULL)
    return;
  snprintf(source, size, "%s at %g K: %s", v->model, v->temperature, v->cite);
  options->viscosity = v->value;
  options->viscosity_source = source;
}
