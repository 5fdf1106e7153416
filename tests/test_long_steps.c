/* What a long step does to the temperatures of slow and quick motions that exchange energy faster than the
 * thermostat does (docs/theory.md, "Temperatures of a long step"). */
#include "engine/units.h"
#include "integrators/oscillator.h"
#include "integrators/plan.h"
#include "observables/observable.h"
#include "tests/suite.h"

enum { PACKS = 128, PARTICLES = 8 * PACKS };

static const double step_length = 0.25;

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
    const Vec8 x = block->q[2 * i], y = block->q[2 * i + 1];
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

typedef struct Valley {
  State *state;
  Plan *plan;
  Walk *walk;
} Valley;

static void valley_open(Valley *v, const char *word)
{
  enum { WARM = 2000 };
  static const double mass = 1.0, reference[2] = {0.0, 0.0};
  static const char *const site[1] = {"X"};
  static const Kind kind = {"particle", 1, 2, 0, &mass, site, NULL, reference, 0, NULL, NULL}, *const kinds =
                                                                                                   &kind;
  static const ForceField field = {1, {{&valley_ops, NULL}}};
  const PlanOptions o = {.word = word,
                         .h = step_length,
                         .accel = "verlet",
                         .friction = FRICTION_MASS,
                         .gamma = 0.1,
                         .kT = 1.0,
                         .isa = isa_best()};
  const Team alone = team_alone();
  const int nmol = PARTICLES;
  Error error;
  ck_assert_int_eq(state_create(&v->state, 1, 1, &kinds, &nmol, 5, 0, &error), STATUS_OK);
  ck_assert_msg(plan_create(&v->plan, &kind, &o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(walk_create(&v->walk, v->plan, &field, v->state, &error) == STATUS_OK, "%s", error.text);
  walk_attach(v->walk, v->state, RANDOM_THERMOSTAT);
  ck_assert_int_eq(walk_prepare(v->walk, &alone, &error), STATUS_OK);
  ck_assert_int_eq(walk_run(v->walk, &alone, WARM, &error), STATUS_OK);
}

static void valley_run(Valley *v, int steps)
{
  const Team alone = team_alone();
  Error error;
  ck_assert_int_eq(walk_run(v->walk, &alone, steps, &error), STATUS_OK);
}

static void valley_close(Valley *v)
{
  walk_free(v->walk);
  plan_free(v->plan);
  state_free(v->state);
}

typedef struct Means {
  double slow, quick, error; /* <p_x^2>, <p_y^2>, the error of the first */
} Means;

static Means sampled(const char *word)
{
  enum { STEPS = 36000, EVERY = 2 };
  Valley v;
  valley_open(&v, word);
  static Vec8 sum[2 * PACKS];
  memset(sum, 0, sizeof sum);
  const Block *block = &v.state->block[0];
  for (int i = 0; i < STEPS / EVERY; i++) {
    valley_run(&v, EVERY);
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
  valley_close(&v);
  return m;
}

/* At the end of a step BAOAB's momenta read 1 - <s^2>/4, s = h W, the mean over both motions, and
 * the temperature of all is 1 - <s^2>/12: a third of what is missing, which noise at the
 * Gauss-Legendre points does not take. Both words see momenta at the same place in a step, so that their
 * ratio is free of what this place does. */
TEST(slow_motions_have_their_temperature)
{
  const Means middle = sampled("BAOAB"), gauss = sampled("GL-BAOAOAB");
  const double missing = (2.0 - middle.slow - middle.quick) / 6.0, ratio = gauss.slow / middle.slow - 1.0,
               bound = 4.0 * hypot(gauss.error, middle.error);
  ck_assert_double_lt(bound, 0.5 * missing);
  ck_assert_msg(fabs(ratio - missing) < bound, "%.4f warmer, %.4f expected within %.4f", ratio, missing,
                bound);
}

static double potential(double x, double y)
{
  return 0.5 * x * x + 0.3 * x * x * x * x + 2.0 * y * y + x * x * y;
}

/* <V> of exp(-V), by the sum over a fine grid, which converges faster than any power. */
static double exact_potential(void)
{
  const double reach = 6.0, mesh = 0.02;
  double sum = 0.0, weight = 0.0;
  for (double x = -reach; x <= reach; x += mesh)
    for (double y = -2.0 * reach; y <= reach; y += mesh) {
      const double w = exp(-potential(x, y));
      weight += w;
      sum += w * potential(x, y);
    }
  return sum / weight;
}

/* A sample of each particle, as of a replica of its own. */
static void add_sample(Observable *o, const State *state)
{
  const Block *block = &state->block[0];
  const State batch = {.width = LANES};
  const Team alone = team_alone();
  for (int i = 0; i < PACKS; i++) {
    double energy[LANES], square[LANES];
    for (int l = 0; l < LANES; l++) {
      energy[l] = potential(block->q[2 * i][l], block->q[2 * i + 1][l]);
      square[l] = block->f[2 * i][l] * block->f[2 * i][l] + block->f[2 * i + 1][l] * block->f[2 * i + 1][l];
    }
    const ObservableLanes lanes = {.first = i * LANES, .energy = energy, .square = square};
    observable_zero_step.add_lanes(o, &(Sample){.state = &batch, .team = &alone}, &lanes);
  }
}

static void check_square(const Valley *v)
{
  double kinetic, penalty, term, square, sum = 0.0;
  const WalkEnergies to = {.kinetic = &kinetic, .penalty = &penalty, .terms = &term, .square = &square};
  const Block *block = &v->state->block[0];
  const Team alone = team_alone();
  Error error;
  ck_assert_int_eq(walk_energies(v->walk, &alone, &to, &error), STATUS_OK);
  for (int k = 0; k < 2 * PACKS; k++)
    for (int l = 0; l < LANES; l++)
      sum += block->f[k][l] * block->f[k][l];
  ck_assert_double_eq_tol(square, sum, 1e-12 * sum);
}

/* Words whose means are off by up to 5 % have that of a zero step to fourth order: within s^4/12, as second
 * order is within s^2/12 and more. */
TEST(energies_of_a_zero_step)
{
  enum { STEPS = 16000, EVERY = 2 };
  static const char *const words[] = {"BAOAB", "GL-BAOAOAB", "OBABO"};
  const double exact = exact_potential();
  for (int w = 0; w < 3; w++) {
    Valley v;
    OscillatorShadow shadow;
    Observable *o;
    Error error;
    ObservableResult result;
    valley_open(&v, words[w]);
    check_square(&v);
    ck_assert(oscillator_shadow(v.plan, &shadow));
    const double h2 = step_length * step_length;
    const ObservableOptions options = {
        .batches = PACKS,
        .replicas = PARTICLES,
        .temperature = 1.0 / UNITS_BOLTZMANN,
        .shadow = {h2 * shadow.drift, h2 * shadow.kick, 0.5 * h2 * shadow.heat}};
    ck_assert_int_eq(observable_create(&o, &observable_zero_step, &options, &(ObservableFrame){0}, &error),
                     STATUS_OK);
    for (int i = 0; i < STEPS / EVERY; i++) {
      valley_run(&v, EVERY);
      add_sample(o, v.state);
    }
    ck_assert_int_eq(observable_result(o, o->rows, &result, &error), STATUS_OK);
    const double off = result.value[0] - exact, left = result.value[1] - exact;
    const double square = h2 * result.sum[2] / (2.0 * (double)result.errors.samples);
    const double bound = 4.0 * result.error[1] + square * square / 12.0;
    ck_assert_msg(fabs(left) < bound, "%s: %.5f from %.5f, %.5f allowed", words[w], left, off, bound);
    ck_assert_msg(w < 2 || off > 3.0 * bound, "%s: %.5f, %.5f allowed", words[w], off, bound);
    observable_result_free(&result);
    observable_free(o);
    valley_close(&v);
  }
}
