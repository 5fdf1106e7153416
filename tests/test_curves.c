/* A point on curves and surfaces given by formulas: it stays on them, at constant speed and with the lateral
 * acceleration of their curvature; around an axis of symmetry it keeps its angular momentum. */
#include "formula/expression.h"
#include "simulation/simulation_private.h"
#include "tests/energies.h"
#include "tests/started.h"
#include "tests/suite.h"

/* A run kept in memory, coordinate by coordinate. */
typedef struct Orbit {
  int n, size;             /* moments; coordinates */
  double *t;               /* [n]                  */
  double *q;               /* [size][n]            */
  MechanicsEnergy *energy; /* [n]                  */
} Orbit;

static void orbit_free(Orbit *orbit)
{
  free(orbit->t);
  free(orbit->q);
  free(orbit->energy);
}

static const double *orbit_q(const Orbit *orbit, int coordinate) { return orbit->q + coordinate * orbit->n; }

/* The largest |total energy - that at the start|, |g|/scale and |angular[d] - at the start|. */
static double orbit_energy_error(const Orbit *o)
{
  double worst = 0.0;
  for (int i = 0; i < o->n; i++)
    worst = fmax(worst, fabs(o->energy[i].total - o->energy[0].total));
  return worst;
}

static double orbit_constraint_error(const Orbit *o)
{
  double worst = 0.0;
  for (int i = 0; i < o->n; i++)
    worst = fmax(worst, o->energy[i].largest);
  return worst;
}

static double orbit_angular_error(const Orbit *o, int d)
{
  double worst = 0.0;
  for (int i = 0; i < o->n; i++)
    worst = fmax(worst, fabs(o->energy[i].angular[d] - o->energy[0].angular[d]));
  return worst;
}

/* atan2(y, x) of the first two coordinates without jumps, from the first moment on. */
static void orbit_angle(const Orbit *o, double *angle)
{
  const double *x = orbit_q(o, 0), *y = orbit_q(o, 1);
  for (int i = 0; i < o->n; i++) {
    angle[i] = atan2(y[i], x[i]);
    if (i > 0)
      angle[i] += 2.0 * M_PI * rint((angle[i - 1] - angle[i]) / (2.0 * M_PI));
  }
}

/* |t' Hess g t| / |grad g| at q[2], t the unit tangent. NaN where the gradient is less than a thousandth of
 * the Hessian (per unit of length): so near a singular point of the curve, its direction and what comes of it
 * have lost their digits. */
static double curvature(const Kind *kind, const double *q)
{
  const Constraint *c = &kind->con[0];
  const Vec8 at[2] = {vec8_set(q[0]), vec8_set(q[1])};
  Vec8 g, grad[2], hess[4];
  c->type->eval(c, 2, at, &g, grad);
  c->type->hess(c, 2, at, hess);
  const double gx = grad[0][0], gy = grad[1][0], size = hypot(gx, gy), tx = -gy / size, ty = gx / size;
  const double bend = fabs(hess[0][0]) + 2.0 * fabs(hess[1][0]) + fabs(hess[3][0]);
  if (!(size > 1e-3 * bend))
    return NAN;
  return fabs(tx * tx * hess[0][0] + 2.0 * tx * ty * hess[1][0] + ty * ty * hess[3][0]) / size;
}

static Simulation *load(const char *file, double h)
{
  const char *source = getenv("HOLONOM_SOURCE");
  char path[1024], step[64];
  snprintf(path, sizeof path, "%s/examples/%s", source != NULL ? source : ".", file);
  snprintf(step, sizeof step, "integrator.timestep=%.17g", h);
  const char *const set[1] = {step};
  Simulation *m;
  Error error = {0};
  ck_assert_msg(started(&m, path, set, 1, &error) == STATUS_OK, "%s", error.text);
  return m;
}

static Orbit record(Simulation *m, int n)
{
  Orbit o = {.n = n, .size = simulation_coordinates(m)};
  const size_t all = (size_t)n * (size_t)o.size;
  o.t = malloc((size_t)n * sizeof *o.t);
  o.q = malloc(all * sizeof *o.q);
  o.energy = malloc((size_t)n * sizeof *o.energy);
  Error error = {0};
  for (int i = 0; i < n; i++) {
    double q[3], p[3];
    ck_assert_msg(simulation_step(m, i > 0, NULL, &error) == STATUS_OK, "%s", error.text);
    simulation_get_point(m, 0, q, p);
    for (int d = 0; d < o.size; d++)
      o.q[d * n + i] = q[d];
    o.t[i] = simulation_time(m);
    o.energy[i] = mechanics_energy(m, 0);
  }
  return o;
}

static const struct {
  const char *file;
  double h, time;
  bool smooth; /* else the curvature has kinks or jumps, where three positions do not tell it to any order */
} curve[] = {{"circle-and-pendulum/circle.yaml", 0.02, 6, true},
             {"curves/parabola.yaml", 0.01, 3, true},
             {"curves/ellipse.yaml", 0.02, 10, true},
             {"curves/superellipse.yaml", 0.02, 10, false},
             {"curves/stadium.yaml", 0.02, 10, false},
             {"curves/bean.yaml", 0.01, 3.7, true}};

/* The root mean square of |r(t+h) - 2 r(t) + r(t-h)| / h^2 less v^2 times the curvature, over v^2. */
static double lateral_error(const Simulation *m, const Orbit *o)
{
  const double *x = orbit_q(o, 0), *y = orbit_q(o, 1), v2 = 2.0 * o->energy[0].kinetic, h = o->t[1];
  double sum = 0.0;
  for (int i = 1; i + 1 < o->n; i++) {
    const double here[2] = {x[i], y[i]}, exact = v2 * curvature(m->kind[0], here);
    const double felt = hypot(x[i + 1] - 2.0 * x[i] + x[i - 1], y[i + 1] - 2.0 * y[i] + y[i - 1]) / (h * h);
    sum += isnan(exact) ? 0.0 : (felt - exact) * (felt - exact);
  }
  return sqrt(sum / o->n) / v2;
}

/* On the curve and tangent to the tolerance; the speed constant and the acceleration right to order h^2. */
TEST(curves_are_followed, .rows = sizeof curve / sizeof curve[0])
{
  double speed[2], bend[2];
  for (int k = 0; k < 2; k++) {
    const double h = curve[_i].h / (1 + k);
    Simulation *m = load(curve[_i].file, h);
    Orbit o = record(m, 1 + (int)lrint(curve[_i].time / h));
    ck_assert_double_lt(orbit_constraint_error(&o), 1e-11);
    for (int i = 0; i < o.n; i++)
      ck_assert_double_lt(o.energy[i].hidden, 1e-10 * (1 + o.energy[0].kinetic));
    speed[k] = orbit_energy_error(&o) / o.energy[0].kinetic;
    bend[k] = lateral_error(m, &o);
    orbit_free(&o);
    simulation_free(m);
  }
  const char *const file = curve[_i].file;
  ck_assert_msg(speed[0] < 2e-4 && bend[0] < 2e-3 && bend[1] < 2e-3, "%s: %g, %g", file, speed[0], bend[0]);
  ck_assert_msg(speed[1] < speed[0] / 2.5 + 1e-13, "%s: %g, %g", file, speed[0], speed[1]);
  ck_assert_msg(!curve[_i].smooth || bend[1] < bend[0] / 2.5, "%s: %g, %g", file, bend[0], bend[1]);
}

/* From an exact speed v the circle is walked in equal angles asin(v h), and the speed kept to rounding. */
TEST(circle_is_even)
{
  const double h = 0.03;
  Simulation *m = load("circle-and-pendulum/circle.yaml", h);
  Orbit o = record(m, 1001);
  double angle[1001];
  orbit_angle(&o, angle);
  for (int i = 0; i < o.n; i++)
    ck_assert_double_eq_tol(angle[i], -i * asin(h), 1e-11);
  ck_assert_double_lt(orbit_energy_error(&o), 1e-13);
  orbit_free(&o);
  simulation_free(m);
}

static const struct {
  const char *file;
  double h, time;
} surface[] = {{"surfaces/sphere.yaml", 0.004, 8},
               {"surfaces/paraboloid.yaml", 0.004, 8},
               {"surfaces/hyperboloid.yaml", 0.01, 4},
               {"surfaces/well-orbit.yaml", 0.004, 8}};

/* Noether: what turns about z keeps its angular momentum about it; the energy is right to order h^2. */
TEST(surfaces_are_followed, .rows = sizeof surface / sizeof surface[0])
{
  double loss[2];
  for (int k = 0; k < 2; k++) {
    const double h = surface[_i].h / (1 + k);
    Simulation *m = load(surface[_i].file, h);
    Orbit o = record(m, 1 + (int)lrint(surface[_i].time / h));
    ck_assert_double_lt(orbit_constraint_error(&o), 1e-11);
    ck_assert_double_lt(orbit_angular_error(&o, 2), 1e-11);
    loss[k] = orbit_energy_error(&o) / o.energy[0].kinetic;
    orbit_free(&o);
    simulation_free(m);
  }
  ck_assert_msg(fabs(log2(loss[0] / loss[1]) - 2) < 0.15, "%g %g", loss[0], loss[1]);
}

TEST(straight_lines_need_no_force)
{
  Simulation *m = load("surfaces/hyperboloid-line.yaml", 0.01);
  Orbit o = record(m, 201);
  for (int i = 0; i < o.n; i++) {
    ck_assert_double_eq_tol(orbit_q(&o, 0)[i], 1.0, 1e-12);
    ck_assert_double_eq_tol(orbit_q(&o, 1)[i], o.t[i], 1e-12);
    ck_assert_double_eq_tol(orbit_q(&o, 2)[i], o.t[i], 1e-12);
  }
  orbit_free(&o);
  simulation_free(m);
}

/* v^2 = g a / rho: a circle in a plane, whose height and angular velocity are right to order h^2. */
TEST(well_has_circles)
{
  double height[2], late[2];
  for (int k = 0; k < 2; k++) {
    const double h = 0.01 / (1 + k), omega = sqrt(9.81 * 0.05 / 0.027);
    Simulation *m = load("surfaces/well-circle.yaml", h);
    Orbit o = record(m, 1 + 300 * (1 + k));
    double angle[601];
    orbit_angle(&o, angle);
    height[k] = 0.0;
    for (int i = 0; i < o.n; i++)
      height[k] = fmax(height[k], fabs(orbit_q(&o, 2)[i] + 0.05 / 0.3));
    late[k] = fabs(angle[o.n - 1] - omega * o.t[o.n - 1]);
    orbit_free(&o);
    simulation_free(m);
  }
  ck_assert_msg(fabs(log2(height[0] / height[1]) - 2) < 0.15, "%g %g", height[0], height[1]);
  ck_assert_msg(fabs(log2(late[0] / late[1]) - 2) < 0.3, "%g %g", late[0], late[1]);
}

/* A single step of velocity Verlet (here of RATTLE over it) errs by h^3, in energy as in position: Vesely
 * says fourth order twice. */
TEST(local_errors_are_third_order)
{
  double jump[2], ahead[2];
  for (int k = 0; k < 2; k++) {
    const double h = 0.01 / (1 + k);
    Simulation *m = load("circle-and-pendulum/pendulum.yaml", h);
    Orbit o = record(m, 1 + 400 * (1 + k));
    jump[k] = 0.0;
    for (int i = 1; i < o.n; i++)
      jump[k] = fmax(jump[k], fabs(o.energy[i].total - o.energy[i - 1].total));
    orbit_free(&o);
    simulation_free(m);
    m = load("circle-and-pendulum/circle.yaml", 10 * h);
    o = record(m, 2);
    ahead[k] = fabs(atan2(orbit_q(&o, 1)[1], orbit_q(&o, 0)[1]) + 10 * h);
    orbit_free(&o);
    simulation_free(m);
  }
  ck_assert_msg(fabs(log2(jump[0] / jump[1]) - 3) < 0.1, "%g %g", jump[0], jump[1]);
  ck_assert_msg(fabs(log2(ahead[0] / ahead[1]) - 3) < 0.1, "%g %g", ahead[0], ahead[1]);
}

/* Constraint functions and gradients as Tables I and II print them, |x| for the x of the superellipse, where
 * the bars are lost at times. Those of the discorectangle hold with |y| in place of y. */
static const struct {
  const char *function, *gradient[3];
  bool holds;
} printed[] = {
    {"a*x^2-y", {"2*a*x", "-1", "0"}, true},
    {"(x/a)^2+(y/b)^2-1", {"2*x/a^2", "2*y/b^2", "0"}, true},
    {"(abs(x)/a)^c+(abs(y)/b)^c-1", {"c*abs(x)^(c-1)/a^c*sign(x)", "c*abs(y)^(c-1)/b^c*sign(y)", "0"}, true},
    {"(x^2+(abs(y)-b)^2)/a^2-1", {"2/a^2*x", "2/a^2*sign(y)*(y-b)", "0"}, false},
    {"(x^2+(y-b)^2)/a^2-1", {"2/a^2*x", "2/a^2*sign(y)*(y-b)", "0"}, false},
    {"(x^2+(abs(y)-b)^2)/a^2-1", {"2/a^2*x", "2/a^2*sign(y)*(abs(y)-b)", "0"}, true},
    {"x^4+x^2*y^2+y^4-x*(x^2+y^2)", {"4*x^3-3*x^2+2*x*y^2-y^2", "4*y^3+2*y*(x^2-x)", "0"}, true},
    {"(x^2+y^2+z^2)/a^2-1", {"2*x/a^2", "2*y/a^2", "2*z/a^2"}, true},
    {"a*(x^2+y^2)-z", {"2*a*x", "2*a*y", "-1"}, true},
    {"(x^2+y^2)/a^2-z^2/c^2-1", {"2*x/a^2", "2*y/a^2", "-2*z/c^2"}, true},
    {"-a/sqrt(x^2+y^2)-z", {"a*x/(x^2+y^2)^(3/2)", "a*y/(x^2+y^2)^(3/2)", "-1"}, true},
};

static double value_of(const char *text, const double *x)
{
  static const char *const var[3] = {"x", "y", "z"}, *const constant[3] = {"a", "b", "c"};
  static const double value[3] = {1.3, 0.4, 2.5};
  const ExpressionNames names = {3, var, 3, constant, value};
  Expression *e;
  Error error = {0};
  ck_assert_msg(expression_parse(&e, text, &names, &error) == STATUS_OK, "%s", error.text);
  const double result = expression_value(e, x);
  expression_free(e);
  return result;
}

TEST(tables_of_gradients, .rows = sizeof printed / sizeof printed[0])
{
  static const double point[4][3] = {{0.7, 1.1, 0.3}, {-0.7, 1.1, -0.3}, {0.7, -1.1, 0.3}, {-0.7, -1.1, 0.8}};
  const double h = 1e-5;
  double worst = 0.0;
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < 3; d++) {
      double up[3], down[3];
      for (int i = 0; i < 3; i++) {
        up[i] = point[k][i] + (i == d ? h : 0.0);
        down[i] = point[k][i] - (i == d ? h : 0.0);
      }
      const double slope =
          (value_of(printed[_i].function, up) - value_of(printed[_i].function, down)) / (2 * h);
      worst = fmax(worst, fabs(slope - value_of(printed[_i].gradient[d], point[k])));
    }
  if (printed[_i].holds)
    ck_assert_double_lt(worst, 1e-8);
  else
    ck_assert_double_gt(worst, 0.1);
}
