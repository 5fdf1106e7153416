#include "engine/implicit.h"

#include <stddef.h>

#include "engine/potential.h"

enum { COORDINATES = CONSTRAINT_SITES * 3 };

Status implicit_formula(Formula **formula, const char *text, int dim, int nsite, int nconst,
                        const char *const *constant, const double *value, Error *error)
{
  static const char *const one[3] = {"x", "y", "z"}, *const two[2][3] = {{"x1", "y1", "z1"},
                                                                         {"x2", "y2", "z2"}};
  *formula = NULL;
  if (dim < 1 || dim > 3 || nsite < 1 || nsite > CONSTRAINT_SITES)
    return error_set(
        error, STATUS_INPUT,
        "a formula over %d sites in %d dimensions; wanted: one or two sites in 1 to 3 dimensions", nsite,
        dim);
  const char *var[COORDINATES];
  for (int k = 0; k < nsite * dim; k++)
    var[k] = nsite == 1 ? one[k] : two[k / dim][k % dim];
  const ExpressionNames names = {nsite * dim, var, nconst, constant, value};
  return formula_create(formula, text, &names, 3, error);
}

/* The coordinates of the touched sites side by side, as the formula's variables; returns how many. */
static int gather(const Constraint *c, int dim, const Octet *q, Octet *x)
{
  const int n = c->nsite * dim;
  for (int k = 0; k < n; k++)
    x[k] = q[c->site[k / dim] * dim + k % dim];
  return n;
}

/* NULL is zero. */
static void lanes(const Expression *expression, const Octet *x, Octet *value)
{
  if (expression != NULL)
    expression_lanes(expression, x, value);
  else
    *value = octet_set(0.0);
}

static void implicit_eval(const Constraint *c, int dim, const Octet *q, Octet *g, Octet *grad)
{
  const Formula *f = c->data;
  Octet x[COORDINATES];
  const int n = gather(c, dim, q, x);
  lanes(formula_value(f), x, g);
  for (int i = 0; grad != NULL && i < n; i++)
    lanes(formula_first(f, i), x, &grad[i]);
}

static void implicit_hess(const Constraint *c, int dim, const Octet *q, Octet *hess)
{
  const Formula *f = c->data;
  Octet x[COORDINATES];
  const int n = gather(c, dim, q, x);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      lanes(formula_second(f, i, j), x, &hess[i * n + j]);
      hess[j * n + i] = hess[i * n + j];
    }
}

static void implicit_hess_vec(const Constraint *c, int dim, const Octet *q, const Octet *scale,
                              const Octet *u, Octet *out)
{
  const Formula *f = c->data;
  Octet x[COORDINATES], v[COORDINATES], h;
  const int n = gather(c, dim, q, x);
  gather(c, dim, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      if (formula_second(f, i, j) == NULL)
        continue;
      lanes(formula_second(f, i, j), x, &h);
      h *= *scale;
      out[i] += h * v[j];
      if (i != j)
        out[j] += h * v[i];
    }
}

/* D3 g[u, u] from each derivative i >= j >= k once: into all the places that it stands for. */
static void spread(int i, int j, int k, Octet *h, const Octet *v, Octet *out)
{
  out[k] += (i == j ? 1.0 : 2.0) * *h * v[i] * v[j];
  if (j != k)
    out[j] += 2.0 * *h * v[i] * v[k];
  if (i != j)
    out[i] += (j == k ? 1.0 : 2.0) * *h * v[j] * v[k];
}

static void implicit_third(const Constraint *c, int dim, const Octet *q, const Octet *scale, const Octet *u,
                           Octet *out)
{
  const Formula *f = c->data;
  Octet x[COORDINATES], v[COORDINATES], h;
  const int n = gather(c, dim, q, x);
  gather(c, dim, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++) {
        if (formula_third(f, i, j, k) == NULL)
          continue;
        lanes(formula_third(f, i, j, k), x, &h);
        h *= *scale;
        spread(i, j, k, &h, v, out);
      }
}

const ConstraintType constraint_implicit = {
    .name = "implicit",
    .doc = "a formula in the coordinates of one or two sites: curves, surfaces, anything smooth",
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
