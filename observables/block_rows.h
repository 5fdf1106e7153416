/* Sums of rows of numbers over blocks of consecutive samples, and errors of any function of the sums. At most
 * BLOCK_ROWS blocks are in memory: when all are full, neighbours merge and the block length doubles.
 *
 * The standard error is the jackknife's over blocks. Blocks are first merged until they are as long as the
 * correlation and the caller require. Rows also contain sums of a few monitored numbers and of their squares.
 * The correlation is that of the slowest monitor, from the scatter of its means over blocks of all lengths
 * that leave STATISTICS_BLOCKS. Rows of independent draws (one for each replica) are not merged. */
#ifndef HOLONOM_OBSERVABLES_BLOCK_ROWS_H
#define HOLONOM_OBSERVABLES_BLOCK_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/chunk.h"
#include "base/scoped.h"
#include "base/status.h"
#include "observables/statistics.h"
#include "results/results.h"

enum { BLOCK_ROWS = 64, BLOCK_ROWS_FEWEST = STATISTICS_BLOCKS_FEWEST };

/* The position of a series in its blocks, for checkpoints. A new series has blocks of length 1. */
typedef struct BlockRowsSeries {
  int64_t full;   /* full blocks; the next one is filling */
  int64_t length; /* samples in a block                       */
  int64_t here;   /* samples in the block that is filling */
} BlockRowsSeries;

/* Ends a sample, which is in row series->full of nrow (an even number). Returns true if all rows are full.
 * The caller then halves the rows of all its arrays, `size` bytes each: add(size, to, from) merges
 * neighbours, and the second half becomes free. */
bool block_rows_series_end(BlockRowsSeries *series, int nrow);
void block_rows_halve(int nrow, void *row, size_t size, void (*add)(size_t size, void *to, const void *from));

/* Such functions for rows of int64_t or uint64_t, and of double. */
void block_rows_add_whole(size_t size, void *to, const void *from);
void block_rows_add_real(size_t size, void *to, const void *from);

typedef struct BlockRows BlockRows;

typedef struct BlockRowsShape {
  int whole, real; /* number of integer columns, which come first, and of real columns */
  int monitors;
  double low,
      high;  /* a monitor with a mean outside [low, high] hardly varies, and is ignored; both 0: all count */
  int draws; /* 0: rows are blocks of time                                  */
  int idle;  /* draws at the end that only fill a batch */
} BlockRowsShape;

/* STATUS_MEMORY. */
Status block_rows_create(BlockRows **rows, const BlockRowsShape *shape, Error *error);
void block_rows_free(BlockRows *rows);
SCOPED_POINTER(BlockRows, block_rows_free)

/* A row of sums. Rows of draws share no cache line, so that different threads may add to them. */
typedef struct BlockRowsRow {
  int64_t *samples, *whole; /* samples: number in the row, which block_rows_end increments; whole: [whole] */
  double *real, *monitor;   /* [real]; [monitors][2] sums and sums of squares */
} BlockRowsRow;

/* The row to which the next sample of this draw (0 for blocks of time) is added; and the end of a sample,
 * with the monitored numbers [monitors] (NULL: none). */
BlockRowsRow block_rows_now(const BlockRows *rows, int draw);
void block_rows_end(BlockRows *rows, int draw, const double *monitor);

/* Access to all rows in order, including empty ones. After filling rows from elsewhere, block_rows_resume
 * continues the series at their end. */
int block_rows_number(const BlockRows *rows);
size_t block_rows_columns(const BlockRows *rows); /* whole + real */
BlockRowsRow block_rows_at(const BlockRows *rows, int row);
void block_rows_resume(BlockRows *rows);

/* Copies the draws first, first + step, ... STATUS_MEMORY. */
Status block_rows_pick(const BlockRows *rows, int first, int step, BlockRows **picked, Error *error);

/* Sets and returns the statistical inefficiency of other series of the run; 1 at first. */
void block_rows_learn(BlockRows *rows, double inefficiency);
double block_rows_known(const BlockRows *rows);

/* Lists all data that change, for checkpoints: of `batches` batches with equal numbers of draws, or of all
 * (0). */
void block_rows_chunks(BlockRows *rows, int batches, ChunkList *list);

/* The correlation of the samples, from the monitors and the known inefficiency; none for draws. */
StatisticsCorrelation block_rows_correlation(const BlockRows *rows);

/* Computes out[nout] from the sums over n samples, [whole + real]. */
typedef struct BlockRowsFunction {
  const void *self;
  int nout;
  void (*call)(const void *self, const double *sum, double n, double *out);
  /* Whether result k is a fluctuation about a mean, which short series underestimate by the fluctuation of
   * the mean: the jackknife's estimate of the bias is subtracted. NULL: no result is. */
  bool (*fluctuates)(const void *self, int k);
} BlockRowsFunction;

/* The origin of errors. */
typedef struct BlockRowsErrors {
  int64_t samples;
  int nblock;          /* fewer than 2: no errors                                                */
  bool draws;          /* each row is a draw */
  int each;            /* rows in a block                                                        */
  double length;       /* samples in a block                                                     */
  int plateau;         /* 0: too few blocks of the required length; errors are lower bounds */
  double inefficiency; /* of the slowest monitor, in samples; a lower bound without a plateau */
} BlockRowsErrors;

/* Adds the origin of the errors to a table, as numbers and in words; if the series is too short for `what`
 * ("its correlation"), states that errors are lower bounds. */
void block_rows_say(const BlockRowsErrors *errors, const char *what, ResultTable *table);

/* Computes value[nout] and standard errors (NaN if unknown) from blocks of at least `shortest` samples.
 * Errors: STATUS_INPUT (no sample), STATUS_MEMORY. */
Status block_rows_result(const BlockRows *rows, double shortest, const BlockRowsFunction *function,
                         double *value, double *error, BlockRowsErrors *errors, Error *why);

/* Computes the function after each full block, from all samples so far, with the errors known by then:
 * value[*n][nout], error[*n][nout], samples[*n], with memory for BLOCK_ROWS rows. Blocks have the length that
 * the whole series requires (NaN: fewer than two). */
Status block_rows_running(const BlockRows *rows, const BlockRowsFunction *function, int *n, double *samples,
                          double *value, double *error, Error *why);

/* The origin of a result's errors without the result; the sums [whole + real] of one of its blocks, and the
 * number of its samples, which is returned. */
BlockRowsErrors block_rows_errors(const BlockRows *rows, double shortest);
double block_rows_sum(const BlockRows *rows, const BlockRowsErrors *errors, int block, double *sum);
double block_rows_total(const BlockRows *rows, double *sum); /* of all samples */

#endif
