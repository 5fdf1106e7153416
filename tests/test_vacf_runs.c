/* Velocity autocorrelations of runs of clusters and of sites: equipartition, a free molecule under Langevin's
 * friction, the same bytes for any threads, in parts and after a restart; a ladder is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/water.h"
#include "tests/program.h"
#include "tests/tables.h"

static const char input[] = "seed: 3\n"
                            "system: {model: tip3p, molecules: 3, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, steps: 2000}\n"
                            "thermostat: {temperature: 100 K, friction: 20/ps}\n"
                            "ensemble: {replicas: 64}\n"
                            "output: {report: false, thermo_every: 500, rdf_every: 0, vacf_every: 5, "
                            "vacf_max: 0.2 ps, equilibration: 0.5 ps, progress: false}\n";

#define FAR                                                                                                  \
  "--set system.molecules=2 --set system.start=file --set system.file=far.xyz --set system.anneal= "         \
  "--set output.vacf_max='0.3 ps' "

static void setup(void)
{
  program_does("rm -rf *");
  program_write("in.yaml", input);
}

static void same(const char *one, const char *other)
{
  program_same(one, other, "vacf.csv");
  program_same(one, other, "vacf_spectrum.csv");
  program_same(one, other, "observables.json");
}

/* <v^2> of a molecule alone, A^2/ps^2. */
static double free_square(double kelvin)
{
  const double mass = WATER_MASS_O + 2.0 * WATER_MASS_H;
  return 3.0 * UNITS_BOLTZMANN * kelvin / mass / pow(UNITS_AKMA_FS * 1e-3, 2);
}

/* Relative to the centre of N molecules alike the square is (N - 1)/N of a free one's. */
START_TEST(clusters_have_the_temperature)
{
  program_does("$P run in.yaml -o one --threads 1 --quiet");
  Table *table = program_table("one/vacf.csv");
  const double seen = tables_cell(table, 0, "C_tip3p"), error = tables_cell(table, 0, "C_tip3p_err");
  ck_assert_uint_eq(table->nrow, 41);
  ck_assert_double_eq_tol(seen, free_square(100.0) * 2.0 / 3.0, 4.0 * error);
  ck_assert_double_lt(error, 0.03 * seen);
  ck_assert_double_lt(fabs(tables_cell(table, 40, "C_tip3p")), 0.2 * seen);
  table_free(table);
  program_does("$P run in.yaml -o two --threads 2 --quiet");
  same("one", "two");
  program_does(
      "$P run in.yaml -o a --replicas 0..23 --quiet && $P run in.yaml -o b --replicas 24..63 --quiet && "
      "$P merge a b -o merged --quiet");
  same("one", "merged");
  program_does(
      "$P run in.yaml -o later --set integrator.steps=1234 --quiet && $P run in.yaml -o later --resume "
      "--quiet");
  same("one", "later");
}
END_TEST

/* Two molecules too far apart to know of each other: friction in proportion to mass slows the centre of a
 * rigid one as it would a particle. C is half of C(0) exp(-gamma t), as the half of the motion is their
 * common centre's, and the integral half of kT/(m gamma). Many replicas, and one. */
START_TEST(free_molecules_forget_exponentially)
{
  program_write("far.xyz", "6\nfar\nO 0 0 0\nH 0.9572 0 0\nH -0.2399872 0.9266272 0\n"
                           "O 500 0 0\nH 500.9572 0 0\nH 499.7600128 0.9266272 0\n");
  program_does(_i == 0 ? "$P run in.yaml -o free --quiet " FAR
                       : "$P run in.yaml -o free --quiet " FAR
                         "--set ensemble.replicas=1 --set integrator.steps=100000");
  const double square = 0.5 * free_square(100.0);
  Table *table = program_table("free/vacf.csv");
  int beyond = 0;
  for (size_t k = 0; k < table->nrow; k += 4) {
    const double error = tables_cell(table, k, "C_tip3p_err"),
                 gap = fabs(tables_cell(table, k, "C_tip3p") -
                            square * exp(-20.0 * tables_cell(table, k, "time_ps")));
    ck_assert_double_lt(gap, 4.5 * error);
    beyond += gap > 2.0 * error;
    ck_assert_double_lt(error, 0.05 * square);
  }
  ck_assert_int_le(beyond, 5); /* of 16, that hang together */
  table_free(table);
  const char *at = strstr(program_read("free/observables.json"), "D_green_kubo");
  ck_assert_ptr_nonnull(at);
  const double d = strtod(strstr(at, "\"value\":") + 8, NULL),
               error = strtod(strstr(at, "\"error\":") + 8, NULL);
  ck_assert_double_eq_tol(d, 10.0 * square / 3.0 / 20.0, 4.0 * error);
}
END_TEST

/* Two sites on a spring in the plane, of 11 replicas, which do not fill their gangs: the square velocity of a
 * site is 2 kT/m, the spectrum of the lighter one is highest at the spring's frequency, and the same bytes
 * come of any threads, of parts and after a restart. Of a particle in AKMA units the integral is kT/(m
 * gamma). */
START_TEST(sites_have_velocities_too)
{
  program_write(
      "pair.yaml",
      "units: reduced\nsystem:\n  dimensions: 2\n  sites: [{name: A, mass: 1, position: [0, 0]}, {name: "
      "B, mass: 2, position: [1, 0]}]\n"
      "  potentials: [{type: spring, sites: [1, 2], length: 1, stiffness: 50}]\n"
      "geometry: {method: none}\nintegrator: {word: BAOAB, timestep: 0.02, time: 80}\n"
      "thermostat: {type: langevin, friction: 1, temperature: 0.2}\nensemble: {replicas: 11}\n"
      "output: {report: false, progress: false, thermo_every: 100, vacf_every: 4, vacf_max: 16}\n");
  program_does("$P run pair.yaml -o one --threads 1 --quiet && $P run pair.yaml -o two --threads 2 --quiet");
  same("one", "two");
  Table *table = program_table("one/vacf.csv");
  const double error = tables_cell(table, 0, "C_system_A_err");
  ck_assert_double_eq_tol(tables_cell(table, 0, "C_system_A"), 2.0 * 0.2, 4.0 * error);
  ck_assert_double_lt(error, 0.03);
  ck_assert_double_eq_tol(tables_cell(table, 0, "C_system_B"), 0.2,
                          4.0 * tables_cell(table, 0, "C_system_B_err"));
  ck_assert_double_eq_tol(tables_cell(table, 10, "time"), 0.8, 1e-12);
  table_free(table);
  table = program_table("one/vacf_spectrum.csv");
  size_t top = 26; /* beyond the motion of the centre and of the whole about it */
  for (size_t k = top; k < table->nrow; k++)
    top = tables_cell(table, k, "S_system_A") > tables_cell(table, top, "S_system_A") ? k : top;
  ck_assert_double_eq_tol(tables_cell(table, top, "frequency"), sqrt(50.0 * 1.5) / (2.0 * M_PI), 0.1);
  table_free(table);
  program_does(
      "$P run pair.yaml -o a --replicas 0..7 --quiet && $P run pair.yaml -o b --replicas 8..10 --quiet && "
      "$P merge a b -o merged --quiet");
  same("one", "merged");
  program_does(
      "$P run pair.yaml -o later --set integrator.time=39 --quiet && $P run pair.yaml -o later --resume "
      "--quiet");
  same("one", "later");
  ck_assert_int_eq(program_call("check pair.yaml --set output.vacf_every=1000"), 2);
  program_says("samples must be closer");
  program_write("free.yaml",
                "system: {dimensions: 3, sites: [{mass: 20, position: [0, 0, 0]}]}\n"
                "geometry: {method: none}\nintegrator: {word: BAOAB, timestep: 4 fs, time: 40 ps}\n"
                "thermostat: {type: langevin, friction: 20/ps, temperature: 100 K}\n"
                "ensemble: {replicas: 16}\noutput: {report: false, progress: false, vacf_every: 5, "
                "vacf_max: 0.4 ps, trajectory_every: 1000}\n");
  program_does("$P run free.yaml -o free --quiet");
  const char *at = strstr(program_read("free/observables.json"), "D_green_kubo");
  ck_assert_ptr_nonnull(at);
  const double d = strtod(strstr(at, "\"value\":") + 8, NULL),
               err = strtod(strstr(at, "\"error\":") + 8, NULL);
  ck_assert_double_eq_tol(d, 10.0 * UNITS_BOLTZMANN * 100.0 / 20.0 / pow(UNITS_AKMA_FS * 1e-3, 2) / 20.0,
                          4.0 * err);
}
END_TEST

START_TEST(ladders_are_refused)
{
  ck_assert_int_eq(program_call("run in.yaml -o none --set exchange.temperatures='[60 K, 80 K]' --set "
                                "thermostat.temperature= --set ensemble.replicas="),
                   2);
  program_says("output.vacf_every");
  program_says("a ladder changes");
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("vacf_runs");
  tcase_set_timeout(tc, 120);
  tcase_add_checked_fixture(tc, setup, NULL);
  tcase_add_test(tc, clusters_have_the_temperature);
  tcase_add_loop_test(tc, free_molecules_forget_exponentially, 0, 2);
  tcase_add_test(tc, sites_have_velocities_too);
  tcase_add_test(tc, ladders_are_refused);
  return program_main("vacf_runs", tc);
}
