#include "forcefields/wall.h"

#include <math.h>
#include <stdlib.h>

typedef struct Wall {
  double stiffness, radius;
  Octet *energy; /* [npack] of the last call */
} Wall;

static const char *const terms[1] = {"wall"};

/* Distance beyond the wall and the outward unit vector, 0 inside. */
static Octet beyond(const Wall *wall, const Octet q[3], Octet unit[3])
{
  const Octet r = octet_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const OctetMask outside = r > octet_set(wall->radius);
  const Octet scale = octet_select(outside, 1.0 / r, octet_set(0.0));
  for (int d = 0; d < 3; d++)
    unit[d] = scale * q[d];
  return octet_select(outside, r - wall->radius, octet_set(0.0));
}

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  (void)error;
  const Wall *wall = self;
  const Block *block = &state->block[0];
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  const size_t stride = (size_t)block->kind->nsite * 3;
  for (int i = begin; i < end; i++) {
    Octet unit[3];
    const Octet depth = beyond(wall, block->q + (size_t)i * stride, unit) * block->active[i];
    for (int d = 0; d < 3; d++)
      block->f[(size_t)i * stride + (size_t)d] -= wall->stiffness * depth * unit[d];
    wall->energy[i] = 0.5 * wall->stiffness * depth * depth;
  }
  if (sums == NULL)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0)
    state_sum(state, block, wall->energy, sums->energy);
  team_barrier(team);
  return STATUS_OK;
}

/* k [u u' + (1 - R/r)(1 - u u')] on site 0, where it is outside. */
static void hess_block(void *self, const Team *team, const State *state, Octet *hess)
{
  const Wall *wall = self;
  const Block *block = &state->block[0];
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  const size_t n = (size_t)block->kind->nsite * 3;
  for (int i = begin; i < end; i++) {
    Octet unit[3];
    const Octet depth = beyond(wall, block->q + (size_t)i * n, unit) * block->active[i];
    const Octet across = depth / (depth + wall->radius);
    const Octet inside = octet_select(depth > octet_set(0.0), octet_set(1.0), octet_set(0.0));
    for (size_t a = 0; a < 3; a++)
      for (size_t b = 0; b < 3; b++) {
        const Octet uu = unit[a] * unit[b];
        const Octet delta = a == b ? inside : octet_set(0.0);
        hess[(size_t)i * n * n + a * n + b] +=
            wall->stiffness * (inside * uu + across * (delta - inside * uu));
      }
  }
}

static void release(void *self)
{
  Wall *wall = self;
  free(wall->energy);
  free(wall);
}

static const ForceOps ops = {
    .name = "wall",
    .doc = "a spherical half-harmonic wall on site 0 of every molecule",
    .nterm = 1,
    .term = terms,
    .add = add,
    .hess_block = hess_block,
    .free = release,
};

Status wall_create(Force *force, double stiffness, double radius, const State *shape, Error *error)
{
  const Block *block = &shape->block[0];
  if (!(stiffness > 0.0) || !(radius > 0.0) || !isfinite(stiffness) || !isfinite(radius))
    return error_set(error, STATUS_INPUT, "a wall needs a positive stiffness and radius, not %g and %g",
                     stiffness, radius);
  if (block->kind->dim != 3)
    return error_set(error, STATUS_INPUT, "a spherical wall needs three dimensions, not %d",
                     block->kind->dim);
  Wall *wall = malloc(sizeof *wall);
  Octet *energy = aligned_alloc(sizeof(Octet), (size_t)block->npack * sizeof(Octet));
  if (wall == NULL || energy == NULL) {
    free(wall);
    free(energy);
    return error_memory(error, "a wall");
  }
  *wall = (Wall){stiffness, radius, energy};
  *force = (Force){&ops, wall};
  return STATUS_OK;
}
