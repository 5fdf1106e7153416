#include "integrators/accel_matrix_hot.h"

ISA_DECLARE(AccelKernels, accel_kernels_table);

/* f -= w^2 J'g of a triangle. */
static unsigned verlet_triangle(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  Jacobian jac;
  Octet g[3];
  jacobian_eval(pack->kind, true, pack->q, g, &jac);
  for (int c = 0; c < 3; c++)
    g[c] *= -self->w2;
  jacobian_add(pack->kind, true, &jac, NULL, g, pack->f);
  return 0;
}

/* The same of any kind, one penalty at a time. */
static unsigned verlet_general(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  const int dim = pack->kind->dim;
  for (int i = 0; i < self->radial_penalties; i++) {
    Octet r[3];
    const Octet slope = radial_slope(&self->term[i], dim, pack->q, r);
    radial_gradient(&self->term[i], dim, slope, r, pack->f);
  }
  for (int i = self->radials; i < self->penalties; i++)
    other_add(self, &self->term[i], true, dim, pack->q, pack->f, NULL);
  return 0;
}

/* M + c J'J without its inverse. With lambda = w^2 g + c J a the system is M a = f - J' lambda, and
 *   (I + c J M^-1 J') lambda = w^2 g + c J M^-1 f:
 * the large penalty force never meets its own near-cancellation by the large matrix. */
VEC_INLINE unsigned gauss_newton(const Accel *self, bool triangle, Pack *pack)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  Jacobian jac;
  Octet g[JACOBIAN_CON], lambda[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON], pair[9];
  jacobian_eval(kind, triangle, pack->q, g, &jac);
  jacobian_pair(triangle, self->c, self->pair, pair);
  jacobian_gram(kind, triangle, &jac, &jac, self->c, self->inverse_mass, pair, 1.0, gram);
  jacobian_dot(kind, triangle, &jac, self->inverse_mass, pack->f, lambda);
  for (int c = 0; c < n; c++)
    lambda[c] = -self->w2 * g[c] - self->c * lambda[c];
  lanes_solve(n, gram, lambda);
  jacobian_add(kind, triangle, &jac, NULL, lambda, pack->f);
  return 0;
}

/* The inverse t of the symmetric s (both 00, 01, 02, 11, 12, 22). Returns the lanes in which s is positive
 * definite, with pivots far enough from rounding that the inverse is as good as it is needed. */
VEC_INLINE OctetMask invert_sites(const Octet s[6], Octet t[6])
{
  const Octet m22 = s[0] * s[3] - s[1] * s[1];
  t[0] = s[3] * s[5] - s[4] * s[4];
  t[1] = s[2] * s[4] - s[1] * s[5];
  t[2] = s[1] * s[4] - s[2] * s[3];
  const Octet det = s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
  t[3] = s[0] * s[5] - s[2] * s[2];
  t[4] = s[1] * s[2] - s[0] * s[4];
  t[5] = m22;
  const Octet inverse = lanes_recip(det);
  UNROLL for (int i = 0; i < 6; i++) t[i] *= inverse;
  const double margin = 1e-3;
  return (s[0] > 0.0) & (m22 > margin * s[0] * s[3]) & (det > margin * m22 * s[5]);
}

/* x[3][3] = T x over sites. */
VEC_INLINE void apply_sites(const Octet t[6], const Octet *from, const double *scale, Octet *to)
{
  UNROLL for (int d = 0; d < 3; d++)
  {
    const Octet x = from[d], y = from[3 + d], z = from[6 + d];
    const Octet out[3] = {t[0] * x + t[1] * y + t[2] * z, t[1] * x + t[3] * y + t[4] * z,
                          t[2] * x + t[4] * y + t[5] * z};
    UNROLL for (int s = 0; s < 3; s++) to[3 * s + d] = scale != NULL ? scale[s] * out[s] : out[s];
  }
}

/* The full Hessian of a triangle's penalties: M + c (J'J + sum_c g_c Hess g_c) = S (x) I + c J'J with the
 * 3x3 S = diag(m) + 2 c L(g), L the Laplacian of the three edges with weights g_c. As in gauss_newton, with
 * T = S^-1 in the place of M^-1. */
static unsigned full_triangle(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  const Kind *kind = pack->kind;
  const double *m = kind->mass;
  Jacobian jac;
  Octet g[3], lambda[3], gram[9], pair[9], s[6], t[6], v[9], f[9];
  jacobian_eval(kind, true, pack->q, g, &jac);
  const Octet k01 = 2.0 * self->c * g[0], k02 = 2.0 * self->c * g[1], k12 = 2.0 * self->c * g[2];
  s[0] = m[0] + k01 + k02;
  s[1] = -k01;
  s[2] = -k02;
  s[3] = m[1] + k01 + k12;
  s[4] = -k12;
  s[5] = m[2] + k02 + k12;
  const OctetMask fine = invert_sites(s, t);

  /* 4 c e_c' T e_c' for the edges e_0 = (1,-1,0), e_1 = (1,0,-1), e_2 = (0,1,-1): e_1 = e_0 + e_2. */
  const double c4 = 4.0 * self->c;
  const Octet p00 = c4 * (t[0] - 2.0 * t[1] + t[3]);
  const Octet p02 = c4 * (t[1] - t[2] - t[3] + t[4]);
  const Octet p22 = c4 * (t[3] - 2.0 * t[4] + t[5]);
  pair[0] = p00;
  pair[1] = pair[3] = p00 + p02;
  pair[2] = pair[6] = p02;
  pair[4] = p00 + 2.0 * p02 + p22;
  pair[5] = pair[7] = p02 + p22;
  pair[8] = p22;
  jacobian_gram(kind, true, &jac, &jac, 1.0, NULL, pair, 1.0, gram);
  apply_sites(t, pack->f, NULL, v);
  jacobian_dot(kind, true, &jac, NULL, v, lambda);
  UNROLL for (int c = 0; c < 3; c++) lambda[c] = -self->w2 * g[c] - self->c * lambda[c];
  lanes_solve(3, gram, lambda);
  UNROLL for (int i = 0; i < 9; i++) f[i] = pack->f[i];
  jacobian_add(kind, true, &jac, NULL, lambda, f);
  apply_sites(t, f, m, v);

  /* A molecule with a strongly compressed bond: S is not positive definite, but the whole may be. */
  const OctetMask poor = ~fine & (*pack->active != 0.0);
  unsigned bad = 0;
  if (__builtin_expect(octet_bits(poor) != 0, 0)) {
    bad = self->lanes(self, pack, NULL, &poor);
    UNROLL for (int i = 0; i < 9; i++) v[i] = octet_select(poor, pack->f[i], v[i]);
  }
  UNROLL for (int i = 0; i < 9; i++) pack->f[i] = v[i];
  return bad;
}

static unsigned gauss_newton_general(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  return gauss_newton(self, false, pack);
}

static unsigned gauss_newton_triangle(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  return gauss_newton(self, true, pack);
}

const AccelKernels ISA_SYMBOL(accel_kernels_table) = {
    .verlet = {verlet_general, verlet_triangle},
    .gauss_newton = {gauss_newton_general, gauss_newton_triangle},
    .full_triangle = full_triangle,
};
