/* Self-diffusion of a periodic box as it goes into reports: as measured, and corrected for the box. */
#ifndef HOLONOM_OBSERVABLES_DIFFUSION_H
#define HOLONOM_OBSERVABLES_DIFFUSION_H

#include "observables/observable.h"

/* The viscosity of the options, where it is not given: the published one of this model (may be NULL), if
 * there is one within 3 K of the options' temperature, as water's changes by 2 % a kelvin. */
void diffusion_viscosity(ObservableOptions *options, const char *model);

/* What is added for the size of a cubic box of these lengths (A), in A^2/ps: 2.837297 kT/(6 pi eta L). Yeh
 * and Hummer, J. Phys. Chem. B 108, 15873 (2004). NaN where viscosity or temperature are unknown, or the box
 * is no cube. */
double diffusion_correction(const ObservableOptions *options, const double length[3]);

/* Adds D and its error (A^2/ps) under the name `quantity`, and, where it is known, D_correction and
 * D_infinite. */
void diffusion_report(ObservableReport *report, const ObservableOptions *options, const double length[3],
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note);

/* Says why there is no correction; nothing where there is one. */
void diffusion_remark(ObservableReport *report, const ObservableOptions *options, const double length[3],
                      const char *observable);

#endif
