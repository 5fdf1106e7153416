/* The constraints' Jacobian over lanes, and the one operation that projections of momenta, Newton's
 * steps of SHAKE and the Zhang-Skeel solves all are:
 *
 *   solve (J_a W J_b' + r I) mu = b for the multipliers mu, then add V J_b' mu to a vector x
 *
 *   projection    b = -J M^-1 p,            W = weight/m, r = 0, x = p, V = weight
 *   Newton        b = -g(q),                W = 1/m,      r = 0, x = q, V = 1/m,    J_b that of the old q
 *   Gauss-Newton  b = -(c J M^-1 f + w^2 g), W = c/m,     r = 1, x = f, V = 1
 *
 * Here are kinds of any shape, through the functions of the constraints' types; triangle_hot.h has the same
 * for rigid triangles. */
#ifndef HOLONOM_INTEGRATORS_JACOBIAN_HOT_H
#define HOLONOM_INTEGRATORS_JACOBIAN_HOT_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/kind.h"
#include "integrators/jacobian.h"

/* A constraint's gradient with respect to each touched site, [k*dim + d]. */
enum { JACOBIAN_TOUCH = CONSTRAINT_SITES * 3 };
typedef Octet JacobianRow[JACOBIAN_TOUCH];

/* 1/a to a unit or two in the last place. */
VEC_INLINE Octet lanes_recip(Octet a)
{
#if defined(__AVX512F__)
  Octet y = (Octet)_mm512_rcp14_pd((__m512d)a);
  y += y * (1.0 - a * y);
  y += y * (1.0 - a * y);
  return y;
#else
  return 1.0 / a;
#endif
}

/* Solves A x = b by elimination without exchanges: A is symmetric positive definite, or near to one. b
 * becomes x. */
VEC_INLINE void lanes_solve(int n, Octet *a, Octet *b)
{
  for (int k = 0; k < n; k++) {
    const Octet inverse = lanes_recip(a[k * n + k]);
    for (int i = k + 1; i < n; i++) {
      const Octet factor = a[i * n + k] * inverse;
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
    a[k * n + k] = inverse;
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= a[k * n + j] * b[j];
    b[k] *= a[k * n + k];
  }
}

/* One constraint: *g unless NULL, and its gradient. The common types are inlined here, as they are in
 * engine/constraint.c, which is compiled for no instruction set in particular. */
VEC_INLINE void jacobian_one(const Constraint *con, int dim, const Octet *q, Octet *g, Octet *grad)
{
  const bool distance = con->type == &constraint_distance;
  if (!distance && con->type != &constraint_anchor) {
    Octet value;
    con->type->eval(con, dim, q, &value, grad);
    if (g != NULL)
      *g = value;
    return;
  }
  const Octet *qi = q + con->site[0] * dim;
  Octet sum = octet_set(-con->param[0] * con->param[0]);
  for (int d = 0; d < dim; d++) {
    const Octet r = distance ? qi[d] - q[con->site[1] * dim + d] : qi[d] - con->param[1 + d];
    sum += r * r;
    grad[d] = 2.0 * r;
    if (distance)
      grad[dim + d] = -2.0 * r;
  }
  if (g != NULL)
    *g = sum;
}

/* J at q, and g[ncon] unless NULL. */
VEC_INLINE void jacobian_rows(const Kind *kind, const Octet *q, Octet *g, JacobianRow *grad)
{
  for (int c = 0; c < kind->ncon; c++)
    jacobian_one(&kind->con[c], kind->dim, q, g != NULL ? &g[c] : NULL, grad[c]);
}

/* b = J diag(weight) x; weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_rows_dot(const Kind *kind, const JacobianRow *grad, const double *weight,
                                  const Octet *x, Octet *b)
{
  const int dim = kind->dim;
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    Octet sum = octet_set(0.0);
    for (int k = 0; k < con->nsite; k++) {
      const int s = con->site[k];
      const double scale = weight != NULL ? weight[s] : 1.0;
      for (int d = 0; d < dim; d++)
        sum += scale * grad[c][k * dim + d] * x[s * dim + d];
    }
    b[c] = sum;
  }
}

/* x += diag(weight) J' mu; weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_rows_add(const Kind *kind, const JacobianRow *grad, const double *weight,
                                  const Octet *mu, Octet *x)
{
  const int dim = kind->dim;
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    for (int k = 0; k < con->nsite; k++) {
      const int s = con->site[k];
      const Octet scaled = weight != NULL ? weight[s] * mu[c] : mu[c];
      for (int d = 0; d < dim; d++)
        x[s * dim + d] += scaled * grad[c][k * dim + d];
    }
  }
}

/* gram[ncon][ncon] = J_a W J_b' + ridge I, W = scale * diag(weight). */
VEC_INLINE void jacobian_gram(const Kind *kind, const JacobianRow *a, const JacobianRow *b, double scale,
                              const double *weight, double ridge, Octet *gram)
{
  const int n = kind->ncon, dim = kind->dim;
  for (int c = 0; c < n; c++)
    for (int e = 0; e < n; e++) {
      const Constraint *left = &kind->con[c], *right = &kind->con[e];
      Octet sum = octet_set(c == e ? ridge : 0.0);
      for (int k = 0; k < left->nsite; k++)
        for (int l = 0; l < right->nsite; l++) {
          if (left->site[k] != right->site[l])
            continue;
          const double w = scale * weight[left->site[k]];
          for (int d = 0; d < dim; d++)
            sum += w * a[c][k * dim + d] * b[e][l * dim + d];
        }
      gram[n * c + e] = sum;
    }
}

#endif
