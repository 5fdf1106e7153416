/* How far two arrays are apart. */
#ifndef HOLONOM_TESTS_NORMS_H
#define HOLONOM_TESTS_NORMS_H

#include <math.h>
#include <stddef.h>

/* |a - b|, or |a| where b is NULL. */
static inline double distance(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    const double gap = a[i] - (b != NULL ? b[i] : 0.0);
    sum += gap * gap;
  }
  return sqrt(sum);
}

/* RMS of a - b, or of a. */
static inline double rms(int n, const double *a, const double *b) { return distance(n, a, b) / sqrt(n); }

/* RMS of a - b over RMS of b. */
static inline double deviation(int n, const double *a, const double *b)
{
  return distance(n, a, b) / distance(n, b, NULL);
}

#endif
