/* Biases of PLUMED, with a kernel in its place (plumed_stub.c), which checks the order of calls: units,
 * masses, charges and boxes are what PLUMED expects; forces are minus the gradient, and the virial is minus
 * the slope under strain; each step is updated once, with its own positions, also after a run is stopped and
 * resumed; files go into the folder of the run; and what is refused. */
#include "base/scoped.h"
#include "engine/units.h"
#include "forcefields/plumed_lines.h"
#include "simulation/simulation_private.h"
#include "tests/mpirun.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "tests/tables.h"

static void use_stub(int version)
{
  char path[512];
  snprintf(path, sizeof path, "%s%d.so", PLUMED_STUBS, version);
  setenv("PLUMED_KERNEL", path, 1);
}

/* Two charged atoms that Morse's potential binds, and a chain of four; the actions. */
static void write_system(const char *actions)
{
  program_write("pair.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, 0]}\nmolecules:\n"
                "  pair:\n    atoms: [[A, X, 0.3, 20], [B, X, -0.3, 20]]\n"
                "    terms:\n      bond-morse: [[1, 2, 4.0, 2.0, 1.5]]\n"
                "  chain:\n    atoms: [[C1, X, 0, 15], [C2, X, 0, 14], [C3, X, 0, 14], [C4, X, 0, 15]]\n"
                "    terms:\n      bond: [[1, 2, 1.5, 300], [2, 3, 1.5, 300], [3, 4, 1.5, 300]]\n"
                "system:\n  - [pair, 1]\n  - [chain, 1]\n");
  program_write("pair.xyz",
                "6\npair\nA 1 2 3\nB 5 2.5 2.6\nC1 12 1 1\nC2 12 0 0\nC3 13.5 0 0\nC4 14 1.1 0.8\n");
  program_write("plumed.dat", actions);
}

static const char boxed[] = ", box: 22 A, shape: octahedron", *const forces = "forces: {cutoff: 8 A}\n";

/* An input whose files are named by `folder`. */
static const char *input_text(const char *folder, bool box, const char *more)
{
  static char text[3000];
  snprintf(text, sizeof text,
           "system: {topology: %spair.yaml, file: %spair.xyz, minimise: false%s}\n%s"
           "geometry: {constrain: none}\nprecision: double\n"
           "integrator: {word: BAOAB, timestep: 1 fs, steps: 60}\n"
           "thermostat: {temperature: 300 K, friction: 2/ps, remove: none}\n"
           "output:\n  thermo_every: 5\n  report: false\n  progress: false\n"
           "  distances: [{name: d, atoms: [index 0, index 1]}]\n%s",
           folder, folder, box ? boxed : "", box ? forces : "", more);
  return text;
}

static void begin(const char *actions, bool box, const char *more)
{
  use_stub(4);
  write_system(actions);
  program_write("run.yaml", input_text("", box, more));
}

#define PLUMED "plumed: plumed.dat\n"

/* --- energies, forces, virials -------------------------------------------------------------------------- */

enum { N = 18 };

typedef struct Share {
  double energy, f[N], virial[9];
} Share;

/* The systems with the biases, and without. */
static void open_both(Simulation *s[2], bool box)
{
  char folder[600], more[700];
  use_stub(4);
  write_system(
      "SPRING 1 2 4000 0.35\nSPRING 2 5 300 0.5 # other molecule\nVOLUME 7\nMASSES 20 20 15 14 14 15\n"
      "CHARGES 0.3 -0.3 0 0 0 0\nTIMESTEP 0.001\nKBT 2.49433883736\n");
  snprintf(folder, sizeof folder, "%s/", program_scratch);
  snprintf(more, sizeof more, "plumed: %splumed.dat\n", folder);
  for (int k = 0; k < 2; k++) {
    s[k] = parsed(input_text(folder, box, k == 0 ? more : ""));
    fine(simulation_start(s[k], NULL, &error));
  }
}

static Share share_of(Simulation *s[2], const double *x)
{
  Share to[2];
  for (int k = 0; k < 2; k++) {
    const SimulationEvaluation evaluation = {&to[k].energy, to[k].f, to[k].virial};
    fine(simulation_scratch_evaluate(s[k], 0, 1, x, &evaluation, &error));
  }
  to[0].energy -= to[1].energy;
  for (int i = 0; i < N; i++)
    to[0].f[i] -= to[1].f[i];
  for (int i = 0; i < 9; i++)
    to[0].virial[i] -= to[1].virial[i];
  return to[0];
}

static double spring(const double *x, int i, int j, double k, double c)
{
  double r2 = 0.0;
  for (int d = 0; d < 3; d++)
    r2 += (x[3 * j + d] - x[3 * i + d]) * (x[3 * j + d] - x[3 * i + d]);
  return 0.5 * k * (0.1 * sqrt(r2) - c) * (0.1 * sqrt(r2) - c) / UNITS_JOULE;
}

static double volume_of(const Box *box) { return box->h[0][0] * box->h[1][1] * box->h[2][2]; }

TEST(forces_are_minus_the_gradient, .rows = 2)
{
  Simulation *both[2];
  double x[N], p[N], step = 1e-3;
  open_both(both, _i == 1);
  simulation_get_point(both[0], 0, x, p);
  const Share at = share_of(both, x);
  const Box box = simulation_box(both[0], 0);
  ck_assert_double_eq_tol(at.energy,
                          spring(x, 0, 1, 4000.0, 0.35) + spring(x, 1, 4, 300.0, 0.5) +
                              7e-3 * volume_of(&box) / UNITS_JOULE,
                          1e-9);
  ck_assert_double_gt(fabs(at.f[0]), 1.0);
  for (int i = 0; i < N; i++) {
    double moved[N];
    memcpy(moved, x, sizeof moved);
    moved[i] += step;
    const double up = share_of(both, moved).energy;
    moved[i] -= 2.0 * step;
    const double slope = (up - share_of(both, moved).energy) / (2.0 * step);
    ck_assert_msg(fabs(at.f[i] + slope) < 1e-5, "coordinate %d: %.9g and %.9g", i, at.f[i], -slope);
  }
  simulation_free(both[0]);
  simulation_free(both[1]);
}

/* Strains that leave the edges of the box lower triangular. */
TEST(the_virial_is_minus_the_slope_under_strain, .rows = 6)
{
  const int a = _i < 1 ? 0 : _i < 3 ? 1 : 2, b = _i < 1 ? 0 : _i < 3 ? _i - 1 : _i - 3;
  const double size = 1e-4;
  double x[N], p[N], energy[2];
  Simulation *both[2];
  open_both(both, true);
  simulation_get_point(both[0], 0, x, p);
  const Share at = share_of(both, x);
  const Box box = simulation_box(both[0], 0);
  for (int side = 0; side < 2; side++) {
    double moved[N], edges[3][3];
    const double strain = side == 0 ? size : -size;
    memcpy(moved, x, sizeof moved);
    memcpy(edges, box.h, sizeof edges);
    for (int i = 0; i < 6; i++)
      moved[3 * i + b] += strain * x[3 * i + a];
    for (int i = 0; i < 3; i++)
      edges[i][b] += strain * box.h[i][a];
    Box other;
    fine(box_set(&other, edges, &error));
    for (int k = 0; k < 2; k++)
      fine(simulation_set_box(both[k], 0, &other, &error));
    energy[side] = share_of(both, moved).energy;
  }
  const double slope = (energy[0] - energy[1]) / (2.0 * size);
  ck_assert_msg(fabs(at.virial[3 * a + b] + slope) < 1e-4, "%.9g and %.9g", at.virial[3 * a + b], -slope);
  simulation_free(both[0]);
  simulation_free(both[1]);
}

/* The time step and the temperature that PLUMED knows do not change. */
TEST(settings_that_plumed_knows_are_kept)
{
  Simulation *both[2];
  open_both(both, false);
  ck_assert_int_eq(simulation_set_timestep(both[0], 0.5 * simulation_timestep(both[0]), &error),
                   STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "PLUMED"));
  fine(simulation_set_timestep(both[1], 0.5 * simulation_timestep(both[1]), &error));
  simulation_free(both[0]);
  simulation_free(both[1]);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

/* A spring of PLUMED is a harmonic bias: 3 kcal/mol/A^2. */
TEST(a_spring_is_a_harmonic_bias, .rows = 4)
{
  begin("SPRING 1 2 1255.2 0.45\n", _i % 2 == 1, "");
  program_runs("run run.yaml -o biased --force --set ensemble.replicas=%d "
               "--set \"biases=[{on: [d], type: harmonic, k: 3, centre: 4.5}]\"",
               _i < 2 ? 1 : 4);
  use_stub(_i % 2 == 1 ? 2 : 4);
  program_runs("run run.yaml -o plumed --force --set ensemble.replicas=%d --set plumed=plumed.dat",
               _i < 2 ? 1 : 4);
  ResultTable *one = program_table("biased/thermo.csv"), *two = program_table("plumed/thermo.csv");
  ck_assert_int_eq(one->nrow, two->nrow);
  for (size_t i = 0; i < (size_t)one->nrow; i++) {
    ck_assert_double_eq_tol(tables_cell(one, i, "bias"), tables_cell(two, i, "plumed"), 1e-7);
    ck_assert_double_eq_tol(tables_cell(one, i, "total"), tables_cell(two, i, "total"), 1e-7);
    ck_assert_double_eq_tol(tables_cell(one, i, "potential"), tables_cell(two, i, "potential"), 1e-7);
  }
  results_free_table(one);
  results_free_table(two);
}

/* PLUMED itself, where HOLONOM_PLUMED is the path of its kernel: a distance and a torsion with springs. */
TEST(plumed_agrees_with_biases, .rows = 2, .skip = getenv("HOLONOM_PLUMED") == NULL)
{
  begin("d: DISTANCE ATOMS=1,2\nt: TORSION ATOMS=3,4,5,6\nRESTRAINT ARG=d,t ...\n"
        "  KAPPA=1255.2,37.656 AT=0.45,2.96705972839036\n...\nPRINT ARG=d FILE=COLVAR STRIDE=10\n",
        _i == 1, "  torsions: [{name: t, atoms: [index 2, index 3, index 4, index 5]}]\n");
  program_runs(
      "run run.yaml -o biased --force --set \"biases=[{on: [d], type: harmonic, k: 3, centre: 4.5}, {on: "
      "[t], type: harmonic, k: 9, centre: 170 deg}]\"");
  setenv("PLUMED_KERNEL", getenv("HOLONOM_PLUMED"), 1);
  program_runs("run run.yaml -o plumed --force --set plumed=plumed.dat");
  ResultTable *one = program_table("biased/thermo.csv"), *two = program_table("plumed/thermo.csv");
  ck_assert_int_eq(one->nrow, two->nrow);
  for (size_t i = 0; i < (size_t)one->nrow; i++) {
    ck_assert_double_eq_tol(tables_cell(one, i, "bias"), tables_cell(two, i, "plumed"), 1e-8);
    ck_assert_double_eq_tol(tables_cell(one, i, "total"), tables_cell(two, i, "total"), 1e-8);
    if (_i == 1)
      ck_assert_double_eq_tol(tables_cell(one, i, "pressure"), tables_cell(two, i, "pressure"), 1e-6);
  }
  results_free_table(one);
  results_free_table(two);
}

/* The steps and distances that a file of PLUMED has, each step of 0, 5, ..., last once, as thermo.csv has
 * them. */
static void check_rows(const char *path, const char *folder, int last, bool positions)
{
  char table[128];
  snprintf(table, sizeof table, "%s/thermo.csv", folder);
  ResultTable *t = program_table(table);
  const char *at = program_read(path);
  for (int step = 0; step <= last; step += 5) {
    int read, length;
    double energy, distance;
    ck_assert_msg(sscanf(at, "%d %lf %lf\n%n", &read, &energy, &distance, &length) == 3,
                  "%s ends before step %d", path, step);
    ck_assert_int_eq(read, step);
    if (positions) {
      ck_assert_double_eq_tol(10.0 * distance, tables_cell(t, (size_t)step / 5, "distance_d"), 1e-8);
      ck_assert_double_eq_tol(energy / UNITS_JOULE, tables_cell(t, (size_t)step / 5, "plumed"), 1e-8);
    }
    at += length;
  }
  ck_assert_str_eq(at, "");
  results_free_table(t);
}

static const char printing[] = "SPRING 1 2 1255.2 0.45\nPRINT FILE=COLVAR 5\n";

/* Words that end with a drift update the positions of their forces. */
TEST(each_step_is_updated_once, .rows = 4)
{
  static const char *const word[] = {"BAOAB", "OBABO", "ABOBA", "BAOABAOAB"};
  begin(printing, false, PLUMED);
  program_runs("run run.yaml -o out --force --set integrator.word=%s --set output.thermo_every=5", word[_i]);
  check_rows("out/COLVAR", "out", 60, _i != 2);
  ck_assert(!program_exists("COLVAR"));
  ck_assert(program_exists("out/plumed.log"));
}

/* Trial moves of the box are not updated. */
TEST(moves_of_the_box_are_not_updated)
{
  begin("SPRING 1 2 1255.2 0.45\nVOLUME 0.3\nPRINT FILE=COLVAR 5\n", true, PLUMED);
  program_runs(
      "run run.yaml -o out --force --set barostat.type=monte-carlo --set \"barostat.pressure=1 bar\" "
      "--set barostat.every=5");
  check_rows("out/COLVAR", "out", 60, true);
}

TEST(a_resumed_run_continues_its_files)
{
  begin(printing, false, PLUMED);
  program_runs("run run.yaml -o out --force --set integrator.steps=25");
  check_rows("out/COLVAR", "out", 25, true);
  program_runs("run run.yaml -o out --resume --set integrator.steps=60");
  check_rows("out/COLVAR", "out", 60, true);
}

TEST(replicas_have_files_of_their_own)
{
  begin(printing, false, PLUMED "ensemble: {replicas: 8}\n");
  program_runs("run run.yaml -o eight --force");
  for (int r = 0; r < 8; r++) {
    char name[64];
    snprintf(name, sizeof name, "eight/COLVAR.%d", r);
    check_rows(name, "eight", 60, false);
    snprintf(name, sizeof name, "eight/plumed.%d.log", r);
    ck_assert(program_exists(name));
  }
  ck_assert(!program_exists("eight/COLVAR"));
}

/* Processes have files of their own replicas alone, with the rows of one process. */
TEST(processes_share_replicas)
{
  if (no_mpi())
    return;
  begin(printing, false, PLUMED "ensemble: {replicas: 16}\n");
  program_runs("run run.yaml -o alone --force --threads 1");
  program_does(MPIRUN
               "2 $P run run.yaml -o shared --force --threads 1 && ls shared | grep -c COLVAR | grep -x 16");
  for (int r = 0; r < 16; r += 5) {
    char name[64];
    snprintf(name, sizeof name, "COLVAR.%d", r);
    program_same("alone", "shared", name);
  }
}

TEST(checks_and_energies_write_no_files)
{
  begin(printing, false, PLUMED);
  program_runs("check run.yaml");
  program_says("plumed: 2 actions of plumed.dat");
  program_runs("energy run.yaml");
  program_says("plumed");
  ck_assert(!program_exists("COLVAR"));
  ck_assert(!program_exists("plumed.log"));
}

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Actions on several lines, comments, and names of files. */
TEST(lines_are_those_of_plumed)
{
  static const char *const want[] = {"d: DISTANCE ATOMS=1,2 ",
                                     "m: METAD ARG=d FILE=/run/HILLS GRID_RFILE=missing ",
                                     "RMSD REFERENCE=%s/ref.pdb TYPE=OPTIMAL ", "INCLUDE FILE=%s/more.dat ",
                                     "PRINT FILE=/dev/null ARG={a b} "};
  SCOPED(arena_free) Arena arena = {0};
  PlumedLines lines;
  char path[600];
  program_write("ref.pdb", "END\n");
  program_write("more.dat", "\n");
  program_write("lines.dat",
                "# first\nd: DISTANCE ATOMS=1,2 # distance\n\nm: METAD ...\n  ARG=d # on it\n FILE=HILLS\n"
                "GRID_RFILE=missing\n... METAD\nRMSD REFERENCE=ref.pdb TYPE=OPTIMAL\n"
                "INCLUDE FILE=more.dat\nPRINT FILE=/dev/null ARG={a b}\nENDPLUMED\nnonsense\n");
  snprintf(path, sizeof path, "%s/lines.dat", program_scratch);
  fine(plumed_lines_read(&lines, path, &arena, &error));
  ck_assert_int_eq(lines.n, 5);
  ck_assert_int_eq(lines.line[1].number, 4);
  ck_assert_str_eq(lines.line[1].action, "METAD");
  for (int i = 0; i < lines.n; i++) {
    SCOPED(scoped_free) char *text = NULL;
    char line[700];
    snprintf(line, sizeof line, want[i], program_scratch);
    fine(plumed_lines_resolve(&lines, i, "/run", &text, &error));
    ck_assert_str_eq(text, line);
  }
  SCOPED(scoped_free) char *dry = NULL, *blank = NULL;
  fine(plumed_lines_resolve(&lines, 1, NULL, &dry, &error));
  ck_assert_str_eq(dry, "m: METAD ARG=d FILE=/dev/null GRID_RFILE=missing ");
  fine(plumed_lines_resolve(&lines, 1, "/my run", &blank, &error));
  ck_assert_str_eq(blank, "m: METAD ARG=d FILE={/my run/HILLS} GRID_RFILE=missing ");
}

/* --- refusals ------------------------------------------------------------------------------------------- */

TEST(kernels_that_are_not_there_are_refused)
{
  begin(printing, false, PLUMED);
  unsetenv("PLUMED_KERNEL");
  program_refuses("plumed: the environment variable PLUMED_KERNEL is not set", "run run.yaml -o none");
  program_refuses("plumed: the environment variable PLUMED_KERNEL is not set", "check run.yaml");
  setenv("PLUMED_KERNEL", "/nowhere/kernel.so", 1);
  program_refuses("PLUMED's kernel cannot be loaded: /nowhere/kernel.so", "run run.yaml -o none");
  setenv("PLUMED_KERNEL", "libm.so.6", 1);
  program_refuses("libm.so.6 (PLUMED_KERNEL) has no plumed_symbol_table", "run run.yaml -o none");
  use_stub(1);
  program_refuses("is too old", "run run.yaml -o none");
  ck_assert(!program_exists("none"));
}

TEST(inputs_that_cannot_work_are_refused, .rows = 9)
{
  static const struct {
    const char *actions, *more, *words;
  } row[] = {
      {"SPRING 1 2 3 4\n", "exchange: {highest: 400 K, number: 4}\n",
       "cannot be combined with a ladder (exchange)"},
      {"SPRING 1 2 3 4\n", "biases: [{on: [d], type: harmonic, k: 3, centre: 4}]\n",
       "cannot be combined with biases"},
      {"SPRING 1 2 3 4\n", "alchemy: {molecules: pair, coulomb: [1, 0], lj: [1, 0]}\n",
       "cannot be combined with alchemy"},
      {"METAD ARG=d\n", "", "plumed.dat:1: METAD names no file for what it writes; wanted: FILE=HILLS"},
      {"\ne: ENERGY\n", "", "plumed.dat:2: the action ENERGY is not supported"},
      {"SPRING ...\n 1 2 3 4\n", "", "plumed.dat:1: the action that begins here with ... does not end"},
      {"SPRING 1 2 3 4\nUNKNOWN 5\n", "",
       "plumed.dat:2: PLUMED reports: ERROR I cannot understand line: UNKNOWN 5"},
      {"MASSES 1\n", "", "a mass is 20, wanted 1"},
      {"NEEDS_ENERGY\n", "", "an action needs the energy of the system"},
  };
  char more[400];
  snprintf(more, sizeof more, PLUMED "%s", row[_i].more);
  begin(row[_i].actions, false, more);
  const int code = program_call("run run.yaml -o none --force");
  ck_assert_msg(code == (_i < 7 ? 2 : 3), "%d: %s", code, program_output);
  program_says(row[_i].words);
}

TEST(a_constraining_sphere_is_refused)
{
  begin("SPRING 1 2 3 4\n", false, PLUMED);
  program_refuses("cannot be combined with system.constraining_radius",
                  "run run.yaml -o none --set system.constraining_radius=30");
}

TEST(a_missing_file_is_refused)
{
  begin("", false, "plumed: missing.dat\n");
  program_refuses("plumed: ", "run run.yaml -o none");
  program_says("missing.dat");
}

TEST(errors_of_plumed_end_a_run, .rows = 2)
{
  begin(_i == 0 ? "FAIL 30\nPRINT FILE=COLVAR 5\n" : "NAN\n", false, PLUMED);
  ck_assert_int_eq(program_call("run run.yaml -o out --force"), 3);
  program_says(_i == 0 ? "PLUMED reports: step 30 fails" : "are not finite numbers");
}

int main(void) { return program_main("plumed"); }
