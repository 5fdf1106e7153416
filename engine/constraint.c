#include "engine/constraint.h"

#include <stddef.h>

#include "engine/radial.h"

/* Squared distances have constant Hessians, 2 I on the diagonal blocks and -2 I off them, so second
 * derivatives of g are exact and cost nothing. */

double constraint_scale(const Constraint *constraint)
{
  const double scale = constraint->type->scale != NULL ? constraint->type->scale(constraint) : 1.0;
  return scale > 0.0 ? scale : 1.0;
}

static double square_scale(const Constraint *c) { return c->param[0] * c->param[0]; }

static void square_radial(const Constraint *c, RadialForm *form)
{
  *form = (RadialForm){.s0 = c->param[0] * c->param[0], .first = 1.0};
}

const ConstraintType constraint_distance = {
    .name = "distance",
    .doc = "|q_i - q_j|^2 - d^2: two sites at a fixed distance d",
    .nsite = 2,
    .degree = 2,
    RADIAL,
    .scale = square_scale,
    .radial = square_radial,
};

const ConstraintType constraint_anchor = {
    .name = "anchor",
    .doc = "|q_i - x|^2 - d^2: a site at a fixed distance d from a fixed point x",
    .nsite = 1,
    .degree = 2,
    RADIAL,
    .scale = square_scale,
    .radial = square_radial,
};

static void dot_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad)
{
  const double factor = c->param[1];
  const int other = c->nsite - 1;
  const Vec8 *qi = q + c->site[0] * dim, *qj = q + c->site[other] * dim;
  Vec8 sum = vec8_set(-c->param[0]);
  for (int d = 0; d < dim; d++) {
    sum += qi[d] * qj[d];
    if (grad == NULL)
      continue;
    grad[d] = factor * qj[d];
    grad[other * dim + d] = other == 0 ? 2.0 * factor * qi[d] : factor * qi[d];
  }
  *g = factor * sum;
}

static void dot_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                         Vec8 *out)
{
  (void)q;
  const int other = c->nsite - 1;
  const Vec8 *ui = u + c->site[0] * dim, *uj = u + c->site[other] * dim;
  const Vec8 h = c->param[1] * *scale;
  for (int d = 0; d < dim; d++) {
    out[d] += h * uj[d];
    out[other * dim + d] += h * ui[d];
  }
}

static void dot_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess)
{
  (void)q;
  const int n = c->nsite * dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int coupled = i % dim == j % dim && (c->nsite == 1 || i / dim != j / dim);
      hess[i * n + j] = vec8_set(coupled ? (c->nsite == 1 ? 2.0 : 1.0) * c->param[1] : 0.0);
    }
}

const ConstraintType constraint_dot = {
    .name = "dot",
    .doc = "factor (q_i . q_j - c): orthonormality; with one site factor (|q_i|^2 - c)",
    .nsite = 2,
    .degree = 2,
    .eval = dot_eval,
    .hess_vec = dot_hess_vec,
    .hess = dot_hess,
};

static void straight_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad)
{
  const double length = c->param[0], share = c->param[1];
  const double factor[] = {length, -length * (1.0 - share), -length * share};
  const int axis = (int)c->param[2];
  const Vec8 *const one = q + c->site[1] * dim, *const other = q + c->site[2] * dim;
  const Vec8 from = one[axis] + share * (other[axis] - one[axis]);
  *g = length * (q[c->site[0] * dim + axis] - from);
  for (int i = 0; grad != NULL && i < 3 * dim; i++)
    grad[i] = vec8_set(i % dim == axis ? factor[i / dim] : 0.0);
}

void constraint_flat_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                              Vec8 *out)
{
  (void)c, (void)dim, (void)q, (void)scale, (void)u, (void)out;
}

void constraint_flat_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess)
{
  (void)q;
  for (int i = 0; i < c->nsite * dim * c->nsite * dim; i++)
    hess[i] = vec8_set(0.0);
}

const ConstraintType constraint_straight = {
    .name = "straight",
    .doc = "l (q_i - (1 - c) q_j - c q_k) along one axis: three of them keep a site between two others",
    .nsite = 3,
    .degree = 1,
    .eval = straight_eval,
    .hess_vec = constraint_flat_hess_vec,
    .hess = constraint_flat_hess,
    .scale = square_scale,
};

const ConstraintType *const constraint_types[] = {&constraint_distance, &constraint_anchor,   &constraint_dot,
                                                  &constraint_straight, &constraint_implicit, NULL};
