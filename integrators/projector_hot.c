#include "integrators/projector_hot.h"
#include "integrators/constraints_hot.h"
#include "integrators/gram_hot.h"
#include "integrators/largest.h"

ISA_DECLARE(ProjectorKernels, projector_kernels_table);

/* Active lanes in which not all multipliers are finite. */
VEC_INLINE unsigned without(int n, const Pack *pack, const Octet *mu)
{
  OctetMask fine = *pack->active == 0.0;
  OctetMask all = ~(OctetMask){0};
  for (int c = 0; c < n; c++)
    all &= largest_finite(mu[c]);
  return octet_bits(~(fine | all));
}

/* J at q, and the multipliers that take p onto the tangent space; the lanes that have none come back. */
VEC_INLINE unsigned multipliers(const Projector *projector, bool triangle, bool rigid, const Pack *pack,
                                Jacobian *jac, Octet *mu)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  Octet b[JACOBIAN_CON];
  jacobian_eval(kind, triangle, pack->q, NULL, jac);
  jacobian_dot(kind, triangle, jac, projector->inverse_mass, pack->p, b);
  if (rigid) {
    const double *a = projector->inverse;
    UNROLL for (int c = 0; c < 3; c++) mu[c] = -(a[3 * c] * b[0] + a[3 * c + 1] * b[1] + a[3 * c + 2] * b[2]);
    return 0; /* constant: what is no number here has been before */
  }
  Octet gram[JACOBIAN_CON * JACOBIAN_CON], pair[9];
  jacobian_pair(triangle, 1.0, projector->pair, pair);
  jacobian_gram(kind, triangle, jac, jac, 1.0, projector->weight_mass, pair, 0.0, gram);
  for (int c = 0; c < n; c++)
    mu[c] = -b[c];
  lanes_solve(n, gram, mu);
  return without(n, pack, mu);
}

VEC_INLINE unsigned project(const Projector *projector, bool triangle, bool rigid, Pack *pack, Octet *mu_out)
{
  Jacobian jac;
  Octet mu[JACOBIAN_CON];
  const unsigned failed = multipliers(projector, triangle, rigid, pack, &jac, mu);
  jacobian_add(pack->kind, triangle, &jac, projector->weight, mu, pack->p);
  if (mu_out != NULL)
    for (int c = 0; c < (triangle ? 3 : pack->kind->ncon); c++)
      mu_out[c] = mu[c];
  return failed;
}

VEC_INLINE unsigned split(const Projector *projector, bool triangle, bool rigid, double factor, Pack *pack,
                          Octet *across)
{
  const int n = triangle ? 9 : pack->kind->nsite * pack->kind->dim;
  Jacobian jac;
  Octet mu[JACOBIAN_CON], off[9];
  const unsigned failed = multipliers(projector, triangle, rigid, pack, &jac, mu);
  Octet *taken = triangle ? off : across;
  UNROLL for (int i = 0; i < n; i++) taken[i] = octet_set(0.0);
  jacobian_add(pack->kind, triangle, &jac, projector->weight, mu, taken);
  UNROLL for (int i = 0; i < n; i++)
  {
    pack->p[i] += taken[i];
    across[i] = -factor * taken[i];
  }
  return failed;
}

VEC_INLINE unsigned join(const Projector *projector, bool triangle, bool rigid, const Octet *across,
                         Pack *pack)
{
  const int n = triangle ? 9 : pack->kind->nsite * pack->kind->dim;
  const unsigned failed = project(projector, triangle, rigid, pack, NULL);
  UNROLL for (int i = 0; i < n; i++) pack->p[i] += across[i];
  return failed;
}

/* The same for a large kind: J and mu[ncon] stay behind in pack->scratch. Lanes with bad pivots are solved
 * with row exchanges; where there is no solution, multipliers are no numbers. */
static unsigned banded_multipliers(const Projector *projector, const Pack *pack, JacobianRow **grad,
                                   const Octet **multiplier)
{
  const Kind *kind = pack->kind;
  const Gram *gram = projector->gram;
  const Band *band = gram->band;
  const size_t n = (size_t)band->n;
  JacobianRow *rows = (JacobianRow *)pack->scratch;
  Octet *mu = pack->scratch + n * JACOBIAN_TOUCH, *x = mu + n, *a = x + n;
  jacobian_rows(kind, pack->q, NULL, rows);
  jacobian_rows_dot(kind, rows, projector->inverse_mass, pack->p, mu);
  gram_fill(gram, kind->dim, rows, rows, projector->weight_mass, a);
  for (int i = 0; i < band->n; i++)
    x[i] = -mu[band->unknown[i]];
  const unsigned bad =
      ~projector->band->symmetric_factor(band->n, band->half, a) & octet_bits(*pack->active != 0.0);
  projector->band->symmetric_solve(band->n, band->half, a, x);
  if (bad != 0) {
    const OctetMask mask = constraints_mask(bad);
    gram_fill(gram, kind->dim, rows, rows, projector->weight_mass, a);
    for (int i = 0; i < band->n; i++)
      x[i] = octet_select(mask, -mu[band->unknown[i]], x[i]);
    const OctetMask none =
        constraints_mask(band_exchange(band->n, band->half, true, a, bad, x, a + gram->size));
    for (int i = 0; i < band->n; i++)
      x[i] = octet_select(none, octet_set(__builtin_nan("")), x[i]);
  }
  for (int i = 0; i < band->n; i++)
    mu[band->unknown[i]] = x[i];
  *grad = rows;
  *multiplier = mu;
  return bad != 0 ? without(band->n, pack, mu) : 0;
}

static unsigned banded_apply(const Projector *projector, Pack *pack, Octet *mu_out)
{
  JacobianRow *grad;
  const Octet *mu;
  const unsigned failed = banded_multipliers(projector, pack, &grad, &mu);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, pack->p);
  for (int c = 0; mu_out != NULL && c < pack->kind->ncon; c++)
    mu_out[c] = mu[c];
  return failed;
}

static unsigned banded_split(const Projector *projector, double factor, Pack *pack, Octet *across)
{
  const int n = pack->kind->nsite * pack->kind->dim;
  JacobianRow *grad;
  const Octet *mu;
  const unsigned failed = banded_multipliers(projector, pack, &grad, &mu);
  for (int i = 0; i < n; i++)
    across[i] = octet_set(0.0);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, across);
  for (int i = 0; i < n; i++) {
    pack->p[i] += across[i];
    across[i] *= -factor;
  }
  return failed;
}

static unsigned banded_join(const Projector *projector, const Octet *across, Pack *pack)
{
  const unsigned failed = banded_apply(projector, pack, NULL);
  for (int i = 0; i < pack->kind->nsite * pack->kind->dim; i++)
    pack->p[i] += across[i];
  return failed;
}

/* The three functions of one way. */
#define WAYS(name, is_triangle, is_rigid)                                                                    \
  static unsigned name##_apply(const Projector *projector, Pack *pack, Octet *mu)                            \
  {                                                                                                          \
    return project(projector, is_triangle, is_rigid, pack, mu);                                              \
  }                                                                                                          \
  static unsigned name##_split(const Projector *projector, double factor, Pack *pack, Octet *across)         \
  {                                                                                                          \
    return split(projector, is_triangle, is_rigid, factor, pack, across);                                    \
  }                                                                                                          \
  static unsigned name##_join(const Projector *projector, const Octet *across, Pack *pack)                   \
  {                                                                                                          \
    return join(projector, is_triangle, is_rigid, across, pack);                                             \
  }

WAYS(rigid, true, true)
WAYS(triangle, true, false)
WAYS(general, false, false)

const ProjectorKernels ISA_SYMBOL(projector_kernels_table) = {
    .rigid = {rigid_apply, rigid_split, rigid_join},
    .triangle = {triangle_apply, triangle_split, triangle_join},
    .general = {general_apply, general_split, general_join},
    .banded = {banded_apply, banded_split, banded_join}};
