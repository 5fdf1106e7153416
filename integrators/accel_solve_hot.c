/* The maps that solve with the matrix of the whole molecule, a full band for small molecules. Small sizes are
 * unrolled and work on the stack, others in pack->scratch. */
#include <string.h>

#include "engine/band_hot.h"
#include "integrators/accel_matrix_hot.h"

ISA_DECLARE(AccelSolveKernels, accel_solve_kernels_table);

/* Memory of a solve. */
typedef struct Work {
  Vec8 *matrix;    /* as in band.h                           */
  Vec8 *x, *rows;  /* [n] by unknowns, by rows               */
  Vec8 *a, *y, *b; /* [n] of the maps                        */
  Vec8 *exchange;  /* for band_exchange; NULL: pack->scratch */
} Work;

/* The point at which the system is assembled. */
typedef struct Point {
  const Vec8 *q, *hess; /* hess: of the other forces, or NULL                */
  bool potentials;      /* their gradient is subtracted from the right-hand side too */
} Point;

/* Assembles the matrix at a point; b becomes f - w^2 J'g. half: of an unrolled size, else 0. The matrix of an
 * unrolled size, or with a Hessian of other forces, is full. */
VEC_INLINE void system_at(const Accel *self, int n, int half, int dim, const Point *at, Vec8 *b, Vec8 *matrix)
{
  const Vec8 *const hess = at->hess;
  if (half > 0 || hess != NULL) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        EACH_REGISTER(p)
        {
          const vd own = vd_set(i == j ? self->mass[i] : 0.0);
          vd_store(&matrix[n - 1 + i * (n - 1) + j], p,
                   hess != NULL ? vd_fma(vd_set(self->block), vd_load(&hess[i * n + j], p), own) : own);
        }
  } else {
    memset(matrix, 0, self->size * sizeof(Vec8));
    for (int i = 0; i < n; i++)
      matrix[self->diagonal[i]] = vec8_set(self->mass[i]);
  }
  matrix_terms(self, n, dim, at->q, at->potentials, b, matrix);
}

static unsigned solve_sparse(const Accel *self, const Work *w)
{
  const Sparse *sparse = self->sparse;
  for (int i = 0; i < sparse->n; i++)
    w->rows[sparse->row[i]] = w->x[i];
  const unsigned sound = self->sparses->symmetric_factor(sparse, w->matrix);
  self->sparses->symmetric_solve(sparse, w->matrix, w->rows);
  for (int i = 0; i < sparse->n; i++)
    w->x[i] = w->rows[sparse->row[i]];
  return sound;
}

/* x <- matrix^-1 x; returns the lanes in which the matrix is positive definite. */
VEC_INLINE unsigned solve_system(const Accel *self, int n, int half, const Work *w)
{
  if (half > 0) {
    const unsigned sound = band_factor_symmetric(n, half, w->matrix, w->x);
    band_solve_upper(n, half, w->matrix, w->x);
    return sound;
  }
  const Band *band = self->band;
  if (self->sparse != NULL)
    return solve_sparse(self, w);
  for (int i = 0; i < n; i++)
    w->rows[band->row[i]] = w->x[i];
  const unsigned sound = self->bands->symmetric_factor(n, band->half, w->matrix);
  self->bands->symmetric_solve(n, band->half, w->matrix, w->rows);
  for (int i = 0; i < n; i++)
    w->x[i] = w->rows[band->row[i]];
  return sound;
}

/* Solves the system in b for the active ones of some lanes. Returns the lanes whose matrix is not positive
 * definite and, LANES bits above, those without a solution. */
VEC_INLINE unsigned solve_at(const Accel *self, int n, int half, int dim, const Pack *pack, const Point *at,
                             unsigned lanes, const Work *w, Vec8 *b)
{
  for (int i = 0; i < n; i++)
    w->x[i] = b[i];
  system_at(self, n, half, dim, at, w->x, w->matrix);
  unsigned bad = lanes & registers_nonzero(pack->active) & ~solve_system(self, n, half, w);
  if (__builtin_expect(bad != 0, 0)) {
    system_at(self, n, half, dim, at, b, w->matrix);
    bad |= accel_exchange(self, bad, w->matrix, b, w->x, w->rows,
                          w->exchange != NULL ? w->exchange : pack->scratch)
           << LANES;
  }
  for (int i = 0; i < n; i++)
    b[i] = w->x[i];
  return bad;
}

/* f = M a - 1/2 beta^2 h^4 D3V[a, a], the last term for the complete Zhang-Skeel map only; other lanes of f
 * do not change. */
VEC_INLINE unsigned zhang_skeel(const Accel *self, int n, int half, int dim, Pack *pack, const Vec8 *hess,
                                unsigned lanes, const Work *w)
{
  for (int i = 0; i < n; i++)
    w->a[i] = pack->f[i];
  const unsigned bad = solve_at(self, n, half, dim, pack, &(Point){pack->q, hess, false}, lanes, w, w->a);
  if (self->third) {
    memset(w->b, 0, (size_t)n * sizeof *w->b);
    matrix_third(self, dim, pack->q, w->a, w->b);
  }
  const double scale = -0.5 * self->block * self->block;
  for (int i = 0; i < n; i++)
    EACH_REGISTER(p)
    {
      vd f = vd_rounded(self->mass[i] * vd_load(&w->a[i], p));
      if (self->third)
        f = vd_fma(vd_set(scale), vd_load(&w->b[i], p), f);
      vd_store(&pack->f[i], p, vd_select(register_mask(lanes, p), f, vd_load(&pack->f[i], p)));
    }
  return bad;
}

/* Lanes in which the last change of beta h^2 a is within the tolerance times beta h^2 a, or within the
 * rounding of the positions y. */
VEC_INLINE unsigned newton_done(const Accel *self, int n, const Vec8 *change, const Vec8 *a, const Vec8 *y)
{
  vi done[REGISTERS];
  EACH_REGISTER(p)
  {
    vd most = vd_set(0.0), reach = vd_set(0.0), extent = vd_set(0.0);
    for (int i = 0; i < n; i++) {
      most = vd_largest(most, vd_load(&change[i], p));
      reach = vd_max(vd_abs(vd_load(&a[i], p)), reach);
      extent = vd_max(vd_abs(vd_load(&y[i], p)), extent);
    }
    done[p] = self->block * most <= vd_rounded(self->tolerance * self->block * reach) + 1e-15 * extent;
  }
  return registers_bits(done);
}

/* Solves M a = -grad V(x + beta h^2 a) by Newton's method from a = 0; the first step is that of "zss-block".
 */
VEC_INLINE unsigned newmark(const Accel *self, int n, int half, int dim, Pack *pack, const Work *w)
{
  Vec8 *a = w->a, *y = w->y, *b = w->b;
  unsigned open = registers_nonzero(pack->active), bad = 0;
  for (int i = 0; i < n; i++) {
    a[i] = vec8_set(0.0);
    y[i] = pack->q[i];
    b[i] = pack->f[i];
  }
  for (int k = 0; k < self->max_iterations && open != 0; k++) {
    bad |= solve_at(self, n, half, dim, pack, &(Point){y, NULL, k > 0}, open, w, b);
    for (int i = 0; i < n; i++)
      EACH_REGISTER(p) add_to(&a[i], p, vd_select(register_mask(open, p), vd_load(&b[i], p), vd_set(0.0)));
    open &= ~newton_done(self, n, b, a, y);
    for (int i = 0; i < n; i++)
      EACH_REGISTER(p)
      {
        const vd x = vd_load(&a[i], p);
        vd_store(&y[i], p, vd_fma(vd_set(self->block), x, vd_load(&pack->q[i], p)));
        vd_store(&b[i], p, -self->mass[i] * x);
      }
  }
  for (int i = 0; i < n; i++)
    EACH_REGISTER(p) vd_store(&pack->f[i], p, self->mass[i] * vd_load(&a[i], p));
  return ACCEL_INDEFINITE(bad) | open << LANES;
}

/* --- kernels ---------------------------------------------------------------------------------------------
 */

#define STACK_WORK(n)                                                                                        \
  Vec8 matrix[(n) * (n)], x[n], rows[n], a[n], y[n], b[n];                                                   \
  const Work work = {.matrix = matrix, .x = x, .rows = rows, .a = a, .y = y, .b = b}

static Work any_work(const Accel *self, const Pack *pack)
{
  const size_t n = (size_t)self->n;
  Vec8 *v = pack->scratch + self->size;
  return (Work){.matrix = pack->scratch,
                .x = v,
                .rows = v + n,
                .a = v + 2 * n,
                .y = v + 3 * n,
                .b = v + 4 * n,
                .exchange = v + 5 * n};
}

/* For the lanes that a faster kernel leaves unsolved. */
static unsigned lanes(const Accel *self, Pack *pack, const Vec8 *hess, unsigned lanes_of)
{
  const Work work = any_work(self, pack);
  return zhang_skeel(self, self->n, 0, pack->kind->dim, pack, hess, lanes_of, &work);
}

static unsigned zhang_skeel_any(const Accel *self, Pack *pack, const Vec8 *hess)
{
  return lanes(self, pack, self->n <= ACCEL_DENSE ? hess : NULL, 0xff);
}

static unsigned zhang_skeel_planar(const Accel *self, Pack *pack, const Vec8 *hess)
{
  STACK_WORK(4);
  return zhang_skeel(self, 4, 3, 2, pack, hess, 0xff, &work);
}

static unsigned zhang_skeel_spatial(const Accel *self, Pack *pack, const Vec8 *hess)
{
  STACK_WORK(9);
  return zhang_skeel(self, 9, 8, 3, pack, hess, 0xff, &work);
}

static unsigned newmark_any(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  const Work work = any_work(self, pack);
  return newmark(self, self->n, 0, pack->kind->dim, pack, &work);
}

static unsigned newmark_planar(const Accel *self, Pack *pack, const Vec8 *hess)
{
  (void)hess;
  STACK_WORK(4);
  return newmark(self, 4, 3, 2, pack, &work);
}

const AccelSolveKernels ISA_SYMBOL(accel_solve_kernels_table) = {
    .zhang_skeel = {zhang_skeel_any, zhang_skeel_planar, zhang_skeel_spatial},
    .newmark = {newmark_any, newmark_planar, newmark_any},
    .lanes = lanes,
};
