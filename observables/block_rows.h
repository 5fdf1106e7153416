/* Sums of rows of numbers over blocks of consecutive samples, and errors of whatever is computed from them.
 *
 * Up to BLOCK_ROWS blocks are kept; when all are full neighbours merge and their length doubles. A result is
 * a function of the sums of all samples; its standard error is the jackknife's, from leaving out one block at
 * a time, blocks first merged until they are as long as the correlation asks for and as the caller asks for.
 * Rows also have the sums of a few monitored numbers, and of their squares: the correlation is that of the
 * slowest of them, by the scatter of their means over blocks of all lengths that leave STATISTICS_BLOCKS.
 *
 * Rows may as well be those of independent draws (replicas), one for each, which are taken as they are. */
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

/* Where a series stands of which somebody keeps a row for every block: plain numbers, as they go into
 * checkpoints. A new one has blocks of length 1. */
typedef struct BlockRowsSeries {
  int64_t full;   /* blocks finished; the next one is filling */
  int64_t length; /* samples in a block                       */
  int64_t here;   /* samples in the one that is filling       */
} BlockRowsSeries;

/* Ends a sample, which is in row series->full of nrow (an even number). True: all are full, and the caller
 * halves the rows of all arrays that there are, `size` bytes each of numbers: neighbours become one by
 * add(size, to, from), and the second half is free again. */
bool block_rows_series_end(BlockRowsSeries *series, int nrow);
void block_rows_halve(int nrow, void *row, size_t size, void (*add)(size_t size, void *to, const void *from));

/* Such sums, of rows of int64_t or uint64_t, and of double. */
void block_rows_add_whole(size_t size, void *to, const void *from);
void block_rows_add_real(size_t size, void *to, const void *from);

typedef struct BlockRows BlockRows;

typedef struct BlockRowsShape {
  int whole, real; /* columns: of whole numbers, which come first, and of others */
  int monitors;
  double low,
      high;  /* a monitor whose mean is not between these hardly varies, and says nothing; both 0: all do
              */
  int draws; /* 0: rows are blocks of time                                  */
  int idle;  /* the last ones of them, which fill a batch and do not count */
} BlockRowsShape;

/* STATUS_MEMORY. */
Status block_rows_create(BlockRows **rows, const BlockRowsShape *shape, Error *error);
void block_rows_free(BlockRows *rows);
SCOPED_POINTER(BlockRows, block_rows_free)

/* A row of sums. Rows of draws share no cache line, so that different threads may add to them. */
typedef struct BlockRowsRow {
  int64_t *samples, *whole; /* how many samples there are in it, which block_rows_end counts; [whole] */
  double *real, *monitor;   /* [real]; [monitors][2] sums and squares                                 */
} BlockRowsRow;

/* The row that a sample is added to, of this draw (of blocks of time 0); then the sample is ended, with the
 * monitored numbers [monitors] (NULL: none). */
BlockRowsRow block_rows_now(const BlockRows *rows, int draw);
void block_rows_end(BlockRows *rows, int draw, const double *monitor);

/* All rows in order, those without samples too; and after they were filled from elsewhere, the series goes on
 * where they end. */
int block_rows_number(const BlockRows *rows);
size_t block_rows_columns(const BlockRows *rows); /* whole + real */
BlockRowsRow block_rows_at(const BlockRows *rows, int row);
void block_rows_resume(BlockRows *rows);

/* The draws first, first + step, ... alone. STATUS_MEMORY. */
Status block_rows_pick(const BlockRows *rows, int first, int step, BlockRows **picked, Error *error);

/* Samples to an independent one that other series of the run have; at first 1. */
void block_rows_learn(BlockRows *rows, double inefficiency);
double block_rows_known(const BlockRows *rows);

/* Lists all that changes, for checkpoints: of so many batches, which have as many draws each, or of all (0).
 */
void block_rows_chunks(BlockRows *rows, int batches, ChunkList *list);

/* How correlated the monitors and what is known say that the samples are; of draws not at all. */
StatisticsCorrelation block_rows_correlation(const BlockRows *rows);

/* out[nout] from the sums over n samples, [whole + real]. */
typedef struct BlockRowsFunction {
  const void *self;
  int nout;
  void (*call)(const void *self, const double *sum, double n, double *out);
  /* Whether result k is of fluctuations about a mean, which are too small in a short series by the mean's
   * own: what the jackknife says that it is off is taken off. NULL: none is. */
  bool (*fluctuates)(const void *self, int k);
} BlockRowsFunction;

/* Where errors are from. */
typedef struct BlockRowsErrors {
  int64_t samples;
  int nblock;          /* fewer than 2: no errors                                                */
  bool draws;          /* each is one                                                            */
  int each;            /* rows in a block                                                        */
  double length;       /* samples in a block                                                     */
  int plateau;         /* 0: too few blocks of the length that is asked for: errors are lower bounds */
  double inefficiency; /* samples to an independent one, of the slowest monitor; without a plateau a lower
                          bound */
} BlockRowsErrors;

/* Says of a table where its errors are from, as numbers and in words, and where the series is short for
 * `what` ("its correlation") that they are lower bounds. */
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

/* Where errors of a result are from, without the result; and of one of these blocks its sums [whole + real]
 * and its samples, which it returns. */
BlockRowsErrors block_rows_errors(const BlockRows *rows, double shortest);
double block_rows_sum(const BlockRows *rows, const BlockRowsErrors *errors, int block, double *sum);
double block_rows_total(const BlockRows *rows, double *sum); /* of all samples */

#endif
