/* The fields of a state of one replica as plain arrays x[natom][3], block after block. */
#ifndef HOLONOM_TESTS_BLOCKS_H
#define HOLONOM_TESTS_BLOCKS_H

#include <string.h>

#include "engine/state.h"

/* By its letter in Block: 'q', 'p' or 'f'. */
static inline Vec8 *blocks_field(const Block *block, char letter)
{
  return letter == 'q' ? block->q : letter == 'p' ? block->p : block->f;
}

static inline void blocks_get(const State *state, char letter, double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    state_get(block, 1, blocks_field(block, letter), 0, x);
    x += 3 * block->nlane * block->kind->nsite;
  }
}

static inline void blocks_set(State *state, char letter, const double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    Block *block = &state->block[b];
    state_set(block, 1, blocks_field(block, letter), 0, x);
    x += 3 * block->nlane * block->kind->nsite;
  }
}

static inline void blocks_clear_forces(State *state)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    memset(block->f, 0, (size_t)block->npack * (size_t)block->kind->nsite * 3 * sizeof(Vec8));
  }
}

#endif
