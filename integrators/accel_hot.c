#include "integrators/accel_hot.h"
#include "integrators/jacobian_hot.h"

ISA_DECLARE(AccelKernels, accel_kernels_table);

/* f -= w^2 J'g. */
VEC_INLINE unsigned verlet(const Accel *self, bool triangle, Pack *pack)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  Jacobian jac;
  vd g[JACOBIAN_CON];
  jacobian_eval(kind, triangle, pack->q, g, &jac);
  for (int c = 0; c < n; c++)
    g[c] *= -self->w2;
  jacobian_add(kind, triangle, &jac, NULL, g, pack->f);
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
  vd g[JACOBIAN_CON], lambda[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON], pair[9];
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

/* a[n][n] += scale (grad grad' [+ g Hess g]) of one constraint. */
static void add_constraint(const Constraint *con, int dim, int n, double scale, bool full, const vd *q, vd g,
                           const vd *grad, vd *a)
{
  vd second[CONSTRAINT_SITES * 3 * CONSTRAINT_SITES * 3] = {0};
  const int touched = con->nsite * dim;
  int at[CONSTRAINT_SITES * 3];
  for (int i = 0; i < touched; i++)
    at[i] = con->site[i / dim] * dim + i % dim;
  if (full)
    con->type->hess(con, dim, q, second);
  for (int i = 0; i < touched; i++)
    for (int j = 0; j < touched; j++)
      a[at[i] * n + at[j]] += scale * (grad[i] * grad[j] + g * second[i * touched + j]);
}

/* The matrix of the map, a[n][n], n = nsite*dim. */
static void assemble(const Accel *self, const Kind *kind, const vd *q, const vd *g, const Jacobian *jac,
                     const vd *hess, vd *a)
{
  const int dim = kind->dim, n = kind->nsite * dim;
  for (int i = 0; i < n * n; i++)
    a[i] = hess != NULL ? self->block * hess[i] : vd_set(0.0);
  for (int i = 0; i < n; i++)
    a[i * n + i] += kind->mass[i / dim];
  for (int c = 0; c < kind->ncon; c++)
    add_constraint(&kind->con[c], dim, n, self->c, self->full, q, g[c], jac->grad[c], a);
}

/* Solves A x = b by L D L'; b becomes x. Returns the lanes whose pivots are all well above rounding, in
 * which A is positive definite; x is meaningless in the others. Only the lower triangle is used. */
VEC_INLINE vi solve_definite(int n, vd *a, vd *b)
{
  vi definite = ~(vi){0};
  for (int k = 0; k < n; k++) {
    vd *row = a + k * n;
    const vd diagonal = row[k];
    for (int j = 0; j < k; j++) {
      vd sum = row[j];
      for (int i = 0; i < j; i++)
        sum -= row[i] * a[j * n + i]; /* row[i] = L_ki D_i, as long as the row is in work */
      row[j] = sum;
    }
    vd pivot = diagonal;
    for (int j = 0; j < k; j++) {
      const vd scaled = row[j];
      row[j] = scaled * a[j * n + j]; /* 1/D_j */
      pivot -= scaled * row[j];
      b[k] -= row[j] * b[j];
    }
    definite &= pivot > 1e-13 * vd_abs(diagonal);
    row[k] = lanes_recip(pivot);
  }
  for (int k = n - 1; k >= 0; k--) {
    b[k] *= a[k * n + k];
    for (int j = k + 1; j < n; j++)
      b[k] -= a[j * n + k] * b[j];
  }
  return definite;
}

/* One lane's system by elimination with exchanges. */
static void solve_lane(int n, int lane, const vd *a, const vd *b, vd *x)
{
  double matrix[JACOBIAN_DENSE * JACOBIAN_DENSE], vector[JACOBIAN_DENSE];
  for (int i = 0; i < n * n; i++)
    matrix[i] = a[i][lane];
  for (int i = 0; i < n; i++)
    vector[i] = b[i][lane];
  accel_eliminate(n, matrix, vector);
  for (int i = 0; i < n; i++)
    x[i][lane] = vector[i];
}

/* The matrix a[n][n] and the right-hand side f - w^2 J'g in b[n]. */
static void system_of(const Accel *self, const Pack *pack, const vd *hess, vd *a, vd *b)
{
  const Kind *kind = pack->kind;
  vd g[JACOBIAN_CON];
  Jacobian jac;
  jacobian_eval(kind, false, pack->q, g, &jac);
  assemble(self, kind, pack->q, g, &jac, hess, a);
  for (int i = 0; i < kind->nsite * kind->dim; i++)
    b[i] = pack->f[i];
  for (int c = 0; c < kind->ncon; c++)
    g[c] *= -self->w2;
  jacobian_add(kind, false, &jac, NULL, g, b);
}

/* The whole matrix, for the lanes of the mask; in the others f stays. */
static __attribute__((noinline)) unsigned dense_lanes(const Accel *self, Pack *pack, const vd *hess,
                                                      const vi *mask)
{
  const Kind *kind = pack->kind;
  const int dim = kind->dim, n = kind->nsite * dim;
  vd a[JACOBIAN_DENSE * JACOBIAN_DENSE], b[JACOBIAN_DENSE], x[JACOBIAN_DENSE];
  system_of(self, pack, hess, a, x);
  const vi definite = n == 9 ? solve_definite(9, a, x) : solve_definite(n, a, x);
  const unsigned bad = vi_bits(*mask & ~definite & (*pack->active != 0.0));
  if (bad != 0) {
    system_of(self, pack, hess, a, b);
    for (int lane = 0; lane < LANES; lane++)
      if (bad >> lane & 1u)
        solve_lane(n, lane, a, b, x);
  }
  for (int i = 0; i < n; i++)
    pack->f[i] = vd_select(*mask, kind->mass[i / dim] * x[i], pack->f[i]);
  return bad;
}

static unsigned dense(const Accel *self, Pack *pack, const vd *hess)
{
  const vi all = ~(vi){0};
  return dense_lanes(self, pack, hess, &all);
}

/* The inverse t of the symmetric s (both 00, 01, 02, 11, 12, 22). Returns the lanes in which s is positive
 * definite, with pivots far enough from rounding that the inverse is as good as it is needed. */
VEC_INLINE vi invert_sites(const vd s[6], vd t[6])
{
  const vd m22 = s[0] * s[3] - s[1] * s[1];
  t[0] = s[3] * s[5] - s[4] * s[4];
  t[1] = s[2] * s[4] - s[1] * s[5];
  t[2] = s[1] * s[4] - s[2] * s[3];
  const vd det = s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
  t[3] = s[0] * s[5] - s[2] * s[2];
  t[4] = s[1] * s[2] - s[0] * s[4];
  t[5] = m22;
  const vd inverse = lanes_recip(det);
  UNROLL for (int i = 0; i < 6; i++) t[i] *= inverse;
  const double margin = 1e-3;
  return (s[0] > 0.0) & (m22 > margin * s[0] * s[3]) & (det > margin * m22 * s[5]);
}

/* x[3][3] = T x over sites. */
VEC_INLINE void apply_sites(const vd t[6], const vd *from, const double *scale, vd *to)
{
  UNROLL for (int d = 0; d < 3; d++)
  {
    const vd x = from[d], y = from[3 + d], z = from[6 + d];
    const vd out[3] = {t[0] * x + t[1] * y + t[2] * z, t[1] * x + t[3] * y + t[4] * z,
                       t[2] * x + t[4] * y + t[5] * z};
    UNROLL for (int s = 0; s < 3; s++) to[3 * s + d] = scale != NULL ? scale[s] * out[s] : out[s];
  }
}

/* The full Hessian of a triangle's penalties: M + c (J'J + sum_c g_c Hess g_c) = S (x) I + c J'J with the
 * 3x3 S = diag(m) + 2 c L(g), L the Laplacian of the three edges with weights g_c. As in gauss_newton, with
 * T = S^-1 in the place of M^-1. */
static unsigned full_triangle(const Accel *self, Pack *pack, const vd *hess)
{
  (void)hess;
  const Kind *kind = pack->kind;
  const double *m = kind->mass;
  Jacobian jac;
  vd g[3], lambda[3], gram[9], pair[9], s[6], t[6], v[9], f[9];
  jacobian_eval(kind, true, pack->q, g, &jac);
  const vd k01 = 2.0 * self->c * g[0], k02 = 2.0 * self->c * g[1], k12 = 2.0 * self->c * g[2];
  s[0] = m[0] + k01 + k02;
  s[1] = -k01;
  s[2] = -k02;
  s[3] = m[1] + k01 + k12;
  s[4] = -k12;
  s[5] = m[2] + k02 + k12;
  const vi fine = invert_sites(s, t);

  /* 4 c e_c' T e_c' for the edges e_0 = (1,-1,0), e_1 = (1,0,-1), e_2 = (0,1,-1): e_1 = e_0 + e_2. */
  const double c4 = 4.0 * self->c;
  const vd p00 = c4 * (t[0] - 2.0 * t[1] + t[3]);
  const vd p02 = c4 * (t[1] - t[2] - t[3] + t[4]);
  const vd p22 = c4 * (t[3] - 2.0 * t[4] + t[5]);
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
  const vi poor = ~fine & (*pack->active != 0.0);
  unsigned bad = 0;
  if (__builtin_expect(vi_bits(poor) != 0, 0)) {
    bad = dense_lanes(self, pack, NULL, &poor);
    UNROLL for (int i = 0; i < 9; i++) v[i] = vd_select(poor, pack->f[i], v[i]);
  }
  UNROLL for (int i = 0; i < 9; i++) pack->f[i] = v[i];
  return bad;
}

static unsigned verlet_general(const Accel *self, Pack *pack, const vd *hess)
{
  (void)hess;
  return verlet(self, false, pack);
}

static unsigned verlet_triangle(const Accel *self, Pack *pack, const vd *hess)
{
  (void)hess;
  return verlet(self, true, pack);
}

static unsigned gauss_newton_general(const Accel *self, Pack *pack, const vd *hess)
{
  (void)hess;
  return gauss_newton(self, false, pack);
}

static unsigned gauss_newton_triangle(const Accel *self, Pack *pack, const vd *hess)
{
  (void)hess;
  return gauss_newton(self, true, pack);
}

const AccelKernels ISA_SYMBOL(accel_kernels_table) = {
    .verlet = {verlet_general, verlet_triangle},
    .gauss_newton = {gauss_newton_general, gauss_newton_triangle},
    .full_triangle = full_triangle,
    .dense = dense,
};
