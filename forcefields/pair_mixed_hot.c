/* The pair force in float: coordinates relative to the middle of the cluster, forces of one molecule or one
 * chunk summed up in float, and these added to the state's doubles. Energies are left to the kernels in
 * double. */
#include "forcefields/pair_kernels.h"
#include "forcefields/pair_vec.h"

#define V             OctetFloats
#define S             float
#define MASK          OctetInts
#define FN(name)      name##_vf
#define V_LANES       (2 * LANES)
#define V_PACKS       2
#define V_RSQRT       octet_float_rsqrt
#define V_RSQRT_CUBED octet_float_rsqrt_cubed
#define V_SUM_EACH    octet_float_sum_each

VEC_INLINE void deliver_vf(const PairModel *m, const int nsite, const OctetFloats *g, int packs, Octet *f)
{
  Octet low[12], high[12];
#pragma GCC unroll 12
  for (int d = 0; d < 3 * nsite; d++) {
    low[d] = octet_float_low(g[d]);
    high[d] = octet_float_high(g[d]);
  }
  pair_spread(m, nsite, low, f);
  if (packs == 2)
    pair_spread(m, nsite, high, f + 9);
}

#include "forcefields/pair_template.h"

#define VARIANT __attribute__((noinline)) static void

#define VARIANTS(nsite)                                                                                      \
  VARIANT gang##nsite(const PairModel *m, int nmol, int stride, const OctetFloats *x, OctetFloats *f,        \
                      Octet *out)                                                                            \
  {                                                                                                          \
    gang_any_vf(m, nsite, nmol, stride, x, f, out, NULL);                                                    \
  }                                                                                                          \
  VARIANT chunk##nsite(const PairModel *m, int nmol, int begin, int end, const OctetFloats *x,               \
                       OctetFloats *f)                                                                       \
  {                                                                                                          \
    chunk_any_vf(m, nsite, nmol, begin, end, x, f, NULL);                                                    \
  }

VARIANTS(3)
VARIANTS(4)

static void gang(const PairModel *m, int nmol, int stride, const void *x, void *f, Octet *out, Octet *energy)
{
  (void)energy;
  (m->nsite == 4 ? gang4 : gang3)(m, nmol, stride, x, f, out);
}

static void chunk(const PairModel *m, int nmol, int begin, int end, const void *x, void *f, Octet *energy)
{
  (void)energy;
  (m->nsite == 4 ? chunk4 : chunk3)(m, nmol, begin, end, x, f);
}

/* Packs a and b of the state (O, H, H), less the origins, to x[nsite][3]. */
VEC_INLINE void stage_pack(const PairModel *m, const int nsite, const Octet *a, const Octet *b,
                           const Octet *origin, OctetFloats *x)
{
#pragma GCC unroll 3
  for (int d = 0; d < 3; d++) {
    const Octet oa = origin[d], ob = origin[3 + d];
    x[d] = octet_float_join(pair_place(m, nsite, a, d) - oa, pair_place(m, nsite, b, d) - ob);
    x[3 + d] = octet_float_join(a[3 + d] - oa, b[3 + d] - ob);
    x[6 + d] = octet_float_join(a[6 + d] - oa, b[6 + d] - ob);
    if (nsite == 4)
      x[9 + d] = octet_float_join(a[d] - oa, b[d] - ob);
  }
}

/* Puts the lanes of molecules that do not exist where they take part in no denormal number: those cost a
 * hundred times an ordinary one. */
static void park(const Octet *a, const Octet *b, int n, OctetFloats *x)
{
  const float far = 1000.0f; /* A */
  const OctetInts exist = octet_float_join(*a, *b) > 0.5f;
  for (int d = 0; d < n; d++)
    x[d] = (OctetFloats)(((OctetInts)x[d] & exist) | ((OctetInts)(far - (OctetFloats){0}) & ~exist));
}

/* An odd last pack is joined with itself; its second copies are masked. */
VEC_INLINE void stage_any(const PairModel *m, const int nsite, int begin, int end, int npack, const Octet *q,
                          const Octet *origin, const Octet *active, OctetFloats *x)
{
  for (int p = begin; p < end; p++) {
    const int a = 2 * p, b = 2 * p + 1 < npack ? 2 * p + 1 : 2 * p;
    OctetFloats *to = x + 3 * (size_t)nsite * (size_t)p;
    stage_pack(m, nsite, q + 9 * (size_t)a, q + 9 * (size_t)b, origin, to);
    if (active != NULL)
      park(active + a, active + b, 3 * nsite, to);
  }
}

static void stage(const PairModel *m, int begin, int end, int npack, const Octet *q, const Octet *origin,
                  const Octet *active, void *x)
{
  if (m->nsite == 4)
    stage_any(m, 4, begin, end, npack, q, origin, active, x);
  else
    stage_any(m, 3, begin, end, npack, q, origin, active, x);
}

static void collect(const PairModel *m, int begin, int end, int npack, int nbuf, const int *first, int size,
                    const void *buffer, Octet *f)
{
  if (m->nsite == 4)
    collect_any_vf(m, 4, begin, end, npack, nbuf, first, size, buffer, f);
  else
    collect_any_vf(m, 3, begin, end, npack, nbuf, first, size, buffer, f);
}

extern const PairKernels ISA_SYMBOL(pair_mixed_table);
const PairKernels ISA_SYMBOL(pair_mixed_table) = {2 * LANES, stage, gang, chunk, collect};
