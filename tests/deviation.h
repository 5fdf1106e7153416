/* How many errors the mean of a series is from what it should be. */
#ifndef HOLONOM_TESTS_DEVIATION_H
#define HOLONOM_TESTS_DEVIATION_H

#include <math.h>

/* Of x[n], the error from the means of so many blocks of time; of independent numbers blocks = n. */
static inline double deviation(const double *x, int n, int blocks, double wanted)
{
  double mean = 0.0, square = 0.0;
  for (int b = 0; b < blocks; b++) {
    double block = 0.0;
    for (int i = n / blocks * b; i < n / blocks * (b + 1); i++)
      block += x[i] / (n / blocks);
    mean += block / blocks;
    square += block * block / blocks;
  }
  return (mean - wanted) / sqrt((square - mean * mean) / (blocks - 1));
}

#endif
