/* Histograms of energies of several ladders, or of blocks drawn from them, put together as MBAR takes them.
 */
#ifndef HOLONOM_OBSERVABLES_ENERGY_POOL_H
#define HOLONOM_OBSERVABLES_ENERGY_POOL_H

#include "base/arena.h"
#include "observables/energy_histogram.h"

typedef struct EnergyPool {
  int temperatures, bins; /* bins: those with samples, by rising energy */
  double width;
  double samples;        /* of all temperatures */
  double *drawn;         /* [temperatures] samples of each           */
  double *mean;          /* [temperatures] of their energies, NaN of none */
  double *count;         /* [bins]                                   */
  double *energy;        /* [bins] mean of a bin                     */
  const double *reduced; /* [bins][temperatures] reduced energies of a sample each, in place of beta times the
                            energy; borrowed; NULL: states differ in temperature alone */
  Arena arena;
} EnergyPool;

/* Sums over ladders, whose options must be the same but for the finest width, block b of ladder l `times`[l *
 * BLOCK_ROWS + b] times; NULL: all that there is, once, unfinished blocks too. STATUS_INPUT: no sample, or
 * other options; STATUS_MEMORY. */
Status energy_pool_create(EnergyPool **pool, EnergyHistogram *const *ladder, int ladders, const int *times,
                          Error *error);
void energy_pool_free(EnergyPool *pool);
SCOPED_POINTER(EnergyPool, energy_pool_free)

/* Of one that the caller fills: its arrays for pool->temperatures and so many bins, which arena_free frees.
 */
Status energy_pool_room(EnergyPool *pool, size_t bins, Error *error);

#endif
