/* Results and errors of rdf.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/rdf_memory.h"
#include "observables/statistics.h"

/* --- errors ----------------------------------------------------------------------------------------------
 */

/* Rows that count as independent draws, with the series that each belongs to. */
typedef struct Rows {
  int n;
  int *series;
  const uint64_t **row; /* into the Rdf at level 0, else into merged */
  uint64_t *merged;     /* [n][stride]                               */
} Rows;

static void rows_free(Rows *rows)
{
  free(rows->series);
  free(rows->row);
  free(rows->merged);
  *rows = (Rows){0};
}

/* The replicas, or all full blocks; empty rows are left out. */
static Status rows_collect(const Rdf *rdf, Rows *rows, Error *error)
{
  const size_t most = (size_t)rdf->nreplica * (size_t)rdf->nblock;
  *rows = (Rows){.series = malloc(most * sizeof *rows->series),
                 .row = malloc(most * sizeof *rows->row),
                 .merged = malloc((most / 2 + 1) * rdf->stride * sizeof *rows->merged)};
  if (rows->series == NULL || rows->row == NULL || rows->merged == NULL) {
    rows_free(rows);
    return error_memory(error, "the errors of a radial distribution");
  }
  for (int i = 0; i < rdf->nreplica; i++)
    for (int b = 0; b < (rdf->series != NULL ? rdf->series[i].full : 1); b++)
      if (rdf_row(rdf, i, b)[ROW_SAMPLES] > 0) {
        rows->series[rows->n] = i;
        rows->row[rows->n++] = rdf_row(rdf, i, b);
      }
  return STATUS_OK;
}

/* Merges neighbours of the same series; a last one without a partner is left out. Row k of the result is
 * written where rows 2k or later of the old ones are, which have been read. */
static void rows_merge(const Rdf *rdf, Rows *rows)
{
  int n = 0;
  for (int k = 0; k + 1 < rows->n; k++) {
    if (rows->series[k] != rows->series[k + 1])
      continue;
    uint64_t *to = rows->merged + (size_t)n * rdf->stride;
    const uint64_t *second = rows->row[k + 1];
    memmove(to, rows->row[k], rdf->stride * sizeof *to);
    rdf_row_add(rdf, to, second);
    rows->series[n] = rows->series[k];
    rows->row[n++] = to;
    k++;
  }
  rows->n = n;
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
static void rows_errors(const Rdf *rdf, const Rows *rows, int by_samples, double *ratio, double *error)
{
  const int nbin = rdf->nbin, n = rows->n;
  double whole = 0.0;
  for (int b = 0; b <= nbin; b++)
    ratio[b] = error[b] = 0.0;
  for (int k = 0; k < n; k++) {
    whole += row_denominator(rdf, rows->row[k], by_samples);
    for (int b = 0; b <= nbin; b++)
      ratio[b] += (double)rows->row[k][ROW_COUNTS + b];
  }
  for (int b = 0; b <= nbin; b++)
    ratio[b] /= whole;
  for (int k = 0; k < n; k++) {
    const double d = row_denominator(rdf, rows->row[k], by_samples);
    for (int b = 0; b <= nbin; b++) {
      const double residual = (double)rows->row[k][ROW_COUNTS + b] - ratio[b] * d;
      error[b] += residual * residual;
    }
  }
  for (int b = 0; b <= nbin; b++)
    error[b] = n < 2 ? NAN : sqrt(error[b] * n / (n - 1.0)) / whole;
}

static uint64_t *rdf_total(const Rdf *rdf, Error *error)
{
  uint64_t *total = calloc(rdf->stride, sizeof *total);
  if (total == NULL)
    error_memory(error, "the sum of a radial distribution");
  else
    for (int i = 0; i < rdf->nreplica; i++)
      for (int b = 0; b < rdf->nblock; b++)
        rdf_row_add(rdf, total, rdf_row(rdf, i, b));
  return total;
}

/* Variance of one sample's counts, summed over the bins. */
static double sample_variance(const Rdf *rdf, const uint64_t *total)
{
  const double n = (double)total[ROW_SAMPLES];
  double variance = (double)total[ROW_SQUARES] / n;
  for (int b = 0; b <= rdf->nbin; b++)
    variance -= pow((double)total[ROW_COUNTS + b] / n, 2);
  return variance;
}

typedef struct Plateau {
  Rows rows;
  double length, correlation;
  int found;
} Plateau;

/* How much larger the squared errors of all bins are than those of as many independent samples. */
static double inefficiency(const Rdf *rdf, const Rows *rows, const uint64_t *total, double *scratch)
{
  double sum = 0.0;
  double *error = scratch + rdf->nbin + 1;
  rows_errors(rdf, rows, 1, scratch, error);
  for (int b = 0; b <= rdf->nbin; b++)
    sum += error[b] * error[b];
  return sum * (double)total[ROW_SAMPLES] / sample_variance(rdf, total);
}

/* The rows to take errors from. Blocks are merged until they are long enough for the correlation; if they run
 * out, the longest with 4 of them left stay, and found is 0. */
static Status plateau_find(const Rdf *rdf, const uint64_t *total, Plateau *plateau, Error *error)
{
  *plateau = (Plateau){.correlation = NAN, .found = 1};
  Rows *rows = &plateau->rows;
  const Status status = rows_collect(rdf, rows, error);
  if (status != STATUS_OK)
    return status;
  if (rows->n > 0)
    plateau->length = (double)rows->row[0][ROW_SAMPLES];
  if (rdf->series == NULL)
    return STATUS_OK;
  double *scratch = malloc(2 * ((size_t)rdf->nbin + 1) * sizeof *scratch);
  if (scratch == NULL) {
    rows_free(rows);
    return error_memory(error, "the errors of a radial distribution");
  }
  plateau->found = 0;
  while (rows->n >= 4 && sample_variance(rdf, total) > 0.0) {
    const double g = inefficiency(rdf, rows, total, scratch);
    plateau->length = (double)rows->row[0][ROW_SAMPLES];
    plateau->correlation = fmax(0.5, 0.5 * g);
    plateau->found = statistics_block_enough(plateau->length, (double)total[ROW_SAMPLES], g);
    if (plateau->found || rows->n < 8)
      break;
    rows_merge(rdf, rows);
  }
  free(scratch);
  return STATUS_OK;
}

/* --- results ----------------------------------------------------------------------------------------------
 */

RdfResult *rdf_result_create(int nbin, Error *error)
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

static void result_fill(const Rdf *rdf, const uint64_t *total, const Plateau *plateau, RdfResult *result)
{
  const double pi = 3.14159265358979323846, n = rdf->nmol, dr = rdf->rmax / rdf->nbin;
  const double samples = (double)total[ROW_SAMPLES], inside = row_in_range(rdf, total);
  const double rho = (n - 1.0) / (4.0 / 3.0 * pi * pow(rdf->rmax, 3));
  result->nmol = rdf->nmol;
  result->nreplica = rdf->nreplica;
  result->rmax = rdf->rmax;
  result->dr = dr;
  result->samples = samples;
  result->beyond = (double)total[ROW_COUNTS + rdf->nbin] / (samples * 0.5 * n * (n - 1.0));
  result->from_blocks = rdf->series != NULL;
  result->nrow = plateau->rows.n;
  result->block_length = plateau->length;
  result->correlation = plateau->correlation;
  result->plateau = plateau->found;
  rows_errors(rdf, &plateau->rows, 0, result->p, result->p_err);
  rows_errors(rdf, &plateau->rows, 1, result->g, result->g_err);
  for (int b = 0; b < rdf->nbin; b++) {
    const double low = b * dr, high = (b + 1) * dr;
    const double shell = 4.0 / 3.0 * pi * (high * high * high - low * low * low);
    const double count = (double)total[ROW_COUNTS + b];
    result->r[b] = 0.5 * (low + high);
    result->count[b] = count;
    result->p[b] = count / (inside * dr);
    result->p_err[b] /= dr;
    result->g[b] = 2.0 * count / (samples * n * rho * shell);
    result->g_err[b] *= 2.0 / (n * rho * shell);
  }
}

Status rdf_result(const Rdf *rdf, RdfResult **result, Error *error)
{
  *result = NULL;
  uint64_t *total = rdf_total(rdf, error);
  if (total == NULL)
    return STATUS_MEMORY;
  Plateau plateau;
  Status status = plateau_find(rdf, total, &plateau, error);
  if (status == STATUS_OK) {
    *result = rdf_result_create(rdf->nbin, error);
    if (*result == NULL)
      status = STATUS_MEMORY;
    else
      result_fill(rdf, total, &plateau, *result);
    rows_free(&plateau.rows);
  }
  free(total);
  return status;
}

Status rdf_result_fractions(const Rdf *rdf, int *nrow, int *ncol, double **x, Error *error)
{
  *x = NULL;
  uint64_t *total = rdf_total(rdf, error);
  if (total == NULL)
    return STATUS_MEMORY;
  Plateau plateau;
  Status status = plateau_find(rdf, total, &plateau, error);
  free(total);
  if (status != STATUS_OK)
    return status;
  *nrow = plateau.rows.n;
  *ncol = rdf->nbin + 1;
  *x = malloc(((size_t)*nrow * (size_t)*ncol + 1) * sizeof **x);
  const double pairs = 0.5 * rdf->nmol * (rdf->nmol - 1.0);
  if (*x == NULL)
    status = error_memory(error, "the rows of a radial distribution");
  else
    for (int k = 0; k < *nrow; k++)
      for (int b = 0; b < *ncol; b++)
        (*x)[(size_t)k * (size_t)*ncol + (size_t)b] =
            (double)plateau.rows.row[k][ROW_COUNTS + b] / (pairs * (double)plateau.rows.row[k][ROW_SAMPLES]);
  rows_free(&plateau.rows);
  return status;
}
