/* The Jacobian of a kind with kind_is_triangle(), on one part of a pack (engine/vec.h): the operations of
 * jacobian_hot.h with unrolled loops and local arrays. */
#ifndef HOLONOM_INTEGRATORS_TRIANGLE_HOT_H
#define HOLONOM_INTEGRATORS_TRIANGLE_HOT_H

#include "engine/kind.h"
#include "engine/vec.h"
#include "integrators/triangle.h"

/* The sites of constraint c: (0,1), (0,2), (1,2). */
#define TRIANGLE_I(c) ((c) / 2)
#define TRIANGLE_J(c) (((c) + 3) / 2)

/* A symmetric matrix has its elements 00, 01, 02, 11, 12, 22. */
enum { TRIANGLE_SYMMETRIC = 6 };

VEC_INLINE void triangle_load(const Vec8 *field, int part, vd x[9])
{
  UNROLL for (int i = 0; i < 9; i++) x[i] = vd_load(&field[i], part);
}

VEC_INLINE void triangle_store(const vd x[9], int part, Vec8 *field)
{
  UNROLL for (int i = 0; i < 9; i++) vd_store(&field[i], part, x[i]);
}

/* r[c] = q_i - q_j. The gradients of constraint c are 2 r[c] and -2 r[c]. */
VEC_INLINE void triangle_sides(const vd q[9], vd r[3][3])
{
  UNROLL for (int c = 0; c < 3; c++)
  {
    UNROLL for (int d = 0; d < 3; d++) r[c][d] = q[3 * TRIANGLE_I(c) + d] - q[3 * TRIANGLE_J(c) + d];
  }
}

/* g[c] = r_c^2 - d_c^2. */
VEC_INLINE void triangle_residuals(const Kind *kind, const vd r[3][3], vd g[3])
{
  UNROLL for (int c = 0; c < 3; c++)
  {
    const double d = kind->con[c].param[0];
    g[c] = vd_dot3(r[c], r[c]) - d * d;
  }
}

/* b = J diag(weight) x; weight[3] or NULL for 1. */
VEC_INLINE void triangle_dot(const vd r[3][3], const double *weight, const vd x[9], vd b[3])
{
  vd v[9];
  UNROLL for (int i = 0; i < 9; i++) v[i] = weight != NULL ? weight[i / 3] * x[i] : x[i];
  UNROLL for (int c = 0; c < 3; c++)
  {
    vd along[3];
    UNROLL for (int d = 0; d < 3; d++) along[d] = v[3 * TRIANGLE_I(c) + d] - v[3 * TRIANGLE_J(c) + d];
    b[c] = 2.0 * vd_dot3(r[c], along);
  }
}

/* x += diag(weight) J' mu; weight[3] or NULL for 1. */
VEC_INLINE void triangle_add(const vd r[3][3], const double *weight, const vd mu[3], vd x[9])
{
  UNROLL for (int d = 0; d < 3; d++)
  {
    const vd a = 2.0 * mu[0] * r[0][d], b = 2.0 * mu[1] * r[1][d], c = 2.0 * mu[2] * r[2][d];
    const vd sum[3] = {a + b, c - a, -b - c};
    UNROLL for (int s = 0; s < 3; s++) x[3 * s + d] += weight != NULL ? weight[s] * sum[s] : sum[s];
  }
}

/* x = A y for a constant A; x may be y. It turns the products J M^-1 p into multipliers on the manifold. */
VEC_INLINE void triangle_apply(const double a[9], const vd y[3], vd x[3])
{
  const vd z[3] = {y[0], y[1], y[2]};
  UNROLL for (int c = 0; c < 3; c++) x[c] = a[3 * c] * z[0] + a[3 * c + 1] * z[1] + a[3 * c + 2] * z[2];
}

/* gram = J W J' + ridge I, with pair[c][c'] = 4 (e_c' W e_c'), e_c the difference of its two sites. */
VEC_INLINE void triangle_gram(const vd r[3][3], const vd pair[TRIANGLE_SYMMETRIC], double ridge,
                              vd gram[TRIANGLE_SYMMETRIC])
{
  UNROLL for (int c = 0, i = 0; c < 3; c++)
  {
    UNROLL for (int e = c; e < 3; e++, i++)
    {
      const vd product = vd_dot3(r[c], r[e]);
      gram[i] = c == e ? pair[i] * product + ridge : pair[i] * product;
    }
  }
}

/* The pair products of a constant W, from triangle_pairs, times scale. */
VEC_INLINE void triangle_pair(const double from[9], double scale, vd pair[TRIANGLE_SYMMETRIC])
{
  UNROLL for (int c = 0, i = 0; c < 3; c++)
  {
    UNROLL for (int e = c; e < 3; e++, i++) pair[i] = vd_set(scale * from[3 * c + e]);
  }
}

/* Computes the cofactors t of the symmetric s and returns its determinant; s^-1 is t over it. */
VEC_INLINE vd triangle_cofactors(const vd s[TRIANGLE_SYMMETRIC], vd t[TRIANGLE_SYMMETRIC])
{
  t[0] = s[3] * s[5] - s[4] * s[4];
  t[1] = s[2] * s[4] - s[1] * s[5];
  t[2] = s[1] * s[4] - s[2] * s[3];
  t[3] = s[0] * s[5] - s[2] * s[2];
  t[4] = s[1] * s[2] - s[0] * s[4];
  t[5] = s[0] * s[3] - s[1] * s[1];
  return s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
}

/* out = T x for the symmetric T; out may be x. */
VEC_INLINE void triangle_times(const vd t[TRIANGLE_SYMMETRIC], const vd x[3], vd out[3])
{
  const vd y[3] = {x[0], x[1], x[2]};
  out[0] = t[0] * y[0] + t[1] * y[1] + t[2] * y[2];
  out[1] = t[1] * y[0] + t[3] * y[1] + t[4] * y[2];
  out[2] = t[2] * y[0] + t[4] * y[1] + t[5] * y[2];
}

/* Solves A x = b for the symmetric A; b becomes x. It needs one division; elimination has three in sequence.
 */
VEC_INLINE void triangle_solve(const vd a[TRIANGLE_SYMMETRIC], vd b[3])
{
  vd t[TRIANGLE_SYMMETRIC];
  const vd inverse = vd_recip(triangle_cofactors(a, t));
  triangle_times(t, b, b);
  UNROLL for (int c = 0; c < 3; c++) b[c] *= inverse;
}

/* The same for any A. */
VEC_INLINE void triangle_solve_general(const vd a[9], vd b[3])
{
  vd t[9];
  UNROLL for (int i = 0; i < 3; i++)
  {
    /* Cofactors by cyclic indices, which include the sign. */
    const vd *up = a + (i + 1) % 3 * 3, *low = a + (i + 2) % 3 * 3;
    UNROLL for (int j = 0; j < 3; j++) t[3 * i + j] =
        up[(j + 1) % 3] * low[(j + 2) % 3] - up[(j + 2) % 3] * low[(j + 1) % 3];
  }
  const vd inverse = vd_recip(a[0] * t[0] + a[1] * t[1] + a[2] * t[2]), y[3] = {b[0], b[1], b[2]};
  UNROLL for (int c = 0; c < 3; c++) b[c] = (t[c] * y[0] + t[3 + c] * y[1] + t[6 + c] * y[2]) * inverse;
}

#endif
