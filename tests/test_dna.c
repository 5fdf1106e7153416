/* The DNA model of the examples: the band solve against a dense one, what the ring of springs conserves and
 * where velocity Verlet ends, the order of its energy error, and the transition between the two states. */
#include <gsl/gsl_linalg.h>

#include "integrators/plan.h"
#include "simulation/simulation_private.h"
#include "tests/energies.h"
#include "tests/started.h"
#include "tests/suite.h"

enum { MOST = 64 };

static Simulation *load(const char *name, int nset, const char *const *set)
{
  char path[512];
  const char *const root = getenv("HOLONOM_SOURCE");
  snprintf(path, sizeof path, "%s/examples/dna/%s", root != NULL ? root : ".", name);
  Simulation *m;
  Error error;
  ck_assert_msg(started(&m, path, set, nset, &error) == STATUS_OK, "%s", error.text);
  return m;
}

static void run(Simulation *m, int64_t n)
{
  Error error;
  ck_assert_msg(simulation_step(m, n, NULL, &error) == STATUS_OK, "%s", error.text);
}

/* Gradient and Hessian of the kind's potential, dense, in plain numbers. */
static void derivatives(const Kind *kind, const double *q, double *grad, gsl_matrix *hess)
{
  Vec8 x[MOST], f[MOST] = {{0}};
  for (int i = 0; i < kind->nsite; i++)
    x[i] = vec8_set(q[i]);
  kind_potential(kind, x, NULL, f);
  for (int i = 0; i < kind->nsite; i++)
    grad[i] = -f[i][0];
  gsl_matrix_set_zero(hess);
  for (int c = 0; c < kind->npot; c++) {
    const Potential *pot = &kind->pot[c];
    Vec8 h[4];
    pot->type->hess(pot, 1, x, h);
    for (int i = 0; i < pot->nsite; i++)
      for (int j = 0; j < pot->nsite; j++)
        *gsl_matrix_ptr(hess, (size_t)pot->site[i], (size_t)pot->site[j]) += h[i * pot->nsite + j][0];
  }
}

/* What Zhang & Skeel's map kicks with, by dense algebra: a - 1/2 beta^2 h^4 D3V[a, a]. */
static void kick_with(const Simulation *m, const double *q, double *f)
{
  const Kind *kind = m->kind[0];
  const PlanOptions *o = plan_options(m->plan);
  const size_t n = (size_t)kind->nsite;
  const double gap = o->beta * o->h * o->h;
  double grad[MOST];
  gsl_matrix *hess = gsl_matrix_alloc(n, n);
  gsl_vector *b = gsl_vector_alloc(n), *a = gsl_vector_alloc(n);
  gsl_permutation *order = gsl_permutation_alloc(n);
  int sign;
  derivatives(kind, q, grad, hess);
  gsl_matrix_scale(hess, gap);
  for (size_t i = 0; i < n; i++) {
    *gsl_matrix_ptr(hess, i, i) += kind->mass[i];
    gsl_vector_set(b, i, -grad[i]);
  }
  ck_assert_int_eq(gsl_linalg_LU_decomp(hess, order, &sign), 0);
  ck_assert_int_eq(gsl_linalg_LU_solve(hess, order, b, a), 0);
  Vec8 x[MOST], u[MOST];
  for (size_t i = 0; i < n; i++) {
    x[i] = vec8_set(q[i]);
    u[i] = vec8_set(gsl_vector_get(a, i));
    f[i] = kind->mass[i] * gsl_vector_get(a, i);
  }
  const Vec8 scale = vec8_set(-0.5 * gap * gap);
  for (int c = 0; c < kind->npot; c++) {
    Vec8 out[2] = {{0}};
    const Potential *pot = &kind->pot[c];
    if (pot->type->third != NULL)
      pot->type->third(pot, 1, x, &scale, u, out);
    for (int i = 0; i < pot->nsite; i++)
      f[pot->site[i]] += out[i][0];
  }
  gsl_permutation_free(order);
  gsl_vector_free(a);
  gsl_vector_free(b);
  gsl_matrix_free(hess);
}

/* One step, solved dense (24 base pairs) and as a band (48), against dense algebra. */
TEST(the_band_solve_is_the_dense_one, .rows = 2)
{
  const char *const set[] = {_i == 0 ? "system.constants.N=24" : "system.constants.N=48"};
  Simulation *m = load("zs.yaml", 1, set);
  const int n = simulation_coordinates(m);
  const double h = plan_options(m->plan)->h;
  double q[MOST], p[MOST], f[MOST], x[MOST], y[MOST];
  simulation_get_point(m, 0, q, p);
  kick_with(m, q, f);
  for (int i = 0; i < n; i++) {
    p[i] += 0.5 * h * f[i];
    q[i] += h * p[i];
  }
  kick_with(m, q, f);
  run(m, 1);
  simulation_get_point(m, 0, x, y);
  for (int i = 0; i < n; i++) {
    ck_assert_double_eq_tol(x[i], q[i], 1e-12);
    ck_assert_double_eq_tol(y[i], p[i] + 0.5 * h * f[i], 1e-12);
  }
  simulation_free(m);
}

/* Springs alone: the fastest mode of a ring of even N has W = 2, so Verlet ends at h = 1 and Zhang-Skeel
 * (beta above 1/4) never; both keep the mean velocity. */
TEST(a_ring_of_springs, .rows = 3)
{
  static const struct {
    const char *file, *step;
    int stable;
  } cases[] = {{"verlet.yaml", "integrator.timestep=0.99", 1},
               {"verlet.yaml", "integrator.timestep=1.01", 0},
               {"zs.yaml", "integrator.timestep=10", 1}};
  const char *const set[] = {"system.constants.eps=0", "system.constants.N=50", cases[_i].step};
  Simulation *m = load(cases[_i].file, 3, set);
  const MechanicsEnergy first = mechanics_energy(m, 0);
  run(m, 1000);
  const MechanicsEnergy last = mechanics_energy(m, 0);
  ck_assert(cases[_i].stable ? last.total < 60.0 * first.total : last.total > 1e6 * first.total);
  if (cases[_i].stable)
    ck_assert_double_eq_tol(last.momentum[0], first.momentum[0], 1e-10);
  simulation_free(m);
}

/* The energy error of velocity Verlet is of second order. */
TEST(energy_errors_are_of_second_order)
{
  double worst[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    const char *const set[] = {k == 0 ? "integrator.timestep=0.2" : "integrator.timestep=0.1"};
    Simulation *m = load("verlet.yaml", 1, set);
    const double first = mechanics_energy(m, 0).total;
    for (int i = 0; i < 50; i++) {
      run(m, k == 0 ? 2 : 4);
      worst[k] = fmax(worst[k], fabs(mechanics_energy(m, 0).total - first));
    }
    simulation_free(m);
  }
  ck_assert_double_lt(worst[0], 0.1);
  ck_assert_double_eq_tol(worst[0] / worst[1], 4.0, 0.4);
}

/* The mean angle leaves arccos 0.7, passes pi and turns near 2 pi - arccos 0.7, by both methods. */
TEST(the_strand_opens, .rows = 2)
{
  const char *const set[] = {"ensemble.replicas=4"};
  Simulation *m = load(_i == 0 ? "verlet.yaml" : "zs.yaml", 1, set);
  const int n = simulation_coordinates(m);
  double q[200], p[200], high[4] = {0};
  ck_assert_int_eq(n, 200);
  while (simulation_time(m) < 260.0) {
    run(m, _i == 0 ? 20 : 2);
    for (int r = 0; r < 4; r++) {
      double mean = 0.0;
      simulation_get_point(m, r, q, p);
      for (int i = 0; i < n; i++)
        mean += q[i] / n;
      high[r] = fmax(high[r], mean);
    }
  }
  for (int r = 0; r < 4; r++) {
    ck_assert_double_gt(high[r], 4.5);
    ck_assert_double_lt(high[r], 2.0 * M_PI - acos(0.7) + 0.3);
  }
  simulation_free(m);
}
