/* Between a histogram and its pools. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H

#include "base/arena.h"
#include "observables/block_rows.h"
#include "observables/energy_grid.h"
#include "observables/energy_histogram.h"

/* What changes beside the rows. */
typedef struct EnergyHistogramState {
  EnergyGrid grid;
  int64_t odd;
  BlockRowsSeries blocks;
} EnergyHistogramState;

/* A row, of whole numbers: samples and sums of energies of temperatures, the same of bins. */
struct EnergyHistogram {
  EnergyHistogramOptions options;
  EnergyHistogramState state;
  Arena arena;
  size_t row_size;
  int64_t *row;     /* [BLOCK_ROWS][row_size] */
  int64_t *scratch; /* [bins]                 */
};

/* Where a bin is in a row. */
static inline size_t energy_histogram_bin(const EnergyHistogram *h, int64_t bin)
{
  return 2 * (size_t)h->options.temperatures + 2 * (size_t)(bin & (h->options.bins - 1));
}

#endif
