/* What the constraint solvers, projectors and acceleration maps know of a kind's Jacobian J beforehand.
 * Shared by the files of this folder; the work over lanes is in jacobian_hot.h. */
#ifndef HOLONOM_INTEGRATORS_JACOBIAN_H
#define HOLONOM_INTEGRATORS_JACOBIAN_H

#include "engine/kind.h"
#include "engine/status.h"

enum {
  JACOBIAN_CON = 16,  /* constraints per molecule that the dense solves take           */
  JACOBIAN_DENSE = 30 /* nsite*dim that dense matrices of whole molecules take         */
};

/* inverse[nsite] = 1/m, times weight[nsite] unless NULL. */
void jacobian_inverse_mass(const Kind *kind, const double *weight, double *inverse);

/* For a triangle: pair[3][3], 4 times the sum over sites of weight[s] e_c[s] e_c'[s], e_c the difference
 * of the two sites of constraint c. J diag(weight) J' has the elements pair[c][c'] r_c . r_c'. */
void jacobian_triangle_pair(const double weight[3], double pair[9]);

/* For a triangle on the manifold: the inverse of J diag(weight) J', which does not depend on q because
 * the three distances fix all products r_c . r_c'. STATUS_INPUT where it has none (a flat triangle). */
Status jacobian_triangle_inverse(const Kind *kind, const double weight[3], double inverse[9], Error *error);

#endif
