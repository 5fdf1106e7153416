#include "simulation/run/means.h"

#include <math.h>
#include <stdlib.h>

Status means_create(Means *means, const MeansShape *shape, const MeansColumn *column, Error *error)
{
  const size_t n = (size_t)shape->ncol;
  const bool alone = shape->replicas == shape->temperatures;
  *means = (Means){.shape = *shape, .column = column};
  means->sum = calloc(n * (size_t)shape->held, sizeof *means->sum);
  means->blocks = alone ? calloc(n * (size_t)shape->temperatures, sizeof *means->blocks) : NULL;
  if (means->sum != NULL && (means->blocks != NULL || !alone))
    return STATUS_OK;
  means_free(means);
  return error_memory(error, "means");
}

void means_free(Means *means)
{
  free(means->sum);
  free(means->blocks);
  *means = (Means){0};
}

static double *sums_of(const Means *means, int replica)
{
  return means->sum + (size_t)(replica - means->shape.first) * (size_t)means->shape.ncol;
}

static StatisticsBlocks *blocks_of(const Means *means, int temperature)
{
  return means->blocks != NULL ? means->blocks + (size_t)temperature * (size_t)means->shape.ncol : NULL;
}

static bool is_largest(const Means *means, int column)
{
  return (means->column[column].traits & MEANS_LARGEST) != 0;
}

void means_add(Means *means, int replica, const double *value)
{
  double *const sum = sums_of(means, replica);
  StatisticsBlocks *const blocks = replica < means->shape.replicas ? blocks_of(means, replica) : NULL;
  for (int c = 0; c < means->shape.ncol; c++) {
    sum[c] = is_largest(means, c) ? fmax(sum[c], value[c]) : sum[c] + value[c];
    if (blocks != NULL)
      statistics_blocks_add(&blocks[c], value[c]);
  }
}

int means_draws(const Means *means) { return means->shape.replicas / means->shape.temperatures; }

static double average(const Means *means, int replica, int column)
{
  const double sum = sums_of(means, replica)[column];
  return is_largest(means, column) ? sum : sum / (double)means->samples; /* NaN without any */
}

void means_all(const Means *means, int column, int temperature, const StatisticsCorrelation *correlation,
               double *mean, double *error, double *tau)
{
  StatisticsMoments moments = {0};
  StatisticsSeries series = {.error = NAN, .tau = NAN};
  const StatisticsBlocks *const blocks = blocks_of(means, temperature);
  for (int r = temperature; r < means->shape.replicas; r += means->shape.temperatures) {
    const double one = average(means, r, column);
    statistics_moments_add(&moments, &one, 1);
  }
  if (blocks != NULL && means->samples > 0)
    series = correlation != NULL ? statistics_blocks_result_with(&blocks[column], correlation)
                                 : statistics_blocks_result(&blocks[column]);
  *mean = moments.mean;
  *error = blocks != NULL ? series.error : statistics_moments_error(&moments);
  if (tau != NULL)
    *tau = series.tau;
}

/* --- files ------- */

Status means_write(const Means *means, const MeansTable *table, const char *dir, Error *error)
{
  Text *text;
  const int n = means->shape.temperatures;
  TRY(text_replace(&text, dir, "replicas.csv", error));
  text_print(text, "%s", table->temperature != NULL ? "slot,target" : "replica");
  for (int c = 0; c < means->shape.ncol; c++)
    text_print(text, ",%s", means->column[c].name);
  text_print(text, "\n# means of each %s over %lld %s after equilibration; %s\n",
             table->temperature != NULL ? "slot (target: its temperature)" : "replica",
             (long long)means->samples, table->samples, table->remark);
  for (int r = 0; r < means->shape.replicas && means->samples > 0; r++) {
    text_print(text, "%d", r);
    if (table->temperature != NULL)
      text_print(text, ",%.10g", table->temperature[r % n]);
    for (int c = 0; c < means->shape.ncol; c++)
      text_print(text, ",%.17g", average(means, r, c));
    text_print(text, "\n");
  }
  return text_close(text, error);
}

/* YAML has names of its own for what is no number. */
static void print_number(Text *text, double x)
{
  if (isfinite(x))
    text_print(text, "%.12g", x);
  else
    text_print(text, "%s", isnan(x) ? ".nan" : x > 0.0 ? ".inf" : "-.inf");
}

/* A column's averages or their errors: a number, with ladders a list. */
static void print_averages(const Means *means, int column, bool listed, bool errors, Text *text)
{
  text_print(text, listed ? "[" : "");
  for (int k = 0; k < means->shape.temperatures; k++) {
    double mean, error;
    means_all(means, column, k, NULL, &mean, &error, NULL);
    text_print(text, k > 0 ? ", " : "");
    print_number(text, errors ? error : mean);
  }
  text_print(text, listed ? "]" : "");
}

static void print_heading(const Means *means, const MeansTable *table, Text *text)
{
  const int draws = means_draws(means);
  const char *const of = table->temperature != NULL ? "ladder" : "replica";
  text_print(text, "means: # over %s", table->samples);
  if (draws > 1)
    text_print(text, " and %d %ss", draws, of);
  if (table->temperature != NULL)
    text_print(text, ", at each temperature of the ladder (%s)", table->unit);
  if (draws > 1)
    text_print(text, "; errors from the %ss\n", of);
  else
    text_print(text, "; errors from blocks of the series\n");
}

void means_summary(const Means *means, const MeansTable *table, Text *text)
{
  const bool listed = table->temperature != NULL;
  if (means->samples == 0)
    return;
  print_heading(means, table, text);
  for (int c = 0; c < means->shape.ncol; c++) {
    if (means->column[c].traits & (MEANS_HIDDEN | (listed ? MEANS_JUMPS : 0u)))
      continue;
    text_print(text, "  %s: {mean: ", means->column[c].name);
    print_averages(means, c, listed, false, text);
    text_print(text, ", error: ");
    print_averages(means, c, listed, true, text);
    text_print(text, "}\n");
  }
}

void means_chunks(Means *means, int width, ChunkList *list)
{
  const MeansShape *const s = &means->shape;
  const size_t n = (size_t)s->ncol;
  chunk_add(list, &means->samples, sizeof means->samples);
  chunk_add_each(list, means->sum, n * (size_t)width * sizeof *means->sum, s->held / width);
  if (means->blocks != NULL)
    chunk_add(list, means->blocks, n * (size_t)s->temperatures * sizeof *means->blocks);
}
