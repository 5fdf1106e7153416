/* Compositions: order conditions of the weights, measured order over several steps, reversibility, refusals;
 * and the words without forces. */
#include "base/text.h"
#include "config/config.h"
#include "integrators/composition.h"
#include "methods/hamiltonian.h"
#include "methods/method_table.h"
#include "tests/norms.h"
#include "tests/suite.h"
#include "tests/walks.h"

TEST(weights_meet_the_order_conditions)
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

TEST(order_is_as_said, .rows = CASES)
{
  const Case *c = &cases[_i];
  for (const Composition *row = composition_table; row->name != NULL; row++) {
    const double order = slope(c, row->name, c->steps[row - composition_table]);
    ck_assert_msg(fabs(order - row->order) < 0.2, "%s by %s: order %.2f", c->name, row->name, order);
  }
  const double order = slope(c, NULL, 96);
  ck_assert_msg(fabs(order - 2.0) < 0.1, "%s: order %.2f", c->name, order);
}

TEST(composed_steps_are_reversible, .rows = CASES)
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

static const Hamiltonian any_hamiltonian;
static const Kind general = {
    .name = "general", .nsite = 1, .dim = 1, .mass = planar_mass, .ham = &any_hamiltonian};
static const double uneven[3] = {0.5, 1, 0.25};

/* Each is refused by plan_create, and in an input file at the line of the key. */
static const struct {
  const Kind *kind;
  PlanOptions options;
  const char *option, *says;
  bool by_kind; /* the options alone are right */
} refused[] = {
    {&planar, {.word = "BABXX"}, "word", "has the letter 'X'"},
    {&planar, {.word = "BABABABABABABABABABABABABABABABAB"}, "word", "33 letters"},
    {&planar, {.word = "BB"}, "word", "at least one A"},
    {&planar, {.word = "BAB", .weight = uneven, .nweight = 2}, "weights", "2 weights"},
    {&planar, {.word = "BAB", .weight = uneven, .nweight = 3}, "weights", "not 1"},
    {&pendulum,
     {.word = "BAB", .accel = "zss", .constraints = "rattle"},
     "acceleration",
     "'zss' filters stiff potentials"},
    {&planar, {.word = "SBABS", .accel = "zss"}, "acceleration", "'SBABS' has separate kicks"},
    {&planar, {.word = "BABO", .composition = "yoshida4"}, "composition", "backwards"},
    {&planar, {.word = "BA", .composition = "yoshida4"}, "composition", "symmetric"},
    {&planar, {.word = "BAB", .composition = "yoshida5"}, "composition", "'yoshida5'"},
    {&planar, {.word = "BABABABAB", .composition = "yoshida8"}, "composition", "too long"},
    {&pendulum,
     {.method = &method_geometric_rattle, .base = "symplectic-euler", .composition = "yoshida4"},
     "composition",
     "'geometric-rattle' over symplectic-euler is not symmetric"},
    {&pendulum,
     {.method = &method_geometric_shake, .composition = "yoshida4"},
     "composition",
     "'geometric-shake' is not symmetric"},
    {&planar, {.word = "H"}, "word", "name one"},
    {&planar, {.word = "BAB", .method = &method_newmark}, "word", "has no H"},
    {&planar, {.word = "HAB", .method = &method_newmark}, "word", "mixes H"},
    {&general, {.word = "HO", .method = &method_midpoint}, "word", "no kinetic energy"},
    {&general, {.word = "BAB"}, "method", "'BAB' cannot move a general"},
    {&general, {.method = &method_newmark}, "method", "'newmark' cannot move a general"},
    {&planar, {.method = &method_so3_cayley}, "method", "rotation", true},
    {&pendulum, {.method = &method_newmark}, "constraints", "the constraints need a method or penalties"},
    {&pendulum,
     {.method = &method_energy_momentum, .w = 10},
     "constraints",
     "'energy-momentum' does not support penalties"},
    {&pendulum,
     {.method = &method_energy_momentum, .constraints = "rattle"},
     "constraints",
     "leave out 'rattle'"},
    {&pendulum,
     {.word = "BAB", .constraints = "rattle", .constraint.solver = "jacobi"},
     "solver",
     "unknown constraint solver",
     true},
    {&pendulum, {.word = "BAB", .constraints = "settle"}, "constraints", "does not fit", true},
};

TEST(what_does_not_fit_is_refused, .rows = sizeof refused / sizeof *refused)
{
  PlanOptions o = refused[_i].options;
  o.h = 0.1;
  o.accel = o.accel != NULL ? o.accel : "verlet";
  o.constraint.tolerance = 1e-12;
  o.constraint.max_iterations = 100;
  o.isa = isa_best();
  Plan *plan;
  Error error;
  ck_assert_int_eq(plan_create(&plan, refused[_i].kind, &o, &error), STATUS_INPUT);
  ck_assert_ptr_null(plan);
  ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "'%s' does not say '%s'", error.text,
                refused[_i].says);
  ck_assert_str_eq(error.option, refused[_i].option);
}

enum { TEXT = 1024 };

static void add_key(char *text, const char *key, const char *value)
{
  if (value != NULL)
    text_append(text, TEXT, "  %s: %s\n", key, value);
}

/* An input file with these options, a line each. */
static void write_input(char text[TEXT], const Kind *kind, const PlanOptions *o)
{
  char weights[64] = "", w[32];
  snprintf(w, sizeof w, "%g", o->w);
  for (int i = 0; i < o->nweight; i++)
    text_append(weights, sizeof weights, "%s%g", i > 0 ? ", " : "[", o->weight[i]);
  text_append(weights, sizeof weights, "]");
  snprintf(text, TEXT, "units: reduced\nsystem:\n%s%s",
           kind == &general ? "  hamiltonian: p1^2 + q1^2\n  position: [1]\n  momentum: [0]\n"
                            : "  dimensions: 2\n  sites: [{mass: 1, position: [1, 0]}]\n",
           kind == &pendulum ? "  constraints: [{type: anchor, site: 1, point: [0, 0], distance: 1}]\n" : "");
  text_append(text, TEXT, "integrator:\n  timestep: 0.1\n  steps: 10\n");
  add_key(text, "word", o->word);
  add_key(text, "weights", o->nweight > 0 ? weights : NULL);
  add_key(text, "acceleration", o->accel);
  add_key(text, "base", o->base);
  add_key(text, "composition", o->composition);
  add_key(text, "method", o->method != NULL ? o->method->name : NULL);
  const bool penalty = o->w != 0.0;
  text_append(text, TEXT, "geometry:\n");
  add_key(text, "method", penalty ? "penalty" : o->constraints != NULL ? o->constraints : "none");
  add_key(text, "w", penalty ? w : NULL);
}

/* The line of section.name in a file, or of its section where the name is missing. */
static int line_of(const char *text, const char *key)
{
  const int section = (int)(strchr(key, '.') - key);
  const char *const name = key + section + 1;
  bool at = false;
  int line = 0, number = 1;
  for (const char *c = text; *c != '\0'; c = strchr(c, '\n') + 1, number++) {
    if (*c != ' ')
      at = strncmp(c, key, (size_t)section) == 0;
    if (at && (*c != ' ' || strncmp(c + 2, name, strlen(name)) == 0))
      line = number;
  }
  return line;
}

TEST(an_input_file_is_refused_alike, .rows = sizeof refused / sizeof *refused)
{
  char text[TEXT], key[64], where[128];
  Config *config;
  Error error;
  const bool held = strcmp(refused[_i].option, "constraints") == 0;
  if (refused[_i].by_kind)
    return;
  snprintf(key, sizeof key, "%s.%s", held ? "geometry" : "integrator", held ? "method" : refused[_i].option);
  write_input(text, refused[_i].kind, &refused[_i].options);
  ck_assert_msg(config_parse("f.yaml", text, NULL, 0, &config, &error) == STATUS_INPUT, "accepted: %s", text);
  snprintf(where, sizeof where, "f.yaml:%d: %s: ", line_of(text, key), key);
  const char *const found = strstr(error.text, where);
  ck_assert_msg(found != NULL && strstr(found, refused[_i].says) != NULL, "'%s' does not say '%s' and '%s'",
                error.text, where, refused[_i].says);
}

/* Fresh momenta and a drift, no forces: on a circle of radius 1 the angle moves by sqrt(kT/m) h a step, a
 * free random walk whose mean square grows in proportion to time. */
TEST(a_walk_on_a_circle_diffuses)
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
