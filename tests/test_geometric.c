/* Laws of geometric SHAKE and RATTLE, and of the base methods under them (McLachlan, Modin, Verdier & Wilkins
 * 2013): orders, symmetry, symplecticity on the hidden manifold, the paper's examples, refusals. */
#include "methods/method_table.h"
#include "tests/phase_systems.h"
#include "tests/suite.h"

/* --- RATTLE on every case and base -------------------------------------------------------------------------
 */

TEST(rattle_order, .rows = CASES * BASES)
{
  const Case *c = &cases[_i / BASES];
  const char *base = bases[_i % BASES];
  double z[PHASE] = {0};
  start_on(c->ham, c->near, z);
  Runner *r = runner_open(c->ham, &method_geometric_rattle, base, 0.1);
  Runner *fine = runner_open(c->ham, &method_geometric_rattle, "midpoint", 0.1);
  const double order = order_of(r, fine, z, 512), want = _i % BASES == EULER ? 1.0 : 2.0;
  ck_assert_msg(fabs(order - want) < 0.2, "%s, %s: order %.3f", c->name, base, order);
  runner_close(r);
  runner_close(fine);
}

TEST(rattle_keeps_both_constraints, .rows = CASES * BASES)
{
  const Case *c = &cases[_i / BASES];
  const char *base = bases[_i % BASES];
  double z[PHASE] = {0}, g, hidden;
  start_on(c->ham, c->near, z);
  Runner *r = runner_open(c->ham, &method_geometric_rattle, base, 0.05);
  const double energy = c->ham->energy.value(c->ham->energy.self, z);
  for (int k = 0; k < 20; k++) {
    runner_go(r, 0.05, 5, z);
    residuals(c->ham, z, &g, &hidden);
    ck_assert_msg(g < 1e-13 && hidden < 1e-12, "%s, %s: %.3g %.3g", c->name, base, g, hidden);
  }
  const double change = fabs(c->ham->energy.value(c->ham->energy.self, z) - energy);
  ck_assert_msg(change < (_i % BASES == EULER ? 0.05 : 2e-3), "%s, %s: dH = %.3g", c->name, base, change);
  runner_close(r);
}

/* Proposition 4.9. */
TEST(rattle_is_symmetric, .rows = CASES * BASES)
{
  const Case *c = &cases[_i / BASES];
  const char *base = bases[_i % BASES];
  double z[PHASE] = {0}, start[PHASE] = {0};
  start_on(c->ham, c->near, start);
  memcpy(z, start, sizeof z);
  Runner *r = runner_open(c->ham, &method_geometric_rattle, base, 0.05);
  runner_go(r, 0.05, 20, z);
  runner_go(r, -0.05, 20, z);
  const double off = distance(2 * r->n, z, start);
  if (geometric_base_find(base)->symmetric)
    ck_assert_msg(off < 1e-11, "%s, %s: %.3g", c->name, base, off);
  else
    ck_assert_msg(off > 1e-6, "%s, %s: %.3g", c->name, base, off);
  runner_close(r);
}

/* The step's derivative along a curve on both manifolds, whose velocity at 0 is `along` as far as that is
 * tangent: by differences of sixth order. velocity: that of the curve itself. */
static void push(const Hamiltonian *ham, Runner *r, const double *z, const double *along, double *velocity,
                 double *image)
{
  static const double weight[6] = {-1.0 / 60, 3.0 / 20, -3.0 / 4, 3.0 / 4, -3.0 / 20, 1.0 / 60};
  static const double at[6] = {-3, -2, -1, 1, 2, 3};
  const double e = 4e-3;
  memset(velocity, 0, PHASE * sizeof *velocity);
  memset(image, 0, PHASE * sizeof *image);
  for (int l = 0; l < 6; l++) {
    double y[PHASE] = {0}, moved[PHASE];
    for (int k = 0; k < 2 * ham->n; k++)
      moved[k] = z[k] + e * at[l] * along[k];
    start_on(ham, moved, y);
    for (int k = 0; k < 2 * ham->n; k++)
      velocity[k] += weight[l] * y[k] / e;
    runner_go(r, r->h, 1, y);
    for (int k = 0; k < 2 * ham->n; k++)
      image[k] += weight[l] * y[k] / e;
  }
}

/* Corollary 4.8: the form on M^H is kept; and it is not zero there, so that this says something. */
TEST(rattle_is_symplectic, .rows = CASES * BASES)
{
  const Case *c = &cases[_i / BASES];
  const char *base = bases[_i % BASES];
  const int n = c->ham->n;
  double z[PHASE] = {0}, velocity[PHASE][PHASE], image[PHASE][PHASE], worst = 0.0, most = 0.0;
  start_on(c->ham, c->near, z);
  Runner *r = runner_open(c->ham, &method_geometric_rattle, base, 0.1);
  for (int i = 0; i < 2 * n; i++) {
    double along[PHASE] = {0};
    along[i] = 1.0;
    push(c->ham, r, z, along, velocity[i], image[i]);
  }
  for (int i = 0; i < 2 * n; i++)
    for (int j = 0; j < i; j++) {
      const double before = phase_form(n, velocity[i], velocity[j]);
      worst = fmax(worst, fabs(phase_form(n, image[i], image[j]) - before));
      most = fmax(most, fabs(before));
    }
  ck_assert_msg(worst < 1e-8 && most > 0.05, "%s, %s: defect %.3g of %.3g", c->name, base, worst, most);
  runner_close(r);
}

/* Equation (11): the projected paths of SHAKE and RATTLE are one. */
TEST(shake_and_rattle_are_one_fibre_map, .rows = CASES * BASES)
{
  const Case *c = &cases[_i / BASES];
  const char *base = bases[_i % BASES];
  double shaken[PHASE] = {0}, rattled[PHASE], g, hidden;
  start_on(c->ham, c->near, shaken);
  memcpy(rattled, shaken, sizeof rattled);
  Runner *s = runner_open(c->ham, &method_geometric_shake, base, 0.05);
  Runner *r = runner_open(c->ham, &method_geometric_rattle, base, 0.05);
  runner_go(s, 0.05, 40, shaken);
  runner_go(r, 0.05, 40, rattled);
  residuals(c->ham, shaken, &g, &hidden);
  ck_assert_msg(g < 1e-13 && hidden > 1e-5, "%s, %s: %.3g %.3g", c->name, base, g, hidden);
  double projected[PHASE] = {0};
  start_on(c->ham, shaken, projected);
  const double off = distance(2 * s->n, projected, rattled);
  ck_assert_msg(off < 1e-11, "%s, %s: %.3g apart", c->name, base, off);
  runner_close(s);
  runner_close(r);
}

/* Two lanes run as one does alone, bit for bit, though a third fails. */
TEST(lanes_do_not_see_each_other)
{
  double z[PHASE] = {0}, alone[PHASE] = {0};
  start_on(&harmonic, near_harmonic, z);
  memcpy(alone, z, sizeof alone);
  Runner *r = runner_open(&harmonic, &method_geometric_rattle, "midpoint", 0.1);
  runner_go(r, 0.1, 1, alone);
  for (int i = 0; i < 2; i++) {
    r->q[i] = vec8_set(z[i]);
    r->p[i] = vec8_set(z[2 + i]);
    r->q[i][3] = NAN;
  }
  r->active[3] = r->active[6] = 1.0;
  ck_assert_uint_eq(runner_try(r, 0.1), 1u << 3);
  for (int i = 0; i < 2; i++) {
    ck_assert(r->q[i][0] == alone[i] && r->p[i][6] == alone[2 + i]);
    ck_assert(r->q[i][5] == z[i]);
  }
  runner_close(r);
}

/* --- agreement of routes -----------------------------------------------------------------------------------
 */

TEST(flows_agree)
{
  double memory[1024], z[4] = {0.4, -0.5, 0.6, 0.3}, y[4], x[4];
  GeometricWork work = geometric_work_view(memory, 2, 1);
  for (int k = -4; k <= 4; k++) {
    const double s = 1.3 * k;
    memcpy(y, z, sizeof y);
    memcpy(x, z, sizeof x);
    ck_assert_int_eq(geometric_flow(&harmonic, &s, y, &work), 1);
    ck_assert_int_eq(geometric_flow(&harmonic_numerical, &s, x, &work), 1);
    ck_assert_double_lt(distance(4, x, y), 1e-13);
    for (int i = 0; i < 2; i++) {
      ck_assert_double_eq_tol(y[i], cos(2.0 * s) * z[i] + sin(2.0 * s) * z[2 + i], 4e-15);
      ck_assert_double_eq_tol(y[2 + i], cos(2.0 * s) * z[2 + i] - sin(2.0 * s) * z[i], 4e-15);
    }
  }
}

/* X_g of g = q^2 p: q(s) = q/(1 - q s), p(s) = p (1 - q s)^2, which leaves the plane at s = 1/q. */
TEST(a_bent_flow_is_exact_and_ends_where_it_must)
{
  static const Polynomial bent = {2, {{1.0, {2, 1}}}};
  static const PhaseFunction con[1] = {PHASE_FUNCTION(bent)};
  static const ConstraintFlow flow[1] = {FLOW_NUMERICAL};
  const Hamiltonian ham = {1, 1, PHASE_FUNCTION(bent), con, flow};
  const double q = 0.8, p = -1.3, s[] = {1e-9, 0.01, -0.3, 0.7, 1.1, -2.0, 1.2};
  double memory[512], z[2];
  GeometricWork work = geometric_work_view(memory, 1, 1);
  for (size_t i = 0; i < sizeof s / sizeof *s; i++) {
    const double left = 1.0 - q * s[i], size = fmax(1.0, 1.0 / left);
    z[0] = q;
    z[1] = p;
    ck_assert_int_eq(geometric_flow(&ham, &s[i], z, &work), 1);
    ck_assert_msg(fabs(z[0] - q / left) < 4e-15 * size * size, "s = %g: q off by %g", s[i], z[0] - q / left);
    ck_assert_double_eq_tol(z[1], p * left * left, 1e-14 * size);
  }
  static const double beyond[] = {1.25, 1.3, 100.0, 1e300, INFINITY, NAN};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    z[0] = q;
    z[1] = p;
    ck_assert_int_eq(geometric_flow(&ham, &beyond[i], z, &work), 0);
  }
}

/* The manifold and its fibres do not depend on the functions that describe it. */
TEST(description_of_the_manifold_does_not_matter)
{
  double a[PHASE] = {0}, b[PHASE];
  start_on(&plane, near_plane, a);
  memcpy(b, a, sizeof b);
  Runner *r = runner_open(&plane, &method_geometric_rattle, "stormer-verlet", 0.1);
  Runner *s = runner_open(&plane_bent, &method_geometric_rattle, "stormer-verlet", 0.1);
  runner_go(r, 0.1, 50, a);
  runner_go(s, 0.1, 50, b);
  ck_assert_msg(distance(6, a, b) < 1e-11, "%.3g", distance(6, a, b));
  runner_close(r);
  runner_close(s);
}

TEST(pendulum_is_classical_rattle)
{
  double classical[4] = {0.8, -0.6, 0.6, 0.8}, natural[4], general[4];
  memcpy(natural, classical, sizeof natural);
  memcpy(general, classical, sizeof general);
  const PlanOptions options = {.word = "BAB",
                               .h = 0.1,
                               .accel = "verlet",
                               .constraints = "rattle",
                               .constraint = {.tolerance = 1e-14, .max_iterations = 50},
                               .isa = isa_best()};
  const PlanOptions method = {.h = 0.1,
                              .method = &method_geometric_rattle,
                              .base = "stormer-verlet",
                              .tolerance = 1e-13,
                              .isa = isa_best()};
  const Kind kind = phase_kind(&pendulum);
  run_plan(&natural_pendulum, &options, 100, classical);
  run_plan(&natural_pendulum, &method, 100, natural);
  run_plan(&kind, &method, 100, general);
  ck_assert_msg(distance(4, natural, general) < 1e-12, "%.3g", distance(4, natural, general));
  ck_assert_msg(distance(4, classical, general) < 1e-11, "%.3g", distance(4, classical, general));
}

/* Fig. 1: wherever on its fibre the pendulum starts, SHAKE takes it to one point. */
TEST(shake_forgets_the_place_on_the_fibre, .rows = BASES)
{
  double a[4] = {0.8, -0.6, 0.6, 0.8}, b[4] = {0.8, -0.6, 0.6 + 0.4, 0.8 - 0.3};
  Runner *r = runner_open(&pendulum, &method_geometric_shake, bases[_i], 0.1);
  runner_go(r, 0.1, 1, a);
  runner_go(r, 0.1, 1, b);
  ck_assert_double_lt(distance(4, a, b), 1e-14);
  runner_close(r);
}

/* Multipliers tend to that of p' = -H_q - lambda g_q (engine's sign turned), lambda = (|p|^2 - q2)/2. */
TEST(multipliers)
{
  double z[4] = {0.8, -0.6, 0.6, 0.8};
  Runner *r = runner_open(&pendulum, &method_geometric_rattle, "stormer-verlet", 1e-3);
  runner_go(r, 1e-3, 1, z);
  ck_assert_double_eq_tol(r->scratch[0][0], -(1.0 + 0.6) / 2.0, 2e-3);
  runner_close(r);
}

/* --- the paper's examples ----------------------------------------------------------------------------------
 */

/* Proposition 5.1: without a potential RATTLE stays on the exact orbit, a rotation of q and p together. */
TEST(harmonic_orbit, .rows = BASES)
{
  double z[4] = {0}, start[4];
  const double near[4] = {0.8, 0.1, 0.1, 0.4};
  start_on(&harmonic_free, near, start);
  memcpy(z, start, sizeof z);
  Runner *r = runner_open(&harmonic_free, &method_geometric_rattle, bases[_i], 0.1);
  double most = 0.0, angle = 0.0;
  for (int k = 0; k < 1000; k++) {
    runner_go(r, 0.1, 1, z);
    const double square = start[0] * start[0] + start[1] * start[1];
    const double c = (start[0] * z[0] + start[1] * z[1]) / square;
    const double s = (start[0] * z[1] - start[1] * z[0]) / square, length = hypot(c, s);
    const double turned[4] = {(c * start[0] - s * start[1]) / length, (s * start[0] + c * start[1]) / length,
                              (c * start[2] - s * start[3]) / length, (s * start[2] + c * start[3]) / length};
    most = fmax(most, distance(4, z, turned));
    angle = k == 0 ? atan2(s, c) : angle;
  }
  ck_assert_msg(most < 1e-12, "%s: %.3g off the orbit", bases[_i], most);
  /* p = alpha R(pi/2) q turns at the rate 1/(1/alpha - alpha); RATTLE's time runs a little differently. */
  const double alpha =
      (start[0] * start[3] - start[1] * start[2]) / (start[0] * start[0] + start[1] * start[1]);
  ck_assert_double_eq_tol(angle / 0.1, 1.0 / (1.0 / alpha - alpha), 0.05);
  runner_close(r);
}

/* Table 1. The three points lie on {g, H} = 0 to rounding, but on |q|^2 + |p|^2 = 0.98 instead of 1. */
static const double table_1[3][4] = {
    {-0.7865261200000000, -0.4043988000000000, -0.3880746864163783, 0.2173391755798215},
    {-0.4963624948824013, -0.7319740436366664, -0.4275775933953260, 0.1225384882604160},
    {0.3477491188213400, -0.8131619010029159, -0.4368285559113795, -0.0837800227934176}};

TEST(table_1_as_printed, .rows = 3)
{
  double g, hidden;
  residuals(&harmonic, table_1[_i], &g, &hidden);
  ck_assert_double_eq_tol(g, 0.0199999936, 1e-10);
  ck_assert_double_lt(hidden, 1e-15);
}

/* Long runs: energy without drift, SHAKE off the hidden constraint by O(h), and the path on the space of
 * fibres, the sphere of the Hopf map, comes back to its start. */
static void hopf(const double *z, double *x)
{
  x[0] = 2.0 * (z[0] * z[1] + z[2] * z[3]);
  x[1] = 2.0 * (z[2] * z[1] - z[0] * z[3]);
  x[2] = z[0] * z[0] + z[2] * z[2] - z[1] * z[1] - z[3] * z[3];
}

TEST(linear_potential, .rows = 3)
{
  double z[4], x0[3], x[3], last[3], length = 0.0, gap = INFINITY;
  start_on(&harmonic, table_1[_i], z);
  hopf(z, x0);
  memcpy(last, x0, sizeof last);
  const double energy = harmonic.energy.value(harmonic.energy.self, z);
  Runner *r = runner_open(&harmonic, &method_geometric_rattle, "midpoint", 0.1);
  double error[2] = {0.0, 0.0}; /* over the first and the second half */
  for (int k = 0; k < 4000; k++) {
    runner_go(r, 0.1, 1, z);
    hopf(z, x);
    if (k < 400) {
      length += distance(3, x, last);
      /* The start's distance from the chord last-x, once the path has left it. */
      double along = 0.0, square = 0.0, off = 0.0;
      for (int d = 0; d < 3; d++) {
        along += (x0[d] - last[d]) * (x[d] - last[d]);
        square += (x[d] - last[d]) * (x[d] - last[d]);
      }
      const double s = fmin(1.0, fmax(0.0, along / square));
      for (int d = 0; d < 3; d++)
        off += pow(last[d] + s * (x[d] - last[d]) - x0[d], 2);
      if (k > 5)
        gap = fmin(gap, sqrt(off));
      memcpy(last, x, sizeof last);
    }
    const double change = fabs(harmonic.energy.value(harmonic.energy.self, z) - energy);
    error[k >= 2000] = fmax(error[k >= 2000], change);
  }
  /* A chord lies below its arc by length^2/8. */
  ck_assert_msg(length > 2.0 && gap < 0.02, "length %.3g, back within %.3g", length, gap);
  ck_assert_msg(error[1] < 1.05 * error[0] && error[0] < 5e-3, "energy error %.3g, then %.3g", error[0],
                error[1]);
  runner_close(r);
}

TEST(shake_is_off_by_the_step, .rows = 3)
{
  double most[2] = {0.0, 0.0}, g, hidden;
  for (int i = 0; i < 2; i++) {
    double z[4];
    start_on(&harmonic, table_1[_i], z);
    const int steps = 200 << i;
    Runner *r = runner_open(&harmonic, &method_geometric_shake, "midpoint", 0.1);
    for (int k = 0; k < steps; k++) {
      runner_go(r, 20.0 / steps, 1, z);
      residuals(&harmonic, z, &g, &hidden);
      most[i] = fmax(most[i], hidden);
    }
    runner_close(r);
  }
  const double slope = log2(most[0] / most[1]);
  ck_assert_msg(fabs(slope - 1.0) < 0.15, "slope %.3f (%.3g, %.3g)", slope, most[0], most[1]);
}

/* Section 5.3: SHAKE with the midpoint rule is the midpoint rule on the system with its constraint,
 * q' = H_p, p' = -H_q, 0 = H_b: here b is found at every midpoint and the rest solved by iteration. */
TEST(index_1_is_the_direct_method)
{
  const double h = 0.1;
  double z[4] = {0}, q, p;
  start_on(&index_one, near_index, z);
  q = z[0];
  p = z[2];
  Runner *r = runner_open(&index_one, &method_geometric_shake, "midpoint", h);
  for (int k = 0; k < 200; k++) {
    double q1 = q, p1 = p;
    for (int i = 0; i < 60; i++) {
      const double mq = 0.5 * (q + q1), mp = 0.5 * (p + p1), b = mp / (1.0 + mq * mq);
      q1 = q + h * (2.0 * mp - b);
      p1 = p - h * (mq + mq * b * b);
    }
    q = q1;
    p = p1;
    runner_go(r, h, 1, z);
    ck_assert_double_eq_tol(z[0], q, 1e-12);
    ck_assert_double_eq_tol(z[2], p, 1e-12);
  }
  runner_close(r);
}

/* --- refusals ----------------------------------------------------------------------------------------------
 */

static void expect_refusal(const Hamiltonian *ham, const double *z, const char *const *word)
{
  Error error = {0};
  ck_assert_int_eq(geometric_check(ham, z, 1, &error), STATUS_INPUT);
  for (; *word != NULL; word++)
    ck_assert_msg(strstr(error.text, *word) != NULL, "'%s' is not in: %s", *word, error.text);
}

TEST(refusals)
{
  const double on_plane[4] = {0.0, 0.0, 0.7, 0.3}, off_hidden[4] = {0.4, 0.0, 0.7, 0.3};
  static const char *const linear[] = {"{{H, g_1}, g_1} = 0", "linear along the fibres", NULL};
  static const char *const constant[] = {"{{H, g_1}, g_1} = 0", "infinitely many solutions", NULL};
  static const char *const bracket[] = {"{g_1, g_2} = 1", "not coisotropic", NULL};
  static const char *const off[] = {"constraint 1 is -0.02", "project", NULL};
  static const char *const hidden[] = {"{g_1, H} = ", "project", NULL};
  static const char *const here[] = {"degenerate critical point on the fibre through the start", NULL};
  expect_refusal(&degenerate_linear, on_plane, linear);
  expect_refusal(&degenerate_linear, off_hidden, linear);
  expect_refusal(&degenerate_constant, on_plane, constant);
  const double origin[4] = {0.0, 0.6, 0.0, 0.3};
  expect_refusal(&not_coisotropic, origin, bracket);
  expect_refusal(&harmonic, table_1[0], off);
  const double kicked[4] = {0.8, -0.6, 0.7, 0.8};
  expect_refusal(&pendulum, kicked, hidden);
  ck_assert_int_eq(geometric_check(&pendulum, kicked, 0, NULL), STATUS_OK); /* SHAKE takes it */
  const double exceptional[4] = {M_SQRT1_2, 0.0, 0.0, M_SQRT1_2};
  expect_refusal(&harmonic_free, exceptional, here);
  for (int c = 0; c < CASES; c++) {
    double z[PHASE] = {0};
    Error error = {0};
    start_on(cases[c].ham, cases[c].near, z);
    ck_assert_msg(geometric_check(cases[c].ham, z, 1, &error) == STATUS_OK, "%s: %s", cases[c].name,
                  error.text);
  }
}

TEST(misfits)
{
  const Kind kind = phase_kind(&pendulum), loose = phase_kind(&unconstrained);
  const MethodOptions wrong = {.step.h = 0.1, .base = "euler"}, right = {.step.h = 0.1};
  void *self;
  Error error;
  ck_assert_int_eq(method_geometric_rattle.create(&self, &kind, &wrong, isa_best(), &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "stormer-verlet"));
  ck_assert_int_eq(method_midpoint.create(&self, &kind, &right, isa_best(), &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "geometric-rattle"));
  ck_assert_int_eq(method_geometric_shake.create(&self, &loose, &right, isa_best(), &error), STATUS_INPUT);
}

/* A step across a point where the equations are not well posed fails: it does not jump to another branch. */
TEST(step_into_degeneracy_fails)
{
  /* On the pendulum's manifold with H = p^2/2 + q2 all is well; on the sphere a start near the exceptional
   * fibres, where |q| = |p|, has too little room for a step. */
  const double near[4] = {0.7075, 0.0, 0.0, 0.7067};
  double z[4];
  start_on(&harmonic_free, near, z);
  Runner *r = runner_open(&harmonic_free, &method_geometric_rattle, "midpoint", 0.5);
  for (int i = 0; i < 2; i++) {
    r->q[i][0] = z[i];
    r->p[i][0] = z[2 + i];
  }
  ck_assert_uint_eq(runner_try(r, 0.5), 1u);
  for (int i = 0; i < 2; i++)
    ck_assert(r->q[i][0] == z[i] && r->p[i][0] == z[2 + i]);
  runner_close(r);
}
