#include "observables/energy_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "observables/block_rows.h"
#include "observables/energy_grid.h"
#include "observables/jackknife.h"
#include "observables/mbar_estimates.h"

enum { FEWEST_BINS = ENERGY_COLUMNS_BINS / 4, GROUPS = 16 /* groups of ladders, for errors */ };

/* Data of a slot that change, except its sums. */
typedef struct Slot {
  EnergyGrid grid;
  BlockRowsSeries series;
  int64_t begun; /* number of samples; the last one may not have ended */
} Slot;

/* A slot has `rows` rows (blocks of time) of bins + 1 cells, the last one for samples without energy. A cell
 * contains the number of samples, the sum of their energies, and the sums of columns. */
struct EnergyColumns {
  EnergyColumnsOptions options;
  int bins, rows;
  size_t cell, row; /* lengths in numbers */
  Slot *slot;       /* [slots] */
  int64_t *number;  /* [slots][rows][row] */
  Arena arena;
};

static double bytes(const EnergyColumnsOptions *o, int bins, int rows)
{
  const double slots = o->copies > 0 ? (double)o->copies * o->slots : (double)o->temperatures * o->ladders;
  return 8.0 * slots * rows * (bins + 1.0) * (o->columns + 2.0);
}

/* Depends only on properties of the whole run, so all parts of a run have equal sizes. */
static void choose_size(EnergyColumns *c)
{
  c->rows = c->options.blocks && c->options.ladders < MBAR_ESTIMATES_LADDERS ? ENERGY_COLUMNS_BLOCKS : 1;
  for (;; c->rows = 1) {
    c->bins = ENERGY_COLUMNS_BINS;
    while (c->bins > FEWEST_BINS && bytes(&c->options, c->bins, c->rows) > ENERGY_COLUMNS_MEMORY)
      c->bins /= 2;
    if (c->rows == 1 || bytes(&c->options, c->bins, c->rows) <= ENERGY_COLUMNS_MEMORY)
      return;
  }
}

static Status fill(EnergyColumns *c, Error *error)
{
  const EnergyColumnsOptions *options = &c->options;
  const size_t slots = (size_t)options->slots;
  choose_size(c);
  c->cell = (size_t)options->columns + 2;
  c->row = ((size_t)c->bins + 1) * c->cell;
  if (bytes(options, c->bins, c->rows) > ENERGY_COLUMNS_MOST)
    return error_set(error, STATUS_INPUT,
                     "%d numbers at %d temperatures of %d ladders, by energy, need %.2g GB: use fewer bins, "
                     "isomers or ladders, or omit exchange.reweight",
                     options->columns, options->temperatures, options->ladders,
                     1e-9 * bytes(options, c->bins, c->rows));
  c->slot = arena_take(&c->arena, slots, sizeof *c->slot);
  c->number = arena_take(&c->arena, slots * (size_t)c->rows * c->row, sizeof *c->number);
  TRY(arena_check(&c->arena, "sums by energy", error));
  for (size_t i = 0; i < slots; i++)
    c->slot[i] = (Slot){.grid = energy_grid(fmax(options->width, 1e-9)), .series.length = 1};
  return STATUS_OK;
}

Status energy_columns_create(EnergyColumns **columns, const EnergyColumnsOptions *options, Error *error)
{
  *columns = NULL;
  EnergyColumns *c = calloc(1, sizeof *c);
  TRY_MEMORY(c != NULL, "sums by energy", error);
  c->options = *options;
  TRY_ELSE(fill(c, error), energy_columns_free(c));
  *columns = c;
  return STATUS_OK;
}

void energy_columns_free(EnergyColumns *c)
{
  if (c != NULL)
    arena_free(&c->arena);
  free(c);
}

void energy_columns_chunks(EnergyColumns *c, int batches, ChunkList *list)
{
  const size_t slots = (size_t)(batches > 0 ? c->options.slots / batches : c->options.slots),
               size = slots * (size_t)c->rows * c->row * sizeof *c->number;
  chunk_add_batches(list, c->slot, slots * sizeof *c->slot, batches);
  chunk_add_batches(list, c->number, size, batches);
}

/* --- samples ----------------------------------------------------------------------------------------------
 */

static int64_t *rows_of(const EnergyColumns *c, int slot)
{
  return c->number + (size_t)(slot - c->options.first) * (size_t)c->rows * c->row;
}

static int64_t *cell_of(const EnergyColumns *c, int slot, int row, int64_t bin)
{
  return rows_of(c, slot) + (size_t)row * c->row + (size_t)(bin & (c->bins - 1)) * c->cell;
}

/* Arguments of the merge callback of energy_grid_take. */
typedef struct Merging {
  const EnergyColumns *columns;
  int slot;
} Merging;

static void merge(void *self, int64_t low, int64_t high)
{
  const Merging *m = self;
  const EnergyColumns *c = m->columns;
  int64_t scratch[ENERGY_COLUMNS_BINS];
  for (int row = 0; row < c->rows; row++)
    for (size_t i = 0; i < c->cell; i++)
      energy_grid_merge(c->bins, low, high, cell_of(c, m->slot, row, 0) + i, c->cell, scratch);
}

int64_t *energy_columns_add(EnergyColumns *c, int slot, double energy)
{
  Slot *s = &c->slot[slot - c->options.first];
  if (c->rows > 1 && s->begun > 0 && block_rows_series_end(&s->series, c->rows))
    block_rows_halve(c->rows, rows_of(c, slot), c->row * sizeof *c->number, block_rows_add_whole);
  s->begun++;
  if (!energy_grid_takes(energy))
    return rows_of(c, slot) + (size_t)(s->series.full + 1) * c->row - c->cell + 2;
  Merging merging = {c, slot};
  const int64_t bin = energy_grid_take(&s->grid, c->bins, energy, &merging, merge);
  int64_t *cell = cell_of(c, slot, (int)s->series.full, bin);
  cell[0]++;
  cell[1] += energy_grid_units(energy);
  return cell + 2;
}

void energy_columns_clear(EnergyColumns *c, int column)
{
  const size_t cells = (size_t)c->options.slots * (size_t)c->rows * ((size_t)c->bins + 1);
  for (size_t i = 0; i < cells; i++)
    c->number[i * c->cell + 2 + (size_t)column] = 0;
}

/* --- results ----------------------------------------------------------------------------------------------
 */

/* The samples left out for a draw: a group of ladders (-1: none), or rows from `row` to end - 1. */
typedef struct LeftOut {
  int group, row, end;
} LeftOut;

/* A bin with samples. */
typedef struct Bin {
  int from, slot; /* index in request->columns; slot */
  int64_t at;
} Bin;

typedef struct Work {
  const EnergyColumnsRequest *request;
  const EnergyColumnsOptions *options; /* of the first object */
  int groups;
  EnergyPool pool;
  Bin *bin;            /* [pool.bins] */
  double *temperature; /* [temperatures], K */
  double *weight;      /* [points][most bins] */
  double *sum;         /* [wanted] of a bin */
  size_t most;
  double inflation; /* of errors, for the remaining correlation between blocks of time */
} Work;

static int group_of(const Work *w, int slot)
{
  const EnergyColumnsOptions *o = w->options;
  return (int)((int64_t)(slot / o->temperatures) * w->groups / o->ladders);
}

/* The end of the slots: those of the run's ladders. */
static int end_of(const EnergyColumns *c)
{
  const EnergyColumnsOptions *o = &c->options;
  const int end = o->first + o->slots, all = o->temperatures * o->ladders;
  return end < all ? end : all;
}

/* The sums of a bin's samples without those left out. */
static double sum_cells(const EnergyColumns *c, int slot, int64_t bin, LeftOut left, size_t number)
{
  int64_t sum = 0;
  for (int row = 0; row < c->rows; row++)
    sum += row < left.row || row >= left.end ? cell_of(c, slot, row, bin)[number] : 0;
  return (double)sum;
}

static void pool_slot(Work *w, int from, int slot, LeftOut left)
{
  const EnergyColumns *c = w->request->columns[from];
  const EnergyGrid *grid = &c->slot[slot - c->options.first].grid;
  const int k = slot % w->options->temperatures;
  EnergyPool *p = &w->pool;
  for (int64_t i = grid->low; i <= grid->high; i++) {
    const double count = sum_cells(c, slot, i, left, 0);
    const double energy = sum_cells(c, slot, i, left, 1) * ENERGY_GRID_UNIT;
    if (count <= 0.0)
      continue;
    w->bin[p->bins] = (Bin){from, slot, i};
    p->count[p->bins] = count;
    p->energy[p->bins++] = energy / count;
    p->drawn[k] += count;
    p->mean[k] += energy;
    p->samples += count;
  }
}

static void pool_all(Work *w, LeftOut left)
{
  EnergyPool *p = &w->pool;
  p->bins = 0;
  p->samples = 0.0;
  for (int k = 0; k < p->temperatures; k++)
    p->drawn[k] = p->mean[k] = 0.0;
  for (int i = 0; i < w->request->n; i++)
    for (int slot = w->request->columns[i]->options.first; slot < end_of(w->request->columns[i]); slot++)
      if (group_of(w, slot) != left.group)
        pool_slot(w, i, slot, left);
  for (int k = 0; k < p->temperatures; k++)
    p->mean[k] /= p->drawn[k];
}

/* Averages with the weights of bins. */
static void average(Work *w, LeftOut left, double *out)
{
  const EnergyColumnsRequest *r = w->request;
  const size_t wanted = (size_t)r->wanted;
  memset(out, 0, (size_t)r->points * wanted * sizeof *out);
  for (int b = 0; b < w->pool.bins; b++) {
    const Bin *bin = &w->bin[b];
    const int *place = r->place != NULL ? r->place + (size_t)bin->from * wanted : NULL;
    for (size_t c = 0; c < wanted; c++) {
      const int at = place != NULL ? place[c] : (int)c;
      w->sum[c] = at >= 0 ? sum_cells(r->columns[bin->from], bin->slot, bin->at, left, (size_t)at + 2) : 0.0;
    }
    for (int p = 0; p < r->points; p++) {
      const double each = w->weight[(size_t)p * w->most + (size_t)b] / w->pool.count[b];
      double *to = out + (size_t)p * wanted;
      for (size_t c = 0; c < wanted && each > 0.0; c++)
        to[c] += each * w->sum[c];
    }
  }
}

/* Computes all averages without the samples left out. free_energy[temperatures]: start and result of MBAR;
 * the first call only sets the result. */
static Status compute(Work *w, LeftOut left, double *free_energy, bool first, double *out, Error *error)
{
  SCOPED(mbar_free_at) Mbar *m = NULL;
  pool_all(w, left);
  TRY(mbar_create(&m, &w->pool, w->temperature, UNITS_BOLTZMANN, first ? NULL : free_energy, error));
  if (first) {
    memcpy(free_energy, m->free, (size_t)m->states * sizeof *free_energy);
    TRY(mbar_overlap_check(m, error));
  }
  for (int p = 0; p < w->request->points; p++) {
    MbarState state;
    TRY(mbar_at(m, w->request->at[p] / UNITS_BOLTZMANN, &state, w->weight + (size_t)p * w->most, error));
  }
  average(w, left, out);
  return STATUS_OK;
}

/* The number of blocks of time that are full in all slots. */
static int full_blocks(const Work *w)
{
  int64_t least = ENERGY_COLUMNS_BLOCKS;
  for (int i = 0; i < w->request->n; i++) {
    const EnergyColumns *c = w->request->columns[i];
    for (int slot = c->options.first; slot < end_of(c); slot++) {
      const int64_t full = c->slot[slot - c->options.first].series.full;
      least = full < least ? full : least;
    }
  }
  return (int)least;
}

/* The variance of the mean of x samples of unit variance, for an exponential correlation with statistical
 * inefficiency g. */
static double variance_of_mean(double g, double x)
{
  return g / x * (1.0 + 0.5 * g / x * expm1(-2.0 * x / g));
}

/* Chooses the number of blocks of time that are as long as the inefficiency requires, and the factor from
 * errors of independent blocks to the error of the mean of all samples. */
static void choose_blocks(Work *w, EnergyColumnsResult *r)
{
  const Slot *slot = w->request->columns[0]->slot;
  const int full = full_blocks(w);
  const double g = w->request->inefficiency, length = (double)slot->series.length, all = (double)slot->begun,
               part = full * length;
  r->draws = full;
  if (!(g > 1.0) || full < 2)
    return;
  const StatisticsCorrelation known = statistics_correlation_of(NULL, NULL, 0, 0, all, g);
  const int each = (int)fmin(ceil(known.length / length), full);
  const int fewest = full < STATISTICS_BLOCKS_FEWEST ? full : STATISTICS_BLOCKS_FEWEST;
  r->bounds = !known.plateau;
  r->draws = full / each > fewest ? full / each : fewest;
  const double seen = (variance_of_mean(g, part / r->draws) - variance_of_mean(g, part)) / (r->draws - 1.0);
  w->inflation = sqrt(variance_of_mean(g, all) / seen) * all / part;
}

/* The samples that draw i leaves out, and their fraction. */
static LeftOut left_out(const Work *w, const EnergyColumnsResult *r, int i, int full, double *share)
{
  if (r->from_blocks) {
    const LeftOut left = {-1, i * full / r->draws, (i + 1) * full / r->draws};
    *share = (double)(left.end - left.row) / full;
    return left;
  }
  int ladders = 0;
  for (int l = 0; l < w->options->ladders; l++)
    ladders += group_of(w, l * w->options->temperatures) == i;
  *share = (double)ladders / w->options->ladders;
  return (LeftOut){i, 0, 0};
}

/* A draw without which MBAR has no result is skipped and counted. */
static Status errors_of(Work *w, EnergyColumnsResult *r, double *free_energy, double *out, Error *error)
{
  const int full = r->from_blocks ? full_blocks(w) : 0;
  SCOPED(jackknife_free) Jackknife jackknife = {0};
  TRY(jackknife_create(&jackknife, r->value, (size_t)w->request->points * (size_t)w->request->wanted, error));
  for (int i = 0; i < r->draws && r->draws > 1; i++) {
    double share;
    const LeftOut left = left_out(w, r, i, full, &share);
    Error why;
    const Status status = compute(w, left, free_energy, false, out, &why);
    if (status == STATUS_INPUT || status == STATUS_RUN)
      jackknife_fail(&jackknife);
    else if (status == STATUS_OK)
      jackknife_add(&jackknife, out, share);
    else
      return error_pass(error, status, &why);
  }
  r->failed = jackknife.failed;
  for (size_t k = 0; k < jackknife.n; k++)
    r->error[k] = w->inflation * jackknife_error(&jackknife, k);
  return STATUS_OK;
}

static Status work_create(Work *w, const EnergyColumnsRequest *r, Error *error)
{
  const EnergyColumnsOptions *o = &r->columns[0]->options;
  const size_t n = (size_t)o->temperatures;
  *w = (Work){.request = r,
              .options = o,
              .groups = o->ladders < GROUPS ? o->ladders : GROUPS,
              .most = 1,
              .inflation = 1.0};
  for (int i = 0; i < r->n; i++)
    w->most += (size_t)r->columns[i]->options.slots * (size_t)r->columns[i]->bins;
  w->pool.temperatures = o->temperatures;
  TRY(energy_pool_room(&w->pool, w->most, error));
  w->bin = arena_take(&w->pool.arena, w->most, sizeof *w->bin);
  w->temperature = arena_take(&w->pool.arena, n, sizeof *w->temperature);
  w->weight = arena_take(&w->pool.arena, (size_t)r->points * w->most, sizeof *w->weight);
  w->sum = arena_take(&w->pool.arena, (size_t)r->wanted, sizeof *w->sum);
  TRY(arena_check(&w->pool.arena, "averages", error));
  for (size_t k = 0; k < n; k++)
    w->temperature[k] = r->kT[k] / UNITS_BOLTZMANN;
  return STATUS_OK;
}

static void work_free(Work *w) { arena_free(&w->pool.arena); }

static Status find_result(Work *w, EnergyColumnsResult *r, size_t n, Error *error)
{
  const EnergyColumns *first = w->request->columns[0];
  double *scratch = arena_take(&w->pool.arena, n + (size_t)first->options.temperatures, sizeof *scratch);
  TRY(arena_check(&w->pool.arena, "averages", error));
  r->value = (double *)(r + 1);
  r->error = r->value + n;
  r->from_blocks = first->rows > 1;
  r->draws = w->groups;
  if (r->from_blocks)
    choose_blocks(w, r);
  TRY(compute(w, (LeftOut){-1, 0, 0}, scratch + n, true, r->value, error));
  return errors_of(w, r, scratch + n, scratch, error);
}

Status energy_columns_result(const EnergyColumnsRequest *request, EnergyColumnsResult **result, Error *error)
{
  const size_t n = (size_t)request->points * (size_t)request->wanted;
  *result = NULL;
  SCOPED(work_free) Work w = {0};
  TRY(work_create(&w, request, error));
  EnergyColumnsResult *r = calloc(1, sizeof *r + 2 * n * sizeof(double));
  TRY_MEMORY(r != NULL, "averages", error);
  TRY_ELSE(find_result(&w, r, n, error), free(r));
  *result = r;
  return STATUS_OK;
}

void energy_columns_result_free(EnergyColumnsResult *result) { free(result); }

/* --- tables -----------------------------------------------------------------------------------------------
 */

static void say_errors(const EnergyColumnsResult *r, ResultTable *t)
{
  if (r->draws > 1)
    results_say(t, "errors: one standard error, by jackknife over %d %s%s", r->draws,
                r->from_blocks ? "blocks of time" : "ladders",
                r->bounds ? "; LOWER BOUNDS: the run is too short for the correlation of its energies" : "");
  else
    results_say(t, "errors: none, with one ladder");
  if (r->failed > 0)
    results_say(t, "not solved: %d of these; errors are LOWER BOUNDS", r->failed);
  if (t != NULL) {
    t->blocks = r->draws;
    t->sound = !r->bounds && r->failed == 0;
  }
}

static void add_table(const EnergyColumnsRequest *request, const EnergyColumnsTable *table,
                      EnergyColumnsResult *r, ResultSet *set)
{
  const size_t n = (size_t)request->wanted, symbols = table->symbols > 0 ? (size_t)table->symbols : 1;
  ResultTable *t = results_add_table(set, table->name, n / symbols);
  for (int c = 0; c < ENERGY_COLUMNS_BEFORE && table->column[c] != NULL; c++)
    results_add_column(t, table->column[c], table->x[c], NULL);
  for (size_t i = 0; i < (size_t)request->points * n && table->scale != NULL; i++) {
    r->value[i] *= table->scale[i % n];
    r->error[i] *= table->scale[i % n];
  }
  for (size_t s = 0; s < symbols; s++)
    for (size_t p = 0; p < (size_t)request->points; p++) {
      char name[64];
      const size_t at = p * n + s * (n / symbols);
      snprintf(name, sizeof name, "%s_%.6g", table->symbol[s], request->at[p] / UNITS_BOLTZMANN);
      results_add_column(t, name, r->value + at, r->error + at);
    }
  results_say(t, "%s\n%s_50: at 50 K, from the samples of all temperatures by MBAR", table->comment,
              table->symbol[0]);
  say_errors(r, t);
}

Status energy_columns_add_table(const EnergyColumnsRequest *request, const EnergyColumnsTable *table,
                                ResultSet *set, Error *error)
{
  EnergyColumnsResult *r;
  Error why;
  const Status status = energy_columns_result(request, &r, &why);
  if (status == STATUS_OK)
    add_table(request, table, r, set);
  energy_columns_result_free(r);
  if (status != STATUS_INPUT && status != STATUS_RUN)
    return error_pass(error, status, &why);
  results_remark(set, "no %s.csv: %s", table->name, why.text);
  return STATUS_OK;
}
