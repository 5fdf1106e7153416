/* Compositions: order conditions of the weights, measured order over several steps, reversibility, refusals;
 * and the words without forces. */
#include "integrators/composition.h"
#include "methods/method_table.h"
#include "tests/norms.h"
#include "tests/suite.h"
#include "tests/walks.h"

START_TEST(weights_meet_the_order_conditions)
{
  for (const Composition *c = composition_table; c->name != NULL; c++) {
    ck_assert_int_eq(composition_stages(c), c->nstage);
    for (int power = 1; power < c->order; power += 2) {
      double sum = 0.0;
      for (int i = 0; i < c->nstage; i++)
        sum += pow(composition_weight(c, i), power);
      ck_assert_msg(fabs(sum - (power == 1)) < 1e-14, "%s: sum of powers %d is %.3g", c->name, power, sum);
    }
    ck_assert(composition_find(c->name) == c);
  }
  ck_assert_ptr_null(composition_find("none"));
}
END_TEST

typedef struct Case {
  const char *name;
  const Kind *kind;
  const double *q, *p;
  PlanOptions options;
  int steps[4]; /* per unit of time: for each row of the table, where its error is asymptotic and above
                   rounding */
} Case;

static const Case cases[] = {
    {"position Verlet", &planar, planar_q, planar_p, {.word = "ABA", .accel = "verlet"}, {28, 28, 19, 19}},
    {"zss-block",
     &planar,
     planar_q,
     planar_p,
     {.word = "BAB", .accel = "zss-block", .beta = 0.3},
     {42, 42, 42, 28}},
    {"zs on penalties",
     &pendulum,
     pendulum_q,
     pendulum_p,
     {.word = "BAB", .accel = "zs", .beta = 0.3, .w = 3},
     {94, 63, 94, 42}},
    {"rattle",
     &pendulum,
     pendulum_q,
     pendulum_p,
     {.word = "BAB", .accel = "verlet", .constraints = "rattle", .constraint = {1e-14, 100, NULL}},
     {28, 28, 28, 9}},
    {"newmark",
     &planar,
     planar_q,
     planar_p,
     {.method = &method_newmark, .beta = 0.3, .tolerance = 1e-13},
     {28, 28, 28, 19}},
    {"energy-momentum", &planar, planar_q, planar_p, {.method = &method_energy_momentum}, {42, 28, 42, 13}},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

/* The order from two steps where the error is far above rounding and the finer one is asymptotic. */
static double slope(const Case *c, const char *composition, int steps)
{
  PlanOptions o = c->options;
  double exact[24], z[24], error[2];
  const int n = c->kind->nsite * c->kind->dim;
  o.composition = "yoshida8";
  walked_after(c->kind, o, c->q, c->p, 1.0, 512, exact);
  o.composition = composition;
  for (int i = 0; i < 2; i++) {
    walked_after(c->kind, o, c->q, c->p, 1.0, steps << i, z);
    error[i] = distance(2 * n, z, exact);
  }
  return log2(error[0] / error[1]);
}

START_TEST(order_is_as_said)
{
  const Case *c = &cases[_i];
  for (const Composition *row = composition_table; row->name != NULL; row++) {
    const double order = slope(c, row->name, c->steps[row - composition_table]);
    ck_assert_msg(fabs(order - row->order) < 0.2, "%s by %s: order %.2f", c->name, row->name, order);
  }
  const double order = slope(c, NULL, 96);
  ck_assert_msg(fabs(order - 2.0) < 0.1, "%s: order %.2f", c->name, order);
}
END_TEST

START_TEST(composed_steps_are_reversible)
{
  const Case *c = &cases[_i];
  PlanOptions o = c->options;
  o.composition = "yoshida6";
  o.h = 0.05;
  Walked w;
  walked_open(&w, c->kind, &o, c->q, c->p);
  walked_run(&w, 20);
  for (int i = 0; i < w.n; i++)
    walked_p(&w)[i] = -walked_p(&w)[i];
  ck_assert_double_gt(fabs(walked_q(&w)[2][0] - c->q[2]), 1e-2);
  walked_run(&w, 20);
  for (int i = 0; i < w.n; i++)
    ck_assert_msg(fabs(walked_q(&w)[i][3] - c->q[i]) < 1e-9, "%s: %.3g", c->name,
                  fabs(walked_q(&w)[i][3] - c->q[i]));
  walked_close(&w);
}
END_TEST

static const struct {
  const Kind *kind;
  PlanOptions options;
  const char *says;
} refused[] = {
    {&planar, {.word = "BABO", .accel = "verlet", .composition = "yoshida4"}, "backwards in time"},
    {&planar, {.word = "BA", .accel = "verlet", .composition = "yoshida4"}, "symmetric"},
    {&planar, {.word = "BAB", .accel = "verlet", .composition = "yoshida5"}, "'yoshida5'"},
    {&planar, {.word = "BABABABAB", .accel = "verlet", .composition = "yoshida8"}, "too long"},
    {&pendulum,
     {.method = &method_geometric_rattle, .base = "symplectic-euler", .composition = "yoshida4"},
     "'geometric-rattle' over symplectic-euler is none"},
    {&pendulum, {.method = &method_geometric_shake, .composition = "yoshida4"}, "'geometric-shake' is none"},
    {&rotation, {.method = &method_so3_cayley, .composition = "yoshida4"}, "so3-cayley"},
    {&planar, {.word = "H", .accel = "verlet"}, "name one"},
    {&planar, {.word = "BAB", .method = &method_newmark}, "has no H"},
    {&planar, {.word = "HAB", .method = &method_newmark}, "mixes H"},
    {&planar, {.method = &method_so3_cayley}, "rotation"},
    {&pendulum, {.method = &method_newmark}, "give a penalty"},
    {&pendulum, {.method = &method_energy_momentum, .w = 10}, "leave it out"},
    {&pendulum, {.method = &method_energy_momentum, .constraints = "rattle"}, "leave out 'rattle'"},
};

START_TEST(what_does_not_fit_is_refused)
{
  PlanOptions o = refused[_i].options;
  o.h = 0.1;
  o.isa = isa_best();
  Plan *plan;
  Error error;
  ck_assert_int_eq(plan_create(&plan, refused[_i].kind, &o, &error), STATUS_INPUT);
  ck_assert_ptr_null(plan);
  ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "'%s' does not say '%s'", error.text,
                refused[_i].says);
}
END_TEST

/* Fresh momenta and a drift, no forces: on a circle of radius 1 the angle moves by sqrt(kT/m) h a step, a
 * free random walk whose mean square grows in proportion to time. */
START_TEST(a_walk_on_a_circle_diffuses)
{
  static const Constraint circle_con[1] = {ANCHOR(0, 1, 0, 0)};
  static const Potential circle_pot[1] = {FIELD(0, 0, -50)};
  static const double mass[1] = {2.0}, q[2] = {1, 0}, p[2] = {0, 0};
  static const Kind circle = {"circle", 1, 2, 1, mass, no_names, circle_con, q, 1, circle_pot, NULL};
  const PlanOptions o = {.word = "WALK",
                         .h = 0.1,
                         .accel = "verlet",
                         .constraints = "rattle",
                         .constraint = {1e-13, 100, NULL},
                         .gamma = INFINITY,
                         .kT = 0.5};
  Walked w;
  walked_open(&w, &circle, &o, q, p);
  enum { STEPS = 4000 };
  double sum = 0.0, down = 0.0;
  for (int k = 0; k < STEPS; k++) {
    double from[8];
    for (int l = 0; l < 8; l++)
      from[l] = atan2(walked_q(&w)[1][l], walked_q(&w)[0][l]);
    walked_run(&w, 1);
    for (int l = 0; l < 8; l++) {
      const double x = walked_q(&w)[0][l], y = walked_q(&w)[1][l];
      const double turn = remainder(atan2(y, x) - from[l], 2.0 * M_PI);
      ck_assert_double_lt(fabs(hypot(x, y) - 1.0), 1e-12);
      sum += turn * turn;
      down += y;
    }
  }
  /* E sin^2 of a normal move s: the SHAKE step moves by asin(s); s = 0.05, asin(s)^2 = s^2 (1 + s^2 + ...).
   */
  const double expected = 0.5 / 2.0 * 0.01 * 1.0025, n = 8.0 * STEPS;
  ck_assert_double_eq_tol(sum / n / expected, 1.0, 5.0 * sqrt(2.0 / n));
  ck_assert_double_lt(fabs(down / n), 0.2); /* gravity is not felt: -0.99 at this kT */
  walked_close(&w);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("composition");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, weights_meet_the_order_conditions);
  tcase_add_loop_test(tc, order_is_as_said, 0, CASES);
  tcase_add_loop_test(tc, composed_steps_are_reversible, 0, CASES);
  tcase_add_loop_test(tc, what_does_not_fit_is_refused, 0, (int)(sizeof refused / sizeof *refused));
  tcase_add_test(tc, a_walk_on_a_circle_diffuses);
  return suite_main("composition", tc);
}
