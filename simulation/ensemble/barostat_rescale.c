/* Stochastic cell rescaling: proposes a step of the diffusion of ln V (M. Bernetti and G. Bussi, J. Chem.
 * Phys. 153, 114107 (2020)), with the mean kinetic part N kT/V. The acceptance corrects the error of the
 * Euler step, so volumes have the exact distribution for any step (theory.md, "Constant pressure"). */
#include <math.h>

#include "simulation/ensemble/barostat_private.h"

/* Limits the drift of a strain, and its spread, per move: for a start far from the pressure, or a very short
 * time constant. */
static const double most = 0.05;

/* Mean and variance of x[k] for a proposal from this point. */
static void diffuse(const BarostatTry *t, const BarostatPoint *at, int k, double *mean, double *variance)
{
  const BarostatOptions *o = t->options;
  const BarostatStrain *strain = barostat_strain(o->shape, k);
  const double heat = t->kT / at->volume;
  const double rate = t->size * o->compressibility * (double)o->every * o->timestep / o->time;
  const double volume = barostat_volume(strain);
  double virial = 0.0, square = 0.0;
  for (int i = 0; i < 9; i++) {
    virial += strain->part[i / 3][i % 3] * at->virial[i / 3][i % 3] / strain->parts;
    square += strain->part[i / 3][i % 3] * strain->part[i / 3][i % 3];
  }
  const double share = strain->parts * strain->parts / (3.0 * square);
  const double span = fmin(share * rate, 0.5 * most * most / heat);
  const double pull = span * (volume * t->molecules * heat + virial / at->volume - volume * t->pressure +
                              barostat_measure(o->shape, k) * heat);
  *mean = fmax(-most, fmin(pull, most));
  *variance = 2.0 * span * heat;
}

static void propose(BarostatTry *t)
{
  for (int k = 0; k < t->strains; k++) {
    const double *u = t->chance + 3 + 2 * k;
    double mean, variance;
    diffuse(t, &t->before, k, &mean, &variance);
    t->x[k] = mean + sqrt(-2.0 * variance * log(u[0])) * cos(2.0 * M_PI * u[1]);
  }
}

/* ln of a normal density, without constants. */
static double log_normal(double x, double mean, double variance)
{
  return -0.5 * ((x - mean) * (x - mean) / variance + log(variance));
}

static double bias(const BarostatTry *t, const BarostatPoint *after)
{
  double sum = 0.0;
  for (int k = 0; k < t->strains; k++) {
    double there[2], back[2];
    diffuse(t, &t->before, k, &there[0], &there[1]);
    diffuse(t, after, k, &back[0], &back[1]);
    sum += log_normal(-t->x[k], back[0], back[1]) - log_normal(t->x[k], there[0], there[1]);
  }
  return sum;
}

/* Sizes are fractions of the step in time: 1 unless too few moves are accepted. */
const BarostatRow barostat_rescale = {.name = "rescale",
                                      .together = true,
                                      .virial = true,
                                      .first = 1.0,
                                      .largest = 1.0,
                                      .few = 0.5,
                                      .many = 0.7,
                                      .propose = propose,
                                      .bias = bias};
