#include "integrators/projector_hot.h"
#include "integrators/gram_hot.h"

ISA_DECLARE(ProjectorKernels, projector_kernels_table);

/* J at q, and the multipliers that take p onto the tangent space. */
VEC_INLINE void multipliers(const Projector *projector, bool triangle, bool rigid, const Pack *pack,
                            Jacobian *jac, vd *mu)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  vd b[JACOBIAN_CON];
  jacobian_eval(kind, triangle, pack->q, NULL, jac);
  jacobian_dot(kind, triangle, jac, projector->inverse_mass, pack->p, b);
  if (rigid) {
    const double *a = projector->inverse;
    UNROLL for (int c = 0; c < 3; c++) mu[c] = -(a[3 * c] * b[0] + a[3 * c + 1] * b[1] + a[3 * c + 2] * b[2]);
    return;
  }
  vd gram[JACOBIAN_CON * JACOBIAN_CON], pair[9];
  jacobian_pair(triangle, 1.0, projector->pair, pair);
  jacobian_gram(kind, triangle, jac, jac, 1.0, projector->weight_mass, pair, 0.0, gram);
  for (int c = 0; c < n; c++)
    mu[c] = -b[c];
  lanes_solve(n, gram, mu);
}

VEC_INLINE void project(const Projector *projector, bool triangle, bool rigid, Pack *pack, vd *mu_out)
{
  Jacobian jac;
  vd mu[JACOBIAN_CON];
  multipliers(projector, triangle, rigid, pack, &jac, mu);
  jacobian_add(pack->kind, triangle, &jac, projector->weight, mu, pack->p);
  if (mu_out != NULL)
    for (int c = 0; c < (triangle ? 3 : pack->kind->ncon); c++)
      mu_out[c] = mu[c];
}

VEC_INLINE void split(const Projector *projector, bool triangle, bool rigid, double factor, Pack *pack,
                      vd *across)
{
  const int n = triangle ? 9 : pack->kind->nsite * pack->kind->dim;
  Jacobian jac;
  vd mu[JACOBIAN_CON], off[9];
  multipliers(projector, triangle, rigid, pack, &jac, mu);
  vd *taken = triangle ? off : across;
  UNROLL for (int i = 0; i < n; i++) taken[i] = vd_set(0.0);
  jacobian_add(pack->kind, triangle, &jac, projector->weight, mu, taken);
  UNROLL for (int i = 0; i < n; i++)
  {
    pack->p[i] += taken[i];
    across[i] = -factor * taken[i];
  }
}

VEC_INLINE void join(const Projector *projector, bool triangle, bool rigid, const vd *across, Pack *pack)
{
  const int n = triangle ? 9 : pack->kind->nsite * pack->kind->dim;
  project(projector, triangle, rigid, pack, NULL);
  UNROLL for (int i = 0; i < n; i++) pack->p[i] += across[i];
}

/* The same for a large kind: J and mu[ncon] stay behind in pack->scratch. */
static vd *banded_multipliers(const Projector *projector, const Pack *pack, JacobianRow **grad)
{
  const Kind *kind = pack->kind;
  const Band *band = projector->gram->band;
  const size_t n = (size_t)band->n;
  JacobianRow *rows = (JacobianRow *)pack->scratch;
  vd *mu = pack->scratch + n * JACOBIAN_TOUCH, *x = mu + n, *a = x + n;
  jacobian_rows(kind, pack->q, NULL, rows);
  jacobian_rows_dot(kind, rows, projector->inverse_mass, pack->p, mu);
  gram_fill(projector->gram, kind->dim, rows, rows, projector->weight_mass, a);
  for (int i = 0; i < band->n; i++)
    x[i] = -mu[band->unknown[i]];
  (void)projector->band->symmetric_factor(band->n, band->half, a);
  projector->band->symmetric_solve(band->n, band->half, a, x);
  for (int i = 0; i < band->n; i++)
    mu[band->unknown[i]] = x[i];
  *grad = rows;
  return mu;
}

static void banded_apply(const Projector *projector, Pack *pack, vd *mu_out)
{
  JacobianRow *grad;
  const vd *mu = banded_multipliers(projector, pack, &grad);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, pack->p);
  for (int c = 0; mu_out != NULL && c < pack->kind->ncon; c++)
    mu_out[c] = mu[c];
}

static void banded_split(const Projector *projector, double factor, Pack *pack, vd *across)
{
  const int n = pack->kind->nsite * pack->kind->dim;
  JacobianRow *grad;
  const vd *mu = banded_multipliers(projector, pack, &grad);
  for (int i = 0; i < n; i++)
    across[i] = vd_set(0.0);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, across);
  for (int i = 0; i < n; i++) {
    pack->p[i] += across[i];
    across[i] *= -factor;
  }
}

static void banded_join(const Projector *projector, const vd *across, Pack *pack)
{
  banded_apply(projector, pack, NULL);
  for (int i = 0; i < pack->kind->nsite * pack->kind->dim; i++)
    pack->p[i] += across[i];
}

/* The three functions of one way. */
#define WAYS(name, is_triangle, is_rigid)                                                                    \
  static void name##_apply(const Projector *projector, Pack *pack, vd *mu)                                   \
  {                                                                                                          \
    project(projector, is_triangle, is_rigid, pack, mu);                                                     \
  }                                                                                                          \
  static void name##_split(const Projector *projector, double factor, Pack *pack, vd *across)                \
  {                                                                                                          \
    split(projector, is_triangle, is_rigid, factor, pack, across);                                           \
  }                                                                                                          \
  static void name##_join(const Projector *projector, const vd *across, Pack *pack)                          \
  {                                                                                                          \
    join(projector, is_triangle, is_rigid, across, pack);                                                    \
  }

WAYS(rigid, true, true)
WAYS(triangle, true, false)
WAYS(general, false, false)

const ProjectorKernels ISA_SYMBOL(projector_kernels_table) = {
    .rigid = {rigid_apply, rigid_split, rigid_join},
    .triangle = {triangle_apply, triangle_split, triangle_join},
    .general = {general_apply, general_split, general_join},
    .banded = {banded_apply, banded_split, banded_join}};
