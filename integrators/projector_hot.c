#include "integrators/projector_hot.h"
#include "integrators/jacobian_hot.h"

ISA_DECLARE(ProjectorKernels, projector_kernels_table);

VEC_INLINE void project(const Projector *projector, bool triangle, bool rigid, Pack *pack, vd *mu_out)
{
  const Kind *kind = pack->kind;
  const int n = triangle ? 3 : kind->ncon;
  Jacobian jac;
  vd b[JACOBIAN_CON], mu[JACOBIAN_CON];
  jacobian_eval(kind, triangle, pack->q, NULL, &jac);
  jacobian_dot(kind, triangle, &jac, projector->inverse_mass, pack->p, b);
  if (rigid) {
    const double *a = projector->inverse;
    UNROLL for (int c = 0; c < 3; c++) mu[c] = -(a[3 * c] * b[0] + a[3 * c + 1] * b[1] + a[3 * c + 2] * b[2]);
  } else {
    vd gram[JACOBIAN_CON * JACOBIAN_CON], pair[9];
    jacobian_pair(triangle, 1.0, projector->pair, pair);
    jacobian_gram(kind, triangle, &jac, &jac, 1.0, projector->weight_mass, pair, 0.0, gram);
    for (int c = 0; c < n; c++)
      mu[c] = -b[c];
    lanes_solve(n, gram, mu);
  }
  jacobian_add(kind, triangle, &jac, projector->weight, mu, pack->p);
  if (mu_out != NULL)
    for (int c = 0; c < n; c++)
      mu_out[c] = mu[c];
}

static void rigid(const Projector *projector, Pack *pack, vd *mu)
{
  project(projector, true, true, pack, mu);
}

static void triangle(const Projector *projector, Pack *pack, vd *mu)
{
  project(projector, true, false, pack, mu);
}

static void general(const Projector *projector, Pack *pack, vd *mu)
{
  project(projector, false, false, pack, mu);
}

const ProjectorKernels ISA_SYMBOL(projector_kernels_table) = {rigid, triangle, general};
