/* Between a histogram and its pools. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_PRIVATE_H

#include "observables/block_rows.h"
#include "observables/energy_histogram.h"

/* What changes beside the rows. */
typedef struct EnergyGrid {
  double width;
  int64_t low, high; /* bins of the lowest and highest energy seen; high < low: none */
  int64_t odd;
  BlockRowsSeries blocks;
} EnergyGrid;

/* A row, of whole numbers: samples and sums of energies of temperatures, the same of bins, sums of columns of
 * groups of bins. Bin i is at i modulo their number. */
struct EnergyHistogram {
  EnergyHistogramOptions options;
  double *unit; /* [columns] */
  int groups;
  EnergyGrid grid;
  size_t row_size;
  int64_t *row;     /* [BLOCK_ROWS][row_size] */
  int64_t *scratch; /* [row_size]             */
};

/* Sums of energies are multiples of this, kcal/mol. */
#define ENERGY_HISTOGRAM_UNIT 0x1p-20

static inline int64_t energy_histogram_over(int64_t i, int64_t n) /* floor(i/n), n a power of 2 */
{
  return (i - (i & (n - 1))) / n;
}

/* Parts of a row. */
static inline size_t energy_histogram_bin(const EnergyHistogram *h, int64_t bin)
{
  return 2 * (size_t)h->options.temperatures + 2 * (size_t)(bin & (h->options.bins - 1));
}

static inline size_t energy_histogram_column(const EnergyHistogram *h, int64_t group)
{
  return 2 * (size_t)h->options.temperatures + 2 * (size_t)h->options.bins +
         (size_t)(group & (h->groups - 1)) * (size_t)h->options.columns;
}

/* Merges neighbours until bins are `width` wide, a power of 2 times what they are. */
void energy_histogram_widen(EnergyHistogram *histogram, double width);

#endif
