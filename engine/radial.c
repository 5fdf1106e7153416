#include "engine/radial.h"

#include <stddef.h>

bool radial_is(const ConstraintType *type) { return type->radial != NULL || type->profile != NULL; }

/* r = q_i - q_j, or q_i - x with one site, and u[k] = the k-th derivative of U at s = |r|^2. */
static void look(const Constraint *c, int dim, const Vec8 *q, Vec8 r[3], Vec8 u[4])
{
  RadialForm form = {0};
  if (c->type->radial != NULL)
    c->type->radial(c, &form);
  Vec8 s = vec8_set(-form.s0);
  for (int d = 0; d < dim; d++) {
    const Vec8 from = c->nsite == 2 ? q[c->site[1] * dim + d] : vec8_set(c->param[1 + d]);
    r[d] = q[c->site[0] * dim + d] - from;
    s += r[d] * r[d];
  }
  if (c->type->radial == NULL) {
    c->type->profile(c, &s, u);
    return;
  }
  u[0] = s * (form.first + 0.5 * form.second * s);
  u[1] = form.first + form.second * s;
  u[2] = vec8_set(form.second);
  u[3] = vec8_set(0.0);
}

void radial_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad)
{
  Vec8 r[3], u[4];
  look(c, dim, q, r, u);
  *g = u[0];
  for (int k = 0; grad != NULL && k < c->nsite * dim; k++)
    grad[k] = (k < dim ? 2.0 : -2.0) * u[1] * r[k % dim];
}

/* +-(2 U' I + 4 U'' r r'), + on the diagonal blocks. */
void radial_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess)
{
  Vec8 r[3], u[4];
  look(c, dim, q, r, u);
  const int n = c->nsite * dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int a = i % dim, b = j % dim;
      const Vec8 block = 4.0 * u[2] * r[a] * r[b] + (a == b ? 2.0 * u[1] : vec8_set(0.0));
      hess[i * n + j] = i / dim == j / dim ? block : -block;
    }
}

/* v = u_i - u_j (or u_i), and r . v, |v|^2. */
static void relative(const Constraint *c, int dim, const Vec8 *u, const Vec8 *r, Vec8 *v, Vec8 *along,
                     Vec8 *square)
{
  *along = *square = vec8_set(0.0);
  for (int d = 0; d < dim; d++) {
    v[d] = u[c->site[0] * dim + d];
    if (c->nsite == 2)
      v[d] -= u[c->site[1] * dim + d];
    *along += r[d] * v[d];
    *square += v[d] * v[d];
  }
}

void radial_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out)
{
  Vec8 r[3], v[3], d[4], along, square;
  look(c, dim, q, r, d);
  relative(c, dim, u, r, v, &along, &square);
  for (int k = 0; k < c->nsite * dim; k++) {
    const Vec8 h = *scale * (2.0 * d[1] * v[k % dim] + 4.0 * d[2] * along * r[k % dim]);
    out[k] += k < dim ? h : -h;
  }
}

/* The gradient of v' Hess v = 2 U' |v|^2 + 4 U'' (r.v)^2 at constant v. */
void radial_third(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out)
{
  Vec8 r[3], v[3], d[4], along, square;
  look(c, dim, q, r, d);
  relative(c, dim, u, r, v, &along, &square);
  for (int k = 0; k < c->nsite * dim; k++) {
    const int a = k % dim;
    const Vec8 h =
        *scale * (4.0 * d[2] * (square * r[a] + 2.0 * along * v[a]) + 8.0 * d[3] * along * along * r[a]);
    out[k] += k < dim ? h : -h;
  }
}
