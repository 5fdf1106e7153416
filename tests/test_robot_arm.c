/* The kinematic search: a planar arm of five limbs whose hand goes round an ellipse, with an obstacle in the
 * way of its elbows. Limbs keep their lengths, the hand stays on its curve and goes at its speed, the
 * obstacle is not entered, the search lowers its objective against none, seeds and lanes mean what they say,
 * and what is no arm is refused. */
#include "forcefields/internal.h"
#include "formula/implicit.h"
#include "integrators/plan.h"
#include "methods/kinematic_search.h"
#include "methods/method_table.h"
#include "tests/suite.h"

enum { LIMBS = 5, N = 2 * LIMBS, STEPS = 400, CON = LIMBS + 1, POT = LIMBS, TRIALS = 100 };

/* The hand's ellipse, and where it starts. */
#define ELLIPSE "((x - 2.4)/1.2)^2 + ((y - 0.8)/0.8)^2 - 1"
static const double start_hand[2] = {3.6, 0.8}, speed = 1.0, step = 0.02;

/* A disc, and a potential that rises as a limb comes nearer than `margin` to it. With a = c - q1, b = q2 - q1
 * and s = a.b, the squared distance of the centre c from the limb is a^2 - s^2/b^2, plus s^2/b^2 where s < 0
 * and (s - b^2)^2/b^2 where s > b^2 (beyond one end or the other); limbs are of length 1. */
static const double disc[2] = {1.9, -1.7}, radius = 0.35, margin = 0.1, hardness = 1e5;
#define DOT       "((cx - x1)*(x2 - x1) + (cy - y1)*(y2 - y1))"
#define DISTANCE2 "(cx - x1)^2 + (cy - y1)^2 - " DOT "^2 + min(0, " DOT ")^2 + max(0, " DOT " - 1)^2"
#define OBSTACLE  "k*max(0, R - sqrt(" DISTANCE2 "))^2"
#define DOT0      "(cx*x + cy*y)"
#define OBSTACLE0                                                                                            \
  "k*max(0, R - sqrt(cx^2 + cy^2 - " DOT0 "^2 + min(0, " DOT0 ")^2 + max(0, " DOT0 " - 1)^2))^2"

typedef struct Robot {
  Expression *curve, *near_base, *near;
  Constraint con[CON];
  Potential pot[POT];
  double mass[LIMBS], reference[N];
  const char *name[LIMBS];
  Kind kind;
} Robot;

static Robot robot;

/* Joints turned alike, b each, the end turned to the hand: one b fits its distance. */
static void first_posture(double *x)
{
  const double reach = hypot(start_hand[0], start_hand[1]);
  double low = 0.0, high = 2.0 * M_PI / LIMBS;
  for (int i = 0; i < 200; i++) {
    const double b = 0.5 * (low + high);
    double end[2] = {0, 0};
    for (int k = 0; k < LIMBS; k++) {
      end[0] += cos(b * k);
      end[1] += sin(b * k);
    }
    if (hypot(end[0], end[1]) > reach)
      low = b;
    else
      high = b;
    const double turn = atan2(start_hand[1], start_hand[0]) - atan2(end[1], end[0]);
    double at[2] = {0, 0};
    for (int k = 0; k < LIMBS; k++) {
      x[2 * k] = at[0] += cos(b * k + turn);
      x[2 * k + 1] = at[1] += sin(b * k + turn);
    }
  }
}

static void make_robot(void)
{
  static const char *const constant[4] = {"cx", "cy", "R", "k"};
  const double value[4] = {disc[0], disc[1], radius + margin, hardness};
  Error error = {0};
  memset(&robot, 0, sizeof robot);
  ck_assert_msg(implicit_formula(&robot.curve, ELLIPSE, 2, 1, 0, NULL, NULL, &error) == STATUS_OK, "%s",
                error.text);
  ck_assert_msg(implicit_formula(&robot.near_base, OBSTACLE0, 2, 1, 4, constant, value, &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_msg(implicit_formula(&robot.near, OBSTACLE, 2, 2, 4, constant, value, &error) == STATUS_OK, "%s",
                error.text);
  first_posture(robot.reference);
  for (int i = 0; i < LIMBS; i++) {
    robot.mass[i] = 1.0;
    robot.name[i] = "X";
    robot.con[i] = i == 0 ? (Constraint){&constraint_anchor, 1, {0}, {1.0}, NULL}
                          : (Constraint){&constraint_distance, 2, {i - 1, i}, {1.0}, NULL};
    robot.pot[i] = i == 0 ? (Potential){&potential_formula, 1, {0}, {0}, robot.near_base}
                          : (Potential){&potential_formula, 2, {i - 1, i}, {0}, robot.near};
  }
  robot.con[LIMBS] = (Constraint){&constraint_implicit, 1, {LIMBS - 1}, {0}, robot.curve};
  robot.kind =
      (Kind){"arm", LIMBS, 2, CON, robot.mass, robot.name, robot.con, robot.reference, POT, robot.pot, NULL};
}

static void free_robot(void)
{
  expression_free(robot.curve);
  expression_free(robot.near_base);
  expression_free(robot.near);
}

/* --- a run
 * -------------------------------------------------------------------------------------------------- */

typedef struct Run {
  double x[STEPS + 1][N];        /* of one lane                                            */
  double limb, hand;             /* largest deviation of a limb's length, of the curve     */
  double slow, fast;             /* the hand's speed                                       */
  double clear;                  /* least distance of a limb from the disc                 */
  double velocity, acceleration; /* mean squares of joint angles' changes           */
} Run;

#define SEARCH(trials) (&(SearchOptions){trials, 0.01, 1.0, 0.01})

static PlanOptions options(const SearchOptions *search)
{
  return (PlanOptions){
      .word = "H", .method = &method_kinematic_search, .h = step, .own = search, .isa = isa_best()};
}

static double clearance(const double *x)
{
  double least = INFINITY, from[2] = {0, 0};
  for (int k = 0; k < LIMBS; k++) {
    const double b[2] = {x[2 * k] - from[0], x[2 * k + 1] - from[1]},
                 a[2] = {disc[0] - from[0], disc[1] - from[1]};
    const double s = fmin(1.0, fmax(0.0, (a[0] * b[0] + a[1] * b[1]) / (b[0] * b[0] + b[1] * b[1])));
    least = fmin(least, hypot(a[0] - s * b[0], a[1] - s * b[1]) - radius);
    memcpy(from, x + 2 * k, sizeof from);
  }
  return least;
}

static void joint_angles(const double *x, double *angle)
{
  double from[2] = {0, 0}, before = 0.0;
  for (int k = 0; k < LIMBS; k++) {
    const double whole = atan2(x[2 * k + 1] - from[1], x[2 * k] - from[0]);
    angle[k] = remainder(whole - before, 2.0 * M_PI);
    before = whole;
    memcpy(from, x + 2 * k, sizeof from);
  }
}

static void measure(Run *run)
{
  double angle[3][LIMBS];
  run->limb = run->hand = run->fast = run->velocity = run->acceleration = 0.0;
  run->slow = run->clear = INFINITY;
  for (int n = 0; n <= STEPS; n++) {
    const double *x = run->x[n], *hand = x + N - 2;
    for (int k = 0; k < LIMBS; k++)
      run->limb =
          fmax(run->limb,
               fabs(hypot(x[2 * k] - (k ? x[2 * k - 2] : 0), x[2 * k + 1] - (k ? x[2 * k - 1] : 0)) - 1.0));
    run->hand = fmax(run->hand, fabs(pow((hand[0] - 2.4) / 1.2, 2) + pow((hand[1] - 0.8) / 0.8, 2) - 1.0));
    run->clear = fmin(run->clear, clearance(x));
    joint_angles(x, angle[n % 3]);
    if (n >= 1) {
      const double v = hypot(hand[0] - run->x[n - 1][N - 2], hand[1] - run->x[n - 1][N - 1]) / step;
      run->slow = fmin(run->slow, v);
      run->fast = fmax(run->fast, v);
    }
    for (int k = 0; k < LIMBS && n >= 2; k++) {
      const double d = remainder(angle[n % 3][k] - angle[(n - 1) % 3][k], 2.0 * M_PI) / step,
                   e = remainder(angle[(n - 1) % 3][k] - angle[(n - 2) % 3][k], 2.0 * M_PI) / step;
      run->velocity += d * d / STEPS;
      run->acceleration += (d - e) * (d - e) / (step * step) / STEPS;
    }
  }
}

/* The path of replica lane `lane` of 8 (or 16), replicas numbered from `first`. */
static void run_arm(const Kind *kind, const PlanOptions *o, int width, uint64_t seed, uint32_t first,
                    int lane, Run *run)
{
  State *state;
  Plan *plan;
  Walk *walk;
  ForceField field = {.n = 1};
  Error error = {0};
  const int nmol = 1;
  const Team team = team_alone();
  ck_assert_msg(plan_create(&plan, kind, o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(state_create(&state, width, 1, &kind, &nmol, seed, first, &error), STATUS_OK);
  ck_assert_int_eq(internal_create(&field.force[0], state, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_OK);
  double p[N] = {0};
  p[N - 1] = speed;
  for (int r = 0; r < width; r++)
    state_set(&state->block[0], width, state->block[0].p, r, p);
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  (void)walk_prepare(walk, &team, NULL);
  for (int n = 0; n <= STEPS; n++) {
    if (n > 0)
      ck_assert_msg(walk_run(walk, &team, 1, &error) == STATUS_OK, "%s", error.text);
    state_get(&state->block[0], width, state->block[0].q, lane, run->x[n]);
  }
  walk_free(walk);
  plan_free(plan);
  force_field_free(&field);
  state_free(state);
  measure(run);
}

static void report(const char *what, const Run *r)
{
  printf("%-28s limbs %.1e, hand %.1e, speed %.4f..%.4f, clearance %7.4f, mean squares %.4f, %.3f\n", what,
         r->limb, r->hand, r->slow, r->fast, r->clear, r->velocity, r->acceleration);
}

/* --- laws -------------------------------------------------------------------------------------------------
 */

static Run runs[3];

/* Limbs and hand to the tolerance of the solver, the speed to second order, on every instruction set; the
 * search makes the motion smoother; it goes into the obstacle where there is no potential and not where there
 * is one. */
TEST(arm_laws, .rows = ISA_COUNT)
{
  Kind plain = robot.kind;
  plain.npot = 0;
  PlanOptions none = options(SEARCH(0)), search = options(SEARCH(TRIALS));
  none.isa = search.isa = (Isa)_i;
  if (!isa_runs((Isa)_i))
    return;
  run_arm(&plain, &none, 8, 1, 0, 0, &runs[0]);
  run_arm(&plain, &search, 8, 1, 0, 0, &runs[1]);
  run_arm(&robot.kind, &search, 8, 1, 0, 0, &runs[2]);
  report("SHAKE alone", &runs[0]);
  report("search", &runs[1]);
  report("search, obstacle", &runs[2]);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_lt(runs[i].limb, 1e-11);
    ck_assert_double_lt(runs[i].hand, 1e-11);
    ck_assert_double_gt(runs[i].slow, 0.999 * speed);
    ck_assert_double_lt(runs[i].fast, 1.001 * speed);
  }
  ck_assert_double_lt(runs[1].velocity, 0.5 * runs[0].velocity);
  ck_assert_double_lt(runs[1].acceleration, 0.5 * runs[0].acceleration);
  ck_assert_double_lt(runs[1].clear, -0.1);
  ck_assert_double_gt(runs[2].clear, 0.0);
}

/* Replicas have trials of their own, and each keeps clear and is smoother than SHAKE alone: a paired
 * comparison, one trajectory of the hand. */
TEST(replicas_keep_the_laws)
{
  Kind plain = robot.kind;
  plain.npot = 0;
  const PlanOptions none = options(SEARCH(0)), search = options(SEARCH(TRIALS));
  run_arm(&plain, &none, 8, 1, 0, 0, &runs[0]);
  for (int lane = 0; lane < 8; lane += 3) {
    run_arm(&plain, &search, 8, 1, 0, lane, &runs[1]);
    ck_assert_double_lt(runs[1].velocity, runs[0].velocity);
    ck_assert_double_lt(runs[1].acceleration, runs[0].acceleration);
    run_arm(&robot.kind, &search, 8, 1, 0, lane, &runs[2]);
    ck_assert_double_gt(runs[2].clear, 0.0);
    ck_assert_double_lt(runs[2].limb, 1e-11);
  }
}

TEST(same_bits)
{
  const PlanOptions search = options(SEARCH(20));
  const size_t size = sizeof runs[0].x;
  run_arm(&robot.kind, &search, 8, 7, 3, 0, &runs[0]);
  run_arm(&robot.kind, &search, 8, 7, 0, 3, &runs[1]);
  ck_assert_int_eq(memcmp(runs[0].x, runs[1].x, size), 0);
  run_arm(&robot.kind, &search, 16, 7, 0, 3, &runs[1]);
  ck_assert_int_eq(memcmp(runs[0].x, runs[1].x, size), 0);
  run_arm(&robot.kind, &search, 1, 7, 3, 0, &runs[1]);
  ck_assert_int_eq(memcmp(runs[0].x, runs[1].x, size), 0);
  run_arm(&robot.kind, &search, 8, 8, 3, 0, &runs[1]);
  ck_assert_int_ne(memcmp(runs[0].x, runs[1].x, size), 0);
  run_arm(&robot.kind, &search, 8, 7, 4, 0, &runs[1]);
  ck_assert_int_ne(memcmp(runs[0].x, runs[1].x, size), 0);
}

/* Fewer trials are the beginning of more of them, so the objective of the first step never rises with their
 * number; here that of the angular velocities alone. */
TEST(objective_never_rises)
{
  Kind plain = robot.kind;
  plain.npot = 0;
  double least = INFINITY, first = 0.0;
  for (int trials = 0; trials <= 256; trials = trials ? 2 * trials : 1) {
    const PlanOptions o = options(&(SearchOptions){trials, 0.01, 1.0, 0.0});
    run_arm(&plain, &o, 8, 3, 0, 5, &runs[0]);
    double a[LIMBS], b[LIMBS], sum = 0.0;
    joint_angles(runs[0].x[0], a);
    joint_angles(runs[0].x[1], b);
    for (int k = 0; k < LIMBS; k++)
      sum += pow(remainder(b[k] - a[k], 2.0 * M_PI) / step, 2);
    ck_assert_double_le(sum, least * (1.0 + 1e-3)); /* the objective's turns are rational, not angles */
    least = sum;
    first = trials == 0 ? sum : first;
  }
  printf("sum of squared angular velocities in the first step: %.4f by SHAKE, %.4f after 256 trials\n", first,
         least);
  ck_assert_double_lt(least, 0.7 * first);
}

/* --- refusals
 * ----------------------------------------------------------------------------------------------- */

static void refused(const Kind *kind, const PlanOptions *o, const char *why)
{
  Plan *plan;
  Error error = {0};
  ck_assert_int_eq(plan_create(&plan, kind, o, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, why) != NULL, "'%s' does not say '%s'", error.text, why);
}

TEST(refusals)
{
  SearchOptions bad = *SEARCH(10);
  const PlanOptions o = options(&bad);
  Constraint con[CON + 1];
  Kind kind = robot.kind;
  kind.con = con;
  memcpy(con, robot.con, sizeof robot.con);
  kind.ncon = LIMBS;
  refused(&kind, &o, "no site is on a curve");
  kind.ncon = CON;
  con[LIMBS].site[0] = 2;
  refused(&kind, &o, "not the chain's last");
  memcpy(con, robot.con, sizeof robot.con);
  con[0] = (Constraint){&constraint_distance, 2, {0, 4}, {1.0}, NULL};
  refused(&kind, &o, "one anchor");
  memcpy(con, robot.con, sizeof robot.con);
  con[3].site[0] = 1;
  refused(&kind, &o, "branch");
  memcpy(con, robot.con, sizeof robot.con);
  con[CON] = robot.con[1];
  kind.ncon = CON + 1;
  refused(&kind, &o, "one limb for each site");
  kind = robot.kind;
  kind.dim = 3;
  kind.nsite = 3;
  refused(&kind, &o, "two dimensions");
  kind = robot.kind;
  kind.nsite = 2;
  refused(&kind, &o, "at least 3");
  bad.trials = -1;
  refused(&robot.kind, &o, "trials");
  bad.trials = 10;
  bad.amplitude = 0.0;
  refused(&robot.kind, &o, "amplitude");
  bad.amplitude = 0.1;
  bad.velocity = -1.0;
  refused(&robot.kind, &o, "weights");
}

/* A hand at rest is refused; one that goes out of reach stops the run. */
TEST(hands)
{
  const PlanOptions o = options(SEARCH(10));
  const Kind *kind = &robot.kind;
  const Team team = team_alone();
  const int nmol = 1;
  State *state;
  Plan *plan;
  Walk *walk;
  ForceField field = {0};
  Error error = {0};
  ck_assert_int_eq(plan_create(&plan, kind, &o, &error), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_OK);
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  (void)walk_prepare(walk, &team, NULL);
  ck_assert_int_eq(walk_run(walk, &team, 1, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "give it a momentum"));
  walk_free(walk);
  plan_free(plan);

  Expression *line;
  ck_assert_int_eq(implicit_formula(&line, "x - 3.6", 2, 1, 0, NULL, NULL, &error), STATUS_OK);
  Constraint con[CON];
  memcpy(con, robot.con, sizeof con);
  con[LIMBS].data = line;
  Kind away = robot.kind;
  away.con = con;
  away.npot = 0;
  double p[N] = {0};
  p[N - 1] = speed;
  state_set(&state->block[0], 1, state->block[0].p, 0, p);
  ck_assert_int_eq(plan_create(&plan, &away, &o, &error), STATUS_OK);
  state->block[0].kind = &away;
  ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_OK);
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  (void)walk_prepare(walk, &team, NULL);
  ck_assert_int_eq(walk_run(walk, &team, 400, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "kinematic-search"));
  printf("out of reach: %s\n", error.text);
  walk_free(walk);
  plan_free(plan);
  state_free(state);
  expression_free(line);
}

int main(void)
{
  suite_fixture(true, make_robot, free_robot);
  return suite_main("robot arm");
}
