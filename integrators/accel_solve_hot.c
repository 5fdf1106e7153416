/* The maps that solve by the matrix of the whole molecule: dense up to ACCEL_DENSE coordinates, where work
 * lies on the stack and small sizes are unrolled; banded above, where it lies in pack->scratch. */
#include <string.h>

#include "integrators/accel_matrix_hot.h"
#include "integrators/largest.h"

ISA_DECLARE(AccelSolveKernels, accel_solve_kernels_table);

/* Solves A x = b by L D L'; b becomes x. Returns the lanes whose pivots are all well above rounding, in
 * which A is positive definite; x is meaningless in the others. Only the lower triangle is used. */
VEC_INLINE OctetMask solve_definite(int n, Octet *a, Octet *b)
{
  OctetMask definite = ~(OctetMask){0};
  for (int k = 0; k < n; k++) {
    Octet *row = a + k * n;
    const Octet diagonal = row[k];
    for (int j = 0; j < k; j++) {
      Octet sum = row[j];
      for (int i = 0; i < j; i++)
        sum -= row[i] * a[j * n + i]; /* row[i] = L_ki D_i, as long as the row is in work */
      row[j] = sum;
    }
    Octet pivot = diagonal;
    for (int j = 0; j < k; j++) {
      const Octet scaled = row[j];
      row[j] = scaled * a[j * n + j]; /* 1/D_j */
      pivot -= scaled * row[j];
      b[k] -= row[j] * b[j];
    }
    definite &= pivot > 1e-13 * octet_abs(diagonal);
    row[k] = lanes_recip(pivot);
  }
  for (int k = n - 1; k >= 0; k--) {
    b[k] *= a[k * n + k];
    for (int j = k + 1; j < n; j++)
      b[k] -= a[j * n + k] * b[j];
  }
  return definite;
}

/* Some lanes' systems by elimination with exchanges; a has the lower triangle. */
static __attribute__((noinline)) void solve_lanes(int n, unsigned lanes, const Octet *a, const Octet *b,
                                                  Octet *x)
{
  double matrix[ACCEL_DENSE * ACCEL_DENSE], vector[ACCEL_DENSE];
  for (int lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1u))
      continue;
    for (int i = 0; i < n; i++) {
      vector[i] = b[i][lane];
      for (int j = 0; j <= i; j++)
        matrix[i * n + j] = matrix[j * n + i] = a[i * n + j][lane];
    }
    accel_eliminate(n, matrix, vector);
    for (int i = 0; i < n; i++)
      x[i][lane] = vector[i];
  }
}

/* What a solve works in. */
typedef struct Work {
  Octet *matrix;    /* dense: [n][n]; banded: see band.h      */
  Octet *x, *rows;  /* [n]                                    */
  Octet *a, *y, *b; /* [n] of the maps                        */
  Octet *exchange;  /* banded: for band_exchange              */
} Work;

/* The matrix at q, and b becomes f - w^2 J'g, with `potentials` less their gradient too. */
VEC_INLINE void system_at(const Accel *self, int n, int dim, bool banded, const Octet *q, const Octet *hess,
                          bool potentials, Octet *b, Octet *matrix)
{
  if (banded) {
    memset(matrix, 0, self->matrix_size * sizeof(Octet));
    for (int i = 0; i < n; i++)
      matrix[self->diagonal[i]] = octet_set(self->mass[i]);
  } else {
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        matrix[i * n + j] = hess != NULL ? self->block * hess[i * n + j] : octet_set(0.0);
    for (int i = 0; i < n; i++)
      matrix[i * n + i] += self->mass[i];
  }
  matrix_terms(self, n, dim, q, potentials, b, matrix);
}

static unsigned solve_band(const Accel *self, const Work *w)
{
  const Band *band = self->band;
  for (int i = 0; i < band->n; i++)
    w->rows[band->row[i]] = w->x[i];
  const unsigned sound = self->bands->symmetric_factor(band->n, band->half, w->matrix);
  self->bands->symmetric_solve(band->n, band->half, w->matrix, w->rows);
  for (int i = 0; i < band->n; i++)
    w->x[i] = w->rows[band->row[i]];
  return sound;
}

/* Some lanes of x by exchanges, from the system assembled anew. */
static __attribute__((noinline)) void solve_band_lanes(const Accel *self, unsigned lanes, const Octet *b,
                                                       const Work *w)
{
  const Band *band = self->band;
  for (int i = 0; i < band->n; i++)
    w->rows[band->row[i]] = b[i];
  const unsigned singular = band_exchange(band->n, band->half, true, w->matrix, lanes, w->rows, w->exchange);
  for (int i = 0; i < band->n; i++)
    for (int l = 0; l < LANES; l++)
      if (lanes >> l & 1u)
        w->x[i][l] = singular >> l & 1u ? NAN : w->rows[band->row[i]][l];
}

/* Of some lanes those in which x[n] is not all finite: singular, or of a state that is no number. */
static __attribute__((noinline)) unsigned unsolved(int n, unsigned lanes, const Octet *x)
{
  OctetMask fine = ~(OctetMask){0};
  for (int i = 0; i < n; i++)
    fine &= largest_finite(x[i]);
  return lanes & ~octet_bits(fine);
}

/* The system at q solved in b; returns the active lanes whose matrix is not positive definite, and of these,
 * LANES bits above, those that have no solution. */
VEC_INLINE unsigned solve_at(const Accel *self, int n, int dim, bool banded, const Pack *pack, const Octet *q,
                             const Octet *hess, bool potentials, const OctetMask *mask, Work *w, Octet *b)
{
  for (int i = 0; i < n; i++)
    w->x[i] = b[i];
  system_at(self, n, dim, banded, q, hess, potentials, w->x, w->matrix);
  const unsigned wanted = octet_bits(*mask & (*pack->active != 0.0));
  const unsigned bad =
      wanted & ~(banded ? solve_band(self, w) : octet_bits(solve_definite(n, w->matrix, w->x)));
  if (__builtin_expect(bad != 0, 0)) {
    system_at(self, n, dim, banded, q, hess, potentials, b, w->matrix);
    if (banded)
      solve_band_lanes(self, bad, b, w);
    else
      solve_lanes(n, bad, w->matrix, b, w->x);
  }
  for (int i = 0; i < n; i++)
    b[i] = w->x[i];
  return __builtin_expect(bad != 0, 0) ? bad | unsolved(n, bad, b) << LANES : 0;
}

/* f = M a - 1/2 beta^2 h^4 D3V[a, a], the last term for Zhang-Skeel in full; in lanes off the mask f stays.
 */
VEC_INLINE unsigned zhang_skeel(const Accel *self, int n, int dim, bool banded, Pack *pack, const Octet *hess,
                                const OctetMask *mask, Work *w)
{
  for (int i = 0; i < n; i++)
    w->a[i] = pack->f[i];
  const unsigned bad = solve_at(self, n, dim, banded, pack, pack->q, hess, false, mask, w, w->a);
  if (!self->third) {
    for (int i = 0; i < n; i++)
      pack->f[i] = octet_select(*mask, self->mass[i] * w->a[i], pack->f[i]);
    return bad;
  }
  for (int i = 0; i < n; i++)
    w->b[i] = octet_set(0.0);
  matrix_third(self, dim, pack->q, w->a, w->b);
  const double scale = -0.5 * self->block * self->block;
  for (int i = 0; i < n; i++)
    pack->f[i] = octet_select(*mask, self->mass[i] * w->a[i] + scale * w->b[i], pack->f[i]);
  return bad;
}

/* Lanes in which the last change of beta h^2 a is within the tolerance of beta h^2 a, or of the rounding of
 * the positions y that it is added to. */
VEC_INLINE OctetMask newton_done(const Accel *self, int n, const Octet *change, const Octet *a,
                                 const Octet *y)
{
  Octet most = octet_set(0.0), reach = octet_set(0.0), place = octet_set(0.0);
  for (int i = 0; i < n; i++) {
    most = largest_of(most, change[i]);
    reach = octet_max(octet_abs(a[i]), reach);
    place = octet_max(octet_abs(y[i]), place);
  }
  return self->block * most <= self->tolerance * self->block * reach + 1e-15 * place;
}

/* M a = -grad V(x + beta h^2 a) by Newton's method from a = 0, whose first step is that of "zss-block". */
VEC_INLINE unsigned newmark(const Accel *self, int n, int dim, bool banded, Pack *pack, Work *w)
{
  Octet *a = w->a, *y = w->y, *b = w->b;
  OctetMask done = *pack->active == 0.0;
  for (int i = 0; i < n; i++) {
    a[i] = octet_set(0.0);
    y[i] = pack->q[i];
    b[i] = pack->f[i];
  }
  unsigned bad = 0;
  for (int k = 0; k < self->max_iterations && octet_bits(~done) != 0; k++) {
    const OctetMask open = ~done;
    bad |= solve_at(self, n, dim, banded, pack, y, NULL, k > 0, &open, w, b);
    for (int i = 0; i < n; i++)
      a[i] = octet_select(done, a[i], a[i] + b[i]);
    done |= newton_done(self, n, b, a, y);
    for (int i = 0; i < n; i++) {
      y[i] = pack->q[i] + self->block * a[i];
      b[i] = -self->mass[i] * a[i];
    }
  }
  for (int i = 0; i < n; i++)
    pack->f[i] = self->mass[i] * a[i];
  return ACCEL_INDEFINITE(bad) | octet_bits(~done) << LANES;
}

/* --- kernels ---------------------------------------------------------------------------------------------
 */

#define DENSE_WORK(n)                                                                                        \
  Octet matrix[(n) * (n)], x[n], a[n], y[n], b[n];                                                           \
  Work work = {.matrix = matrix, .x = x, .a = a, .y = y, .b = b};                                            \
  const OctetMask all = ~(OctetMask) { 0 }

static Work band_work(const Accel *self, const Pack *pack)
{
  const size_t n = (size_t)self->n;
  Octet *v = pack->scratch + self->matrix_size;
  return (Work){.matrix = pack->scratch,
                .x = v,
                .rows = v + n,
                .a = v + 2 * n,
                .y = v + 3 * n,
                .b = v + 4 * n,
                .exchange = v + 5 * n};
}

static unsigned zhang_skeel_any(const Accel *self, Pack *pack, const Octet *hess)
{
  DENSE_WORK(ACCEL_DENSE);
  return zhang_skeel(self, self->n, pack->kind->dim, false, pack, hess, &all, &work);
}

static unsigned zhang_skeel_planar(const Accel *self, Pack *pack, const Octet *hess)
{
  DENSE_WORK(4);
  return zhang_skeel(self, 4, 2, false, pack, hess, &all, &work);
}

static unsigned zhang_skeel_spatial(const Accel *self, Pack *pack, const Octet *hess)
{
  DENSE_WORK(9);
  return zhang_skeel(self, 9, 3, false, pack, hess, &all, &work);
}

static unsigned zhang_skeel_band(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  Work work = band_work(self, pack);
  const OctetMask all = ~(OctetMask){0};
  return zhang_skeel(self, self->n, pack->kind->dim, true, pack, NULL, &all, &work);
}

/* For the few molecules that a faster way does not do. */
static __attribute__((noinline)) unsigned lanes(const Accel *self, Pack *pack, const Octet *hess,
                                                const OctetMask *mask)
{
  DENSE_WORK(ACCEL_DENSE);
  (void)all;
  return zhang_skeel(self, self->n, pack->kind->dim, false, pack, hess, mask, &work);
}

static unsigned newmark_any(const Accel *self, Pack *pack, const Octet *hess)
{
  DENSE_WORK(ACCEL_DENSE);
  (void)all;
  (void)hess;
  return newmark(self, self->n, pack->kind->dim, false, pack, &work);
}

static unsigned newmark_planar(const Accel *self, Pack *pack, const Octet *hess)
{
  DENSE_WORK(4);
  (void)all;
  (void)hess;
  return newmark(self, 4, 2, false, pack, &work);
}

static unsigned newmark_band(const Accel *self, Pack *pack, const Octet *hess)
{
  (void)hess;
  Work work = band_work(self, pack);
  return newmark(self, self->n, pack->kind->dim, true, pack, &work);
}

const AccelSolveKernels ISA_SYMBOL(accel_solve_kernels_table) = {
    .zhang_skeel = {zhang_skeel_any, zhang_skeel_planar, zhang_skeel_spatial, zhang_skeel_band},
    .newmark = {newmark_any, newmark_planar, newmark_any, newmark_band},
    .lanes = lanes,
};
