/* Independent oscillators that the engine moves: one site on a line each, with a linear force from outside or
 * a penalty 1/2 w^2 x^2. What comes out is compared with integrators/oscillator.h. */
#ifndef HOLONOM_TESTS_SWARM_H
#define HOLONOM_TESTS_SWARM_H

#include "formula/implicit.h"
#include "integrators/oscillator.h"
#include "tests/suite.h"

enum { MOLECULES = 64, OSCILLATORS = 8 * MOLECULES };

typedef struct Springs {
  double fast, slow;
} Springs;

static inline Status springs_add(void *self, const Team *team, State *state, unsigned groups,
                                 const ForceSums *sums, Error *error)
{
  (void)team;
  (void)sums;
  (void)error;
  const Springs *k = self;
  const double sum = (groups & FORCE_FAST ? k->fast : 0.0) + (groups & FORCE_SLOW ? k->slow : 0.0);
  for (int i = 0; i < state->block[0].npack; i++)
    state->block[0].f[i] -= sum * state->block[0].q[i];
  return STATUS_OK;
}

static const char *const springs_terms[1] = {"springs"};
static const ForceOps springs_ops = {.name = "springs",
                                     .nterm = 1,
                                     .term = springs_terms,
                                     .groups = FORCE_FAST | FORCE_SLOW,
                                     .inside = true,
                                     .add = springs_add};

typedef struct Case {
  const char *word, *accel, *composition;
  double reach;    /* h W               */
  double slow;     /* share of W^2      */
  double beta;     /* 0: not filtered   */
  double friction; /* rate times h      */
  bool tangent;
  bool heat; /* account of it is kept */
} Case;

static const double mass = 1.7, kT = 0.6, h = 0.3;

typedef struct Swarm {
  Expression *formula;
  Constraint con;
  Kind kind;
  Springs springs;
  ForceField field;
  State *state;
  Plan *plan;
  Walk *walk;
  OscillatorMode mode;
} Swarm;

static const double swarm_reference[1] = {0.0};
static const char *const swarm_site[1] = {"X"};

/* The mode's force is a penalty where the case filters it or lets no noise at it, else from outside. */
static inline void swarm_open(Swarm *w, const Case *c)
{
  Error error;
  memset(w, 0, sizeof *w);
  const double square = c->reach * c->reach / (h * h);
  const bool penalty = c->beta > 0.0 || c->tangent;
  ck_assert_int_eq(implicit_formula(&w->formula, "x", 1, 1, 0, NULL, NULL, &error), STATUS_OK);
  w->con = (Constraint){&constraint_implicit, 1, {0}, {0}, w->formula};
  w->kind =
      (Kind){"oscillator", 1, 1, penalty ? 1 : 0, &mass, swarm_site, &w->con, swarm_reference, 0, NULL, NULL};
  w->springs =
      penalty ? (Springs){0.0, 0.0} : (Springs){mass * square * (1.0 - c->slow), mass * square * c->slow};
  w->field = (ForceField){1, {{&springs_ops, &w->springs}}};
  w->mode = (OscillatorMode){square,          c->slow,    c->beta,
                             c->friction / h, c->tangent, accel_map_find(c->accel)->drift != NULL};
  const PlanOptions o = {.word = c->word,
                         .h = h,
                         .accel = c->accel,
                         .composition = c->composition,
                         .beta = c->beta,
                         .w = penalty ? sqrt(mass * square) : 0.0,
                         .friction = FRICTION_MASS,
                         .gamma = c->friction / h,
                         .kT = kT,
                         .tangent = c->tangent,
                         .keep_heat = c->heat,
                         .isa = isa_best()};
  const Kind *kind = &w->kind;
  const int nmol = MOLECULES;
  ck_assert_int_eq(state_create(&w->state, 8, 1, &kind, &nmol, 11, 0, &error), STATUS_OK);
  ck_assert_msg(plan_create(&w->plan, kind, &o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(walk_create(&w->walk, w->plan, &w->field, w->state, &error) == STATUS_OK, "%s", error.text);
}

static inline void swarm_start(Swarm *w, double q)
{
  const Team alone = team_alone();
  Error error;
  for (int i = 0; i < w->state->block[0].npack; i++)
    w->state->block[0].q[i] = vec8_set(q);
  walk_attach(w->walk, w->state, RANDOM_THERMOSTAT);
  ck_assert_msg(walk_prepare(w->walk, &alone, &error) == STATUS_OK, "%s", error.text);
}

static inline void swarm_run(Swarm *w, int64_t n)
{
  const Team alone = team_alone();
  Error error;
  ck_assert_msg(walk_run(w->walk, &alone, n, &error) == STATUS_OK, "%s", error.text);
}

static inline void swarm_close(Swarm *w)
{
  walk_free(w->walk);
  plan_free(w->plan);
  state_free(w->state);
  expression_free(w->formula);
}

static inline OscillatorResult theory(const Swarm *w)
{
  const OscillatorStep step = oscillator_step(w->plan);
  return oscillator_solve(&step, &w->mode);
}

/* Over the true variances, of every oscillator: sums of q^2 and p^2. */
static inline void add_squares(const Swarm *w, Vec8 q[MOLECULES], Vec8 p[MOLECULES])
{
  const Block *block = &w->state->block[0];
  for (int i = 0; i < MOLECULES; i++) {
    q[i] += block->q[i] * block->q[i] * (mass * w->mode.square / kT);
    p[i] += block->p[i] * block->p[i] / (mass * kT);
  }
}

static inline void mean_of(const Vec8 *x, double n, double *mean, double *error)
{
  double sum = 0.0, square = 0.0;
  for (int i = 0; i < OSCILLATORS; i++)
    sum += x[i / LANES][i % LANES] / n;
  for (int i = 0; i < OSCILLATORS; i++) {
    const double off = x[i / LANES][i % LANES] / n - sum / OSCILLATORS;
    square += off * off;
  }
  *mean = sum / OSCILLATORS;
  *error = sqrt(square / OSCILLATORS / (OSCILLATORS - 1));
}

#endif
