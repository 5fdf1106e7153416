/* Fixman's potential: what rigid constraints leave out of the stiff limit. With constraints g(q) = 0 kept
 * exactly, positions are sampled with the density sqrt(det G) exp(-V/kT) on the flat measure delta(g) dq,
 * G = J M^-1 J', because the momenta across the manifold are missing; very stiff springs in their place give
 * exp(-V/kT) alone. V_F = 1/2 kT ln det G added to V takes the factor away.
 * Source: Fixman, Proc. Natl. Acad. Sci. USA 71, 3050 (1974). */
#ifndef HOLONOM_FORCEFIELDS_FIXMAN_H
#define HOLONOM_FORCEFIELDS_FIXMAN_H

#include "engine/force.h"

/* The force "fixman" with the term "fixman", any kind and width; kT in the units of energy. Errors:
 * STATUS_INPUT (kT not positive, no constraints), STATUS_MEMORY. Dependent
 * constraints have det G = 0: forces and energy then are no numbers, and the run stops. */
Status fixman_create(Force *force, double kT, const State *shape, Error *error);

#endif
