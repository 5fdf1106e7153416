/* Private to the hot files of this folder: filling the matrix of gram.h. */
#ifndef HOLONOM_INTEGRATORS_GRAM_HOT_H
#define HOLONOM_INTEGRATORS_GRAM_HOT_H

#include "integrators/gram.h"
#include "integrators/jacobian_hot.h"

/* a[gram->size] = J_left diag(weight) J_right', weight[nsite]. */
VEC_INLINE void gram_fill(const Gram *gram, int dim, const JacobianRow *left, const JacobianRow *right,
                          const double *weight, Octet *a)
{
  for (size_t i = 0; i < gram->size; i++)
    a[i] = octet_set(0.0);
  for (int i = 0; i < gram->nterm; i++) {
    const GramTerm *t = &gram->term[i];
    const Octet *x = left[t->left] + t->k * dim, *y = right[t->right] + t->l * dim;
    Octet sum = x[0] * y[0];
    for (int d = 1; d < dim; d++)
      sum += x[d] * y[d];
    a[t->at] += weight[t->site] * sum;
  }
}

#endif
