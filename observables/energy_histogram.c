#include "observables/energy_histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/energy_histogram_private.h"

static bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

Status energy_histogram_create(EnergyHistogram **histogram, const EnergyHistogramOptions *options,
                               Error *error)
{
  *histogram = NULL;
  if (options->temperatures < 1 || options->temperatures > ENERGY_HISTOGRAM_TEMPERATURES ||
      !power_of_two(options->bins) || !power_of_two(options->share) || options->share > options->bins ||
      options->columns < 0 || !(options->width > 1e-9 && options->width < 1e9))
    return error_set(error, STATUS_INPUT,
                     "a histogram of energies is of 1 to %d temperatures, a power of 2 of bins, of which a "
                     "power of 2 share sums, and a width of 1e-9 to 1e9 kcal/mol",
                     ENERGY_HISTOGRAM_TEMPERATURES);
  EnergyHistogram *h = calloc(1, sizeof *h);
  if (h == NULL)
    return error_memory(error, "a histogram of energies");
  const size_t columns = (size_t)options->columns;
  h->options = *options;
  h->options.unit = NULL;
  h->groups = options->bins / options->share;
  h->grid = (EnergyGrid){.width = exp2(floor(log2(options->width))), .high = -1, .blocks.length = 1};
  h->row_size = 2 * (size_t)options->temperatures + 2 * (size_t)options->bins + (size_t)h->groups * columns;
  h->row = calloc(BLOCK_ROWS * h->row_size, sizeof *h->row);
  h->scratch = calloc(h->row_size, sizeof *h->scratch);
  h->unit = malloc((columns + 1) * sizeof *h->unit);
  if (h->row == NULL || h->scratch == NULL || h->unit == NULL) {
    energy_histogram_free(h);
    return error_memory(error, "a histogram of energies");
  }
  for (size_t c = 0; c < columns; c++)
    h->unit[c] = options->unit != NULL ? options->unit[c] : 1.0;
  *histogram = h;
  return STATUS_OK;
}

void energy_histogram_free(EnergyHistogram *h)
{
  if (h == NULL)
    return;
  free(h->row);
  free(h->scratch);
  free(h->unit);
  free(h);
}

/* --- the grid ---------------------------------------------------------------------------------------------
 */

/* Each pair of bins, and of groups, becomes one. */
static void widen_row(EnergyHistogram *h, int64_t *row)
{
  const size_t head = 2 * (size_t)h->options.temperatures, columns = (size_t)h->options.columns;
  const int64_t low = h->grid.low, high = h->grid.high, share = h->options.share;
  memset(h->scratch, 0, h->row_size * sizeof *h->scratch);
  for (int64_t i = low; i <= high; i++) {
    const int64_t *from = row + energy_histogram_bin(h, i);
    int64_t *to = h->scratch + energy_histogram_bin(h, energy_histogram_over(i, 2));
    to[0] += from[0];
    to[1] += from[1];
  }
  for (int64_t i = energy_histogram_over(low, share); i <= energy_histogram_over(high, share); i++)
    for (size_t c = 0; c < columns; c++)
      h->scratch[energy_histogram_column(h, energy_histogram_over(i, 2)) + c] +=
          row[energy_histogram_column(h, i) + c];
  memcpy(row + head, h->scratch + head, (h->row_size - head) * sizeof *row);
}

void energy_histogram_widen(EnergyHistogram *h, double width)
{
  EnergyGrid *grid = &h->grid;
  for (; grid->width < width; grid->width *= 2.0) {
    if (grid->high < grid->low)
      continue;
    for (size_t b = 0; b < BLOCK_ROWS; b++)
      widen_row(h, h->row + b * h->row_size);
    grid->low = energy_histogram_over(grid->low, 2);
    grid->high = energy_histogram_over(grid->high, 2);
  }
}

/* To the finest width at which these bins, of the present one, have room together. */
static void make_room(EnergyHistogram *h, int64_t low, int64_t high)
{
  const int64_t share = h->options.share;
  double width = h->grid.width;
  while (energy_histogram_over(high, share) - energy_histogram_over(low, share) >= h->groups) {
    width *= 2.0;
    low = energy_histogram_over(low, 2);
    high = energy_histogram_over(high, 2);
  }
  energy_histogram_widen(h, width);
  h->grid.low = low;
  h->grid.high = high;
}

/* --- samples ----------------------------------------------------------------------------------------------
 */

static int64_t units(double x, double unit) { return (int64_t)floor(x / unit + 0.5); }

void energy_histogram_add(EnergyHistogram *h, int k, double energy, const double *column)
{
  EnergyGrid *grid = &h->grid;
  if (!(fabs(energy) < 1e9)) {
    grid->odd++;
    return;
  }
  int64_t bin = (int64_t)floor(energy / grid->width);
  if (grid->high < grid->low)
    grid->low = grid->high = bin;
  if (bin < grid->low || bin > grid->high) {
    make_room(h, bin < grid->low ? bin : grid->low, bin > grid->high ? bin : grid->high);
    bin = (int64_t)floor(energy / grid->width);
  }
  int64_t *row = h->row + (size_t)grid->blocks.full * h->row_size;
  const int64_t sum = units(energy, ENERGY_HISTOGRAM_UNIT);
  int64_t *at = row + energy_histogram_bin(h, bin);
  row[2 * k]++;
  row[2 * k + 1] += sum;
  at[0]++;
  at[1] += sum;
  at = row + energy_histogram_column(h, energy_histogram_over(bin, h->options.share));
  for (int c = 0; c < h->options.columns; c++)
    at[c] += units(column[c], h->unit[c]);
}

static void add_numbers(size_t size, void *to, const void *from)
{
  int64_t *a = to;
  const int64_t *b = from;
  for (size_t i = 0; i < size / sizeof *a; i++)
    a[i] += b[i];
}

void energy_histogram_end(EnergyHistogram *h)
{
  block_rows_series_end(&h->grid.blocks, BLOCK_ROWS, h->row, h->row_size * sizeof *h->row, add_numbers);
}

Status energy_histogram_merge(EnergyHistogram *into, EnergyHistogram *from, Error *error)
{
  EnergyGrid *a = &into->grid, *b = &from->grid;
  if (into->row_size != from->row_size || a->blocks.full != b->blocks.full ||
      a->blocks.length != b->blocks.length || a->blocks.here != b->blocks.here)
    return error_set(error, STATUS_INPUT,
                     "histograms of energies that are merged must be of the same samples");
  energy_histogram_widen(into, b->width);
  energy_histogram_widen(from, a->width);
  if (b->high >= b->low && a->high < a->low) {
    a->low = b->low;
    a->high = b->high;
  } else if (b->high >= b->low) {
    make_room(into, b->low < a->low ? b->low : a->low, b->high > a->high ? b->high : a->high);
    energy_histogram_widen(from, a->width);
  }
  add_numbers(BLOCK_ROWS * into->row_size * sizeof *into->row, into->row, from->row);
  a->odd += b->odd;
  return STATUS_OK;
}

void energy_histogram_chunks(EnergyHistogram *h, ChunkList *list)
{
  chunk_add(list, &h->grid, sizeof h->grid);
  chunk_add(list, h->row, BLOCK_ROWS * h->row_size * sizeof *h->row);
}

int64_t energy_histogram_samples(const EnergyHistogram *h)
{
  return h->grid.blocks.full * h->grid.blocks.length + h->grid.blocks.here;
}

int64_t energy_histogram_odd(const EnergyHistogram *h) { return h->grid.odd; }

int energy_histogram_blocks(const EnergyHistogram *h) { return (int)h->grid.blocks.full; }

int64_t energy_histogram_length(const EnergyHistogram *h) { return h->grid.blocks.length; }

double energy_histogram_mean(const EnergyHistogram *h, int block, int k)
{
  const int64_t *row = h->row + (size_t)block * h->row_size + 2 * (size_t)k;
  return row[0] > 0 ? (double)row[1] * ENERGY_HISTOGRAM_UNIT / (double)row[0] : NAN;
}
