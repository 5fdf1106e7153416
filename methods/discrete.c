#include "methods/discrete.h"

#include <stddef.h>

#include "engine/radial.h"

/* Below these limits differences are mostly rounding, and their replacements are more accurate. */
static const double tiny_stretch = 1e-6; /* of s1 + s0 */
static const double tiny_square = 1e-12; /* of |middle|^2 */

/* --- functions of a squared distance ------------------------------------------------------------------- */

/* r = x_i - x_j, or x_i - point with one site; with point NULL, for moves, x_i. */
static void difference(const Constraint *c, int dim, const Vec8 *x, const double *point, Vec8 *r)
{
  for (int d = 0; d < dim; d++) {
    r[d] = x[c->site[0] * dim + d];
    if (c->nsite == 2)
      r[d] -= x[c->site[1] * dim + d];
    else if (point != NULL)
      r[d] -= point[d];
  }
}

static Vec8 dot(int dim, const Vec8 *a, const Vec8 *b)
{
  Vec8 sum = vec8_set(0.0);
  for (int d = 0; d < dim; d++)
    sum += a[d] * b[d];
  return sum;
}

/* U and U' at q, with its r and s = |r|^2: the gradient on the first site is 2 U' r. At s = 0 only products
 * with r count, which vanish. */
static void profile_slope(const Constraint *c, int dim, const Vec8 *q, const Vec8 *r, const Vec8 *s, Vec8 *u,
                          Vec8 *du)
{
  Vec8 grad[DISCRETE_TOUCHED];
  c->type->eval(c, dim, q, u, grad);
  *du = vec8_select(*s > 0.0, 0.5 * dot(dim, grad, r) / *s, vec8_set(0.0));
}

/* U'' from the trace 2 dim U' + 4 U'' s of the first diagonal block of the Hessian. */
static Vec8 profile_curvature(const Constraint *c, int dim, const Vec8 *q, const Vec8 *s, const Vec8 *du)
{
  const int n = c->nsite * dim;
  Vec8 hess[DISCRETE_TOUCHED * DISCRETE_TOUCHED], trace = vec8_set(0.0);
  c->type->hess(c, dim, q, hess);
  for (int d = 0; d < dim; d++)
    trace += hess[d * n + d];
  return vec8_select(*s > 0.0, 0.25 * (trace - 2.0 * dim * *du) / *s, vec8_set(0.0));
}

static void of_distance(const Constraint *c, int dim, const DiscretePair *pair, Vec8 *d, Vec8 *slope)
{
  Vec8 r0[3], r1[3], middle[3], move[3], u0, u1, du0, du1;
  difference(c, dim, pair->q0, c->param + 1, r0);
  difference(c, dim, pair->q1, c->param + 1, r1);
  difference(c, dim, pair->middle, c->param + 1, middle);
  difference(c, dim, pair->move, NULL, move);
  const Vec8 s0 = dot(dim, r0, r0), s1 = dot(dim, r1, r1), stretch = 2.0 * dot(dim, middle, move);
  profile_slope(c, dim, pair->q0, r0, &s0, &u0, &du0);
  profile_slope(c, dim, pair->q1, r1, &s1, &u1, &du1);
  const Vec8 curve = profile_curvature(c, dim, pair->q1, &s1, &du1);
  const Vec8Mask tiny = vec8_abs(stretch) <= tiny_stretch * (s0 + s1);
  const Vec8 by = vec8_select(tiny, vec8_set(1.0), stretch);
  const Vec8 quotient = vec8_select(tiny, 0.5 * (du0 + du1), (u1 - u0) / by);
  const Vec8 bend = vec8_select(tiny, 0.5 * curve, (du1 - quotient) / by); /* d quotient / d s1 */
  const int n = c->nsite * dim;
  for (int i = 0; i < n; i++) {
    const double sign = i < dim ? 1.0 : -1.0;
    d[i] = 2.0 * sign * quotient * middle[i % dim];
    for (int j = 0; j < n; j++) {
      const Vec8 block =
          4.0 * bend * middle[i % dim] * r1[j % dim] + (i % dim == j % dim ? quotient : vec8_set(0.0));
      slope[i * n + j] = (j < dim ? sign : -sign) * block;
    }
  }
}

/* --- other functions ----------------------------------------------------------------------------------- */

static void touched(const Constraint *c, int dim, const Vec8 *x, Vec8 *out)
{
  for (int i = 0; i < c->nsite * dim; i++)
    out[i] = x[c->site[i / dim] * dim + i % dim];
}

static void of_middle(const Constraint *c, int dim, const DiscretePair *pair, Vec8 *d, Vec8 *slope)
{
  Vec8 value;
  const int n = c->nsite * dim;
  c->type->eval(c, dim, pair->middle, &value, d);
  c->type->hess(c, dim, pair->middle, slope);
  for (int i = 0; i < n * n; i++)
    slope[i] *= 0.5;
}

static void corrected(const Constraint *c, int dim, const DiscretePair *pair, Vec8 *d, Vec8 *slope)
{
  const int n = c->nsite * dim;
  Vec8 move[DISCRETE_TOUCHED], place[DISCRETE_TOUCHED], end[DISCRETE_TOUCHED], turn[DISCRETE_TOUCHED], f0, f1;
  touched(c, dim, pair->move, move);
  touched(c, dim, pair->middle, place);
  of_middle(c, dim, pair, d, slope);
  c->type->eval(c, dim, pair->q0, &f0, NULL);
  c->type->eval(c, dim, pair->q1, &f1, end);
  const Vec8 square = dot(n, move, move);
  const Vec8Mask tiny = square <= tiny_square * dot(n, place, place);
  const Vec8 inverse = vec8_select(tiny | (square == 0.0), vec8_set(0.0), 1.0 / square);
  const Vec8 factor = (f1 - f0 - dot(n, d, move)) * inverse;
  for (int j = 0; j < n; j++) { /* d factor / d q1 */
    Vec8 sum = end[j] - d[j];
    for (int k = 0; k < n; k++)
      sum -= slope[j * n + k] * move[k];
    turn[j] = (sum - 2.0 * factor * move[j]) * inverse;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      slope[i * n + j] += move[i] * turn[j] + (i == j ? factor : vec8_set(0.0));
    d[i] += factor * move[i];
  }
}

void discrete_derivative(const Constraint *function, int dim, const DiscretePair *pair, Vec8 *d, Vec8 *slope)
{
  if (function->type->degree != 0)
    of_middle(function, dim, pair, d, slope);
  else if (radial_is(function->type))
    of_distance(function, dim, pair, d, slope);
  else
    corrected(function, dim, pair, d, slope);
}
