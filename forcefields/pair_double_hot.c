/* The pair force in double. */
#include <stdbool.h>
#include <stddef.h>

#include "forcefields/pair_kernels.h"
#include "forcefields/pair_vec.h"

#define V             vd
#define S             double
#define MASK          vi
#define FN(name)      name##_vd
#define V_LANES       LANES
#define V_RSQRT       vd_rsqrt
#define V_RSQRT_CUBED vd_rsqrt_cubed
#define V_SUM_EACH    vd_sum_each
#include "forcefields/pair_template.h"

/* One function per variant, so that each is compiled as straight code with registers of its own. */
#define GANG(name, nsite)                                                                                    \
  static __attribute__((noinline)) void name(const PairModel *m, int nmol, int stride, const vd *x, vd *f)   \
  {                                                                                                          \
    gang_any_vd(m, nsite, nmol, stride, x, f, NULL);                                                         \
  }                                                                                                          \
  static __attribute__((noinline)) void name##_energy(const PairModel *m, int nmol, int stride, const vd *x, \
                                                      vd *f, vd *energy)                                     \
  {                                                                                                          \
    vd e[2] = {{0}, {0}};                                                                                    \
    gang_any_vd(m, nsite, nmol, stride, x, f, e);                                                            \
    energy[0] = e[0];                                                                                        \
    energy[1] = e[1];                                                                                        \
  }

GANG(gang3, 3)
GANG(gang4, 4)

static void gang(const PairModel *m, int nmol, int stride, const void *x, void *f, vd *energy)
{
  if (energy == NULL)
    (m->nsite == 4 ? gang4 : gang3)(m, nmol, stride, x, f);
  else
    (m->nsite == 4 ? gang4_energy : gang3_energy)(m, nmol, stride, x, f, energy);
}

#define CHUNK(name, nsite)                                                                                   \
  static __attribute__((noinline)) void name(const PairModel *m, int nmol, int begin, int end, const vd *x,  \
                                             vd *f)                                                          \
  {                                                                                                          \
    chunk_any_vd(m, nsite, nmol, begin, end, x, f, NULL);                                                    \
  }                                                                                                          \
  static __attribute__((noinline)) void name##_energy(const PairModel *m, int nmol, int begin, int end,      \
                                                      const vd *x, vd *f, vd *energy)                        \
  {                                                                                                          \
    vd e[2] = {{0}, {0}};                                                                                    \
    chunk_any_vd(m, nsite, nmol, begin, end, x, f, e);                                                       \
    energy[0] = e[0];                                                                                        \
    energy[1] = e[1];                                                                                        \
  }

CHUNK(chunk3, 3)
CHUNK(chunk4, 4)

static void chunk(const PairModel *m, int nmol, int begin, int end, const void *x, void *f, vd *energy)
{
  if (energy == NULL)
    (m->nsite == 4 ? chunk4 : chunk3)(m, nmol, begin, end, x, f);
  else
    (m->nsite == 4 ? chunk4_energy : chunk3_energy)(m, nmol, begin, end, x, f, energy);
}

/* q[pack][O, H, H] to x[pack][M, H, H, O]; three-site models take q as it is. */
static void stage(const PairModel *m, int begin, int end, int npack, const vd *q, const vd *origin, void *x)
{
  (void)npack;
  (void)origin;
  for (int p = begin; p < end; p++) {
    const vd *from = q + 9 * (size_t)p;
    vd *to = (vd *)x + 3 * (size_t)m->nsite * (size_t)p;
    for (int d = 0; d < 3; d++) {
      to[d] = pair_place(m, from, d);
      to[3 + d] = from[3 + d];
      to[6 + d] = from[6 + d];
      if (m->nsite == 4)
        to[9 + d] = from[d];
    }
  }
}

static void collect(const PairModel *m, int begin, int end, int npack, int nbuf, const int *first, int size,
                    const void *buffer, vd *f)
{
  (void)npack;
  const int n = 3 * m->nsite;
  for (int p = begin; p < end; p++) {
    vd sum[12];
    for (int d = 0; d < n; d++)
      sum[d] = vd_set(0.0);
    for (int k = 0; k < nbuf; k++)
      if (first[k] <= p) {
        const vd *from = (const vd *)buffer + (size_t)k * (size_t)size + (size_t)n * (size_t)p;
        for (int d = 0; d < n; d++)
          sum[d] += from[d];
      }
    pair_spread(m, sum, f + 9 * (size_t)p);
  }
}

extern const PairKernels ISA_SYMBOL(pair_double_table);
const PairKernels ISA_SYMBOL(pair_double_table) = {LANES, stage, gang, chunk, collect};
