/* Fixman's potential corrects rigid constraints to the stiff limit. With exact constraints g(q) = 0,
 * positions have the density sqrt(det G) exp(-V/kT) on the flat measure delta(g) dq, G = J M^-1 J', since
 * momenta across the manifold are missing. Very stiff springs sample exp(-V/kT) alone. Adding V_F = 1/2 kT ln
 * det G to V removes the factor. Source: Fixman, Proc. Natl. Acad. Sci. USA 71, 3050 (1974). */
#ifndef HOLONOM_FORCEFIELDS_FIXMAN_H
#define HOLONOM_FORCEFIELDS_FIXMAN_H

#include "engine/force.h"

/* The force "fixman" with the term "fixman", any kind and width; kT in kcal/mol. Errors: STATUS_INPUT (kT not
 * positive, no constraints), STATUS_MEMORY. Dependent constraints have det G = 0: forces and energy are then
 * not finite, and the run stops. */
Status fixman_create(Force *force, double kT, const State *shape, Error *error);

#endif
