#include "simulation/means.h"

#include <math.h>
#include <stdlib.h>

Status means_create(Means *means, int ncol, int replicas, int first, int held, Error *error)
{
  const size_t n = (size_t)ncol;
  *means = (Means){.ncol = ncol, .replicas = replicas, .first = first, .held = held};
  means->column = calloc(n, sizeof *means->column);
  means->sum = calloc(n * (size_t)held, sizeof *means->sum);
  means->blocks = replicas == 1 ? calloc(n, sizeof *means->blocks) : NULL;
  if (means->column != NULL && means->sum != NULL && (means->blocks != NULL || replicas > 1))
    return STATUS_OK;
  means_free(means);
  return error_memory(error, "means");
}

void means_free(Means *means)
{
  free(means->column);
  free(means->sum);
  free(means->blocks);
  *means = (Means){0};
}

static double *sums_of(const Means *means, int replica)
{
  return means->sum + (size_t)(replica - means->first) * (size_t)means->ncol;
}

void means_add(Means *means, int replica, const double *value)
{
  double *const sum = sums_of(means, replica);
  for (int c = 0; c < means->ncol; c++) {
    sum[c] = means->column[c].largest ? fmax(sum[c], value[c]) : sum[c] + value[c];
    if (means->blocks != NULL)
      statistics_blocks_add(&means->blocks[c], value[c]);
  }
}

static double average(const Means *means, int replica, int column)
{
  const double sum = sums_of(means, replica)[column];
  return means->column[column].largest ? sum : sum / (double)means->samples; /* NaN without any */
}

void means_all(const Means *means, int column, const StatisticsCorrelation *correlation, double *mean,
               double *error, double *tau)
{
  StatisticsMoments moments = {0};
  StatisticsSeries series = {.error = NAN, .tau = NAN};
  for (int r = 0; r < means->replicas; r++) {
    const double one = average(means, r, column);
    statistics_moments_add(&moments, &one, 1);
  }
  if (means->blocks != NULL && means->samples > 0)
    series = correlation != NULL ? statistics_blocks_result_with(&means->blocks[column], correlation)
                                 : statistics_blocks_result(&means->blocks[column]);
  *mean = moments.mean;
  *error = means->blocks != NULL ? series.error : statistics_moments_error(&moments);
  if (tau != NULL)
    *tau = series.tau;
}

Status means_write(const Means *means, const MeansTable *table, const char *dir, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, dir, "replicas.csv", error);
  if (status != STATUS_OK)
    return status;
  text_print(text, "%s", table->label != NULL ? table->head : "replica");
  for (int c = 0; c < means->ncol; c++)
    text_print(text, ",%s", means->column[c].name);
  text_print(text, "\n# means of each replica over %lld %s\n", (long long)means->samples, table->words);
  for (int r = 0; r < (table->count > 0 ? table->count : means->replicas) && means->samples > 0; r++) {
    if (table->label != NULL)
      table->label(table->self, r, text);
    else
      text_print(text, "%d", r);
    for (int c = 0; c < means->ncol; c++)
      text_print(text, ",%.17g", average(means, r, c));
    text_print(text, "\n");
  }
  return text_close(text, error);
}

void means_chunks(Means *means, int width, ChunkList *list)
{
  const size_t n = (size_t)means->ncol;
  chunk_add(list, &means->samples, sizeof means->samples);
  chunk_add_each(list, means->sum, n * (size_t)width * sizeof *means->sum, means->held / width);
  if (means->blocks != NULL)
    chunk_add(list, means->blocks, n * sizeof *means->blocks);
}
