#include "observables/energy_pool.h"

#include <math.h>
#include <stdlib.h>

#include "observables/energy_histogram_private.h"

/* The sum of all rows: temperatures first, then bins low ... high. */
typedef struct Sum {
  double width;
  size_t each; /* numbers of a bin */
  int64_t low, high;
  double *head, *bin;
} Sum;

/* The common grid: the widest bins, the whole range. */
static Status range(Sum *sum, EnergyHistogram *const *ladder, int ladders, Error *error)
{
  const EnergyHistogramOptions *o = &ladder[0]->options;
  *sum = (Sum){.each = ladder[0]->each, .low = INT64_MAX, .high = INT64_MIN};
  for (int l = 0; l < ladders; l++) {
    const EnergyHistogramOptions *p = &ladder[l]->options;
    if (p->temperatures != o->temperatures || p->bins != o->bins || p->volumes != o->volumes)
      return error_set(error, STATUS_INPUT, "ladder %d has a different histogram of energies from the first",
                       l + 1);
    sum->width = fmax(sum->width, ladder[l]->state.grid.width);
  }
  for (int l = 0; l < ladders; l++) {
    const EnergyGrid *g = &ladder[l]->state.grid;
    const int64_t ratio = (int64_t)(sum->width / g->width);
    if (g->high < g->low)
      continue;
    const int64_t low = energy_grid_over(g->low, ratio), high = energy_grid_over(g->high, ratio);
    sum->low = low < sum->low ? low : sum->low;
    sum->high = high > sum->high ? high : sum->high;
  }
  if (sum->high < sum->low)
    return error_set(error, STATUS_INPUT, "these histograms contain no energies");
  return STATUS_OK;
}

static void add_row(Sum *sum, const EnergyHistogram *h, const int64_t *row, double times)
{
  const EnergyGrid *grid = &h->state.grid;
  const int64_t ratio = (int64_t)(sum->width / grid->width);
  for (int k = 0; k < 2 * h->options.temperatures; k++)
    sum->head[k] += times * (double)row[k];
  for (int64_t i = grid->low; i <= grid->high; i++) {
    const int64_t *from = row + energy_histogram_bin(h, i);
    double *to = sum->bin + (ptrdiff_t)sum->each * (energy_grid_over(i, ratio) - sum->low);
    for (size_t c = 0; c < sum->each; c++)
      to[c] += times * (double)from[c];
  }
}

static void add_all(Sum *sum, EnergyHistogram *const *ladder, int ladders, const int *times)
{
  for (int l = 0; l < ladders; l++) {
    const EnergyHistogram *h = ladder[l];
    const int64_t blocks = h->state.blocks.full + (times == NULL && h->state.blocks.here > 0);
    for (int64_t b = 0; b < blocks; b++)
      if (times == NULL || times[l * BLOCK_ROWS + b] != 0)
        add_row(sum, h, h->row + (size_t)b * h->row_size, times == NULL ? 1.0 : times[l * BLOCK_ROWS + b]);
  }
}

/* Copies the bins with samples. */
static void fill(EnergyPool *p, const Sum *sum)
{
  for (int k = 0; k < p->temperatures; k++) {
    p->drawn[k] = sum->head[2 * k];
    p->samples += p->drawn[k];
    p->mean[k] = sum->head[2 * k + 1] * ENERGY_GRID_UNIT / p->drawn[k];
  }
  for (int64_t i = sum->low; i <= sum->high; i++) {
    const double *bin = sum->bin + (ptrdiff_t)sum->each * (i - sum->low);
    if (bin[0] <= 0.0)
      continue;
    if (p->volumes)
      p->volume[p->bins] = bin[2] * ENERGY_HISTOGRAM_VOLUME / bin[0];
    p->count[p->bins] = bin[0];
    p->energy[p->bins++] = bin[1] * ENERGY_GRID_UNIT / bin[0];
  }
}

Status energy_pool_create(EnergyPool **pool, EnergyHistogram *const *ladder, int ladders, const int *times,
                          Error *error)
{
  *pool = NULL;
  if (ladders < 1)
    return error_set(error, STATUS_INPUT, "there is no ladder to pool");
  Sum sum;
  TRY(range(&sum, ladder, ladders, error));
  const size_t temperatures = (size_t)ladder[0]->options.temperatures,
               bins = (size_t)(sum.high - sum.low + 1);
  EnergyPool *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "energies of ladders", error);
  *p = (EnergyPool){
      .temperatures = (int)temperatures, .width = sum.width, .volumes = ladder[0]->options.volumes};
  TRY_ELSE(energy_pool_room(p, bins, error), energy_pool_free(p));
  sum.head = arena_take(&p->arena, 2 * temperatures + sum.each * bins, sizeof *sum.head);
  TRY_ELSE(arena_check(&p->arena, "energies of ladders", error), energy_pool_free(p));
  sum.bin = sum.head + 2 * temperatures;
  add_all(&sum, ladder, ladders, times);
  fill(p, &sum);
  if (p->bins == 0) {
    energy_pool_free(p);
    return error_set(error, STATUS_INPUT, "these blocks contain no energies");
  }
  *pool = p;
  return STATUS_OK;
}

Status energy_pool_room(EnergyPool *p, size_t bins, Error *error)
{
  const size_t temperatures = (size_t)p->temperatures;
  p->drawn = arena_take(&p->arena, temperatures, sizeof *p->drawn);
  p->mean = arena_take(&p->arena, temperatures, sizeof *p->mean);
  p->count = arena_take(&p->arena, bins, sizeof *p->count);
  p->energy = arena_take(&p->arena, bins, sizeof *p->energy);
  p->volume = arena_take(&p->arena, bins, sizeof *p->volume);
  return arena_check(&p->arena, "energies of ladders", error);
}

void energy_pool_free(EnergyPool *p)
{
  if (p != NULL)
    arena_free(&p->arena);
  free(p);
}
