/* Pooled histograms of energies of several ladders, or of blocks drawn from them: the input of MBAR. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_POOL_H
#define HOLONOM_OBSERVABLES_ENERGY_POOL_H

#include "base/arena.h"
#include "observables/energy_histogram.h"

typedef struct EnergyPool {
  int temperatures, bins; /* bins: those with samples, by rising energy */
  double width;
  double samples;        /* of all temperatures */
  double *drawn;         /* [temperatures] number of samples */
  double *mean;          /* [temperatures] mean of their energies; NaN without samples */
  double *count;         /* [bins]                                   */
  double *energy;        /* [bins] mean energy */
  double *volume;        /* [bins] mean volume, A^3; 0: samples have no volume */
  bool volumes;          /* samples have volumes, and energies are U + P V */
  const double *reduced; /* [bins][temperatures] reduced energies of single samples, in place of beta times
                            the energy; borrowed; NULL: states differ in temperature only */
  Arena arena;
} EnergyPool;

/* Pools ladders with equal options (the finest width may differ): block b of ladder l counts `times`[l *
 * BLOCK_ROWS + b] times. times = NULL: all blocks once, including incomplete ones. Errors: STATUS_INPUT (no
 * sample, or different options), STATUS_MEMORY. */
Status energy_pool_create(EnergyPool **pool, EnergyHistogram *const *ladder, int ladders, const int *times,
                          Error *error);
void energy_pool_free(EnergyPool *pool);
SCOPED_POINTER(EnergyPool, energy_pool_free)

/* Allocates the arrays of a pool that the caller fills, for pool->temperatures and this number of bins;
 * arena_free frees them. */
Status energy_pool_room(EnergyPool *pool, size_t bins, Error *error);

#endif
