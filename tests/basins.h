/* Systems whose partition function is known: two basins of oscillators with `freedom` coordinates, k = 1, the
 * upper one `gap` above and exp(entropy) times as wide. With the gap at infinity there is one. */
#ifndef HOLONOM_TESTS_BASINS_H
#define HOLONOM_TESTS_BASINS_H

#include <math.h>

#include "engine/random.h"

typedef struct Basins {
  int freedom;
  double gap, entropy;
} Basins;

static const Basins harmonic = {6, INFINITY, 0.0}, transition = {6, 10.0, 10.0};

static inline double basins_upper(const Basins *s, double t)
{
  return 1.0 / (1.0 + exp(s->gap / t - s->entropy));
}

static inline double basins_energy(const Basins *s, double t)
{
  const double p = basins_upper(s, t);
  return 0.5 * s->freedom * t + (p > 0.0 ? p * s->gap : 0.0);
}

/* Of a sample: its energy, its first coordinate, whether it is in the upper basin. */
typedef struct BasinsSample {
  double energy, x;
  int upper;
} BasinsSample;

static inline BasinsSample basins_draw(const Basins *s, double t, RandomStream *stream)
{
  BasinsSample sample = {.x = sqrt(t) * random_normal(stream)};
  sample.energy = 0.5 * sample.x * sample.x;
  for (int d = 1; d < s->freedom; d++)
    sample.energy += 0.5 * t * pow(random_normal(stream), 2);
  sample.upper = random_uniform(stream) < basins_upper(s, t);
  sample.energy += sample.upper ? s->gap : 0.0;
  return sample;
}

#endif
