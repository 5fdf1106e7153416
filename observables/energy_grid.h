/* Bins of energies in constant memory for any range: bins of a grid through zero. When the range exceeds
 * `bins` bins, neighbours merge and the width doubles. The result is the finest width that the range allows,
 * for any order of samples. Bin i is stored at i modulo `bins`, a power of 2. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_GRID_H
#define HOLONOM_OBSERVABLES_ENERGY_GRID_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Unit of sums of energies, kcal/mol. Sums are integers, so they do not depend on the order of samples. */
#define ENERGY_GRID_UNIT 0x1p-20

typedef struct EnergyGrid {
  double width;
  int64_t low, high; /* bins of the lowest and highest energy; high < low: empty */
} EnergyGrid;

/* An empty grid of bins no wider than `width`, a power of 2. */
static inline EnergyGrid energy_grid(double width)
{
  return (EnergyGrid){.width = exp2(floor(log2(width))), .high = -1};
}

static inline int64_t energy_grid_over(int64_t i, int64_t n) /* floor(i/n), n a power of 2 */
{
  return (i - (i & (n - 1))) / n;
}

static inline int64_t energy_grid_units(double energy)
{
  return (int64_t)floor(energy / ENERGY_GRID_UNIT + 0.5);
}

/* Whether an energy has a bin: not if it is NaN or beyond 1e9. */
static inline int energy_grid_takes(double energy) { return fabs(energy) < 1e9; }

/* Returns the bin of an energy, extending the range. merge(self, low, high) is called before each doubling of
 * the width, to merge bins 2i and 2i + 1 for all bins from low to high. */
static inline int64_t energy_grid_take(EnergyGrid *g, int bins, double energy, void *self,
                                       void (*merge)(void *self, int64_t low, int64_t high))
{
  for (;;) {
    const int64_t bin = (int64_t)floor(energy / g->width);
    const int64_t low = g->high < g->low || bin < g->low ? bin : g->low;
    const int64_t high = g->high < g->low || bin > g->high ? bin : g->high;
    if (high - low < bins) {
      g->low = low;
      g->high = high;
      return bin;
    }
    merge(self, g->low, g->high);
    g->width *= 2.0;
    g->low = energy_grid_over(g->low, 2);
    g->high = energy_grid_over(g->high, 2);
  }
}

/* Merges the numbers of bins low ... high; that of bin i is at x[(i modulo bins)*stride]. scratch[bins]. */
static inline void energy_grid_merge(int bins, int64_t low, int64_t high, int64_t *x, size_t stride,
                                     int64_t *scratch)
{
  const int64_t mask = bins - 1;
  for (int i = 0; i < bins; i++)
    scratch[i] = 0;
  for (int64_t i = low; i <= high; i++)
    scratch[energy_grid_over(i, 2) & mask] += x[(size_t)(i & mask) * stride];
  for (int i = 0; i < bins; i++)
    x[(size_t)i * stride] = scratch[i];
}

#endif
