/* Umbrella windows of runs: free energies against quadrature, for a torsion and a distance; equal bits for
 * any number of threads and after a restart; missing windows, and what has no free energy. */
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/tables.h"

static const double kT = 300.0 * 0.001987204;

#define PHI "--set \"output.torsions=[{name: phi, atoms: [A, B, C, D]}]\" "
#define WINDOWS(centre)                                                                                      \
  PHI "--set ensemble.replicas=16 --set \"biases=[{on: [phi], type: harmonic, k: 10, centre: '" centre       \
      "'}]\" "

/* -kT ln P of the torsion with rigid bonds and angles, in bin b of n, per degree. */
static double exact(int b, int n)
{
  enum { POINTS = 40 };
  double all = 0.0, here = 0.0;
  for (int i = 0; i < n * POINTS; i++) {
    const double phi = 2.0 * M_PI * (i + 0.5) / (n * POINTS) - M_PI,
                 p = exp(-torsion_energy(phi) / kT + chain_measure(phi));
    all += p;
    here += i / POINTS == b ? p : 0.0;
  }
  return -kT * log(here * n / (360.0 * all));
}

static double cell(const ResultTable *t, int row, const char *name)
{
  return tables_cell(t, (size_t)row, name);
}

/* The same of the cosine of the torsion, in bin b of n. */
static double exact_cosine(int b, int n)
{
  enum { POINTS = 20000 };
  double all = 0.0, here = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double phi = 2.0 * M_PI * (i + 0.5) / POINTS - M_PI,
                 p = exp(-torsion_energy(phi) / kT + chain_measure(phi));
    all += p;
    here += (int)(n * (1.0 + cos(phi)) / 2.0) == b ? p : 0.0;
  }
  return -kT * log(here * n / (2.0 * all));
}

/* Chi squared of a table's free energies. They are above their minimum, so the mean difference to the exact
 * ones is removed. */
static double chi_squared(const char *path, int n, double (*right)(int, int))
{
  ResultTable *t = program_table(path);
  double offset = 0.0, weight = 0.0, chi2 = 0.0;
  ck_assert_uint_eq(t->nrow, (size_t)n);
  for (int b = 0; b < n; b++) {
    const double w = pow(cell(t, b, "free_energy_err"), -2);
    offset += w * (cell(t, b, "free_energy") - right(b, n));
    weight += w;
  }
  for (int b = 0; b < n; b++) {
    const double off = cell(t, b, "free_energy") - right(b, n) - offset / weight;
    chi2 += pow(off / cell(t, b, "free_energy_err"), 2);
    ck_assert_double_lt(cell(t, b, "free_energy_err"), 0.15);
  }
  results_free_table(t);
  return chi2;
}

/* Errors of neighbouring bins are correlated: 18 bins scatter like 7 independent numbers (40 runs), so that
 * one run in some thousands exceeds 4 n. */
static void check_profile(const char *path, int n)
{
  const double chi2 = chi_squared(path, n, exact);
  ck_assert_msg(chi2 < 4.0 * n, "chi^2 of %d bins: %g", n, chi2);
}

TEST(windows_of_a_torsion, .skip = SHORT)
{
  enum { BINS = 18 };
  begin_chain();
  program_runs("run run.yaml -o w " WINDOWS("linear(-180, 180)") "--set output.free_energy_bins=%d", BINS);
  check_profile("w/free_energy_phi.csv", BINS);
  ResultTable *t = program_table("w/windows.csv");
  ck_assert_uint_eq(t->nrow, 16);
  for (int k = 0; k < 15; k++) {
    ck_assert_double_eq_tol(cell(t, k, "centre_phi"), -180.0 + 22.5 * k, 1e-9);
    ck_assert_double_gt(cell(t, k, "overlap"), 0.1);
    ck_assert_double_lt(cell(t, k, "overlap"), 0.5);
  }
  results_free_table(t);
}

/* Of a formula, with values of both signs. */
TEST(windows_of_a_formula, .skip = SHORT)
{
  enum { BINS = 16 };
  begin_chain();
  program_runs(
      "run run.yaml -o c " PHI "--set \"output.formulas=[{name: c, formula: cos(phi)}]\" --set "
      "ensemble.replicas=16 --set \"biases=[{on: [c], type: harmonic, k: 2, centre: 'linear(-1, 1)'}]\" "
      "--set output.free_energy_max=1 --set output.free_energy_width=%.3f",
      2.0 / BINS);
  const double chi2 = chi_squared("c/free_energy_c.csv", BINS, exact_cosine);
  ck_assert_msg(chi2 < 4.0 * BINS, "chi^2 of %d bins: %g", BINS, chi2);
}

/* Equal bits for one and two threads, and after a run in two parts. */
TEST(windows_are_the_same_however_they_run, .threads = true)
{
  begin_chain();
  program_runs("run run.yaml -o one " WINDOWS(
      "linear(-180, 180)") "--set integrator.steps=400 --set \"output.equilibration=400 fs\" --set "
                           "output.report=true");
  program_does("grep 'download=.windows.csv' one/report.html && grep 'download=.free_energy_phi.csv' "
               "one/report.html");
  program_runs("run run.yaml -o two " WINDOWS(
      "linear(-180, 180)") "--set integrator.steps=400 --set \"output.equilibration=400 fs\" "
                           "--set ensemble.threads=2");
  program_runs("run run.yaml -o part " WINDOWS(
      "linear(-180, 180)") "--set integrator.steps=270 --set \"output.equilibration=400 fs\"");
  program_runs("run run.yaml -o part --resume " WINDOWS(
      "linear(-180, 180)") "--set integrator.steps=400 --set \"output.equilibration=400 fs\"");
  program_same("one", "two", "free_energy_phi.csv");
  program_same("one", "two", "windows.csv");
  program_same("one", "part", "free_energy_phi.csv");
  program_same("one", "part", "windows.csv");
}

/* Windows in two places: the verdict says where one is missing, and each part is above its own minimum. */
TEST(a_missing_window_is_named)
{
  begin_chain();
  program_runs("run run.yaml -o gap " PHI
               "--set ensemble.replicas=8 --set integrator.steps=9000 --set \"biases=[{on: [phi], "
               "type: harmonic, k: 10, centre: [-60, -50, -40, -30, 100, 110, 120, 130]}]\"");
  ResultTable *t = program_table("gap/windows.csv");
  for (int k = 0; k < 8; k++)
    ck_assert_double_eq(cell(t, k, "part"), k < 4 ? 1.0 : 2.0);
  ck_assert_double_lt(cell(t, 3, "overlap"), 0.03);
  results_free_table(t);
  const char *text = program_read("gap/results.json");
  ck_assert_ptr_nonnull(strstr(text, "add windows between phi -30 degrees and phi 100 degrees"));
  ck_assert_ptr_nonnull(strstr(text, "All windows began from one start"));
  t = program_table("gap/free_energy_phi.csv");
  double least[3] = {INFINITY, INFINITY, INFINITY};
  for (size_t b = 0; b < t->nrow; b++) {
    const int part = (int)cell(t, (int)b, "part");
    ck_assert(part == 1 || part == 2);
    least[part] = fmin(least[part], cell(t, (int)b, "free_energy"));
  }
  ck_assert_double_eq(least[1], 0.0);
  ck_assert_double_eq(least[2], 0.0);
  results_free_table(t);
}

/* A list of missing windows that is too long ends with a number, not within a word. The number of starts is
 * the same after a restart. */
TEST(many_missing_windows_are_counted)
{
  begin_chain();
  for (int k = 0; k < 8; k++) { /* each at the centre of its window */
    static const char *const atom[] = {"A", "B", "C", "D"};
    char name[16];
    double x[4][3];
    place_chain(M_PI * (1.0 - k / 4.0), x);
    snprintf(name, sizeof name, "at%02d.gro", k);
    write_gro(name, 4, atom, "chain", (const double(*)[3])x, 0.0);
  }
  program_do("cat at??.gro > frames.gro");
#define APART                                                                                                \
  PHI "--set ensemble.replicas=8 --set \"biases=[{on: [phi], type: harmonic, k: 10, centre: "                \
      "'linear(-180, 180)'}]\" --set output.equilibration=0fs --set \"integrator.timestep=1 fs\" --set "     \
      "output.free_energy_every=5 "                                                                          \
      "--set system.file=frames.gro "
  program_runs("run run.yaml -o many " APART "--set integrator.steps=100");
  const char *text = program_read("many/results.json"), *places = strstr(text, " other places.");
  ck_assert_ptr_nonnull(places);
  ck_assert_ptr_null(strstr(text, "All windows began"));
  program_runs("run run.yaml -o parted " APART "--set integrator.steps=50");
  program_runs("run run.yaml -o parted --resume " APART "--set integrator.steps=100");
  program_same("many", "parted", "observables.json");
}

/* Replicas with different Hamiltonians are not tested against each other, neither in a run nor between runs,
 * except by their free energy. */
TEST(windows_are_not_tested_against_each_other)
{
  begin_chain();
#define EIGHT PHI "--set integrator.steps=9000 --set output.free_energy_bins=18 --set ensemble.replicas=16 "
  program_runs("run run.yaml -o even " EIGHT "--set \"biases=[{on: [phi], type: harmonic, k: 10, centre: "
               "'linear(-180, 180)'}]\"");
  const char *text = program_read("even/results.json");
  ck_assert_ptr_null(strstr(text, "R-hat"));
  ck_assert_ptr_null(strstr(text, "depends on its start"));
  ck_assert_ptr_nonnull(strstr(text, "16 replicas have different parameters"));
  program_runs("run run.yaml -o alone " EIGHT
               "--set \"biases=[{on: [phi], type: harmonic, k: 10, centre: 0}]\"");
  ck_assert_ptr_nonnull(strstr(program_read("alone/results.json"), "R-hat"));
  program_runs("run run.yaml -o shifted " EIGHT "--set seed=3 --set \"biases=[{on: [phi], type: harmonic, k: "
               "10, centre: 'linear(-169, 191)'}]\"");
  program_runs("compare even shifted -o both");
  program_says("no test of the energy");
  program_does("test $(grep -c 'not tested: replicas differ' both/compare.csv) -ge 1");
  program_does("grep 'free energy of phi' both/compare.csv | grep -v 'not tested'");
}

/* Curves with different bins, and coordinates that constraints fix, are not tested; the first are named. */
TEST(what_cannot_be_tested_is_no_difference)
{
  begin_chain();
#define FIXED                                                                                                \
  PHI "--set \"output.angles=[{name: rigid, atoms: [A, B, C]}]\" --set integrator.steps=9000 "               \
      "--set ensemble.replicas=16 --set \"biases=[{on: [phi], type: harmonic, k: 1, centre: 0}]\" "
  program_runs("run run.yaml -o coarse " FIXED "--set output.free_energy_bins=18");
  program_runs("run run.yaml -o fine " FIXED "--set output.free_energy_bins=36 --set seed=5");
  program_runs("compare coarse fine -o bins");
  program_says("free energy of phi: different bins, not compared");
  program_does("test $(grep -c 'mean.*rigid' bins/compare.csv) = 0");
}

/* Replicas with equal constants are one window, as are those of a single replica. */
TEST(equal_windows_are_one, .rows = 2)
{
  begin_chain();
  program_runs("run run.yaml -o equal%d --force " PHI
               "--set ensemble.replicas=%d --set integrator.steps=9000 --set "
               "\"biases=[{on: [phi], type: harmonic, k: 1, centre: 60}]\"",
               _i, _i == 0 ? 1 : 16);
  ResultTable *t = program_table(_i == 0 ? "equal0/windows.csv" : "equal1/windows.csv");
  ck_assert_uint_eq(t->nrow, 1);
  ck_assert_double_eq(cell(t, 0, "free_energy"), 0.0);
  results_free_table(t);
}

/* A ladder of windows counts each state's samples, whichever replica is in it. */
TEST(states_of_a_ladder_are_windows, .skip = SHORT)
{
  enum { BINS = 18 };
  begin_chain();
  program_runs(
      "run run.yaml -o ladder " PHI "--set output.free_energy_bins=%d --set ensemble.replicas=32 --set "
      "\"biases=[{on: [phi], type: harmonic, k: 10, centre: 0}]\" --set "
      "\"exchange.parameters={phi.centre: 'linear(-180, 157.5, 16)'}\" --set exchange.ladders=2 --set "
      "exchange.interval=50",
      BINS);
  check_profile("ladder/free_energy_phi.csv", BINS);
}

/* Errors are as large as the scatter: the mean of chi squared over runs with different seeds is the number of
 * bins. Chi squared of one run has a standard deviation of 0.6 n. */
TEST(errors_of_profiles_are_those_of_the_scatter, .rows = 2, .skip = SHORT)
{
  enum { BINS = 18, RUNS = 8 };
  static const char *const windows[] = {
      "--set \"biases=[{on: [phi], type: harmonic, k: 10, centre: 'linear(-180, 180)'}]\"",
      "--set \"biases=[{on: [phi], type: harmonic, k: 10, centre: 0}]\" "
      "--set \"exchange.parameters={phi.centre: 'linear(-180, 180, 16)'}\" --set exchange.interval=50"};
  double mean = 0.0;
  begin_chain();
  for (int seed = 1; seed <= RUNS; seed++) {
    program_runs("run run.yaml -o many%d --force " PHI "--set output.free_energy_bins=%d --set seed=%d --set "
                 "ensemble.replicas=16 --set \"integrator.time=60 ps\" %s",
                 _i, BINS, seed, windows[_i]);
    mean +=
        chi_squared(_i == 0 ? "many0/free_energy_phi.csv" : "many1/free_energy_phi.csv", BINS, exact) / RUNS;
  }
  ck_assert_msg(mean > 0.4 * BINS && mean < 1.7 * BINS, "mean chi^2 of %d bins: %g", BINS, mean);
}

/* Walls and two coordinates: a distance and a torsion, with windows in both. */
TEST(two_coordinates_have_a_profile_each, .skip = SHORT)
{
  enum { BINS = 18 };
  begin_chain();
  program_runs("run run.yaml -o both " PHI "--set \"output.distances=[{name: d, atoms: [A, D]}]\" --set "
               "ensemble.replicas=16 --set output.free_energy_bins=%d --set \"biases=[{on: [phi], type: "
               "harmonic, k: 10, centre: "
               "'linear(-180, 180)'}, {on: [d], type: wall, above: 3.2, k: 5}]\"",
               BINS);
  check_profile("both/free_energy_phi.csv", BINS);
  ResultTable *t = program_table("both/free_energy_d.csv");
  ck_assert_int_ge(tables_find(t, "free_energy_radial"), 0);
  results_free_table(t);
}

/* Two runs with different windows have one free energy, and compare tests it; that of another torsion
 * differs. */
TEST(free_energies_are_compared, .skip = SHORT)
{
  begin_chain();
  program_do("sed 's/1, 2, 3, 4, 0, 0.5, 1/1, 2, 3, 4, 0, 0.9, 1/' chain.yaml > other.yaml");
#define BINS "--set output.free_energy_bins=18 --set integrator.steps=30000 "
  program_runs("run run.yaml -o first --force " BINS WINDOWS("linear(-180, 180)"));
  program_runs("run run.yaml -o second --force --set seed=7 " BINS WINDOWS("linear(-169, 191)"));
  program_runs(
      "run run.yaml -o changed --force --set system.topology=other.yaml " BINS WINDOWS("linear(-180, 180)"));
  program_call("compare first second -o equal --force");
  program_does("grep 'free energy of phi' equal/compare.csv | grep 'no difference seen'");
  program_call("compare first changed -o other --force");
  program_does("grep 'free energy of phi' other/compare.csv | grep -v 'no difference seen' | grep differ");
}

TEST(check_lists_windows_and_hills)
{
  begin_chain();
  program_runs("check run.yaml " WINDOWS("linear(-180, 180)"));
  program_says("biases: 16 windows along phi");
  program_runs("check run.yaml " PHI
               "--set \"biases=[{on: [phi], type: metadynamics, height: 0.1, width: 0.4, "
               "every: 40 fs, factor: 6}]\"");
  program_says("metadynamics: along phi, hills of at most 0.1 kcal/mol every 10 steps, factor 6");
}

TEST(samples_outside_all_bins_are_named)
{
  begin_chain();
  program_runs(
      "run run.yaml -o outside --set \"output.distances=[{name: d, atoms: [A, D]}]\" --set "
      "integrator.steps=6000 --set output.free_energy_max=1 --set \"biases=[{on: [d], type: harmonic, "
      "k: 1, centre: 3}]\"");
  program_says("samples are outside the bins; raise output.free_energy_max");
}

/* Files of the user that have the names of results are refused before the first step. */
TEST(files_of_others_are_refused_first)
{
  static const char *const names[] = {"free_energy_phi.csv", "free_energy_phi.svg", "windows.csv"};
  begin_chain();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    program_do("mkdir taken%zu && echo mine > taken%zu/%s", i, i, names[i]);
    program_refuses(names[i], "run run.yaml -o taken%zu --force " WINDOWS("linear(-180, 180)"), i);
    program_do("test $(ls taken%zu | wc -l) = 1 && grep -q mine taken%zu/%s", i, i, names[i]);
  }
  program_do("mkdir -p map/free_energy_phi-psi.csv");
  program_refuses(
      "free_energy_phi-psi.csv is not a file of Holonom",
      "run run.yaml -o map --set \"output.torsions=[{name: phi, atoms: [A, B, C, D]}, {name: psi, "
      "atoms: [D, C, B, A]}]\" --set \"biases=[{on: [phi, psi], type: metadynamics, height: 0.1, "
      "width: [0.4, 0.4], every: 40 fs, factor: 6}]\"");
}

/* A run with --force removes the tables and pictures of the run before it, and no file of the user. */
TEST(force_removes_free_energies)
{
  begin_chain();
#define SHORTLY "--set integrator.steps=200 --set \"output.equilibration=0.2 ps\" "
  program_runs("run run.yaml -o forced " SHORTLY WINDOWS("linear(-180, 180)"));
  ck_assert(program_exists("forced/free_energy_phi.csv") && program_exists("forced/free_energy_phi.svg") &&
            program_exists("forced/windows.csv"));
  program_write("forced/free_energy_mine.png", "mine");
  program_runs(
      "run run.yaml -o forced --force " SHORTLY "--set ensemble.replicas=8 --set "
      "\"output.torsions=[{name: phi, atoms: [A, B, C, D]}, {name: psi, atoms: [D, C, B, A]}]\" --set "
      "\"biases=[{on: [phi, psi], type: metadynamics, height: 0.1, width: [0.4, 0.4], every: 40 fs, "
      "factor: 6}]\"");
  ck_assert(program_exists("forced/free_energy_phi-psi.csv") && !program_exists("forced/windows.csv"));
  program_runs("run run.yaml -o forced --force " SHORTLY);
  program_does("test \"$(ls forced | grep -e free_energy -e windows)\" = free_energy_mine.png");
}
