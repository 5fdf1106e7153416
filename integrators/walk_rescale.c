/* The thermostat that multiplies all momenta of a replica by one number. */
#include <string.h>

#include "integrators/walk_private.h"
#include "thermostat/rescale.h"

/* Sums kinetic energies of all replicas: each member computes its packs in the memory of the first, then
 * every member adds all up in one order, which is faster than a broadcast. */
static void sum(Walk *walk, const Team *team, double *kinetic)
{
  if (team->size > 1 && team->rank == 0)
    team->barrier->shared = walk->memory;
  team_barrier(team);
  Vec8 *const memory = team->size > 1 ? team->barrier->shared : walk->memory;
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      walk->plan->letters->kinetic(&own->pack[i], &memory[own->saved + i - walk->memory]);
  }
  team_barrier(team);
  memset(kinetic, 0, (size_t)walk->width * sizeof *kinetic);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    state_add(walk->state, own->block, memory + (own->saved - walk->memory), kinetic);
  }
}

/* The factor of replica lane r, at the temperature that O would use. */
static double factor_of(const Walk *walk, const Op *op, int r, double kinetic)
{
  const PlanOptions *o = &walk->plan->options;
  const Vec8Word *key = walk->key[r / LANES];
  const double scale = (*state_noise(walk->state, walk->block[0].block, r / LANES))[r % LANES];
  const RescaleAddress at = {.key = {(uint32_t)key[0][r % LANES], (uint32_t)key[1][r % LANES]},
                             .step = walk->step,
                             .letter = op->letter};
  return rescale_factor(kinetic, scale * scale * o->kT, walk->freedom, op->t / o->time, &at);
}

void walk_rescale(Walk *walk, const Team *team, const Op *op)
{
  double kinetic[WIDTH_MAX];
  Vec8 factor[WIDTH_MAX / LANES];
  sum(walk, team, kinetic);
  for (int r = 0; r < walk->width; r++)
    factor[r / LANES][r % LANES] = factor_of(walk, op, r, kinetic[r]);
  if (walk->width == 1)
    factor[0] = vec8_set(factor[0][0]);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      for (size_t k = 0; k < own->stride; k++)
        own->pack[i].p[k] *= factor[walk->width > LANES ? i % (walk->width / LANES) : 0];
  }
}
