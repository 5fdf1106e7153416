/* Whole simulations of molecules of two lanes: an argon and a krypton without a bond, in a box, and two rigid
 * waters, in a cluster. What belongs to atoms equals that of the same lanes as molecules of their own, to the
 * bit; what belongs to molecules is that of the pairs. */
#include "engine/units.h"
#include "forcefields/water.h"
#include "observables/evaporation.h"
#include "simulation/molecules/system.h"
#include "simulation/simulation_private.h"
#include "tests/files.h"
#include "tests/tables.h"

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

enum { PAIRS = 24, DIMERS = 3, WATERS = 2 * DIMERS };
#define EDGE 26.0

static Simulation *make(const char *text)
{
  Simulation *s;
  fine(simulation_parse(&s, files_path("input.yaml"), text, NULL, 0, &error));
  return s;
}

static void run(const char *text, const char *dir, bool resume)
{
  Simulation *s = make(text);
  char path[512];
  snprintf(path, sizeof path, "%s", files_path(dir));
  fine(simulation_run(s, &(SimulationRun){.dir = path, .resume = resume}, &error));
  simulation_free(s);
}

static const char *in(const char *dir, const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  return files_path(path);
}

static void same_file(const char *a, const char *b, const char *name)
{
  size_t n, m;
  unsigned char *x = files_read(in(a, name), &n), *y = files_read(in(b, name), &m);
  ck_assert_msg(n > 0 && n == m && memcmp(x, y, n) == 0, "%s of %s and %s differ", name, a, b);
  free(x);
  free(y);
}

/* --- a box of argon and krypton ------- */

static const double gas_mass[2] = {39.948, 83.798};

/* Writes files of molecules: pairs 3.9 A long, and the same atoms in the same order, each its own molecule.
 */
static void write_gas(void)
{
  static const char types[] = "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
                              "types: {Ar: [3.4, 0.238], Kr: [3.65, 0.331]}\nmolecules:\n";
  char text[2048];
  snprintf(text, sizeof text,
           "%s  pair:\n    atoms: [[Ar, Ar, 0, %g], [Kr, Kr, 0, %g]]\nsystem: [[pair, %d]]\n", types,
           gas_mass[0], gas_mass[1], PAIRS);
  files_text("pairs.yaml", text);
  files_text("pairs.xyz", "2\n\nAr 0 0 0\nKr 3.9 0 0\n");
  int n = snprintf(text, sizeof text,
                   "%s  argon:\n    atoms: [[Ar, Ar, 0, %g]]\n  krypton:\n    atoms: [[Kr, Kr, 0, %g]]\n"
                   "system:\n",
                   types, gas_mass[0], gas_mass[1]);
  for (int m = 0; m < PAIRS; m++)
    n += snprintf(text + n, sizeof text - (size_t)n, "  - [argon, 1]\n  - [krypton, 1]\n");
  files_text("singles.yaml", text);
}

static const char gas[] = "system: {%s, seed: 3}\n"
                          "forces: {cutoff: 8 A, coulomb: cutoff}\nensemble: {threads: %d}\n"
                          "integrator: {word: %s, timestep: 4 fs, steps: %d}\n"
                          "thermostat: {%s}\n"
                          "output: {thermo_every: 10, trajectory: xyz, trajectory_every: 20, gofr_every: 0, "
                          "pressure: both, equilibration: 0, progress: false}\n";

static const char *gas_of(const char *system, const char *word, int steps, const char *bath)
{
  static char text[1024];
  snprintf(text, sizeof text, gas, system, steps % 2 + 1, word, steps, bath); /* one thread, or two */
  return text;
}

static const char *const built = "molecules: {pairs.yaml: 24}, box: 26 A";
static const char *const warm = "temperature: 300 K, friction: 5/ps, remove: linear";

/* Builds pairs, moves them downhill and runs them. */
static void run_pairs(const char *dir)
{
  write_gas();
  run(gas_of(built, "BAOAB", 40, warm), dir, false);
}

/* system of an input that starts from the end of such a run. */
static const char *from_end(const char *topology, const char *dir)
{
  static char system[600];
  snprintf(system, sizeof system, "topology: %s, file: %s, box: file, minimise: false", topology,
           in(dir, "final.gro"));
  return system;
}

static double column(const ResultTable *t, size_t row, const char *name)
{
  const int c = tables_find(t, name);
  ck_assert_msg(c >= 0, "no column %s", name);
  return tables_at(t, row, c);
}

/* Both atoms of a pair follow each other in frames, and are moved into the box together. */
TEST(pairs_are_placed_and_written_as_molecules)
{
  Frame frame = {0};
  run_pairs("built");
  fine(trajectory_read_first(in("built", "trajectory.xyz"), &frame, &error));
  ck_assert_int_eq(frame.natoms, 2 * PAIRS);
  double longest = 0.0;
  for (int m = 0; m < PAIRS; m++) {
    double r2 = 0.0;
    ck_assert_str_eq(frame.symbols[2 * m], "Ar");
    ck_assert_str_eq(frame.symbols[2 * m + 1], "Kr");
    for (int d = 0; d < 3; d++) {
      r2 += pow(frame.positions[2 * m][d] - frame.positions[2 * m + 1][d], 2.0);
      ck_assert(frame.positions[2 * m][d] >= 0.0 && frame.positions[2 * m][d] < EDGE);
    }
    longest = fmax(longest, sqrt(r2));
  }
  ck_assert_double_lt(longest, 8.0); /* after moving downhill */
  frame_free(&frame);
  Simulation *raw = make(gas_of("molecules: {pairs.yaml: 24}, box: 26 A, minimise: false", "BAB", 1,
                                "type: none, initial: zero")),
             *low = make(gas_of(built, "BAB", 1, "type: none, initial: zero"));
  double x[6 * PAIRS], value[2][64];
  SimulationColumns columns;
  fine(simulation_start(raw, NULL, &error));
  fine(simulation_start(low, NULL, &error));
  fine(simulation_get(raw, SIMULATION_POSITIONS, 0, x, &error));
  for (int m = 0; m < PAIRS; m++)
    ck_assert_double_eq_tol(
        hypot(hypot(x[6 * m] - x[6 * m + 3], x[6 * m + 1] - x[6 * m + 4]), x[6 * m + 2] - x[6 * m + 5]), 3.9,
        1e-10);
  fine(simulation_columns(raw, &columns, &error));
  fine(simulation_look(raw, 0, value[0], &error));
  fine(simulation_look(low, 0, value[1], &error));
  for (int c = 0; c < columns.n; c++)
    if (strcmp(columns.name[c], "potential") == 0)
      ck_assert_double_lt(value[1][c], value[0][c] - 1.0);
  simulation_free(raw);
  simulation_free(low);
}

/* Pairs have the energies, temperatures, momenta, pressures by atom and positions of the same atoms as single
 * molecules. There is no thermostat, since noise depends on the numbers of groups. */
TEST(dynamics_are_those_of_the_atoms)
{
  const char *const bath = "type: none, initial: file";
  run_pairs("from");
  run(gas_of(from_end("pairs.yaml", "from"), "BAB", 60, bath), "pairs", false);
  run(gas_of(from_end("singles.yaml", "from"), "BAB", 60, bath), "atoms", false);
  ResultTable *a = tables_read(in("pairs", "thermo.csv")), *b = tables_read(in("atoms", "thermo.csv"));
  int differ = 0;
  ck_assert_int_eq((int)a->nrow, 7);
  ck_assert_int_eq((int)b->nrow, 7);
  for (size_t row = 0; row < a->nrow; row++)
    for (int c = 0; c < a->ncol; c++) {
      const bool by_molecule =
          strncmp(a->column[c].name, "pressure", 8) == 0 && strstr(a->column[c].name, "atom") == NULL;
      if (!by_molecule)
        ck_assert_msg(tables_at(a, row, c) == tables_at(b, row, c), "%s differs", a->column[c].name);
      differ += tables_at(a, row, c) != tables_at(b, row, c);
    }
  ck_assert_int_gt(differ, 0);
  for (size_t row = 0; row < b->nrow; row++) /* where each atom is a molecule both are one */
    ck_assert_double_eq_tol(column(b, row, "pressure"), column(b, row, "pressure_atom"), 1e-6);
  results_free_table(a);
  results_free_table(b);
  Frame x = {0}, y = {0};
  fine(trajectory_read_first(in("pairs", "final.xyz"), &x, &error));
  fine(trajectory_read_first(in("atoms", "final.xyz"), &y, &error));
  for (int i = 0; i < 2 * PAIRS; i++) {
    ck_assert_str_eq(x.symbols[i], y.symbols[i]);
    for (int d = 0; d < 3; d++) {
      const double gap = (x.positions[i][d] - y.positions[i][d]) / EDGE;
      ck_assert_double_eq_tol(gap, rint(gap), 1e-12);
      ck_assert(x.velocities[i][d] == y.velocities[i][d]);
    }
  }
  frame_free(&x);
  frame_free(&y);
}

/* The pressure by molecule lacks what acts and moves within pairs: by hand from positions, velocities and
 * forces. */
TEST(pressure_is_of_pairs)
{
  enum { N = 6 * PAIRS };
  const double *const mass = gas_mass;
  double x[N], v[N], f[N], value[64], inside = 0.0, by[2] = {0.0, 0.0};
  SimulationColumns columns;
  write_gas();
  Simulation *s = make(gas_of(built, "BAB", 40, "type: none, temperature: 200 K, initial: maxwell"));
  fine(simulation_step(s, 40, NULL, &error));
  fine(simulation_get(s, SIMULATION_POSITIONS, 0, x, &error));
  fine(simulation_get(s, SIMULATION_VELOCITIES, 0, v, &error));
  fine(simulation_get(s, SIMULATION_FORCES, 0, f, &error));
  fine(simulation_columns(s, &columns, &error));
  fine(simulation_look(s, 0, value, &error));
  for (int c = 0; c < columns.n; c++)
    for (int k = 0; k < 2; k++)
      if (strcmp(columns.name[c], k == 0 ? "pressure" : "pressure_atom") == 0)
        by[k] = value[c];
  for (int i = 0; i < N; i += 6)
    for (int d = 0; d < 3; d++) {
      const double whole = mass[0] + mass[1], *r = x + i + d, *u = v + i + d, *g = f + i + d;
      const double centre = (mass[0] * r[0] + mass[1] * r[3]) / whole,
                   way = (mass[0] * u[0] + mass[1] * u[3]) / whole;
      for (int k = 0; k < 2; k++)
        inside += mass[k] * (u[3 * k] - way) * (u[3 * k] - way) + (r[3 * k] - centre) * g[3 * k];
    }
  const double want = inside * UNITS_BAR / (3.0 * EDGE * EDGE * EDGE);
  ck_assert_double_gt(fabs(want), 10.0);
  ck_assert_double_eq_tol(by[1] - by[0], want, 1e-6 * fabs(want));
  simulation_free(s);
}

/* What was read back is where it was, and in two pieces a run leaves the same bytes. */
TEST(a_cut_run_is_whole)
{
  static const char *const names[] = {"thermo.csv", "trajectory.xyz", "final.xyz", "final.gro"};
  write_gas();
  run(gas_of(built, "BAOAB", 80, warm), "whole", false);
  run(gas_of(built, "BAOAB", 33, warm), "pieces", false);
  run(gas_of(built, "BAOAB", 80, warm), "pieces", true);
  for (int i = 0; i < 4; i++)
    same_file("whole", "pieces", names[i]);
  Simulation *s = make(gas_of(built, "BAOAB", 80, warm));
  double x[2][6 * PAIRS], p[2][6 * PAIRS];
  fine(simulation_start(s, NULL, &error));
  for (int i = 0; i < 6 * PAIRS; i++) {
    x[0][i] = 0.5 * i;
    p[0][i] = 1.0 - 0.01 * i;
  }
  ensemble_set(s->ensemble, 0, x[0], p[0]);
  ensemble_get(s->ensemble, 0, x[1], p[1]);
  ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
  ck_assert_mem_eq(p[0], p[1], sizeof p[0]);
  const State *state = ensemble_at(s->ensemble, 0).state; /* the krypton of molecule 5 */
  ck_assert_double_eq(*state_element(&state->block[1], state->block[1].q, 1, 4, 0, 0, 2), x[0][29]);
  simulation_free(s);
}

/* --- forces from outside ------- */

/* Pulls the second atom of each pair, and says where it was. */
static Status pull(void *user, ExternalCall *call, Error *why)
{
  double *seen = user;
  (void)why;
  memcpy(seen, call->x, call->n * sizeof *seen);
  for (size_t i = 3; i < call->n; i += 6) {
    call->f[i] = 7.0;
    call->energy[0] -= 7.0 * call->x[i];
  }
  return STATUS_OK;
}

TEST(forces_from_outside_see_molecules)
{
  enum { N = 6 * PAIRS };
  double seen[N], x[N], f[2][N];
  write_gas();
  for (int pulled = 0; pulled < 2; pulled++) {
    Simulation *s = make(gas_of(built, "BAB", 1, "type: none, initial: zero"));
    if (pulled)
      fine(simulation_add_force(s, &(ExternalRow){pull, seen, false}, &error));
    fine(simulation_start(s, NULL, &error));
    fine(simulation_get(s, SIMULATION_POSITIONS, 0, x, &error));
    fine(simulation_get(s, SIMULATION_FORCES, 0, f[pulled], &error));
    simulation_free(s);
  }
  ck_assert_mem_eq(seen, x, sizeof x);
  for (int i = 0; i < N; i++)
    ck_assert_double_eq_tol(f[1][i] - f[0][i], i % 6 == 3 ? 7.0 : 0.0, 1e-12);
}

/* Messages of forces number molecules. */
TEST(faults_of_forces_name_molecules)
{
  double x[6 * PAIRS];
  write_gas();
  for (int far = 0; far < 2; far++) {
    Simulation *s = make(gas_of(built, "BAB", 1, "type: none, initial: zero"));
    fine(simulation_start(s, NULL, &error));
    fine(simulation_get(s, SIMULATION_POSITIONS, 0, x, &error));
    for (int d = 0; d < 3; d++) /* the krypton of the seventh pair: nowhere, or on the argon of the fourth */
      x[6 * 6 + 3 + d] = far ? 1e9 : x[6 * 3 + d] + 0.01;
    fine(simulation_set(s, SIMULATION_POSITIONS, 0, x, &error));
    ck_assert_int_eq(simulation_step(s, 1, NULL, &error), STATUS_RUN);
    ck_assert_msg(
        strstr(error.text,
               far ? "atom 2 (Kr) of molecule 7 (pair)"
                   : "atom 1 (Ar) of molecule 4 (pair) and atom 2 (Kr) of molecule 7 (pair) overlap") != NULL,
        "%s", error.text);
    simulation_free(s);
  }
}

/* --- a cluster of dimers, replicas side by side ------- */

/* Writes a file of molecules of `each` waters. As in CHARMM's TIP3P hydrogens have Lennard-Jones terms, so
 * that single waters, too, take the kernel for atoms. */
static void write_waters(const char *file, const char *molecule, int each)
{
  const WaterModel *m = water_find("tip3p");
  char text[2048];
  int n = snprintf(text, sizeof text,
                   "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
                   "types: {OW: [3.1506, 0.1521], HW: [0.4, 0.046]}\nmolecules:\n  %s:\n    atoms:\n",
                   molecule);
  for (int i = 0; i < each; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "      - [O, OW, %g, %.17g]\n      - [H, HW, %g, %.17g]\n      - [H, HW, %g, %.17g]\n",
                  -2.0 * m->q_h, WATER_MASS_O, m->q_h, WATER_MASS_H, m->q_h, WATER_MASS_H);
  n += snprintf(text + n, sizeof text - (size_t)n, "    constraints:\n");
  for (int i = 0; i < 3 * each; i += 3)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "      - [%d, %d, %.17g]\n      - [%d, %d, %.17g]\n      - [%d, %d, %.17g]\n", i + 1, i + 2,
                  m->d_oh, i + 1, i + 3, m->d_oh, i + 2, i + 3, water_d_hh(m));
  snprintf(text + n, sizeof text - (size_t)n, "    exclude: 2\nsystem:\n  - [%s, %d]\n", molecule,
           WATERS / each);
  files_text(file, text);
}

/* Writes the start, three dimers 2.8 A long at the corners of a triangle, and both files of molecules. */
static void write_drop(void)
{
  const WaterModel *m = water_find("tip3p");
  const double half = 0.5 * m->angle * M_PI / 180.0;
  char text[2048];
  int n = snprintf(text, sizeof text, "%d\n\n", 3 * WATERS);
  for (int i = 0; i < WATERS; i++) {
    const double corner = 2.0 * M_PI * (i / 2) / DIMERS, turn = 1.3 * i;
    const double at[3] = {1.65 * cos(corner), 1.65 * sin(corner), i % 2 == 0 ? -1.4 : 1.4};
    n += snprintf(text + n, sizeof text - (size_t)n, "O %.17g %.17g %.17g\n", at[0], at[1], at[2]);
    for (int side = -1; side <= 1; side += 2)
      n += snprintf(text + n, sizeof text - (size_t)n, "H %.17g %.17g %.17g\n",
                    at[0] + m->d_oh * cos(turn + side * half), at[1] + m->d_oh * sin(turn + side * half),
                    at[2]);
  }
  files_text("drop.xyz", text);
  write_waters("dimers.yaml", "dimer", 2);
  write_waters("waters.yaml", "water", 1);
}

static const char *drop_of(const char *molecules, const char *more, int steps)
{
  static char text[1024];
  snprintf(text, sizeof text,
           "system: {topology: %s.yaml, file: drop.xyz, minimise: true%s}\ngeometry: {method: settle}\n"
           "integrator: {word: BAOAB, timestep: 2 fs, steps: %d}\n"
           "thermostat: {temperature: 500 K, friction: 1/ps}\nensemble: {replicas: 8}\n"
           "output: {thermo_every: 10, trajectory: xyz, trajectory_every: 10, trajectory_replica: all, "
           "multipliers_every: 10, rdf_every: 0, equilibration: 0, progress: false}\n",
           molecules, more, steps);
  write_drop();
  return text;
}

/* Dimers move as their waters do; only the first molecule has more multipliers. */
TEST(dimers_move_as_waters)
{
  static const char *const names[] = {"thermo.csv", "replicas.csv", "replica-3/trajectory.xyz", "final.xyz"};
  run(drop_of("dimers", "", 100), "dimers", false);
  run(drop_of("waters", "", 100), "waters", false);
  for (int i = 0; i < 4; i++)
    same_file("dimers", "waters", names[i]);
  ResultTable *a = tables_read(in("dimers", "multipliers.csv")),
              *b = tables_read(in("waters", "multipliers.csv"));
  ck_assert_int_eq((int)a->nrow, (int)b->nrow);
  ck_assert_int_ge(tables_find(a, "lambda_6"), 0);
  for (size_t row = 0; row < b->nrow; row++)
    for (int c = 0; c < b->ncol; c++)
      if (strncmp(b->column[c].name, "lambda", 6) == 0)
        ck_assert(column(a, row, b->column[c].name) == tables_at(b, row, c));
  results_free_table(a);
  results_free_table(b);
}

/* How far the waters of a replica, and its dimers, are from the middle at most. */
static void reach_of(Simulation *s, int r, double *waters, double *dimers)
{
  static const double mass[3] = {WATER_MASS_O, WATER_MASS_H, WATER_MASS_H};
  double x[18 * DIMERS], water[2 * DIMERS][3] = {{0.0}}, centre[3] = {0.0};
  fine(simulation_get(s, SIMULATION_POSITIONS, r, x, &error));
  for (int i = 0; i < 18 * DIMERS; i++)
    water[i / 9][i % 3] += mass[i / 3 % 3] * x[i] / (mass[0] + mass[1] + mass[2]);
  for (int i = 0; i < 6 * DIMERS; i++)
    centre[i % 3] += water[i / 3][i % 3] / (2 * DIMERS);
  for (int m = 0; m < 2 * DIMERS; m++) {
    double alone = 0.0, pair_of = 0.0;
    for (int d = 0; d < 3; d++) {
      alone += pow(water[m][d] - centre[d], 2.0);
      pair_of += pow(0.5 * (water[m][d] + water[m ^ 1][d]) - centre[d], 2.0);
    }
    *waters = fmax(*waters, sqrt(alone));
    *dimers = fmax(*dimers, sqrt(pair_of));
  }
}

/* The constraining sphere holds the centres of dimers, and lets single waters go beyond; side by side, and of
 * one replica whose molecules are side by side. */
TEST(the_sphere_holds_dimers, .rows = 2)
{
  char text[1024];
  double waters = 0.0, dimers = 0.0;
  snprintf(text, sizeof text, "%s", drop_of("dimers", ", constraining_radius: 2.9 A", 1));
  if (_i == 1)
    memcpy(strstr(text, "replicas: 8"), "replicas: 1", 11);
  Simulation *s = make(text);
  for (int step = 0; step < (_i == 0 ? 150 : 600); step++) {
    fine(simulation_step(s, 10, NULL, &error));
    for (int r = 0; r < simulation_replicas(s); r++)
      reach_of(s, r, &waters, &dimers);
  }
  ck_assert_double_lt(dimers, 2.9 + 1e-9);
  ck_assert_double_gt(dimers, 2.8);
  ck_assert_double_gt(waters, 3.3);
  ck_assert_int_gt((int)ensemble_refused(s->ensemble), 0);
  simulation_free(s);
}

/* Multipliers of all molecules are in their order, and projections find each group. */
TEST(constraints_go_by_molecules)
{
  Simulation *a = make(drop_of("dimers", "", 10)), *b = make(drop_of("waters", "", 10));
  double x[18 * DIMERS], y[18 * DIMERS], lambda[2][6 * DIMERS];
  fine(simulation_step(a, 10, NULL, &error));
  fine(simulation_step(b, 10, NULL, &error));
  ck_assert_int_eq(simulation_constraints(a), 6 * DIMERS);
  ck_assert_int_eq(simulation_molecules(a), DIMERS);
  ck_assert_int_eq(simulation_freedom(a), simulation_freedom(b));
  fine(simulation_multipliers(a, 5, lambda[0], &error));
  fine(simulation_multipliers(b, 5, lambda[1], &error));
  ck_assert_mem_eq(lambda[0], lambda[1], sizeof lambda[0]);
  fine(simulation_get(a, SIMULATION_POSITIONS, 5, x, &error));
  memcpy(y, x, sizeof x);
  x[9 * 3 + 4] += 0.05; /* in the second water of the second dimer */
  fine(simulation_set(a, SIMULATION_POSITIONS, 5, x, &error));
  ck_assert_int_eq(simulation_step(a, 1, NULL, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "molecule 2 (") != NULL, "%s", error.text);
  fine(simulation_project(a, 5, &error));
  fine(simulation_get(a, SIMULATION_POSITIONS, 5, x, &error));
  for (int i = 0; i < 18 * DIMERS; i++)
    ck_assert_double_eq_tol(x[i], y[i], i / 9 == 3 ? 0.06 : 1e-9);
  fine(simulation_step(a, 1, NULL, &error));
  simulation_free(a);
  simulation_free(b);
}

/* A water that turns too far in one step for SHAKE: of the third dimer the second. */
TEST(faults_of_integrators_name_molecules)
{
  char text[1024];
  double v[18 * DIMERS];
  snprintf(text, sizeof text, "%s", drop_of("dimers", "", 10));
  memcpy(strstr(text, "method: settle"), "method: shake ", 14);
  Simulation *s = make(text);
  fine(simulation_start(s, NULL, &error));
  fine(simulation_get(s, SIMULATION_VELOCITIES, 5, v, &error));
  for (int i = 0; i < 9; i++)
    v[9 * 5 + i] = i < 3 ? 0.0 : i < 6 ? 90.0 : -90.0;
  fine(simulation_set(s, SIMULATION_VELOCITIES, 5, v, &error));
  ck_assert_int_eq(simulation_step(s, 1, NULL, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "step 1: molecule 3 of replica 5 cannot satisfy constraint") != NULL, "%s",
                error.text);
  simulation_free(s);
}

/* Dimers that fly apart have left at another distance and under another number than their waters. */
TEST(evaporation_is_of_molecules)
{
  Simulation *s = make(drop_of("dimers", "", 1));
  double x[18 * DIMERS];
  EvaporationEvent event = {.step = -1};
  fine(simulation_start(s, NULL, &error));
  fine(simulation_get(s, SIMULATION_POSITIONS, 2, x, &error));
  for (int i = 0; i < 9; i++)
    x[9 + i] += i % 3 == 0 ? 40.0 : 0.0; /* the second water of the first dimer */
  fine(simulation_set(s, SIMULATION_POSITIONS, 2, x, &error));
  evaporation_find(s->topology, &(Sample){.state = ensemble_at(s->ensemble, 0).state}, 2, &event);
  ck_assert_int_eq((int)event.step, -1);
  for (int i = 0; i < 18; i++)
    x[36 + i] += i % 3 == 1 ? 40.0 : 0.0; /* the third dimer, another way */
  fine(simulation_set(s, SIMULATION_POSITIONS, 2, x, &error));
  evaporation_find(s->topology, &(Sample){.state = ensemble_at(s->ensemble, 0).state}, 2, &event);
  ck_assert_int_eq((int)event.step, 0);
  ck_assert_int_eq(event.molecule, 2);
  simulation_free(s);
}

int main(void) { return files_main("lanes"); }
