/* Laws of the methods of the letter H: order, reversibility, what they conserve, independence of lanes. */
#include "methods/method_table.h"
#include "tests/norms.h"
#include "tests/suite.h"
#include "tests/walks.h"

#define TILT_C 0.76484218728448842626
#define TILT_S 0.64421768723769105367

typedef struct Case {
  const char *name;
  const Kind *kind;
  const double *q, *p;
  PlanOptions options;
  int steps; /* per unit of time, where the order is measured */
} Case;

/* Turned by 0.7 about the first axis: a start with torque. Without, as at R = I, positions are those of a
 * scheme of second order, half a kick away. */
static const double tilted_q[9] = {1, 0, 0, 0, TILT_C, TILT_S, 0, -TILT_S, TILT_C};
/* p_i = (1/2) omega x r_i, omega = (1, 0.2, 0.1). */
static const double tilted_p[9] = {0,
                                   0.05,
                                   -0.1,
                                   0.1 * TILT_S - 0.05 * TILT_C,
                                   -0.5 * TILT_S,
                                   0.5 * TILT_C,
                                   0.1 * TILT_C + 0.05 * TILT_S,
                                   -0.5 * TILT_C,
                                   -0.5 * TILT_S};

static const Case cases[] = {
    {"newmark", &pendulum, pendulum_q, pendulum_p, {.method = &method_newmark, .beta = 0.4, .w = 5}, 96},
    {"midpoint as ABA",
     &pendulum,
     pendulum_q,
     pendulum_p,
     {.word = "ABA", .accel = "newmark", .beta = 0.25, .w = 5},
     96},
    {"energy-momentum", &particles, particles_q, particles_p, {.method = &method_energy_momentum}, 200},
    {"energy-momentum of pendula",
     &pendulum,
     pendulum_q,
     pendulum_p,
     {.method = &method_energy_momentum},
     96},
    {"so3-cayley", &rotation, tilted_q, tilted_p, {.method = &method_so3_cayley}, 96},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

/* In positions; the momenta of energy-momentum are off the tangent space, to a lower order perhaps. */
TEST(order_is_as_said, .rows = CASES)
{
  const Case *c = &cases[_i];
  const int n = c->kind->nsite * c->kind->dim,
            expected = c->options.method != NULL ? c->options.method->order : 2;
  double exact[24], z[24], error[2];
  PlanOptions o = c->options;
  if (expected > 1)
    o.composition = "suzuki4";
  walked_after(c->kind, o, c->q, c->p, 1.0, expected > 1 ? 8 * c->steps : 512 * c->steps, exact);
  for (int i = 0; i < 2; i++) {
    walked_after(c->kind, c->options, c->q, c->p, 1.0, c->steps << i, z);
    error[i] = distance(n, z, exact);
  }
  const double order = log2(error[0] / error[1]);
  ck_assert_msg(fabs(order - expected) < 0.1, "%s: order %.3f (errors %.3g, %.3g)", c->name, order, error[0],
                error[1]);
}

/* It cannot be composed, so its reference is Newmark solved. */
TEST(one_newton_step_is_of_second_order)
{
  const PlanOptions solved = {.method = &method_newmark, .beta = 0.4, .w = 5, .composition = "suzuki4"};
  const PlanOptions one = {.method = &method_newmark_1, .beta = 0.4, .w = 5};
  double exact[8], z[8], error[2];
  walked_after(&pendulum, solved, pendulum_q, pendulum_p, 1.0, 800, exact);
  for (int i = 0; i < 2; i++) {
    walked_after(&pendulum, one, pendulum_q, pendulum_p, 1.0, 400 << i, z);
    error[i] = distance(8, z, exact);
  }
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2.0, 0.1);
}

/* Where the tangent is exact, in a linear system, one Newton step is the solution. */
TEST(one_newton_step_solves_linear_systems)
{
  static const double mass[2] = {1.0, 3.0}, q[4] = {0.3, -0.2, 1.1, 0.4}, p[4] = {0.5, 0.1, -0.4, 0.2};
  static const char *const site[2] = {"A", "B"};
  static const Potential links[2] = {LINK(0, 1, 7.0), FIELD(0, 0.3, -1.0)};
  static const Kind linear = {"linked", 2, 2, 0, mass, site, NULL, q, 2, links};
  double one[8], solved[8];
  walked_after(&linear, (PlanOptions){.method = &method_newmark_1, .beta = 0.3}, q, p, 5.0, 20, one);
  walked_after(&linear, (PlanOptions){.method = &method_newmark, .beta = 0.3}, q, p, 5.0, 20, solved);
  ck_assert_double_lt(distance(8, one, solved), 1e-11);
}

/* The map and the method of this name take one step to the same place, and leave with other momenta: the
 * map's last kick is by the force there, the method's by its tangent. In a linear system they are one. */
TEST(one_newton_step_is_two_maps)
{
  const PlanOptions method = {.method = &method_newmark_1, .beta = 0.4, .w = 5};
  const PlanOptions map = {.word = "BAB", .accel = "newmark-1", .hessian = HESSIAN_FULL, .beta = 0.4, .w = 5};
  double a[8], b[8];
  walked_after(&pendulum, method, pendulum_q, pendulum_p, 0.05, 1, a);
  walked_after(&pendulum, map, pendulum_q, pendulum_p, 0.05, 1, b);
  ck_assert_double_lt(distance(4, a, b), 1e-12);
  ck_assert_double_gt(distance(4, a + 4, b + 4), 1e-6);
}

TEST(symmetric_methods_are_reversible, .rows = CASES)
{
  const Case *c = &cases[_i];
  PlanOptions o = c->options;
  o.h = 0.02;
  Walked w;
  walked_open(&w, c->kind, &o, c->q, c->p);
  walked_run(&w, 100);
  double moved = 0.0, worst = 0.0;
  for (int i = 0; i < w.n; i++) {
    moved = fmax(moved, fabs(walked_q(&w)[i][0] - c->q[i]));
    walked_p(&w)[i] = -walked_p(&w)[i];
  }
  walked_run(&w, 100);
  for (int i = 0; i < w.n; i++)
    worst = fmax(worst, fabs(walked_q(&w)[i][5] - c->q[i]));
  ck_assert_double_gt(moved, 0.1);
  if (c->options.method == NULL || (c->options.method->traits & METHOD_REVERSIBLE) != 0)
    ck_assert_msg(worst < 1e-9, "%s: %.3g", c->name, worst);
  else
    ck_assert_msg(worst > 1e-6, "%s is reversible, which it does not say: %.3g", c->name, worst);
  walked_close(&w);
}

/* Copies that start elsewhere change no bit of copy 2. */
TEST(lanes_do_not_see_each_other, .rows = CASES)
{
  const Case *c = &cases[_i];
  PlanOptions o = c->options;
  o.h = 0.02;
  double z[2][24];
  for (int k = 0; k < 2; k++) {
    Walked w;
    walked_open(&w, c->kind, &o, c->q, c->p);
    for (int l = 0; k == 1 && l < 8; l++)
      for (int i = 0; l != 2 && i < w.n; i++) /* times -l/4: on the manifold, at other speeds, some at rest */
        walked_p(&w)[i][l] *= -0.25 * l;
    walked_run(&w, 50);
    for (int i = 0; i < w.n; i++) {
      z[k][i] = walked_q(&w)[i][2];
      z[k][w.n + i] = walked_p(&w)[i][2];
    }
    walked_close(&w);
  }
  ck_assert_mem_eq(z[0], z[1], 2 * sizeof(double) * (size_t)(c->kind->nsite * c->kind->dim));
}

/* --- Newmark ------------------------------------------------------------------------------------------- */

/* q = x + beta h^2 a takes the word BAB of the map to the method. */
TEST(newmark_is_its_pushforward)
{
  const double h = 0.1, beta = 0.4, w0 = 20.0;
  const PlanOptions own = {.method = &method_newmark, .h = h, .beta = beta, .w = w0, .tolerance = 1e-14};
  const PlanOptions pushed = {
      .word = "BAB", .accel = "newmark", .h = h, .beta = beta, .w = w0, .tolerance = 1e-14};
  Walked map, method;
  walked_open(&map, &pendulum, &pushed, pendulum_q, pendulum_p);
  double q[4];
  for (int i = 0; i < 4; i++) /* masses 1; f = M a */
    q[i] = pendulum_q[i] + beta * h * h * map.state->block[0].f[i][0];
  walked_open(&method, &pendulum, &own, q, pendulum_p);
  walked_run(&map, 100);
  walked_run(&method, 100);
  for (int i = 0; i < 4; i++) {
    const double x = walked_q(&map)[i][0] + beta * h * h * map.state->block[0].f[i][0];
    ck_assert_double_eq_tol(walked_q(&method)[i][0], x, 1e-9);
    ck_assert_double_eq_tol(walked_p(&method)[i][0], walked_p(&map)[i][0], 1e-9);
  }
  walked_close(&map);
  walked_close(&method);
}

/* m = q + h/2 v + h^2/4 a, a = -M^-1 grad V(m): the implicit midpoint rule is the word ABA of the map
 * "newmark" with beta = 1/4, banded and over lanes; the method "midpoint" solves it on any Hamiltonian. */
TEST(midpoint_is_a_word_of_newmark)
{
  const PlanOptions rule = {.method = &method_midpoint, .h = 0.1, .w = 5, .tolerance = 1e-14};
  const PlanOptions word = {
      .word = "ABA", .accel = "newmark", .h = 0.1, .beta = 0.25, .w = 5, .tolerance = 1e-14};
  double a[8], b[8];
  walked_after(&pendulum, rule, pendulum_q, pendulum_p, 5.0, 50, a);
  walked_after(&pendulum, word, pendulum_q, pendulum_p, 5.0, 50, b);
  ck_assert_double_lt(distance(8, a, b), 1e-10);
}

/* D = d(q, p)' / d(q, p) of one step of the pendulum, D[8][8], by differences of sixth order. */
static void step_jacobian(const PlanOptions *o, const double *q, const double *p, double jac[8][8])
{
  static const double weight[6] = {-1.0 / 60, 3.0 / 20, -3.0 / 4, 3.0 / 4, -3.0 / 20, 1.0 / 60};
  static const double at[6] = {-3, -2, -1, 1, 2, 3};
  const double step = 1e-3;
  for (int column = 0; column < 8; column++) {
    Walked w;
    walked_open(&w, &pendulum, o, q, p);
    Vec8 *moved = column < 4 ? &walked_q(&w)[column] : &walked_p(&w)[column - 4];
    for (int l = 0; l < 6; l++)
      (*moved)[l] += step * at[l];
    (void)walk_prepare(w.walk, &w.team, NULL);
    walked_run(&w, 1);
    for (int row = 0; row < 8; row++) {
      const Vec8 out = row < 4 ? walked_q(&w)[row] : walked_p(&w)[row - 4];
      jac[row][column] = 0.0;
      for (int l = 0; l < 6; l++)
        jac[row][column] += weight[l] * out[l] / step;
    }
    walked_close(&w);
  }
}

/* form[8][8] of dx ^ dp with x = q + bh2 grad V(q), unit masses: the canonical one with 1 + bh2 Hess V in the
 * corner. bh2 = 0: canonical. */
static void two_form(double bh2, double w, const double *q, double form[8][8])
{
  Vec8 lanes[4], hess[16];
  for (int i = 0; i < 4; i++)
    lanes[i] = vec8_set(q[i]);
  memset(form, 0, 64 * sizeof(double));
  double corner[4][4] = {{0}};
  for (int i = 0; i < 4; i++)
    corner[i][i] = 1.0;
  for (int c = 0; c < 2; c++) {
    const Constraint *con = &pendulum_con[c];
    Vec8 g, grad[4];
    con->type->eval(con, 2, lanes, &g, grad);
    con->type->hess(con, 2, lanes, hess);
    const int m = 2 * con->nsite;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        corner[2 * con->site[i / 2] + i % 2][2 * con->site[j / 2] + j % 2] +=
            bh2 * w * w * (grad[i][0] * grad[j][0] + g[0] * hess[i * m + j][0]);
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      form[i][4 + j] = corner[i][j];
      form[4 + j][i] = -corner[i][j];
    }
}

/* The largest element of D' form(z') D - form(z). */
static double form_defect(const PlanOptions *o, double bh2)
{
  static const double q[4] = {0.1, -0.95, 1.05, -2.1}, p[4] = {0.3, 0.2, -0.5, 0.4};
  double jac[8][8], before[8][8], after[8][8], z[8], worst = 0.0;
  step_jacobian(o, q, p, jac);
  walked_after(&pendulum, *o, q, p, o->h, 1, z);
  two_form(bh2, o->w, q, before);
  two_form(bh2, o->w, z, after);
  for (int a = 0; a < 8; a++)
    for (int b = 0; b < 8; b++) {
      double sum = -before[a][b];
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          sum += jac[i][a] * after[i][j] * jac[j][b];
      worst = fmax(worst, fabs(sum));
    }
  return worst;
}

TEST(what_is_symplectic_in_what)
{
  const double h = 0.1, beta = 0.3;
  const PlanOptions newmark = {.method = &method_newmark, .h = h, .beta = beta, .w = 3, .tolerance = 1e-14};
  const PlanOptions midpoint = {
      .word = "ABA", .accel = "newmark", .h = h, .beta = 0.25, .w = 3, .tolerance = 1e-14};
  const PlanOptions partly = {.word = "BAB", .accel = "newmark-1", .h = h, .beta = beta, .w = 3};
  ck_assert_double_lt(form_defect(&newmark, beta * h * h), 1e-8);
  ck_assert_double_gt(form_defect(&newmark, 0.0), 1e-4);
  ck_assert_double_lt(form_defect(&midpoint, 0.0), 1e-8);
  const PlanOptions one = {.method = &method_newmark_1, .h = h, .beta = beta, .w = 3};
  ck_assert_double_gt(form_defect(&one, 0.0), 1e-4);
  ck_assert_double_gt(form_defect(&one, beta * h * h), 1e-4);
  ck_assert_double_gt(form_defect(&partly, 0.0), 1e-4);
  ck_assert_double_gt(form_defect(&partly, beta * h * h), 1e-4);
}

/* --- energy-momentum ----------------------------------------------------------------------------------- */

typedef struct Invariants {
  double energy, linear[3], angular[3], g, hidden;
} Invariants;

static Invariants invariants(const Walked *w, const Kind *kind, int lane)
{
  Invariants now = {0};
  Vec8 energy;
  kind_potential(kind, walked_q(w), &energy, NULL);
  now.energy = energy[lane];
  for (int s = 0; s < kind->nsite; s++) {
    double q[3] = {0}, p[3] = {0};
    for (int d = 0; d < kind->dim; d++) {
      q[d] = walked_q(w)[s * kind->dim + d][lane];
      p[d] = walked_p(w)[s * kind->dim + d][lane];
      now.energy += 0.5 * p[d] * p[d] / kind->mass[s];
    }
    for (int d = 0; d < 3; d++) {
      now.linear[d] += p[d];
      now.angular[d] += q[(d + 1) % 3] * p[(d + 2) % 3] - q[(d + 2) % 3] * p[(d + 1) % 3];
    }
  }
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 g, grad[6];
    double rate = 0.0;
    con->type->eval(con, kind->dim, walked_q(w), &g, grad);
    for (int k = 0; k < con->nsite * kind->dim; k++) {
      const int site = con->site[k / kind->dim];
      rate += grad[k][lane] * walked_p(w)[site * kind->dim + k % kind->dim][lane] / kind->mass[site];
    }
    now.g = fmax(now.g, fabs(g[lane]));
    now.hidden = fmax(now.hidden, fabs(rate));
  }
  return now;
}

/* Gonzalez's example: 1000 steps of 0.01. */
TEST(four_particles_keep_their_integrals)
{
  const PlanOptions o = {.method = &method_energy_momentum, .h = 0.01};
  Walked w;
  walked_open(&w, &particles, &o, particles_q, particles_p);
  const Invariants start = invariants(&w, &particles, 0);
  double energy = 0.0, linear = 0.0, angular = 0.0, g = 0.0, hidden[2] = {0};
  for (int k = 0; k < 1000; k++) {
    walked_run(&w, 1);
    const Invariants now = invariants(&w, &particles, 0);
    energy = fmax(energy, fabs(now.energy - start.energy));
    for (int d = 0; d < 3; d++) {
      linear = fmax(linear, fabs(now.linear[d] - start.linear[d]));
      angular = fmax(angular, fabs(now.angular[d] - start.angular[d]));
    }
    g = fmax(g, now.g);
    hidden[k / 500] = fmax(hidden[k / 500], now.hidden);
  }
  printf(
      "energy-momentum: H %.2g L %.2g J %.2g g %.2g over 1000 steps; hidden constraints within %.2g, %.2g\n",
      energy, linear, angular, g, hidden[0], hidden[1]);
  ck_assert_double_lt(energy, 1e-11);
  ck_assert_double_lt(linear, 1e-11);
  ck_assert_double_lt(angular, 1e-11);
  ck_assert_double_lt(g, 1e-13);
  ck_assert_double_gt(hidden[0], 1e-6);            /* momenta are not tangent, */
  ck_assert_double_lt(hidden[1], 2.0 * hidden[0]); /* but no less so later */
  walked_close(&w);
}

/* A formula that is no function of a distance: H is conserved all the same. */
static void twist_eval(const Constraint *c, int dim, const Vec8 *q, Vec8 *v, Vec8 *grad)
{
  const Vec8 x = q[c->site[0] * dim], y = q[c->site[1] * dim + 1];
  *v = x * x * x * x + 0.5 * x * x * y * y * y + y * y * y * y;
  for (int k = 0; grad != NULL && k < 2 * dim; k++)
    grad[k] = vec8_set(0.0);
  if (grad != NULL) {
    grad[0] = 4.0 * x * x * x + x * y * y * y;
    grad[dim + 1] = 1.5 * x * x * y * y + 4.0 * y * y * y;
  }
}

static void twist_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess)
{
  const Vec8 x = q[c->site[0] * dim], y = q[c->site[1] * dim + 1];
  const int n = 2 * dim;
  for (int i = 0; i < n * n; i++)
    hess[i] = vec8_set(0.0);
  hess[0] = 12.0 * x * x + y * y * y;
  hess[(dim + 1) * n + dim + 1] = 3.0 * x * x * y + 12.0 * y * y;
  hess[dim + 1] = hess[(dim + 1) * n] = 3.0 * x * y * y;
}

TEST(any_formula_keeps_energy)
{
  static const PotentialType twist = {
      .name = "twist", .doc = "", .nsite = 2, .eval = twist_eval, .hess = twist_hess};
  static const Potential pot[2] = {{&twist, 2, {0, 1}, {0}, NULL}, LINK(0, 1, 0.5)};
  static const Kind kind = {"twisted", 2, 2, 0, planar_mass, no_names, NULL, planar_q, 2, pot, NULL};
  const PlanOptions o = {.method = &method_energy_momentum, .h = 0.1};
  Walked w;
  walked_open(&w, &kind, &o, planar_q, planar_p);
  const double start = invariants(&w, &kind, 0).energy;
  double worst = 0.0;
  for (int k = 0; k < 1000; k++) {
    walked_run(&w, 1);
    worst = fmax(worst, fabs(invariants(&w, &kind, 0).energy - start));
  }
  ck_assert_msg(worst < 1e-11, "H changes by %.3g", worst);
  walked_close(&w);
}

/* The multipliers are forces: with them p' = -grad V + lambda' grad g keeps the pendulum where it is at rest.
 */
TEST(multipliers_are_forces)
{
  static const double hanging[4] = {0, -1, 0, -1 - M_SQRT2};
  const PlanOptions o = {.method = &method_energy_momentum, .h = 0.05};
  Walked w;
  walked_open(&w, &pendulum, &o, hanging, pendulum_p);
  walked_run(&w, 3);
  double lambda[2];
  walk_multipliers(w.walk, 3, 0, lambda);
  /* grad g_2 on site 2 is 2 (q_2 - q_1) = (0, -2 sqrt 2): weight 1; the anchor carries both. */
  ck_assert_double_eq_tol(lambda[1], -1.0 / (2.0 * M_SQRT2), 1e-10);
  ck_assert_double_eq_tol(lambda[0], -1.0, 1e-10);
  walked_close(&w);
}

/* --- rotations ----------------------------------------------------------------------------------------- */

TEST(cayley_stays_on_the_group)
{
  const PlanOptions o = {.method = &method_so3_cayley, .h = 0.1};
  Walked w;
  walked_open(&w, &rotation, &o, rotation_q, rotation_p);
  const Invariants start = invariants(&w, &rotation, 0);
  double axis = 0.0, early = 0.0, late = 0.0, g = 0.0;
  enum { STEPS = 20000 };
  for (int k = 0; k < STEPS; k++) {
    walked_run(&w, 1);
    const Invariants now = invariants(&w, &rotation, 0);
    axis = fmax(axis, fabs(now.angular[2] - start.angular[2]));
    g = fmax(g, now.g);
    double *most = k < STEPS / 2 ? &early : &late;
    *most = fmax(*most, fabs(now.energy - start.energy));
  }
  printf(
      "so3-cayley, %d steps of 0.1: R'R - I %.2g, momentum about the axis %.2g, energy within %.3f, %.3f\n",
      STEPS, g, axis, early, late);
  ck_assert_double_lt(g, 1e-12);
  ck_assert_double_lt(axis, 1e-12);
  ck_assert_double_lt(late, 1.1 * early + 1e-6); /* no drift */
  ck_assert_double_lt(early, 0.2);
  walked_close(&w);
}

/* --- a caller's own ------------------------------------------------------------------------------------ */

typedef struct Flight {
  double speed;
} Flight;

static Status flight_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa,
                            Error *error)
{
  (void)isa;
  Flight *flight = malloc(sizeof *flight);
  if (flight == NULL)
    return error_memory(error, "a flight");
  flight->speed = *(const double *)options->own * kind->dim;
  *self = flight;
  return STATUS_OK;
}

static size_t flight_scratch(const void *self) { return self != NULL ? 5 : 0; }

static int flight_multipliers(const void *self) { return self != NULL ? 5 : 0; }

static unsigned flight_step(const void *self, double t, Pack *pack)
{
  const Flight *flight = self;
  for (int i = 0; i < pack->kind->nsite * pack->kind->dim; i++)
    pack->q[i] += t * flight->speed;
  for (int i = 0; i < 5; i++)
    pack->scratch[i] = vec8_set(i * t);
  return 0;
}

/* Its settings are read once; its multipliers are as many as it says, whatever constraints the kind has. */
TEST(a_plan_takes_a_method_of_the_callers)
{
  const Method flight = {.name = "flight",
                         .create = flight_create,
                         .scratch = flight_scratch,
                         .step = flight_step,
                         .multipliers = flight_multipliers,
                         .free = free};
  double speed = 3.0, lambda[5];
  const PlanOptions o = {.method = &flight, .h = 0.5, .own = &speed, .keep_multipliers = true};
  Walked w;
  walked_open(&w, &planar, &o, planar_q, planar_q);
  speed = 0.0;
  walked_run(&w, 4);
  for (int i = 0; i < 6; i++)
    ck_assert_double_eq_tol(walked_q(&w)[i][2], planar_q[i] + 4 * 0.5 * 6.0, 1e-13);
  walk_multipliers(w.walk, 2, 0, lambda);
  for (int i = 0; i < 5; i++)
    ck_assert_double_eq(lambda[i], i * 0.5);
  walked_close(&w);
}

/* --- noise over H, failures ---------------------------------------------------------------------------- */

static const struct {
  const char *word;
  const Method *method;
  const Kind *kind;
  const double *q, *p;
  double w;
} noisy[] = {
    {"HO", &method_so3_cayley, &rotation, rotation_q, rotation_p, 0},
    {"OHO", &method_energy_momentum, &particles, particles_q, particles_p, 0},
    {"HO", &method_newmark, &planar, planar_q, planar_p, 0},
};

/* 8 copies, 6000 steps: the mean kinetic energy against kT/2 for each degree of freedom. */
TEST(noise_over_a_method_has_its_temperature, .rows = 3)
{
  const PlanOptions o = {.word = noisy[_i].word,
                         .method = noisy[_i].method,
                         .h = 0.02,
                         .beta = 0.25,
                         .kT = 0.1,
                         .friction = FRICTION_UNIFORM,
                         .gamma = 10.0};
  Walked w;
  walked_open(&w, noisy[_i].kind, &o, noisy[_i].q, noisy[_i].p);
  walk_draw_momenta(w.walk);
  const int freedom = plan_freedom(w.plan, (const int[]){1});
  double sum = 0.0, square = 0.0;
  int n = 0;
  walked_run(&w, 200);
  for (int k = 0; k < 600; k++, n++) {
    double kinetic[8], terms[8 * FORCE_TERMS], penalty[8], most[8], mean = 0.0;
    walked_run(&w, 10);
    const WalkEnergies to = {kinetic, terms, penalty, most, NULL, NULL};
    ck_assert_int_eq(walk_energies(w.walk, &w.team, &to, NULL), STATUS_OK);
    for (int l = 0; l < 8; l++)
      mean += kinetic[l] / (8 * 0.5 * freedom * o.kT);
    sum += mean;
    square += mean * mean;
  }
  const double mean = sum / n, error = sqrt((square / n - mean * mean) / n);
  ck_assert_msg(fabs(mean - 1.0) < 5.0 * error + 0.005, "%s: %.4f +- %.4f of kT/2", noisy[_i].method->name,
                mean, error);
  ck_assert_double_lt(error, 0.02);
  walked_close(&w);
}

TEST(failures_name_the_method, .rows = 2)
{
  const PlanOptions o = {.method = noisy[_i + 1].method, .h = 0.5, .beta = 0.25, .max_iterations = 2};
  Walked w;
  walked_open(&w, noisy[_i + 1].kind, &o, noisy[_i + 1].q, noisy[_i + 1].p);
  Error error;
  ck_assert_int_eq(walk_run(w.walk, &w.team, 50, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, noisy[_i + 1].method->name) != NULL &&
                    strstr(error.text, "step 1:") != NULL && strstr(error.text, "replica 0") != NULL,
                "%s", error.text);
  walked_close(&w);
}
