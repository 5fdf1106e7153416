/* Observables of runs of clusters and of sites. Velocity autocorrelations: equipartition, a free molecule
 * under Langevin's friction; distances of sites and their displacements: those of an oscillator in one, two
 * and three dimensions, diffusion; the same bytes for any threads, in parts and after a restart; a ladder,
 * and systems without positions, are refused. */
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
TEST(clusters_have_the_temperature)
{
  program_does("$P run in.yaml -o one --threads 1 --quiet");
  ResultTable *table = program_table("one/vacf.csv");
  const double seen = tables_cell(table, 0, "C_tip3p"), error = tables_cell(table, 0, "C_tip3p_err");
  ck_assert_uint_eq(table->nrow, 41);
  ck_assert_double_eq_tol(seen, free_square(100.0) * 2.0 / 3.0, 4.0 * error);
  ck_assert_double_lt(error, 0.03 * seen);
  ck_assert_double_lt(fabs(tables_cell(table, 40, "C_tip3p")), 0.2 * seen);
  results_free_table(table);
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

/* Two molecules too far apart to know of each other: friction in proportion to mass slows the centre of a
 * rigid one as it would a particle. C is half of C(0) exp(-gamma t), as the half of the motion is their
 * common centre's, and the integral half of kT/(m gamma). Many replicas, and one. */
TEST(free_molecules_forget_exponentially, .rows = 2)
{
  program_write("far.xyz", "6\nfar\nO 0 0 0\nH 0.9572 0 0\nH -0.2399872 0.9266272 0\n"
                           "O 500 0 0\nH 500.9572 0 0\nH 499.7600128 0.9266272 0\n");
  program_does(_i == 0 ? "$P run in.yaml -o free --quiet " FAR
                       : "$P run in.yaml -o free --quiet " FAR
                         "--set ensemble.replicas=1 --set integrator.steps=100000");
  const double square = 0.5 * free_square(100.0);
  ResultTable *table = program_table("free/vacf.csv");
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
  results_free_table(table);
  const char *at = strstr(program_read("free/observables.json"), "D_green_kubo");
  ck_assert_ptr_nonnull(at);
  const double d = strtod(strstr(at, "\"value\":") + 8, NULL),
               error = strtod(strstr(at, "\"error\":") + 8, NULL);
  ck_assert_double_eq_tol(d, 10.0 * square / 3.0 / 20.0, 4.0 * error);
}

/* Two sites on a spring in the plane, of 11 replicas, which do not fill their batches: the square velocity of
 * a site is 2 kT/m, the spectrum of the lighter one is highest at the spring's frequency, and the same bytes
 * come of any threads, of parts and after a restart. Of a particle in AKMA units the integral is kT/(m
 * gamma). */
TEST(sites_have_velocities_too)
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
  ResultTable *table = program_table("one/vacf.csv");
  const double error = tables_cell(table, 0, "C_system_A_err");
  ck_assert_double_eq_tol(tables_cell(table, 0, "C_system_A"), 2.0 * 0.2, 4.0 * error);
  ck_assert_double_lt(error, 0.03);
  ck_assert_double_eq_tol(tables_cell(table, 0, "C_system_B"), 0.2,
                          4.0 * tables_cell(table, 0, "C_system_B_err"));
  ck_assert_double_eq_tol(tables_cell(table, 10, "time"), 0.8, 1e-12);
  results_free_table(table);
  table = program_table("one/vacf_spectrum.csv");
  size_t top = 26; /* beyond the motion of the centre and of the whole about it */
  for (size_t k = top; k < table->nrow; k++)
    top = tables_cell(table, k, "S_system_A") > tables_cell(table, top, "S_system_A") ? k : top;
  ck_assert_double_eq_tol(tables_cell(table, top, "frequency"), sqrt(50.0 * 1.5) / (2.0 * M_PI), 0.1);
  results_free_table(table);
  program_does(
      "$P run pair.yaml -o a --replicas 0..7 --quiet && $P run pair.yaml -o b --replicas 8..10 --quiet && "
      "$P merge a b -o merged --quiet");
  same("one", "merged");
  program_does(
      "$P run pair.yaml -o later --set integrator.time=39 --quiet && $P run pair.yaml -o later --resume "
      "--quiet");
  same("one", "later");
  program_refuses("sample more often", "check pair.yaml --set output.vacf_every=1000");
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

/* --- distances and displacements of sites ------- */

/* Two sites of masses 1 and 2 on a spring of length 0, whose distance has the density r^(d-1) exp(-k r^2/2
 * kT) for any masses, next to each other in d dimensions; of 11 replicas, or of one. */
static void write_pair(int dim, int replicas)
{
  static const char *const place[3] = {"[0.3]", "[0.3, 0]", "[0.3, 0, 0]"}, *const zero[3] = {"[0]", "[0, 0]",
                                                                                              "[0, 0, 0]"};
  char text[1200];
  snprintf(
      text, sizeof text,
      "units: reduced\nsystem:\n  dimensions: %d\n  sites: [{name: A, mass: 1, position: %s}, {name: B, "
      "mass: 2, position: %s}]\n  potentials: [{type: spring, sites: [1, 2], length: 0, stiffness: 4}]\n"
      "geometry: {method: none}\nintegrator: {word: BAOAB, timestep: 0.05, steps: %d}\n"
      "thermostat: {type: langevin, friction: 1, temperature: 1}\nensemble: {replicas: %d}\n"
      "output: {report: false, progress: false, thermo_every: 100, trajectory_every: 1000, rdf_every: 10, "
      "rdf_max: 4, rdf_bins: 40, lindemann_every: 10, lindemann_samples: 100, msd_every: 10, msd_max: 20, "
      "msd_from: 4, msd_to: 20}\n",
      dim, zero[dim - 1], place[dim - 1], replicas > 1 ? 8000 : 60000, replicas);
  program_write("spring.yaml", text);
}

static void same_sites(const char *one, const char *other)
{
  static const char *const name[] = {"rdf.csv", "rdf_replicas.csv", "msd.csv", "lindemann.csv",
                                     "observables.json"};
  for (int i = 0; i < 5; i++)
    program_same(one, other, name[i]);
}

/* The density of distances; the mean square displacement of each site, whose two parts are the diffusion of
 * the centre, D = kT/(M gamma), and twice a share of <r^2>. */
TEST(springs_have_their_distances, .rows = 6)
{
  const int dim = 1 + _i / 2, many = _i % 2;
  double norm = 0.0, worst = 0.0, sum = 0.0;
  write_pair(dim, many ? 11 : 1);
  program_does("$P run spring.yaml -o one --threads 1 --quiet");
  ResultTable *table = program_table("one/rdf.csv");
  ck_assert_uint_eq(table->nrow, 40);
  for (int fine = 0; fine < 4000; fine++)
    norm += pow(0.001 * (fine + 0.5), dim - 1) * exp(-2.0 * pow(0.001 * (fine + 0.5), 2)) * 0.001;
  for (size_t k = 0; k < table->nrow; k++) {
    double want = 0.0;
    for (int fine = 0; fine < 100; fine++) {
      const double r = 0.1 * (double)k + 0.001 * (fine + 0.5);
      want += pow(r, dim - 1) * exp(-2.0 * r * r) / norm / 100.0;
    }
    const double got = tables_cell(table, k, "P"), error = tables_cell(table, k, "P_err");
    sum += 0.1 * got;
    if (want > 0.05)
      worst = fmax(worst, fabs(got - want) / error);
    const double low = 0.1 * (double)k, high = low + 0.1,
                 share = (pow(high, dim) - pow(low, dim)) / pow(4.0, dim); /* of the ball */
    ck_assert_double_eq_tol(tables_cell(table, k, "g"), got * 0.1 / share, 1e-6 * (1.0 + got * 0.1 / share));
  }
  results_free_table(table);
  ck_assert_double_eq_tol(sum, 1.0, 1e-6);
  ck_assert_double_lt(worst, 4.5); /* of some 20 bins */
  table = program_table("one/msd.csv");
  const size_t last = table->nrow - 1;
  const double t = tables_cell(table, last, "time");
  static const char *const column[3] = {"msd_system", "msd_system_A", "msd_system_B"};
  static const double share[3] = {0.0, 4.0 / 9.0, 1.0 / 9.0};
  ck_assert_double_ge(t, 20.0);
  for (int k = 0; k < 3; k++) {
    char err[32];
    snprintf(err, sizeof err, "%s_err", column[k]);
    const double want = dim * (2.0 / 3.0 * (t - (1.0 - exp(-t))) + 2.0 * share[k] * 0.25),
                 error = tables_cell(table, last, err);
    ck_assert_double_eq_tol(tables_cell(table, last, column[k]), want, 4.0 * error);
    ck_assert_double_lt(error, 0.5 * want);
  }
  results_free_table(table);
  const char *at = strstr(program_read("one/observables.json"), "\"D\"");
  ck_assert_ptr_nonnull(at);
  const double d = strtod(strstr(at, "\"value\":") + 8, NULL),
               d_err = strtod(strstr(at, "\"error\":") + 8, NULL);
  ck_assert_double_eq_tol(d, 1.0 / 3.0, 4.0 * d_err);
  ck_assert_double_lt(d_err, 0.2);
}

TEST(sites_leave_the_same_files_however_they_run)
{
  write_pair(2, 11);
  program_does(
      "$P run spring.yaml -o one --threads 1 --quiet && $P run spring.yaml -o two --threads 2 --quiet");
  same_sites("one", "two");
  program_does("$P run spring.yaml -o a --replicas 0..7 --quiet && $P run spring.yaml -o b --replicas 8..10 "
               "--quiet && $P merge a b -o merged --quiet");
  same_sites("one", "merged");
  program_does(
      "$P run spring.yaml -o later --set integrator.steps=4321 --quiet && $P run spring.yaml -o later "
      "--resume --quiet");
  same_sites("one", "later");
  ResultTable *table = program_table("one/rdf_replicas.csv");
  ck_assert_uint_eq(table->nrow, 11); /* none of those that fill the batch */
  results_free_table(table);
}

/* At the temperatures of a ladder, whose replicas do not fill their batches: <r^2> = 2 kT/k in the plane,
 * where g's shells go as r. */
TEST(ladders_of_sites_have_distances)
{
  static const double kT[3] = {0.7, 1.0, 1.4};
  write_pair(2, 1);
  program_does(
      "$P run spring.yaml -o ladder --quiet --set thermostat.temperature= --set ensemble.replicas= --set "
      "exchange.temperatures='[0.7, 1, 1.4]' --set exchange.ladders=3 --set output.msd_every=0 --set "
      "output.lindemann_every=0 --set integrator.steps=20000");
  ResultTable *table = program_table("ladder/rdf_ladder.csv");
  for (int k = 0; k < 3; k++) {
    char name[16], err[24];
    double sum = 0.0, square = 0.0, noise = 0.0;
    snprintf(name, sizeof name, "g%d", k);
    snprintf(err, sizeof err, "g%d_err", k);
    for (size_t i = 0; i < table->nrow; i++) {
      const double r = 0.1 * ((double)i + 0.5), g = tables_cell(table, i, name);
      sum += r * g;
      square += r * r * r * g;
      noise += r * r * r * tables_cell(table, i, err); /* as if all bins went together */
    }
    ck_assert_double_eq_tol(square / sum, kT[k] / 2.0 + 0.01 / 12.0, 4.0 * noise / sum);
    ck_assert_double_lt(noise / sum, 0.1 * kT[k]);
  }
  results_free_table(table);
  table = program_table("ladder/rdf_replicas.csv");
  ck_assert_uint_eq(table->nrow, 9);
  results_free_table(table);
}

/* Coordinates of a Hamiltonian are no positions. */
TEST(what_has_no_positions_is_refused)
{
  program_write("oscillator.yaml",
                "units: reduced\nsystem: {hamiltonian: p1^2/2 + q1^2/2, position: [1]}\nintegrator: {method: "
                "symplectic-euler, timestep: 0.02, time: 1}\noutput: {report: false, progress: false}\n");
  static const char *const key[3] = {"msd_every", "rdf_every", "vacf_every"};
  for (int k = 0; k < 3; k++) {
    char call[128];
    snprintf(call, sizeof call, "check oscillator.yaml --set output.%s=4", key[k]);
    program_refuses(key[k], "%s", call);
    program_says("is not allowed for a Hamiltonian");
    program_says("sites (system.sites)");
    program_says("output.observables");
  }
  write_pair(1, 1);
  program_refuses("or two sites of a single one",
                  "check spring.yaml --set system.sites='[{mass: 1, position: [0]}]' --set "
                  "system.potentials='[]'");
}

TEST(ladders_are_refused)
{
  program_refuses("output.vacf_every", "run in.yaml -o none --set exchange.temperatures='[60 K, 80 K]' --set "
                                       "thermostat.temperature= --set ensemble.replicas=");
  program_says("a ladder changes");
}

int main(void)
{
  suite_fixture(true, setup, NULL);
  return program_main("vacf_runs");
}
