/* Private interface between pair.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_KERNELS_H
#define HOLONOM_FORCEFIELDS_PAIR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/units.h"
#include "engine/vec8.h"
#include "forcefields/site_map.h"

/* Forces in n buffers `size` times 64 bytes apart, for npack packs of the state. Buffer k is used from pack
 * first[k] on; first does not decrease. */
typedef struct PairBuffers {
  int n, size, npack;
  bool fill; /* f is filled, not added to */
  const int *first;
  const void *data;
} PairBuffers;

/* One set of kernels for packs of 8 doubles, one for packs of 16 floats, which are two packs of the state. An
 * array x or f is [pack][nsite][3] of 64 bytes each. */
typedef struct PairKernels {
  int lanes;
  /* Fills x for packs begin..end-1 of the kernel from q[npack][3][3] of the state.
   * Floats only: origin[2][3] is subtracted, one row for even and one for odd packs of the state; lanes
   * from `used` on are put at a distance that no power of it underflows. */
  void (*stage)(const SiteMap *map, int begin, int end, int npack, int used, const Vec8 *q,
                const Vec8 *origin, void *x);
  /* Replicas in lanes: f = forces; molecule i is pack i*stride. energy[2] = coulomb, lj; or NULL. */
  void (*batch)(const SiteMap *map, int nmol, int stride, const void *x, void *f, Vec8 *energy);
  /* One replica, molecules in lanes: forces and energies of the pairs of packs begin..end-1, counted (0,0)
   * (0,1) ... (1,1) ... Overwrites f from the first of these packs on, and energy[2] unless NULL, to be
   * summed over lanes. */
  void (*chunk)(const SiteMap *map, int nmol, int64_t begin, int64_t end, const void *x, void *f,
                Vec8 *energy);
  /* f[npack][3][3] of the state += the sum over buffers, or = with `fill`, for packs begin..end-1 of the
   * kernel. */
  void (*collect)(const SiteMap *map, int begin, int end, const PairBuffers *buffers, const Vec8 *q, Vec8 *f);
} PairKernels;

typedef struct PairExtras {
  /* Mean position of the oxygens per replica: origin[2][3], see PairKernels.stage. */
  void (*origin)(int width, int nmol, const Vec8 *q, const Vec8 *active, Vec8 *origin);
  /* hess[pack][9][9] += each molecule's own block of Hess V for packs begin..end-1; x as staged. */
  void (*hess)(const SiteMap *map, int width, int nmol, int begin, int end, const Vec8 *x, Vec8 *hess);
} PairExtras;

ISA_DECLARE(PairKernels, pair_double_table);
ISA_DECLARE(PairKernels, pair_mixed_table);
ISA_DECLARE(PairExtras, pair_extras_table);

VEC_INLINE bool pair_hydrogen(int site) { return site == 1 || site == 2; }

/* Products of charges times the Coulomb constant, by the number of hydrogens in them. */
VEC_INLINE void pair_charge_products(const SiteMap *map, double qq[3])
{
  const double q = map->charge[map->nsite == 3 ? 0 : 3], q_h = map->charge[1];
  qq[0] = UNITS_COULOMB * q * q;
  qq[1] = UNITS_COULOMB * q * q_h;
  qq[2] = UNITS_COULOMB * q_h * q_h;
}

/* Calls function(map, number of sites, ...) with the number as a constant, so that each instance is straight
 * code. */
#define PAIR_INSTANCE(function, map, ...)                                                                    \
  do {                                                                                                       \
    if ((map)->nsite == 3)                                                                                   \
      function(map, 3, __VA_ARGS__);                                                                         \
    else if ((map)->nsite == 4)                                                                              \
      function(map, 4, __VA_ARGS__);                                                                         \
    else                                                                                                     \
      function(map, 5, __VA_ARGS__);                                                                         \
  } while (0)

/* Pairs of npack packs, with themselves. */
VEC_INLINE int64_t pair_packs(int npack) { return (int64_t)npack * (npack + 1) / 2; }

/* Row and column of pair k of npack packs, counted along the rows of the upper triangle. */
VEC_INLINE void pair_locate(int npack, int64_t k, int *row, int *column)
{
  int i = 0;
  while (k >= npack - i)
    k -= npack - i++;
  *row = i;
  *column = i + (int)k;
}

#endif
