/* Rows of a few quantities against time, stored in bounded memory for pictures: consecutive rows share a
 * group, and groups merge in pairs when all are full. */
#ifndef HOLONOM_SIMULATION_RUN_HISTORY_H
#define HOLONOM_SIMULATION_RUN_HISTORY_H

#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"
#include "observables/picture.h"

enum { HISTORY_QUANTITIES = 8, HISTORY_GROUPS = 512, HISTORY_BLOCKS = 24 };

typedef struct History History;

/* Makes a history of n quantities, at most HISTORY_QUANTITIES, in an even number of groups; curves need
 * HISTORY_GROUPS. STATUS_MEMORY. */
Status history_create(History **history, int n, int groups, Error *error);
void history_free(History *history);

void history_add(History *history, double time, const double *value);

void history_chunks(History *history, ChunkList *list);

/* The curve of one quantity; NaN for values that are not finite. */
typedef struct HistoryCurve {
  int n; /* rows, thinned evenly: the first of each group */
  double time[HISTORY_GROUPS], row[HISTORY_GROUPS];
  int nblock; /* means of equal blocks of time; running mean of all rows from `after` on */
  double block_time[HISTORY_BLOCKS], block[HISTORY_BLOCKS];
  int nmean;
  double mean_time[HISTORY_GROUPS], mean[HISTORY_GROUPS];
} HistoryCurve;

int64_t history_rows(const History *history);

/* Rows, thinned evenly to the first of each group: their number, the time of row i, and its quantities
 * [n]. */
int history_points(const History *history);
double history_time(const History *history, int i);
const double *history_point(const History *history, int i);

void history_curve(const History *history, int quantity, double after, HistoryCurve *curve);

/* A panel for each quantity: rows in grey, block means as points, and the running mean from `after` on (0:
 * from the start), with a line at `after`. */
typedef struct HistoryPicture {
  int n;
  const QuantityWords *label; /* [n] */
  double after;
  const char *xlabel, *title; /* title may be NULL */
} HistoryPicture;

/* Draws dir/name.svg and .png if there are at least 20 rows. Errors as in observables/picture.h. */
Status history_draw(const History *history, const HistoryPicture *of, const char *dir, const char *name,
                    Error *error);

#endif
