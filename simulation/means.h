/* Averages of some columns over the samples of a run, for each replica and of all: of several replicas their
 * scatter says the error, of one alone the blocks of its series. Different replicas may be added by different
 * threads at the same time. */
#ifndef HOLONOM_SIMULATION_MEANS_H
#define HOLONOM_SIMULATION_MEANS_H

#include <stdbool.h>

#include "engine/chunk.h"
#include "engine/status.h"
#include "engine/text.h"
#include "observables/statistics.h"

typedef struct MeansColumn {
  char name[64];
  bool largest; /* the largest is kept, not the mean */
} MeansColumn;

/* All zero is empty. */
typedef struct Means {
  int ncol, replicas; /* of the whole ensemble                             */
  int first, held;    /* those in memory                                   */
  MeansColumn *column;
  double *sum;              /* [held][ncol], or the largest                      */
  int64_t samples;          /* of each replica: the caller counts them           */
  StatisticsBlocks *blocks; /* [ncol] of a single replica's series, else NULL    */
} Means;

/* STATUS_MEMORY. */
Status means_create(Means *means, int ncol, int replicas, int first, int held, Error *error);
void means_free(Means *means);

/* One replica's sample, value[ncol]. */
void means_add(Means *means, int replica, const double *value);

/* The average of all with its standard error, of one replica by the blocks that the correlation asks for
 * (NULL: its series' own), and *tau, which may be NULL: its correlation time in samples. NaN: not known. */
void means_all(const Means *means, int column, const StatisticsCorrelation *correlation, double *mean,
               double *error, double *tau);

/* dir/replicas.csv, a row for each of `count`, whose names `label` writes under `head` (NULL: numbers of
 * replicas); `words` follow "means of each replica over 12 " in its comment. */
typedef struct MeansTable {
  const char *words, *head;
  int count; /* 0: all */
  const void *self;
  void (*label)(const void *self, int replica, Text *text);
} MeansTable;
Status means_write(const Means *means, const MeansTable *table, const char *dir, Error *error);

/* Lists all that changes in a run, whose gangs are `width` replicas each. */
void means_chunks(Means *means, int width, ChunkList *list);

#endif
