#include "observables/block_rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "observables/jackknife.h"
#include "observables/statistics.h"

struct BlockRows {
  int ncol, nmonitor;
  BlockRowsSeries series;
  double *row;               /* [BLOCK_ROWS][ncol]  */
  StatisticsBlocks *monitor; /* [nmonitor]          */
};

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

/* When all rows are full neighbours become one, so that the second half is free again. */
void block_rows_series_end(BlockRowsSeries *series, int nrow, void *row, size_t size,
                           void (*add)(size_t size, void *to, const void *from))
{
  char *const at = row;
  if (++series->here < series->length)
    return;
  series->here = 0;
  if (++series->full < nrow)
    return;
  const size_t half = (size_t)nrow / 2;
  for (size_t b = 0; b < half; b++) {
    if (b > 0)
      memcpy(at + b * size, at + 2 * b * size, size);
    add(size, at + b * size, at + (2 * b + 1) * size);
  }
  memset(at + half * size, 0, half * size);
  series->full = nrow / 2;
  series->length *= 2;
}

Status block_rows_create(BlockRows **rows, int ncol, int nmonitor, Error *error)
{
  BlockRows *r = *rows = calloc(1, sizeof *r);
  if (r == NULL)
    return error_memory(error, "block averages");
  *r = (BlockRows){.ncol = ncol, .nmonitor = nmonitor, .series.length = 1};
  r->row = calloc(BLOCK_ROWS * (size_t)ncol, sizeof *r->row);
  r->monitor = calloc((size_t)nmonitor + 1, sizeof *r->monitor);
  if (r->row != NULL && r->monitor != NULL)
    return STATUS_OK;
  block_rows_free(r);
  *rows = NULL;
  return error_memory(error, "block averages");
}

void block_rows_free(BlockRows *rows)
{
  if (rows == NULL)
    return;
  free(rows->row);
  free(rows->monitor);
  free(rows);
}

static double *row_of(const BlockRows *rows, int64_t block)
{
  return rows->row + (size_t)block * (size_t)rows->ncol;
}

double *block_rows_now(BlockRows *rows) { return row_of(rows, rows->series.full); }

static size_t row_size(const BlockRows *rows) { return (size_t)rows->ncol * sizeof *rows->row; }

static void add_row(const BlockRows *rows, int64_t block, double *to)
{
  block_rows_add_real(row_size(rows), to, row_of(rows, block));
}

void block_rows_end(BlockRows *rows, const double *monitor)
{
  for (int k = 0; k < rows->nmonitor; k++)
    statistics_blocks_add(&rows->monitor[k], monitor[k]);
  block_rows_series_end(&rows->series, BLOCK_ROWS, rows->row, row_size(rows), block_rows_add_real);
}

static int64_t samples_of(const BlockRows *rows)
{
  return rows->series.full * rows->series.length + rows->series.here;
}

void block_rows_chunks(BlockRows *rows, ChunkList *list)
{
  chunk_add(list, &rows->series, sizeof rows->series);
  chunk_add(list, rows->row, BLOCK_ROWS * row_size(rows));
  chunk_add(list, rows->monitor, (size_t)rows->nmonitor * sizeof *rows->monitor);
}

/* --- results ---------------------------------------------------------------------------------------------
 */

/* How many of the blocks kept make one for the errors. */
static int64_t choose(const BlockRows *rows, double shortest, BlockRowsErrors *errors)
{
  const BlockRowsSeries *s = &rows->series;
  const StatisticsCorrelation seen = statistics_correlation(rows->monitor, rows->nmonitor, 1.0);
  const int known = rows->nmonitor == 0 || seen.plateau;
  const double wanted = fmax(known && rows->nmonitor > 0 ? seen.length : 1.0, shortest);
  int64_t each = (int64_t)ceil(wanted / (double)s->length);
  each = each > 1 ? each : 1;
  errors->plateau = known && s->full / each >= BLOCK_ROWS_FEWEST;
  if (!errors->plateau) {
    const int64_t most = s->full / BLOCK_ROWS_FEWEST;
    each = most > 1 ? most : 1;
  }
  errors->samples = samples_of(rows);
  errors->inefficiency = seen.inefficiency;
  errors->nblock = (int)(s->full / each);
  errors->length = (double)(each * s->length);
  return each;
}

/* Jackknife: the spread of the results without one block. */
static Status errors_of(const BlockRows *rows, int64_t each, const BlockRowsErrors *errors,
                        const BlockRowsFunction *function, const double *value, double *error, Error *why)
{
  const double length = errors->length, n = errors->nblock;
  const size_t ncol = (size_t)rows->ncol, nout = (size_t)function->nout;
  for (size_t k = 0; k < nout; k++)
    error[k] = NAN;
  if (errors->nblock < 2)
    return STATUS_OK;
  double *rest = malloc((ncol + nout) * sizeof *rest);
  if (rest == NULL)
    return error_memory(why, "block averages");
  Jackknife jackknife;
  const Status status = jackknife_create(&jackknife, value, nout, why);
  for (int left = 0; left < errors->nblock && status == STATUS_OK; left++) {
    memset(rest, 0, row_size(rows));
    for (int64_t b = 0; b < errors->nblock * each; b++)
      if (b / each != left)
        add_row(rows, b, rest);
    function->call(function->self, rest, (n - 1.0) * length, rest + ncol);
    jackknife_add(&jackknife, rest + ncol, 1.0 / n);
  }
  for (size_t k = 0; k < nout && status == STATUS_OK; k++)
    error[k] = jackknife_error(&jackknife, k);
  jackknife_free(&jackknife);
  free(rest);
  return status;
}

Status block_rows_result(const BlockRows *rows, double shortest, const BlockRowsFunction *function,
                         double *value, double *error, BlockRowsErrors *errors, Error *why)
{
  *errors = (BlockRowsErrors){0};
  if (samples_of(rows) == 0)
    return error_set(why, STATUS_INPUT, "there is no sample yet");
  const int64_t each = choose(rows, shortest, errors);
  double *sum = calloc((size_t)rows->ncol, sizeof *sum);
  if (sum == NULL)
    return error_memory(why, "block averages");
  for (int64_t b = 0; b <= rows->series.full; b++)
    add_row(rows, b, sum);
  function->call(function->self, sum, (double)samples_of(rows), value);
  free(sum);
  return errors_of(rows, each, errors, function, value, error, why);
}

Status block_rows_running(const BlockRows *rows, const BlockRowsFunction *function, int *n, double *samples,
                          double *value, double *error, Error *why)
{
  BlockRowsErrors errors;
  const int64_t each = choose(rows, 1.0, &errors);
  double *sum = calloc((size_t)rows->ncol, sizeof *sum);
  Status status = sum != NULL ? STATUS_OK : error_memory(why, "block averages");
  for (*n = 0; *n < rows->series.full && status == STATUS_OK; ++*n) {
    const size_t at = (size_t)*n * (size_t)function->nout;
    add_row(rows, *n, sum);
    samples[*n] = (double)((*n + 1) * rows->series.length);
    function->call(function->self, sum, samples[*n], value + at);
    errors.nblock = (int)((*n + 1) / each);
    status = errors_of(rows, each, &errors, function, value + at, error + at, why);
  }
  free(sum);
  return status;
}

void block_rows_say(const BlockRowsErrors *errors, const char *what, ResultTable *table)
{
  if (table == NULL)
    return;
  table->samples = (double)errors->samples;
  table->blocks = errors->nblock;
  table->sound = errors->plateau;
  results_say(
      table,
      "blocks: %d\nplateau: %d\ninefficiency: %.4g samples to an independent one, of the slowest of some "
      "series%s\nerrors: one standard error, by jackknife over %d blocks of %.0f samples%s%s%s",
      errors->nblock, errors->plateau, errors->inefficiency, errors->plateau ? "" : "; a lower bound",
      errors->nblock, errors->length, errors->plateau ? "" : "; LOWER BOUNDS: the series is too short for ",
      errors->plateau ? "" : what, errors->plateau ? "" : ", the errors may be too small");
}
