#include "tests/scenes_random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* to = from turned by a uniform random rotation: v + 2 u x (u x v + w v) for a unit quaternion (w, u). */
static void rotate(gsl_rng *rng, const double *from, double *to)
{
  double q[4], n = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = gsl_ran_gaussian(rng, 1.0);
    n += q[i] * q[i];
  }
  const double w = q[0] / sqrt(n), u[3] = {q[1] / sqrt(n), q[2] / sqrt(n), q[3] / sqrt(n)};
  for (int s = 0; s < 3; s++) {
    const double *v = from + 3 * s;
    double t[3];
    for (int d = 0; d < 3; d++)
      t[d] = u[(d + 1) % 3] * v[(d + 2) % 3] - u[(d + 2) % 3] * v[(d + 1) % 3] + w * v[d];
    for (int d = 0; d < 3; d++)
      to[3 * s + d] = v[d] + 2.0 * (u[(d + 1) % 3] * t[(d + 2) % 3] - u[(d + 2) % 3] * t[(d + 1) % 3]);
  }
}

void scenes_random(const Kind *kind, int nmol, unsigned long seed, double strain, double *x)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  const int n = (int)ceil(cbrt(nmol) - 1e-9); /* cbrt(27) may be above 3 */
  for (int m = 0; m < nmol; m++) {
    const double at[3] = {3.1 * (m % n), 3.1 * (m / n % n), 3.1 * (m / n / n)};
    double centre[3];
    rotate(rng, kind->reference, x + 9 * m);
    for (int d = 0; d < 3; d++)
      centre[d] = at[d] + 0.2 * (gsl_rng_uniform(rng) - 0.5);
    for (int i = 0; i < 9; i++)
      x[9 * m + i] += centre[i % 3] + strain * (2.0 * gsl_rng_uniform(rng) - 1.0);
  }
  gsl_rng_free(rng);
}

void scenes_order(RandomStream *stream, int n, int *order)
{
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)random_below(stream, (uint32_t)i + 1), keep = order[i];
    order[i] = order[j];
    order[j] = keep;
  }
}
