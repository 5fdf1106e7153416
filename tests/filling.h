/* A force that is the first of its field fills f, whatever stands in it; behind others it adds. */
#ifndef HOLONOM_TESTS_FILLING_H
#define HOLONOM_TESTS_FILLING_H

#include "engine/force.h"
#include "tests/suite.h"

static inline size_t filling_vec8s(const Block *block)
{
  return (size_t)block->npack * (size_t)(block->kind->nsite * block->kind->dim);
}

/* 1 on every coordinate of lanes in use; it cannot fill. */
static inline Status filling_push(void *self, const Team *team, State *state, unsigned groups,
                                  const ForceSums *sums, Error *error)
{
  (void)self, (void)team, (void)groups, (void)sums, (void)error;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    for (size_t i = 0; i < filling_vec8s(block); i++)
      block->f[i] += block->active[i / (size_t)(block->kind->nsite * block->kind->dim)];
  }
  return STATUS_OK;
}

/* The forces of a field by one thread over `garbage`: block after block, to be freed. */
static inline Vec8 *filling_forces(const ForceField *field, State *state, double garbage)
{
  const Team team = team_alone();
  size_t n = 0;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    n += filling_vec8s(block);
    for (size_t i = 0; i < filling_vec8s(block); i++)
      block->f[i] = vec8_set(garbage);
  }
  Vec8 *f = aligned_alloc(sizeof(Vec8), n * sizeof(Vec8)), *to = f;
  ck_assert_ptr_nonnull(f);
  Error error = {0};
  ck_assert_msg(force_field_compute_groups(field, &team, state, FORCE_ALL, &error) == STATUS_OK, "%s",
                error.text);
  for (int b = 0; b < state->nblock; to += filling_vec8s(&state->block[b++]))
    memcpy(to, state->block[b].f, filling_vec8s(&state->block[b]) * sizeof *to);
  return f;
}

/* Of the only force of a field. */
static inline void filling_check(const ForceField *field, State *state)
{
  static const ForceOps push = {.name = "push", .add = filling_push};
  const Force alone = field->force[0];
  const ForceField only = {1, {{&push, NULL}}}, behind = {2, {{&push, NULL}, alone}};
  const ForceField before = {2, {alone, {&push, NULL}}};
  Vec8 *f = filling_forces(field, state, (double)NAN), *again = filling_forces(field, state, 7.0);
  Vec8 *one = filling_forces(&only, state, (double)NAN);
  Vec8 *added = filling_forces(&behind, state, 7.0), *pushed = filling_forces(&before, state, 7.0);
  size_t n = 0;
  for (int b = 0; b < state->nblock; b++)
    n += filling_vec8s(&state->block[b]);
  ck_assert_int_eq(alone.ops->fills, 1);
  ck_assert_int_eq(memcmp(f, again, n * sizeof *f), 0);
  for (size_t i = 0; i < n; i++)
    for (int l = 0; l < LANES; l++) {
      ck_assert_double_eq(pushed[i][l], f[i][l] + one[i][l]);
      ck_assert_double_le(fabs(added[i][l] - one[i][l] - f[i][l]), 1e-12 * (1.0 + fabs(f[i][l])));
    }
  free(f);
  free(again);
  free(one);
  free(added);
  free(pushed);
}

#endif
