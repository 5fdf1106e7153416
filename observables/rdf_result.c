/* Results and errors of rdf.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/rdf_memory.h"

/* --- errors ----------------------------------------------------------------------------------------------
 */

/* Rows that count as independent draws: replicas, or full blocks of time of which the correlation is found
 * and as many put together as it asks for, the longest with 4 of them left if they run out. */
typedef struct Rows {
  const Rdf *rdf;
  int n;
  const uint64_t *row;     /* [n][stride]                              */
  uint64_t *merged;        /* the same where they are put together      */
  uint64_t *total;         /* all of the Rdf                            */
  StatisticsCorrelation c; /* of replicas: inefficiency 1, plateau 1    */
} Rows;

static const uint64_t *rows_at(const Rows *rows, int k) { return rows->row + (size_t)k * rows->rdf->stride; }

static void rows_free(Rows *rows)
{
  free(rows->merged);
  free(rows->total);
}

static double row_in_range(const Rdf *rdf, const uint64_t *row)
{
  uint64_t sum = 0;
  for (int b = 0; b < rdf->nbin; b++)
    sum += row[ROW_COUNTS + b];
  return (double)sum;
}

static double row_denominator(const Rdf *rdf, const uint64_t *row, int by_samples)
{
  return by_samples ? (double)row[ROW_SAMPLES] : row_in_range(rdf, row);
}

/* error[b] of the ratio sum_rows count_b / sum_rows D, D = samples or counts in range: the standard error of
 * the mean residual count_b - ratio D. ratio is filled too; both [nbin + 1]. */
static void rows_errors(const Rows *rows, int by_samples, double *ratio, double *error)
{
  const Rdf *const rdf = rows->rdf;
  const int nbin = rdf->nbin, n = rows->n;
  double whole = 0.0;
  for (int b = 0; b <= nbin; b++)
    ratio[b] = error[b] = 0.0;
  for (int k = 0; k < n; k++) {
    const uint64_t *row = rows_at(rows, k);
    whole += row_denominator(rdf, row, by_samples);
    for (int b = 0; b <= nbin; b++)
      ratio[b] += (double)row[ROW_COUNTS + b];
  }
  for (int b = 0; b <= nbin; b++)
    ratio[b] /= whole;
  for (int k = 0; k < n; k++) {
    const uint64_t *row = rows_at(rows, k);
    const double d = row_denominator(rdf, row, by_samples);
    for (int b = 0; b <= nbin; b++) {
      const double residual = (double)row[ROW_COUNTS + b] - ratio[b] * d;
      error[b] += residual * residual;
    }
  }
  for (int b = 0; b <= nbin; b++)
    error[b] = n < 2 ? NAN : sqrt(error[b] * n / (n - 1.0)) / whole;
}

/* Squared error of a monitor's mean from the means of level + 1 rows at a time, over that of as many
 * independent samples; 0 where it does not vary, or hardly ever. */
static double monitor_inefficiency(const void *self, int monitor, int level)
{
  const Rows *const rows = self;
  const uint64_t *const total = rows->total;
  const int each = level + 1;
  const size_t at = ROW_MONITORS + 2 * (size_t)monitor;
  const double n = (double)total[ROW_SAMPLES], mean = (double)total[at] / n;
  const double variance = (double)total[at + 1] / n - mean * mean;
  if (!(variance > 0.0) || mean < 0.01 * RDF_UNIT || mean > 0.99 * RDF_UNIT)
    return 0.0;
  StatisticsMoments moments = {0};
  double length = 0.0;
  for (int k = 0; k + each <= rows->n;) {
    double sum = 0.0;
    length = 0.0;
    for (int j = 0; j < each; j++, k++) {
      sum += (double)rows_at(rows, k)[at];
      length += (double)rows_at(rows, k)[ROW_SAMPLES];
    }
    sum /= length;
    statistics_moments_add(&moments, &sum, 1);
  }
  return statistics_moments_variance(&moments) * length / variance;
}

/* Makes one of as many consecutive blocks as the correlation by the monitors and by what is known asks for;
 * the last ones, if they are too few, are left out. */
static Status rows_merge(Rows *rows, Error *error)
{
  const Rows all = *rows;
  const Rdf *const rdf = rows->rdf;
  StatisticsCorrelation *const c = &rows->c;
  const double base = c->length;
  *c = statistics_correlation_of(rows, monitor_inefficiency, RDF_MONITORS, rows->n / STATISTICS_BLOCKS,
                                 (double)rows->total[ROW_SAMPLES], rdf->known);
  const int most = rows->n / STATISTICS_BLOCKS_FEWEST > 1 ? rows->n / STATISTICS_BLOCKS_FEWEST : 1;
  const int each = (int)fmin(fmax(ceil(c->length / base), 1.0), most);
  c->length = each * base;
  if (each == 1)
    return STATUS_OK;
  rows->n /= each;
  rows->row = rows->merged = calloc((size_t)rows->n + 1, rdf_row_size(rdf));
  if (rows->merged == NULL)
    return error_memory(error, "the errors of a radial distribution");
  for (int k = 0; k < rows->n * each; k++)
    block_rows_add_whole(rdf_row_size(rdf), rows->merged + (size_t)(k / each) * rdf->stride,
                         rows_at(&all, k));
  return STATUS_OK;
}

/* To be freed, also after an error. */
static Status rows_find(const Rdf *rdf, Rows *rows, Error *error)
{
  *rows = (Rows){.rdf = rdf,
                 .n = rdf->nreplica > 1 ? rdf->nreplica : (int)rdf->series.full,
                 .row = rdf->row,
                 .total = calloc(rdf->stride, sizeof *rows->total)};
  if (rows->total == NULL)
    return error_memory(error, "the sum of a radial distribution");
  for (int k = 0; k < rdf->nrow; k++)
    block_rows_add_whole(rdf_row_size(rdf), rows->total, rdf_row(rdf, k));
  rows->c = (StatisticsCorrelation){.samples = (double)rows->total[ROW_SAMPLES],
                                    .inefficiency = 1.0,
                                    .length = rows->n > 0 ? (double)rows->row[ROW_SAMPLES] : 1.0,
                                    .plateau = 1};
  return rdf->nreplica > 1 ? STATUS_OK : rows_merge(rows, error);
}

Status rdf_result_correlation(const void *self, StatisticsCorrelation *correlation, Error *error)
{
  Rows rows;
  const Status status = rows_find(self, &rows, error);
  *correlation = rows.c;
  rows_free(&rows);
  return status;
}

/* --- results ----------------------------------------------------------------------------------------------
 */

static RdfResult *result_create(int nbin, Error *error)
{
  /* One allocation: the struct, then six arrays and room for one more bin in each, that beyond rmax.
   */
  const size_t n = (size_t)nbin + 1;
  RdfResult *result = calloc(1, sizeof *result + 6 * n * sizeof(double));
  if (result == NULL) {
    error_memory(error, "a radial distribution");
    return NULL;
  }
  double *x = (double *)(result + 1);
  result->nbin = nbin;
  result->r = x;
  result->p = x + n;
  result->p_err = x + 2 * n;
  result->g = x + 3 * n;
  result->g_err = x + 4 * n;
  result->count = x + 5 * n;
  return result;
}

void rdf_result_free(RdfResult *result) { free(result); }

static const double ball = 4.0 / 3.0 * 3.14159265358979323846;

static double density_of(const Rdf *rdf) { return (rdf->nmol - 1.0) / (ball * pow(rdf->rmax, 3)); }

static double shell_of(const Rdf *rdf, int bin)
{
  const double dr = rdf->rmax / rdf->nbin, low = bin * dr, high = (bin + 1) * dr;
  return ball * (high * high * high - low * low * low);
}

double rdf_result_g(const Rdf *rdf, int bin)
{
  return 2.0 / (rdf->nmol * density_of(rdf) * shell_of(rdf, bin));
}

static void result_fill(const Rows *rows, RdfResult *result)
{
  const Rdf *const rdf = rows->rdf;
  const uint64_t *const total = rows->total;
  const double n = rdf->nmol, dr = rdf->rmax / rdf->nbin, rho = density_of(rdf);
  const double samples = (double)total[ROW_SAMPLES], inside = row_in_range(rdf, total);
  result->nmol = rdf->nmol;
  result->nreplica = rdf->nreplica;
  result->rmax = rdf->rmax;
  result->dr = dr;
  result->samples = samples;
  result->beyond = (double)total[ROW_COUNTS + rdf->nbin] / (samples * 0.5 * n * (n - 1.0));
  result->from_blocks = rdf->nreplica == 1;
  result->nrow = rows->n;
  result->block_length = rows->c.length;
  result->correlation = rdf->nreplica == 1 ? 0.5 * rows->c.inefficiency : NAN;
  result->plateau = rows->c.plateau;
  rows_errors(rows, 0, result->p, result->p_err);
  rows_errors(rows, 1, result->g, result->g_err);
  for (int b = 0; b < rdf->nbin; b++) {
    const double shell = shell_of(rdf, b), count = (double)total[ROW_COUNTS + b];
    result->r[b] = 0.5 * (b * dr + (b + 1) * dr);
    result->count[b] = count;
    result->p[b] = count / (inside * dr);
    result->p_err[b] /= dr;
    result->g[b] = 2.0 * count / (samples * n * rho * shell);
    result->g_err[b] *= 2.0 / (n * rho * shell);
  }
}

Status rdf_result(const Rdf *rdf, RdfResult **result, Error *error)
{
  Rows rows;
  Status status = rows_find(rdf, &rows, error);
  *result = status == STATUS_OK ? result_create(rdf->nbin, error) : NULL;
  if (*result != NULL)
    result_fill(&rows, *result);
  else if (status == STATUS_OK)
    status = STATUS_MEMORY;
  rows_free(&rows);
  return status;
}

Status rdf_result_fractions(const Rdf *rdf, RdfFractions *fractions, Error *error)
{
  Rows rows;
  Status status = rows_find(rdf, &rows, error);
  const size_t nrow = (size_t)rows.n, ncol = (size_t)rdf->nbin + 1;
  *fractions = (RdfFractions){.nrow = rows.n, .ncol = (int)ncol, .plateau = rows.c.plateau};
  const double pairs = 0.5 * rdf->nmol * (rdf->nmol - 1.0);
  fractions->x = status == STATUS_OK ? malloc((nrow * ncol + 1) * sizeof *fractions->x) : NULL;
  if (fractions->x == NULL && status == STATUS_OK)
    status = error_memory(error, "the rows of a radial distribution");
  for (size_t k = 0; k < nrow && status == STATUS_OK; k++) {
    const uint64_t *row = rows_at(&rows, (int)k);
    for (size_t b = 0; b < ncol; b++)
      fractions->x[k * ncol + b] = (double)row[ROW_COUNTS + b] / (pairs * (double)row[ROW_SAMPLES]);
  }
  rows_free(&rows);
  return status;
}
