/* Published shear viscosities of water models, for the finite-size correction of self-diffusion. */
#ifndef HOLONOM_OBSERVABLES_VISCOSITY_H
#define HOLONOM_OBSERVABLES_VISCOSITY_H

typedef struct Viscosity {
  const char *model;
  double temperature; /* K     */
  double value;       /* mPa s */
  const char *cite;
} Viscosity;

/* The row of a model within 3 K of a temperature, or NULL: water's viscosity changes by 2 % a kelvin. */
const Viscosity *viscosity_find(const char *model, double temperature);

#endif
