/* The factorisations of sparse.h. Columns are eliminated one after the other: what a column subtracts from
 * the rest of the matrix are independent products, which hide each other's latency. */
#include <float.h>
#include <string.h>

#include "engine/sparse.h"
#include "engine/vec.h"

ISA_DECLARE(SparseKernels, sparse_kernels_table);

/* L D L', or L U. While column k is eliminated, its entries below the diagonal are L D. The diagonal stores
 * 1/D or 1/U; the second n vectors keep the diagonal of the matrix, to which pivots are compared. */
VEC_INLINE unsigned factor(const Sparse *s, bool symmetric, Vec8 *matrix)
{
  Registers *diagonal = (Registers *)matrix, *own = diagonal + s->n, *low = own + s->n, *up = low + s->nlow;
  const int *target = s->target;
  vi sound[REGISTERS];
  EACH_REGISTER(p) sound[p] = ~(vi){0};
  memcpy(own, diagonal, (size_t)s->n * sizeof *own);
  for (int k = 0; k < s->n; k++) {
    const int first = s->first[k], size = s->first[k + 1] - first;
    const int *const below = s->below + first;
    Registers *const l = low + first, *const u = symmetric ? l : up + first;
    vd inverse[REGISTERS];
    EACH_REGISTER(p)
    {
      const vd pivot = diagonal[k][p];
      if (symmetric)
        sound[p] &= pivot > 4.0 * DBL_EPSILON * own[k][p];
      else
        sound[p] &= (vd_abs(pivot) > 1e-8 * vd_abs(own[k][p])) & (vd_abs(pivot) < 16.0 * vd_abs(own[k][p]));
      inverse[p] = vd_recip(pivot);
      diagonal[k][p] = inverse[p];
    }
    for (int i = 0; i < size; i++) {
      vd w[REGISTERS], left[REGISTERS];
      Registers *const to = &diagonal[below[i]];
      EACH_REGISTER(p)
      {
        w[p] = l[i][p];
        left[p] = w[p] * inverse[p];
        (*to)[p] = vd_fma(-left[p], u[i][p], (*to)[p]);
      }
      for (int j = 0; j < i; j++) {
        Registers *const at = &low[target[j]];
        /* symmetric: l[j] is finished, and its product with w is that of row i and column j */
        EACH_REGISTER(p)
        (*at)[p] = vd_fma(-(symmetric ? w[p] : left[p]), symmetric ? l[j][p] : u[j][p], (*at)[p]);
        if (!symmetric)
          EACH_REGISTER(p) up[target[j]][p] = vd_fma(-l[j][p], u[i][p], up[target[j]][p]);
      }
      target += i;
      EACH_REGISTER(p) l[i][p] = left[p];
    }
  }
  return registers_bits(sound);
}

/* b <- L^-1 b. */
VEC_INLINE void solve_lower(const Sparse *s, const Vec8 *matrix, Vec8 *right)
{
  const Registers *low = (const Registers *)matrix + 2 * (ptrdiff_t)s->n;
  Registers *b = (Registers *)right;
  for (int k = 0; k < s->n; k++)
    for (int e = s->first[k]; e < s->first[k + 1]; e++)
      EACH_REGISTER(p) b[s->below[e]][p] = vd_fma(-low[e][p], b[k][p], b[s->below[e]][p]);
}

static unsigned symmetric_factor(const Sparse *s, Vec8 *a) { return factor(s, true, a); }
static unsigned general_factor(const Sparse *s, Vec8 *a) { return factor(s, false, a); }

static void symmetric_solve(const Sparse *s, const Vec8 *a, Vec8 *right)
{
  const Registers *diagonal = (const Registers *)a, *low = diagonal + 2 * (ptrdiff_t)s->n;
  Registers *b = (Registers *)right;
  solve_lower(s, a, right);
  for (int k = s->n - 1; k >= 0; k--) {
    vd sum[REGISTERS];
    EACH_REGISTER(p) sum[p] = vd_rounded(b[k][p] * diagonal[k][p]);
    for (int e = s->first[k]; e < s->first[k + 1]; e++)
      EACH_REGISTER(p) sum[p] = vd_fma(-low[e][p], b[s->below[e]][p], sum[p]);
    EACH_REGISTER(p) b[k][p] = sum[p];
  }
}

static void general_solve(const Sparse *s, const Vec8 *a, Vec8 *right)
{
  const Registers *diagonal = (const Registers *)a, *up = diagonal + 2 * (ptrdiff_t)s->n + s->nlow;
  Registers *b = (Registers *)right;
  solve_lower(s, a, right);
  for (int k = s->n - 1; k >= 0; k--) {
    vd sum[REGISTERS];
    EACH_REGISTER(p) sum[p] = b[k][p];
    for (int e = s->first[k]; e < s->first[k + 1]; e++)
      EACH_REGISTER(p) sum[p] = vd_fma(-up[e][p], b[s->below[e]][p], sum[p]);
    EACH_REGISTER(p) b[k][p] = sum[p] * diagonal[k][p];
  }
}

/* Column k of the inverse Z from the later ones: Z_jk = -sum_i Z_ji L_ik over the entries i of column k, and
 * Z_kk = 1/D_k - sum_i Z_ik L_ik. */
static void inverse(const Sparse *s, Vec8 *a, Vec8 *scratch)
{
  Registers *diagonal = (Registers *)a, *low = diagonal + 2 * (ptrdiff_t)s->n, *l = (Registers *)scratch;
  const int *target = s->target + (s->work - (size_t)s->nlow);
  for (int k = s->n - 1; k >= 0; k--) {
    const int first = s->first[k], size = s->first[k + 1] - first;
    const int *const below = s->below + first;
    Registers *const z = low + first;
    target -= (ptrdiff_t)size * (size - 1) / 2;
    memcpy(l, z, (size_t)size * sizeof *l);
    for (int i = 0; i < size; i++)
      EACH_REGISTER(p) z[i][p] = -diagonal[below[i]][p] * l[i][p];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < i; j++) {
        const Registers *const other = &low[target[(ptrdiff_t)i * (i - 1) / 2 + j]];
        EACH_REGISTER(p)
        {
          z[i][p] = vd_fma(-(*other)[p], l[j][p], z[i][p]);
          z[j][p] = vd_fma(-(*other)[p], l[i][p], z[j][p]);
        }
      }
    for (int i = 0; i < size; i++)
      EACH_REGISTER(p) diagonal[k][p] = vd_fma(-z[i][p], l[i][p], diagonal[k][p]);
  }
}

const SparseKernels ISA_SYMBOL(sparse_kernels_table) = {symmetric_factor, symmetric_solve, general_factor,
                                                        general_solve, inverse};
