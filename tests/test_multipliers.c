/* What SHAKE, RATTLE and SETTLE say of the constraints' forces, against the forces themselves. */
#include "methods/method_table.h"
#include "tests/scenes.h"
#include "tests/suite.h"
#include "tests/walks.h"

/* A double pendulum in the plane under gravity, both joints bent. */
static const double bent_mass[2] = {1.0, 2.0};
static const char *const site[2] = {"A", "B"};
static const Constraint con[2] = {ANCHOR(0, 1.0, 0.0, 0.0), DISTANCE(0, 1, 1.5)};
static const Potential weight[2] = {FIELD(0, 0.0, -1.0), FIELD(1, 0.0, -2.0)};
static const double start[4] = {0.6, -0.8, 2.1, -0.8}, rest[4] = {0.0};
static const Kind bent = {.name = "pendulum",
                          .nsite = 2,
                          .dim = 2,
                          .ncon = 2,
                          .mass = bent_mass,
                          .site = site,
                          .con = con,
                          .reference = start,
                          .npot = 2,
                          .pot = weight};

/* d2g/dt2 = J M^-1 (f + J' lambda) + v' Hess g v = 0 at q with tangent momenta p. */
static void exact(const double *q, const double *p, double lambda[2])
{
  const double f[4] = {0.0, -1.0, 0.0, -2.0};
  double grad[2][4] = {{2.0 * q[0], 2.0 * q[1], 0.0, 0.0}, {0.0}}, v[4], g[2][2] = {{0.0}}, b[2];
  for (int d = 0; d < 2; d++) {
    grad[1][d] = 2.0 * (q[d] - q[2 + d]);
    grad[1][2 + d] = -grad[1][d];
  }
  for (int i = 0; i < 4; i++)
    v[i] = p[i] / bent_mass[i / 2];
  b[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]);
  b[1] = 2.0 * ((v[0] - v[2]) * (v[0] - v[2]) + (v[1] - v[3]) * (v[1] - v[3]));
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 4; i++) {
      b[c] += grad[c][i] * f[i] / bent_mass[i / 2];
      for (int e = 0; e < 2; e++)
        g[c][e] += grad[c][i] * grad[e][i] / bent_mass[i / 2];
    }
  const double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
  lambda[0] = -(g[1][1] * b[0] - g[0][1] * b[1]) / det;
  lambda[1] = -(g[0][0] * b[1] - g[1][0] * b[0]) / det;
}

static void state_of(const Walked *w, double *q, double *p)
{
  for (int i = 0; i < 4; i++) {
    q[i] = walked_q(w)[i][3];
    p[i] = walked_p(w)[i][3];
  }
}

typedef struct Case {
  const char *method, *word, *solver;
  Friction friction; /* its strength is zero: O does nothing but project */
} Case;

static const Case cases[] = {
    {"rattle", "BAB", "newton", FRICTION_MASS},       {"rattle", "ABA", "newton", FRICTION_MASS},
    {"rattle", "BABAB", "newton", FRICTION_MASS},     {"rattle", "BAB", "milc", FRICTION_MASS},
    {"rattle", "BAB", "gauss-seidel", FRICTION_MASS}, {"rattle", "BAOAB", "newton", FRICTION_MASS},
    {"rattle", "BAOAB", "newton", FRICTION_UNIFORM},  {"shake", "BAB", "newton", FRICTION_MASS},
    {"shake", "ABA", "newton", FRICTION_MASS},        {"shake", "BABAB", "newton", FRICTION_MASS},
    {"shake", "BAOAB", "newton", FRICTION_MASS},      {"shake", "BAOAB", "newton", FRICTION_UNIFORM},
    {"shake", "BABO", "newton", FRICTION_MASS},       {NULL, "energy-momentum", NULL, FRICTION_MASS},
    {NULL, "geometric-shake", NULL, FRICTION_MASS},   {NULL, "geometric-rattle", NULL, FRICTION_MASS}};
enum { CASES = (int)(sizeof cases / sizeof *cases), FINE = 6400 };

/* The multipliers over a unit of time, [FINE + 1]: those of a trajectory with a step that is fine. */
static void exact_series(double (*lambda)[2])
{
  const PlanOptions o = {.word = "BAB",
                         .h = 1.0 / FINE,
                         .accel = "verlet",
                         .constraints = "rattle",
                         .constraint = {1e-14, 500, "newton"}};
  Walked w;
  double q[4], p[4];
  walked_open(&w, &bent, &o, start, rest);
  exact(start, rest, lambda[0]);
  for (int n = 1; n <= FINE; n++) {
    walked_run(&w, 1);
    state_of(&w, q, p);
    exact(q, p, lambda[n]);
  }
  walked_close(&w);
}

/* The largest distance of a step's multipliers from those of the time that they are said to belong to. */
static double distance(const Case *c, int steps, double (*reference)[2])
{
  PlanOptions o = {.word = c->word,
                   .h = 1.0 / steps,
                   .accel = "verlet",
                   .constraints = c->method,
                   .constraint = {1e-14, 500, c->solver},
                   .friction = c->friction,
                   .keep_multipliers = true};
  if (c->method == NULL) {
    for (int i = 0; o.method == NULL; i++)
      o.method = strcmp(method_table[i]->name, c->word) == 0 ? method_table[i] : NULL;
    o.word = NULL;
    o.base = strstr(c->word, "geometric") != NULL ? "stormer-verlet" : NULL;
  }
  Walked w;
  walked_open(&w, &bent, &o, start, rest);
  double worst = 0.0, lambda[2];
  for (int n = 1; n <= steps; n++) {
    walked_run(&w, 1);
    walk_multipliers(w.walk, 3, 0, lambda);
    const double at = (n * o.h - plan_multipliers_age(w.plan)) * FINE;
    const long k = lround(at);
    ck_assert_double_eq_tol(at, (double)k, 1e-6);
    /* From tangent momenta geometric SHAKE's first step has no half of the step before it. */
    for (int i = 0; i < 2 && (n > 1 || strcmp(c->word, "geometric-shake") != 0); i++)
      worst = fmax(worst, fabs(lambda[i] - reference[k][i]));
  }
  walked_close(&w);
  return worst;
}

TEST(they_are_the_forces_at_their_time_to_second_order, .rows = CASES)
{
  static double reference[FINE + 1][2];
  const Case *c = &cases[_i];
  exact_series(reference);
  const double coarse = distance(c, 100, reference), fine = distance(c, 200, reference);
  printf("%s %s: %.3g, %.3g\n", c->method != NULL ? c->method : "H", c->word, coarse, fine);
  ck_assert_msg(coarse < 0.01, "%s: %g", c->word, coarse);
  ck_assert_double_eq_tol(log2(coarse / fine), 2.0, 0.15);
}

TEST(settle_and_rattle_agree)
{
  Scene scene;
  scene_cluster(&scene, 3, 8, isa_best());
  double lambda[2][3][3];
  for (int k = 0; k < 2; k++) {
    PlanOptions o = scene_constrained(k == 0 ? "settle" : "rattle", "BAB", 0.02);
    o.keep_multipliers = true;
    scene_plan(&scene, &o);
    scene_warm(&scene, 5); /* the same momenta */
    scene_run(&scene, 1);
    for (int i = 0; i < 3; i++)
      walk_multipliers(scene.walk, 2, i, lambda[k][i]);
    if (k == 0) {
      /* Back to where it started: reversed momenta retrace the step. */
      Block *block = &scene.state->block[0];
      for (int i = 0; i < block->npack * 9; i++)
        block->p[i] = -block->p[i];
      scene_run(&scene, 1);
      scene.state->step = 0;
    }
  }
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++) {
      ck_assert_double_gt(fabs(lambda[0][i][c]), 1e-6);
      ck_assert_double_eq_tol(lambda[0][i][c], lambda[1][i][c], 1e-6 * (1.0 + fabs(lambda[1][i][c])));
    }
  scene_free(&scene);
}

TEST(they_are_zero_where_nothing_keeps_them)
{
  const PlanOptions o = {
      .word = "BAB", .h = 0.01, .accel = "verlet", .constraints = "rattle", .constraint = {1e-12, 50, NULL}};
  Walked w;
  walked_open(&w, &bent, &o, start, rest);
  walked_run(&w, 5);
  double lambda[2] = {1.0, 1.0};
  walk_multipliers(w.walk, 0, 0, lambda);
  ck_assert_double_eq(lambda[0], 0.0);
  ck_assert_double_eq(lambda[1], 0.0);
  walked_close(&w);
}
