/* Averages of some columns over the samples of a run, for each replica and of all: of several replicas their
 * scatter says the error, of one alone the blocks of its series. With ladders of temperatures "replicas" are
 * slots, averages are those of each temperature over the ladders, and a single ladder has blocks. Different
 * replicas may be added by different threads at the same time. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEANS_H
#define HOLONOM_SIMULATION_MEASURE_MEANS_H

#include <stdbool.h>

#include "base/chunk.h"
#include "base/status.h"
#include "observables/statistics.h"
#include "results/results.h"

enum {
  MEANS_TOP = 1,     /* rows over replicas have the largest, not the mean */
  MEANS_LARGEST = 2, /* and so have averages over time                    */
  MEANS_HIDDEN = 4,  /* not in summaries                                  */
  MEANS_JUMPS = 8    /* nor where temperatures are exchanged              */
};
typedef struct MeansColumn {
  char name[64];
  unsigned traits;
} MeansColumn;

/* Replicas of the whole ensemble: of a ladder's slots a n + k those with the same k belong together. */
typedef struct MeansShape {
  int ncol, replicas, temperatures; /* temperatures: 1 without a ladder; a divisor of replicas */
  int first, held;                  /* those in memory, some beyond `replicas` among them      */
} MeansShape;

/* All zero is empty. */
typedef struct Means {
  MeansShape shape;
  const MeansColumn *column;
  double *sum;              /* [held][ncol], or the largest                                       */
  int64_t samples;          /* of each replica: the caller counts them                            */
  StatisticsBlocks *blocks; /* [temperatures][ncol], where each has one series, else NULL */
} Means;

/* Columns [shape->ncol] are borrowed. STATUS_MEMORY. */
Status means_create(Means *means, const MeansShape *shape, const MeansColumn *column, Error *error);
void means_free(Means *means);

/* One replica's sample, value[ncol]. */
void means_add(Means *means, int replica, const double *value);

/* Replicas that an average is over: the ladders of each temperature. */
int means_draws(const Means *means);

/* The average over all at a temperature (0 without a ladder) with its standard error, of one series by the
 * blocks that the correlation asks for (NULL: its own), and *tau, which may be NULL: its correlation time in
 * samples. NaN: not known. */
void means_all(const Means *means, int column, int temperature, const StatisticsCorrelation *correlation,
               double *mean, double *error, double *tau);

/* How averages are written: `remark` is what else there is to say of them; with ladders the temperatures
 * [temperatures] and their unit, else NULL. */
typedef struct MeansTable {
  const char *remark;
  const double *temperature;
  const char *unit;
} MeansTable;

/* The table "replicas": a row for each replica, or for each slot with its temperature. */
const ResultTable *means_table(const Means *means, const MeansTable *table, ResultSet *set);

/* The group "means", without hidden columns; with ladders lists by temperature. Nothing without samples. */
void means_summary(const Means *means, const MeansTable *table, ResultSet *set);

/* Lists all that changes in a run, whose batches are `width` replicas each. */
void means_chunks(Means *means, int width, ChunkList *list);

#endif
