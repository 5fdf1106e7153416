#include "simulation/run/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums over consecutive rows. All members have 8 bytes. */
typedef struct Group {
  double rows, time, time_sum;
  double first[HISTORY_QUANTITIES], sum[HISTORY_QUANTITIES];
} Group;

struct History {
  int n, groups;
  struct {
    int64_t full;   /* full groups; the next one is filling */
    int64_t length; /* rows in a full group */
    int64_t rows;
  } state;
  Group group[]; /* [groups] */
};

Status history_create(History **history, int n, int groups, Error *error)
{
  History *h = *history = calloc(1, sizeof *h + (size_t)groups * sizeof *h->group);
  TRY_MEMORY(h != NULL, "a history", error);
  h->n = n;
  h->groups = groups;
  h->state.length = 1;
  return STATUS_OK;
}

void history_free(History *history) { free(history); }

static void merge(History *h)
{
  const int half = h->groups / 2;
  for (int i = 0; i < half; i++) {
    Group sum = h->group[2 * i];
    const Group *next = &h->group[2 * i + 1];
    sum.rows += next->rows;
    sum.time_sum += next->time_sum;
    for (int k = 0; k < h->n; k++)
      sum.sum[k] += next->sum[k];
    h->group[i] = sum;
  }
  memset(&h->group[half], 0, (size_t)half * sizeof *h->group);
  h->state.full = half;
  h->state.length *= 2;
}

void history_add(History *h, double time, const double *value)
{
  if (h->state.full == h->groups)
    merge(h);
  Group *group = &h->group[h->state.full];
  if (group->rows == 0.0) {
    group->time = time;
    for (int k = 0; k < h->n; k++)
      group->first[k] = value[k];
  }
  group->rows += 1.0;
  group->time_sum += time;
  for (int k = 0; k < h->n; k++)
    group->sum[k] += value[k];
  h->state.rows++;
  if (group->rows == (double)h->state.length)
    h->state.full++;
}

void history_chunks(History *h, ChunkList *list)
{
  chunk_add(list, &h->state, sizeof h->state);
  chunk_add(list, h->group, (size_t)h->groups * sizeof *h->group);
}

int64_t history_rows(const History *h) { return h->state.rows; }

/* --- curves ------- */

int history_points(const History *h)
{
  const int full = (int)h->state.full;
  return full < h->groups && h->group[full].rows > 0.0 ? full + 1 : full;
}

double history_time(const History *h, int i) { return h->group[i].time; }

const double *history_point(const History *h, int i) { return h->group[i].first; }

static void block_means(const History *h, int k, HistoryCurve *curve)
{
  const int blocks = curve->n < HISTORY_BLOCKS ? curve->n : HISTORY_BLOCKS;
  for (int b = 0; b < blocks; b++) {
    double rows = 0.0, time = 0.0, sum = 0.0;
    for (int i = curve->n * b / blocks; i < curve->n * (b + 1) / blocks; i++) {
      rows += h->group[i].rows;
      time += h->group[i].time_sum;
      sum += h->group[i].sum[k];
    }
    curve->block_time[b] = time / rows;
    curve->block[b] = sum / rows;
  }
  curve->nblock = blocks;
}

void history_curve(const History *h, int quantity, double after, HistoryCurve *curve)
{
  double rows = 0.0, sum = 0.0;
  *curve = (HistoryCurve){.n = history_points(h)};
  for (int i = 0; i < curve->n; i++) {
    const Group *group = &h->group[i];
    curve->time[i] = group->time;
    curve->row[i] = group->first[quantity];
    if (group->time < after || !isfinite(group->sum[quantity]))
      continue;
    rows += group->rows;
    sum += group->sum[quantity];
    curve->mean_time[curve->nmean] = group->time_sum / group->rows;
    curve->mean[curve->nmean++] = sum / rows;
  }
  block_means(h, quantity, curve);
}

/* --- panels ------- */

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The range of y: the later half of the rows without the outermost hundredths, extended by its own width on
 * either side as far as rows reach. Both 0 without a range. */
static void range(const HistoryCurve *curve, double *low, double *high)
{
  double sorted[HISTORY_GROUPS], least = INFINITY, most = -INFINITY;
  int n = 0;
  *low = *high = 0.0;
  for (int i = 0; i < curve->n; i++) {
    if (!isfinite(curve->row[i]))
      continue;
    least = fmin(least, curve->row[i]);
    most = fmax(most, curve->row[i]);
    if (i >= curve->n / 2)
      sorted[n++] = curve->row[i];
  }
  if (n == 0)
    return;
  qsort(sorted, (size_t)n, sizeof *sorted, ascending);
  const double bottom = sorted[n / 100], top = sorted[n - 1 - n / 100], span = top - bottom;
  if (!(span > 1e-12 * fmax(fabs(top), fabs(bottom))))
    return;
  *low = fmax(least, bottom - span) - 0.05 * span;
  *high = fmin(most, top + span) + 0.05 * span;
}

/* The range of y is set by the later half of the rows, so that a start far away, or a divergence at the end,
 * stays readable. */
typedef struct Panel {
  HistoryCurve data;
  PictureCurve curve[3];
  PictureGuide guide;
  PicturePanel panel; /* points into this struct */
} Panel;

static void make_panel(const History *h, int quantity, double after, const char *xlabel, const char *ylabel,
                       int first, Panel *p)
{
  *p = (Panel){.guide = {.vertical = 1, .at = after, .label = first ? "equilibration ends" : NULL}};
  HistoryCurve *data = &p->data;
  history_curve(h, quantity, after, data);
  p->curve[0] = (PictureCurve){.label = first ? "rows" : NULL,
                               .n = data->n,
                               .x = data->time,
                               .y = data->row,
                               .colour = 8,
                               .width = 0.6};
  p->curve[1] = (PictureCurve){.label = first ? "means of blocks" : NULL,
                               .n = data->nblock,
                               .x = data->block_time,
                               .y = data->block,
                               .style = PICTURE_POINTS,
                               .colour = 2};
  p->curve[2] = (PictureCurve){.label = first ? "running mean" : NULL,
                               .n = data->nmean,
                               .x = data->mean_time,
                               .y = data->mean,
                               .colour = 3,
                               .width = 1.2};
  p->panel = (PicturePanel){.axes = {.xlabel = xlabel,
                                     .ylabel = ylabel,
                                     .xmin = data->n > 0 ? data->time[0] : 0.0,
                                     .xmax = data->n > 0 ? data->time[data->n - 1] : 0.0,
                                     .nguide = after > 0.0,
                                     .guide = &p->guide},
                            .n = 3,
                            .curve = p->curve};
  double *low = &p->panel.axes.ymin, *high = &p->panel.axes.ymax;
  range(data, low, high);
  if (first && after > 0.0)
    *high += 0.15 * (*high - *low); /* space for the guide's label */
}

Status history_draw(const History *h, const HistoryPicture *of, const char *dir, const char *name,
                    Error *error)
{
  enum { LEAST = 20 };
  if (history_rows(h) < LEAST)
    return STATUS_OK;
  PicturePanel all[HISTORY_QUANTITIES];
  Panel *panel = malloc((size_t)of->n * sizeof *panel);
  TRY_MEMORY(panel != NULL, "a picture", error);
  for (int k = 0; k < of->n; k++) {
    make_panel(h, k, of->after, of->xlabel, of->label[k].text, k == 0, &panel[k]);
    all[k] = panel[k].panel;
  }
  if (of->title != NULL)
    all[0].axes.title = of->title;
  const Status status = picture_panels(dir, name, of->n, all, 1, error);
  free(panel);
  return status;
}
