#include "integrators/accel_matrix_hot.h"
#include "integrators/triangle_hot.h"

ISA_DECLARE(AccelKernels, accel_kernels_table);

/* f -= w^2 J'g, one penalty at a time. */
static unsigned verlet_general(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  const int dim = pack->kind->dim;
  for (int i = 0; i < self->radial_penalties; i++) {
    EACH_REGISTER(p)
    {
      vd r[3];
      const vd slope = radial_slope(&self->term[i], dim, pack->q, p, r);
      radial_gradient(&self->term[i], dim, slope, r, p, pack->f);
    }
  }
  for (int i = self->radials; i < self->penalties; i++)
    add_any_type(self, &self->term[i], true, dim, pack->q, pack->f, NULL);
  return 0;
}

/* Solves with M + c J'J without its inverse; exact constraints are a side condition J a = 0 with multipliers
 * of their own. With lambda = w^2 g + c J a the system is M a = f - J' lambda, and
 *
 *   (I + c J M^-1 J') lambda = w^2 g + c J M^-1 f.
 *
 * So the large penalty force never nearly cancels against the large matrix. Rows of exact constraints lack
 * the 1 and the g. This function does not apply their multipliers: the constraint solver does, and counts
 * them. */
VEC_INLINE unsigned gauss_newton(int dim, const Accel *self, Pack *pack)
{
  const Kind *kind = pack->kind;
  const int n = kind->ncon;
  JacobianRow *grad = (JacobianRow *)pack->scratch;
  Vec8 *g = (Vec8 *)(grad + n), *lambda = g + n;
  jacobian_rows(dim, self->jacobian, pack->q, g, grad);
  for (int c = 0; c < self->kept; c++)
    g[c] = vec8_set(0.0);
  jacobian_dot(dim, kind, grad, self->inverse_mass, pack->f, lambda);
  for (int c = 0; c < n; c++)
    EACH_REGISTER(p)
  vd_store(&lambda[c], p, vd_rounded(-self->w2 * vd_load(&g[c], p)) - self->c * vd_load(&lambda[c], p));
  const JacobianGram gram = {grad, grad, self->inverse_mass, self->c, 1.0, self->ridge};
  (void)jacobian_solve(dim, self->jacobian, &gram, 0, lambda, lambda + n);
  for (int c = self->kept; c < n; c++)
    jacobian_add_row(dim, &kind->con[c], grad[c], NULL, ((const Registers *)lambda)[c], pack->f);
  return 0;
}

static unsigned gauss_newton_general(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  return JACOBIAN_FOR_DIM(gauss_newton, pack->kind->dim, self, pack);
}

/* --- triangles ------------------------------------------------------------------------------------------
 */

VEC_INLINE void verlet_part(const Accel *self, Pack *pack, int part)
{
  vd q[9], f[9], r[3][3], g[3];
  triangle_load(pack->q, part, q);
  triangle_load(pack->f, part, f);
  triangle_sides(q, r);
  triangle_residuals(pack->kind, r, g);
  UNROLL for (int c = 0; c < 3; c++) g[c] *= -self->w2;
  triangle_add(r, NULL, g, f);
  triangle_store(f, part, pack->f);
}

VEC_INLINE void gauss_newton_part(const Accel *self, Pack *pack, int part)
{
  vd q[9], f[9], r[3][3], g[3], lambda[3], pair[TRIANGLE_SYMMETRIC], gram[TRIANGLE_SYMMETRIC];
  triangle_load(pack->q, part, q);
  triangle_load(pack->f, part, f);
  triangle_sides(q, r);
  triangle_residuals(pack->kind, r, g);
  triangle_pair(self->pair, self->c, pair);
  triangle_gram(r, pair, 1.0, gram);
  triangle_dot(r, self->inverse_mass, f, lambda);
  UNROLL for (int c = 0; c < 3; c++) lambda[c] = -self->w2 * g[c] - self->c * lambda[c];
  triangle_solve(gram, lambda);
  triangle_add(r, NULL, lambda, f);
  triangle_store(f, part, pack->f);
}

/* The full Hessian: M + c (J'J + sum_c g_c Hess g_c) = S (x) I + c J'J with the 3x3 S = diag(m) + 2 c L(g),
 * L the Laplacian of the three edges with weights g_c. The centre of mass has the acceleration A of the total
 * force. The differences y = (a_0 - a_1, a_1 - a_2) satisfy
 *
 *   (S (x) I + 4 c sum_c e_c r_c r_c' e_c') y = phi,   e = (1, 0), (1, 1), (0, 1),
 *
 * with a 2x2 S = K + 2 c sum_c g_c e_c e_c', K from the kinetic energy 1/2 y'K y, and
 * phi = (f_0 - m_0 A, m_2 A - f_2). The solve is that of gauss_newton with S^-1 in place of M^-1, multiplied
 * by the determinant of S, which leaves two independent divisions. Returns the lanes in which S is not
 * positive definite, or nearly so; their f is unchanged. */
VEC_INLINE unsigned full_part(const Accel *self, Pack *pack, int part)
{
  const double *m = pack->kind->mass, c2 = 2.0 * self->c, c4 = 4.0 * self->c;
  const double inverse_mass = 1.0 / (m[0] + m[1] + m[2]);
  const double k00 = m[0] * (m[1] + m[2]) * inverse_mass, k01 = m[0] * m[2] * inverse_mass;
  const double k11 = m[2] * (m[0] + m[1]) * inverse_mass;
  vd q[9], f[9], r[3][3], g[3], lambda[3], pair[TRIANGLE_SYMMETRIC], gram[TRIANGLE_SYMMETRIC];
  triangle_load(pack->q, part, q);
  triangle_load(pack->f, part, f);
  triangle_sides(q, r);
  triangle_residuals(pack->kind, r, g);
  const vd s00 = k00 + c2 * (g[0] + g[1]), s01 = k01 + c2 * g[1], s11 = k11 + c2 * (g[1] + g[2]);
  const vd det = s00 * s11 - s01 * s01, inverse = vd_recip(det);

  /* e_c' adj(S) e_c'. */
  pair[0] = c4 * s11;
  pair[5] = c4 * s00;
  pair[2] = -c4 * s01;
  pair[1] = pair[0] + pair[2];
  pair[4] = pair[5] + pair[2];
  pair[3] = pair[1] + pair[4];
  triangle_gram(r, pair, 0.0, gram);
  gram[0] += det;
  gram[3] += det;
  gram[5] += det;

  vd total[3], phi[2][3], y[2][3];
  UNROLL for (int d = 0; d < 3; d++)
  {
    total[d] = f[d] + f[3 + d] + f[6 + d];
    phi[0][d] = f[d] - m[0] * inverse_mass * total[d];
    phi[1][d] = m[2] * inverse_mass * total[d] - f[6 + d];
    y[0][d] = s11 * phi[0][d] - s01 * phi[1][d];
    y[1][d] = s00 * phi[1][d] - s01 * phi[0][d];
  }
  const vd both[3] = {y[0][0] + y[1][0], y[0][1] + y[1][1], y[0][2] + y[1][2]};
  lambda[0] = -self->w2 * det * g[0] - c2 * vd_dot3(r[0], y[0]);
  lambda[1] = -self->w2 * det * g[1] - c2 * vd_dot3(r[1], both);
  lambda[2] = -self->w2 * det * g[2] - c2 * vd_dot3(r[2], y[1]);
  triangle_solve(gram, lambda);

  /* phi += J' lambda, y = S^-1 phi, and the forces of A and y. */
  vd out[9];
  UNROLL for (int d = 0; d < 3; d++)
  {
    const vd a = 2.0 * lambda[0] * r[0][d], b = 2.0 * lambda[1] * r[1][d], c = 2.0 * lambda[2] * r[2][d];
    const vd x = (phi[0][d] + a + b) * inverse, z = (phi[1][d] + b + c) * inverse;
    const vd y0 = s11 * x - s01 * z, y1 = s00 * z - s01 * x;
    out[d] = m[0] * inverse_mass * total[d] + k00 * y0 + k01 * y1;
    out[6 + d] = m[2] * inverse_mass * total[d] - k01 * y0 - k11 * y1;
    out[3 + d] = total[d] - out[d] - out[6 + d];
  }
  const vi fine = (s00 > 0.0) & (det > 1e-3 * s00 * s11);
  const unsigned poor = ~vi_bits(fine) & ((1u << WIDTH) - 1u);
  if (__builtin_expect(poor != 0, 0))
    UNROLL for (int i = 0; i < 9; i++) out[i] = vd_select(fine, out[i], f[i]);
  triangle_store(out, part, pack->f);
  return poor << part * WIDTH;
}

static unsigned verlet_triangle(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  for (int part = 0; part < REGISTERS; part++)
    verlet_part(self, pack, part);
  return 0;
}

static unsigned gauss_newton_triangle(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  for (int part = 0; part < REGISTERS; part++)
    gauss_newton_part(self, pack, part);
  return 0;
}

static unsigned full_triangle(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  unsigned poor = 0;
  for (int part = 0; part < REGISTERS; part++)
    poor |= full_part(self, pack, part);
  /* In a molecule with a strongly compressed bond S is not positive definite, but the whole matrix may be. */
  return __builtin_expect(poor != 0, 0) ? self->lanes(self, pack, NULL, poor) : 0;
}

const AccelKernels ISA_SYMBOL(accel_kernels_table) = {
    .verlet = {verlet_general, verlet_triangle},
    .gauss_newton = {gauss_newton_general, gauss_newton_triangle},
    .full_triangle = full_triangle,
};
