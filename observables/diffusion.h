/* Self-diffusion coefficients in reports: as measured in a periodic box, and corrected for its size. */
#ifndef HOLONOM_OBSERVABLES_DIFFUSION_H
#define HOLONOM_OBSERVABLES_DIFFUSION_H

#include "observables/observable.h"

/* Sets the viscosity of the options if it is not given: the published one of this model (may be NULL), if one
 * is known within 3 K of the options' temperature. (That of water changes by 2 % per kelvin.) */
void diffusion_viscosity(ObservableOptions *options, const char *model);

/* The factor from A^2/ps to the unit of results, 1e-9 m^2/s; 1 in reduced units. */
double diffusion_scale(const ObservableOptions *options);

/* The edge of a cubic box of these mean lengths, A; NaN: not a cube; 0: no box. */
double diffusion_cube(const double length[3], bool oblique);

/* The force of the thermostat's friction on all sites that move together at velocity 1, g/mol/AKMA. */
double diffusion_drag(const ObservableOptions *options, const ObservableFrame *frame);

/* The change of the Brinkman equation's field at a point that its periodic images cause, 1/A:
 *
 *   1/(V kappa^2) - sum over lattice vectors R != 0 of exp(-kappa R)/(4 pi R)
 *
 * for any box and an inverse screening length kappa >= 0, 1/A. D of the infinite system, averaged over the
 * axes, is D of the box plus 2 kT/(3 eta) times this number (docs/theory.md). */
double diffusion_images(const Box *box, double kappa);

/* The inverse screening length sqrt(xi/eta), 1/A, of a drag (g/mol/AKMA) per volume (A^3) in a liquid with a
 * viscosity (mPa s). */
double diffusion_screening(double drag, double volume, double viscosity);

/* Adds D and its error (A^2/ps) as `quantity`. If viscosity and temperature are known and the box is a cube,
 * also adds D_correction and D_infinite, for a friction `drag` on all sites together. */
void diffusion_report(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable, const char *subject, const char *quantity, double value,
                      double error, const char *note);

/* Adds a remark why there is no correction; none if there is one, or no box. */
void diffusion_remark(ResultSet *report, const ObservableOptions *options, double drag, double cube,
                      const char *observable);

#endif
