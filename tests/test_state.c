/* The state's layout: the index formula, tail lanes, sums. */
#include "engine/state.h"
#include "tests/suite.h"

static const double mass[2] = {1.0, 2.0};
static const char *const site[2] = {"A", "B"};
static const double reference[6] = {-1.0, 0.0, 0.0, 0.5, 0.0, 0.0};
static const Constraint bond = {&constraint_distance, 2, {0, 1}, {1.5}, NULL};
static const Kind dimer = {"dimer", 2, 3, 1, mass, site, &bond, reference};

TEST(replicas_round_trip, .rows = 3)
{
  const Kind *kind = &dimer;
  const int nmol = 5, width[3] = {1, 8, 16};
  State *state;
  ck_assert_int_eq(state_create(&state, width[_i], 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  Block *block = &state->block[0];
  double in[30], out[30];
  for (int r = 0; r < state->width; r++) {
    for (int i = 0; i < 30; i++)
      in[i] = 100.0 * r + i;
    state_set(block, state->width, block->p, r, in);
  }
  for (int r = 0; r < state->width; r++) {
    state_get(block, state->width, block->p, r, out);
    for (int i = 0; i < 30; i++)
      ck_assert_double_eq(out[i], 100.0 * r + i);
  }
  double sum[WIDTH_MAX];
  state_sum(state, block, block->active, sum);
  for (int r = 0; r < state->width; r++)
    ck_assert_double_eq(sum[r], nmol);
  state_free(state);
}

TEST(tails_are_far_and_ids_are_right)
{
  const Kind *kind = &dimer;
  const int nmol = 5;
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 40, NULL), STATUS_OK);
  const Pack pack = state_pack(state, &state->block[0], 0);
  ck_assert_uint_eq(pack.number[4], 4);
  ck_assert_uint_eq(pack.replica[4], 40);
  ck_assert_double_eq((*pack.active)[5], 0.0);
  ck_assert_double_gt(pack.q[0][5], 1e5);
  ck_assert_double_gt(pack.q[0][6] - pack.q[0][5], 1e5);
  state_free(state);
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 40, NULL), STATUS_OK);
  const Pack batch = state_pack(state, &state->block[0], 3);
  ck_assert_uint_eq(batch.number[4], 3);
  ck_assert_uint_eq(batch.replica[4], 44);
  state_free(state);
}

TEST(bad_widths_are_refused)
{
  const Kind *kind = &dimer;
  const int nmol = 5;
  State *state;
  Error error;
  ck_assert_int_eq(state_create(&state, 3, 1, &kind, &nmol, 1, 0, &error), STATUS_INPUT);
  ck_assert_ptr_null(state);
}

/* Too many of one kind, or of all together: refused before memory is taken, which would not do for these. */
TEST(too_many_molecules_are_refused)
{
  const Kind *const kind[3] = {&dimer, &dimer, &dimer};
  const int much[3] = {STATE_MOLECULES / 2, STATE_MOLECULES / 2, 1}, most = STATE_MOLECULES + 1;
  State *state;
  Error error = {0};
  ck_assert_int_eq(state_create(&state, 1, 3, kind, much, 1, 0, &error), STATUS_INPUT);
  ck_assert_ptr_null(state);
  ck_assert_ptr_nonnull(strstr(error.text, "50000001 molecules are too many"));
  ck_assert_int_eq(state_create(&state, 16, 1, kind, &most, 1, 0, &error), STATUS_INPUT);
  ck_assert_int_eq(state_may_hold(STATE_MOLECULES, &error), STATUS_OK);
  ck_assert_int_eq(state_may_hold(NAN, &error), STATUS_INPUT);
  /* What is counted in 32 bits holds for that many: lanes, vectors of five sites, bytes to a row of 64. */
  ck_assert_int_le((int64_t)STATE_MOLECULES * WIDTH_MAX, INT32_MAX);
  ck_assert_int_le((int64_t)STATE_MOLECULES * WIDTH_MAX / LANES * 15, INT32_MAX);
  ck_assert_int_le((int64_t)STATE_MOLECULES * 64, UINT32_MAX);
}
