#include "observables/energy_histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "observables/energy_histogram_private.h"

static bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

Status energy_histogram_create(EnergyHistogram **histogram, const EnergyHistogramOptions *options,
                               Error *error)
{
  *histogram = NULL;
  if (options->temperatures < 1 || options->temperatures > ENERGY_HISTOGRAM_TEMPERATURES ||
      !power_of_two(options->bins) || !(options->width > 1e-9 && options->width < 1e9))
    return error_set(error, STATUS_INPUT,
                     "a histogram of energies needs 1 to %d temperatures, a power of 2 as number of bins, "
                     "and a width of 1e-9 to 1e9 kcal/mol",
                     ENERGY_HISTOGRAM_TEMPERATURES);
  EnergyHistogram *h = calloc(1, sizeof *h);
  TRY_MEMORY(h != NULL, "a histogram of energies", error);
  h->options = *options;
  h->state = (EnergyHistogramState){.grid = energy_grid(options->width), .blocks.length = 1};
  h->each = options->volumes ? 3 : 2;
  h->row_size = 2 * (size_t)options->temperatures + h->each * (size_t)options->bins;
  h->row = arena_take(&h->arena, BLOCK_ROWS * h->row_size, sizeof *h->row);
  h->scratch = arena_take(&h->arena, (size_t)options->bins, sizeof *h->scratch);
  TRY_ELSE(arena_check(&h->arena, "a histogram of energies", error), energy_histogram_free(h));
  *histogram = h;
  return STATUS_OK;
}

void energy_histogram_free(EnergyHistogram *h)
{
  if (h != NULL)
    arena_free(&h->arena);
  free(h);
}

/* --- samples ----------------------------------------------------------------------------------------------
 */

/* The merge callback of energy_grid_take: merges counts and sums of all blocks, including the incomplete
 * one. */
static void merge(void *self, int64_t low, int64_t high)
{
  const EnergyHistogram *h = self;
  for (size_t b = 0; b <= (size_t)h->state.blocks.full; b++)
    for (size_t i = 0; i < h->each; i++)
      energy_grid_merge(h->options.bins, low, high, h->row + b * h->row_size + energy_histogram_bin(h, 0) + i,
                        h->each, h->scratch);
}

void energy_histogram_add(EnergyHistogram *h, int k, double energy, double volume)
{
  if (!energy_grid_takes(energy) || (h->options.volumes && !energy_grid_takes(volume))) {
    h->state.odd++;
    return;
  }
  const int64_t bin = energy_grid_take(&h->state.grid, h->options.bins, energy, h, merge);
  const int64_t units = energy_grid_units(energy);
  int64_t *row = h->row + (size_t)h->state.blocks.full * h->row_size,
          *at = row + energy_histogram_bin(h, bin);
  row[2 * k]++;
  row[2 * k + 1] += units;
  at[0]++;
  at[1] += units;
  if (h->options.volumes)
    at[2] += (int64_t)floor(volume / ENERGY_HISTOGRAM_VOLUME + 0.5);
}

void energy_histogram_end(EnergyHistogram *h)
{
  if (block_rows_series_end(&h->state.blocks, BLOCK_ROWS))
    block_rows_halve(BLOCK_ROWS, h->row, h->row_size * sizeof *h->row, block_rows_add_whole);
}

void energy_histogram_chunks(EnergyHistogram *h, ChunkList *list)
{
  chunk_add(list, &h->state, sizeof h->state);
  chunk_add(list, h->row, BLOCK_ROWS * h->row_size * sizeof *h->row);
}

int64_t energy_histogram_samples(const EnergyHistogram *h)
{
  return h->state.blocks.full * h->state.blocks.length + h->state.blocks.here;
}

int64_t energy_histogram_odd(const EnergyHistogram *h) { return h->state.odd; }

int energy_histogram_blocks(const EnergyHistogram *h) { return (int)h->state.blocks.full; }

int64_t energy_histogram_length(const EnergyHistogram *h) { return h->state.blocks.length; }

double energy_histogram_mean(const EnergyHistogram *h, int block, int k)
{
  const int64_t *row = h->row + (size_t)block * h->row_size + 2 * (size_t)k;
  return row[0] > 0 ? (double)row[1] * ENERGY_GRID_UNIT / (double)row[0] : NAN;
}
