#include "integrators/projector_hot.h"
#include "integrators/constraints_hot.h"
#include "integrators/gram_hot.h"
#include "integrators/largest.h"
#include "integrators/triangle_hot.h"

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
static unsigned general_multipliers(const Projector *projector, const Pack *pack, JacobianRow *grad,
                                    Octet *mu)
{
  const Kind *kind = pack->kind;
  Octet b[JACOBIAN_CON], gram[JACOBIAN_CON * JACOBIAN_CON];
  jacobian_rows(kind, pack->q, NULL, grad);
  jacobian_rows_dot(kind, grad, projector->inverse_mass, pack->p, b);
  jacobian_gram(kind, grad, grad, 1.0, projector->weight_mass, 0.0, gram);
  for (int c = 0; c < kind->ncon; c++)
    mu[c] = -b[c];
  lanes_solve(kind->ncon, gram, mu);
  return without(kind->ncon, pack, mu);
}

static unsigned general_apply(const Projector *projector, Pack *pack, Octet *mu_out)
{
  JacobianRow grad[JACOBIAN_CON];
  Octet mu[JACOBIAN_CON];
  const unsigned failed = general_multipliers(projector, pack, grad, mu);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, pack->p);
  for (int c = 0; mu_out != NULL && c < pack->kind->ncon; c++)
    mu_out[c] = mu[c];
  return failed;
}

static unsigned general_split(const Projector *projector, double factor, Pack *pack, Octet *across)
{
  const int n = pack->kind->nsite * pack->kind->dim;
  JacobianRow grad[JACOBIAN_CON];
  Octet mu[JACOBIAN_CON];
  const unsigned failed = general_multipliers(projector, pack, grad, mu);
  for (int i = 0; i < n; i++)
    across[i] = octet_set(0.0);
  jacobian_rows_add(pack->kind, grad, projector->weight, mu, across);
  for (int i = 0; i < n; i++) {
    pack->p[i] += across[i];
    across[i] *= -factor;
  }
  return failed;
}

static unsigned general_join(const Projector *projector, const Octet *across, Pack *pack)
{
  const unsigned failed = general_apply(projector, pack, NULL);
  for (int i = 0; i < pack->kind->nsite * pack->kind->dim; i++)
    pack->p[i] += across[i];
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

/* --- triangles ------------------------------------------------------------------------------------------
 */

/* The sides of part of a pack, and the multipliers that take p onto the tangent space; the lanes that have
 * none come back. */
VEC_INLINE unsigned triangle_multipliers(const Projector *projector, bool rigid, const Pack *pack, int part,
                                         const vd p[9], vd r[3][3], vd mu[3])
{
  vd q[9], b[3], pair[TRIANGLE_SYMMETRIC], gram[TRIANGLE_SYMMETRIC];
  triangle_load(pack->q, part, q);
  triangle_sides(q, r);
  triangle_dot(r, projector->inverse_mass, p, b);
  UNROLL for (int c = 0; c < 3; c++) mu[c] = -b[c];
  if (rigid) {
    triangle_apply(projector->inverse, mu, mu);
    return 0; /* constant: what is no number here has been before */
  }
  triangle_pair(projector->pair, 1.0, pair);
  triangle_gram(r, pair, 0.0, gram);
  triangle_solve(gram, mu);
  const vi fine = vd_finite(mu[0]) & vd_finite(mu[1]) & vd_finite(mu[2]);
  return vi_bits(~fine & (vd_load(pack->active, part) != 0.0)) << part * WIDTH;
}

VEC_INLINE unsigned triangle_project(const Projector *projector, bool rigid, Pack *pack, Octet *mu_out)
{
  unsigned failed = 0;
  for (int part = 0; part < PARTS; part++) {
    vd p[9], r[3][3], mu[3];
    triangle_load(pack->p, part, p);
    failed |= triangle_multipliers(projector, rigid, pack, part, p, r, mu);
    triangle_add(r, projector->weight, mu, p);
    triangle_store(p, part, pack->p);
    for (int c = 0; mu_out != NULL && c < 3; c++)
      vd_store(&mu_out[c], part, mu[c]);
  }
  return failed;
}

VEC_INLINE unsigned triangle_split(const Projector *projector, bool rigid, double factor, Pack *pack,
                                   Octet *across)
{
  unsigned failed = 0;
  for (int part = 0; part < PARTS; part++) {
    vd p[9], r[3][3], mu[3], off[9];
    triangle_load(pack->p, part, p);
    failed |= triangle_multipliers(projector, rigid, pack, part, p, r, mu);
    UNROLL for (int i = 0; i < 9; i++) off[i] = vd_set(0.0);
    triangle_add(r, projector->weight, mu, off);
    UNROLL for (int i = 0; i < 9; i++)
    {
      vd_store(&pack->p[i], part, p[i] + off[i]);
      vd_store(&across[i], part, -factor * off[i]);
    }
  }
  return failed;
}

VEC_INLINE unsigned triangle_join(const Projector *projector, bool rigid, const Octet *across, Pack *pack)
{
  unsigned failed = 0;
  for (int part = 0; part < PARTS; part++) {
    vd p[9], r[3][3], mu[3];
    triangle_load(pack->p, part, p);
    failed |= triangle_multipliers(projector, rigid, pack, part, p, r, mu);
    triangle_add(r, projector->weight, mu, p);
    UNROLL for (int i = 0; i < 9; i++) p[i] += vd_load(&across[i], part);
    triangle_store(p, part, pack->p);
  }
  return failed;
}

/* The three functions of a triangle on the manifold or anywhere. */
#define TRIANGLE_WAYS(name, is_rigid)                                                                        \
  static unsigned name##_apply(const Projector *projector, Pack *pack, Octet *mu)                            \
  {                                                                                                          \
    return triangle_project(projector, is_rigid, pack, mu);                                                  \
  }                                                                                                          \
  static unsigned name##_split(const Projector *projector, double factor, Pack *pack, Octet *across)         \
  {                                                                                                          \
    return triangle_split(projector, is_rigid, factor, pack, across);                                        \
  }                                                                                                          \
  static unsigned name##_join(const Projector *projector, const Octet *across, Pack *pack)                   \
  {                                                                                                          \
    return triangle_join(projector, is_rigid, across, pack);                                                 \
  }

TRIANGLE_WAYS(rigid, true)
TRIANGLE_WAYS(loose, false)

const ProjectorKernels ISA_SYMBOL(projector_kernels_table) = {
    .rigid = {rigid_apply, rigid_split, rigid_join},
    .triangle = {loose_apply, loose_split, loose_join},
    .general = {general_apply, general_split, general_join},
    .banded = {banded_apply, banded_split, banded_join}};
