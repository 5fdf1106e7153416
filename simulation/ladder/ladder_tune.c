#include "simulation/ladder/ladder_tune.h"

#include <math.h>

/* Mean energy as a function of kT: linear between the measured temperatures, with at least a tenth of the
 * mean slope. */
typedef struct Curve {
  int n;
  const double *kT;
  double energy[LADDER_TUNE_TEMPERATURES];
} Curve;

static Curve curve_of(int n, const double *kT, const double *energy)
{
  Curve c = {.n = n, .kT = kT};
  const double slope = 0.1 * fmax((energy[n - 1] - energy[0]) / (kT[n - 1] - kT[0]), 1e-3);
  c.energy[0] = energy[0];
  for (int k = 1; k < n; k++)
    c.energy[k] = fmax(energy[k], c.energy[k - 1] + slope * (kT[k] - kT[k - 1]));
  return c;
}

static double energy_at(const Curve *c, double kT)
{
  int k = 0;
  while (k + 2 < c->n && kT > c->kT[k + 1])
    k++;
  const double slope = (c->energy[k + 1] - c->energy[k]) / (c->kT[k + 1] - c->kT[k]);
  return c->energy[k] + slope * (kT - c->kT[k]);
}

/* (beta - beta')(U' - U), which determines the acceptance of two Gaussian distributions. */
static double distance(const Curve *c, double a, double b)
{
  return (1.0 / a - 1.0 / b) * (energy_at(c, b) - energy_at(c, a));
}

/* The kT above a at this distance, at most `most`. */
static double further(const Curve *c, double a, double wanted, double most)
{
  double low = a, high = most;
  if (distance(c, a, most) <= wanted)
    return most;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(distance(c, a, middle) < wanted ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

/* Whether n - 1 steps of this distance reach the last temperature; out[1 ... n - 2]: the temperatures. */
static bool reaches(const Curve *c, double step, double *out)
{
  double at = c->kT[0];
  for (int k = 1; k < c->n - 1; k++) {
    at = further(c, at, step, c->kT[c->n - 1]);
    out[k] = at;
  }
  return distance(c, at, c->kT[c->n - 1]) <= step;
}

void ladder_tune(int n, const double *kT, const double *energy, double *out)
{
  const Curve c = curve_of(n, kT, energy);
  double low = 0.0, high = distance(&c, kT[0], kT[n - 1]);
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(reaches(&c, middle, out) ? &high : &low) = middle;
  }
  (void)reaches(&c, low, out); /* the remainder is negligible, and no temperature repeats */
  out[0] = kT[0];
  out[n - 1] = kT[n - 1];
}
