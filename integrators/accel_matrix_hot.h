/* The matrix of the maps and its right-hand side, put together term by term, and the third derivatives. Where
 * an element lies is in the terms' tables, so that dense and banded matrices are filled by the same code;
 * only the lower triangle is. Everything is inlined, with n and dim constants where a size is unrolled. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_MATRIX_HOT_H
#define HOLONOM_INTEGRATORS_ACCEL_MATRIX_HOT_H

#include "integrators/accel_hot.h"
#include "integrators/jacobian_hot.h"

/* r = q_i - q_j or q_i - x, and U'. */
VEC_INLINE Octet radial_slope(const AccelTerm *t, int dim, const Octet *q, Octet r[3])
{
  Octet s = octet_set(-t->s0);
  for (int d = 0; d < dim; d++) {
    const Octet other = t->touched > dim ? q[t->coordinate[dim] + d] : octet_set(t->point[d]);
    r[d] = q[t->coordinate[0] + d] - other;
    s += r[d] * r[d];
  }
  return t->first + t->second * s;
}

/* b -= grad U unless NULL. */
VEC_INLINE void radial_gradient(const AccelTerm *t, int dim, Octet slope, const Octet r[3], Octet *b)
{
  Octet *bi = b + t->coordinate[0], *bj = b + t->coordinate[dim];
  for (int d = 0; d < dim; d++) {
    const Octet force = -2.0 * slope * r[d];
    bi[d] += force;
    if (t->touched > dim)
      bj[d] -= force;
  }
}

/* a += scale Hess U = scale (4 U'' r r' + 2 U' I) on the sites' own blocks, its negative between them. */
VEC_INLINE void radial_hessian(const AccelTerm *t, int dim, double scale, Octet slope, const Octet r[3],
                               Octet *a)
{
  const Octet diagonal = 2.0 * scale * t->curve * slope;
  const double across = 4.0 * scale * t->second;
  Octet block[9];
  for (int d = 0; d < dim; d++)
    for (int e = 0; e <= d; e++) {
      block[3 * d + e] = across * r[d] * r[e];
      if (d == e)
        block[3 * d + e] += diagonal;
      block[3 * e + d] = block[3 * d + e];
    }
  const int *at = t->at;
  for (int d = 0; d < dim; d++)
    for (int e = 0; e <= d; e++)
      a[*at++] += block[3 * d + e];
  if (t->touched == dim)
    return;
  for (int d = 0; d < dim; d++) {
    for (int e = 0; e < dim; e++)
      a[*at++] -= block[3 * d + e];
    for (int e = 0; e <= d; e++)
      a[*at++] += block[3 * d + e];
  }
}

/* b -= grad and a += scale Hess of a penalty or potential that is not radial; either may be NULL. */
VEC_INLINE void other_add(const Accel *self, const AccelTerm *t, bool penalty, int dim, const Octet *q,
                          Octet *b, Octet *a)
{
  const Constraint *f = t->function;
  Octet value, grad[ACCEL_TOUCHED], second[ACCEL_TOUCHED * ACCEL_TOUCHED] = {0};
  const int touched = t->touched;
  f->type->eval(f, dim, q, &value, grad);
  const Octet slope = penalty ? -self->w2 * value : octet_set(-1.0);
  for (int k = 0; b != NULL && k < touched; k++)
    b[t->coordinate[k]] += slope * grad[k];
  if (a == NULL)
    return;
  if (!penalty || self->full)
    f->type->hess(f, dim, q, second);
  const int *at = t->at;
  for (int k = 0; k < touched; k++)
    for (int l = 0; l <= k; l++) {
      if (penalty)
        a[*at++] += self->c * (grad[k] * grad[l] + value * second[k * touched + l]);
      else
        a[*at++] += self->block * second[k * touched + l];
    }
}

/* At q: the penalties' part of a and b; the potentials' part of a if it has one (`own`), and of b on demand,
 * constant forces included. a and b hold something to add to. */
VEC_INLINE void matrix_terms(const Accel *self, int n, int dim, const Octet *q, bool potentials, Octet *b,
                             Octet *a)
{
  const int nradial = self->own ? self->radials : self->radial_penalties;
  const int nterm = self->own ? self->nterm : self->penalties;
  for (int i = 0; i < nradial; i++) {
    const AccelTerm *t = &self->term[i];
    Octet r[3];
    const Octet slope = radial_slope(t, dim, q, r);
    if (potentials || i < self->radial_penalties)
      radial_gradient(t, dim, slope, r, b);
    radial_hessian(t, dim, self->block, slope, r, a);
  }
  for (int i = self->radials; i < nterm; i++) {
    const bool penalty = i < self->penalties;
    other_add(self, &self->term[i], penalty, dim, q, potentials || penalty ? b : NULL, a);
  }
  for (int i = 0; potentials && i < n; i++)
    b[i] += self->constant[i];
}

/* out += D3V[u, u], V the penalties and the kind's potentials: the gradient of u' Hess V u, u kept. */
VEC_INLINE void matrix_third(const Accel *self, int dim, const Octet *q, const Octet *u, Octet *out)
{
  for (int i = 0; i < self->radials; i++) {
    const AccelTerm *t = &self->term[i];
    const Octet *ui = u + t->coordinate[0], *uj = u + t->coordinate[dim];
    Octet r[3], v[3], along = octet_set(0.0), square = octet_set(0.0);
    (void)radial_slope(t, dim, q, r);
    for (int d = 0; d < dim; d++) {
      v[d] = t->touched > dim ? ui[d] - uj[d] : ui[d];
      along += r[d] * v[d];
      square += v[d] * v[d];
    }
    const double scale = 4.0 * t->second;
    for (int d = 0; d < dim; d++) {
      const Octet x = scale * (square * r[d] + 2.0 * along * v[d]);
      out[t->coordinate[0] + d] += x;
      if (t->touched > dim)
        out[t->coordinate[dim] + d] -= x;
    }
  }
  for (int i = self->radials; i < self->nterm; i++) {
    const AccelTerm *t = &self->term[i];
    const Constraint *f = t->function;
    Octet value, grad[ACCEL_TOUCHED], turn[ACCEL_TOUCHED] = {0}, third[ACCEL_TOUCHED] = {0};
    const Octet one = octet_set(1.0);
    if (i < self->penalties) {
      Octet along = octet_set(0.0), bend = octet_set(0.0);
      f->type->eval(f, dim, q, &value, grad);
      f->type->hess_vec(f, dim, q, &one, u, turn);
      for (int k = 0; k < t->touched; k++) {
        along += grad[k] * u[t->coordinate[k]];
        bend += turn[k] * u[t->coordinate[k]];
      }
      if (f->type->third != NULL)
        f->type->third(f, dim, q, &value, u, third);
      for (int k = 0; k < t->touched; k++)
        out[t->coordinate[k]] += self->w2 * (2.0 * along * turn[k] + bend * grad[k] + third[k]);
    } else if (f->type->third != NULL) {
      f->type->third(f, dim, q, &one, u, third);
      for (int k = 0; k < t->touched; k++)
        out[t->coordinate[k]] += third[k];
    }
  }
}

#endif
