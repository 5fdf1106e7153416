#include "formula/implicit.h"

#include <stddef.h>

#include "engine/potential.h"

enum { SITES = 2, COORDINATES = SITES * 3 };

Status implicit_formula(Expression **formula, const char *text, int dim, int nsite, int nconst,
                        const char *const *constant, const double *value, Error *error)
{
  static const char *const one[3] = {"x", "y", "z"}, *const two[2][3] = {{"x1", "y1", "z1"},
                                                                         {"x2", "y2", "z2"}};
  *formula = NULL;
  if (dim < 1 || dim > 3 || nsite < 1 || nsite > SITES)
    return error_set(
        error, STATUS_INPUT,
        "a formula over %d sites in %d dimensions; allowed: one or two sites in 1 to 3 dimensions", nsite,
        dim);
  const char *var[COORDINATES];
  for (int k = 0; k < nsite * dim; k++)
    var[k] = nsite == 1 ? one[k] : two[k / dim][k % dim];
  const ExpressionNames names = {nsite * dim, var, nconst, constant, value};
  return expression_parse(formula, text, &names, error);
}

/* Collects the coordinates of the constraint's sites, as the formula's variables. Returns their number. */
static int gather(const Constraint *c, int dim, const Vec8 *q, Vec8 *x)
{
  const int n = c->nsite * dim;
  int k = 0;
  do
    x[k] = q[c->site[k / dim] * dim + k % dim];
  while (++k < n);
  return n;
}

static void implicit_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad)
{
  Vec8 x[COORDINATES];
  (void)gather(c, dim, q, x);
  expression_lanes(c->data, x, g, grad);
}

static void implicit_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess)
{
  Vec8 x[COORDINATES];
  const int n = gather(c, dim, q, x);
  expression_lanes_hessian(c->data, x, hess);
  for (int i = 0; i < n; i++) /* symmetric to the last bit */
    for (int j = 0; j < i; j++)
      hess[j * n + i] = hess[i * n + j];
}

/* Adds scale times the derivative of that order in direction u, or in u and u. */
static void add_along(const Constraint *c, int order, int dim, const Vec8 *q, const Vec8 *scale,
                      const Vec8 *u, Vec8 *out)
{
  Vec8 x[COORDINATES], v[COORDINATES], along[2 * COORDINATES];
  const int n = gather(c, dim, q, x);
  if (expression_degree(c->data) <= order)
    return;
  gather(c, dim, u, v);
  expression_lanes_along(c->data, order, x, v, along);
  for (int i = 0; i < n; i++)
    out[i] += *scale * along[(order - 1) * n + i];
}

static void implicit_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                              Vec8 *out)
{
  add_along(c, 1, dim, q, scale, u, out);
}

static void implicit_third(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                           Vec8 *out)
{
  add_along(c, 2, dim, q, scale, u, out);
}

const ConstraintType constraint_implicit = {
    .name = "implicit",
    .doc = "a formula in the coordinates of one or two sites: curves, surfaces, any smooth function",
    .nsite = 2,
    .eval = implicit_eval,
    .hess_vec = implicit_hess_vec,
    .hess = implicit_hess,
    .third = implicit_third,
};

const PotentialType potential_formula = {
    .name = "formula",
    .doc = "an energy given by a formula in the coordinates of one or two sites",
    .nsite = 2,
    .eval = implicit_eval,
    .hess_vec = implicit_hess_vec,
    .hess = implicit_hess,
    .third = implicit_third,
};
