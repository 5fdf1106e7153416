#include "observables/energy_pool.h"

#include <math.h>
#include <stdlib.h>

#include "observables/energy_histogram_private.h"

/* The sum of all rows: the head of temperatures, then of bins low ... high, then of groups. */
typedef struct Sum {
  const EnergyHistogram *like;
  double width;
  int64_t low, high, first, last; /* bins; groups */
  double *head, *bin, *column;
} Sum;

/* What all have in common: the widest bins, the whole range. */
static Status range(Sum *sum, EnergyHistogram *const *ladder, int ladders, Error *error)
{
  const EnergyHistogramOptions *o = &ladder[0]->options;
  for (int l = 0; l < ladders; l++) {
    const EnergyHistogramOptions *p = &ladder[l]->options;
    if (p->temperatures != o->temperatures || p->bins != o->bins || p->columns != o->columns ||
        p->share != o->share)
      return error_set(error, STATUS_INPUT, "ladder %d has another histogram of energies than the first",
                       l + 1);
    sum->width = fmax(sum->width, ladder[l]->grid.width);
  }
  sum->like = ladder[0];
  sum->low = INT64_MAX;
  sum->high = INT64_MIN;
  for (int l = 0; l < ladders; l++) {
    const EnergyGrid *g = &ladder[l]->grid;
    const int64_t ratio = (int64_t)(sum->width / g->width);
    if (g->high < g->low)
      continue;
    const int64_t low = energy_histogram_over(g->low, ratio), high = energy_histogram_over(g->high, ratio);
    sum->low = low < sum->low ? low : sum->low;
    sum->high = high > sum->high ? high : sum->high;
  }
  if (sum->high < sum->low)
    return error_set(error, STATUS_INPUT, "there is no energy in these histograms");
  sum->first = energy_histogram_over(sum->low, o->share);
  sum->last = energy_histogram_over(sum->high, o->share);
  return STATUS_OK;
}

static void add_row(Sum *sum, const EnergyHistogram *h, const int64_t *row, double times)
{
  const int64_t ratio = (int64_t)(sum->width / h->grid.width), share = h->options.share;
  const size_t columns = (size_t)h->options.columns;
  for (int k = 0; k < 2 * h->options.temperatures; k++)
    sum->head[k] += times * (double)row[k];
  for (int64_t i = h->grid.low; i <= h->grid.high; i++) {
    const int64_t *from = row + energy_histogram_bin(h, i);
    double *to = sum->bin + 2 * (energy_histogram_over(i, ratio) - sum->low);
    to[0] += times * (double)from[0];
    to[1] += times * (double)from[1];
  }
  if (columns == 0)
    return;
  for (int64_t g = energy_histogram_over(h->grid.low, share); g <= energy_histogram_over(h->grid.high, share);
       g++) {
    const int64_t *from = row + energy_histogram_column(h, g);
    double *to = sum->column + (size_t)(energy_histogram_over(g, ratio) - sum->first) * columns;
    for (size_t c = 0; c < columns; c++)
      to[c] += times * (double)from[c];
  }
}

static void add_all(Sum *sum, EnergyHistogram *const *ladder, int ladders, const int *times)
{
  for (int l = 0; l < ladders; l++) {
    const EnergyHistogram *h = ladder[l];
    const int64_t blocks = h->grid.blocks.full + (times == NULL && h->grid.blocks.here > 0);
    for (int64_t b = 0; b < blocks; b++)
      if (times == NULL || times[l * BLOCK_ROWS + b] != 0)
        add_row(sum, h, h->row + (size_t)b * h->row_size, times == NULL ? 1.0 : times[l * BLOCK_ROWS + b]);
  }
}

static Status room(EnergyPool *p, const Sum *sum)
{
  const size_t bins = (size_t)(sum->high - sum->low + 1), groups = (size_t)(sum->last - sum->first + 1),
               temperatures = (size_t)p->temperatures;
  p->drawn = malloc(temperatures * sizeof *p->drawn);
  p->mean = malloc(temperatures * sizeof *p->mean);
  p->count = malloc(bins * sizeof *p->count);
  p->energy = malloc(bins * sizeof *p->energy);
  p->group = malloc(bins * sizeof *p->group);
  p->column = malloc((groups * (size_t)p->columns + 1) * sizeof *p->column);
  return p->drawn != NULL && p->mean != NULL && p->count != NULL && p->energy != NULL && p->group != NULL &&
                 p->column != NULL
             ? STATUS_OK
             : STATUS_MEMORY;
}

/* Only what has samples. */
static void fill(EnergyPool *p, const Sum *sum)
{
  const size_t columns = (size_t)p->columns;
  int64_t before = INT64_MIN;
  double samples = 0.0;
  for (int k = 0; k < p->temperatures; k++) {
    p->drawn[k] = sum->head[2 * k];
    p->samples += p->drawn[k];
    p->mean[k] = sum->head[2 * k + 1] * ENERGY_HISTOGRAM_UNIT / p->drawn[k];
  }
  for (int64_t i = sum->low; i <= sum->high; i++) {
    const double *bin = sum->bin + 2 * (i - sum->low);
    if (bin[0] <= 0.0)
      continue;
    const int64_t g = energy_histogram_over(i, sum->like->options.share);
    const double *from = sum->column + (size_t)(g - sum->first) * columns;
    if (g != before) {
      samples = 0.0;
      p->groups++;
    }
    before = g;
    samples += bin[0];
    p->count[p->bins] = bin[0];
    p->energy[p->bins] = bin[1] * ENERGY_HISTOGRAM_UNIT / bin[0];
    p->group[p->bins++] = p->groups - 1;
    for (size_t c = 0; c < columns; c++) /* the last bin of a group has all its samples */
      p->column[(size_t)(p->groups - 1) * columns + c] = from[c] * sum->like->unit[c] / samples;
  }
}

Status energy_pool_create(EnergyPool **pool, EnergyHistogram *const *ladder, int ladders, const int *times,
                          Error *error)
{
  *pool = NULL;
  if (ladders < 1)
    return error_set(error, STATUS_INPUT, "there is no ladder to pool");
  Sum sum = {0};
  Status status = range(&sum, ladder, ladders, error);
  if (status != STATUS_OK)
    return status;
  const EnergyHistogramOptions *o = &sum.like->options;
  const size_t head = 2 * (size_t)o->temperatures, bins = 2 * (size_t)(sum.high - sum.low + 1),
               columns = (size_t)(sum.last - sum.first + 1) * (size_t)o->columns;
  EnergyPool *p = calloc(1, sizeof *p);
  sum.head = calloc(head + bins + columns, sizeof *sum.head);
  if (p != NULL)
    *p = (EnergyPool){.temperatures = o->temperatures, .columns = o->columns, .width = sum.width};
  if (p == NULL || sum.head == NULL || room(p, &sum) != STATUS_OK)
    status = error_memory(error, "energies of ladders");
  if (status == STATUS_OK) {
    sum.bin = sum.head + head;
    sum.column = sum.bin + bins;
    add_all(&sum, ladder, ladders, times);
    fill(p, &sum);
    if (p->bins == 0)
      status = error_set(error, STATUS_INPUT, "there is no energy in these blocks");
  }
  free(sum.head);
  if (status != STATUS_OK) {
    energy_pool_free(p);
    return status;
  }
  *pool = p;
  return STATUS_OK;
}

void energy_pool_free(EnergyPool *p)
{
  if (p == NULL)
    return;
  free(p->drawn);
  free(p->mean);
  free(p->count);
  free(p->energy);
  free(p->group);
  free(p->column);
  free(p);
}
