/* Functions U(s) of the squared distance s = |q_i - q_j|^2 of two sites, or s = |q_i - x|^2 of one from the
 * fixed point param[1..3]. Gradients, Hessians and third derivatives follow from U and its derivatives, so
 * that types of constraints and potentials that are radial have these as their entries, and say of themselves
 * only what U is (`radial` or `profile` of their row). */
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

/* Of their rows. */
#define RADIAL .eval = radial_eval, .hess_vec = radial_hess_vec, .hess = radial_hess

#endif
