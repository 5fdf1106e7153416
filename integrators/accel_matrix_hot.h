/* Assembles the matrix and the right-hand side of the maps, term by term, and the third derivatives. The
 * terms' tables contain the indices of elements, so the same code fills the lower triangle of dense and
 * banded matrices. All functions are inline, with n and dim constant for unrolled sizes. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_MATRIX_HOT_H
#define HOLONOM_INTEGRATORS_ACCEL_MATRIX_HOT_H

#include <string.h>

#include "engine/jacobian_hot.h"
#include "integrators/accel_hot.h"

/* r = q_i - q_j or q_i - x, and U', in one part of a pack. */
VEC_INLINE vd radial_slope(const AccelTerm *t, int dim, const Vec8 *q, int p, vd r[3])
{
  vd s = vd_set(-t->s0);
  for (int d = 0; d < dim; d++) {
    const vd other = t->touched > dim ? vd_load(&q[t->coordinate[dim] + d], p) : vd_set(t->point[d]);
    r[d] = vd_load(&q[t->coordinate[0] + d], p) - other;
    s = vd_fma(r[d], r[d], s);
  }
  return vd_fma(vd_set(t->second), s, vd_set(t->first));
}

/* x += y, y being a product that is rounded first. */
VEC_INLINE void add_to(Vec8 *x, int p, vd y) { vd_store(x, p, vd_load(x, p) + vd_rounded(y)); }

/* b -= grad U. */
VEC_INLINE void radial_gradient(const AccelTerm *t, int dim, vd slope, const vd r[3], int p, Vec8 *b)
{
  for (int d = 0; d < dim; d++) {
    const vd force = -2.0 * slope * r[d];
    add_to(&b[t->coordinate[0] + d], p, force);
    if (t->touched > dim)
      add_to(&b[t->coordinate[dim] + d], p, -force);
  }
}

/* a += scale Hess U = scale (4 U'' r r' + 2 U' I) in the sites' diagonal blocks, its negative between them.
 */
VEC_INLINE void radial_hessian(const AccelTerm *t, int dim, double scale, vd slope, const vd r[3], int p,
                               Vec8 *a)
{
  const vd diagonal = vd_rounded(2.0 * scale * t->curve * slope);
  const double across = 4.0 * scale * t->second;
  vd block[9];
  for (int d = 0; d < dim; d++)
    for (int e = 0; e <= d; e++) {
      block[3 * d + e] = vd_fma(across * r[d], r[e], d == e ? diagonal : vd_set(0.0));
      block[3 * e + d] = block[3 * d + e];
    }
  const int *at = t->at;
  for (int d = 0; d < dim; d++)
    for (int e = 0; e <= d; e++)
      add_to(&a[*at++], p, block[3 * d + e]);
  if (t->touched == dim)
    return;
  for (int d = 0; d < dim; d++) {
    for (int e = 0; e < dim; e++)
      add_to(&a[*at++], p, -block[3 * d + e]);
    for (int e = 0; e <= d; e++)
      add_to(&a[*at++], p, block[3 * d + e]);
  }
}

/* b -= grad and a += scale Hess of a penalty or potential that is not radial; either may be NULL. */
VEC_INLINE void add_any_type(const Accel *self, const AccelTerm *t, bool penalty, int dim, const Vec8 *q,
                             Vec8 *b, Vec8 *a)
{
  const Constraint *f = t->function;
  Vec8 value, grad[ACCEL_TOUCHED], second[ACCEL_TOUCHED * ACCEL_TOUCHED];
  const int touched = t->touched;
  f->type->eval(f, dim, q, &value, grad);
  if (a != NULL && (!penalty || self->full))
    f->type->hess(f, dim, q, second);
  else
    memset(second, 0, (size_t)(touched * touched) * sizeof *second);
  EACH_REGISTER(p)
  {
    const vd g = vd_load(&value, p), slope = penalty ? -t->w2 * g : vd_set(-1.0);
    for (int k = 0; b != NULL && k < touched; k++)
      add_to(&b[t->coordinate[k]], p, slope * vd_load(&grad[k], p));
    const int *at = t->at;
    for (int k = 0; a != NULL && k < touched; k++)
      for (int l = 0; l <= k; l++) {
        const vd curve = vd_load(&second[k * touched + l], p);
        add_to(&a[*at++], p,
               penalty ? t->c * vd_fma(g, curve, vd_rounded(vd_load(&grad[k], p) * vd_load(&grad[l], p)))
                       : self->block * curve);
      }
  }
}

/* Adds to a and b at q: the penalties; the Hessian of the kind's potentials if `own`; the gradient of the
 * potentials and constant forces if `potentials`. */
VEC_INLINE void matrix_terms(const Accel *self, int n, int dim, const Vec8 *q, bool potentials, Vec8 *b,
                             Vec8 *a)
{
  const int nradial = self->own ? self->radials : self->radial_penalties;
  const int nterm = self->own ? self->nterm : self->penalties;
  for (int i = 0; i < nradial; i++) {
    const AccelTerm *t = &self->term[i];
    EACH_REGISTER(p)
    {
      vd r[3];
      const vd slope = radial_slope(t, dim, q, p, r);
      if (potentials || i < self->radial_penalties)
        radial_gradient(t, dim, slope, r, p, b);
      radial_hessian(t, dim, self->block, slope, r, p, a);
    }
  }
  for (int i = self->radials; i < nterm; i++) {
    const bool penalty = i < self->penalties;
    add_any_type(self, &self->term[i], penalty, dim, q, potentials || penalty ? b : NULL, a);
  }
  for (int i = 0; potentials && i < n; i++)
    EACH_REGISTER(p) add_to(&b[i], p, vd_set(self->constant[i]));
}

/* out += D3U[u, u] of a radial term. */
VEC_INLINE void radial_third(const AccelTerm *t, int dim, const Vec8 *q, const Vec8 *u, int p, Vec8 *out)
{
  vd r[3], v[3], along = vd_set(0.0), square = vd_set(0.0);
  (void)radial_slope(t, dim, q, p, r);
  for (int d = 0; d < dim; d++) {
    v[d] = vd_load(&u[t->coordinate[0] + d], p);
    if (t->touched > dim)
      v[d] -= vd_load(&u[t->coordinate[dim] + d], p);
    along = vd_fma(r[d], v[d], along);
    square = vd_fma(v[d], v[d], square);
  }
  const double scale = 4.0 * t->second;
  for (int d = 0; d < dim; d++) {
    const vd x = scale * vd_fma(2.0 * along, v[d], vd_rounded(square * r[d]));
    add_to(&out[t->coordinate[0] + d], p, x);
    if (t->touched > dim)
      add_to(&out[t->coordinate[dim] + d], p, -x);
  }
}

/* The same for other terms. */
VEC_INLINE void third_any_type(const AccelTerm *t, bool penalty, int dim, const Vec8 *q, const Vec8 *u,
                               Vec8 *out)
{
  const Constraint *f = t->function;
  Vec8 value = vec8_set(1.0), grad[ACCEL_TOUCHED], turn[ACCEL_TOUCHED] = {0}, third[ACCEL_TOUCHED] = {0};
  const Vec8 one = vec8_set(1.0);
  if (penalty) {
    f->type->eval(f, dim, q, &value, grad);
    f->type->hess_vec(f, dim, q, &one, u, turn);
  }
  if (f->type->third != NULL)
    f->type->third(f, dim, q, &value, u, third);
  EACH_REGISTER(p)
  {
    vd along = vd_set(0.0), bend = vd_set(0.0);
    for (int k = 0; penalty && k < t->touched; k++) {
      const vd x = vd_load(&u[t->coordinate[k]], p);
      along = vd_fma(vd_load(&grad[k], p), x, along);
      bend = vd_fma(vd_load(&turn[k], p), x, bend);
    }
    for (int k = 0; k < t->touched; k++) {
      vd x = vd_load(&third[k], p);
      if (penalty)
        x = t->w2 * vd_fma(2.0 * along, vd_load(&turn[k], p), vd_fma(bend, vd_load(&grad[k], p), x));
      add_to(&out[t->coordinate[k]], p, x);
    }
  }
}

/* out += D3V[u, u], V the penalties and the kind's potentials: the gradient of u' Hess V u at constant u. */
VEC_INLINE void matrix_third(const Accel *self, int dim, const Vec8 *q, const Vec8 *u, Vec8 *out)
{
  for (int i = 0; i < self->radials; i++)
    EACH_REGISTER(p) radial_third(&self->term[i], dim, q, u, p, out);
  for (int i = self->radials; i < self->nterm; i++)
    third_any_type(&self->term[i], i < self->penalties, dim, q, u, out);
}

#endif
