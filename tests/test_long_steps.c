/* What a long step does to the temperatures of slow and quick motions that exchange energy faster than the
 * thermostat does (docs/theory.md, "Temperatures of a long step"). */
#include <check.h>
#include <math.h>
#include <string.h>

#include "engine/implicit.h"
#include "integrators/oscillator.h"
#include "integrators/plan.h"
#include "tests/suite.h"

enum { PACKS = 128, PARTICLES = 8 * PACKS };

/* A slow and a quick motion, in resonance and strongly coupled:
 * V = x^2/2 + 0.3 x^4 + 2 y^2 + x^2 y, of one particle in a plane; m = kT = 1. */
static Status valley_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                         Error *error)
{
  (void)self;
  (void)team;
  (void)groups;
  (void)sums;
  (void)error;
  const Block *block = &state->block[0];
  for (int i = 0; i < block->npack; i++) {
    const Octet x = block->q[2 * i], y = block->q[2 * i + 1];
    block->f[2 * i] -= x + 1.2 * x * x * x + 2.0 * x * y;
    block->f[2 * i + 1] -= 4.0 * y + x * x;
  }
  return STATUS_OK;
}

static const char *const valley_terms[1] = {"valley"};
static const ForceOps valley_ops = {.name = "valley",
                                    .nterm = 1,
                                    .term = valley_terms,
                                    .groups = FORCE_FAST,
                                    .inside = true,
                                    .add = valley_add};

typedef struct Means {
  double slow, quick, error; /* <p_x^2>, <p_y^2>, the error of the first */
} Means;

static Means sampled(const char *word)
{
  enum { WARM = 2000, STEPS = 36000, EVERY = 2 };
  static const double mass = 1.0, reference[2] = {0.0, 0.0};
  static const char *const site[1] = {"X"};
  const Kind kind = {"particle", 1, 2, 0, &mass, site, NULL, reference, 0, NULL, NULL}, *const kinds = &kind;
  const PlanOptions o = {.word = word,
                         .h = 0.25,
                         .accel = "verlet",
                         .friction = FRICTION_MASS,
                         .gamma = 0.1,
                         .kT = 1.0,
                         .isa = isa_best()};
  const ForceField field = {1, {{&valley_ops, NULL}}};
  const Team alone = team_alone();
  const int nmol = PARTICLES;
  State *state;
  Plan *plan;
  Walk *walk;
  Error error;
  ck_assert_int_eq(state_create(&state, 1, 1, &kinds, &nmol, 5, 0, &error), STATUS_OK);
  ck_assert_msg(plan_create(&plan, &kind, &o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(walk_create(&walk, plan, &field, state, &error) == STATUS_OK, "%s", error.text);
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  ck_assert_int_eq(walk_prepare(walk, &alone, &error), STATUS_OK);
  ck_assert_int_eq(walk_run(walk, &alone, WARM, &error), STATUS_OK);
  static Octet sum[2 * PACKS];
  memset(sum, 0, sizeof sum);
  const Block *block = &state->block[0];
  for (int i = 0; i < STEPS / EVERY; i++) {
    ck_assert_int_eq(walk_run(walk, &alone, EVERY, &error), STATUS_OK);
    for (int k = 0; k < 2 * block->npack; k++)
      sum[k] += block->p[k] * block->p[k];
  }
  Means m = {0};
  double square = 0.0;
  for (int i = 0; i < PARTICLES; i++) {
    const double x = sum[i / 8 * 2][i % 8] / (STEPS / EVERY), y = sum[i / 8 * 2 + 1][i % 8] / (STEPS / EVERY);
    m.slow += x / PARTICLES;
    m.quick += y / PARTICLES;
    square += x * x / PARTICLES;
  }
  m.error = sqrt((square - m.slow * m.slow) / (PARTICLES - 1));
  walk_free(walk);
  plan_free(plan);
  state_free(state);
  return m;
}

/* At the end of a step BAOAB's momenta read 1 - <s^2>/4, s = h W, the mean over both motions, and
 * the temperature of all is 1 - <s^2>/12: a third of what is missing, which noise at the
 * Gauss-Legendre points does not take. Both words see momenta at the same place in a step, so that their
 * ratio is free of what this place does. */
START_TEST(slow_motions_have_their_temperature)
{
  const Means middle = sampled("BAOAB"), gauss = sampled("GL-BAOAOAB");
  const double missing = (2.0 - middle.slow - middle.quick) / 6.0, ratio = gauss.slow / middle.slow - 1.0,
               bound = 4.0 * hypot(gauss.error, middle.error);
  ck_assert_double_lt(bound, 0.5 * missing);
  ck_assert_msg(fabs(ratio - missing) < bound, "%.4f warmer, %.4f expected within %.4f", ratio, missing,
                bound);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("long_steps");
  tcase_add_test(tc, slow_motions_have_their_temperature);
  return suite_run("long_steps", (TCase *[]){tc, NULL});
}
