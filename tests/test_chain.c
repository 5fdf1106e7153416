/* The input files of the pendulum chain: they load and run; all solvers give one trajectory; penalties go
 * over into constraints. */
#include "tests/energies.h"
#include "tests/started.h"
#include "tests/suite.h"

enum { LINKS = 40, SIZE = 2 * LINKS };

static Simulation *load(const char *file, int nset, const char *const *set)
{
  const char *source = getenv("HOLONOM_SOURCE");
  char path[512];
  Simulation *m;
  Error error = {0};
  snprintf(path, sizeof path, "%s/examples/%s", source != NULL ? source : ".", file);
  ck_assert_msg(started(&m, path, set, nset, &error) == STATUS_OK, "%s", error.text);
  return m;
}

/* The end of a run of so many steps, q[2*links]. */
static void end_of(const char *file, int nset, const char *const *set, int steps, double *q)
{
  double p[SIZE];
  Error error = {0};
  Simulation *m = load(file, nset, set);
  ck_assert_int_le(simulation_coordinates(m), SIZE);
  ck_assert_msg(simulation_step(m, steps, NULL, &error) == STATUS_OK, "%s", error.text);
  simulation_get_point(m, 0, q, p);
  simulation_free(m);
}

static double apart(int n, const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

TEST(solvers_give_one_trajectory)
{
  static const char *const solvers[4] = {"geometry.solver=auto", "geometry.solver=newton",
                                         "geometry.solver=milc", "geometry.solver=gauss-seidel"};
  double q[4][SIZE];
  for (int k = 0; k < 4; k++) {
    const char *const set[4] = {"system.constants.N=40", "integrator.timestep=0.025", solvers[k],
                                "geometry.max_iterations=100000"};
    end_of("pendulum-chain/shake.yaml", 4, set, 40, q[k]);
  }
  for (int k = 1; k < 4; k++)
    ck_assert_double_lt(apart(SIZE, q[k], q[0]), 1e-8);
}

/* Which constraint, by how much, and by whom. */
TEST(failures_are_named)
{
  static const char *const set[2] = {"geometry.solver=gauss-seidel", "geometry.max_iterations=3"};
  Error error = {0};
  Simulation *m = load("pendulum-chain/shake.yaml", 2, set);
  ck_assert_int_eq(simulation_step(m, 10, NULL, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "step 1: "));
  ck_assert_ptr_nonnull(strstr(error.text, "constraint "));
  ck_assert_ptr_nonnull(strstr(error.text, "gauss-seidel"));
  ck_assert_ptr_nonnull(strstr(error.text, "residual"));
  simulation_free(m);
}

TEST(shake_and_rattle_pass_through_the_same_positions)
{
  static const char *const set[1] = {"geometry.method=rattle"};
  double q[2][SIZE];
  end_of("pendulum-chain/shake.yaml", 0, NULL, 200, q[0]);
  end_of("pendulum-chain/shake.yaml", 1, set, 200, q[1]);
  ck_assert_double_lt(apart(20, q[0], q[1]), 1e-9);
}

/* The difference to rigid rods falls with 1/w^2, both followed in steps that hardly count. */
TEST(penalties_become_constraints)
{
  double rigid[SIZE], stiff[2][SIZE];
  static const char *const fine[1] = {"integrator.timestep=0.0005"};
  end_of("pendulum-chain/shake.yaml", 1, fine, 8000, rigid);
  for (int k = 0; k < 2; k++) {
    const char *const set[2] = {"integrator.timestep=0.0005", k == 0 ? "geometry.w=20" : "geometry.w=60"};
    end_of("pendulum-chain/zs.yaml", 2, set, 8000, stiff[k]);
  }
  const double ratio = apart(20, stiff[0], rigid) / apart(20, stiff[1], rigid);
  ck_assert_double_gt(ratio, 4.0);
  ck_assert_double_lt(apart(20, stiff[0], rigid), 0.05);
}

/* Energy and constraints of the double and triple pendulum, and all the way back with turned momenta. */
TEST(double_and_triple_pendulum, .rows = 2)
{
  static const char *const files[2] = {"double-triple-pendulum/double.yaml",
                                       "double-triple-pendulum/triple.yaml"};
  static const char *const set[2] = {"system.constants.a1=1.5", "system.constants.a2=1"};
  Simulation *m = load(files[_i], 2, set);
  Error error = {0};
  double start[6], q[6], p[6];
  const double before = mechanics_energy(m, 0).total;
  simulation_get_point(m, 0, start, p);
  for (int way = 0; way < 2; way++) {
    ck_assert_int_eq(simulation_step(m, 400, NULL, &error), STATUS_OK);
    const MechanicsEnergy e = mechanics_energy(m, 0);
    ck_assert_double_lt(fabs(e.total - before), 0.02);
    ck_assert_double_lt(e.largest, 1e-12);
    ck_assert_double_lt(e.hidden, 1e-11);
    simulation_get_point(m, 0, q, p);
    ck_assert(way == 1 || apart(4 + 2 * _i, q, start) > 0.1);
    for (int i = 0; i < 6; i++)
      p[i] = -p[i];
    ck_assert_int_eq(simulation_set_point(m, 0, q, p, &error), STATUS_OK);
  }
  ck_assert_double_lt(apart(4 + 2 * _i, q, start), 1e-8);
  simulation_free(m);
}
