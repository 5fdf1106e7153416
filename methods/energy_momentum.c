/* The energy-momentum scheme (Gonzalez 1999, (21) and (33)), with discrete derivatives D (discrete.h):
 *
 *   q' - q = h M^-1 (p + p')/2,   p' - p = -h D V(q, q') - h sum_c lambda_c D g_c(q, q'),   g(q') = 0.
 *
 * Eliminating p' gives, for the move u = q' - q and nu = h^2/2 lambda,
 *
 *   M u - h p + h^2/2 D V + sum_c nu_c D g_c = 0,   g(q + u) = 0.
 *
 * Newton's method solves these equations, with one dense linear system per lane and iteration. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/band.h"
#include "integrators/largest.h"
#include "methods/discrete.h"
#include "methods/method_table.h"

enum { UNKNOWNS_MAX = 300 };

typedef struct EnergyMomentum {
  int n, ncon; /* coordinates, constraints */
  double tolerance;
  int max_iterations;
} EnergyMomentum;

/* The arrays in pack->scratch; n + ncon = size. The multipliers come first. */
typedef struct Work {
  Vec8 *lambda;         /* [ncon]                                      */
  Vec8 *x;              /* [size] u, then nu                           */
  Vec8 *residual;       /* [size]                                      */
  Vec8 *matrix;         /* [size][size]                                */
  Vec8 *q, *middle;     /* [n] q', (q + q')/2                          */
  double *lane, *right; /* one lane: [size][size], [size]              */
  int *pivot;           /* [size]                                      */
} Work;

static size_t work_vectors(size_t n, size_t ncon)
{
  const size_t size = n + ncon, doubles = size * size + size;
  return ncon + 2 * size + size * size + 2 * n + doubles / LANES + 1 + size / LANES + 1;
}

static Work work_view(const EnergyMomentum *self, Vec8 *scratch)
{
  const size_t n = (size_t)self->n, ncon = (size_t)self->ncon, size = n + ncon;
  Work w = {.lambda = scratch};
  w.x = w.lambda + ncon;
  w.residual = w.x + size;
  w.matrix = w.residual + size;
  w.q = w.matrix + size * size;
  w.middle = w.q + n;
  w.lane = (double *)(w.middle + n);
  w.right = w.lane + size * size;
  w.pivot = (int *)(w.right + size);
  return w;
}

static Status energy_momentum_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa,
                                     Error *error)
{
  (void)isa;
  *self = NULL;
  const int n = kind->nsite * kind->dim;
  if (n + kind->ncon > UNKNOWNS_MAX)
    return error_set(
        error, STATUS_INPUT,
        "'%s' has %d coordinates and %d constraints; the dense solves of energy-momentum allow %d in all",
        kind->name, n, kind->ncon, UNKNOWNS_MAX);
  EnergyMomentum *em = malloc(sizeof *em);
  TRY_MEMORY(em != NULL, "a method", error);
  *em = (EnergyMomentum){n, kind->ncon, options->step.tolerance, options->step.max_iterations};
  *self = em;
  return STATUS_OK;
}

static int energy_momentum_multipliers(const void *self) { return ((const EnergyMomentum *)self)->ncon; }

static size_t energy_momentum_scratch(const void *self)
{
  const EnergyMomentum *em = self;
  return work_vectors((size_t)em->n, (size_t)em->ncon);
}

/* residual += weight D f and matrix += weight d(D f)/dq' for one function; column, unless negative, gets D f.
 */
static void add_function(const Constraint *f, int dim, int size, const DiscretePair *pair, Vec8 weight,
                         int column, Work *w)
{
  Vec8 d[DISCRETE_TOUCHED], slope[DISCRETE_TOUCHED * DISCRETE_TOUCHED];
  discrete_derivative(f, dim, pair, d, slope);
  const int touched = f->nsite * dim;
  for (int k = 0; k < touched; k++) {
    const int i = f->site[k / dim] * dim + k % dim;
    w->residual[i] += weight * d[k];
    if (column >= 0)
      w->matrix[i * size + column] += d[k];
    for (int l = 0; l < touched; l++)
      w->matrix[i * size + f->site[l / dim] * dim + l % dim] += weight * slope[k * touched + l];
  }
}

static void assemble(const EnergyMomentum *self, double t, const Pack *pack, Work *w)
{
  const Kind *kind = pack->kind;
  const int n = self->n, dim = kind->dim, size = n + self->ncon;
  memset(w->matrix, 0, (size_t)size * (size_t)size * sizeof(Vec8));
  for (int i = 0; i < n; i++) {
    const double m = kind->mass[i / dim];
    w->q[i] = pack->q[i] + w->x[i];
    w->middle[i] = pack->q[i] + 0.5 * w->x[i];
    w->residual[i] = m * w->x[i] - t * pack->p[i];
    w->matrix[i * size + i] = vec8_set(m);
  }
  const DiscretePair pair = {pack->q, w->q, w->middle, w->x};
  for (int k = 0; k < kind->npot; k++)
    add_function(&kind->pot[k], dim, size, &pair, vec8_set(0.5 * t * t), -1, w);
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 grad[DISCRETE_TOUCHED];
    add_function(con, dim, size, &pair, w->x[n + c], n + c, w);
    con->type->eval(con, dim, w->q, &w->residual[n + c], grad);
    for (int k = 0; k < con->nsite * dim; k++)
      w->matrix[(n + c) * size + con->site[k / dim] * dim + k % dim] += grad[k];
  }
}

/* Replaces residual by matrix^-1 residual in the lanes of the mask, by NaN if the matrix is singular, by 0 in
 * other lanes. */
static void solve(int size, const Vec8Mask *mask, Work *w)
{
  for (int l = 0; l < LANES; l++) {
    const bool open = (*mask)[l] != 0;
    for (int i = 0; i < size; i++) {
      w->right[i] = w->residual[i][l];
      for (int j = 0; open && j < size; j++)
        w->lane[i * size + j] = w->matrix[i * size + j][l];
    }
    const bool solved = open && band_dense(size, w->lane, 1, w->right, w->pivot, NULL);
    for (int i = 0; i < size; i++)
      w->residual[i][l] = solved ? w->right[i] : (open ? NAN : 0.0);
  }
}

static Vec8 largest(int n, const Vec8 *x)
{
  Vec8 most = vec8_set(0.0);
  for (int i = 0; i < n; i++)
    most = largest_of(most, x[i]);
  return most;
}

static unsigned energy_momentum_step(const void *self, double t, Pack *pack)
{
  const EnergyMomentum *em = self;
  const int n = em->n, size = n + em->ncon, dim = pack->kind->dim;
  Work w = work_view(em, pack->scratch);
  for (int i = 0; i < size; i++)
    w.x[i] = i < n ? t / pack->kind->mass[i / dim] * pack->p[i] : vec8_set(0.0);
  const double epsilon = 2.220446049250313e-16;
  const Vec8 place = largest(n, pack->q);
  Vec8Mask done = *pack->active == 0.0;
  Vec8 before = vec8_set(INFINITY);
  for (int k = 0; k < em->max_iterations && vec8_bits(~done) != 0; k++) {
    assemble(em, t, pack, &w);
    const Vec8Mask open = ~done;
    solve(size, &open, &w);
    for (int i = 0; i < size; i++)
      w.x[i] -= w.residual[i];
    /* Converged, or at the rounding of the positions without further progress. */
    const Vec8 change = largest(n, w.residual);
    done |= (change <= em->tolerance * largest(n, w.x) + 4.0 * epsilon * place) |
            ((change >= 0.5 * before) & (change <= 1e3 * epsilon * place));
    before = change;
  }
  for (int i = 0; i < n; i++) {
    pack->q[i] += w.x[i];
    pack->p[i] = 2.0 / t * pack->kind->mass[i / dim] * w.x[i] - pack->p[i];
  }
  for (int c = 0; c < em->ncon; c++)
    w.lambda[c] = -2.0 / (t * t) * w.x[n + c];
  return vec8_bits(~done);
}

const Method method_energy_momentum = {
    .name = "energy-momentum",
    .doc = "conserves H, g and, with potentials and constraints of distances, momentum and angular momentum; "
           "momenta are not tangent",
    .cite = "Gonzalez, Physica D 132, 165 (1999)",
    .traits = METHOD_REVERSIBLE | METHOD_CONSTRAINTS,
    .order = 2,
    .create = energy_momentum_create,
    .scratch = energy_momentum_scratch,
    .step = energy_momentum_step,
    .multipliers = energy_momentum_multipliers,
    .free = free,
};
