/* Private to the pair kernels: the table of kernels in double or float (pair_real.h), for molecules of three,
 * four and five sites. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_INSTANCES_H
#define HOLONOM_FORCEFIELDS_PAIR_INSTANCES_H

#include "forcefields/pair_molecules.h"
#include "forcefields/pair_stage.h"

enum { PAIR_HAS_ENERGY = REAL_PACKS == 1 }; /* energies always use doubles */

VEC_INLINE void pair_store_energy(const Real e[2], int part, Vec8 energy[2])
{
  for (int t = 0; t < 2; t++) {
    vd half[REAL_PACKS];
    real_split(e[t], half);
    vd_store(&energy[t], part, half[0]);
  }
}

VEC_INLINE void batch_sites(const SiteMap *map, const int nsite, int nmol, int stride, const Real *x, Real *f,
                            Vec8 *energy)
{
  const PairConstants k = pair_constants(map);
  for (int part = 0; part < REGISTERS; part++)
    if (PAIR_HAS_ENERGY && energy != NULL) {
      Real e[2] = {{0}, {0}};
      pair_batch(&k, nsite, nmol, stride, part, x, f, e);
      pair_store_energy(e, part, energy);
    } else
      pair_batch(&k, nsite, nmol, stride, part, x, f, NULL);
}

static void batch(const SiteMap *map, int nmol, int stride, const void *x, void *f, Vec8 *energy)
{
  PAIR_INSTANCE(batch_sites, map, nmol, stride, x, f, energy);
}

VEC_INLINE void chunk_sites(const SiteMap *map, const int nsite, int nmol, int64_t begin, int64_t end,
                            const Real *x, Real *f, Vec8 *energy)
{
  const PairConstants k = pair_constants(map);
  if (PAIR_HAS_ENERGY && energy != NULL) {
    Real e[2] = {{0}, {0}};
    pair_chunk(&k, nsite, nmol, begin, end, x, f, e);
    energy[0] = energy[1] = vec8_set(0.0);
    pair_store_energy(e, 0, energy);
  } else
    pair_chunk(&k, nsite, nmol, begin, end, x, f, NULL);
}

static void chunk(const SiteMap *map, int nmol, int64_t begin, int64_t end, const void *x, void *f,
                  Vec8 *energy)
{
  PAIR_INSTANCE(chunk_sites, map, nmol, begin, end, x, f, energy);
}

static void stage(const SiteMap *map, int begin, int end, int npack, int used, const Vec8 *q,
                  const Vec8 *origin, void *x)
{
  PAIR_INSTANCE(pair_stage, map, begin, end, npack, used, q, origin, x);
}

static void collect(const SiteMap *map, int begin, int end, const PairBuffers *buffers, const Vec8 *q,
                    Vec8 *f)
{
  PAIR_INSTANCE(pair_collect, map, begin, end, *buffers, q, f);
}

#define PAIR_TABLE                                                                                           \
  {                                                                                                          \
    REAL_PACK, stage, batch, chunk, collect                                                                  \
  }

#endif
