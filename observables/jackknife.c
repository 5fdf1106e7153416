#include "observables/jackknife.h"

#include <math.h>
#include <stdlib.h>

Status jackknife_create(Jackknife *j, const double *value, size_t n, Error *error)
{
  *j = (Jackknife){.n = n, .value = value};
  j->square = calloc(3 * n + 1, sizeof *j->square);
  TRY_MEMORY(j->square != NULL, "errors by jackknife", error);
  j->sum = j->square + n;
  j->weighted = j->sum + n;
  return STATUS_OK;
}

void jackknife_free(Jackknife *j)
{
  free(j->square);
  *j = (Jackknife){0};
}

void jackknife_add(Jackknife *j, const double *without, double share)
{
  const double h = 1.0 / share;
  j->groups++;
  j->inverse += 1.0 / (h - 1.0);
  for (size_t k = 0; k < j->n; k++) {
    const double e = without[k] - j->value[k];
    j->square[k] += (h - 1.0) * e * e;
    j->sum[k] += e;
    j->weighted[k] += (1.0 - share) * e;
  }
}

void jackknife_fail(Jackknife *j) { j->failed++; }

/* Scales sums to include groups that failed. */
static double scale_up(const Jackknife *j) { return (double)(j->groups + j->failed) / j->groups; }

double jackknife_bias(const Jackknife *j, size_t k) { return scale_up(j) * j->weighted[k]; }

/* The variance of the pseudo-values value - (h - 1) e, each divided by its own h - 1. */
double jackknife_error(const Jackknife *j, size_t k)
{
  if (j->groups < 2 || j->failed > j->groups)
    return NAN;
  const double mean = jackknife_bias(j, k);
  const double variance = (j->square[k] - 2.0 * mean * j->sum[k] + mean * mean * j->inverse) / j->groups;
  const double rounding = 1e-12; /* remainder if all deviations are equal */
  return variance <= rounding * j->square[k] ? 0.0 : sqrt(variance);
}
