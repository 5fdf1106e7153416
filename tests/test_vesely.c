/* The input files of Vesely's statistical and robotic systems: they load, run, keep what they promise; keys
 * that do not fit are refused with the reason. */
#include "tests/energies.h"
#include "tests/started.h"
#include "tests/suite.h"

static const char *path_of(const char *file, char path[512])
{
  const char *source = getenv("HOLONOM_SOURCE");
  snprintf(path, 512, "%s/examples/%s", source != NULL ? source : ".", file);
  return path;
}

static Simulation *load(const char *file, int nset, const char *const *set)
{
  char path[512];
  Simulation *m;
  Error error = {0};
  ck_assert_msg(started(&m, path_of(file, path), set, nset, &error) == STATUS_OK, "%s", error.text);
  return m;
}

static const char *const files[] = {
    "trimer/rigid.yaml",       "trimer/fixman.yaml", "trimer/springs.yaml",        "trimer/walk.yaml",
    "kramers-chain/walk.yaml", "robot-arm/arm.yaml", "robot-arm/arm-obstacle.yaml"};
enum { FILES = (int)(sizeof files / sizeof *files) };

TEST(examples_run, .rows = FILES)
{
  Simulation *m = load(files[_i], 0, NULL);
  Error error = {0};
  ck_assert_msg(simulation_step(m, 100, NULL, &error) == STATUS_OK, "%s: %s", files[_i], error.text);
  for (int r = 0; r < simulation_replicas(m); r++) {
    const MechanicsEnergy e = mechanics_energy(m, r);
    ck_assert_double_lt(e.largest, 1e-7);
    ck_assert(isfinite(e.total));
  }
  simulation_free(m);
}

/* The range of the total energy over 10 units of time without friction and noise, and of the kinetic part. */
static void energy_ranges(const char *timestep, double *total, double *kinetic)
{
  const char *const set[] = {"ensemble.replicas=1", "thermostat.friction=0", timestep};
  Simulation *m = load("trimer/fixman.yaml", 3, set);
  Error error = {0};
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  while (simulation_time(m) < 10.0) {
    ck_assert_int_eq(simulation_step(m, 5, NULL, &error), STATUS_OK);
    const MechanicsEnergy e = mechanics_energy(m, 0);
    low[0] = fmin(low[0], e.total);
    high[0] = fmax(high[0], e.total);
    low[1] = fmin(low[1], e.kinetic);
    high[1] = fmax(high[1], e.kinetic);
  }
  *total = high[0] - low[0];
  *kinetic = high[1] - low[1];
  simulation_free(m);
}

TEST(fixman_energy_counts)
{
  double coarse, fine, kinetic;
  energy_ranges("integrator.timestep=0.02", &coarse, &kinetic);
  ck_assert_double_gt(kinetic, 0.01);
  ck_assert_double_lt(coarse, 0.01 * kinetic);
  energy_ranges("integrator.timestep=0.01", &fine, &kinetic);
  ck_assert_double_eq_tol(log2(coarse / fine), 2.0, 0.2);
}

/* Its force works: one replica takes another way. */
TEST(fixman_acts)
{
  Simulation *with = load("trimer/fixman.yaml", 0, NULL), *without = load("trimer/rigid.yaml", 0, NULL);
  Error error = {0};
  double q[2][6], p[6];
  ck_assert_int_eq(simulation_step(with, 50, NULL, &error), STATUS_OK);
  ck_assert_int_eq(simulation_step(without, 50, NULL, &error), STATUS_OK);
  simulation_get_point(with, 0, q[0], p);
  simulation_get_point(without, 0, q[1], p);
  double far = 0.0;
  for (int i = 0; i < 6; i++)
    far = fmax(far, fabs(q[0][i] - q[1][i]));
  ck_assert_double_gt(far, 1e-4);
  simulation_free(with);
  simulation_free(without);
}

/* A whole turn of the hand: the disc is cut without the potential and kept clear of with it. */
static double least_clearance(const char *file)
{
  Simulation *m = load(file, 0, NULL);
  const double disc[2] = {1.9, -1.7}, radius = 0.35;
  double least = INFINITY, q[10], p[10];
  Error error = {0};
  for (int n = 0; n < 330; n++) {
    ck_assert_msg(simulation_step(m, 1, NULL, &error) == STATUS_OK, "%s", error.text);
    simulation_get_point(m, 0, q, p);
    for (int k = 0; k < 5; k++)
      for (int i = 0; i <= 100; i++) {
        const double s = i / 100.0, *from = k > 0 ? q + 2 * k - 2 : (const double[]){0.0, 0.0};
        least = fmin(least, hypot((1 - s) * from[0] + s * q[2 * k] - disc[0],
                                  (1 - s) * from[1] + s * q[2 * k + 1] - disc[1]) -
                                radius);
      }
    ck_assert_double_lt(mechanics_energy(m, 0).largest, 1e-11);
  }
  simulation_free(m);
  return least;
}

TEST(obstacle)
{
  ck_assert_double_lt(least_clearance("robot-arm/arm.yaml"), -0.05);
  ck_assert_double_gt(least_clearance("robot-arm/arm-obstacle.yaml"), 0.0);
}

static const struct {
  const char *file, *set, *why;
} wrong[] = {
    {"trimer/springs.yaml", "geometry.fixman=true", "exact constraints"},
    {"trimer/fixman.yaml", "thermostat.type=none", "without a temperature"},
    {"trimer/rigid.yaml", "integrator.search.trials=3", "kinematic-search"},
    {"robot-arm/arm.yaml", "integrator.search.trials=-3", "trials"},
    {"robot-arm/arm.yaml", "integrator.search.amplitude=0", "amplitude"},
};

TEST(refusals, .rows = sizeof wrong / sizeof *wrong)
{
  char path[512];
  Simulation *m;
  Error error = {0};
  ck_assert_int_eq(started(&m, path_of(wrong[_i].file, path), &wrong[_i].set, 1, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, wrong[_i].why) != NULL, "%s", error.text);
}
