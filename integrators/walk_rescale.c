/* The thermostat that multiplies all momenta of a replica by one number. */
#include <string.h>

#include "integrators/walk_private.h"
#include "thermostat/rescale.h"

/* Kinetic energies of all replicas. Every member of a team adds up all packs: in one order, and sooner than
 * it could tell others. */
static void sum(Walk *walk, double *kinetic)
{
  memset(kinetic, 0, (size_t)walk->width * sizeof *kinetic);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack; i++)
      walk->plan->letters->kinetic(&own->pack[i], &own->saved[i]);
    state_add(walk->state, own->block, own->saved, kinetic);
  }
}

/* Of replica lane r. Its temperature stands where O would find it. */
static double factor_of(const Walk *walk, const Op *op, int r, double kinetic)
{
  const PlanOptions *o = &walk->plan->options;
  const OctetWord *key = walk->key[r / LANES];
  const double scale = (*walk->block[0].pack[r / LANES].noise)[r % LANES];
  const RescaleAddress at = {.key = {(uint32_t)key[0][r % LANES], (uint32_t)key[1][r % LANES]},
                             .step = walk->step,
                             .letter = op->letter};
  return rescale_factor(kinetic, scale * scale * o->kT, walk->freedom, op->t / o->time, &at);
}

void walk_rescale(Walk *walk, const Team *team, const Op *op)
{
  double kinetic[WIDTH_MAX];
  Octet factor[WIDTH_MAX / LANES];
  team_barrier(team);
  sum(walk, kinetic);
  team_barrier(team);
  for (int r = 0; r < walk->width; r++)
    factor[r / LANES][r % LANES] = factor_of(walk, op, r, kinetic[r]);
  if (walk->width == 1)
    factor[0] = octet_set(factor[0][0]);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      for (size_t k = 0; k < own->stride; k++)
        own->pack[i].p[k] *= factor[walk->width > LANES ? i % (walk->width / LANES) : 0];
  }
}
