/* Rows of a few quantities against time, kept in bounded memory for pictures: consecutive rows share a group,
 * groups merge in pairs when all are full. */
#ifndef HOLONOM_SIMULATION_RUN_HISTORY_H
#define HOLONOM_SIMULATION_RUN_HISTORY_H

#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"
#include "observables/picture.h"

enum { HISTORY_QUANTITIES = 8, HISTORY_GROUPS = 512, HISTORY_BLOCKS = 24 };

typedef struct History History;

/* Of n quantities, up to HISTORY_QUANTITIES, in so many groups, an even number: HISTORY_GROUPS where curves
 * are wanted. STATUS_MEMORY. */
Status history_create(History **history, int n, int groups, Error *error);
void history_free(History *history);

void history_add(History *history, double time, const double *value);

/* Lists all that changes, for checkpoints. */
void history_chunks(History *history, ChunkList *list);

/* What is drawn of one quantity; NaN where a value was none. */
typedef struct HistoryCurve {
  int n; /* rows, thinned evenly: the first of each group */
  double time[HISTORY_GROUPS], row[HISTORY_GROUPS];
  int nblock; /* means of so many stretches of time, all as long; the mean of all rows from `after` on so far
               */
  double block_time[HISTORY_BLOCKS], block[HISTORY_BLOCKS];
  int nmean;
  double mean_time[HISTORY_GROUPS], mean[HISTORY_GROUPS];
} HistoryCurve;

int64_t history_rows(const History *history);

/* Rows thinned evenly, the first of each group: how many, when row i was, and its quantities [n]. */
int history_points(const History *history);
double history_time(const History *history, int i);
const double *history_point(const History *history, int i);

void history_curve(const History *history, int quantity, double after, HistoryCurve *curve);

/* A panel for each quantity: rows in grey, means of blocks as points, the running mean from
 * `after` on (0: from the start) with a line where it begins. */
typedef struct HistoryPicture {
  int n;
  const QuantityWords *label; /* [n] */
  double after;
  const char *xlabel, *title; /* title may be NULL */
} HistoryPicture;

/* dir/name.svg and .png where there are rows enough (fewer than 20 are better read than drawn).
 * Errors as in observables/picture.h. */
Status history_draw(const History *history, const HistoryPicture *of, const char *dir, const char *name,
                    Error *error);

#endif
