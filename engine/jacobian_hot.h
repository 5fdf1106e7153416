/* J over lanes, and the operation shared by projections of momenta, Newton steps of SHAKE and Zhang-Skeel
 * solves, with r one number or one for each constraint:
 *
 *   solve (J_a W J_b' + r I) mu = b for the multipliers mu, then add V J_b' mu to a vector x
 *
 *   projection    b = -J M^-1 p,            W = weight/m, r = 0, x = p, V = weight;
 *   Newton        b = -g(q),                W = 1/m,      r = 0, x = q, V = 1/m,    J_b at the old q;
 *   Gauss-Newton  b = -(c J M^-1 f + w^2 g), W = c/m,     r = 1, x = f, V = 1;  r = 0 for exact constraints.
 *
 * All functions are inline, with dim constant if the caller's is. Radial rows are computed in registers,
 * other rows by their types, on whole packs.
 *
 * The Gauss-Newton solve turns into a projection as w grows, and so a penalty step into a constrained one. O
 * on the tangent space is the projection with W = 1/((1 + a_i) m_i) (thermostat/ou.h). */
#ifndef HOLONOM_ENGINE_JACOBIAN_HOT_H
#define HOLONOM_ENGINE_JACOBIAN_HOT_H

#include <stddef.h>
#include <string.h>

#include "engine/band_hot.h"
#include "engine/jacobian.h"
#include "engine/vec.h"

/* Calls function(dim, ...) with dim as a constant. */
#define JACOBIAN_FOR_DIM(function, dim, ...)                                                                 \
  ((dim) == 2 ? function(2, __VA_ARGS__) : (dim) == 3 ? function(3, __VA_ARGS__) : function(1, __VA_ARGS__))

VEC_INLINE void jacobian_radial(int dim, const JacobianEntry *entry, const Vec8 *q, Vec8 *g, Vec8 *grad)
{
  const bool pair = entry->nsite == 2;
  const Registers *qi = (const Registers *)q + entry->site[0] * dim;
  const Registers *qj = (const Registers *)q + entry->site[pair ? 1 : 0] * dim;
  EACH_REGISTER(p)
  {
    vd r[3], s = vd_set(-entry->form.s0);
    if (pair)
      for (int d = 0; d < dim; d++)
        r[d] = qi[d][p] - qj[d][p];
    else
      for (int d = 0; d < dim; d++)
        r[d] = qi[d][p] - entry->con->param[1 + d];
    for (int d = 0; d < dim; d++)
      s = vd_fma(r[d], r[d], s);
    vd half = vd_set(entry->form.first), slope = half; /* U over s - s0, and U' */
    if (__builtin_expect(entry->form.second != 0.0, 0)) {
      half += 0.5 * entry->form.second * s;
      slope += entry->form.second * s;
    }
    if (g != NULL)
      vd_store(g, p, half * s);
    for (int d = 0; grad != NULL && d < dim; d++) {
      const vd twice = 2.0 * slope * r[d];
      vd_store(&grad[d], p, twice);
      if (pair)
        vd_store(&grad[dim + d], p, -twice);
    }
  }
}

/* Computes *g and the gradient of a constraint, each unless NULL. radial: it is known to be radial, so that
 * no function call clears the caller's registers. */
VEC_INLINE void jacobian_row(int dim, bool radial, const JacobianEntry *entry, const Vec8 *q, Vec8 *g,
                             Vec8 *grad)
{
  if (radial || entry->radial) {
    jacobian_radial(dim, entry, q, g, grad);
    return;
  }
  Vec8 value;
  entry->con->type->eval(entry->con, dim, q, g != NULL ? g : &value, grad);
}

/* Computes J at q, and g[ncon] unless NULL. */
VEC_INLINE void jacobian_rows(int dim, const Jacobian *jac, const Vec8 *q, Vec8 *g, JacobianRow *grad)
{
  for (int c = 0; c < jac->kind->ncon; c++)
    jacobian_row(dim, false, &jac->entry[c], q, g != NULL ? &g[c] : NULL, grad[c]);
}

/* b = J diag(weight) x, weight[nsite]. */
VEC_INLINE void jacobian_dot(int dim, const Kind *kind, const JacobianRow *grad, const double *weight,
                             const Vec8 *x, Vec8 *b)
{
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    vd sum[REGISTERS] = {{0.0}};
    for (int k = 0; k < con->nsite; k++) {
      const Registers *from = (const Registers *)x + con->site[k] * dim,
                      *row = (const Registers *)grad[c] + k * dim;
      for (int d = 0; d < dim; d++)
        EACH_REGISTER(p) sum[p] = vd_fma(weight[con->site[k]] * row[d][p], from[d][p], sum[p]);
    }
    EACH_REGISTER(p) vd_store(&b[c], p, sum[p]);
  }
}

/* x += diag(weight) grad g mu of one constraint; weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_add_row(int dim, const Constraint *con, const Vec8 *grad, const double *weight,
                                 const vd mu[REGISTERS], Vec8 *x)
{
  for (int k = 0; k < con->nsite; k++) {
    Registers *to = (Registers *)x + con->site[k] * dim;
    const Registers *row = (const Registers *)grad + k * dim;
    const double scale = weight != NULL ? weight[con->site[k]] : 1.0;
    EACH_REGISTER(p)
    {
      const vd scaled = weight != NULL ? scale * mu[p] : mu[p];
      for (int d = 0; d < dim; d++)
        to[d][p] = vd_fma(scaled, row[d][p], to[d][p]);
    }
  }
}

/* x += diag(weight) J' mu. */
VEC_INLINE void jacobian_add(int dim, const Kind *kind, const JacobianRow *grad, const double *weight,
                             const Vec8 *mu, Vec8 *x)
{
  for (int c = 0; c < kind->ncon; c++)
    jacobian_add_row(dim, &kind->con[c], grad[c], weight, ((const Registers *)mu)[c], x);
}

/* x . y of gradients with respect to one site. */
VEC_INLINE vd jacobian_dot_site(int dim, const Vec8 *x, const Vec8 *y, int p)
{
  vd sum = vd_rounded(vd_load(&x[0], p) * vd_load(&y[0], p));
  for (int d = 1; d < dim; d++)
    sum = vd_fma(vd_load(&x[d], p), vd_load(&y[d], p), sum);
  return sum;
}

/* The element of J_a W J_b' of two constraints, W = diag(weight); weight[nsite] or NULL for 1. */
VEC_INLINE void jacobian_product(int dim, const Constraint *a, const Constraint *b, const Vec8 *grad_a,
                                 const Vec8 *grad_b, const double *weight, vd product[REGISTERS])
{
  EACH_REGISTER(p) product[p] = vd_set(0.0);
  for (int k = 0; k < a->nsite; k++)
    for (int l = 0; l < b->nsite; l++)
      if (a->site[k] == b->site[l])
        EACH_REGISTER(p)
        {
          const vd dot = jacobian_dot_site(dim, grad_a + k * dim, grad_b + l * dim, p);
          product[p] = vd_fma(vd_set(weight != NULL ? weight[a->site[k]] : 1.0), dot, product[p]);
        }
}

/* The matrix scale J_a W J_b' + diag(ridges), or + ridge I; W = diag(weight). */
typedef struct JacobianGram {
  const JacobianRow *a, *b; /* [ncon] */
  const double *weight;     /* [nsite], or NULL for 1 */
  double scale, ridge;
  const double *ridges; /* [ncon]; NULL: ridge for all */
} JacobianGram;

/* The matrix in the layout of band.h, with rows in the order of `unknown`. */
VEC_INLINE void jacobian_gram(int dim, const Kind *kind, int half, const int *unknown, bool symmetric,
                              const JacobianGram *gram, Vec8 *matrix)
{
  const int n = kind->ncon;
  const ptrdiff_t stride = symmetric ? half : 2 * half;
  for (int i = 0; i < n; i++)
    for (int j = i > half ? i - half : 0; j < n && j <= (symmetric ? i : i + half); j++) {
      const int c = unknown[i], e = unknown[j];
      vd product[REGISTERS];
      jacobian_product(dim, &kind->con[c], &kind->con[e], gram->a[c], gram->b[e], gram->weight, product);
      EACH_REGISTER(p)
      vd_store(&matrix[half + i * stride + j], p,
               vd_fma(vd_set(gram->scale), product[p],
                      vd_set(i != j                 ? 0.0
                             : gram->ridges != NULL ? gram->ridges[c]
                                                    : gram->ridge)));
    }
}

/* The same in the layout of sparse.h. */
VEC_INLINE void jacobian_gram_sparse(int dim, const Jacobian *jac, const JacobianGram *gram, Vec8 *matrix)
{
  const Kind *kind = jac->kind;
  memset(matrix, 0, sparse_size(jac->sparse, jac->matrix == JACOBIAN_SYMMETRIC) * sizeof *matrix);
  for (int k = 0; k < jac->nelement; k++) {
    const int c = jac->element[k][0], e = jac->element[k][1];
    vd product[REGISTERS];
    jacobian_product(dim, &kind->con[c], &kind->con[e], gram->a[c], gram->b[e], gram->weight, product);
    EACH_REGISTER(p)
    vd_store(&matrix[jac->at[k]], p,
             vd_fma(vd_set(gram->scale), product[p],
                    vd_set(c != e                 ? 0.0
                           : gram->ridges != NULL ? gram->ridges[c]
                                                  : gram->ridge)));
  }
}

/* jacobian_solve with a sparse matrix. */
VEC_INLINE unsigned jacobian_solve_sparse(int dim, const Jacobian *jac, const JacobianGram *gram,
                                          unsigned lanes, Vec8 *b, Vec8 *work)
{
  const Sparse *sparse = jac->sparse;
  const SparseKernels *kernels = jac->sparses;
  const bool symmetric = jac->matrix == JACOBIAN_SYMMETRIC;
  const int n = sparse->n;
  Vec8 *x = work, *exchange = work + n, *matrix = exchange + n;
  jacobian_gram_sparse(dim, jac, gram, matrix);
  for (int i = 0; i < n; i++)
    x[i] = b[sparse->unknown[i]];
  const unsigned sound = (symmetric ? kernels->symmetric_factor : kernels->general_factor)(sparse, matrix);
  (symmetric ? kernels->symmetric_solve : kernels->general_solve)(sparse, matrix, x);
  unsigned singular = 0;
  if (__builtin_expect((lanes & ~sound) != 0, 0)) {
    jacobian_gram_sparse(dim, jac, gram, matrix);
    singular = jacobian_exchange(jac, lanes & ~sound, matrix, b, x, exchange);
  }
  for (int i = 0; i < n; i++)
    b[sparse->unknown[i]] = x[i];
  return singular;
}

/* Replaces b[ncon] by matrix^-1 b. Lanes with bad pivots are solved again with row exchanges. Returns the
 * lanes, of `lanes`, whose matrix is singular; b is NaN there. work: jacobian_scratch. */
VEC_INLINE unsigned jacobian_solve(int dim, const Jacobian *jac, const JacobianGram *gram, unsigned lanes,
                                   Vec8 *b, Vec8 *work)
{
  const Band *band = jac->band;
  if (band == NULL)
    return 0; /* no constraints */
  if (__builtin_expect(jac->sparse != NULL, 0))
    return jacobian_solve_sparse(dim, jac, gram, lanes, b, work);
  const bool symmetric = jac->matrix == JACOBIAN_SYMMETRIC;
  const int n = band->n, half = band->half, *unknown = band->unknown;
  Vec8 *x = work, *exchange = work + n, *matrix = exchange + band_exchange_scratch(n, half);
  jacobian_gram(dim, jac->kind, half, unknown, symmetric, gram, matrix);
  for (int i = 0; i < n; i++)
    x[i] = b[unknown[i]];
  const unsigned sound =
      (symmetric ? jac->bands->symmetric_factor : jac->bands->general_factor)(n, half, matrix);
  (symmetric ? jac->bands->symmetric_solve : jac->bands->general_solve)(n, half, matrix, x);
  unsigned singular = 0;
  if (__builtin_expect((lanes & ~sound) != 0, 0)) {
    jacobian_gram(dim, jac->kind, half, unknown, symmetric, gram, matrix);
    singular = jacobian_exchange(jac, lanes & ~sound, matrix, b, x, exchange);
  }
  for (int i = 0; i < n; i++)
    b[unknown[i]] = x[i];
  return singular;
}

#endif
