/* Replica exchange of boxes: exact distributions of volumes, acceptances and free energies of an ideal gas at
 * constant pressure, and mean energies beside those of plain runs. */
#include "engine/units.h"
#include "observables/mbar_estimates.h"
#include "simulation/simulation_private.h"
#include "tests/parsed.h"
#include "tests/shorter.h"

enum { ATOMS = 12, STATES = 3, LADDERS = 8, REPLICAS = STATES * LADDERS };

/* Student's t of independent ladders: about 100 comparisons of all tests fail by chance once in 1e4 runs. */
static const double rare = 1e-6;

static double chance(double value, double law, double standard_error, int draws)
{
  return statistics_welch(law, 0.0, 0, value, standard_error, draws).p;
}

/* Atoms that never meet. */
static Simulation *gas(const char *barostat, const char *exchange)
{
  char text[1024];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: %d}, box: 40, minimise: false}\n"
           "forces: {cutoff: 0.01, coulomb: cutoff, tail: false}\nprecision: double\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 10 fs, steps: 1000000}\n"
           "thermostat: {friction: 20/ps%s}\nbarostat: {%s}\nexchange: {%s, ladders: %d, interval: 3}\n"
           "output: {equilibration: %s fs}\n",
           ATOMS, strstr(exchange, "temperatures") == NULL ? ", temperature: 300 K" : "", barostat, exchange,
           LADDERS, SHORT ? "1000" : "3000");
  Simulation *s = parsed(text);
  fine(simulation_start(s, NULL, &error));
  return s;
}

/* The mean of min(1, exp((1/a - 1/b)(u - v))), where u/a and v/b have the gamma distribution of f/2. */
static double gamma_density(double u, double kT, int f) { return pow(u / kT, 0.5 * f - 1.0) * exp(-u / kT); }

static double expected_acceptance(double a, double b, int f)
{
  enum { N = 600 };
  const double reach = 14.0 + f;
  double sum = 0.0, all = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double u = reach * a * (i + 0.5) / N, v = reach * b * (j + 0.5) / N;
      const double weight = gamma_density(u, a, f) * gamma_density(v, b, f);
      all += weight;
      sum += weight * ladder_acceptance(1.0 / a - 1.0 / b, u - v);
    }
  return sum / all;
}

/* --- an ideal gas --------------------------------------------------------------------------------------- */

/* The unit of the volumes of state k, kT/P, A^3. */
static double unit_of(const Ladder *l, int k) { return ladder_kT(l, k) / ladder_options(l)->pressure[k]; }

/* P V/kT in each state of each ladder has the gamma distribution of N + 1: its mean and its variance. */
static void compare_volumes(Simulation *s, int samples)
{
  double sum[STATES][LADDERS] = {{0}}, square[STATES][LADDERS] = {{0}};
  for (int i = 0; i < samples; i++) {
    fine(simulation_step(s, 3, NULL, &error));
    for (int r = 0; r < REPLICAS; r++) {
      const int k = ladder_temperature(s->ladder, r);
      const Box box = simulation_box(s, r);
      const double x = box_volume(&box) / unit_of(s->ladder, k) - (ATOMS + 1.0);
      sum[k][r / STATES] += x / samples;
      square[k][r / STATES] += x * x / samples;
    }
  }
  for (int k = 0; k < STATES; k++) {
    double mean, spread;
    statistics_mean(sum[k], LADDERS, &mean, &spread);
    ck_assert_double_lt(spread, 0.6);
    ck_assert_msg(chance(mean, 0.0, spread, LADDERS) > rare, "state %d: P V/kT differs by %g +- %g", k, mean,
                  spread);
    statistics_mean(square[k], LADDERS, &mean, &spread);
    ck_assert_msg(chance(mean, ATOMS + 1.0, spread, LADDERS) > rare, "state %d: variance %g +- %g", k, mean,
                  spread);
  }
}

/* Acceptances: U + P V = P V has a gamma distribution; of states that differ in pressure, V has one of width
 * 1/P. */
static void compare_acceptances(const Ladder *l, bool pressures)
{
  for (int k = 0; k + 1 < STATES; k++) {
    const LadderRung rung = ladder_rung(l, k);
    const double *const P = ladder_options(l)->pressure;
    const double law = pressures ? expected_acceptance(1.0 / P[k], 1.0 / P[k + 1], 2 * (ATOMS + 1))
                                 : expected_acceptance(ladder_kT(l, k), ladder_kT(l, k + 1), 2 * (ATOMS + 1));
    ck_assert_msg(chance(rung.acceptance, law, rung.acceptance_error, LADDERS) > rare, "%g +- %g, not %g",
                  rung.acceptance, rung.acceptance_error, law);
  }
}

/* Volumes and heat capacity (N + 1) k from the samples of all temperatures. */
static void compare_temperatures(const Ladder *l)
{
  MbarEstimates *e;
  double kelvin[STATES];
  for (int k = 0; k < STATES; k++)
    kelvin[k] = ladder_kT(l, k) / UNITS_BOLTZMANN;
  MbarRequest request = {.temperature = kelvin, .boltzmann = UNITS_BOLTZMANN, .at = kelvin, .points = STATES};
  request.ladder = ladder_histograms(l, &request.ladders);
  fine(mbar_estimates_create(&e, &request, &error));
  for (int k = 0; k < STATES; k++) {
    ck_assert_double_gt(chance(e->volume.value[k], (ATOMS + 1) * unit_of(l, k), e->volume.error[k], LADDERS),
                        rare);
    ck_assert_double_gt(
        chance(e->energy.value[k], (ATOMS + 1) * ladder_kT(l, k), e->energy.error[k], LADDERS), rare);
    ck_assert_double_gt(chance(e->heat.value[k], (ATOMS + 1) * UNITS_BOLTZMANN, e->heat.error[k], LADDERS),
                        rare);
  }
  ck_assert_double_gt(e->consistent, rare);
  mbar_estimates_free(e);
}

/* Z = kT^(N + 1)/P^(N + 1) but for factors that the states share. */
static void compare_states(const Ladder *l)
{
  double value[2 * STATES], spread[2 * STATES], overlap;
  fine(reduced_energies_averages(ladder_reduced(l), LADDERS, value, spread, &overlap, &error));
  ck_assert_double_gt(overlap, 0.1);
  for (int k = 0; k < STATES; k++) {
    const double law = -(ATOMS + 1) * log(unit_of(l, k) / unit_of(l, 0));
    ck_assert_msg(k == 0 || chance(value[k], law, spread[k], LADDERS) > rare, "f = %g +- %g, not %g",
                  value[k], spread[k], law);
    ck_assert_double_gt(chance(value[STATES + k], (ATOMS + 1) * unit_of(l, k), spread[STATES + k], LADDERS),
                        rare);
  }
}

/* Both barostats; states of temperature, of pressure, and of both. */
TEST(an_ideal_gas, .rows = 6)
{
  static const char *const barostat[] = {"type: monte-carlo, every: 1",
                                         "type: rescale, every: 1, compressibility: 1/MPa, time: 400 fs"};
  static const char *const exchange[] = {
      "temperatures: [240 K, 300 K, 370 K]", "pressures: [0.8 MPa, 1 MPa, 1.3 MPa]",
      "temperatures: [240 K, 300 K, 300 K], pressures: [1 MPa, 1 MPa, 0.8 MPa]"};
  char words[160];
  const int of = _i / 2;
  snprintf(words, sizeof words, "%s%s", barostat[_i % 2], of == 0 ? ", pressure: 1 MPa" : "");
  Simulation *s = gas(words, exchange[of]);
  fine(simulation_step(s, SHORT ? 100 : 300, NULL, &error));
  compare_volumes(s, SHORT ? 100 : 350);
  if (of < 2)
    compare_acceptances(s->ladder, of == 1);
  if (of == 0)
    compare_temperatures(s->ladder);
  else
    compare_states(s->ladder);
  simulation_free(s);
}

/* --- argon beside plain runs ---------------------------------------------------------------------------- */

/* A dense fluid of argon at constant volume, or at constant pressure. */
static Simulation *argon(bool pressed, const char *more)
{
  char text[1024];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: 24}, box: 11 A}\nforces: {cutoff: 4.5 A, coulomb: cutoff}\n"
           "precision: double\nensemble: {threads: 1, replicas: %d}\n"
           "integrator: {word: BAOAB, timestep: 10 fs, steps: 1000000}\n%s"
           "output: {equilibration: 3 ps}\n%s",
           REPLICAS, more, pressed ? "barostat: {type: monte-carlo, pressure: 500 bar, every: 5}\n" : "");
  Simulation *s = parsed(text);
  fine(simulation_step(s, 300, NULL, &error));
  return s;
}

/* Adds the mean potential energy and the mean volume of every slot over these samples. */
static void average(Simulation *s, int samples, double energy[REPLICAS], double volume[REPLICAS])
{
  SimulationColumns columns;
  double value[64];
  int potential = 0;
  fine(simulation_columns(s, &columns, &error));
  while (strcmp(columns.name[potential], "potential") != 0)
    potential++;
  memset(energy, 0, REPLICAS * sizeof *energy);
  memset(volume, 0, REPLICAS * sizeof *volume);
  for (int i = 0; i < samples; i++) {
    fine(simulation_step(s, 20, NULL, &error));
    for (int r = 0; r < REPLICAS; r++) {
      const Box box = simulation_box(s, r);
      const int slot = ladder_slot(s->ladder, r);
      fine(simulation_look(s, r, value, &error));
      energy[slot] += value[potential] / samples;
      volume[slot] += box_volume(&box) / samples;
    }
  }
}

/* The means over ladders in state k, [0], and over all replicas of a plain run, [1]. */
static void compare_means(const double *ladders, const double *plain, int k)
{
  double own[LADDERS], a, da, b, db;
  for (int l = 0; l < LADDERS; l++)
    own[l] = ladders[l * STATES + k];
  statistics_mean(own, LADDERS, &a, &da);
  statistics_mean(plain, REPLICAS, &b, &db);
  ck_assert_msg(statistics_welch(a, da, LADDERS, b, db, REPLICAS).p > rare, "%g +- %g and %g +- %g", a, da, b,
                db);
}

TEST(argon_beside_plain_runs, .rows = 2)
{
  static const char *const kelvin[] = {"120", "135", "150"};
  double energy[2][REPLICAS], volume[2][REPLICAS];
  const int samples = SHORT ? 20 : 60;
  Simulation *s = argon(_i == 1, "thermostat: {friction: 2/ps}\n"
                                 "exchange: {temperatures: [120, 135, 150], ladders: 8, interval: 10}\n");
  average(s, samples, energy[0], volume[0]);
  ck_assert_double_gt(ladder_rung(s->ladder, 0).acceptance, 0.2);
  simulation_free(s);
  for (int k = 0; k < STATES; k += 2) {
    char words[80];
    snprintf(words, sizeof words, "thermostat: {temperature: %s, friction: 2/ps}\n", kelvin[k]);
    s = argon(_i == 1, words);
    average(s, samples, energy[1], volume[1]);
    compare_means(energy[0], energy[1], k);
    if (_i == 1)
      compare_means(volume[0], volume[1], k);
    simulation_free(s);
  }
}

/* --- input ---------------------------------------------------------------------------------------------- */

/* Liquid water needs more temperatures than a cluster of as many molecules. */
TEST(number_by_acceptance)
{
  static const char lines[] =
      "system: {model: tip3p, molecules: 5000%s}\ngeometry: {method: settle}\n"
      "integrator: {word: BAOAB, timestep: 2 fs, steps: 100}\nthermostat: {friction: 1/ps}\n"
      "exchange: {lowest: 300 K, highest: 450 K, acceptance: 0.3}\n";
  char text[512];
  int number[2];
  for (int i = 0; i < 2; i++) {
    Config *config;
    snprintf(text, sizeof text, lines, i == 0 ? ", anneal: false" : ", density: 1 g/cm3");
    fine(config_parse("case.yaml", text, NULL, 0, &config, &error));
    number[i] = config->exchange.number;
    config_free(config);
  }
  ck_assert_double_eq_tol((number[1] - 1.0) / (number[0] - 1.0), sqrt(2.0), 0.1);
}
