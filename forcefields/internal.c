#include "forcefields/internal.h"

#include <stdlib.h>

typedef struct Internal {
  Octet *energy; /* [npack] of the last call */
} Internal;

static const char *const terms[1] = {"potential"};

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  (void)error;
  const Internal *internal = self;
  const Block *block = &state->block[0];
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  const size_t stride = (size_t)block->kind->nsite * (size_t)block->kind->dim;
  for (int i = begin; i < end; i++) {
    Octet value;
    kind_potential(block->kind, block->q + (size_t)i * stride, sums != NULL ? &value : NULL,
                   block->f + (size_t)i * stride);
    if (sums != NULL)
      internal->energy[i] = octet_select(block->active[i] != 0.0, value, octet_set(0.0));
  }
  if (sums == NULL)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0)
    state_sum(state, block, internal->energy, sums->energy);
  team_barrier(team);
  return STATUS_OK;
}

static void release(void *self)
{
  Internal *internal = self;
  free(internal->energy);
  free(internal);
}

static const ForceOps ops = {
    .name = "internal",
    .doc = "the potentials inside a molecule and the fields on it",
    .nterm = 1,
    .term = terms,
    .add = add,
    .inside = 1,
    .free = release,
};

Status internal_create(Force *force, const State *shape, Error *error)
{
  Internal *internal = malloc(sizeof *internal);
  Octet *energy = aligned_alloc(sizeof(Octet), (size_t)shape->block[0].npack * sizeof(Octet));
  if (internal == NULL || energy == NULL) {
    free(internal);
    free(energy);
    return error_memory(error, "forces inside molecules");
  }
  internal->energy = energy;
  *force = (Force){&ops, internal};
  return STATUS_OK;
}
