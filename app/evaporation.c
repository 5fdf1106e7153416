#include "app/evaporation.h"

#include <math.h>

static double distance2(const Block *block, int width, int r, int a, int b)
{
  const double *q = (const double *)block->q;
  double sum = 0.0;
  for (int d = 0; d < block->kind->dim; d++) {
    const double gap = q[state_index(block, width, a, r, 0, d)] - q[state_index(block, width, b, r, 0, d)];
    sum += gap * gap;
  }
  return sum;
}

int evaporation_find(const State *state, int r, EvaporationEvent *event)
{
  const Block *block = &state->block[0];
  const double limit2 = EVAPORATION_DISTANCE * EVAPORATION_DISTANCE;
  for (int a = 0; a < block->nmol; a++) {
    double nearest = INFINITY;
    for (int b = 0; b < block->nmol && nearest > limit2; b++)
      if (b != a)
        nearest = fmin(nearest, distance2(block, state->width, r, a, b));
    if (nearest > limit2) {
      *event = (EvaporationEvent){state->step, a, sqrt(nearest)};
      return 1;
    }
  }
  return 0;
}
