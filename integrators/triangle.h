/* What is known of the Jacobian J of a rigid triangle (kind_is_triangle) beforehand. The work over lanes is
 * in triangle_hot.h. */
#ifndef HOLONOM_INTEGRATORS_TRIANGLE_H
#define HOLONOM_INTEGRATORS_TRIANGLE_H

#include "base/status.h"
#include "engine/kind.h"

/* pair[3][3], 4 times the sum over sites of weight[s] e_c[s] e_c'[s], e_c the difference
 * of the two sites of constraint c. J diag(weight) J' has the elements pair[c][c'] r_c . r_c'. */
void triangle_pairs(const double weight[3], double pair[9]);

/* On the manifold: the inverse of J diag(weight) J', which does not depend on q because
 * the three distances fix all products r_c . r_c'. STATUS_INPUT where it has none (a flat triangle). */
Status triangle_inverse(const Kind *kind, const double weight[3], double inverse[9], Error *error);

#endif
