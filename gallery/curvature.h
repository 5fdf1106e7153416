/* How a plane curve bends that is given as a constraint, and what a run along it feels of that. */
#ifndef HOLONOM_GALLERY_CURVATURE_H
#define HOLONOM_GALLERY_CURVATURE_H

#include "gallery/orbit.h"

/* |t' Hess g t| / |grad g| at q[2] for the first constraint of the kind, one site in the plane; t the unit
 * tangent. NaN where the gradient is less than a thousandth of the Hessian (per unit of length): so near a
 * singular point of the curve, its direction and what comes of it have lost their digits. */
double curvature_at(const Kind *kind, const double *q);

/* At the moments of an orbit with one step from each to the next: a[n] = |r(t+h) - 2 r(t) + r(t-h)| / h^2
 * (NaN at both ends), and exact[n] = v^2 times the curvature, v the speed at the start. The particle has
 * mass 1. */
void curvature_lateral(const Kind *kind, const Orbit *orbit, double *a, double *exact);

#endif
