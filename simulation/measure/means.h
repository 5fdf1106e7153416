/* Averages of columns over the samples of a run, for each replica and over all. Errors come from the scatter
 * of several replicas, or from blocks of time of one replica. With ladders, "replicas" are slots, averages
 * are those of each temperature over the ladders, and a single ladder uses blocks. Different threads may add
 * different replicas at the same time. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEANS_H
#define HOLONOM_SIMULATION_MEASURE_MEANS_H

#include <stdbool.h>

#include "base/chunk.h"
#include "base/status.h"
#include "observables/statistics.h"
#include "results/results.h"

enum {
  MEANS_TOP = 1,     /* rows over replicas contain the largest value, not the mean */
  MEANS_LARGEST = 2, /* averages over time contain the largest value too */
  MEANS_HIDDEN = 4,  /* not in summaries */
  MEANS_JUMPS = 8    /* not in summaries with a ladder */
};
typedef struct MeansColumn {
  char name[64];
  unsigned traits;
} MeansColumn;

/* All replicas of the ensemble; slots a n + k of ladders with the same k form one temperature. */
typedef struct MeansShape {
  int ncol, replicas, temperatures; /* temperatures: 1 without a ladder; divides replicas */
  int first, held;                  /* replicas in memory, including spares */
} MeansShape;

/* All zero is empty. */
typedef struct Means {
  MeansShape shape;
  const MeansColumn *column;
  double *sum;              /* [held][ncol] sums, or largest values */
  int64_t samples;          /* of each replica, counted by the caller */
  StatisticsBlocks *blocks; /* [temperatures][ncol] with one series each, else NULL */
} Means;

/* The columns [shape->ncol] must outlive the means. STATUS_MEMORY. */
Status means_create(Means *means, const MeansShape *shape, const MeansColumn *column, Error *error);
void means_free(Means *means);

/* Adds a sample of one replica, value[ncol]. */
void means_add(Means *means, int replica, const double *value);

/* The number of replicas in an average: with ladders, the number of ladders. */
int means_draws(const Means *means);

/* Computes the average over all replicas at a temperature (0 without a ladder) and its standard error. For
 * one series the error is from blocks of the length that `correlation` requires (NULL: its own). *tau (may be
 * NULL): correlation time in samples. NaN: unknown. */
void means_all(const Means *means, int column, int temperature, const StatisticsCorrelation *correlation,
               double *mean, double *error, double *tau);

/* Format of averages: `remark` is appended to the table's description; temperatures [temperatures] and their
 * unit with ladders, else NULL. */
typedef struct MeansTable {
  const char *remark;
  const double *temperature;
  const char *unit;
} MeansTable;

/* Adds the table "replicas": a row for each replica, or for each slot with its temperature. */
const ResultTable *means_table(const Means *means, const MeansTable *table, ResultSet *set);

/* Adds the group "means" without hidden columns; with ladders, lists by temperature. Nothing without
 * samples. */
void means_summary(const Means *means, const MeansTable *table, ResultSet *set);

/* Lists the chunks of a run with `width` replicas in a batch. */
void means_chunks(Means *means, int width, ChunkList *list);

#endif
