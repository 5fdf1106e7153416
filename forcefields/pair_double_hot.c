/* The pair force in double. */
#include "forcefields/pair_kernels.h"
#include "forcefields/pair_vec.h"

#define V             Octet
#define S             double
#define MASK          OctetMask
#define FN(name)      name##_vd
#define V_LANES       LANES
#define V_PACKS       1
#define V_RSQRT       octet_rsqrt_distance
#define V_RSQRT_CUBED octet_rsqrt_cubed
#define V_SUM_EACH    octet_sum_each

VEC_INLINE void deliver_vd(const PairModel *m, const int nsite, const Octet *g, int packs, Octet *f)
{
  (void)packs;
  pair_spread(m, nsite, g, f);
}

#include "forcefields/pair_template.h"

/* One function per variant, so that each is compiled as straight code with registers of its own. */
#define VARIANT __attribute__((noinline)) static void

#define VARIANTS(nsite)                                                                                      \
  VARIANT gang##nsite(const PairModel *m, int nmol, int stride, const Octet *x, Octet *f, Octet *out)        \
  {                                                                                                          \
    gang_any_vd(m, nsite, nmol, stride, x, f, out, NULL);                                                    \
  }                                                                                                          \
  VARIANT gang##nsite##_energy(const PairModel *m, int nmol, int stride, const Octet *x, Octet *f,           \
                               Octet *out, Octet *energy)                                                    \
  {                                                                                                          \
    Octet e[2] = {{0}, {0}};                                                                                 \
    gang_any_vd(m, nsite, nmol, stride, x, f, out, e);                                                       \
    energy[0] = e[0];                                                                                        \
    energy[1] = e[1];                                                                                        \
  }                                                                                                          \
  VARIANT chunk##nsite(const PairModel *m, int nmol, int begin, int end, const Octet *x, Octet *f)           \
  {                                                                                                          \
    chunk_any_vd(m, nsite, nmol, begin, end, x, f, NULL);                                                    \
  }                                                                                                          \
  VARIANT chunk##nsite##_energy(const PairModel *m, int nmol, int begin, int end, const Octet *x, Octet *f,  \
                                Octet *energy)                                                               \
  {                                                                                                          \
    Octet e[2] = {{0}, {0}};                                                                                 \
    chunk_any_vd(m, nsite, nmol, begin, end, x, f, e);                                                       \
    energy[0] = e[0];                                                                                        \
    energy[1] = e[1];                                                                                        \
  }

VARIANTS(3)
VARIANTS(4)

static void gang(const PairModel *m, int nmol, int stride, const void *x, void *f, Octet *out, Octet *energy)
{
  if (energy == NULL)
    (m->nsite == 4 ? gang4 : gang3)(m, nmol, stride, x, f, out);
  else
    (m->nsite == 4 ? gang4_energy : gang3_energy)(m, nmol, stride, x, f, out, energy);
}

static void chunk(const PairModel *m, int nmol, int begin, int end, const void *x, void *f, Octet *energy)
{
  if (energy == NULL)
    (m->nsite == 4 ? chunk4 : chunk3)(m, nmol, begin, end, x, f);
  else
    (m->nsite == 4 ? chunk4_energy : chunk3_energy)(m, nmol, begin, end, x, f, energy);
}

/* q[pack][O, H, H] to x[pack][M, H, H, O]; models without M take q as it is. */
static void stage(const PairModel *m, int begin, int end, int npack, const Octet *q, const Octet *origin,
                  const Octet *active, void *x)
{
  (void)npack;
  (void)origin;
  (void)active;
  for (int p = begin; p < end; p++) {
    const Octet *from = q + 9 * (size_t)p;
    Octet *to = (Octet *)x + 12 * (size_t)p;
    for (int d = 0; d < 3; d++) {
      to[d] = pair_place(m, 4, from, d);
      to[3 + d] = from[3 + d];
      to[6 + d] = from[6 + d];
      to[9 + d] = from[d];
    }
  }
}

static void collect(const PairModel *m, int begin, int end, int npack, int nbuf, const int *first, int size,
                    const void *buffer, Octet *f)
{
  if (m->nsite == 4)
    collect_any_vd(m, 4, begin, end, npack, nbuf, first, size, buffer, f);
  else
    collect_any_vd(m, 3, begin, end, npack, nbuf, first, size, buffer, f);
}

extern const PairKernels ISA_SYMBOL(pair_double_table);
const PairKernels ISA_SYMBOL(pair_double_table) = {LANES, stage, gang, chunk, collect};
