#include "observables/evaporation.h"

#include <math.h>

/* Molecules of up to three atoms are measured by their first one, such as the oxygen of water. */
static int measured_atoms(const TopologySort *sort) { return sort->kind->nsite > 3 ? sort->kind->nsite : 1; }

/* The squared distance from x to the nearest molecule except `self`; stops at one within the limit. */
static double nearest2(const Topology *topology, const Sample *sample, int self, const double x[3], int r,
                       double limit2)
{
  double nearest = INFINITY;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    const int atoms = measured_atoms(sort);
    for (int i = 0; i < atoms * sort->nmol && nearest > limit2; i++) {
      double y[3], sum = 0.0;
      if (sort->first + i / atoms == self)
        continue;
      sample_site(sample, sort, i / atoms, i % atoms, r, y);
      for (int d = 0; d < 3; d++)
        sum += (x[d] - y[d]) * (x[d] - y[d]);
      nearest = fmin(nearest, sum);
    }
  }
  return nearest;
}

void evaporation_find(const Topology *topology, const Sample *sample, int r, EvaporationEvent *event)
{
  const double limit2 = EVAPORATION_DISTANCE * EVAPORATION_DISTANCE;
  if (topology->nmol < 2)
    return;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int m = 0; m < sort->nmol; m++) {
      double nearest = INFINITY;
      for (int i = 0; i < measured_atoms(sort) && nearest > limit2; i++) {
        double x[3];
        sample_site(sample, sort, m, i, r, x);
        nearest = fmin(nearest, nearest2(topology, sample, sort->first + m, x, r, limit2));
      }
      if (nearest > limit2) {
        *event = (EvaporationEvent){sample_step(sample), sort->first + m, sqrt(nearest)};
        return;
      }
    }
  }
}
