/* The coordinates of coordinate.h, one register of lanes at a time. */
#ifndef HOLONOM_ENGINE_COORDINATE_VEC_H
#define HOLONOM_ENGINE_COORDINATE_VEC_H

#include "engine/coordinate.h"
#include "engine/vec.h"

/* The sites at which vector k starts and ends, by form. */
static const signed char coordinate_pairs[][COORDINATE_VECTORS][2] = {
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, one, heading, bonded, invariance,    \
                   options, example, help, ...)                                                              \
  [COORDINATE_##FORM] = {__VA_ARGS__},
#include "engine/coordinates.def"
    [COORDINATE_DIHEDRALS] = {{1, 0}, {2, 1}, {2, 3}, {3, 4}}, [COORDINATE_DISTANCES] = {{1, 0}, {1, 2}}};

/* Lower limits of squared lengths, and of sines of the angle between vectors that span a plane. */
#define COORDINATE_LEAST 1e-280
#define COORDINATE_LINE  1e-6

VEC_INLINE vd coordinate_inverse(vd square)
{
  return 1.0 / vd_sqrt(vd_max(square, vd_set(COORDINATE_LEAST)));
}

VEC_INLINE void coordinate_scaled(vd factor, const vd v[3], vd out[3])
{
  UNROLL
  for (int d = 0; d < 3; d++)
    out[d] = factor * v[d];
}

/* e = v/|v|; returns 1/|v|. */
VEC_INLINE vd coordinate_unit(const vd v[3], vd e[3])
{
  const vd inverse = coordinate_inverse(vd_dot3(v, v));
  coordinate_scaled(inverse, v, e);
  return inverse;
}

/* --- distance ------------------------------------------------------------------------------------------- */

VEC_INLINE void coordinate_distance(const vd *v, vd at[2], vd *grad)
{
  at[1] = coordinate_unit(v, grad);
  at[0] = at[1] * vd_dot3(v, v);
}

/* (1 - e e')/r */
VEC_INLINE void coordinate_distance_hess(const vd *v, vd *hess)
{
  vd e[3];
  const vd inverse = coordinate_unit(v, e);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      hess[a * 3 + b] = inverse * ((a == b ? 1.0 : 0.0) - e[a] * e[b]);
}

/* --- cosine --------------------------------------------------------------------------------------------- */

VEC_INLINE void coordinate_angle(const vd *v, vd at[2], vd *grad)
{
  vd e[3], f[3], n[3];
  const vd one = coordinate_unit(v, e), other = coordinate_unit(v + 3, f), c = vd_dot3(e, f);
  vd_cross(e, f, n);
  at[0] = c;
  at[1] = vd_sqrt(vd_dot3(n, n));
  UNROLL
  for (int d = 0; d < 3; d++) {
    grad[d] = (f[d] - c * e[d]) * one;
    grad[3 + d] = (e[d] - c * f[d]) * other;
  }
}

VEC_INLINE void coordinate_angle_hess(const vd *v, vd *hess)
{
  vd e[3], f[3];
  const vd one = coordinate_unit(v, e), other = coordinate_unit(v + 3, f), c = vd_dot3(e, f);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double same = a == b ? 1.0 : 0.0;
      const vd mixed = e[a] * f[b] + f[a] * e[b];
      hess[a * 6 + b] = -one * one * (mixed + c * (same - 3.0 * e[a] * e[b]));
      hess[(3 + a) * 6 + 3 + b] = -other * other * (mixed + c * (same - 3.0 * f[a] * f[b]));
      hess[a * 6 + 3 + b] = hess[(3 + b) * 6 + a] =
          one * other * (same - f[a] * f[b] - e[a] * e[b] + c * e[a] * f[b]);
    }
}

/* --- height --------------------------------------------------------------------------------------------- */

VEC_INLINE void coordinate_height(const vd *v, vd at[2], vd *grad)
{
  at[0] = v[2];
  at[1] = grad[0] = grad[1] = vd_set(0.0);
  grad[2] = vd_set(1.0);
}

VEC_INLINE void coordinate_position(const vd *v, vd at[2], vd *grad) { coordinate_height(v, at, grad); }

/* --- dihedral ------------------------------------------------------------------------------------------- */

/* For vectors F, G, H: A = F x G, B = H x G, and the inverses of their squares and of |G|. */
typedef struct CoordinatePlanes {
  vd a[3], b[3], a2, b2, g;
} CoordinatePlanes;

VEC_INLINE vd coordinate_plane(const vd f[3], const vd g[3], vd n[3])
{
  vd_cross(f, g, n);
  const vd least = COORDINATE_LINE * COORDINATE_LINE * vd_dot3(f, f) * vd_dot3(g, g);
  return 1.0 / vd_max(vd_max(least, vd_set(COORDINATE_LEAST)), vd_dot3(n, n));
}

VEC_INLINE CoordinatePlanes coordinate_planes(const vd *v)
{
  CoordinatePlanes p;
  p.a2 = coordinate_plane(v, v + 3, p.a);
  p.b2 = coordinate_plane(v + 6, v + 3, p.b);
  p.g = coordinate_inverse(vd_dot3(v + 3, v + 3));
  return p;
}

VEC_INLINE void coordinate_dihedral(const vd *v, vd at[2], vd *grad)
{
  const vd *const f = v, *const g = v + 3, *const h = v + 6;
  const CoordinatePlanes p = coordinate_planes(v);
  vd n[3];
  vd_cross(p.b, p.a, n);
  const vd inverse = vd_sqrt(p.a2 * p.b2), length = p.g * vd_dot3(g, g);
  at[0] = vd_dot3(p.a, p.b) * inverse;
  at[1] = vd_dot3(n, g) * inverse * p.g;
  coordinate_scaled(-length * p.a2, p.a, grad);
  coordinate_scaled(length * p.b2, p.b, grad + 6);
  const vd one = vd_dot3(f, g) * p.g * p.a2, other = vd_dot3(h, g) * p.g * p.b2;
  UNROLL
  for (int d = 0; d < 3; d++)
    grad[3 + d] = one * p.a[d] - other * p.b[d];
}

/* Entry (a, b) of x y' + y x'. */
VEC_INLINE vd coordinate_both(const vd x[3], const vd y[3], int a, int b)
{
  return x[a] * y[b] + y[a] * x[b];
}

/* For one plane, n = f x g: the blocks f f, g g and f g of the Hessian of its rotation angle. */
VEC_INLINE void coordinate_turn_hess(vd sign, const vd f[3], const vd g[3], const vd n[3], vd n2, vd inverse,
                                     vd *ff, vd *gg, vd *fg)
{
  vd gn[3], fn[3];
  vd_cross(g, n, gn);
  vd_cross(f, n, fn);
  const vd square = vd_dot3(g, g), along = vd_dot3(f, g), n4 = sign * n2 * n2 * inverse;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      ff[a * 9 + b] += n4 * square * coordinate_both(n, gn, a, b);
      gg[a * 9 + b] += 0.5 * sign * n2 * inverse * inverse * inverse * coordinate_both(gn, n, a, b) +
                       n4 * along * coordinate_both(n, fn, a, b);
      fg[a * 9 + b] -= n4 * (square * fn[a] * n[b] + along * n[a] * gn[b]);
    }
}

VEC_INLINE void coordinate_dihedral_hess(const vd *v, vd *hess)
{
  const CoordinatePlanes p = coordinate_planes(v);
  for (int i = 0; i < 81; i++)
    hess[i] = vd_set(0.0);
  coordinate_turn_hess(vd_set(1.0), v, v + 3, p.a, p.a2, p.g, hess, hess + 30, hess + 3);
  coordinate_turn_hess(vd_set(-1.0), v + 6, v + 3, p.b, p.b2, p.g, hess + 60, hess + 30, hess + 57);
  for (int a = 0; a < 9; a++) /* the blocks G F and G H */
    for (int b = 3; b < 6; b++)
      hess[b * 9 + a] = a / 3 == 1 ? hess[b * 9 + a] : hess[a * 9 + b];
}

/* --- two dihedral angles ---------------------------------------------------------------------------------
 */

/* The vectors of psi are those of phi shifted by one; its first and second have the opposite sign. */
VEC_INLINE void coordinate_next(const vd *v, vd next[9])
{
  UNROLL
  for (int k = 0; k < 9; k++)
    next[k] = k / 3 == 1 ? -v[3 + k] : v[3 + k];
}

VEC_INLINE void coordinate_dihedrals(const vd *v, vd at[4], vd *grad)
{
  vd next[9], turned[9];
  coordinate_next(v, next);
  coordinate_dihedral(v, at, grad);
  coordinate_dihedral(next, at + 2, grad + 15);
  coordinate_next(grad + 12, turned);
  UNROLL
  for (int d = 0; d < 3; d++)
    grad[9 + d] = grad[12 + d] = vd_set(0.0);
  UNROLL
  for (int k = 0; k < 9; k++)
    grad[15 + k] = turned[k];
}

VEC_INLINE void coordinate_dihedrals_hess(const vd *v, vd *hess)
{
  vd next[9], one[81], other[81];
  coordinate_next(v, next);
  coordinate_dihedral_hess(v, one);
  coordinate_dihedral_hess(next, other);
  for (int i = 0; i < 2 * 144; i++)
    hess[i] = vd_set(0.0);
  for (int a = 0; a < 9; a++)
    for (int b = 0; b < 9; b++) {
      hess[a * 12 + b] = one[a * 9 + b];
      hess[144 + (a + 3) * 12 + b + 3] = (a / 3 == 1) != (b / 3 == 1) ? -other[a * 9 + b] : other[a * 9 + b];
    }
}

/* --- two distances -------------------------------------------------------------------------------------- */

VEC_INLINE void coordinate_distances(const vd *v, vd at[4], vd *grad)
{
  coordinate_distance(v, at, grad);
  coordinate_distance(v + 3, at + 2, grad + 9);
  UNROLL
  for (int d = 0; d < 3; d++)
    grad[3 + d] = grad[6 + d] = vd_set(0.0);
}

VEC_INLINE void coordinate_distances_hess(const vd *v, vd *hess)
{
  vd one[9], other[9];
  coordinate_distance_hess(v, one);
  coordinate_distance_hess(v + 3, other);
  for (int i = 0; i < 2 * 36; i++)
    hess[i] = vd_set(0.0);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      hess[a * 6 + b] = one[a * 3 + b];
      hess[36 + (a + 3) * 6 + b + 3] = other[a * 3 + b];
    }
}

/* --- any ------------------------------------------------------------------------------------------------ */

/* Functions by a row's derivatives; callers never request missing ones (term.c, coordinate_read). */
#define COORDINATE_EVAL_MANY(id)     __builtin_unreachable()
#define COORDINATE_EVAL_PAIRS(id)    __builtin_unreachable()
#define COORDINATE_EVAL_COMPOSED(id) __builtin_unreachable()
#define COORDINATE_EVAL_FIRST(id)    coordinate_##id(v, at, grad)
#define COORDINATE_EVAL_SECOND(id)   coordinate_##id(v, at, grad)
#define COORDINATE_HESS_MANY(id)     __builtin_unreachable()
#define COORDINATE_HESS_PAIRS(id)    __builtin_unreachable()
#define COORDINATE_HESS_COMPOSED(id) __builtin_unreachable()
#define COORDINATE_HESS_FIRST(id)    __builtin_unreachable()
#define COORDINATE_HESS_SECOND(id)   coordinate_##id##_hess(v, hess)

/* Values at[values][2] and their gradients grad[values][3 (sites - 1)] with respect to the vectors v[sites -
 * 1][3]; for forms with a fixed number of sites. */
VEC_INLINE void coordinate_eval(const CoordinateForm form, const vd *v, vd *at, vd *grad)
{
  switch (form) {
#define COORDINATE(FORM, id, sites, derivatives, ...)                                                        \
  case COORDINATE_##FORM:                                                                                    \
    COORDINATE_EVAL_##derivatives(id);                                                                       \
    break;
#include "engine/coordinates.def"
  case COORDINATE_DISTANCES:
    coordinate_distances(v, at, grad);
    break;
  default:
    coordinate_dihedrals(v, at, grad);
  }
}

/* hess[values][n][n], n = 3 (sites - 1); for forms with two derivatives. */
VEC_INLINE void coordinate_hess(const CoordinateForm form, const vd *v, vd *hess)
{
  switch (form) {
#define COORDINATE(FORM, id, sites, derivatives, ...)                                                        \
  case COORDINATE_##FORM:                                                                                    \
    COORDINATE_HESS_##derivatives(id);                                                                       \
    break;
#include "engine/coordinates.def"
  case COORDINATE_DISTANCES:
    coordinate_distances_hess(v, hess);
    break;
  default:
    coordinate_dihedrals_hess(v, hess);
  }
}

/* Computes v[sites - 1][3] of sites x[sites][3]. */
VEC_INLINE void coordinate_vectors(const CoordinateForm form, const vd *x, vd *v)
{
  UNROLL
  for (int k = 0; k < 3 * (coordinate_sites(form) - 1); k++)
    v[k] = x[3 * coordinate_pairs[form][k / 3][1] + k % 3] - x[3 * coordinate_pairs[form][k / 3][0] + k % 3];
}

/* Converts a gradient by vectors to one by sites: out[sites][3]. */
VEC_INLINE void coordinate_by_sites(const CoordinateForm form, const vd *by, vd *out)
{
  UNROLL
  for (int k = 0; k < 3 * coordinate_sites(form); k++)
    out[k] = vd_set(0.0);
  UNROLL
  for (int k = 0; k < 3 * (coordinate_sites(form) - 1); k++) {
    out[3 * coordinate_pairs[form][k / 3][1] + k % 3] += by[k];
    out[3 * coordinate_pairs[form][k / 3][0] + k % 3] -= by[k];
  }
}

#endif
