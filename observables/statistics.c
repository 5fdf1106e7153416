#include "observables/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- moments ---------------------------------------------------------------------------------------------
 */

void statistics_moments_add(StatisticsMoments *moments, const double *x, int ncol)
{
  for (int k = 0; k < ncol; k++) {
    StatisticsMoments *m = &moments[k];
    m->n++;
    const double d = x[k] - m->mean;
    m->mean += d / (double)m->n;
    m->m2 += d * (x[k] - m->mean);
  }
}

void statistics_moments_merge(StatisticsMoments *into, const StatisticsMoments *from, int ncol)
{
  for (int k = 0; k < ncol; k++) {
    StatisticsMoments *a = &into[k];
    const StatisticsMoments *b = &from[k];
    if (b->n == 0)
      continue;
    const double na = (double)a->n, nb = (double)b->n, d = b->mean - a->mean;
    a->n += b->n;
    a->mean += d * nb / (na + nb);
    a->m2 += b->m2 + d * d * na * nb / (na + nb);
  }
}

double statistics_moments_variance(const StatisticsMoments *moments)
{
  return moments->n < 2 ? NAN : moments->m2 / (double)(moments->n - 1);
}

double statistics_moments_error(const StatisticsMoments *moments)
{
  return sqrt(statistics_moments_variance(moments) / (double)moments->n);
}

void statistics_mean(const double *x, int64_t n, double *mean, double *error)
{
  StatisticsMoments m = {0};
  for (int64_t i = 0; i < n; i++)
    statistics_moments_add(&m, &x[i], 1);
  *mean = n > 0 ? m.mean : NAN;
  *error = statistics_moments_error(&m);
}

/* --- series ----------------------------------------------------------------------------------------------
 */

void statistics_blocks_add(StatisticsBlocks *blocks, double x)
{
  for (int k = 0; k < STATISTICS_LEVELS; k++) {
    statistics_moments_add(&blocks->level[k], &x, 1);
    if (blocks->level[k].n % 2 == 1) {
      blocks->pending[k] = x;
      return;
    }
    x = 0.5 * (blocks->pending[k] + x);
  }
}

int statistics_block_enough(double length, double n, double inefficiency)
{
  return length * length * length > 2.0 * n * inefficiency * inefficiency;
}

StatisticsSeries statistics_blocks_result(const StatisticsBlocks *blocks)
{
  enum { FEWEST = 4 }; /* blocks; fewer say nothing about their scatter */
  const StatisticsMoments *level = blocks->level;
  const double naive = statistics_moments_error(&level[0]);
  StatisticsSeries s = {.n = level[0].n,
                        .mean = level[0].n > 0 ? level[0].mean : NAN,
                        .error = naive,
                        .block_length = 1.0,
                        .nblock = level[0].n};
  for (int k = 0; k < STATISTICS_LEVELS && level[k].n >= FEWEST && !s.plateau; k++) {
    const double error = statistics_moments_error(&level[k]), length = ldexp(1.0, k);
    s.plateau = naive == 0.0 || statistics_block_enough(length, (double)s.n, pow(error / naive, 2));
    if (s.plateau || error >= s.error) {
      s.error = error;
      s.block_length = length;
      s.nblock = level[k].n;
    }
  }
  s.error_error = s.nblock < 2 ? NAN : s.error / sqrt(2.0 * (double)(s.nblock - 1));
  s.tau = naive > 0.0 ? fmax(0.5, 0.5 * pow(s.error / naive, 2)) : NAN;
  return s;
}

StatisticsSeries statistics_series(const double *x, int64_t n)
{
  StatisticsBlocks blocks = {0};
  for (int64_t i = 0; i < n; i++)
    statistics_blocks_add(&blocks, x[i]);
  return statistics_blocks_result(&blocks);
}

double statistics_correlation_time(const double *x, int64_t n, double *error)
{
  const double window = 5.0; /* times tau */
  double mean, ignored, c0 = 0.0, tau = 0.5;
  statistics_mean(x, n, &mean, &ignored);
  for (int64_t i = 0; i < n; i++)
    c0 += (x[i] - mean) * (x[i] - mean);
  int64_t t = 0;
  while (c0 > 0.0 && t + 1 < n && (double)t < window * tau) {
    t++;
    double c = 0.0;
    for (int64_t i = 0; i + t < n; i++)
      c += (x[i] - mean) * (x[i + t] - mean);
    tau += c / c0;
  }
  if (error != NULL)
    *error = tau * sqrt(2.0 * (double)(2 * t + 1) / (double)n);
  return c0 > 0.0 ? tau : NAN;
}

/* --- lines -----------------------------------------------------------------------------------------------
 */

/* Scatter of block means about the line, and of their abscissae. */
static void line_errors(StatisticsLine *line, const double *x, const double *y, int64_t n, int64_t length)
{
  const int64_t nblock = n / length;
  StatisticsMoments abscissa = {0};
  double residuals = 0.0;
  for (int64_t b = 0; b < nblock; b++) {
    double xb = 0.0, yb = 0.0;
    for (int64_t i = b * length; i < (b + 1) * length; i++) {
      xb += x[i] / (double)length;
      yb += y[i] / (double)length;
    }
    statistics_moments_add(&abscissa, &xb, 1);
    residuals += pow(yb - line->intercept - line->slope * xb, 2);
  }
  line->dof = (int)nblock - 2;
  if (line->dof < 1 || abscissa.m2 <= 0.0)
    return;
  const double variance = residuals / line->dof;
  line->slope_error = sqrt(variance / abscissa.m2);
  line->intercept_error =
      sqrt(variance * (1.0 / (double)nblock + abscissa.mean * abscissa.mean / abscissa.m2));
}

StatisticsLine statistics_line(const double *x, const double *y, int64_t n)
{
  StatisticsLine line = {NAN, NAN, NAN, NAN, NAN, NAN, 0};
  if (n < 2)
    return line;
  double c00, c01, c11, residuals;
  gsl_fit_linear(x, 1, y, 1, (size_t)n, &line.intercept, &line.slope, &c00, &c01, &c11, &residuals);
  StatisticsBlocks blocks = {0};
  for (int64_t i = 0; i < n; i++)
    statistics_blocks_add(&blocks, y[i] - line.intercept - line.slope * x[i]);
  line_errors(&line, x, y, n, (int64_t)statistics_blocks_result(&blocks).block_length);
  return line;
}

StatisticsLine statistics_line_weighted(const double *x, const double *y, const double *error, int n,
                                        int through_origin)
{
  StatisticsLine line = {NAN, NAN, NAN, NAN, NAN, NAN, 0};
  const int parameters = through_origin ? 1 : 2;
  double *weight = malloc((size_t)(n > 0 ? n : 1) * sizeof *weight);
  if (weight == NULL || n < parameters) {
    free(weight);
    return line;
  }
  for (int i = 0; i < n; i++)
    weight[i] = 1.0 / (error[i] * error[i]);
  double c00 = 0.0, c01 = 0.0, c11 = 0.0;
  line.intercept = 0.0;
  if (through_origin)
    gsl_fit_wmul(x, 1, weight, 1, y, 1, (size_t)n, &line.slope, &c11, &line.chi2);
  else
    gsl_fit_wlinear(x, 1, weight, 1, y, 1, (size_t)n, &line.intercept, &line.slope, &c00, &c01, &c11,
                    &line.chi2);
  free(weight);
  line.slope_error = sqrt(c11);
  line.intercept_error = sqrt(c00);
  line.dof = n - parameters;
  if (line.dof > 0 && line.chi2 >= 0.0)
    line.p = gsl_cdf_chisq_Q(line.chi2, line.dof);
  return line;
}

/* --- comparisons -----------------------------------------------------------------------------------------
 */

StatisticsWelch statistics_welch(double mean_a, double error_a, int64_t na, double mean_b, double error_b,
                                 int64_t nb)
{
  const double va = error_a * error_a, vb = error_b * error_b;
  StatisticsWelch w = {.difference = mean_b - mean_a, .error = sqrt(va + vb), .dof = INFINITY, .p = NAN};
  w.z = w.difference == 0.0 ? 0.0 : w.difference / w.error;
  const double spread =
      (na > 1 ? va * va / (double)(na - 1) : 0.0) + (nb > 1 ? vb * vb / (double)(nb - 1) : 0.0);
  if (spread > 0.0)
    w.dof = (va + vb) * (va + vb) / spread;
  if (isnan(w.z))
    return w;
  if (isinf(w.z))
    w.p = 0.0;
  else
    w.p = 2.0 * (isinf(w.dof) ? gsl_cdf_ugaussian_Q(fabs(w.z)) : gsl_cdf_tdist_Q(fabs(w.z), w.dof));
  return w;
}

static int compare_places(const void *a, const void *b)
{
  const double x = **(const double *const *)a, y = **(const double *const *)b;
  return (x > y) - (x < y);
}

Status statistics_holm(const double *p, int n, double *adjusted, Error *error)
{
  const double **order = malloc((size_t)(n > 0 ? n : 1) * sizeof *order);
  if (order == NULL)
    return error_memory(error, "sorting p-values");
  int m = 0;
  for (int k = 0; k < n; k++) {
    adjusted[k] = NAN;
    if (!isnan(p[k]))
      order[m++] = &p[k];
  }
  qsort(order, (size_t)m, sizeof *order, compare_places);
  double running = 0.0; /* a larger p never gets a smaller adjusted one */
  for (int k = 0; k < m; k++) {
    running = fmax(running, fmin(1.0, (m - k) * *order[k]));
    adjusted[order[k] - p] = running;
  }
  free(order);
  return STATUS_OK;
}
