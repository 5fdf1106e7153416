/* Velocity autocorrelations of runs of clusters: equipartition, a free molecule under Langevin's friction,
 * the same bytes for any threads, in parts and after a restart; a ladder is refused. */
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
  tcase_add_test(tc, ladders_are_refused);
  return program_main("vacf_runs", tc);
}
