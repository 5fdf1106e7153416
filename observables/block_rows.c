#include "observables/block_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/vec8.h"
#include "observables/jackknife.h"
#include "observables/statistics.h"

/* Integer and real columns are separate arrays: [rows][nwhole], with the number of samples first, and
 * [rows][nreal], with the monitors last. */
struct BlockRows {
  BlockRowsShape shape;
  BlockRowsSeries series;
  double known;
  size_t nrow, nwhole, nreal;
  int64_t *whole;
  double *real;
  Arena arena;
};

size_t block_rows_columns(const BlockRows *rows)
{
  return (size_t)rows->shape.whole + (size_t)rows->shape.real;
}

void block_rows_add_whole(size_t size, void *to, const void *from)
{
  int64_t *a = to;
  const int64_t *b = from;
  for (size_t k = 0; k < size / sizeof *a; k++)
    a[k] += b[k];
}

void block_rows_add_real(size_t size, void *to, const void *from)
{
  double *a = to;
  const double *b = from;
  for (size_t k = 0; k < size / sizeof *a; k++)
    a[k] += b[k];
}

bool block_rows_series_end(BlockRowsSeries *series, int nrow)
{
  if (++series->here < series->length)
    return false;
  series->here = 0;
  if (++series->full < nrow)
    return false;
  series->full = nrow / 2;
  series->length *= 2;
  return true;
}

void block_rows_halve(int nrow, void *row, size_t size, void (*add)(size_t size, void *to, const void *from))
{
  char *const at = row;
  const size_t half = (size_t)nrow / 2;
  for (size_t b = 0; b < half; b++) {
    if (b > 0)
      memcpy(at + b * size, at + 2 * b * size, size);
    add(size, at + b * size, at + (2 * b + 1) * size);
  }
  memset(at + half * size, 0, half * size);
}

static size_t padded(int n) { return ((size_t)n + LANES - 1) / LANES * LANES; }

Status block_rows_create(BlockRows **rows, const BlockRowsShape *shape, Error *error)
{
  BlockRows *r = *rows = calloc(1, sizeof *r);
  TRY_MEMORY(r != NULL, "block averages", error);
  *r = (BlockRows){.shape = *shape,
                   .series.length = 1,
                   .known = 1.0,
                   .nrow = shape->draws > 0 ? (size_t)shape->draws : BLOCK_ROWS,
                   .nwhole = padded(1 + shape->whole),
                   .nreal = padded(shape->real + 2 * shape->monitors)};
  r->whole = arena_take(&r->arena, r->nrow * r->nwhole, sizeof *r->whole);
  r->real = arena_take(&r->arena, r->nrow * r->nreal + LANES, sizeof *r->real);
  if (!r->arena.failed)
    return STATUS_OK;
  block_rows_free(r);
  *rows = NULL;
  return error_memory(error, "block averages");
}

void block_rows_free(BlockRows *rows)
{
  if (rows != NULL)
    arena_free(&rows->arena);
  free(rows);
}

int block_rows_number(const BlockRows *rows) { return (int)rows->nrow - rows->shape.idle; }

BlockRowsRow block_rows_at(const BlockRows *rows, int row)
{
  int64_t *const whole = rows->whole + (size_t)row * rows->nwhole;
  double *const real = rows->real + (size_t)row * rows->nreal;
  return (BlockRowsRow){whole, whole + 1, real, real + rows->shape.real};
}

BlockRowsRow block_rows_now(const BlockRows *rows, int draw)
{
  return block_rows_at(rows, rows->shape.draws > 0 ? draw : (int)rows->series.full);
}

static size_t whole_size(const BlockRows *rows) { return rows->nwhole * sizeof *rows->whole; }

static size_t real_size(const BlockRows *rows) { return rows->nreal * sizeof *rows->real; }

void block_rows_end(BlockRows *rows, int draw, const double *monitor)
{
  const BlockRowsRow row = block_rows_now(rows, draw);
  ++*row.samples;
  for (int k = 0; k < rows->shape.monitors && monitor != NULL; k++) {
    row.monitor[2 * k] += monitor[k];
    row.monitor[2 * k + 1] += monitor[k] * monitor[k];
  }
  if (rows->shape.draws > 0 || !block_rows_series_end(&rows->series, BLOCK_ROWS))
    return;
  block_rows_halve(BLOCK_ROWS, rows->whole, whole_size(rows), block_rows_add_whole);
  block_rows_halve(BLOCK_ROWS, rows->real, real_size(rows), block_rows_add_real);
}

void block_rows_resume(BlockRows *rows)
{
  BlockRowsSeries *const s = &rows->series;
  const int64_t first = *block_rows_at(rows, 0).samples; /* the first row is always full */
  *s = (BlockRowsSeries){.length = first > 0 ? first : 1};
  while (s->full < BLOCK_ROWS - 1 && *block_rows_now(rows, 0).samples == s->length)
    s->full++;
  s->here = *block_rows_now(rows, 0).samples;
}

Status block_rows_pick(const BlockRows *rows, int first, int step, BlockRows **picked, Error *error)
{
  BlockRowsShape shape = rows->shape;
  shape.draws = (shape.draws - shape.idle - first + step - 1) / step;
  shape.idle = 0;
  TRY(block_rows_create(picked, &shape, error));
  (*picked)->known = rows->known;
  for (int k = 0; k < shape.draws; k++) {
    memcpy(block_rows_at(*picked, k).samples, block_rows_at(rows, first + k * step).samples,
           whole_size(rows));
    memcpy(block_rows_at(*picked, k).real, block_rows_at(rows, first + k * step).real, real_size(rows));
  }
  return STATUS_OK;
}

void block_rows_learn(BlockRows *rows, double inefficiency) { rows->known = fmax(inefficiency, 1.0); }

double block_rows_known(const BlockRows *rows) { return rows->known; }

void block_rows_chunks(BlockRows *rows, int batches, ChunkList *list)
{
  const size_t each = rows->nrow / (size_t)(batches > 0 ? batches : 1);
  if (rows->shape.draws == 0)
    chunk_add_batches(list, &rows->series, sizeof rows->series, batches);
  chunk_add_batches(list, rows->whole, each * whole_size(rows), batches);
  chunk_add_batches(list, rows->real, each * real_size(rows), batches);
}

/* --- results ---------------------------------------------------------------------------------------------
 */

/* Adds a row or, with sign -1, subtracts it; likewise its number of samples, which is returned. */
static double add_row(const BlockRows *rows, int row, double sign, double *sum)
{
  const BlockRowsRow from = block_rows_at(rows, row);
  const int nwhole = rows->shape.whole;
  for (int c = 0; c < nwhole; c++)
    sum[c] += sign * (double)from.whole[c];
  for (int c = 0; c < rows->shape.real; c++)
    sum[nwhole + c] += sign * from.real[c];
  return sign * (double)*from.samples;
}

static double samples_of(const BlockRows *rows)
{
  double samples = 0.0;
  for (int k = 0; k < block_rows_number(rows); k++)
    samples += (double)*block_rows_at(rows, k).samples;
  return samples;
}

double block_rows_total(const BlockRows *rows, double *sum)
{
  double samples = 0.0;
  memset(sum, 0, block_rows_columns(rows) * sizeof *sum);
  for (int k = 0; k < block_rows_number(rows); k++)
    samples += add_row(rows, k, 1.0, sum);
  return samples;
}

/* The squared error of a monitor's mean from means of level + 1 full rows at a time, over that of independent
 * samples; 0 for a (nearly) constant monitor. */
static double monitor_inefficiency(const void *self, int monitor, int level)
{
  const BlockRows *const rows = self;
  const BlockRowsShape *const shape = &rows->shape;
  const int each = level + 1;
  const double n = samples_of(rows), length = (double)(each * rows->series.length);
  double mean = 0.0, square = 0.0;
  for (int k = 0; k <= (int)rows->series.full; k++) {
    mean += block_rows_at(rows, k).monitor[2 * monitor] / n;
    square += block_rows_at(rows, k).monitor[2 * monitor + 1] / n;
  }
  const double variance = square - mean * mean, rounding = 1e-12;
  if (!(variance > rounding * square) ||
      (shape->high > shape->low && !(mean >= shape->low && mean <= shape->high)))
    return 0.0;
  StatisticsMoments moments = {0};
  for (int k = 0; k + each <= (int)rows->series.full; k += each) {
    double sum = 0.0;
    for (int j = k; j < k + each; j++)
      sum += block_rows_at(rows, j).monitor[2 * monitor] / length;
    statistics_moments_add(&moments, &sum, 1);
  }
  return statistics_moments_variance(&moments) * length / variance;
}

StatisticsCorrelation block_rows_correlation(const BlockRows *rows)
{
  const double samples = samples_of(rows);
  if (rows->shape.draws > 0)
    return (StatisticsCorrelation){samples, 1.0, (double)*block_rows_at(rows, 0).samples, 1};
  return statistics_correlation_of(rows, monitor_inefficiency, rows->shape.monitors,
                                   (int)rows->series.full / STATISTICS_BLOCKS, samples, rows->known);
}

BlockRowsErrors block_rows_errors(const BlockRows *rows, double shortest)
{
  const BlockRowsSeries *s = &rows->series;
  const StatisticsCorrelation seen = block_rows_correlation(rows);
  BlockRowsErrors errors = {.samples = (int64_t)seen.samples, .inefficiency = seen.inefficiency};
  if (rows->shape.draws > 0) {
    errors.nblock = block_rows_number(rows);
    errors.each = errors.plateau = errors.draws = 1;
    errors.length = seen.length;
    return errors;
  }
  const bool known = rows->shape.monitors == 0 || seen.plateau;
  const double wanted = fmax(known && rows->shape.monitors > 0 ? seen.length : 1.0, shortest);
  int64_t each = (int64_t)ceil(wanted / (double)s->length);
  errors.plateau = known && s->full / each >= BLOCK_ROWS_FEWEST;
  if (!errors.plateau)
    each = s->full / BLOCK_ROWS_FEWEST > 1 ? s->full / BLOCK_ROWS_FEWEST : 1;
  errors.each = (int)each;
  errors.nblock = (int)(s->full / each);
  errors.length = (double)(each * s->length);
  return errors;
}

double block_rows_sum(const BlockRows *rows, const BlockRowsErrors *errors, int block, double *sum)
{
  double samples = 0.0;
  memset(sum, 0, block_rows_columns(rows) * sizeof *sum);
  for (int k = 0; k < errors->each; k++)
    samples += add_row(rows, block * errors->each + k, 1.0, sum);
  return samples;
}

/* The jackknife over blocks: standard errors, and corrections of bias. */
static Status errors_of(const BlockRows *rows, const BlockRowsErrors *errors,
                        const BlockRowsFunction *function, double *value, double *error, Error *why)
{
  const size_t ncol = block_rows_columns(rows), nout = (size_t)function->nout;
  for (size_t k = 0; k < nout; k++)
    error[k] = NAN;
  if (errors->nblock < 2)
    return STATUS_OK;
  SCOPED(scoped_free) double *all = calloc(2 * ncol + 2 * nout, sizeof *all);
  TRY_MEMORY(all != NULL, "block averages", why);
  double *const rest = all + ncol, *const out = rest + ncol, *const whole = out + nout;
  double n = 0.0;
  for (int b = 0; b < errors->nblock * errors->each; b++)
    n += add_row(rows, b, 1.0, all);
  SCOPED(jackknife_free) Jackknife jackknife = {0};
  if (function->fluctuates != NULL)
    function->call(function->self, all, n, whole);
  TRY(jackknife_create(&jackknife, function->fluctuates != NULL ? whole : value, nout, why));
  for (int left = 0; left < errors->nblock; left++) {
    double without = n;
    memcpy(rest, all, ncol * sizeof *rest);
    for (int k = 0; k < errors->each; k++)
      without += add_row(rows, left * errors->each + k, -1.0, rest);
    function->call(function->self, rest, without, out);
    jackknife_add(&jackknife, out, 1.0 - without / n);
  }
  for (size_t k = 0; k < nout; k++) {
    error[k] = jackknife_error(&jackknife, k);
    if (function->fluctuates != NULL && function->fluctuates(function->self, (int)k))
      value[k] -= jackknife_bias(&jackknife, k);
  }
  return STATUS_OK;
}

Status block_rows_result(const BlockRows *rows, double shortest, const BlockRowsFunction *function,
                         double *value, double *error, BlockRowsErrors *errors, Error *why)
{
  *errors = block_rows_errors(rows, shortest);
  if (errors->samples == 0)
    return error_set(why, STATUS_INPUT, "there is no sample yet");
  SCOPED(scoped_free) double *sum = malloc(block_rows_columns(rows) * sizeof *sum);
  TRY_MEMORY(sum != NULL, "block averages", why);
  function->call(function->self, sum, block_rows_total(rows, sum), value);
  return errors_of(rows, errors, function, value, error, why);
}

Status block_rows_running(const BlockRows *rows, const BlockRowsFunction *function, int *n, double *samples,
                          double *value, double *error, Error *why)
{
  BlockRowsErrors errors = block_rows_errors(rows, 1.0);
  SCOPED(scoped_free) double *sum = calloc(block_rows_columns(rows), sizeof *sum);
  TRY_MEMORY(sum != NULL, "block averages", why);
  double seen = 0.0;
  for (*n = 0; *n < rows->series.full; ++*n) {
    const size_t at = (size_t)*n * (size_t)function->nout;
    samples[*n] = seen += add_row(rows, *n, 1.0, sum);
    function->call(function->self, sum, seen, value + at);
    errors.nblock = (*n + 1) / errors.each;
    TRY(errors_of(rows, &errors, function, value + at, error + at, why));
  }
  return STATUS_OK;
}

void block_rows_say(const BlockRowsErrors *errors, const char *what, ResultTable *table)
{
  if (table == NULL)
    return;
  table->samples = (double)errors->samples;
  table->blocks = errors->nblock;
  table->sound = errors->plateau;
  if (errors->draws) {
    results_say(table, "replicas: %d\nerrors: one standard error, by jackknife over them", errors->nblock);
    return;
  }
  results_say(table,
              "blocks: %d\nplateau: %d\ninefficiency: %.4g samples, of the slowest of several "
              "series%s\nerrors: one standard error, by jackknife over %d blocks of %.0f samples%s%s%s",
              errors->nblock, errors->plateau, errors->inefficiency, errors->plateau ? "" : "; a lower bound",
              errors->nblock, errors->length,
              errors->plateau ? "" : "; LOWER BOUNDS: the series is too short for ",
              errors->plateau ? "" : what, errors->plateau ? "" : ", the errors may be too small");
}
