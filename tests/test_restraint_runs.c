/* Runs with position restraints: what free atoms on springs hold, starts that are minimised, boxes that
 * change, runs that go on, and what is refused. */
#include "tests/program.h"
#include "tests/tables.h"

enum { EDGE = 4, NUMBER = EDGE * EDGE * EDGE };
static const double kT = 300.0 * 0.001987204;

/* Atoms on a lattice, `epsilon` of their pairs; positions to thousandths of a nanometre, moved by `off` A. */
static void write_atoms(const char *name, double off)
{
  FILE *file = program_create(name);
  fprintf(file, "atoms\n%d\n", NUMBER);
  for (int i = 0; i < NUMBER; i++)
    fprintf(file, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", i + 1, "X", "X", i + 1, 0.5 * (i % EDGE) + 0.1 * off,
            0.5 * (i / EDGE % EDGE), 0.5 * (i / EDGE / EDGE));
  fprintf(file, "%8.4f%8.4f%8.4f\n", 2.0, 2.0, 2.0);
  ck_assert_int_eq(fclose(file), 0);
}

static void begin(const char *epsilon, const char *settings)
{
  char text[2048];
  snprintf(text, sizeof text,
           "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, %s]}\nmolecules:\n  x:\n"
           "    atoms: [[X, X, 0, 39.9]]\nsystem:\n  - [x, %d]\n",
           epsilon, NUMBER);
  program_write("x.yaml", text);
  write_atoms("x.gro", 0.0);
  snprintf(text, sizeof text,
           "system: {topology: x.yaml, file: x.gro, minimise: false}\n%s"
           "thermostat: {temperature: 300 K, friction: 5/ps}\n"
           "output: {thermo_every: 20, report: false, progress: false}\n",
           settings);
  program_write("run.yaml", text);
}

static const char in_open_space[] =
    "integrator: {word: BAOAB, timestep: 4 fs, time: 60 ps}\nensemble: {replicas: 8}\n";
static const char in_a_box[] =
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 200}\nforces: {cutoff: 8 A, coulomb: cutoff}\n"
    "barostat: {type: monte-carlo, pressure: 100 bar, every: 10}\n";

/* Of a ball with a flat bottom: int (r - flat)^2 r^2 exp / int r^2 exp. */
static double mean_of_ball(double k, double flat)
{
  double all = 0.0, sum = 0.0;
  for (double r = 0.0005; r < flat + 20.0 * sqrt(kT / k); r += 0.001) {
    const double depth = fmax(0.0, r - flat), v = 0.5 * k * depth * depth, weight = r * r * exp(-v / kT);
    all += weight;
    sum += weight * v;
  }
  return sum / all;
}

/* 3/2 kT an atom whatever the springs, and by quadrature with a flat bottom; all momenta are free. */
TEST(free_atoms_hold_what_springs_do, .rows = 3)
{
  static const struct {
    const char *restraint;
    double flat, k;
  } cases[] = {{"[{atoms: all, k: [2, 5, 10]}]", 0.0, 1.0},
               {"[{atoms: all, k: 4, flat: 0.5 A}]", 0.5, 4.0},
               {"[{atoms: index 0:31, k: 400 kJ/mol/nm^2}, {atoms: index 32:63, k: 3}]", 0.0, 1.0}};
  begin("0", in_open_space);
  ck_assert_double_eq_tol(mean_of_ball(1.0, 0.0), 1.5 * kT, 1e-6);
  program_runs("run run.yaml -o r --force --set system.box=none --set \"output.equilibration=5 ps\" "
               "--set thermostat.type=%s --set \"restraints=%s\"",
               _i == 2 ? "rescale" : "langevin", cases[_i].restraint);
  const double mean = program_summary("r", "restraint"), error = program_summary("r", "restraint_err"),
               right = NUMBER * mean_of_ball(cases[_i].k, cases[_i].flat);
  ck_assert_double_lt(error, 0.01 * right);
  ck_assert_msg(fabs(mean - right) < 4.0 * error, "%g +- %g, and %g is right", mean, error, right);
  ck_assert_double_eq(program_summary("r", "freedom"), 3.0 * NUMBER);
  ck_assert_double_eq(program_summary("r", "potential"), mean); /* all that there is */
}

/* Along each axis, two walls at a distance d: Z = d + s, s^2 = 2 pi kT/k, and a mean of s/Z kT/2. An atom may
 * have walls along several axes, and built clusters need no points. */
TEST(free_atoms_hold_what_walls_do)
{
  const double s = sqrt(2.0 * M_PI * kT / 1.5), right = NUMBER * 3.0 * 0.5 * kT * s / (s + 3.0);
  static const char walls[] = "{atoms: all, k: 1.5, axis: %c, above: 9 A, below: 6 A}%s";
  char all[512] = "";
  for (int d = 0; d < 3; d++)
    (void)snprintf(all + strlen(all), sizeof all - strlen(all), walls, "xyz"[d], d < 2 ? ", " : "");
  begin("0", in_open_space);
  program_runs("run run.yaml -o r --force --set system.box=none --set \"output.equilibration=10 ps\" --set "
               "\"restraints=[%s]\"",
               all);
  const double mean = program_summary("r", "restraint"), error = program_summary("r", "restraint_err");
  ck_assert_double_lt(error, 0.02 * right);
  ck_assert_msg(fabs(mean - right) < 4.0 * error, "%g +- %g, and %g is right", mean, error, right);
  ck_assert_double_eq(program_summary("r", "freedom"), 3.0 * NUMBER);
  program_write("water.yaml", "system: {model: tip3p, molecules: 3}\ngeometry: {method: settle}\n"
                              "integrator: {word: BAOAB, timestep: 1 fs, steps: 3}\n"
                              "thermostat: {temperature: 9 K, friction: 1/ps}\noutput: {thermo_every: 1}\n");
  program_runs("run water.yaml -o w --force --set \"restraints=[{atoms: name O, k: 1, above: 0 A}]\"");
  ResultTable *t = program_table("w/thermo.csv");
  ck_assert_double_gt(tables_cell(t, t->nrow - 1, "restraint"), 0.1);
  results_free_table(t);
}

/* Depths of atoms at 0, 5, 10 and 15 A, also at nearest images; a named one has its k as a parameter. */
TEST(walls_have_depths)
{
  static const struct {
    const char *box, *walls;
    double energy;
  } rows[] = {{"none", "axis: x, above: 4 A", 1.0 + 36.0 + 121.0},
              {"none", "axis: x, below: 4 A", 16.0},
              {"none", "axis: x, above: 9 A, below: 1 A", 1.0 + 1.0 + 36.0},
              {"none", "axis: y, above: 4 A", 0.0},
              {"file", "axis: x, above: 8 A, below: 1 A", 1.0 + 4.0 + 36.0},
              {"file", "axis: x, above: 48 A, below: 41 A", 1.0 + 4.0 + 36.0},
              {"file", "name: slab, axis: x, above: 8 A, below: 1 A", 1.0 + 4.0 + 36.0},
              {"file", "above: 3 A, below: -1 A", 0.0}};
  begin("0", in_open_space);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    program_runs("energy run.yaml --set system.box=%s %s --set \"restraints=[{atoms: index 0:3, k: 2, %s}]\"",
                 rows[i].box, strcmp(rows[i].box, "file") == 0 ? "--set \"forces.cutoff=8 A\"" : "",
                 rows[i].walls);
    ck_assert_double_eq_tol(program_number("restraint"), rows[i].energy, 1e-9);
  }
  program_runs("check run.yaml --set system.box=none --set \"restraints=[{atoms: all, k: 2, axis: x, above: "
               "8 A, below: 1 "
               "A}]\"");
  program_says("restraint 1: 64 atoms, k = 2 kcal/mol/A^2 above x = 8 A and below x = 1 A");
}

static void agrees(const char *name, double right)
{
  char err[64];
  (void)snprintf(err, sizeof err, "%s_err", name);
  const double mean = program_summary("r", name), error = program_summary("r", err);
  ck_assert_double_lt(error, 0.15 * right);
  ck_assert_msg(fabs(mean - right) < 4.0 * error, "%s: %g +- %g, and %g is right", name, mean, error, right);
}

/* A spring on a position has kT/2, for an atom or a centre of mass, in a box also next to a face that the
 * atom crosses. */
TEST(positions_hold_what_springs_do, .rows = 3)
{
  static const struct {
    const char *box, *spring;
  } rows[] = {{"none", "atoms: index 0:3, axis: x, k: 5, centre: -2 A"},
              {"file", "atoms: index 5, axis: y, k: 1, centre: 19.9 A"},
              {"file", "atoms: index 5, k: 2, centre: -40.2 A"}};
  begin("0", in_open_space);
  program_runs("run run.yaml -o r --force --set system.box=%s %s --set \"output.equilibration=5 ps\" "
               "--set \"restraints=[{coordinate: position, %s}]\"",
               rows[_i].box, _i > 0 ? "--set \"forces.cutoff=8 A\"" : "", rows[_i].spring);
  agrees("coordinate_restraint", 0.5 * kT);
}

/* Two free atoms with springs on their distance and on their contact: by quadrature over the distance. */
TEST(contacts_hold_what_springs_do, .rows = 2)
{
  static const char *const powers[] = {"", ", powers: [4, 10]"};
  const int n = _i == 0 ? 6 : 4, m = _i == 0 ? 12 : 10;
  double all = 0.0, contact = 0.0, energy = 0.0;
  for (double r = 0.0005; r < 12.0; r += 0.001) {
    const double u = r / 4.3, s = (1.0 - pow(u, n)) / (1.0 - pow(u, m)),
                 v = 0.5 * 0.8 * (r - 4.0) * (r - 4.0) + 0.5 * 20.0 * (s - 0.2) * (s - 0.2),
                 weight = r * r * exp(-v / kT);
    all += weight;
    contact += weight * s;
    energy += weight * v;
  }
  begin("0", in_open_space);
  program_runs(
      "run run.yaml -o r --force --set system.box=none --set ensemble.replicas=24 --set "
      "\"output.equilibration=5 ps\" --set "
      "\"output.coordination=[{name: pair, atoms: [index 0, index 1], radius: 4.3 A%s}]\" --set "
      "\"restraints=[{coordinate: distance, atoms: [index 0, index 1], k: 0.8, centre: 4 A}, "
      "{coordinate: coordination, atoms: [index 0, index 1], k: 20, centre: 0.2, radius: 4.3 A%s}]\"",
      powers[_i], powers[_i]);
  agrees("coordinate_restraint", energy / all);
  agrees("coordination_pair", contact / all);
}

/* Two atoms deviate from a reference by half of the change of their distance: by quadrature. Atoms 0 and 1
 * are 5 A apart in the file. */
TEST(deviations_hold_what_springs_do)
{
  double all = 0.0, deviation = 0.0, energy = 0.0;
  for (double r = 0.0005; r < 15.0; r += 0.001) {
    const double d = 0.5 * fabs(r - 5.0), v = 0.5 * 6.0 * (d - 0.4) * (d - 0.4),
                 weight = r * r * exp(-v / kT);
    all += weight;
    deviation += weight * d;
    energy += weight * v;
  }
  begin("0", in_open_space);
  program_runs("run run.yaml -o r --force --set system.box=none --set ensemble.replicas=24 --set "
               "\"output.equilibration=5 ps\" --set \"output.rmsd=[{name: pair, atoms: index 0 1}]\" --set "
               "\"restraints=[{coordinate: rmsd, atoms: index 0 1, k: 6, centre: 0.4 A, file: x.gro}]\"");
  agrees("coordinate_restraint", energy / all);
  agrees("rmsd_pair", deviation / all);
}

/* Atoms that attract each other move by less, the stiffer their springs; points are where the file has them.
 */
TEST(a_start_is_minimised_on_its_springs)
{
  double moved[3];
  static const char *const k[] = {"1e-4", "10", "1e4"};
  begin("3", in_open_space);
  for (int i = 0; i < 3; i++) {
    char dir[16], name[32];
    snprintf(dir, sizeof dir, "m%d", i);
    snprintf(name, sizeof name, "%s/thermo.csv", dir);
    program_runs("run run.yaml -o %s --set system.box=none --set integrator.time= --set "
                 "integrator.steps=20 --set ensemble.replicas=1 --set system.minimise=true "
                 "--set \"restraints=[{atoms: all, k: %s}]\"",
                 dir, k[i]);
    ResultTable *t = program_table(name);
    moved[i] = sqrt(2.0 * tables_cell(t, 0, "restraint") / atof(k[i]) / NUMBER);
    results_free_table(t);
  }
  ck_assert_double_gt(moved[0], 0.5);
  ck_assert_double_lt(moved[1], 0.5 * moved[0]);
  ck_assert_double_lt(moved[2], 0.01);
  ck_assert_double_gt(moved[2], 0.0);
}

/* Points of a file of their own, whatever its box; by default the start. */
TEST(points_are_those_of_the_file)
{
  begin("0", in_open_space);
  write_atoms("away.gro", 1.5);
  program_runs("energy run.yaml --set system.box=none --set \"restraints=[{atoms: index 3, "
               "k: [2, 7, 7]}, {atoms: index 0:1, k: 2, file: away.gro}]\"");
  ck_assert_double_eq_tol(program_number("restraint"), 2.0 * 0.5 * 2.0 * 1.5 * 1.5, 1e-9);
  program_runs("energy run.yaml --set system.box=file --set \"forces.cutoff=8 A\" --set "
               "\"restraints=[{atoms: all, k: 2, "
               "file: away.gro, molecule: x, scale: none}]\"");
  ck_assert_double_eq_tol(program_number("restraint"), NUMBER * 0.5 * 2.0 * 1.5 * 1.5, 1e-9);
}

/* A box that changes, cut and gone on with, by threads: equal bits. Other points are another run; walls have
 * none. */
TEST(equal_bits_whatever_cuts_a_run, .rows = 4)
{
  static const char set[] = "--set system.box=file --set \"restraints=[{atoms: index 5:40, %s}]\"";
  static const char *const scale[] = {
      "k: [3, 4, 5], scale: centres", "k: [3, 4, 5], scale: none", "k: [3, 4, 5], scale: all",
      "k: 2, above: 9 A, below: 3 A}, {atoms: all, k: 1, axis: y, above: 12 A, below: 2 A"};
  char with[256];
  snprintf(with, sizeof with, set, scale[_i]);
  begin("0.24", in_a_box);
  program_runs("run run.yaml -o whole --force --set ensemble.threads=1 %s", with);
  program_runs("run run.yaml -o two --force --set ensemble.threads=2 %s", with);
  program_runs("run run.yaml -o cut --force --set integrator.steps=90 %s", with);
  program_runs("run run.yaml -o cut --resume %s", with);
  for (int i = 0; i < 2; i++) {
    program_same("whole", i ? "two" : "cut", "thermo.csv");
    program_same("whole", i ? "two" : "cut", "final.xyz");
  }
  ResultTable *t = program_table("whole/thermo.csv");
  ck_assert_double_gt(tables_cell(t, t->nrow - 1, "restraint"), 1.0);
  ck_assert(tables_cell(t, 0, "volume") != tables_cell(t, t->nrow - 1, "volume"));
  results_free_table(t);
  write_atoms("x.gro", 0.02);
  ck_assert_int_eq(program_call("run run.yaml -o cut --resume --set integrator.steps=300 %s", with),
                   _i < 3 ? 2 : 0);
}

/* Exchanges of temperatures count them: without, all would be accepted. */
TEST(exchanges_know_of_them)
{
  begin("0", in_open_space);
  program_runs(
      "run run.yaml -o x --set system.box=none --set ensemble.replicas= --set thermostat.temperature= "
      "--set \"exchange.temperatures=[250 K, 300 K]\" --set exchange.ladders=4 --set "
      "exchange.interval=20 "
      "--set \"restraints=[{atoms: all, k: 4}]\"");
  const char *const line = strstr(program_read("x/summary.yaml"), " acceptance: ");
  ck_assert_ptr_nonnull(line);
  const double acceptance = atof(line + strlen(" acceptance: "));
  ck_assert_msg(acceptance > 0.05 && acceptance < 0.6, "%g", acceptance);
}

TEST(what_does_not_go_is_refused)
{
  static const struct {
    const char *restraints, *more, *says;
  } cases[] = {
      {"[{atoms: all}]", "", "restraints[1].k: is missing"},
      {"[{k: 1}]", "", "restraints[1].atoms: is missing"},
      {"[{atoms: all, k: 0}]", "", "wanted: a positive number"},
      {"[{atoms: all, k: -1}]", "", "restraints[1].k"},
      {"[{atoms: all, k: nan}]", "", "restraints[1].k"},
      {"[{atoms: all, k: 1e400}]", "", "restraints[1].k"},
      {"[{atoms: all, k: [1, 2]}]", "", "2 numbers; wanted: one, or three"},
      {"[{atoms: all, k: []}]", "", "restraints[1].k"},
      {"[{atoms: all, k: 1 fs}]", "", "restraints[1].k"},
      {"[{atoms: all, k: [1, 2, 1], flat: 1 A}]", "", "a flat bottom needs the same k"},
      {"[{atoms: all, k: 1, flat: -1}]", "", "restraints[1].flat"},
      {"[{atoms: all, k: 1, scale: com}]", "", "centres"},
      {"[{atoms: all, k: 1, force: 2}]", "", "force"},
      {"[{atoms: name Y, k: 1}]", "", "selects no atom"},
      {"[{atoms: nme X, k: 1}]", "", "restraints[1].atoms"},
      {"[{atoms: [], k: 1}]", "", "restraints[1].atoms"},
      {"[{atoms: all, molecule: y, k: 1}]", "", "there is no molecule 'y'"},
      {"[{atoms: all, k: 1, above: 1, below: 1}]", "", "atoms have no room between the walls"},
      {"[{atoms: all, k: 1, above: 1, flat: 1}]", "", "applies to points, and not to walls"},
      {"[{atoms: all, k: 1, above: 1, file: x.gro}]", "", "applies to points, and not to walls"},
      {"[{atoms: all, k: [0, 0, 1], above: 1}]", "", "walls have one"},
      {"[{atoms: all, k: 0, above: 1}]", "", "wanted: a positive number"},
      {"[{coordinate: position, atoms: all, k: 1, centre: 2, above: 1}]", "", "walls act on each atom"},
      {"[{atoms: all, k: 1, axis: x}]", "", "applies only to positions, heights and walls"},
      {"[{atoms: all, k: 1}, {atoms: index 3, k: 1}]", "", "index 3 is also restrained by record 1"},
      {"[{atoms: all, k: 1, file: none.gro}]", "", "none.gro"},
      {"[{atoms: all, k: 1, file: other.gro}]", "", "other.gro has only 1 "},
      {"[{atoms: all, k: 1, file: run.yaml}]", "", "run.yaml"},
      {"[{atoms: all, k: 1}]", "--set thermostat.remove=linear", "momentum is not conserved"},
      {"[{atoms: all, k: 1e9}]", "", "unstable for time steps of"}};
  begin("0", in_open_space);
  program_write("other.gro", "one\n1\n    1X        X    1   0.000   0.000   0.000\n2 2 2\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program_refuses(cases[i].says, "run run.yaml -o no --set system.box=none --set \"restraints=%s\" %s",
                    cases[i].restraints, cases[i].more);
    ck_assert(!program_exists("no"));
  }
  static const char boxed[] = "run run.yaml -o no --set \"system.box=%s\" --set \"forces.cutoff=8 A\" "
                              "--set \"restraints=[{atoms: all, k: 1, %s}]\"";
  program_refuses("one wall cannot confine atoms", boxed, "file", "below: 2 A");
  program_refuses("the box repeats after 20 A", boxed, "file", "above: 21 A, below: 1 A");
  program_refuses(
      "an oblique box has no period",
      "run run.yaml -o no --set system.box=file --set \"forces.cutoff=8 A\" --set "
      "barostat.type=monte-carlo --set \"barostat.pressure=1 bar\" --set barostat.shape=cell --set "
      "\"restraints=[{atoms: all, k: 1, axis: x, above: 9 A, below: 1 A}]\"");
  ck_assert_int_eq(program_call("run ../none.yaml -o no"), 2);
  FILE *file = program_create("each.xyz");
  for (int i = 0; i < 8 * NUMBER; i++)
    fprintf(file, "%sX %d %d %d\n", i % NUMBER == 0 ? "64\nx\n" : "", 5 * (i % EDGE), 5 * (i / EDGE % EDGE),
            5 * (i / EDGE / EDGE % EDGE) + i / NUMBER);
  ck_assert_int_eq(fclose(file), 0);
  static const char each[] = "run run.yaml -o %s --set system.box=none --set system.file=each.xyz "
                             "--set system.frame=%s --set integrator.steps=4 --set \"restraints=%s\"";
  program_refuses("restraints[1].file", each, "no", "each", "[{atoms: all, k: 1}]");
  program_says("8 replicas start from their own frames");
  program_runs(each, "file", "each", "[{atoms: all, k: 1, file: x.gro}]");
  program_runs(each, "last", "last", "[{atoms: all, k: 1}]");
  program_write("water.yaml", "system: {model: tip3p, molecules: 3}\ngeometry: {method: settle}\n"
                              "integrator: {word: BAOAB, timestep: 1 fs, steps: 3}\n"
                              "thermostat: {temperature: 9 K, friction: 1/ps}\n");
  program_refuses("a built cluster is at the origin",
                  "run water.yaml -o no --set \"restraints=[{atoms: all, k: 1, file: x.gro}]\"");
  program_refuses(
      "restraints[1].file: is missing",
      "run water.yaml -o no --set \"system.box=10 A\" --set \"forces.cutoff=4 A\" --set system.molecules=20 "
      "--set \"restraints=[{atoms: all, k: 1}]\"");
}

/* A built start is a minimum of the input's restraints, whatever values single replicas have, and is used
 * again only with the same restraints. */
TEST(a_built_start_belongs_to_its_restraints)
{
  static const struct {
    const char *centre, *more;
    bool again;
  } rows[] = {{"4 A", "", false},
              {"4 A", "", true},
              {"6 A", "", false},
              {"3 A", "--set \"ensemble.parameters={d.centre: [3, 9, 9, 9, 9, 9, 9, 9]}\"", false}};
  program_write("pair.yaml", "system: {model: tip3p, molecules: 2}\ngeometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 1}\n"
                             "thermostat: {temperature: 9 K, friction: 1/ps}\nensemble: {replicas: 8}\n"
                             "output: {report: false, thermo_every: 1, equilibration: 0}\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    program_runs(
        "run pair.yaml -o pair --force --quiet %s --set \"restraints=[{name: d, coordinate: distance, "
        "atoms: [name O and resid 1, name O and resid 2], k: 1000, centre: %s}]\"",
        rows[i].more, rows[i].centre);
    const int found = program_shell("grep -q '^start: built from the same system' pair/holonom.log");
    ck_assert_int_eq(found == 0, rows[i].again);
    program_do("grep -q '^start: .*; -[0-9.]* kcal/mol, largest force [0-9.]*e-' pair/holonom.log");
  }
}
