#include <math.h>

#include "simulation/simulation_private.h"

double simulation_friction_mean(const Simulation *s)
{
  const bool uniform = s->config->thermostat.convention == FRICTION_UNIFORM;
  double sum = 0.0, weights = 0.0;
  if (s->friction == NULL)
    return s->settings.gamma;
  for (int k = 0; k < s->nkind; k++) {
    const double weight = s->lanes[k] * (uniform ? s->kind[k]->nsite : kind_mass(s->kind[k]));
    sum += weight * (isnan(s->friction[k]) ? s->settings.gamma : s->friction[k]);
    weights += weight;
  }
  return sum / weights;
}
