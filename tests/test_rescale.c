/* The thermostat that rescales momenta: the canonical distribution of kinetic energies, what it leaves alone,
 * the same bits however a run is cut and with any team, and what is refused. */
#include "engine/random.h"
#include "engine/units.h"
#include "simulation/simulation_private.h"
#include "tests/deviation.h"
#include "tests/files.h"
#include "tests/parsed.h"
#include "tests/shorter.h"
#include "thermostat/rescale.h"

/* --- the factor ----- */

/* From any energy, after any time: the mean and the variance of the exact flow, and after a long one those of
 * the gamma distribution, third moment too. */
TEST(the_exact_flow, .rows = 15)
{
  static const int freedom[] = {1, 2, 3, 8, 57};
  static const double time[] = {0.05, 0.7, 40.0};
  enum { N = SHORT ? 8000 : 40000 };
  static double x[N], square[N], cube[N];
  const int f = freedom[_i / 3];
  const double t = time[_i % 3], kT = 0.6, K = 0.4 * f * kT, c = exp(-t), K0 = 0.5 * f * kT;
  RescaleAddress at = {.letter = 3};
  random_key(11, (uint32_t)_i, RANDOM_TEST, at.key);
  const double mean = c * K + (1.0 - c) * K0;
  const double variance = (1.0 - c) * (1.0 - c) * 2.0 * K0 * K0 / f + 4.0 * c * (1.0 - c) * K * K0 / f;
  for (int i = 0; i < N; i++) {
    at.step = i;
    x[i] = pow(rescale_factor(K, kT, f, t, &at), 2) * K;
    square[i] = (x[i] - mean) * (x[i] - mean);
    cube[i] = square[i] * (x[i] - mean);
  }
  ck_assert_double_lt(fabs(deviation(x, N, N, mean)), 4.0);
  ck_assert_double_lt(fabs(deviation(square, N, N, variance)), 4.0);
  if (t > 30.0) /* gamma distribution of shape f/2 */
    ck_assert_double_lt(fabs(deviation(cube, N, N, f * pow(kT, 3))), 4.0);
  ck_assert_double_eq(rescale_factor(0.0, kT, f, t, &at), 1.0);
}

/* --- systems ----- */

static const char gas[] = "system: {atoms: {argon: 6, neon: 3}, box: 60, minimise: false}\n"
                          "forces: {cutoff: 0.05, coulomb: cutoff, tail: false}\nprecision: double\n"
                          "integrator: {word: BAOAB, timestep: 10 fs, steps: 1000000}\n"
                          "thermostat: {type: rescale, temperature: 300 K, time: 20 fs}\n";

/* Atoms that never meet: the kinetic energy is canonical, directions stay, and the whole is at rest. */
TEST(kinetic_energies_of_an_ideal_gas)
{
  enum { N = 9, DRAWS = SHORT ? 600 : 3000 };
  static double x[DRAWS], square[DRAWS], value[96], v[2][3 * N];
  Simulation *s = parsed(gas);
  fine(simulation_step(s, 20, NULL, &error));
  fine(simulation_get(s, SIMULATION_VELOCITIES, 0, v[0], &error));
  const int f = simulation_freedom(s), kinetic = measurement_find(s->measurement, "kinetic");
  ck_assert_int_eq(f, 3 * N - 3);
  const double kT = 300.0 * UNITS_BOLTZMANN, mean = 0.5 * f * kT;
  for (int i = 0; i < DRAWS; i++) {
    fine(simulation_step(s, 20, NULL, &error)); /* ten times its time */
    fine(simulation_look(s, 0, value, &error));
    x[i] = value[kinetic];
    square[i] = (x[i] - mean) * (x[i] - mean);
  }
  ck_assert_double_lt(fabs(deviation(x, DRAWS, DRAWS, mean)), 4.0);
  ck_assert_double_lt(fabs(deviation(square, DRAWS, DRAWS, mean * kT)), 4.0);
  fine(simulation_get(s, SIMULATION_VELOCITIES, 0, v[1], &error));
  for (int k = 1; k < 3 * N; k++)
    ck_assert_double_eq_tol(v[1][k] / v[1][0], v[0][k] / v[0][0], 1e-6 * fabs(v[0][k] / v[0][0]));
  for (int d = 0; d < 3; d++)
    ck_assert_double_lt(fabs(value[measurement_find(s->measurement, "momentum_x") + d]), 1e-9);
  simulation_free(s);
}

/* A temperature that is set is that of the momenta from then on. */
TEST(another_temperature)
{
  enum { DRAWS = 800 };
  static double x[DRAWS], value[96];
  Simulation *s = parsed(gas);
  fine(simulation_start(s, NULL, &error));
  simulation_set_temperature(s, 0, 150.0);
  for (int i = 0; i < DRAWS; i++) {
    fine(simulation_step(s, 20, NULL, &error));
    fine(simulation_look(s, 0, value, &error));
    x[i] = value[measurement_find(s->measurement, "kinetic")];
  }
  ck_assert_double_lt(fabs(deviation(x + 1, DRAWS - 1, DRAWS - 1, 12.0 * 150.0 * UNITS_BOLTZMANN)), 4.0);
  simulation_free(s);
}

static const char *const geometry[] = {
    "system: {model: tip3p, box: 14 A, atoms: {Na+: 1, Cl-: 1}, molecules: 80, minimise: false}\n"
    "forces: {cutoff: 5 A, accuracy: 0.1}\ngeometry: {method: settle}\nintegrator: {word: BAOAB, ",
    "system: {model: tip3p, box: 14 A, molecules: 80, minimise: false}\nforces: {cutoff: 5 A, accuracy: "
    "0.1}\n"
    "geometry: {method: shake}\nintegrator: {word: SBAOABS, ",
    "system: {model: tip4p, molecules: 7, anneal: false}\ngeometry: {method: settle}\nintegrator: {word: "
    "BAOAB, "};
enum { GEOMETRIES = (int)(sizeof geometry / sizeof *geometry) };

static const char *water(int which, int threads, int replicas, const char *thermostat)
{
  static char text[1024];
  snprintf(text, sizeof text,
           "%stimestep: 1 fs, steps: 100}\nthermostat: {%s, temperature: 300 K}\n"
           "ensemble: {threads: %d, replicas: %d}\n",
           geometry[which], thermostat, threads, replicas);
  return text;
}

static const char quick[] = "type: rescale, time: 10 fs";

static void same(Simulation *a, Simulation *b, double tolerance)
{
  const size_t n = (size_t)simulation_coordinates(a);
  double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  for (int r = 0; r < simulation_replicas(a); r++)
    for (int field = SIMULATION_POSITIONS; field <= SIMULATION_VELOCITIES; field++) {
      fine(simulation_get(a, (SimulationField)field, r, x, &error));
      fine(simulation_get(b, (SimulationField)field, r, y, &error));
      for (size_t k = 0; k < n; k++)
        ck_assert_double_le(fabs(x[k] - y[k]), tolerance);
    }
  free(x);
  free(y);
}

/* Steps at once, in pieces, from a checkpoint, by one thread and by several; of boxes and of batches. */
TEST(pieces_and_teams, .rows = 2 * GEOMETRIES, .threads = true)
{
  if (SHORT && (_i == 0 || _i == 3)) /* the other box, in the other number of replicas */
    return;
  const int which = _i / 2, replicas = _i % 2 == 0 ? 1 : which < 2 ? 2 : 19;
  Simulation *a = parsed(water(which, 1, replicas, quick)), *b = parsed(water(which, 2, replicas, quick)),
             *c = parsed(water(which, 3, replicas, quick));
  const char *const path = files_path("rescale.hol");
  fine(simulation_step(a, 40, NULL, &error));
  fine(simulation_step(b, 7, NULL, &error));
  fine(simulation_step(b, 14, NULL, &error));
  fine(simulation_save(b, &(CheckpointStore){.path = path}, &error));
  fine(simulation_step(b, 19, NULL, &error));
  fine(simulation_restore(c, &(CheckpointStore){.path = path}, &error));
  fine(simulation_step(c, 19, NULL, &error));
  same(a, b, 0.0);
  same(a, c, 0.0);
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
}

/* A long time leaves dynamics alone: the trajectory is that of the word without O. */
TEST(a_long_time_is_none)
{
  Simulation *a = parsed(water(0, 1, 1, "type: rescale, time: 1e6 us, remove: none"));
  char other[1024];
  snprintf(other, sizeof other, "%s", water(0, 1, 1, "type: none"));
  memcpy(strstr(other, "BAOAB"), "BAAB ", 5);
  char *more = strstr(other, "accuracy: 0.1}");
  ck_assert_ptr_nonnull(more);
  char plain[1100];
  snprintf(plain, sizeof plain, "%.*saccuracy: 0.1, truncation: plain}%s", (int)(more - other), other,
           more + strlen("accuracy: 0.1}"));
  Simulation *b = parsed(plain);
  fine(simulation_step(a, 30, NULL, &error));
  fine(simulation_step(b, 30, NULL, &error));
  same(a, b, 1e-5);
  simulation_free(a);
  simulation_free(b);
}

/* --- what is refused ----- */

TEST(refusals)
{
  static const struct {
    const char *text, *says;
  } no[] = {
      {"geometry: {method: penalty, w: 50}\nthermostat: {type: rescale, temperature: 300}\n", "friction"},
      {"geometry: {method: settle}\nthermostat: {type: rescale, temperature: 300, time: 0}\n", "time"},
      {"geometry: {method: settle}\nthermostat: {type: rescale}\n", "thermostat.temperature: is missing"},
      {"geometry: {method: settle}\nthermostat: {type: langevin, temperature: 300, friction: 1/ps, time: 1 "
       "ps}\n",
       "without thermostat.type: rescale"},
      {"geometry: {method: settle}\nthermostat: {type: rescale}\nexchange: {temperatures: [100, 120]}\n",
       "langevin"},
  };
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "system: {model: tip3p, molecules: 4}\nintegrator: {timestep: 1 fs, steps: 9}\n%s", no[i].text);
    Simulation *s = NULL;
    ck_assert_int_eq(simulation_parse(&s, "case.yaml", text, NULL, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, no[i].says) != NULL, "'%s' is not in: %s", no[i].says, error.text);
    ck_assert_ptr_null(s);
  }
}
