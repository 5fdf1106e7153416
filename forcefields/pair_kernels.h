/* Private interface between pair.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_KERNELS_H
#define HOLONOM_FORCEFIELDS_PAIR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/isa.h"
#include "engine/units.h"
#include "engine/vec8.h"
#include "forcefields/site_map.h"

/* Forces in n buffers, `size` times 64 bytes apart, for npack packs of the state. Buffer k is used from pack
 * first[k] on; first does not decrease. */
typedef struct PairBuffers {
  int n, size, npack;
  bool fill; /* overwrite f instead of adding */
  const int *first;
  const void *data;
} PairBuffers;

/* Kernels for packs of 8 doubles, or of 16 floats (two packs of the state). Arrays x and f are
 * [pack][nsite][3] of 64 bytes each. */
typedef struct PairKernels {
  int lanes;
  /* Fills x for packs begin..end-1 of the kernel from q[npack][3][3] of the state. Floats only: subtracts
   * origin[2][3], one row for even and one for odd packs of the state, and puts lanes from `used` on at a
   * distance whose powers do not underflow. */
  void (*stage)(const SiteMap *map, int begin, int end, int npack, int used, const Vec8 *q,
                const Vec8 *origin, void *x);
  /* Replicas in lanes: f = forces; molecule i is pack i*stride. energy[2] = coulomb, lj; or NULL. */
  void (*batch)(const SiteMap *map, int nmol, int stride, const void *x, void *f, Vec8 *energy);
  /* One replica, molecules in lanes: forces and energies of pairs of packs begin..end-1, counted (0,0) (0,1)
   * ... (1,1) ... Overwrites f from the first of these packs on and, unless NULL, energy[2], which the caller
   * sums over lanes. */
  void (*chunk)(const SiteMap *map, int nmol, int64_t begin, int64_t end, const void *x, void *f,
                Vec8 *energy);
  /* For packs begin..end-1 of the kernel, f[npack][3][3] of the state += the sum over buffers, or = with
   * `fill`. */
  void (*collect)(const SiteMap *map, int begin, int end, const PairBuffers *buffers, const Vec8 *q, Vec8 *f);
} PairKernels;

typedef struct PairExtras {
  /* Mean position of the oxygens of each replica: origin[2][3], see PairKernels.stage. */
  void (*origin)(int width, int nmol, const Vec8 *q, const Vec8 *active, Vec8 *origin);
  /* hess[pack][9][9] += each molecule's own block of Hess V for packs begin..end-1; x as staged. */
  void (*hess)(const SiteMap *map, int width, int nmol, int begin, int end, const Vec8 *x, Vec8 *hess);
} PairExtras;

ISA_DECLARE(PairKernels, pair_double_table);
ISA_DECLARE(PairKernels, pair_mixed_table);
ISA_DECLARE(PairExtras, pair_extras_table);

VEC_INLINE bool pair_hydrogen(int site) { return site == 1 || site == 2; }

/* Products of charges times Coulomb's constant, by their number of hydrogens. */
VEC_INLINE void pair_charge_products(const SiteMap *map, double qq[3])
{
  const double q = map->charge[map->nsite == 3 ? 0 : 3], q_h = map->charge[1];
  qq[0] = UNITS_COULOMB * q * q;
  qq[1] = UNITS_COULOMB * q * q_h;
  qq[2] = UNITS_COULOMB * q_h * q_h;
}

/* Calls function(map, number of sites, ...) with the number as a constant, to unroll each instance. */
#define PAIR_INSTANCE(function, map, ...)                                                                    \
  do {                                                                                                       \
    if ((map)->nsite == 3)                                                                                   \
      function(map, 3, __VA_ARGS__);                                                                         \
    else if ((map)->nsite == 4)                                                                              \
      function(map, 4, __VA_ARGS__);                                                                         \
    else                                                                                                     \
      function(map, 5, __VA_ARGS__);                                                                         \
  } while (0)

/* The number of pairs of npack packs, including each pack with itself. */
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
