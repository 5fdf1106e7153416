/* What forces of pairs end like with a force switch, written down another way than forcefields/ewald.h has
 * it, for tests. */
#ifndef HOLONOM_TESTS_FORCE_SWITCH_H
#define HOLONOM_TESTS_FORCE_SWITCH_H

#include <math.h>

/* The cubic that is 0 with its slope at rs, and takes the force of r^-n with its slope away at rc: Hermite's.
 */
static double force_switch_cubic(int n, double rs, double rc, double r)
{
  const double w = rc - rs, t = (r - rs) / w, p = -n * pow(rc, -n - 1), m = n * (n + 1) * pow(rc, -n - 2);
  return r > rs ? t * t * (p * (3.0 - 2.0 * t) + m * w * (t - 1.0)) : 0.0;
}

/* The energy of r^-n and *force = minus its slope, within rc: what is left to go to rc, by Gauss and
 * Legendre's rule of two points, which is exact for a cubic. */
static double force_switch(int n, double rs, double rc, double r, double *force)
{
  const double from = fmax(r, rs), half = 0.5 * (rc - from), middle = 0.5 * (rc + from),
               at = half / sqrt(3.0);
  *force = n * pow(r, -n - 1) + force_switch_cubic(n, rs, rc, r);
  return pow(r, -n) - pow(rc, -n) +
         half * (force_switch_cubic(n, rs, rc, middle - at) + force_switch_cubic(n, rs, rc, middle + at));
}

/* A/r^12 - C/r^6, lj[2] = A and C; *factor: force over distance. */
static inline double force_switch_lj(const double lj[2], double rs, double rc, double r, double *factor)
{
  double twelve, six;
  const double v = lj[0] * force_switch(12, rs, rc, r, &twelve) - lj[1] * force_switch(6, rs, rc, r, &six);
  *factor = (lj[0] * twelve - lj[1] * six) / r;
  return v;
}

#endif
