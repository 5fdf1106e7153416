#include "observables/evaporation.h"

#include <math.h>

/* The first atom of molecule m of a sort, in replica lane r. */
static void first_atom(const State *state, const TopologySort *sort, int m, int r, double x[3])
{
  const TopologyGroup *group = &sort->group[0];
  const Block *block = &state->block[group->block];
  for (int d = 0; d < 3; d++)
    x[d] = *state_element(block, block->q, state->width, group->first + m * group->step, r, 0, d);
}

/* To the nearest molecule but `self`, or at once to one within the limit. */
static double nearest2(const Topology *topology, const State *state, int self, const double x[3], int r,
                       double limit2)
{
  double nearest = INFINITY;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int m = 0; m < sort->nmol && nearest > limit2; m++) {
      double y[3], sum = 0.0;
      if (sort->first + m == self)
        continue;
      first_atom(state, sort, m, r, y);
      for (int d = 0; d < 3; d++)
        sum += (x[d] - y[d]) * (x[d] - y[d]);
      nearest = fmin(nearest, sum);
    }
  }
  return nearest;
}

void evaporation_find(const Topology *topology, const State *state, int r, EvaporationEvent *event)
{
  const double limit2 = EVAPORATION_DISTANCE * EVAPORATION_DISTANCE;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int m = 0; m < sort->nmol; m++) {
      double x[3];
      first_atom(state, sort, m, r, x);
      const double nearest = nearest2(topology, state, sort->first + m, x, r, limit2);
      if (nearest > limit2) {
        *event = (EvaporationEvent){state->step, sort->first + m, sqrt(nearest)};
        return;
      }
    }
  }
}
