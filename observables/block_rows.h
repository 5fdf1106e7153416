/* Sums of rows of numbers over blocks of consecutive samples, and errors of whatever is computed from them.
 *
 * Up to BLOCK_ROWS blocks are kept; when all are full neighbours merge and their length doubles. A result is
 * a function of the sums of all samples; its standard error is the jackknife's, from leaving out one block at
 * a time, blocks first merged until they are as long as the correlation asks for (statistics_correlation of
 * some monitored series, of which the slowest decides) and as the caller asks for. The monitors' blocks have
 * all lengths, of numbers alone, to find the correlation (StatisticsBlocks); these rows have one, in order,
 * for the jackknife: neither gives the other, so that there are both. */
#ifndef HOLONOM_OBSERVABLES_BLOCK_ROWS_H
#define HOLONOM_OBSERVABLES_BLOCK_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/chunk.h"
#include "engine/status.h"
#include "observables/statistics.h"
#include "results/results.h"

enum { BLOCK_ROWS = 64, BLOCK_ROWS_FEWEST = STATISTICS_BLOCKS_FEWEST };

/* Where a series stands of which somebody keeps a row for every block: plain numbers, as they go into
 * checkpoints. A new one has blocks of length 1. */
typedef struct BlockRowsSeries {
  int64_t full;   /* blocks finished; the next one is filling */
  int64_t length; /* samples in a block                       */
  int64_t here;   /* samples in the one that is filling       */
} BlockRowsSeries;

/* A sample is in row[series->full], each of the nrow rows (an even number) `size` bytes of numbers:
 * add(size, to, from) adds one row to another. */
void block_rows_series_end(BlockRowsSeries *series, int nrow, void *row, size_t size,
                           void (*add)(size_t size, void *to, const void *from));

/* Such sums, of rows of int64_t or uint64_t, and of double. */
void block_rows_add_whole(size_t size, void *to, const void *from);
void block_rows_add_real(size_t size, void *to, const void *from);

typedef struct BlockRows BlockRows;

/* Rows of ncol numbers, 0 or more monitors. STATUS_MEMORY. */
Status block_rows_create(BlockRows **rows, int ncol, int nmonitor, Error *error);
void block_rows_free(BlockRows *rows);

/* The row [ncol] of sums that is filling: add this sample's numbers to it, then end the sample with the
 * monitored ones, [nmonitor]. */
double *block_rows_now(BlockRows *rows);
void block_rows_end(BlockRows *rows, const double *monitor);

/* Lists all that changes, for checkpoints. */
void block_rows_chunks(BlockRows *rows, ChunkList *list);

/* out[nout] from the sums over n samples. */
typedef struct BlockRowsFunction {
  const void *self;
  int nout;
  void (*call)(const void *self, const double *sum, double n, double *out);
} BlockRowsFunction;

/* Where errors are from. */
typedef struct BlockRowsErrors {
  int64_t samples;
  int nblock;          /* fewer than 2: no errors                                                */
  double length;       /* samples in a block                                                     */
  int plateau;         /* 0: too few blocks of the length that is asked for: errors are lower bounds */
  double inefficiency; /* samples to an independent one, of the slowest monitor; without a plateau a lower
                          bound */
} BlockRowsErrors;

/* Says of a table where its errors are from, as numbers and in words, and where the series is short for
 * `what`
 * ("its correlation") that they are lower bounds. */
void block_rows_say(const BlockRowsErrors *errors, const char *what, ResultTable *table);

/* value[nout] and its standard errors (NaN if there are none), blocks at least `shortest` samples long.
 * STATUS_INPUT: no sample; STATUS_MEMORY. */
Status block_rows_result(const BlockRows *rows, double shortest, const BlockRowsFunction *function,
                         double *value, double *error, BlockRowsErrors *errors, Error *why);

/* The function after each full block, of all samples so far, with its errors as they were known by then from
 * blocks of the length that the whole series asks for (NaN: fewer than two): value[*n][nout],
 * error[*n][nout], samples[*n]; room for BLOCK_ROWS rows. */
Status block_rows_running(const BlockRows *rows, const BlockRowsFunction *function, int *n, double *samples,
                          double *value, double *error, Error *why);

#endif
