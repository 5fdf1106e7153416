/* A run of the stepper beside that of the plain one (tests/plain_stepper.h), which is built from the scheme
 * and the descriptions of the same forces. */
#ifndef HOLONOM_TESTS_STEPPING_H
#define HOLONOM_TESTS_STEPPING_H

#include "engine/random.h"
#include "integrators/plan.h"
#include "tests/plain_stepper.h"
#include "tests/suite.h"

enum { STEPPING_KINDS = 8 };

/* How long, and how far both may be apart: rounding, unless forces are approximate. */
typedef struct Stepping {
  int steps, look;
  double limit;
} Stepping;
static const Stepping stepping = {200, 50, 1e-11};

static Error stepping_error;

static inline void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", stepping_error.text); }

static inline Isa best(void)
{
  Isa isa;
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  return isa;
}

/* Neighbouring trajectories part exponentially: of these systems by less than a factor of e in each unit of
 * AKMA time (49 fs), from what rounding does to some steps. */
static inline double stepping_limit(const Stepping *how, double time) { return how->limit * exp(time); }

static inline double stepping_furthest(int n, const double *x, const double *y)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = isfinite(x[i] - y[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
  return most;
}

/* Both steppers from the same start: the momenta that they draw, then positions and momenta as they go. */
static inline void stepping_follow(const Stepping *how, State *state, const Plan *plan, Walk *walk,
                                   PlainStepper *plain, int r, const char *name)
{
  const Team team = team_alone();
  const int n = plain_size(plain);
  double *x = malloc((size_t)n * sizeof *x), before[WIDTH_MAX], heat[WIDTH_MAX];
  const double h = plan_options(plan)->h;
  ck_assert_ptr_nonnull(x);
  state_get_all(state, STATE_POSITIONS, r, plain_positions(plain));
  walk_draw_momenta(walk);
  plain_draw(plain);
  state_get_all(state, STATE_MOMENTA, r, x);
  ck_assert_msg(stepping_furthest(n, x, plain_momenta(plain)) < 1e-12, "%s: drawn momenta differ by %.3g",
                name, stepping_furthest(n, x, plain_momenta(plain)));
  state_heat(state, before);
  fine(walk_prepare(walk, &team, &stepping_error));
  plain_prepare(plain);
  for (int k = how->look; k <= how->steps; k += how->look) {
    fine(walk_run(walk, &team, how->look, &stepping_error));
    plain_run(plain, how->look);
    state_get_all(state, STATE_POSITIONS, r, x);
    const double q = stepping_furthest(n, x, plain_positions(plain)), most = stepping_limit(how, k * h);
    state_get_all(state, STATE_MOMENTA, r, x);
    const double p = stepping_furthest(n, x, plain_momenta(plain));
    ck_assert_msg(q < most && p < most,
                  "%s: after %d steps positions differ by %.3g and momenta by %.3g; %.3g is allowed", name, k,
                  q, p, most);
  }
  if (plan_options(plan)->keep_heat) {
    state_heat(state, heat);
    const double apart = fabs(heat[r] - before[r] - plain_heat(plain));
    ck_assert_msg(apart < stepping_limit(how, how->steps * h) * 100, "%s: heat differs by %.3g", name, apart);
  }
  free(x);
}

/* False: the plan does not take these options. */
static inline bool stepping_compare(const Stepping *how, State *state, const ForceField *field,
                                    const PlanOptions *options, const char *name)
{
  Plan *plan;
  Walk *walk;
  Arena arena = {0};
  Scheme scheme;
  ForceDescription force[FORCES_MAX];
  NoiseDescription noise;
  const Kind *kind[STEPPING_KINDS];
  int nmol[STEPPING_KINDS];
  ck_assert_int_le(state->nblock, STEPPING_KINDS);
  for (int b = 0; b < state->nblock; b++) {
    kind[b] = state->block[b].kind;
    nmol[b] = state->block[b].nlane;
  }
  if (plan_create_kinds(&plan, state->nblock, kind, options, &stepping_error) != STATUS_OK)
    return false;
  if (walk_create(&walk, plan, field, state, &stepping_error) != STATUS_OK) {
    plan_free(plan);
    return false;
  }
  const int r = state->width > 1 ? state->width - 5 : 0;
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  fine(plan_describe(plan, &arena, &scheme, &stepping_error));
  fine(force_field_describe(field, state, &arena, force, &stepping_error));
  walk_describe_noise(walk, r, &noise);
  PlainStepper *plain = plain_create(&scheme, field->n, force, nmol, &noise);
  stepping_follow(how, state, plan, walk, plain, r, name);
  plain_free(plain);
  walk_free(walk);
  plan_free(plan);
  arena_free(&arena);
  return true;
}

static inline PlanOptions base(const char *word, double h)
{
  return (PlanOptions){.word = word,
                       .h = h,
                       .accel = "verlet",
                       .beta = 0.4,
                       .constraint = {.tolerance = 1e-14, .max_iterations = 200},
                       .tolerance = 1e-14,
                       .friction = FRICTION_MASS,
                       .gamma = 0.5,
                       .kT = 0.6,
                       .isa = best()};
}

static inline PlanOptions kept(const char *constraints, const char *word, double h)
{
  PlanOptions o = base(word, h);
  o.constraints = constraints;
  return o;
}

#endif
