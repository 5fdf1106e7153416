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

/* The force of a thermostat's friction on all sites that move together with velocity 1, g/mol/AKMA. */
double diffusion_drag(const ObservableOptions *options, const ObservableFrame *frame);

/* What the images of a point in a periodic box take from the Brinkman equation's field at its place, 1/A:
 *
 *   1/(V kappa^2) - sum over lattice vectors R != 0 of exp(-kappa R)/(4 pi R)
 *
 * with an inverse screening length kappa, 1/A, 0 or positive, for any box. D of an infinite system is D of
 * the box, averaged over the axes, and 2 kT/(3 eta) times this (docs/theory.md). */
double diffusion_images(const Box *box, double kappa);

/* The inverse screening length sqrt(xi/eta), 1/A, of a drag (g/mol/AKMA) over a volume (A^3) in a liquid of a
 * viscosity (mPa s). */
double diffusion_screening(double drag, double volume, double viscosity);

/* Adds D and its error (A^2/ps) under the name `quantity` and, where viscosity and temperature are known and
 * the box is a cube, D_correction and D_infinite, under a friction that is `drag` on all sites together. */
void diffusion_report(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note);

/* Says why there is no correction; nothing where there is one, or no box. */
void diffusion_remark(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable);

#endif
