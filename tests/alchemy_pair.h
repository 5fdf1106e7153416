/* Plain formulas for a pair of atoms under a soft core, and for what lies beyond the cutoff, for tests of
 * alchemy. */
#ifndef HOLONOM_TESTS_ALCHEMY_PAIR_H
#define HOLONOM_TESTS_ALCHEMY_PAIR_H

#include <math.h>

#include "forcefields/nonbonded.h"

/* A/r^12 - C/r^6 with its truncation (cutoff 0: none) and soft core. */
typedef struct AlchemyFormula {
  double a, c;
  Truncation truncation;
  double cutoff, width;
  double alpha, sigma; /* sigma where A or C is 0 */
  int power;
} AlchemyFormula;

/* A part of a function of R, and its slope. */
typedef struct AlchemyPart {
  double value, slope;
} AlchemyPart;

/* The part of R^-n that truncation removes; all beyond the cutoff. From rs on the force switch adds
 * a x^2 + b x^3 to the force, which vanishes at rc with its slope, and the energy is the work from rc. */
static inline AlchemyPart alchemy_removed_power(const AlchemyFormula *f, int n, double R, bool beyond)
{
  const double rc = f->cutoff, w = f->width, x = fmax(0.0, R - (rc - w)), t = x / w, v = pow(R, -n);
  if (beyond)
    return (AlchemyPart){v, -n * v / R};
  if (rc == 0.0 || f->truncation == TRUNCATION_PLAIN)
    return (AlchemyPart){0.0, 0.0};
  if (f->truncation == TRUNCATION_SHIFT)
    return (AlchemyPart){pow(rc, -n), 0.0};
  if (f->truncation == TRUNCATION_SWITCH) {
    const double g = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t);
    return (AlchemyPart){v * g, 30.0 * t * t * (1.0 - t) * (1.0 - t) / w * v - n * v / R * g};
  }
  /* a w^2 + b w^3 = p, 2 a w + 3 b w^2 = q */
  const double p = -n * pow(rc, -n - 1), q = n * (n + 1) * pow(rc, -n - 2);
  const double b = (q * w - 2.0 * p) / (w * w * w), a = (p - b * w * w * w) / (w * w);
  return (AlchemyPart){pow(rc, -n) - a / 3.0 * (w * w * w - x * x * x) -
                           b / 4.0 * (w * w * w * w - x * x * x * x),
                       a * x * x + b * x * x * x};
}

static inline AlchemyPart alchemy_removed(const AlchemyFormula *f, double R, bool beyond)
{
  const AlchemyPart twelve = alchemy_removed_power(f, 12, R, beyond),
                    six = alchemy_removed_power(f, 6, R, beyond);
  return (AlchemyPart){f->a * twelve.value - f->c * six.value, f->a * twelve.slope - f->c * six.slope};
}

static inline double alchemy_truncated(const AlchemyFormula *f, double R)
{
  const double u = pow(R, -6.0);
  return f->cutoff > 0.0 && R >= f->cutoff ? 0.0 : (f->a * u - f->c) * u - alchemy_removed(f, R, false).value;
}

/* Its slope. */
static inline double alchemy_steepness(const AlchemyFormula *f, double R)
{
  return f->cutoff > 0.0 && R >= f->cutoff
             ? 0.0
             : (6.0 * f->c - 12.0 * f->a * pow(R, -6.0)) * pow(R, -7.0) - alchemy_removed(f, R, false).slope;
}

static inline double alchemy_core(const AlchemyFormula *f, double l)
{
  const double sigma6 = f->a > 0.0 && f->c > 0.0 ? f->a / f->c : pow(f->sigma, 6.0);
  return f->alpha * sigma6 * pow(1.0 - l, f->power);
}

/* The distance under the soft core. */
static inline double alchemy_soft(const AlchemyFormula *f, double l, double r)
{
  return pow(alchemy_core(f, l) + pow(r, 6.0), 1.0 / 6.0);
}

static inline double alchemy_pair(const AlchemyFormula *f, double l, double r)
{
  return l * alchemy_truncated(f, alchemy_soft(f, l, r));
}

/* Minus its slope in r; its slope in l. */
static inline double alchemy_pull(const AlchemyFormula *f, double l, double r)
{
  const double R = alchemy_soft(f, l, r);
  return -l * alchemy_steepness(f, R) * pow(r / R, 5.0);
}

static inline double alchemy_by_strength(const AlchemyFormula *f, double l, double r)
{
  const double R = alchemy_soft(f, l, r), one = alchemy_core(f, 0.0),
               core = -one * f->power * pow(1.0 - l, f->power - 1);
  return alchemy_truncated(f, R) + l * alchemy_steepness(f, R) * core / (6.0 * pow(R, 5.0));
}

/* What is missing at distance r, times r^2; or (force) -r^3/3 times its slope in r. */
static inline double alchemy_missing_at(const AlchemyFormula *f, double l, double r, bool beyond, bool force)
{
  const double R = alchemy_soft(f, l, r);
  const AlchemyPart part = alchemy_removed(f, R, beyond);
  return force ? -l * r * r * r / 3.0 * part.slope * pow(r / R, 5.0) : l * r * r * part.value;
}

/* Its integral over r by Simpson's rule: to the start of a switch, to the cutoff, and in 1/r to infinity. The
 * force has no part of the jump of a plain cutoff. */
static inline double alchemy_missing(const AlchemyFormula *f, double l, bool force)
{
  enum { PARTS = 2000 };
  const double w = alchemy_core(f, l), rs = f->cutoff - (truncation_switches(f->truncation) ? f->width : 0.0);
  const double inner = sqrt(cbrt(pow(rs, 6.0) - w)), outer = sqrt(cbrt(pow(f->cutoff, 6.0) - w));
  const double bound[3][2] = {{1e-6, inner}, {inner, outer}, {1e-6, 1.0 / outer}};
  double sum = 0.0;
  for (int piece = 0; piece < 3; piece++)
    for (int i = 0; i <= PARTS; i++) {
      const double width = bound[piece][1] - bound[piece][0], x = bound[piece][0] + width * i / PARTS;
      const double value = piece < 2 ? alchemy_missing_at(f, l, x, false, force)
                                     : alchemy_missing_at(f, l, 1.0 / x, true, force) / (x * x);
      sum += (i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * value * width / (3.0 * PARTS);
    }
  return sum;
}

#endif
