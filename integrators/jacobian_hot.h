/* The constraints' Jacobian over lanes, and the one operation that projections of momenta, Newton's
 * steps of SHAKE and the Zhang-Skeel solves all are:
 *
 *   solve (J_a W J_b' + r I) mu = b for the multipliers mu, then add V J_b' mu to a vector x
 *
 *   projection    b = -J M^-1 p,            W = weight/m, r = 0, x = p, V = weight
 *   Newton        b = -g(q),                W = 1/m,      r = 0, x = q, V = 1/m,    J_b that of the old q
 *   Gauss-Newton  b = -(c J M^-1 f + w^2 g), W = c/m,     r = 1, x = f, V = 1
 *
 * Everything here is inlined with `triangle` a constant: true gives the unrolled path for kinds with
 * kind_is_triangle(), false works through the functions of the constraints' types. */
#ifndef HOLONOM_INTEGRATORS_JACOBIAN_HOT_H
#define HOLONOM_INTEGRATORS_JACOBIAN_HOT_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/kind.h"
#include "integrators/jacobian.h"

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 9")
#endif

/* A constraint's gradient with respect to each touched site, [k*dim + d]. */
enum { JACOBIAN_TOUCH = CONSTRAINT_SITES * 3 };
typedef Octet JacobianRow[JACOBIAN_TOUCH];

/* J of a kind of no more than JACOBIAN_CON constraints. In a triangle only r_c = q_i - q_j, in grad[c][d]:
 * the gradients are 2 r_c and -2 r_c. */
typedef struct Jacobian {
  JacobianRow grad[JACOBIAN_CON];
} Jacobian;

/* The sites of constraint c of a triangle: (0,1), (0,2), (1,2). */
#define TRIANGLE_I(c) ((c) / 2)
#define TRIANGLE_J(c) (((c) + 3) / 2)

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

VEC_INLINE Octet lanes_dot3(const Octet a[3], const Octet b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
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

/* The general ways for any number of constraints: J at q, and g[ncon] unless NULL; ... */
VEC_INLINE void jacobian_rows(const Kind *kind, const Octet *q, Octet *g, JacobianRow *grad)
{
  for (int c = 0; c < kind->ncon; c++)
    jacobian_one(&kind->con[c], kind->dim, q, g != NULL ? &g[c] : NULL, grad[c]);
}

/* ... b = J diag(weight) x, weight[nsite] or NULL for 1; ... */
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

/* ... x += diag(weight) J' mu. */
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

/* J at q, and g[ncon] unless NULL. */
VEC_INLINE void jacobian_eval(const Kind *kind, bool triangle, const Octet *q, Octet *g, Jacobian *jac)
{
  if (triangle) {
    UNROLL for (int c = 0; c < 3; c++)
    {
      UNROLL for (int d = 0; d < 3; d++) jac->grad[c][d] =
          q[3 * TRIANGLE_I(c) + d] - q[3 * TRIANGLE_J(c) + d];
      if (g != NULL)
        g[c] = constraint_distance_g(jac->grad[c], kind->con[c].param[0]);
    }
    return;
  }
  jacobian_rows(kind, q, g, jac->grad);
}

/* b = J diag(weight) x; weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_dot(const Kind *kind, bool triangle, const Jacobian *jac, const double *weight,
                             const Octet *x, Octet *b)
{
  if (triangle) {
    Octet v[9];
    UNROLL for (int i = 0; i < 9; i++) v[i] = weight != NULL ? weight[i / 3] * x[i] : x[i];
    UNROLL for (int c = 0; c < 3; c++)
    {
      Octet along[3];
      UNROLL for (int d = 0; d < 3; d++) along[d] = v[3 * TRIANGLE_I(c) + d] - v[3 * TRIANGLE_J(c) + d];
      b[c] = 2.0 * lanes_dot3(jac->grad[c], along);
    }
    return;
  }
  jacobian_rows_dot(kind, jac->grad, weight, x, b);
}

/* gram[ncon][ncon] = J_a W J_b' + ridge I. A general kind takes W = scale * diag(weight); a triangle
 * pair[c][c'] = 4 (e_c' W e_c') instead, e_c the difference of its two sites, W any matrix of sites. */
VEC_INLINE void jacobian_gram(const Kind *kind, bool triangle, const Jacobian *a, const Jacobian *b,
                              double scale, const double *weight, const Octet *pair, double ridge,
                              Octet *gram)
{
  if (triangle) {
    UNROLL for (int c = 0; c < 3; c++)
    {
      UNROLL for (int e = 0; e < 3; e++)
      {
        gram[3 * c + e] = pair[3 * c + e] * lanes_dot3(a->grad[c], b->grad[e]);
        if (c == e)
          gram[3 * c + e] += ridge;
      }
    }
    return;
  }
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
            sum += w * a->grad[c][k * dim + d] * b->grad[e][l * dim + d];
        }
      gram[n * c + e] = sum;
    }
}

/* x += diag(weight) J' mu; weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_add(const Kind *kind, bool triangle, const Jacobian *jac, const double *weight,
                             const Octet *mu, Octet *x)
{
  if (triangle) {
    UNROLL for (int d = 0; d < 3; d++)
    {
      const Octet a = 2.0 * mu[0] * jac->grad[0][d], b = 2.0 * mu[1] * jac->grad[1][d],
                  c = 2.0 * mu[2] * jac->grad[2][d];
      const Octet sum[3] = {a + b, c - a, -b - c};
      UNROLL for (int s = 0; s < 3; s++) x[3 * s + d] += weight != NULL ? weight[s] * sum[s] : sum[s];
    }
    return;
  }
  jacobian_rows_add(kind, jac->grad, weight, mu, x);
}

/* A triangle's pair[9] in lanes, scaled. */
VEC_INLINE void jacobian_pair(bool triangle, double scale, const double *from, Octet *pair)
{
  if (triangle)
    UNROLL for (int i = 0; i < 9; i++) pair[i] = octet_set(scale * from[i]);
}

#endif
