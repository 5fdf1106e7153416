/* How a plane curve bends that is given as a constraint, and what a run along it feels of that. */
#ifndef HOLONOM_GALLERY_CURVATURE_H
#define HOLONOM_GALLERY_CURVATURE_H

#include "gallery/orbit.h"

/* At the moments of an orbit with one step from each to the next: a[n] = |r(t+h) - 2 r(t) + r(t-h)| / h^2
 * (NaN at both ends), and exact[n] = v^2 times the curvature, v the speed at the start. The particle has
 * mass 1. */
void curvature_lateral(const Kind *kind, const Orbit *orbit, double *a, double *exact);

#endif
