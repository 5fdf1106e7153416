#include "simulation/molecules/evaporation.h"

#include <math.h>

static double distance2(const State *state, const Block *one, int a, const Block *other, int b, int r)
{
  double sum = 0.0;
  for (int d = 0; d < one->kind->dim; d++) {
    const double gap = *state_element(one, one->q, state->width, a, r, 0, d) -
                       *state_element(other, other->q, state->width, b, r, 0, d);
    sum += gap * gap;
  }
  return sum;
}

/* To the nearest molecule of any kind, or at once to one within the limit. */
static double nearest2(const State *state, const Block *one, int a, int r, double limit2)
{
  double nearest = INFINITY;
  for (int k = 0; k < state->nblock; k++) {
    const Block *other = &state->block[k];
    for (int b = 0; b < other->nmol && nearest > limit2; b++)
      if (other != one || b != a)
        nearest = fmin(nearest, distance2(state, one, a, other, b, r));
  }
  return nearest;
}

void evaporation_find(const State *state, int r, EvaporationEvent *event)
{
  const double limit2 = EVAPORATION_DISTANCE * EVAPORATION_DISTANCE;
  for (int k = 0; k < state->nblock; k++) {
    const Block *block = &state->block[k];
    for (int a = 0; a < block->nmol; a++) {
      const double nearest = nearest2(state, block, a, r, limit2);
      if (nearest > limit2) {
        *event = (EvaporationEvent){state->step, block->first + a, sqrt(nearest)};
        return;
      }
    }
  }
}
