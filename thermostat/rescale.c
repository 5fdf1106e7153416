#include "thermostat/rescale.h"

#include <math.h>

#include "engine/random.h"

/* Pair i of numbers in (0, 1]. */
static void draw(const RescaleAddress *at, uint32_t i, double u[2])
{
  const uint32_t counter[4] = {(uint32_t)at->step, (uint32_t)((uint64_t)at->step >> 32), i, at->letter << 16};
  uint32_t word[4];
  random_words(at->key, counter, word);
  u[0] = random_fraction(word);
  u[1] = random_fraction(word + 2);
}

static double normal(const RescaleAddress *at, uint32_t i)
{
  double u[2];
  draw(at, i, u);
  return sqrt(-2.0 * log(u[0])) * cos(2.0 * M_PI * u[1]);
}

/* A number of the gamma distribution of shape a, from the pairs after the first (G. Marsaglia and W. W.
 * Tsang, ACM Trans. Math. Softw. 26, 363 (2000)), with at most 1 in 20 rejected. Shapes below 1 use a + 1. */
static double gamma_of(const RescaleAddress *at, double a)
{
  double u[2];
  draw(at, 1, u);
  const double d = (a < 1.0 ? a + 1.0 : a) - 1.0 / 3.0, down = a < 1.0 ? pow(u[0], 1.0 / a) : 1.0;
  for (uint32_t i = 2;; i += 2) {
    const double x = normal(at, i), v = pow(1.0 + x / sqrt(9.0 * d), 3.0);
    draw(at, i + 1, u);
    if (v > 0.0 && log(u[0]) < 0.5 * x * x + d * (1.0 - v + log(v)))
      return d * v * down;
  }
}

double rescale_factor(double kinetic, double kT, int freedom, double time, const RescaleAddress *at)
{
  if (!(kinetic > 0.0) || freedom < 1)
    return 1.0;
  /* In units in which K is the square of the vector: the remaining square, and the variance of the noise. */
  const double left = exp(-time) * kinetic, noise = -0.5 * kT * expm1(-time);
  const double along = sqrt(left) + sqrt(noise) * normal(at, 0);
  const double across = freedom > 1 ? noise * 2.0 * gamma_of(at, 0.5 * (freedom - 1)) : 0.0;
  return copysign(sqrt((along * along + across) / kinetic), along);
}
