/* Functions U(s) of the squared distance s = |q_i - q_j|^2 of two sites, or s = |q_i - x|^2 of one site from
 * the fixed point param[1..3]. Gradients, Hessians and third derivatives follow from U and its derivatives:
 * radial types of constraints and potentials use these functions and define only U (`radial` or `profile` of
 * their row). */
#ifndef HOLONOM_ENGINE_RADIAL_H
#define HOLONOM_ENGINE_RADIAL_H

#include <stdbool.h>

#include "engine/constraint.h"

/* Whether functions of a type depend on s alone. */
bool radial_is(const ConstraintType *type);

void radial_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad);
void radial_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                     Vec8 *out);
void radial_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess);
void radial_third(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out);

/* The common entries of their rows. */
#define RADIAL .eval = radial_eval, .hess_vec = radial_hess_vec, .hess = radial_hess

#endif
