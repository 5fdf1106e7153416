#include "forcefields/pack_force.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

typedef struct Packs {
  ForceOps ops; /* of the row, for the engine */
  PackForce row;
  void *own;
  Arena arena;
  Vec8 *memory;   /* of energies and scratch */
  Vec8 **energy;  /* [nblock] [npack], of the last call */
  size_t *wanted; /* [nblock] scratch of a pack */
  Vec8 **scratch; /* [nblock] [npack][wanted] a team member uses that of its first pack for all its packs, to
                     stay in the caches */
} Packs;

static size_t coordinates(const Block *block)
{
  return (size_t)block->kind->nsite * (size_t)block->kind->dim;
}

/* Sets x[n] to zero in tail lanes, which are in the last pack. (The mask is made once lane by lane; compilers
 * would compare whole Octets lane by lane for every x.) */
static void clear_tail(const Block *block, int pack, size_t n, Vec8 *x)
{
  if (pack < block->npack - 1)
    return;
  Vec8Mask used;
  for (int l = 0; l < LANES; l++)
    used[l] = block->active[pack][l] != 0.0 ? -1 : 0;
  for (size_t i = 0; i < n; i++)
    x[i] = (Vec8)(used & (Vec8Mask)x[i]);
}

static void add_block(const Packs *packs, const Team *team, const State *state, int b, bool fill,
                      Vec8 *energy)
{
  const Block *block = &state->block[b];
  const size_t n = coordinates(block);
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  Vec8 *const scratch = packs->scratch[b] + (size_t)begin * packs->wanted[b];
  for (int i = begin; i < end; i++) {
    const size_t at = (size_t)i * n;
    const Pack pack = {.kind = block->kind,
                       .q = block->q + at,
                       .f = block->f + at,
                       .noise = state_noise(state, block, i),
                       .scratch = scratch};
    if (fill)
      memset(pack.f, 0, n * sizeof *pack.f);
    packs->row.add(packs->own, &pack, energy != NULL ? energy + i : NULL);
    clear_tail(block, i, n, pack.f);
  }
}

/* Each member writes to its own packs. Behind a barrier the first sums energies; after another barrier sums
 * may be read and the energies of packs be overwritten. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)error;
  const Packs *packs = self;
  for (int b = 0; b < state->nblock; b++)
    add_block(packs, team, state, b, (groups & FORCE_FILL) != 0, sums != NULL ? packs->energy[b] : NULL);
  if (sums == NULL)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0) {
    memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
    for (int b = 0; b < state->nblock; b++)
      state_add(state, &state->block[b], packs->energy[b], sums->energy);
  }
  team_barrier(team);
  return STATUS_OK;
}

static void hess_block(void *self, const Team *team, const State *state, Vec8 *hess)
{
  const Packs *packs = self;
  const Block *block = &state->block[0];
  const size_t n = coordinates(block);
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  for (int i = begin; i < end; i++) {
    packs->row.hess(packs->own, block->kind, block->q + (size_t)i * n, hess + (size_t)i * n * n);
    clear_tail(block, i, n * n, hess + (size_t)i * n * n);
  }
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  (void)shape, (void)arena, (void)error;
  const Packs *packs = self;
  packs->row.describe(packs->own, to);
  return STATUS_OK;
}

static void release(void *self)
{
  Packs *packs = self;
  if (packs->row.free != NULL)
    packs->row.free(packs->own);
  free(packs->memory);
  arena_free(&packs->arena);
  free(packs);
}

Status pack_force_create(Force *force, const PackForce *row, const void *own, size_t size, const State *shape,
                         Error *error)
{
  Arena arena = {0};
  size_t octets = 1, *wanted = arena_take(&arena, (size_t)shape->nblock, sizeof *wanted);
  for (int b = 0; b < shape->nblock && !arena.failed; b++) {
    wanted[b] = row->scratch != NULL ? row->scratch(own, shape->block[b].kind) : 0;
    octets += (size_t)shape->block[b].npack * (1 + wanted[b]);
  }
  Packs *packs = calloc(1, sizeof *packs);
  Vec8 *memory = aligned_alloc(sizeof(Vec8), octets * sizeof(Vec8)); /* few pages of scratch are touched */
  void *copy = arena_take(&arena, size, 1);
  Vec8 **energy = arena_take(&arena, (size_t)shape->nblock, sizeof *energy),
       **scratch = arena_take(&arena, (size_t)shape->nblock, sizeof *scratch);
  if (packs == NULL || memory == NULL || arena.failed) {
    free(packs);
    free(memory);
    arena_free(&arena);
    return error_memory(error, "a force on single molecules");
  }
  if (size > 0)
    memcpy(copy, own, size);
  *packs = (Packs){.ops = {.name = row->name,
                           .doc = row->doc,
                           .nterm = 1,
                           .fills = 1,
                           .term = &packs->row.term,
                           .add = add,
                           .hess_block = row->hess != NULL ? hess_block : NULL,
                           .describe = row->describe != NULL ? describe : NULL,
                           .inside = row->inside,
                           .telling = row->telling,
                           .scales_with_kT = row->scales_with_kT,
                           .free = release},
                   .row = *row,
                   .own = copy,
                   .arena = arena,
                   .memory = memory,
                   .energy = energy,
                   .wanted = wanted,
                   .scratch = scratch};
  for (int b = 0; b < shape->nblock; b++) {
    const Block *block = &shape->block[b];
    energy[b] = memory;
    memory += block->npack;
    scratch[b] = memory;
    memory += (size_t)block->npack * wanted[b];
  }
  *force = (Force){&packs->ops, packs};
  return STATUS_OK;
}
