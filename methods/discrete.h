/* Discrete derivatives of functions of a few sites (constraints and potentials) over lanes: D f(q0, q1) with
 *   D f . (q1 - q0) = f(q1) - f(q0)   and   D f = grad f((q0 + q1)/2) + O(|q1 - q0|^2),
 * symmetric in q0 and q1. */
#ifndef HOLONOM_METHODS_DISCRETE_H
#define HOLONOM_METHODS_DISCRETE_H

#include "engine/constraint.h"

enum { DISCRETE_TOUCHED = CONSTRAINT_SITES * 3 };

/* Two configurations of a molecule: all [nsite][dim]. */
typedef struct DiscretePair {
  const Vec8 *q0, *q1, *middle; /* middle = (q0 + q1)/2                                          */
  const Vec8 *move;             /* q1 - q0, free of rounding                                     */
} DiscretePair;

/* Computes d[touched] = D f and slope[touched][touched], its derivative with respect to q1 (rows: components
 * of D f).
 *
 * Quadratic functions: the gradient in the middle. Functions U(s) of a squared distance (those with a
 * profile): (U(s1) - U(s0))/(s1 - s0) times the gradient of s in the middle. If H and g consist of these
 * alone, momentum and angular momentum are conserved where H and g are invariant. Others: the gradient in the
 * middle, corrected along q1 - q0 so that the first property holds, without conservation of momenta. Source:
 * Gonzalez, J. Nonlinear Sci. 6, 449 (1996), and Physica D 132, 165 (1999), (34). */
void discrete_derivative(const Constraint *function, int dim, const DiscretePair *pair, Vec8 *d, Vec8 *slope);

#endif
