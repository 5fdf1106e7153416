#include "observables/equivalence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "observables/distribution.h"

Equivalence equivalence_test(const StatisticsWelch *d, double margin)
{
  Equivalence e = {NAN, NAN, NAN};
  if (isnan(d->difference) || isnan(d->error) || isinf(d->error) || isnan(d->dof) || !(margin > 0.0))
    return e;
  const double t = distribution_t_quantile(0.95, d->dof),
               room = margin - fabs(d->difference); /* distance to the nearer margin */
  e.low = d->difference - t * d->error;
  e.high = d->difference + t * d->error;
  if (d->error > 0.0)
    e.p = distribution_t_above(room / d->error, d->dof);
  else
    e.p = room > 0.0 ? 0.0 : 1.0;
  return e;
}

static void draw_mean(RandomStream *stream, int ncol, int n, const double *row, double *mean)
{
  memset(mean, 0, (size_t)ncol * sizeof *mean);
  for (int i = 0; i < n; i++) {
    const double *x = row + (size_t)random_below(stream, (uint32_t)n) * (size_t)ncol;
    for (int k = 0; k < ncol; k++)
      mean[k] += x[k] / n;
  }
}

static void mean_of(int ncol, int n, const double *row, double *mean)
{
  memset(mean, 0, (size_t)ncol * sizeof *mean);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < ncol; k++)
      mean[k] += row[(size_t)i * (size_t)ncol + (size_t)k] / n;
}

/* The distance of two consecutive distributions. */
static double distance(int ncol, const double *mean)
{
  double tv = 0.0;
  for (int k = 0; k < ncol; k++)
    tv += 0.5 * fabs(mean[k] - mean[ncol + k]);
  return tv;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

Status equivalence_distance(int ncol, int na, const double *a, int nb, const double *b, double margin,
                            int resamples, uint64_t seed, Equivalence *result, Error *error)
{
  *result = (Equivalence){NAN, NAN, NAN};
  if (na < 2 || nb < 2 || resamples < 1)
    return error_set(error, STATUS_INPUT, "comparing distributions needs 2 or more independent rows in each");
  double *mean = malloc((2 * (size_t)ncol + (size_t)resamples) * sizeof *mean), *tv = mean + 2 * ncol;
  TRY_MEMORY(mean != NULL, "a test of equivalence", error);
  RandomStream stream = random_stream(seed, 1, RANDOM_STATISTICS);
  int reached = 0;
  mean_of(ncol, na, a, mean);
  mean_of(ncol, nb, b, mean + ncol);
  const double found = distance(ncol, mean);
  for (int s = 0; s < resamples; s++) {
    draw_mean(&stream, ncol, na, a, mean);
    draw_mean(&stream, ncol, nb, b, mean + ncol);
    tv[s] = distance(ncol, mean);
    reached += tv[s] >= margin;
  }
  qsort(tv, (size_t)resamples, sizeof *tv, ascending);
  const double high = fmax(tv[resamples - 1 - resamples / 20], found);
  *result = (Equivalence){(1.0 + reached) / (1.0 + resamples), fmax(2.0 * found - high, 0.0), high};
  free(mean);
  return STATUS_OK;
}
