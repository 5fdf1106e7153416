#include "observables/statistics.h"

#include <gsl/gsl_fit.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "observables/distribution.h"

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

void statistics_moments_merge(StatisticsMoments *into, const StatisticsMoments *from)
{
  if (from->n == 0)
    return;
  const double na = (double)into->n, nb = (double)from->n, d = from->mean - into->mean;
  into->n += from->n;
  into->mean += d * nb / (na + nb);
  into->m2 += from->m2 + d * d * na * nb / (na + nb);
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

/* The block length for n samples and their inefficiency (error/naive error)^2: length^3 = 2 n inefficiency^2,
 * where the bias of the error (1/length) and its scatter (length/n) balance (Lee et al., Phys. Rev. E 83,
 * 066706 (2011)). */
static double block_length(double n, double inefficiency)
{
  return cbrt(2.0 * n * inefficiency * inefficiency);
}

/* The correlation of n samples with this inefficiency. */
static StatisticsCorrelation correlation_known(double n, double inefficiency)
{
  const double length = fmax(block_length(n, inefficiency), 1.0);
  StatisticsCorrelation c = {.samples = n, .inefficiency = inefficiency, .length = length};
  c.plateau = n >= STATISTICS_BLOCKS * length;
  if (!c.plateau)
    c.length = fmax(floor(n / STATISTICS_BLOCKS_FEWEST), 1.0);
  return c;
}

StatisticsCorrelation statistics_correlation_of(const void *self, StatisticsInefficiency *seen, int n,
                                                int levels, double samples, double known)
{
  double largest = fmax(known, 1.0);
  for (int level = 0; level < levels; level++)
    for (int k = 0; k < n; k++)
      largest = fmax(largest, seen(self, k, level));
  return correlation_known(samples, largest);
}

/* The inefficiency from blocks of 2^level samples. */
static double level_inefficiency(const void *self, int series, int level)
{
  const StatisticsBlocks *const blocks = (const StatisticsBlocks *)self + series;
  const double naive = statistics_moments_error(&blocks->level[0]);
  return naive > 0.0 ? pow(statistics_moments_error(&blocks->level[level]) / naive, 2) : 0.0;
}

StatisticsCorrelation statistics_correlation(const StatisticsBlocks *series, int n, double known)
{
  const int64_t samples = n > 0 ? series[0].level[0].n : 0;
  int levels = 0;
  while (levels < STATISTICS_LEVELS && samples >> levels >= STATISTICS_BLOCKS)
    levels++;
  return statistics_correlation_of(series, level_inefficiency, n, levels, (double)samples, known);
}

double statistics_inefficiency(double inefficiency, double other_every, double every)
{
  return 1.0 + fmax(inefficiency - 1.0, 0.0) * other_every / every;
}

StatisticsSeries statistics_blocks_result_with(const StatisticsBlocks *blocks,
                                               const StatisticsCorrelation *correlation)
{
  const StatisticsMoments *level = blocks->level;
  const double naive = statistics_moments_error(&level[0]);
  StatisticsSeries s = {.mean = level[0].n > 0 ? level[0].mean : NAN,
                        .error = naive,
                        .block_length = 1.0,
                        .nblock = level[0].n,
                        .plateau = correlation->plateau};
  for (int k = 0; k < STATISTICS_LEVELS && level[k].n >= STATISTICS_BLOCKS_FEWEST; k++) {
    const double error = statistics_moments_error(&level[k]), length = ldexp(1.0, k);
    if (s.plateau ? length >= correlation->length : error >= s.error) {
      s.error = error;
      s.block_length = length;
      s.nblock = level[k].n;
    }
    if (s.plateau && length >= correlation->length)
      break;
  }
  s.tau = naive > 0.0 ? fmax(0.5, 0.5 * pow(s.error / naive, 2)) : NAN;
  return s;
}

StatisticsSeries statistics_blocks_result(const StatisticsBlocks *blocks)
{
  const StatisticsCorrelation own = statistics_correlation(blocks, 1, 1.0);
  return statistics_blocks_result_with(blocks, &own);
}

StatisticsSeries statistics_series(const double *x, int64_t n)
{
  StatisticsBlocks blocks = {0};
  for (int64_t i = 0; i < n; i++)
    statistics_blocks_add(&blocks, x[i]);
  return statistics_blocks_result(&blocks);
}

double statistics_correlation_time(const double *x, int64_t n)
{
  double mean, ignored;
  statistics_mean(x, n, &mean, &ignored);
  return statistics_correlation_time_about(x, n, mean);
}

double statistics_correlation_time_about(const double *x, int64_t n, double mean)
{
  const double window = 5.0; /* times tau */
  double c0 = 0.0, tau = 0.5;
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
  return c0 > 0.0 ? tau : NAN;
}

/* --- lines -----------------------------------------------------------------------------------------------
 */

/* The scatter of block means about the line, and of their abscissae. */
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
  if (nblock > 2 && abscissa.m2 > 0.0)
    line->slope_error = sqrt(residuals / (double)(nblock - 2) / abscissa.m2);
}

StatisticsLine statistics_line(const double *x, const double *y, int64_t n)
{
  StatisticsLine line = {NAN, NAN, NAN, 0};
  if (n < 2)
    return line;
  double c00, c01, c11, residuals;
  gsl_fit_linear(x, 1, y, 1, (size_t)n, &line.intercept, &line.slope, &c00, &c01, &c11, &residuals);
  StatisticsBlocks blocks = {0};
  for (int64_t i = 0; i < n; i++)
    statistics_blocks_add(&blocks, y[i] - line.intercept - line.slope * x[i]);
  const StatisticsSeries residuals_of = statistics_blocks_result(&blocks);
  line_errors(&line, x, y, n, (int64_t)residuals_of.block_length);
  if (residuals_of.plateau && residuals_of.nblock > 2)
    line.draws = residuals_of.nblock - 1;
  return line;
}

StatisticsLine statistics_drift(const double *x, const double *y, int64_t n)
{
  StatisticsLine line = statistics_line(x, y, n);
  const int64_t stretches = n >= 160 ? 16 : 8, length = n / stretches;
  if (line.draws > 0 || n < 40)
    return line;
  StatisticsMoments slopes = {0};
  for (int64_t k = 0; k < stretches; k++) {
    double at, slope, c00, c01, c11, residuals;
    gsl_fit_linear(x + k * length, 1, y + k * length, 1, (size_t)length, &at, &slope, &c00, &c01, &c11,
                   &residuals);
    statistics_moments_add(&slopes, &slope, 1);
  }
  line.slope_error = statistics_moments_error(&slopes);
  line.draws = stretches;
  return line;
}

/* Columns of a fit [terms][n], divided by the errors of points and scaled to 1. The ratio of their singular
 * values shows whether the points distinguish the terms. Memory for singular vectors and points follows. */
typedef struct FitWork {
  double *column, *left, *point;
  double scale[STATISTICS_TERMS], covariance[STATISTICS_TERMS * STATISTICS_TERMS];
} FitWork;

/* Scales the columns; false: a term is 0 or not finite at all points. */
static bool fit_columns(FitWork *w, const double *x, const double *y, const double *error, int n, int terms)
{
  for (int k = 0; k < terms; k++) {
    w->scale[k] = 0.0;
    for (int i = 0; i < n; i++)
      w->scale[k] = fmax(w->scale[k], fabs(x[i * terms + k]));
  }
  bool sound = true;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < terms; k++) {
      w->column[k * n + i] = x[i * terms + k] / w->scale[k] / error[i];
      sound = sound && isfinite(w->column[k * n + i]);
    }
    w->point[i] = y[i] / error[i];
  }
  return sound;
}

/* Row k of the covariance times the terms of point i, over its error. */
static double fit_at(const FitWork *w, int k, int i, int n, int terms)
{
  double sum = 0.0;
  for (int t = 0; t < terms; t++)
    sum += w->covariance[k * terms + t] * w->column[t * n + i];
  return sum;
}

/* The leverage of point i: 1 if the fit passes through it. */
static double fit_leverage(const FitWork *w, int i, int n, int terms)
{
  double sum = 0.0;
  for (int t = 0; t < terms; t++)
    sum += w->column[t * n + i] * fit_at(w, t, i, n, terms);
  return sum;
}

/* A value is a sum over points, and so is its variance. Weights from errors of few draws are uncertain. The
 * additional variance (Meier, Biometrics 9, 59 (1953), for a mean) is a point's part of the variance times
 * 4/(its draws - 1), times one minus its leverage. */
static void fit_errors(const FitWork *w, const int64_t *draws, int n, int k, StatisticsFit *fit)
{
  double variance = 0.0, more = 0.0, spread = 0.0;
  for (int i = 0; i < n; i++) {
    const double part = pow(fit_at(w, k, i, n, fit->terms), 2);
    const double dof = draws != NULL && draws[i] > 1 ? (double)(draws[i] - 1) : INFINITY;
    variance += part;
    spread += part * part / dof;
    more += 4.0 / dof * part * fmax(1.0 - fit_leverage(w, i, n, fit->terms), 0.0);
  }
  fit->error[k] = sqrt(variance + more) / w->scale[k];
  fit->draws[k] = spread > 0.0 ? 1.0 + variance * variance / spread : INFINITY;
}

/* By singular values of the columns, A = U S V': the values are V S^-1 U'b, their covariance V S^-2 V'. */
static void fit_solve(FitWork *w, const int64_t *draws, int n, StatisticsFit *fit)
{
  enum { WORK = 2048 }; /* for about 2000 points */
  const int terms = fit->terms;
  const double told_apart = 1e-9;
  double s[STATISTICS_TERMS], vt[STATISTICS_TERMS * STATISTICS_TERMS], work[WORK];
  memcpy(w->left, w->column, (size_t)(terms * n) * sizeof *w->left);
  fit->dependent = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'S', n, terms, w->left, n, s, NULL, n, vt,
                                       terms, work, WORK) != 0 ||
                   !(s[terms - 1] > told_apart * s[0]);
  if (fit->dependent)
    return;
  double value[STATISTICS_TERMS] = {0.0}, chi2 = 0.0;
  memset(w->covariance, 0, sizeof w->covariance);
  for (int r = 0; r < terms; r++) {
    double along = 0.0;
    for (int i = 0; i < n; i++)
      along += w->left[r * n + i] * w->point[i];
    for (int k = 0; k < terms; k++) {
      const double v = vt[k * terms + r] / s[r];
      value[k] += v * along;
      for (int t = 0; t < terms; t++)
        w->covariance[k * terms + t] += v * vt[t * terms + r] / s[r];
    }
  }
  for (int i = 0; i < n; i++) {
    double left = w->point[i];
    for (int k = 0; k < terms; k++)
      left -= value[k] * w->column[k * n + i];
    chi2 += left * left;
  }
  fit->chi2 = fit->dof > 0 ? chi2 : 0.0;
  for (int k = 0; k < terms; k++) {
    fit->value[k] = value[k] / w->scale[k];
    fit_errors(w, draws, n, k, fit);
  }
}

Status statistics_fit(const double *x, const double *y, const double *error, const int64_t *draws, int n,
                      int terms, StatisticsFit *fit, Error *why)
{
  *fit = (StatisticsFit){.terms = terms, .dof = n - terms, .chi2 = NAN, .p = NAN};
  for (int k = 0; k < STATISTICS_TERMS; k++)
    fit->value[k] = fit->error[k] = fit->draws[k] = NAN;
  if (fit->dof < 0)
    return STATUS_OK;
  double *const memory = malloc((2 * (size_t)terms + 1) * (size_t)n * sizeof *memory);
  if (memory == NULL)
    return error_memory(why, "a fit");
  FitWork work = {.column = memory, .left = memory + terms * n, .point = memory + 2 * terms * n};
  fit->dependent = !fit_columns(&work, x, y, error, n, terms);
  if (!fit->dependent)
    fit_solve(&work, draws, n, fit);
  free(memory);
  if (fit->dof > 0 && fit->chi2 >= 0.0 && isfinite(fit->chi2))
    fit->p = distribution_chi2_above(fit->chi2, fit->dof);
  return STATUS_OK;
}

/* --- comparisons -----------------------------------------------------------------------------------------
 */

StatisticsWelch statistics_welch(double mean_a, double error_a, int64_t na, double mean_b, double error_b,
                                 int64_t nb)
{
  StatisticsWelch w = {
      .difference = mean_b - mean_a, .error = hypot(error_a, error_b), .dof = INFINITY, .p = NAN};
  w.z = w.difference == 0.0 ? 0.0 : w.difference / w.error;
  const double a = w.error > 0.0 ? error_a / w.error : 0.0, b = w.error > 0.0 ? error_b / w.error : 0.0;
  const double spread =
      (na > 1 ? pow(a, 4) / (double)(na - 1) : 0.0) + (nb > 1 ? pow(b, 4) / (double)(nb - 1) : 0.0);
  if (spread > 0.0)
    w.dof = 1.0 / spread;
  if (isnan(w.z) || isnan(spread))
    return w;
  if (isinf(w.z))
    w.p = 0.0;
  else
    w.p = 2.0 * distribution_t_above(fabs(w.z), w.dof);
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
  TRY_MEMORY(order != NULL, "sorting p-values", error);
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
