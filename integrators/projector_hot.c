#include "integrators/projector_hot.h"

#include <string.h>

#include "engine/jacobian_hot.h"
#include "integrators/triangle_hot.h"

ISA_DECLARE(ProjectorKernels, projector_kernels_table);

/* Computes J at q in pack->scratch, and after it the multipliers that project p onto the tangent space;
 * returns the active lanes without a solution. */
VEC_INLINE unsigned general_multipliers(int dim, const Projector *projector, const Pack *pack,
                                        JacobianRow **grad, Vec8 **mu)
{
  const Kind *kind = projector->jacobian->kind; /* may have fewer constraints than the pack */
  JacobianRow *rows = *grad = (JacobianRow *)pack->scratch;
  Vec8 *b = *mu = (Vec8 *)(rows + kind->ncon);
  const unsigned active = registers_nonzero(pack->active);
  jacobian_rows(dim, projector->jacobian, pack->q, NULL, rows);
  jacobian_dot(dim, kind, rows, projector->inverse_mass, pack->p, b);
  const JacobianGram gram = {rows, rows, projector->weight_mass, 1.0, 0.0, NULL};
  (void)jacobian_solve(dim, projector->jacobian, &gram, active, b, b + kind->ncon);
  vi fine[REGISTERS];
  EACH_REGISTER(p) fine[p] = ~(vi){0};
  for (int c = 0; c < kind->ncon; c++)
    EACH_REGISTER(p)
    {
      const vd x = -vd_load(&b[c], p);
      fine[p] &= vd_finite(x);
      vd_store(&b[c], p, x);
    }
  return active & ~registers_bits(fine);
}

VEC_INLINE unsigned project(int dim, const Projector *projector, Pack *pack, Vec8 *mu_out)
{
  JacobianRow *grad;
  Vec8 *mu;
  const unsigned failed = general_multipliers(dim, projector, pack, &grad, &mu);
  const Kind *kind = projector->jacobian->kind;
  jacobian_add(dim, kind, grad, projector->weight, mu, pack->p);
  for (int c = 0; mu_out != NULL && c < kind->ncon; c++)
    mu_out[c] = mu[c];
  return failed;
}

VEC_INLINE unsigned split(int dim, const Projector *projector, double factor, Pack *pack, Vec8 *across)
{
  const int n = pack->kind->nsite * dim;
  JacobianRow *grad;
  Vec8 *mu;
  const unsigned failed = general_multipliers(dim, projector, pack, &grad, &mu);
  memset(across, 0, (size_t)n * sizeof *across);
  jacobian_add(dim, projector->jacobian->kind, grad, projector->weight, mu, across);
  for (int i = 0; i < n; i++)
    EACH_REGISTER(p)
    {
      const vd off = vd_load(&across[i], p);
      vd_store(&pack->p[i], p, vd_load(&pack->p[i], p) + off);
      vd_store(&across[i], p, -factor * off);
    }
  return failed;
}

static unsigned general_apply(const Projector *projector, Pack *pack, Vec8 *mu)
{
  return JACOBIAN_FOR_DIM(project, pack->kind->dim, projector, pack, mu);
}

static unsigned general_split(const Projector *projector, double factor, Pack *pack, Vec8 *across)
{
  return JACOBIAN_FOR_DIM(split, pack->kind->dim, projector, factor, pack, across);
}

static unsigned general_join(const Projector *projector, const Vec8 *across, Pack *pack)
{
  const unsigned failed = general_apply(projector, pack, NULL);
  for (int i = 0; i < pack->kind->nsite * pack->kind->dim; i++)
    EACH_REGISTER(p) vd_store(&pack->p[i], p, vd_load(&pack->p[i], p) + vd_load(&across[i], p));
  return failed;
}

/* --- triangles ------------------------------------------------------------------------------------------
 */

/* Computes the sides of part of a pack, and the multipliers that project p onto the tangent space; returns
 * the lanes without a solution. */
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
    return 0; /* the inverse is constant: a NaN here was in p before */
  }
  triangle_pair(projector->pair, 1.0, pair);
  triangle_gram(r, pair, 0.0, gram);
  triangle_solve(gram, mu);
  const vi fine = vd_finite(mu[0]) & vd_finite(mu[1]) & vd_finite(mu[2]);
  return vi_bits(~fine & (vd_load(pack->active, part) != 0.0)) << part * WIDTH;
}

/* Projects, then adds `across` unless NULL. */
VEC_INLINE unsigned triangle_project(const Projector *projector, bool rigid, const Vec8 *across, Pack *pack,
                                     Vec8 *mu_out)
{
  unsigned failed = 0;
  for (int part = 0; part < REGISTERS; part++) {
    vd p[9], r[3][3], mu[3];
    triangle_load(pack->p, part, p);
    failed |= triangle_multipliers(projector, rigid, pack, part, p, r, mu);
    triangle_add(r, projector->weight, mu, p);
    UNROLL for (int i = 0; across != NULL && i < 9; i++) p[i] += vd_load(&across[i], part);
    triangle_store(p, part, pack->p);
    for (int c = 0; mu_out != NULL && c < 3; c++)
      vd_store(&mu_out[c], part, mu[c]);
  }
  return failed;
}

VEC_INLINE unsigned triangle_split(const Projector *projector, bool rigid, double factor, Pack *pack,
                                   Vec8 *across)
{
  unsigned failed = 0;
  for (int part = 0; part < REGISTERS; part++) {
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

/* The three functions of a triangle, on the manifold or anywhere. */
#define TRIANGLE_WAYS(name, is_rigid)                                                                        \
  static unsigned name##_apply(const Projector *projector, Pack *pack, Vec8 *mu)                             \
  {                                                                                                          \
    return triangle_project(projector, is_rigid, NULL, pack, mu);                                            \
  }                                                                                                          \
  static unsigned name##_split(const Projector *projector, double factor, Pack *pack, Vec8 *across)          \
  {                                                                                                          \
    return triangle_split(projector, is_rigid, factor, pack, across);                                        \
  }                                                                                                          \
  static unsigned name##_join(const Projector *projector, const Vec8 *across, Pack *pack)                    \
  {                                                                                                          \
    return triangle_project(projector, is_rigid, across, pack, NULL);                                        \
  }

TRIANGLE_WAYS(rigid, true)
TRIANGLE_WAYS(loose, false)

const ProjectorKernels ISA_SYMBOL(projector_kernels_table) = {
    .rigid = {rigid_apply, rigid_split, rigid_join},
    .triangle = {loose_apply, loose_split, loose_join},
    .general = {general_apply, general_split, general_join}};
