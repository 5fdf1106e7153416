/* Declarations shared by energy_histogram.c and energy_pool.c. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H

#include "base/arena.h"
#include "observables/block_rows.h"
#include "observables/energy_grid.h"
#include "observables/energy_histogram.h"

/* Data that change, in addition to the rows. */
typedef struct EnergyHistogramState {
  EnergyGrid grid;
  int64_t odd;
  BlockRowsSeries blocks;
} EnergyHistogramState;

/* Unit of sums of volumes, A^3. */
#define ENERGY_HISTOGRAM_VOLUME 0x1p-10

/* A row consists of integers: number of samples and sum of energies of each temperature, then of each bin,
 * with the sum of volumes. */
struct EnergyHistogram {
  EnergyHistogramOptions options;
  EnergyHistogramState state;
  Arena arena;
  size_t row_size, each; /* numbers of a row, and of a bin */
  int64_t *row;          /* [BLOCK_ROWS][row_size] */
  int64_t *scratch;      /* [bins]                 */
};

/* The index of a bin in a row. */
static inline size_t energy_histogram_bin(const EnergyHistogram *h, int64_t bin)
{
  return 2 * (size_t)h->options.temperatures + h->each * (size_t)(bin & (h->options.bins - 1));
}

#endif
