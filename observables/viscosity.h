/* Published shear viscosities of water models, for the finite-size correction of self-diffusion. */
#ifndef HOLONOM_OBSERVABLES_VISCOSITY_H
#define HOLONOM_OBSERVABLES_VISCOSITY_H

#include "observables/observable.h"

typedef struct Viscosity {
  const char *model;
  double temperature; /* K     */
  double value;       /* mPa s */
  const char *cite;
} Viscosity;

/* The row of a model within 3 K of a temperature, or NULL: water's viscosity changes by 2 % a kelvin. */
const Viscosity *viscosity_find(const char *model, double temperature);

/* The viscosity of the options, where it is not given: the published one of this model (may be NULL), if
 * there is one at the options' temperature. source[size] is to outlive the options. */
void viscosity_choose(ObservableOptions *options, const char *model, char *source, size_t size);

#endif
