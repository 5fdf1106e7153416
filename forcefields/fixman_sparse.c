#include "forcefields/fixman_sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/jacobian_hot.h"

struct FixmanSparse {
  Kind kept;
  Jacobian *jacobian;
};

Status fixman_sparse_create(FixmanSparse **fixman, const Kind *kind, Isa isa, Error *error)
{
  *fixman = NULL;
  const Kind kept = kind_kept(kind);
  if (!kind->sparse || kept.ncon == 0)
    return STATUS_OK;
  FixmanSparse *f = calloc(1, sizeof *f);
  TRY_MEMORY(f != NULL, "Fixman's potential", error);
  f->kept = kept;
  TRY_ELSE(jacobian_create(&f->jacobian, &f->kept, JACOBIAN_SYMMETRIC, isa, error), free(f));
  if (f->jacobian->sparse == NULL)
    fixman_sparse_free(f);
  else
    *fixman = f;
  return STATUS_OK;
}

void fixman_sparse_free(FixmanSparse *fixman)
{
  if (fixman != NULL)
    jacobian_free(fixman->jacobian);
  free(fixman);
}

size_t fixman_sparse_scratch(const FixmanSparse *fixman)
{
  const Sparse *sparse = fixman->jacobian->sparse;
  return (size_t)fixman->kept.ncon * 2 * JACOBIAN_TOUCH + (size_t)(fixman->kept.nsite * fixman->kept.dim) +
         (size_t)sparse->longest + sparse_size(sparse, true);
}

/* Adds z times the row of constraint e, at the sites that it shares with constraint c, to u of c. */
static void add_shared(const Kind *kind, int c, int e, Vec8 z, const Vec8 *row, Vec8 *u)
{
  const Constraint *own = &kind->con[c], *other = &kind->con[e];
  const int dim = kind->dim;
  for (int k = 0; k < own->nsite; k++)
    for (int l = 0; l < other->nsite; l++)
      for (int d = 0; d < dim && own->site[k] == other->site[l]; d++)
        u[k * dim + d] += z * row[l * dim + d];
}

/* f += -kT sum_c Hess g_c u_c (fixman.c); all[nsite][dim] is scratch. */
static void add_force(const Kind *kind, Vec8 kT, const Pack *pack, const JacobianRow *u, Vec8 *all)
{
  const int dim = kind->dim;
  const Vec8 scale = -kT;
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 out[JACOBIAN_TOUCH] = {{0.0}};
    for (int k = 0; k < con->nsite * dim; k++)
      all[con->site[k / dim] * dim + k % dim] = u[c][k];
    con->type->hess_vec(con, dim, pack->q, &scale, all, out);
    for (int k = 0; k < con->nsite * dim; k++)
      pack->f[con->site[k / dim] * dim + k % dim] += out[k];
  }
}

void fixman_sparse_add(const FixmanSparse *fixman, Vec8 kT, const Pack *pack, Vec8 *energy)
{
  const Kind *kind = &fixman->kept;
  const Jacobian *jac = fixman->jacobian;
  const int n = kind->ncon, dim = kind->dim;
  JacobianRow *grad = (JacobianRow *)pack->scratch, *pull = grad + n;
  Vec8 *all = (Vec8 *)(pull + n), *column = all + kind->nsite * dim, *matrix = column + jac->sparse->longest;
  for (int c = 0; c < n; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 g;
    con->type->eval(con, dim, pack->q, &g, grad[c]);
    for (int k = 0; k < con->nsite * dim; k++)
      pull[c][k] = 1.0 / kind->mass[con->site[k / dim]] * grad[c][k];
  }
  const JacobianGram gram = {grad, pull, .scale = 1.0};
  JACOBIAN_FOR_DIM(jacobian_gram_sparse, dim, jac, &gram, matrix);
  (void)jac->sparses->symmetric_factor(jac->sparse, matrix);
  if (energy != NULL) {
    Vec8 sum = vec8_set(0.0);
    for (int c = 0; c < n; c++)
      for (int l = 0; l < LANES; l++)
        sum[l] -= log(matrix[c][l]);
    *energy = 0.5 * kT * sum;
  }
  jac->sparses->inverse(jac->sparse, matrix, column);
  memset(grad, 0, (size_t)n * sizeof *grad); /* now u of each constraint */
  for (int k = 0; k < jac->nelement; k++) {
    const int c = jac->element[k][0], e = jac->element[k][1];
    add_shared(kind, c, e, matrix[jac->at[k]], pull[e], grad[c]);
    if (c != e)
      add_shared(kind, e, c, matrix[jac->at[k]], pull[c], grad[e]);
  }
  add_force(kind, kT, pack, (const JacobianRow *)grad, all);
}
