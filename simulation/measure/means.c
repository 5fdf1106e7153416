#include "simulation/measure/means.h"

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
  return is_largest(means, column) ? sum : sum / (double)means->samples; /* NaN without samples */
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

/* --- results ------- */

const ResultTable *means_table(const Means *means, const MeansTable *table, ResultSet *set)
{
  const size_t n = means->samples > 0 ? (size_t)means->shape.replicas : 0;
  const bool slots = table->temperature != NULL;
  ResultTable *t = results_add_table(set, "replicas", n);
  double *x = malloc((n + 1) * sizeof *x);
  if (t == NULL || x == NULL) {
    set->failed = true;
    free(x);
    return NULL;
  }
  t->format = "%.17g";
  t->samples = (double)means->samples;
  for (size_t r = 0; r < n; r++)
    x[r] = (double)r;
  results_add_column(t, slots ? "slot" : "replica", x, NULL);
  for (size_t r = 0; r < n && slots; r++)
    x[r] = table->temperature[r % (size_t)means->shape.temperatures];
  if (slots)
    results_add_column(t, "target", x, NULL);
  for (int c = 0; c < means->shape.ncol; c++) {
    for (size_t r = 0; r < n; r++)
      x[r] = average(means, (int)r, c);
    results_add_column(t, means->column[c].name, x, NULL);
  }
  free(x);
  results_say(t, "means of each %s over %lld samples after equilibration; %s",
              slots ? "slot (target: its temperature)" : "replica", (long long)means->samples, table->remark);
  return t;
}

static void add_heading(const Means *means, const MeansTable *table, ResultSet *set)
{
  const int draws = means_draws(means);
  const char *const of = table->temperature != NULL ? "ladder" : "replica";
  results_group(set, "means");
  results_note(set, "over samples");
  if (draws > 1)
    results_note(set, " and %d %ss", draws, of);
  if (table->temperature != NULL)
    results_note(set, ", at each temperature of the ladder (%s)", table->unit);
  if (draws > 1)
    results_note(set, "; errors from the %ss", of);
  else
    results_note(set, "; errors from blocks of the series");
}

void means_summary(const Means *means, const MeansTable *table, ResultSet *set)
{
  const int n = means->shape.temperatures;
  double *x = calloc(2 * (size_t)n, sizeof *x);
  if (x == NULL)
    set->failed = true;
  if (x != NULL && means->samples > 0)
    add_heading(means, table, set);
  for (int c = 0; c < means->shape.ncol && x != NULL && means->samples > 0; c++) {
    if (means->column[c].traits & (MEANS_HIDDEN | (table->temperature != NULL ? MEANS_JUMPS : 0u)))
      continue;
    for (int k = 0; k < n; k++)
      means_all(means, c, k, NULL, &x[k], &x[n + k], NULL);
    if (table->temperature != NULL)
      results_list(set, "means", means->column[c].name, n, x, x + n);
    else
      results_mean(set, "means", means->column[c].name, x[0], x[1], NAN, (double)means->samples);
  }
  free(x);
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
