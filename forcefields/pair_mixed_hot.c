/* The pair force in float: coordinates relative to the middle of the cluster, forces summed up in float
 * over one cluster and added to the state's doubles at the end. Energies are left to the kernels in double.
 */
#include "forcefields/pair_kernels.h"
#include "forcefields/pair_vec.h"

#define V             vf
#define S             float
#define MASK          vif
#define FN(name)      name##_vf
#define V_LANES       (2 * LANES)
#define V_RSQRT       vf_rsqrt
#define V_RSQRT_CUBED vf_rsqrt_cubed
#define V_SUM_EACH    vf_sum_each
#include "forcefields/pair_template.h"

#define VARIANTS(nsite)                                                                                      \
  static __attribute__((noinline)) void gang##nsite(const PairModel *m, int nmol, int stride, const vf *x,   \
                                                    vf *f)                                                   \
  {                                                                                                          \
    gang_any_vf(m, nsite, nmol, stride, x, f, NULL);                                                         \
  }                                                                                                          \
  static __attribute__((noinline)) void chunk##nsite(const PairModel *m, int nmol, int begin, int end,       \
                                                     const vf *x, vf *f)                                     \
  {                                                                                                          \
    chunk_any_vf(m, nsite, nmol, begin, end, x, f, NULL);                                                    \
  }

VARIANTS(3)
VARIANTS(4)

static void gang(const PairModel *m, int nmol, int stride, const void *x, void *f, vd *energy)
{
  (void)energy;
  (m->nsite == 4 ? gang4 : gang3)(m, nmol, stride, x, f);
}

static void chunk(const PairModel *m, int nmol, int begin, int end, const void *x, void *f, vd *energy)
{
  (void)energy;
  (m->nsite == 4 ? chunk4 : chunk3)(m, nmol, begin, end, x, f);
}

/* Two packs of doubles side by side as floats; b may be absent. */
static inline void join(vf *to, vd a, const vd *b)
{
  vh *half = (vh *)to;
  half[0] = __builtin_convertvector(a, vh);
  half[1] = b != NULL ? __builtin_convertvector(*b, vh) : (vh){0};
}

static void stage(const PairModel *m, int begin, int end, int npack, const vd *q, const vd *origin, void *x)
{
  const int n = m->nsite;
  for (int p = begin; p < end; p++) {
    vf *to = (vf *)x + 3 * (size_t)n * (size_t)p;
    const bool pair = 2 * p + 1 < npack;
    const vd *a = q + 9 * (size_t)(2 * p), *b = a + 9;
    for (int d = 0; d < 3; d++) {
      const vd oa = origin[d], ob = origin[3 + d];
      for (int s = 0; s < n; s++) {
        /* the first site is O or M, the fourth is O */
        const int from = 3 * (s % 3) + d;
        const vd xa = (s == 0 ? pair_place(m, a, d) : a[from]) - oa;
        const vd xb = pair ? (s == 0 ? pair_place(m, b, d) : b[from]) - ob : vd_set(0.0);
        join(&to[3 * s + d], xa, pair ? &xb : NULL);
      }
    }
  }
}

static void collect(const PairModel *m, int begin, int end, int npack, int nbuf, const int *first, int size,
                    const void *buffer, vd *f)
{
  const int n = 3 * m->nsite;
  for (int p = begin; p < end; p++) {
    vd sum[2][12];
    for (int d = 0; d < n; d++)
      sum[0][d] = sum[1][d] = vd_set(0.0);
    for (int k = 0; k < nbuf; k++)
      if (first[k] <= p) {
        const vh *from = (const vh *)((const vf *)buffer + (size_t)k * (size_t)size + (size_t)n * (size_t)p);
        for (int d = 0; d < n; d++) {
          sum[0][d] += __builtin_convertvector(from[2 * d], vd);
          sum[1][d] += __builtin_convertvector(from[2 * d + 1], vd);
        }
      }
    for (int h = 0; h < 2 && 2 * p + h < npack; h++)
      pair_spread(m, sum[h], f + 9 * (size_t)(2 * p + h));
  }
}

extern const PairKernels ISA_SYMBOL(pair_mixed_table);
const PairKernels ISA_SYMBOL(pair_mixed_table) = {2 * LANES, stage, gang, chunk, collect};
