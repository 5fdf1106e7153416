#include "engine/constraint.h"

#include <stddef.h>
#include <string.h>

/* Squared distances have constant Hessians, 2 I on the diagonal blocks and -2 I off them, so every
 * method that needs second derivatives of g gets them exactly and for nothing. */

double constraint_scale(const Constraint *constraint)
{
  const double scale = constraint->type->scale != NULL ? constraint->type->scale(constraint) : 1.0;
  return scale > 0.0 ? scale : 1.0;
}

static double square_scale(const Constraint *c) { return c->param[0] * c->param[0]; }

static double square_profile(const Constraint *c, double s) { return s - c->param[0] * c->param[0]; }

static void distance_eval(const Constraint *c, int dim, const Octet *q, Octet *g, Octet *grad)
{
  const Octet *qi = q + c->site[0] * dim, *qj = q + c->site[1] * dim;
  Octet sum = octet_set(-c->param[0] * c->param[0]);
  for (int d = 0; d < dim; d++) {
    const Octet r = qi[d] - qj[d];
    sum += r * r;
    if (grad != NULL) {
      grad[d] = 2.0 * r;
      grad[dim + d] = -2.0 * r;
    }
  }
  *g = sum;
}

static void distance_hess_vec(const Constraint *c, int dim, const Octet *q, const Octet *scale,
                              const Octet *u, Octet *out)
{
  (void)q;
  const Octet *ui = u + c->site[0] * dim, *uj = u + c->site[1] * dim;
  for (int d = 0; d < dim; d++) {
    const Octet h = 2.0 * *scale * (ui[d] - uj[d]);
    out[d] += h;
    out[dim + d] -= h;
  }
}

static void distance_hess(const Constraint *c, int dim, const Octet *q, Octet *hess)
{
  (void)c;
  (void)q;
  const int n = 2 * dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      hess[i * n + j] = octet_set(i == j ? 2.0 : (i % dim == j % dim ? -2.0 : 0.0));
}

const ConstraintType constraint_distance = {
    .name = "distance",
    .doc = "|q_i - q_j|^2 - d^2: two sites at a fixed distance d",
    .nsite = 2,
    .constant = 1,
    .eval = distance_eval,
    .hess_vec = distance_hess_vec,
    .hess = distance_hess,
    .scale = square_scale,
    .profile = square_profile,
};

static void anchor_eval(const Constraint *c, int dim, const Octet *q, Octet *g, Octet *grad)
{
  const Octet *qi = q + c->site[0] * dim;
  Octet sum = octet_set(-c->param[0] * c->param[0]);
  for (int d = 0; d < dim; d++) {
    const Octet r = qi[d] - c->param[1 + d];
    sum += r * r;
    if (grad != NULL)
      grad[d] = 2.0 * r;
  }
  *g = sum;
}

static void anchor_hess_vec(const Constraint *c, int dim, const Octet *q, const Octet *scale, const Octet *u,
                            Octet *out)
{
  (void)q;
  for (int d = 0; d < dim; d++)
    out[d] += 2.0 * *scale * u[c->site[0] * dim + d];
}

static void anchor_hess(const Constraint *c, int dim, const Octet *q, Octet *hess)
{
  (void)c;
  (void)q;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++)
      hess[i * dim + j] = octet_set(i == j ? 2.0 : 0.0);
}

const ConstraintType constraint_anchor = {
    .name = "anchor",
    .doc = "|q_i - x|^2 - d^2: a site at a fixed distance d from a fixed point x",
    .nsite = 1,
    .constant = 1,
    .eval = anchor_eval,
    .hess_vec = anchor_hess_vec,
    .hess = anchor_hess,
    .scale = square_scale,
    .profile = square_profile,
};

static void dot_eval(const Constraint *c, int dim, const Octet *q, Octet *g, Octet *grad)
{
  const double factor = c->param[1];
  const int other = c->nsite - 1;
  const Octet *qi = q + c->site[0] * dim, *qj = q + c->site[other] * dim;
  Octet sum = octet_set(-c->param[0]);
  for (int d = 0; d < dim; d++) {
    sum += qi[d] * qj[d];
    if (grad == NULL)
      continue;
    grad[d] = factor * qj[d];
    grad[other * dim + d] = other == 0 ? 2.0 * factor * qi[d] : factor * qi[d];
  }
  *g = factor * sum;
}

static void dot_hess_vec(const Constraint *c, int dim, const Octet *q, const Octet *scale, const Octet *u,
                         Octet *out)
{
  (void)q;
  const int other = c->nsite - 1;
  const Octet *ui = u + c->site[0] * dim, *uj = u + c->site[other] * dim;
  const Octet h = c->param[1] * *scale;
  for (int d = 0; d < dim; d++) {
    out[d] += h * uj[d];
    out[other * dim + d] += h * ui[d];
  }
}

static void dot_hess(const Constraint *c, int dim, const Octet *q, Octet *hess)
{
  (void)q;
  const int n = c->nsite * dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int coupled = i % dim == j % dim && (c->nsite == 1 || i / dim != j / dim);
      hess[i * n + j] = octet_set(coupled ? (c->nsite == 1 ? 2.0 : 1.0) * c->param[1] : 0.0);
    }
}

const ConstraintType constraint_dot = {
    .name = "dot",
    .doc = "factor (q_i . q_j - c): orthonormality; with one site factor (|q_i|^2 - c)",
    .nsite = 2,
    .constant = 1,
    .eval = dot_eval,
    .hess_vec = dot_hess_vec,
    .hess = dot_hess,
};

const ConstraintType *const constraint_types[] = {&constraint_distance, &constraint_anchor, &constraint_dot,
                                                  &constraint_implicit, NULL};

const ConstraintType *constraint_find(const char *name)
{
  for (const ConstraintType *const *row = constraint_types; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}
