/* Runs with a pull: the distribution of its work, and free energies from it, against quadrature; the work and
 * the energy of each stair; equal bits for any number of threads, splits and parts of a run; verdicts; and
 * what is refused. */
#include "simulation/holonom.h"
#include "tests/chain_of_four.h"
#include "tests/mpirun.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/tables.h"

static const double kT = 300.0 * 0.001987204;

/* Two atoms that Morse's potential binds. */
static void begin_pair(void)
{
  program_write("pair.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, 0]}\nmolecules:\n"
                "  pair:\n    atoms: [[A, X, 0, 20], [B, X, 0, 20]]\n"
                "    terms:\n      bond-morse: [[1, 2, 4.0, 2.0, 1.5]]\n"
                "system:\n  - [pair, 1]\n");
  program_write("pair.xyz", "2\npair\nA 0 0 0\nB 4 0 0\n");
  program_write("run.yaml", "system: {topology: pair.yaml, file: pair.xyz, minimise: false}\n"
                            "integrator: {word: BAOAB, timestep: 4 fs, steps: 1000}\n"
                            "thermostat: {temperature: 300 K, friction: 5/ps}\n"
                            "output:\n  thermo_every: 100\n  report: false\n  progress: false\n"
                            "  distances: [{name: d, atoms: [index 0, index 1]}]\n");
}

static double morse(double r) { return 2.0 * pow(1.0 - exp(-1.5 * (r - 4.0)), 2); }

/* The integral of r^2 exp(-(U + V)/kT) up to r, with V of a centre. */
static double pair_integral(double centre, double k, double end)
{
  enum { POINTS = 20000 };
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double r = end * (i + 0.5) / POINTS;
    sum += r * r * exp(-(morse(r) + 0.5 * k * pow(r - centre, 2)) / kT) * end / POINTS;
  }
  return sum;
}

static double pair_free(double centre, double k) { return -kT * log(pair_integral(centre, k, 20.0)); }

static double cell(const ResultTable *t, size_t row, const char *name) { return tables_cell(t, row, name); }

/* Appends a pull of n replicas to run.yaml: even replicas go from the first to the second centre; odd ones
 * too, or back. */
static void add_pull(const char *on, int n, double first, double second, bool both, const char *rest)
{
  char text[32768];
  int length =
      snprintf(text, sizeof text, "%sensemble: {replicas: %d}\nbiases:\n  - {on: [%s], type: pull, %s",
               program_read("run.yaml"), n, on, rest);
  for (int end = 0; end < 2; end++) {
    length += snprintf(text + length, sizeof text - (size_t)length, ", %s: [", end == 0 ? "from" : "to");
    for (int i = 0; i < n; i++)
      length += snprintf(text + length, sizeof text - (size_t)length, "%s%g", i > 0 ? ", " : "",
                         (both && i % 2 == 1) == (end == 0) ? second : first);
    length += snprintf(text + length, sizeof text - (size_t)length, "]");
  }
  snprintf(text + length, sizeof text - (size_t)length, "}\n");
  program_write("run.yaml", text);
}

/* --- free energies -------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The work of one jump is k (to - from) times the distance of r from the middle, so its distribution is that
 * of r at the start (Kolmogorov's test), and the exponential average is the exact free energy. */
TEST(the_work_of_a_jump_has_the_distribution_of_the_start)
{
  enum { N = 512 };
  const double from = 4.0, to = 4.3, k = 8.0, all = pair_integral(from, k, 20.0);
  double work[N], apart = 0.0;
  begin_pair();
  program_runs(
      "run run.yaml -o jump --force --set ensemble.replicas=%d --set \"output.equilibration=3.2 ps\" "
      "--set \"biases=[{on: [d], type: pull, from: 4, to: 4.3, k: 8, over: 4 fs}]\"",
      N);
  ResultTable *t = program_table("jump/work.csv"), *path = program_table("jump/pull.csv");
  ck_assert_uint_eq(t->nrow, N);
  ck_assert_uint_eq(path->nrow, 2);
  for (size_t i = 0; i < N; i++)
    work[i] = cell(t, i, "work");
  qsort(work, N, sizeof *work, ascending);
  for (int i = 0; i < N; i++) { /* large work: small r */
    const double r = 0.5 * (from + to) - work[i] / (k * (to - from)),
                 share = 1.0 - pair_integral(from, k, r) / all;
    apart = fmax(apart, fmax(fabs(share - (double)i / N), fabs(share - (i + 1.0) / N)));
  }
  ck_assert_msg(apart * sqrt(N) < 1.95, "largest difference of the distributions, times the root of %d: %g",
                N, apart * sqrt(N));
  const double right = pair_free(to, k) - pair_free(from, k), found = cell(path, 1, "free_energy"),
               error = cell(path, 1, "free_energy_err");
  ck_assert_double_lt(error, 0.15);
  ck_assert_msg(fabs(found - right) < 4.0 * error, "%g +- %g, not %g", found, error, right);
  ck_assert_double_gt(cell(path, 1, "work"), right + 4.0 * cell(path, 1, "work_err"));
  results_free_table(t);
  results_free_table(path);
}

/* The number of errors by which a profile differs from the exact one, in the mean square over its points. */
static double misfit(const ResultTable *t, double (*exact)(double centre))
{
  double sum = 0.0;
  for (size_t i = 1; i < t->nrow; i++) {
    const double right = exact(cell(t, i, "centre")) - exact(cell(t, 0, "centre"));
    sum += pow((cell(t, i, "free_energy") - right) / cell(t, i, "free_energy_err"), 2);
    ck_assert_double_lt(cell(t, i, "free_energy_err"), 0.15);
  }
  return sum / (double)(t->nrow - 1);
}

/* The same of the free energy along the coordinate, which is known up to a constant, in the bins with enough
 * samples. `exact` is that of a bin, by its middle and width. */
static double misfit_along(const ResultTable *t, const char *on, double (*exact)(double middle, double width))
{
  const double width = cell(t, 1, on) - cell(t, 0, on);
  double offset = 0.0, weight = 0.0, sum = 0.0;
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t b = 0; b < t->nrow; b++) {
      const double error = cell(t, b, "free_energy_err"), middle = cell(t, b, on),
                   off = cell(t, b, "free_energy") - exact(middle, width);
      if (cell(t, b, "samples") < 30.0)
        continue;
      ck_assert_double_gt(error, 0.0);
      offset += pass == 0 ? off / (error * error) : 0.0;
      weight += pass == 0 ? 1.0 / (error * error) : 0.0;
      sum += pass == 1 ? pow((off - offset / weight) / error, 2) : 0.0;
      n += pass;
    }
  ck_assert_int_gt(n, 15);
  return sum / n;
}

static double exact_distance(double middle, double width)
{
  enum { POINTS = 100 };
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double r = middle + width * ((i + 0.5) / POINTS - 0.5);
    sum += r * r * exp(-morse(r) / kT) / POINTS;
  }
  return -kT * log(sum);
}

static double exact_angle(double middle, double width)
{
  enum { POINTS = 40 };
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double phi = (middle + width * ((i + 0.5) / POINTS - 0.5)) * M_PI / 180.0;
    sum += exp(-torsion_energy(phi) / kT + chain_measure(phi)) / POINTS;
  }
  return -kT * log(sum);
}

static double exact_pair(double centre) { return pair_free(centre, 10.0); }

/* Forwards alone, and half of the replicas backwards: along the whole path; the mean work forwards is above
 * the free energy, that backwards below. Errors along a path are correlated. */
TEST(free_energies_of_a_pair_are_those_by_quadrature, .rows = 2, .skip = SHORT)
{
  enum { N = 96 };
  begin_pair();
  add_pull("d", N, 3.7, 5.5, _i == 1, "k: 10, over: 12 ps");
  program_runs(
      "run run.yaml -o slow --force --set integrator.steps=4000 --set \"output.equilibration=4 ps\"");
  ResultTable *t = program_table("slow/pull.csv"), *work = program_table("slow/work.csv");
  const double off = misfit(t, exact_pair);
  ck_assert_msg(off < 4.0, "chi^2 of the path over its points: %g", off);
  const size_t end = t->nrow - 1;
  ck_assert_uint_eq(t->nrow, 100);
  ck_assert_double_eq_tol(cell(t, 0, "centre"), 3.7, 1e-9);
  ck_assert_double_eq_tol(cell(t, end, "centre"), 5.5, 1e-9);
  ck_assert_double_gt(cell(t, end, "work"), cell(t, end, "free_energy"));
  if (_i == 1)
    ck_assert_double_lt(cell(t, end, "work_back"), cell(t, end, "free_energy"));
  ResultTable *distance = program_table("slow/free_energy_d.csv");
  const double along = misfit_along(distance, "r", exact_distance);
  ck_assert_msg(along < 4.0, "chi^2 along the distance over its bins: %g", along);
  results_free_table(distance);
  for (size_t r = 0; r < N; r++)
    ck_assert_double_eq(cell(work, r, "direction"), _i == 1 && r % 2 == 1 ? -1.0 : 1.0);
  results_free_table(t);
  results_free_table(work);
}

static double exact_torsion(double centre)
{
  enum { POINTS = 720 };
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double phi = 2.0 * M_PI * (i + 0.5) / POINTS - M_PI,
                 apart = remainder(phi - centre * M_PI / 180.0, 2.0 * M_PI);
    sum += exp(-(torsion_energy(phi) + 10.0 * apart * apart) / kT + chain_measure(phi));
  }
  return -kT * log(sum);
}

/* The chain of four atoms, of kept bonds and angles. */
static void begin_turn(void)
{
  begin_chain();
  program_write("run.yaml",
                "system: {topology: chain.yaml, file: chain.gro}\n"
                "geometry: {constrain: all-angles}\n"
                "integrator: {word: BAOAB, timestep: 4 fs, time: 52 ps}\n"
                "thermostat: {temperature: 300 K, friction: 4/ps}\n"
                "output: {equilibration: 10 ps, thermo_every: 25, report: false, progress: false, "
                "torsions: [{name: phi, atoms: [A, B, C, D]}]}\n");
}

/* A torsion of kept bonds and angles, through a third of a turn, and through a whole one, which ends where it
 * began.
 */
TEST(free_energies_of_a_torsion_are_those_by_quadrature, .rows = 2, .skip = SHORT)
{
  enum { N = 64 };
  begin_turn();
  add_pull("phi", N, _i == 0 ? 60.0 : -180.0, _i == 0 ? 170.0 : 180.0, true, "k: 20, over: 40 ps");
  program_runs("run run.yaml -o turn --force");
  ResultTable *t = program_table("turn/pull.csv");
  const double off = misfit(t, exact_torsion);
  ck_assert_msg(off < 4.0, "chi^2 of the path over its points: %g", off);
  ResultTable *torsion = program_table("turn/free_energy_phi.csv");
  ck_assert_uint_eq(torsion->nrow, 72);
  const double along = misfit_along(torsion, "angle", exact_angle);
  ck_assert_msg(along < 4.0, "chi^2 along the torsion over its bins: %g", along);
  results_free_table(torsion);
  const double end = cell(t, t->nrow - 1, "free_energy");
  if (_i == 1)
    ck_assert_double_lt(fabs(end), 4.0 * cell(t, t->nrow - 1, "free_energy_err"));
  results_free_table(t);
}

/* --- stairs --------------------------------------------------------------------------------------------- */

#define EACH                                                                                                 \
  "--set ensemble.replicas=1 --set output.thermo_every=1 --set integrator.steps=60 --set "                   \
  "\"output.equilibration=80 fs\" "

/* The bias is that of the centre of each row, and the work is the sum of the changes at fixed positions. */
TEST(the_work_is_that_of_the_stairs)
{
  begin_pair();
  program_runs("run run.yaml -o each --force " EACH
               "--set \"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10, over: 120 fs}]\"");
  ResultTable *t = program_table("each/thermo.csv");
  double work = 0.0;
  ck_assert_uint_eq(t->nrow, 61);
  for (size_t i = 0; i < t->nrow; i++) {
    const double d = cell(t, i, "distance_d"), c = cell(t, i, "centre_d"),
                 next = i + 1 < t->nrow ? cell(t, i + 1, "centre_d") : c;
    ck_assert_double_eq_tol(c, i <= 20 ? 4.0 : i >= 50 ? 5.0 : 4.0 + (double)(i - 20) / 30.0, 1e-9);
    ck_assert_double_eq_tol(cell(t, i, "bias"), 5.0 * pow(d - c, 2), 1e-8);
    ck_assert_double_eq_tol(cell(t, i, "work_d"), work, 1e-8);
    work += 5.0 * (pow(d - next, 2) - pow(d - c, 2));
  }
  ck_assert_double_gt(fabs(work), 0.1);
  results_free_table(t);
}

/* Without a thermostat the total energy minus the work is conserved, and is the column `conserved`. */
TEST(the_energy_accounts_for_the_work)
{
  double low = INFINITY, high = -INFINITY, most = 0.0;
  begin_pair();
  program_runs(
      "run run.yaml -o nve --force --set ensemble.replicas=1 --set integrator.word=BAB --set "
      "thermostat.type=none --set thermostat.friction= --set integrator.timestep=\"1 fs\" --set "
      "output.thermo_every=10 --set \"biases=[{on: [d], type: pull, from: 4, to: 6, k: 10, over: 0.8 "
      "ps}]\"");
  ResultTable *t = program_table("nve/thermo.csv");
  for (size_t i = 0; i < t->nrow; i++) {
    const double work = cell(t, i, "work_d"), rest = cell(t, i, "total") - work;
    ck_assert_double_eq_tol(cell(t, i, "conserved"), rest, 1e-8);
    low = fmin(low, rest);
    high = fmax(high, rest);
    most = fmax(most, fabs(work));
  }
  ck_assert_double_gt(most, 0.5);
  ck_assert_double_lt(high - low, 2e-3);
  results_free_table(t);
  ck_assert(!program_exists("nve/pull.csv"));
  ck_assert_ptr_nonnull(strstr(program_read("nve/results.json"), "Without a thermostat no free energy"));
}

/* --- bits ----------------------------------------------------------------------------------------------- */

static const char waters[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\ngeometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 600}\n"
    "thermostat: {temperature: 100 K, friction: 5/ps}\nensemble: {replicas: 16}\n"
    "biases: [{on: [oo], type: pull, from: 3 A, to: 'linear(4, 5.5)', k: 10, over: "
    "0.8 ps}]\n"
    "output: {thermo_every: 50, equilibration: 0.21 ps, report: false, progress: false, "
    "distances: [{name: oo, atoms: [index 0, index 3]}]}\n";
static const char box[] = "system: {atoms: {argon: 80}, box: 18 A}\nforces: {cutoff: 6 A, coulomb: cutoff}\n"
                          "integrator: {word: BAOAB, timestep: 5 fs, steps: 1500}\n"
                          "thermostat: {temperature: 90 K, friction: 1/ps}\n"
                          "barostat: {type: monte-carlo, pressure: 100 bar, every: 10}\n"
                          "ensemble: {replicas: 2}\n"
                          "biases: [{on: [aa], type: pull, from: [4, 6], to: [6, 4], k: 4, over: 6 ps}]\n"
                          "output: {thermo_every: 50, equilibration: 1 ps, report: false, progress: false, "
                          "distances: [{name: aa, atoms: [index 0, index 1]}]}\n";

static void same_runs(const char *other)
{
  static const char *const files[] = {"thermo.csv", "work.csv", "pull.csv", "final.xyz"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    program_same("whole", other, files[i]);
  if (program_exists("whole/free_energy_aa.csv"))
    program_same("whole", other, "free_energy_aa.csv");
}

/* Cut before the pull, between stairs, and at one; threads; the resolved input; and parts of a run. */
TEST(cuts_threads_and_parts_are_in_no_bit, .rows = 4, .threads = true)
{
  static const int cut[] = {160, 333, 401, 900};
  const bool boxed = _i % 2 == 1;
  program_write("run.yaml", boxed ? box : waters);
  program_runs("run run.yaml -o whole --force --threads 1");
  ResultTable *t = program_table("whole/pull.csv");
  ck_assert_uint_eq(t->nrow, boxed ? 100 : 16 * 100);
  results_free_table(t);
  program_runs("run run.yaml -o cut --force --set integrator.steps=%d --threads 2", cut[_i]);
  program_runs("run run.yaml -o cut --resume --threads 2");
  same_runs("cut");
  program_runs("run whole/input.yaml -o again --force --threads 2");
  same_runs("again");
  if (_i != 1)
    return;
  program_runs("run run.yaml -o one --force --replicas 0..0");
  program_runs("run run.yaml -o two --force --replicas 1..1");
  program_runs("merge -o merged --force one two");
  same_runs("merged");
}

TEST(processes_are_in_no_bit, .rows = 2)
{
  if (no_mpi())
    return;
  program_write("run.yaml", _i == 0 ? waters : box);
  program_runs("run run.yaml -o whole --force --threads 1");
  program_does(MPIRUN "2 $P run run.yaml -o ranks --force --threads 1");
  same_runs("ranks");
}

/* A single replica of a box, which a team of threads steps. */
TEST(a_team_makes_the_same_pull, .threads = true)
{
  program_write("run.yaml", box);
#define ALONE                                                                                                \
  "--set ensemble.replicas=1 --set \"biases=[{on: [aa], type: pull, from: 4, to: 6, k: 4, over: 6 ps}]\" "
  program_runs("run run.yaml -o whole --force --threads 1 " ALONE);
  program_runs("run run.yaml -o two --force --threads 2 " ALONE);
  same_runs("two");
}

static void walk(hol_simulation *s, int64_t steps, double *x)
{
  hol_error e;
  ck_assert_msg(hol_step(s, steps, &e) == HOL_OK, "%s", e.message);
  ck_assert_msg(hol_get(s, HOL_POSITIONS, 0, x, &e) == HOL_OK, "%s", e.message);
}

/* Stairs of later steps are gone after a return to an earlier state, and the library refuses to change what
 * the work depends on. */
TEST(returns_take_stairs_back)
{
  double first[64] = {0.0}, again[64] = {0.0}, centre[16], hot = 200.0, value = 4.0;
  hol_simulation *s;
  hol_error e;
  size_t size;
  ck_assert_msg(hol_open_text(&s, "input", waters, NULL, 0, &e) == HOL_OK, "%s", e.message);
  ck_assert_msg(hol_start(s, &e) == HOL_OK, "%s", e.message);
  const int parameter = hol_parameter_find(s, "oo.centre");
  walk(s, 255, first);
  ck_assert_int_eq(hol_save_memory(s, NULL, 0, &size, &e), HOL_OK);
  void *memory = malloc(size);
  ck_assert_int_eq(hol_save_memory(s, memory, size, &size, &e), HOL_OK);
  walk(s, 155, first);
  ck_assert_msg(hol_load_memory(s, memory, size, &e) == HOL_OK, "%s", e.message);
  walk(s, 155, again);
  ck_assert_mem_eq(first, again, sizeof first);
  ck_assert_int_eq(hol_parameter_get(s, parameter, HOL_ALL, centre, &e), HOL_OK);
  ck_assert_double_gt(centre[0], 3.0);
  ck_assert_double_gt(centre[15], centre[0]);
  ck_assert_int_eq(hol_parameter_set(s, parameter, 0, &value, &e), HOL_INPUT);
  ck_assert_ptr_nonnull(strstr(e.message, "since a bias pulls"));
  ck_assert_int_eq(hol_set_timestep(s, 0.01, &e), HOL_INPUT);
  ck_assert_ptr_nonnull(strstr(e.message, "cannot be changed with a pull"));
  ck_assert_int_eq(hol_set_temperature(s, 0, &hot, &e), HOL_INPUT);
  ck_assert_ptr_nonnull(strstr(e.message, "from a pull belong to one temperature"));
  free(memory);
  hol_close(s);
}

/* --- paths, verdicts, refusals -------------------------------------------------------------------------- */

/* Replicas with other ends, or another constant, are on a path of their own. */
TEST(paths_differ_in_ends_and_parameters)
{
  static const double path[] = {1, 1, 2, 3, 1, 1, 2, 3}, direction[] = {1, -1, 1, 1, 1, -1, 1, 1};
  begin_pair();
  program_runs(
      "run run.yaml -o paths --force --set ensemble.replicas=8 --set \"output.equilibration=0.4 ps\" --set "
      "\"biases=[{on: [d], type: pull, from: [4, 5, 4, 5, 4, 5, 4, 5], to: [5, 4, 6, 4, 5, 4, 6, 4], "
      "k: [8, 8, 8, 9, 8, 8, 8, 9], over: 2 ps}]\"");
  ResultTable *t = program_table("paths/work.csv");
  for (size_t r = 0; r < 8; r++) {
    ck_assert_double_eq(cell(t, r, "path"), path[r]);
    ck_assert_double_eq(cell(t, r, "direction"), direction[r]);
  }
  results_free_table(t);
  program_does("grep -q 'replicas_back: \\[2, 0, 0\\]' paths/summary.yaml");
  ck_assert(!program_exists("paths/free_energy_d.csv"));
  program_does("grep -q 'The same is true of 2 other paths' paths/results.json");
}

TEST(verdicts_name_what_is_missing)
{
  static const struct {
    const char *set, *words;
  } cases[] = {{"--set ensemble.replicas=8 --set \"output.equilibration=0.4 ps\" --set \"biases=[{on: [d], "
                "type: pull, "
                "from: 4, to: 8, k: 10, over: 0.4 ps}]\"",
                "Jarzynski's average then needs at least"},
               {"--set ensemble.replicas=16 --set \"output.equilibration=0.4 ps\" --set \"biases=[{on: [d], "
                "type: pull, "
                "from: 4, to: 5, k: 10, over: 8 ps}]\"",
                "The pull is not complete"},
               {"--set ensemble.replicas=16 --set \"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10, "
                "over: 2 ps}]\"",
                "The pull began at once"},
               {"--set ensemble.replicas=1 --set \"output.equilibration=0.4 ps\" --set \"biases=[{on: [d], "
                "type: pull, "
                "from: 4, to: 5, k: 10, over: 2 ps}]\"",
                "The work of one replica from 4 to 5 gives no free energy"}};
  begin_pair();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program_runs("run run.yaml -o verdict --force %s", cases[i].set);
    ck_assert_msg(strstr(program_read("verdict/results.json"), cases[i].words) != NULL, "no '%s'",
                  cases[i].words);
    ck_assert_int_eq(program_exists("verdict/pull.csv"), i != 1);
    ck_assert(program_exists("verdict/work.csv"));
    ck_assert_int_eq(program_exists("verdict/free_energy_d.csv"), i == 0 || i == 2);
  }
}

/* A check describes the pull, and warns of one that begins at once. */
TEST(a_check_describes_the_pull)
{
  begin_pair();
  add_pull("d", 8, 4.0, 5.0, false, "k: 10, over: 2.4 ps");
  ck_assert_int_eq(program_call("check run.yaml --set \"output.equilibration=0.4 ps\""), 0);
  program_says("pull: d from 4 to 5 A in replica 0 in 600 steps after step 100, in 600 stairs of 1 step");
  ck_assert(strstr(program_output, "the pull begins at once") == NULL);
  (void)program_call("check run.yaml");
  program_says("warning: the pull begins at once");
}

/* A pull has no profile by MBAR, and the files of windows that were in the folder before are gone. */
TEST(a_pull_is_no_window)
{
  begin_pair();
  program_runs(
      "run run.yaml -o none --force --set ensemble.replicas=8 --set \"biases=[{on: [d], type: harmonic, "
      "centre: 4, k: 10}]\"");
  ck_assert(program_exists("none/windows.csv") && program_exists("none/free_energy_d.png"));
  program_runs(
      "run run.yaml -o none --force --set ensemble.replicas=8 --set \"output.equilibration=0.4 ps\" --set "
      "output.free_energy_every=10 --set \"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10, over: 2 "
      "ps}, {on: [d], name: lid, type: wall, above: 7, k: 5}]\"");
  ck_assert(!program_exists("none/windows.csv"));
  ck_assert_ptr_nonnull(strstr(program_read("none/free_energy_d.csv"), "without the pull"));
  ck_assert_ptr_nonnull(strstr(program_read("none/holonom.log"), "the centre of a pull moves"));
  ck_assert(strstr(program_read("none/summary.yaml"), "rhat") == NULL);
  program_does("grep -q '^conditions: varying' none/summary.yaml");
}

#define PULL "{on: [d], type: pull, from: 4, to: 5, k: 10, over: 1 ps}"

TEST(what_is_wrong_is_refused)
{
  static const struct {
    const char *set, *words;
  } wrong[] = {
      {"\"biases=[{on: [d], type: pull, to: 5, k: 10, over: 1 ps}]\"", "from: is missing"},
      {"\"biases=[{on: [d], type: pull, from: 5, k: 10, over: 1 ps}]\"", "to: is missing"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: 5, over: 1 ps}]\"", "k: is missing"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10}]\"", "over: is missing"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10, over: 1 fs}]\"", "less than half a time step"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: -5, k: 10, over: 1 ps}]\"",
       "wanted: a number of 0 or more"},
      {"\"biases=[{on: [d], type: pull, from: 4 deg, to: 5, k: 10, over: 1 ps}]\"", "'4 deg' of d.centre"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: [5, 6], k: 10, over: 1 ps}]\"",
       "has 2 values; wanted: one"},
      {"\"biases=[{on: [d], type: pull, from: [4, 6], to: 5, k: 10, over: 1 ps}]\"", "from: has 2 values"},
      {"\"biases=[{on: [d], type: pull, from: 4, to: 5, k: 10, over: 1 ps, centre: 4}]\"",
       "centre: does not apply to type: pull"},
      {"\"biases=[{on: [d], type: harmonic, centre: 4, k: 10, over: 1 ps}]\"",
       "over: does not apply to type: harmonic"},
      {"\"biases=[" PULL ", {on: [d], name: e, type: pull, from: 4, to: 5, k: 10, over: 1 ps}]\"",
       "a run moves one centre"},
      {"\"biases=[" PULL "]\" --set \"exchange.temperatures=[300, 310]\"",
       "cannot be combined with a ladder"},
      {"\"biases=[" PULL
       ", {on: [d], name: m, type: metadynamics, height: 1, width: 1, factor: 5, from: 1, to: "
       "9}]\"",
       "cannot be combined with metadynamics"},
      {"\"biases=[" PULL "]\" --set \"schedule=[{time: 2 ps, temperature: 400}]\"",
       "a pull needs constant conditions"},
      {"\"biases=[" PULL "]\" --set \"ensemble.parameters={d.centre: [4]}\"",
       "sets d.centre, which a pull moves"},
      {"\"biases=[" PULL "]\" --set output.zero_step_every=10", "needs constant conditions"}};
  begin_pair();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --force --set %s", wrong[i].set);
  program_refuses(
      "has 3 values; this system runs replicas in batches of 8",
      "run run.yaml -o no --set ensemble.replicas=3 --set \"biases=[{on: [d], type: pull, from: 4, to: "
      "[5, 6, 7], k: 10, over: 1 ps}]\"");
  ck_assert(!program_exists("no"));
  program_runs("run run.yaml -o changed --force --set \"biases=[" PULL "]\" --set integrator.steps=200");
  program_refuses("biases",
                  "run run.yaml -o changed --resume --set \"biases=[{on: [d], type: pull, from: 4, to: 5, "
                  "k: 10, over: 2 ps}]\"");
}

int main(void) { return program_main("pull"); }
