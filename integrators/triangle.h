/* Constant parts of the Jacobian J of a rigid triangle (kind_is_triangle). triangle_hot.h has the work over
 * lanes. */
#ifndef HOLONOM_INTEGRATORS_TRIANGLE_H
#define HOLONOM_INTEGRATORS_TRIANGLE_H

#include "base/status.h"
#include "engine/kind.h"

/* pair[3][3], 4 times the sum over sites of weight[s] e_c[s] e_c'[s], e_c being the difference of the two
 * sites of constraint c. J diag(weight) J' has the elements pair[c][c'] r_c . r_c'. */
void triangle_pairs(const double weight[3], double pair[9]);

/* The inverse of J diag(weight) J' on the manifold, which does not depend on q because the three distances
 * determine all products r_c . r_c'. Errors: STATUS_INPUT (a flat triangle). */
Status triangle_inverse(const Kind *kind, const double weight[3], double inverse[9], Error *error);

#endif
