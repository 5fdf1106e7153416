#include <math.h>
#include <string.h>

#include "observables/collective_private.h"
#include "observables/free_energy_private.h"

/* Limits: bins of all coordinates together, bytes of counts at which blocks become fewer, and of all counts.
 */
enum { BINS_MOST = 20000, ROWS_LEAST = 16 };
static const double memory_usual = 64e6, memory_most = 2e9;

/* --- bins ------------------------------------------------------------------------------------------------
 */

static const double *constants_of(const FreeEnergyList *list, int window, int bias)
{
  return list->constant + ((ptrdiff_t)window * list->nbias + bias) * BIAS_CONSTANTS;
}

/* The narrowest distribution of a flat coordinate in any window, and the farthest point of a bias. */
static double narrowest(const FreeEnergy *f, int d, double *farthest)
{
  double most = 0.0;
  *farthest = 0.0;
  for (int w = 0; w < f->list->windows; w++)
    for (int b = 0; b < f->list->nbias; b++)
      if (f->list->of[b] == d) {
        const double *c = constants_of(f->list, w, b);
        most = fmax(most, c[0]);
        *farthest = fmax(*farthest, fabs(c[1]));
      }
  return most > 0.0 ? sqrt(observable_kT(&f->is) / most) : INFINITY;
}

/* Chooses the table's bins, and fine bins much narrower than the umbrellas. */
static Status choose_axis(FreeEnergy *f, int d, const Box *box, Error *error)
{
  FreeEnergyAxis *a = &f->axis[d];
  const ObservableOptions *o = &f->is.options;
  double farthest;
  const double narrow = narrowest(f, d, &farthest) / (f->list->n > 1 ? 2.0 : 5.0), span = 5.0;
  a->form = f->list->on[d]->sites.form;
  a->type = &coordinate_types[a->form];
  a->period = bias_period(&f->list->on[d]->sites, box);
  const double high = a->type->angle ? M_PI
                      : o->free_energy.max > 0.0
                          ? o->free_energy.max
                          : fmax(fmax(f->list->n > 1 ? 0.0 : 20.0, a->period), farthest + span);
  a->low = a->type->periodic || a->type->negative ? -high : 0.0;
  double rows = o->free_energy.bins > 0 ? o->free_energy.bins : 72.0;
  double width = (high - a->low) / rows;
  if (!a->type->angle) {
    width = o->free_energy.width > 0.0 ? o->free_energy.width
                                       : fmax(0.1, (high - a->low) / (f->list->n > 1 ? 100.0 : 2000.0));
    rows = ceil((high - a->low) / width * (1.0 - 1e-12));
  }
  const double most = f->list->n > 1 ? sqrt((double)BINS_MOST) : BINS_MOST;
  if (!(rows >= 1.0 && rows <= most))
    return error_set(error, STATUS_INPUT, "%.6g bins of %s; wanted: 1 to %.0f", rows, f->list->on[d]->name,
                     floor(most));
  const double each = ceil(fmin(width / narrow, 1e6)), fits = floor(most / rows);
  a->each = (int)fmax(1.0, fmin(each, fits));
  a->bins = (int)rows * a->each;
  a->width = width / a->each;
  return STATUS_OK;
}

double free_energy_reduced(const FreeEnergy *f, int window, int bin, const double *slope)
{
  enum { POINTS = 4 };
  double v[POINTS * POINTS], weight[POINTS * POINTS], least = INFINITY, sum = 0.0, all = 0.0;
  const int second = f->list->n > 1 ? POINTS : 1, fine = f->list->n > 1 ? f->axis[1].bins : 1;
  for (int p = 0; p < POINTS * second; p++) {
    const int part[] = {p / second, p % second}, at[] = {bin / fine, bin % fine};
    double along = 0.0;
    for (int d = 0; d < FREE_ENERGY_COORDINATES && d < f->list->n; d++)
      along += slope[d] * f->axis[d].width * ((part[d] + 0.5) / POINTS - 0.5);
    weight[p] = exp(along);
    v[p] = 0.0;
    for (int b = 0; b < f->list->nbias; b++) {
      const int d = f->list->of[b];
      const FreeEnergyAxis *a = &f->axis[d];
      const double x = a->low + a->width * (at[d] + (part[d] + 0.5) / POINTS);
      v[p] += bias_energy(&f->list->bias[b], constants_of(f->list, window, b), &a->period, &x, NULL) /
              observable_kT(&f->is);
    }
    least = fmin(least, v[p]);
  }
  for (int p = 0; p < POINTS * second; p++)
    sum += weight[p] * exp(least - v[p]), all += weight[p];
  return least - log(sum / all);
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

/* Blocks of time become fewer if the counts of all replicas, in all processes, would need much memory. */
static Status choose_rows(FreeEnergy *f, Error *error)
{
  const double each = (double)f->list->slots * (double)f->row * sizeof *f->count;
  f->nrow = BLOCK_ROWS;
  while (f->nrow > ROWS_LEAST && f->nrow * each > memory_usual)
    f->nrow /= 2;
  if (f->nrow * each > memory_most)
    return error_set(error, STATUS_INPUT,
                     "counts of %d replicas in %d bins need %.3g GB; the limit is %.3g GB: use wider bins "
                     "(free_energy_width, free_energy_bins), or set output.free_energy_every: 0",
                     f->list->slots, f->bins, 1e-9 * f->nrow * each, 1e-9 * memory_most);
  return STATUS_OK;
}

static const char *reason(const FreeEnergy *f)
{
  const ObservableOptions *o = &f->is.options;
  if (f->list->why != NULL)
    return f->list->why;
  if (!(observable_kT(&f->is) > 0.0))
    return "the windows need a constant temperature, which a thermostat sets";
  for (int k = 1; k < o->temperatures; k++)
    if (o->kT[k] != o->kT[0])
      return "the windows need one temperature, and the ladder has several";
  return NULL;
}

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  FreeEnergy *f = self;
  const ObservableOptions *o = &f->is.options;
  f->list = o->free_energies;
  if (f->list == NULL)
    return error_set(error, STATUS_INPUT,
                     "there are no biases of coordinates to remove; list them under biases");
  f->work = observable_arena(f, 1, sizeof *f->work);
  f->why = reason(f);
  if (f->why != NULL)
    return STATUS_OK;
  const size_t batches = (size_t)(o->batches > 0 ? o->batches : 1);
  f->slots = o->replicas > 0 ? o->replicas : 1;
  f->bins = 1;
  for (int d = 0; d < f->list->n; d++) {
    const size_t memory = coordinate_sites_memory(&f->list->on[d]->sites);
    TRY(choose_axis(f, d, frame->box, error));
    f->bins *= f->axis[d].bins;
    f->memory = memory > f->memory ? memory : f->memory;
  }
  f->row = (size_t)f->bins + 1;
  f->monitors = 4 * (size_t)f->list->n;
  TRY(choose_rows(f, error));
  const size_t slots = (size_t)f->slots, rows = slots * (size_t)f->nrow;
  f->value = observable_arena(f, batches * FREE_ENERGY_COORDINATES * LANES, sizeof *f->value);
  f->scratch = observable_arena(f, batches * f->memory, sizeof *f->scratch);
  f->series = observable_kept(f, slots, sizeof *f->series);
  f->count = observable_kept(f, rows * f->row, sizeof *f->count);
  f->monitor = observable_kept(f, rows * f->monitors, sizeof *f->monitor);
  f->changed = observable_kept(f, slots, sizeof *f->changed);
  TRY(arena_check(&f->is.arena, "free_energy", error));
  for (int s = 0; s < f->slots; s++)
    f->series[s].length = 1;
  f->is.nout = free_energy_out(f, f->list->n) + f->list->windows;
  return STATUS_OK;
}

static void destroy(void *self)
{
  FreeEnergy *f = self;
  if (f->work != NULL)
    free_energy_result_work_clear(f->work);
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

static void add_counts(size_t size, void *to, const void *from)
{
  uint32_t *a = to;
  const uint32_t *b = from;
  for (size_t k = 0; k < size / sizeof *a; k++)
    a[k] += b[k];
}

/* Adds a sample of a slot, values at intervals of `step`. */
static void add_sample(const FreeEnergy *f, int slot, const double *value, int step)
{
  BlockRowsSeries *series = &f->series[slot];
  uint32_t *const rows = f->count + (size_t)slot * (size_t)f->nrow * f->row;
  double *const monitors = f->monitor + (size_t)slot * (size_t)f->nrow * f->monitors,
                *monitor = monitors + (size_t)series->full * f->monitors;
  int bin = 0;
  for (int d = 0; d < f->list->n; d++, monitor += 4) {
    const double x = value[(ptrdiff_t)d * step];
    double moment[2];
    const FreeEnergyAxis *a = &f->axis[d];
    const int one = coordinate_bin(a->type, a->low, a->width, a->bins, x);
    bin = bin < 0 || one < 0 ? -1 : bin * f->axis[d].bins + one;
    collective_moments(f->axis[d].type, x, moment);
    for (int k = 0; k < 2; k++) {
      monitor[2 * k] += moment[k];
      monitor[2 * k + 1] += moment[k] * moment[k];
    }
  }
  rows[(size_t)series->full * f->row + (size_t)(bin < 0 ? f->bins : bin)]++;
  if (!block_rows_series_end(series, f->nrow))
    return;
  block_rows_halve(f->nrow, rows, f->row * sizeof *rows, add_counts);
  block_rows_halve(f->nrow, monitors, f->monitors * sizeof *monitors, block_rows_add_real);
}

/* Counts samples whose constants a caller has changed. */
static void check_constants(const FreeEnergy *f, int slot, int replica)
{
  const FreeEnergyList *list = f->list;
  if (list->parameters == NULL)
    return;
  const double *now = parameters_of(list->parameters, (uint32_t)replica);
  bool changed = false;
  for (int b = 0; b < list->nbias; b++)
    for (int k = 0; k < BIAS_CONSTANTS && list->bias[b].parameter > 0; k++)
      changed =
          changed || now[list->bias[b].parameter - 1 + k] != constants_of(list, list->window[replica], b)[k];
  f->changed[slot] += changed;
}

static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  FreeEnergy *f = self;
  if (f->why != NULL)
    return STATUS_OK;
  for (int d = 0; d < f->list->n; d++)
    TRY(collective_frame_values(f->list->on[d], frame, f->scratch, f->value + d, error));
  check_constants(f, 0, f->is.options.first);
  add_sample(f, 0, f->value, 1);
  return STATUS_OK;
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const FreeEnergy *f = self;
  const int first = f->is.options.first, width = sample_width(sample), used = width < LANES ? width : LANES;
  const ptrdiff_t batch = lanes->first / width;
  if (sample->team->rank != 0 || f->why != NULL)
    return;
  double *const value = f->value + batch * FREE_ENERGY_COORDINATES * LANES;
  for (int lane = 0; lane < width; lane += LANES) {
    for (int d = 0; d < f->list->n; d++)
      collective_lane_values(f->list->on[d], lanes->topology, sample, lane / LANES,
                             f->scratch + batch * (ptrdiff_t)f->memory, value + (ptrdiff_t)d * LANES);
    for (int l = 0; l < used; l++) {
      const int replica = lanes->first + lane + l,
                slot = lanes->slot != NULL ? lanes->slot[lane + l] - first : replica;
      if (first + replica < f->list->slots)
        check_constants(f, slot, first + replica);
      add_sample(f, slot, value + l, LANES);
    }
  }
}

const ObservableOps observable_free_energy = {
    .name = "free_energy",
    .doc = "unbiased free energies along the coordinates that biases act on, from all windows",
    .size = sizeof(FreeEnergy),
    .joint = true,
    .create = create,
    .begin = begin,
    .add_lanes = add_lanes,
    .gather = free_energy_result_gather,
    .evaluate = free_energy_result_evaluate,
    .write = free_energy_result_write,
    .draw = free_energy_result_draw,
    .free = destroy};
