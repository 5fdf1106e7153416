/* Atoms that do not move (the key freeze): their bits, what the others do beside them, pressures without
 * their own pairs, runs that go on, and what is refused. */
#include "integrators/word.h"
#include "tests/hol.h"
#include "tests/program.h"
#include "tests/tables.h"

static const double boltzmann = 0.001987204, bar = 69476.95; /* kcal/mol/K; of kcal/mol/A^3 */

/* --- bits ----------------------------------------------------------------------------------------------- */

static double *array_of(int n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  ck_assert_ptr_nonnull(x);
  return x;
}

/* Runs an input with frozen sites first to last - 1, in two parts: their positions keep their bits, and they
 * have no momenta, at the start, after a draw or set by the caller. */
static void check_bits(const char *text, const char *set, const char *more, int first, int last, int steps)
{
  hol_simulation *s;
  const char *const sets[] = {set, more};
  good(hol_open_text(&s, "input", text, sets, set[0] == '\0' ? 0 : more[0] == '\0' ? 1 : 2, &e));
  good(hol_start(s, &e));
  const int n = coordinates(s), replicas = hol_replicas(s);
  double *x = array_of(n), *to = array_of(n), *p = array_of(n);
  int moved = 0;
  ck_assert_int_gt(n, 3 * last);
  for (int part = 0; part < 2; part++)
    for (int r = 0; r < replicas; r++) {
      good(hol_get(s, HOL_POSITIONS, r, x, &e));
      if (part == 1) {
        for (int i = 0; i < n; i++)
          p[i] = 1.0;
        good(hol_set(s, HOL_MOMENTA, r, p, &e));
        if (strcmp(more, "thermostat.type=none") != 0)
          good(hol_draw(s, r, &e));
      }
      if (r == replicas - 1)
        good(hol_step(s, steps, &e));
    }
  for (int r = 0; r < replicas; r++) {
    good(hol_get(s, HOL_POSITIONS, r, to, &e));
    good(hol_get(s, HOL_MOMENTA, r, p, &e));
    if (r == replicas - 1)
      for (int i = 0; i < n; i++) {
        const bool frozen = i >= 3 * first && i < 3 * last;
        ck_assert_msg(!frozen || (memcmp(&x[i], &to[i], sizeof *x) == 0 && p[i] == 0.0),
                      "%s: coordinate %d moved", set, i);
        moved += !frozen && x[i] != to[i] && p[i] != 0.0;
      }
  }
  ck_assert_int_eq(moved, n - 3 * (last - first));
  free(x);
  free(to);
  free(p);
  hol_close(s);
}

#define WATERS(geometry)                                                                                     \
  "system: {model: tip3p, molecules: 5, anneal: false}\nfreeze: molnum 1:2\ngeometry: {" geometry "}\n"      \
  "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"                                                  \
  "thermostat: {temperature: 150, friction: 20 1/ps}\nensemble: {replicas: 8}\n"

static const char cluster[] = WATERS("method: rattle"), soft[] = WATERS("method: penalty, w: 30");

static int rows_of_words(void)
{
  int n = 0;
  while (word_table[n].name != NULL)
    n++;
  return n;
}

TEST(every_word_keeps_the_bits_of_frozen_waters, .rows = rows_of_words())
{
  const Word *word = &word_table[_i];
  char set[64];
  const bool noise = strchr(word->letters, 'O') != NULL;
  if (strpbrk(word->letters, "HS") != NULL)
    return; /* methods move one kind, and S needs a mesh */
  snprintf(set, sizeof set, "integrator.word=%s", word->name);
  check_bits(cluster, set, noise ? "" : "thermostat.type=none", 3, 9, 1000);
}

static const char box[] =
    "system: {model: tip4p, molecules: 30, box: 11 A, atoms: {Na+: 2, Cl-: 2}}\nfreeze: molnum 5:9\n"
    "geometry: {method: settle}\nforces: {cutoff: 4.5 A}\n"
    "integrator: {word: BAOAB, timestep: 1 fs, time: 1 ns}\n"
    "thermostat: {temperature: 300, friction: 5 1/ps}\n";

TEST(other_steps_and_systems_keep_them_too, .rows = 10)
{
  static const struct {
    const char *text, *set, *more;
    int first, last;
  } cases[] = {
      {soft, "", "", 3, 9},
      {soft, "integrator.acceleration=zss-block", "geometry.hessian=gauss-newton", 3, 9},
      {cluster, "precision=mixed", "", 3, 9},
      {cluster, "system.model=tip5p", "", 3, 9},
      {cluster, "system.constraining_radius=9 A", "", 3, 9},
      {cluster, "thermostat.type=rescale", "thermostat.friction=", 3, 9},
      {box, "", "", 15, 30},
      {box, "integrator.word=RESPA-BAOAB-2", "", 15, 30},
      {box, "freeze=name Na", "", 90, 92},
      {box, "forces.coulomb=reaction-field", "", 15, 30},
  };
  check_bits(cases[_i].text, cases[_i].set, cases[_i].more, cases[_i].first, cases[_i].last, 400);
}

/* --- forces and momenta ----------------------------------------------------------------------------------
 */

enum { HALF = 24 };

/* Charged and uncharged atoms; `pair` is an override of the Lennard-Jones between two A. */
static void write_atoms(const char *name, const char *counts, const char *pair)
{
  char text[1024];
  snprintf(text, sizeof text,
           "format: holonom-molecules 1\nrule: geometric\ntypes: {A: [3.4, 0.24], B: [3.2, 0.5]}\n%s"
           "molecules:\n  a:\n    atoms: [[A, A, 0.4, 39.9]]\n  b:\n    atoms: [[B, B, -0.4, 20]]\n"
           "  u:\n    atoms: [[A, A, 0, 39.9]]\n"
           "system: [%s]\n",
           pair, counts);
  program_write(name, text);
}

/* Sites first to end - 1 of a lattice of 4 A, moved a little: the first half are A, the others `other`. */
static void write_lattice(const char *name, const char *other, int first, int end)
{
  FILE *file = program_create(name);
  fprintf(file, "%d\nLattice=\"16 0 0 0 16 0 0 0 16\" Properties=species:S:1:pos:R:3\n", end - first);
  for (int i = first; i < end; i++)
    fprintf(file, "%s %.6f %.6f %.6f\n", i < HALF ? "A" : other, 1.0 + 4.0 * (i % 4) + 0.3 * sin(i),
            1.0 + 4.0 * (i / 4 % 4), 1.0 + 4.0 * (i / 16) + 0.2 * cos(3.0 * i));
  ck_assert_int_eq(fclose(file), 0);
}

static void write_box(const char *pair)
{
  write_atoms("both.yaml", "[a, 24], [b, 24]", pair);
  write_lattice("both.xyz", "B", 0, 2 * HALF);
}

static const char settings[] =
    "forces: {cutoff: 7 A, accuracy: 0.001, beta: 0.45, order: 6, grid: 32, truncation: shift}\n"
    "precision: double\n"
    "integrator: {word: BAOAB, timestep: 1 fs, steps: 20}\n"
    "thermostat: {temperature: 300 K, friction: 5/ps, initial: zero}\n"
    "output: {thermo_every: 5, report: false, progress: false, pressure: both, trajectory: [xyz], "
    "trajectory_every: 20}\n";

static void write_run(const char *name, const char *system, const char *more)
{
  char text[2048];
  snprintf(text, sizeof text, "system: {topology: %s.yaml, file: %s.xyz, box: file}\n%s%s", system, system,
           settings, more);
  program_write(name, text);
}

/* Forces do not know who moves, to the bit where both cases use the kernels of atoms. */
TEST(forces_stay_the_same)
{
  double *f[2];
  int n = 0;
  write_box("");
  write_run("run.yaml", "both", "freeze: name A and index 3:9 or index 30\n");
  for (int i = 0; i < 2; i++) {
    char path[4096];
    hol_simulation *s;
    const char *const none[] = {"freeze="};
    snprintf(path, sizeof path, "%s/run.yaml", program_scratch);
    good(hol_open(&s, path, none, i, &e));
    good(hol_start(s, &e));
    n = coordinates(s);
    f[i] = array_of(n);
    ck_assert_int_eq(hol_freedom(s), n - (i == 0 ? 3 * 8 : 0));
    good(hol_get(s, HOL_FORCES, 0, f[i], &e));
    hol_close(s);
  }
  ck_assert_int_eq(memcmp(f[0], f[1], (size_t)n * sizeof(double)), 0);
  free(f[0]);
  free(f[1]);
}

static double pressure(const char *dir, const char *column, int row)
{
  char name[64];
  snprintf(name, sizeof name, "%s/thermo.csv", dir);
  ResultTable *t = program_table(name);
  const double value = tables_cell(t, (size_t)row, column);
  results_free_table(t);
  return value;
}

/* Without momenta, the pressure of a box less that of its frozen atoms alone; with charges, a mesh, and
 * tails. */
TEST(pairs_of_frozen_atoms_do_not_press, .rows = 2)
{
  static const char *const column[] = {"pressure", "pressure_xx", "pressure_yz", "pressure_atom_zz"};
  const char *const more = _i == 0 ? ""
                                   : "--set forces.coulomb=reaction-field --set forces.beta= --set "
                                     "forces.order= --set forces.grid= --set forces.accuracy=";
  write_box("");
  write_run("run.yaml", "both", "");
  write_atoms("one.yaml", "[a, 12], [b, 12]", "");
  write_lattice("one.xyz", "B", HALF / 2, HALF + HALF / 2);
  write_run("alone.yaml", "one", "");
  program_runs("run run.yaml -o all --force %s", more);
  program_runs("run run.yaml -o part --force --set \"freeze=index 12:35\" %s", more);
  program_runs("run alone.yaml -o alone --force %s", more);
  for (int k = 0; k < 4; k++) {
    const double all = pressure("all", column[k], 0), alone = pressure("alone", column[k], 0),
                 part = pressure("part", column[k], 0);
    ck_assert_double_gt(fabs(alone), 1.0);
    ck_assert_msg(fabs(all - alone - part) < 1e-3 * fabs(alone),
                  "%s: %g of all, %g alone, %g with frozen ones", column[k], all, alone, part);
  }
}

/* The kernels of water, virtual sites included: the virial of all less that of the waters, which are frozen.
 */
TEST(frozen_waters_do_not_press_either)
{
  static const char at_rest[] = "geometry: {method: settle}\nprecision: double\n"
                                "forces: {cutoff: 4.5 A, beta: 0.8, order: 6, grid: 32, truncation: shift}\n"
                                "integrator: {word: BAB, timestep: 1 fs, time: 1 ns}\n"
                                "thermostat: {type: none, initial: zero}\n";
  static const char *const column[3] = {"pressure_xx", "pressure_yy", "pressure_zz"};
  double virial[2][9], *x = NULL, *columns;
  hol_simulation *s[2];
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text, "system: {model: tip4p, molecules: 30, box: 11 A%s}\n%s%s",
             i == 0 ? ", atoms: {Na+: 2, Cl-: 2}" : "", i == 0 ? "freeze: moltype tip4p\n" : "", at_rest);
    s[i] = opened(text);
    good(hol_start(s[i], &e));
    if (i == 0) {
      x = array_of(coordinates(s[i]));
      good(hol_get(s[i], HOL_POSITIONS, 0, x, &e));
    }
    good(hol_evaluate(s[i], 0, x, NULL, NULL, virial[i], &e)); /* the waters come first */
  }
  columns = array_of(hol_columns(s[0]));
  good(hol_look(s[0], 0, columns, &e));
  for (int d = 0; d < 3; d++) {
    const double right = (virial[0][4 * d] - virial[1][4 * d]) / (11.0 * 11.0 * 11.0) * bar;
    ck_assert_double_gt(fabs(virial[1][4 * d]), 1.0);
    ck_assert_double_eq_tol(columns[hol_column(s[0], column[d])], right, 1e-5 * fabs(right));
  }
  free(columns);
  free(x);
  hol_close(s[0]);
  hol_close(s[1]);
}

/* However frozen atoms push each other, the others and all pressures keep their bits (but for the constant's
 * rounding). */
TEST(what_frozen_atoms_do_to_each_other_is_of_no_account, .rows = 2)
{
  const char *const pair[] = {_i == 0 ? "" : "c4: [[A, B, 50]]\n",
                              _i == 0 ? "pairs: [[A, A, 6.5, 3]]\n" : "c4: [[A, B, 50], [A, A, -9e4]]\n"};
  double p[2], u[2];
  for (int i = 0; i < 2; i++) {
    write_box(pair[i]);
    write_run("run.yaml", "both", "freeze: name A\n");
    program_runs("run run.yaml -o p%d --force", i);
    char dir[8];
    snprintf(dir, sizeof dir, "p%d", i);
    p[i] = pressure(dir, "pressure", 4);
    u[i] = pressure(dir, "potential", 4);
  }
  program_same("p0", "p1", "final.xyz");
  ck_assert_double_gt(u[1] - u[0], 1e3);
  ck_assert_double_eq_tol(p[0], p[1], 1e-4 * fabs(p[0]));
}

/* --- statistics ------------------------------------------------------------------------------------------
 */

/* Means over r of a free particle with the energy v(r) and the weight r^2 exp(-v/kT). */
static double mean_by_quadrature(double kT, double k, double centre)
{
  double all = 0.0, sum = 0.0;
  for (double r = 2.5; r < 14.0; r += 0.0005) {
    const double s6 = pow(3.4 / r, 6.0),
                 v = 4.0 * 0.24 * (s6 * s6 - s6) + 0.5 * k * (r - centre) * (r - centre),
                 weight = r * r * exp(-v / kT);
    all += weight;
    sum += weight * v;
  }
  return sum / all;
}

/* A particle on a soft spring around a frozen one: exact means of the energy and of the temperature. */
TEST(a_particle_beside_a_frozen_one, .rows = 2)
{
  write_atoms("two.yaml", "[u, 2]", "");
  write_lattice("two.xyz", "A", 0, 2);
  program_write("two.yaml.in",
                "system: {topology: two.yaml, file: two.xyz, box: none}\nfreeze: index 0\n"
                "restraints: [{coordinate: distance, atoms: [index 0, index 1], k: 0.4, centre: 4.5 A}]\n"
                "integrator: {word: BAOAB, timestep: 8 fs, time: 400 ps}\nensemble: {replicas: 16}\n"
                "thermostat: {temperature: 120 K, friction: 5/ps}\n"
                "output: {thermo_every: 20, equilibration: 10 ps, report: false, progress: false}\n");
  program_runs("run two.yaml.in -o r --force --set thermostat.type=%s", _i == 0 ? "langevin" : "rescale");
  const double right = mean_by_quadrature(120.0 * boltzmann, 0.4, 4.5),
               mean = program_summary("r", "potential"), error = program_summary("r", "potential_err"),
               kelvin = program_summary("r", "temperature"), spread = program_summary("r", "temperature_err");
  ck_assert_double_eq(program_summary("r", "freedom"), 3.0);
  ck_assert_double_eq(program_summary("r", "frozen_atoms"), 1.0);
  ck_assert_double_lt(error, 0.02 * 120.0 * boltzmann);
  ck_assert_msg(fabs(mean - right) < 4.0 * error, "%g +- %g, and %g is right", mean, error, right);
  ck_assert_double_lt(spread, 2.0);
  ck_assert_msg(fabs(kelvin - 120.0) < 4.0 * spread, "%g +- %g K", kelvin, spread);
}

/* The frequency of a bond to a wall is that of the mass that moves, not of the reduced mass. */
TEST(check_knows_the_mass_that_moves)
{
  static const double curvature = 57.14628; /* 72/2^(1/3), in epsilon/sigma^2 */
  write_atoms("two.yaml", "[u, 2]", "");
  FILE *file = program_create("two.xyz");
  fprintf(file, "2\n\nA 0 0 0\nA %.9f 0 0\n", 3.4 * pow(2.0, 1.0 / 6.0));
  ck_assert_int_eq(fclose(file), 0);
  program_write("run.yaml", "system: {topology: two.yaml, file: two.xyz, box: none}\n"
                            "integrator: {word: BAOAB, timestep: 8 fs, steps: 100}\n"
                            "thermostat: {temperature: 120 K, friction: 5/ps}\n");
  for (int frozen = 0; frozen < 2; frozen++) {
    program_runs("check run.yaml --set \"freeze=%s\"", frozen ? "index 1" : "");
    const char *const line = strstr(program_output, "fastest unconstrained motion: W = ");
    ck_assert_ptr_nonnull(line);
    const double found = atof(line + strlen("fastest unconstrained motion: W = ")),
                 right = sqrt(curvature * 0.24 / (3.4 * 3.4) / 39.9 * (frozen ? 1.0 : 2.0));
    ck_assert_msg(fabs(found / right - 1.0) < 0.01, "%g, and %g is right", found, right);
    program_says(frozen ? "degrees of freedom: 3 of" : "degrees of freedom: 6 of");
  }
}

/* In a liquid where some molecules stand and some atoms of others do, both pressures have one mean. */
TEST(both_pressures_agree)
{
  program_write("chain.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {A: [3.4, 0.24]}\n"
                "molecules:\n  chain:\n    atoms: [[A, A, 0, 15], [A, A, 0, 15], [A, A, 0, 15]]\n"
                "    terms:\n      bond: [[1, 2, 3.4, 20], [2, 3, 3.4, 20]]\n    exclude: 2\n"
                "system: [[chain, 16]]\n");
  write_lattice("chain.xyz", "A", 0, 2 * HALF);
  program_write(
      "run.yaml",
      "system: {topology: chain.yaml, file: chain.xyz, box: file, minimise: true}\n"
      "freeze: molnum 3 or index 0 1 10 14\n"
      "forces: {cutoff: 7.5 A, coulomb: cutoff}\n"
      "integrator: {word: BAOAB, timestep: 4 fs, time: 200 ps}\n"
      "thermostat: {temperature: 300 K, friction: 5/ps}\n"
      "output: {thermo_every: 10, equilibration: 10 ps, report: false, progress: false, pressure: both}\n");
  program_runs("run run.yaml -o r --force");
  enum { BLOCKS = 25 };
  double mean = 0.0, squares = 0.0;
  ResultTable *t = program_table("r/thermo.csv");
  const size_t first = t->nrow / 20, each = (t->nrow - first) / BLOCKS;
  for (int b = 0; b < BLOCKS; b++) {
    double sum = 0.0;
    for (size_t i = first + (size_t)b * each; i < first + (size_t)(b + 1) * each; i++)
      sum += (tables_cell(t, i, "pressure") - tables_cell(t, i, "pressure_atom")) / (double)each;
    mean += sum / BLOCKS;
    squares += sum * sum / BLOCKS;
  }
  results_free_table(t);
  const double error = sqrt((squares - mean * mean) / (BLOCKS - 1)), scale = 300.0 * boltzmann / 4096.0 * bar;
  ck_assert_double_lt(error, scale); /* the pressure of one free atom */
  ck_assert_msg(fabs(mean) < 4.0 * error, "%g +- %g bar apart", mean, error);
  ck_assert_double_eq(program_summary("r", "freedom"), 3.0 * (48 - 6));
}

/* --- runs -------------------------------------------------------------------------------------------------
 */

TEST(equal_bits_whatever_cuts_a_run)
{
  write_box("");
  write_run("run.yaml", "both", "freeze: name A and index 3:9 or index 30\n");
  program_runs("run run.yaml -o whole --set integrator.steps=120 --set ensemble.threads=1");
  program_runs("run run.yaml -o two --set integrator.steps=120 --set ensemble.threads=2");
  program_runs("run run.yaml -o cut --set integrator.steps=45");
  program_runs("run run.yaml -o cut --resume --set integrator.steps=120");
  for (int i = 0; i < 2; i++) {
    program_same("whole", i ? "two" : "cut", "thermo.csv");
    program_same("whole", i ? "two" : "cut", "final.xyz");
  }
  ck_assert_int_eq(
      program_call("run run.yaml -o cut --resume --set integrator.steps=200 --set \"freeze=index 0\""), 2);
}

/* A minimisation leaves them where the file has them, and ends at small forces on all others. */
TEST(a_start_is_minimised_around_them)
{
  char path[4096], names[64];
  write_box("");
  write_run("run.yaml", "both", "freeze: index 0:9\n");
  snprintf(path, sizeof path, "%s/run.yaml", program_scratch);
  double *x[2];
  int n = 0;
  for (int i = 0; i < 2; i++) {
    hol_simulation *s;
    snprintf(names, sizeof names, "system.minimise=%s", i == 0 ? "false" : "true");
    const char *const set[] = {names, "system.minimise_tolerance=0.001", "system.minimise_steps=20000"};
    good(hol_open(&s, path, set, 3, &e));
    good(hol_start(s, &e));
    n = coordinates(s);
    x[i] = array_of(n);
    good(hol_get(s, HOL_POSITIONS, 0, x[i], &e));
    if (i == 1) {
      double *f = array_of(n), most[2] = {0.0};
      good(hol_get(s, HOL_FORCES, 0, f, &e));
      for (int k = 0; k < n; k++)
        most[k < 30] = fmax(most[k < 30], fabs(f[k]));
      ck_assert_double_lt(most[0], 0.0011);
      ck_assert_double_gt(most[1], 0.1);
      free(f);
    }
    hol_close(s);
  }
  for (int k = 0; k < n; k++)
    ck_assert_int_eq(x[0][k] == x[1][k], k < 30);
  free(x[0]);
  free(x[1]);
}

/* The default distances of a cluster are of all its waters, whichever of them are frozen. */
TEST(distances_count_frozen_molecules)
{
  static const char *const freeze[] = {"", "molnum 0", "molnum 1:2"};
  double count[3] = {0.0};
  program_write("w.yaml", cluster);
  for (int i = 0; i < 3; i++) {
    program_runs(
        "run w.yaml -o r --force --set \"freeze=%s\" --set integrator.time= --set integrator.steps=100 "
        "--set output.rdf_every=10 --set output.report=false",
        freeze[i]);
    ResultTable *t = program_table("r/rdf.csv");
    for (size_t row = 0; row < t->nrow; row++)
      count[i] += tables_cell(t, row, "count");
    results_free_table(t);
    ck_assert_double_gt(count[i], 0.0);
    ck_assert_double_eq(count[i], count[0]);
  }
}

TEST(what_does_not_go_is_refused)
{
  static const struct {
    const char *freeze, *more, *says;
  } cases[] = {
      {"name Z", "", "'name Z' selects no atom"},
      {"all", "", "selects all 48 atoms"},
      {"nme A", "", "freeze: column 1: 'nme' is not a word"},
      {"index 5", "--set barostat.type=monte-carlo --set barostat.pressure=1",
       "atoms that do not move cannot follow"},
      {"index 5", "--set output.viscosity_every=2", "viscosity needs a liquid that conserves its momentum"},
      {"index 5", "--set thermostat.remove=linear", "frozen atoms take up momentum"},
      {"index 5", "--set \"restraints=[{atoms: index 4:7, k: 3}]\"", "the atom of index 5 is frozen"},
  };
  write_box("");
  write_run("run.yaml", "both", "freeze: index 1\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program_refuses(cases[i].says, "run run.yaml -o no --set \"freeze=%s\" %s", cases[i].freeze,
                    cases[i].more);
    ck_assert(!program_exists("no"));
  }
  program_refuses("use freeze, a selection of atoms", "check run.yaml --set freezegrps=Wall");
  program_write("w.yaml", cluster);
  program_refuses("atom 1, O, is frozen and atom 2, H, is not, but a constraint or penalty ties them",
                  "check w.yaml --set \"freeze=name O\"");
  program_refuses("atom 1, O, is frozen and atom 2, H, is not", "check w.yaml --set \"freeze=name OW\"");
  program_refuses(
      "atom 1, O, is frozen and atom 3, H, is not",
      "check w.yaml --set \"freeze=index 3 4\" --set geometry.method=penalty --set geometry.w=30");
  program_refuses("a search of minima moves all molecules", "minima w.yaml");
  program_refuses(
      "minimises all molecules, but some atoms are frozen",
      "run w.yaml -o no --set output.isomers_every=100 --set integrator.time= --set integrator.steps=200");
}
