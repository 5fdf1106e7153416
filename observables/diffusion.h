/* Self-diffusion of a periodic box as it goes into reports: as measured, and corrected for the box. */
#ifndef HOLONOM_OBSERVABLES_DIFFUSION_H
#define HOLONOM_OBSERVABLES_DIFFUSION_H

#include "observables/observable.h"

/* The viscosity of the options, where it is not given: the published one of this model (may be NULL), if
 * there is one within 3 K of the options' temperature, as water's changes by 2 % a kelvin. */
void diffusion_viscosity(ObservableOptions *options, const char *model);

/* What D in A^2/ps is multiplied by for results, which are in 1e-9 m^2/s; in reduced units 1. */
double diffusion_scale(const ObservableOptions *options);

/* The edge of a cubic box of these mean lengths, A; NaN: it is no cube; 0: there is no box. */
double diffusion_cube(const double length[3], bool oblique);

/* Adds D and its error (A^2/ps) under the name `quantity` and, where viscosity and temperature are known and
 * the box is a cube, D_correction and D_infinite. */
void diffusion_report(ResultSet *report, const ObservableOptions *options, double cube,
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note);

/* Says why there is no correction; nothing where there is one, or no box. */
void diffusion_remark(ResultSet *report, const ObservableOptions *options, double cube,
                      const char *observable);

#endif
