#include "observables/viscosity.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define GONZALEZ_ABASCAL "Gonzalez and Abascal, J. Chem. Phys. 132, 096101 (2010)"

const Viscosity viscosity_table[] = {{"tip3p", 298.0, 0.321, GONZALEZ_ABASCAL},
                                     {"spce", 298.0, 0.729, GONZALEZ_ABASCAL},
                                     {"tip4p", 298.0, 0.494, GONZALEZ_ABASCAL},
                                     {NULL, 0.0, 0.0, NULL}};

const Viscosity *viscosity_find(const char *model, double temperature)
{
  for (const Viscosity *v = viscosity_table; v->model != NULL; v++)
    if (strcmp(v->model, model) == 0 && fabs(v->temperature - temperature) <= 3.0)
      return v;
  return NULL;
}
