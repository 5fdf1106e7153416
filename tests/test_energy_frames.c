/* holonom energy of an input file: energies of a run's frames are the rows of its thermo.csv, forces their
 * slopes, whatever format the frames are in; and what is refused. */
#include "tests/made_molecules.h"
#include "tests/program.h"

/* --- butane in open space ---------------------------------------------------------------------------------
 */

static Made butane;

static void write_gro(const char *name, const double (*x)[3], double edge)
{
  FILE *file = program_create(name);
  fprintf(file, "made\n%d\n", butane.n);
  for (int i = 0; i < butane.n; i++)
    fprintf(file, "%5dBUT  %5s%5d%15.10f%15.10f%15.10f\n", 1,
            i < 4 ? (const char *const[]){"C1", "C2", "C3", "C4"}[i] : "H", i + 1, 0.1 * x[i][0],
            0.1 * x[i][1], 0.1 * x[i][2]);
  fprintf(file, "%.6f %.6f %.6f\n", 0.1 * edge, 0.1 * edge, 0.1 * edge);
  ck_assert_int_eq(fclose(file), 0);
}

static void begin_butane(void)
{
  make_butane(&butane);
  FILE *file = program_create("butane.yaml");
  fprintf(file,
          "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%s"
          "      torsion:\n        - [1, 2, 3, 4, 0, 1.4, 3]\nsystem:\n  - [butane, 1]\n",
          butane.text);
  ck_assert_int_eq(fclose(file), 0);
  for (int i = 0; i < 3 * butane.n; i++) /* off all equilibria */
    butane.x[i / 3][i % 3] += 0.03 * sin(3.0 * i);
  write_gro("butane.gro", (const double(*)[3])butane.x, 0.0);
  program_write("run.yaml",
                "system: {topology: butane.yaml, file: butane.gro}\n"
                "geometry: {constrain: none}\n"
                "integrator: {timestep: 0.5 fs, steps: 40}\n"
                "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                "output: {report: false, progress: false, trajectory: [gro, xyz, xtc, dcd" PROGRAM_H5MD
                "], trajectory_every: 10, thermo_every: 10, xtc_precision: 0.0001}\n");
}

static double potential(const char *options)
{
  program_runs("energy run.yaml %s", options);
  return program_number("potential");
}

/* Forces of butane into f[n][3]. */
static void read_forces(const char *name, double (*f)[3])
{
  const char *line = strchr(program_read(name), '\n') + 1;
  double x[3];
  for (int i = 0; i < butane.n; i++) {
    line = strchr(line, '\n') + 1;
    ck_assert_int_eq(
        sscanf(line, "%*s %lf %lf %lf %lf %lf %lf", &x[0], &x[1], &x[2], &f[i][0], &f[i][1], &f[i][2]), 6);
    for (int d = 0; d < 3; d++)
      ck_assert_double_lt(fabs(x[d] - butane.x[i][d]), 1e-8); /* nothing is moved */
  }
}

TEST(forces_are_the_slopes_of_energies)
{
  const double h = 1e-4;
  double f[ATOMS][3], sum = 0.0;
  begin_butane();
  potential("--forces f.xyz");
  static const char *const term[] = {"lj", "bond", "angle", "torsion"};
  for (int t = 0; t < 4; t++)
    sum += program_number(term[t]);
  ck_assert_double_lt(fabs(sum - program_number("potential")), 1e-12 * fabs(sum));
  read_forces("f.xyz", f);
  for (int k = 0; k < 6; k++) {
    const int i = 5 * k / 2, d = k % 3;
    double value[2];
    for (int side = 0; side < 2; side++) {
      butane.x[i][d] += side ? -2.0 * h : h;
      write_gro("moved.gro", (const double(*)[3])butane.x, 0.0);
      value[side] = potential("--set system.file=moved.gro");
    }
    butane.x[i][d] += h;
    ck_assert_double_lt(fabs((value[1] - value[0]) / (2.0 * h) - f[i][d]), 1e-4);
  }
}

/* Every column of energies.csv against the same one of a run, row by row. */
static void same_rows(const char *name, const char *run, double tolerance)
{
  ResultTable *ours = program_table(name), *theirs = program_table(run);
  int terms = 0;
  ck_assert_uint_eq(ours->nrow, theirs->nrow);
  ck_assert_uint_gt(ours->nrow, 3);
  for (int c = 0; c < ours->ncol; c++) {
    const ResultColumn *a = &ours->column[c], *b = results_column(theirs, a->name);
    if (strcmp(a->name, "frame") == 0)
      continue;
    ck_assert_msg(b != NULL, "%s", a->name);
    terms++;
    for (size_t row = 0; row < ours->nrow; row++)
      ck_assert_msg(isnan(a->value[row]) || fabs(a->value[row] - b->value[row]) <= tolerance,
                    "%s, row %zu: %.12g, not %.12g", a->name, row, a->value[row], b->value[row]);
  }
  ck_assert_int_gt(terms, 4);
  results_free_table(ours);
  results_free_table(theirs);
}

static const struct {
  const char *suffix;
  double tolerance; /* by the digits that coordinates have, forces up to 100 kcal/mol/A */
} format[] = {{"xyz", 1e-5}, {"gro", 2.0}, {"xtc", 0.05}, {"dcd", 2e-3}, {"h5md", 2e-3}};

TEST(frames_of_a_run_have_its_energies)
{
  begin_butane();
  program_runs("run run.yaml -o run --force");
  for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
    char name[64];
    snprintf(name, sizeof name, "run/trajectory.%s", format[i].suffix);
    if (!program_exists(name))
      continue;
    program_runs("energy run.yaml %s --csv %s.csv --forces %s.xyz", name, format[i].suffix, format[i].suffix);
    ck_assert_str_eq(program_output, "");
    snprintf(name, sizeof name, "%s.csv", format[i].suffix);
    same_rows(name, "run/thermo.csv", format[i].tolerance);
  }
  /* The table is the same where it goes to standard output; forces are there for each frame. */
  program_does("$P energy run.yaml run/trajectory.xyz >out.csv && cmp out.csv xyz.csv && "
               "test $(grep -c forces xyz.xyz) = 5");
}

/* Thousands of frames take their time. A kill leaves the part of the table, which the next call removes.
 */
TEST(a_signal_leaves_no_part_of_a_table)
{
  static const char *const end[] = {"-TERM $p; wait $p; test $? = 143",
                                    "-KILL $p; wait $p; test -e t.csv.holonom.part && $P energy run.yaml "
                                    "run/trajectory.xyz --csv t.csv && rm t.csv"};
  begin_butane();
  program_runs("run run.yaml -o run --force");
  program_do("cp run/trajectory.xyz t.xyz; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do cat t.xyz t.xyz >u "
             "&& mv u t.xyz; done");
  for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
    char line[512];
    snprintf(
        line, sizeof line,
        "$P energy run.yaml t.xyz --csv t.csv 2>/dev/null & p=$!; while ! test -e t.csv.holonom.part; do "
        "sleep 0.01; done; kill %s && test -z \"$(ls -d t.csv* 2>/dev/null)\"",
        end[i]);
    program_does("%s", line);
  }
  program_do("rm t.xyz");
}

/* What is kept has no energy of its own, and moves atoms only where that is asked for. */
TEST(kept_is_what_a_run_begins_with)
{
  begin_butane();
  const double all = potential("");
  const double some = potential("--set geometry.constrain=all-bonds");
  ck_assert_double_gt(all - some, 1.0);
  const double kept = potential("--set geometry.constrain=all-bonds --kept");
  ck_assert_double_gt(fabs(kept - some), 1e-3);
  program_runs("run run.yaml -o kept --set geometry.constrain=all-bonds");
  ResultTable *t = program_table("kept/thermo.csv");
  ck_assert_double_lt(fabs(results_column(t, "potential")->value[0] - kept), 1e-8 * fabs(kept));
  results_free_table(t);
}

/* --- water in boxes ---------------------------------------------------------------------------------------
 */

static void begin_water(void)
{
  program_write(
      "water.yaml",
      "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
      "types: {OW: {c12: 582000.0, c6: 595.0}, HW: [0, 0]}\n"
      "molecules:\n  SOL:\n    atoms:\n      - [OW, OW, -0.834, 15.9994]\n      - [HW1, HW, 0.417, 1.008]\n"
      "      - [HW2, HW, 0.417, 1.008]\n    constraints:\n      - [1, 2, 0.9572]\n      - [1, 3, 0.9572]\n"
      "      - [2, 3, 1.5139006545273224]\nsystem:\n  - [SOL, 216]\n");
  if (!program_exists("box.xyz"))
    program_runs("build --model tip3p --molecules 216 --equilibrate 0.2 --cutoff 7 -o box.xyz -q");
  program_write("run.yaml", "system: {topology: water.yaml, file: box.xyz, box: file}\n"
                            "forces: {cutoff: 7 A, accuracy: 0.01}\n"
                            "integrator: {timestep: 1 fs, steps: 20}\n"
                            "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                            "barostat: {pressure: 500 bar, type: monte-carlo, every: 1, shape: axes}\n"
                            "output: {thermo_every: 5, rdf_every: 0, report: false, progress: false, "
                            "trajectory: [xyz], trajectory_every: 5}\n");
}

/* Each frame in its own box. */
TEST(boxes_are_those_of_frames)
{
  begin_water();
  program_runs("run run.yaml -o run --force");
  ResultTable *t = program_table("run/thermo.csv");
  const double *a = results_column(t, "box_a")->value;
  ck_assert_double_gt(fabs(a[t->nrow - 1] - a[0]), 1e-3);
  results_free_table(t);
  program_runs("energy run.yaml run/trajectory.xyz --csv e.csv");
  /* Pairs in single precision are off by 6e-8 of some thousands of kcal/mol; in double, by what the file's
   * digits leave. */
  same_rows("e.csv", "run/thermo.csv", 5e-4);
  program_runs("run run.yaml -o exact --force --set precision=double");
  program_runs("energy run.yaml exact/trajectory.xyz --csv exact.csv --set precision=double");
  same_rows("exact.csv", "exact/thermo.csv", 1e-5);
  program_runs("energy run.yaml run/trajectory.xyz --csv team.csv --set ensemble.threads=2");
  program_do("cmp e.csv team.csv");
  /* Another box is another energy; the mesh of a much larger one is chosen for it. */
  program_runs("energy run.yaml box.xyz --box 30");
  const char *row = strchr(strchr(program_output, '\n') + 1, '\n') + 1;
  const double large = atof(strrchr(row, ',') + 1);
  ck_assert_int_eq(program_call("energy run.yaml --set system.file=wide.xyz"), 2);
  program_do("sed -E 's/Lattice=\"[^\"]*\"/Lattice=\"30 0 0 0 30 0 0 0 30\"/' box.xyz >wide.xyz");
  program_runs("energy run.yaml --set system.file=wide.xyz");
  ck_assert_double_lt(fabs(program_number("potential") - large), 1e-9 * fabs(large));
}

/* Waters that are just put beside each other may be nearer than single precision takes: double takes them,
 * and it is said. */
TEST(near_atoms_are_taken_in_double)
{
  begin_water();
  program_do(
      "awk 'NR == 3 {for (d = 2; d < 5; d++) o[d] = $d} NR == 6 {for (d = 2; d < 5; d++) s[d] = o[d] - "
      "$d; s[2] += 2.05} NR > 5 && NR < 9 {print $1, $2 + s[2], $3 + s[3], $4 + s[4]; next} {print}' "
      "box.xyz | sed 's/:velo:R:3//; 2s/vel.*A.ps//' >near.xyz; sed -i '3,$s/\\([A-Z]*\\) *\\([^ ]*\\) "
      "*\\([^ ]*\\) *\\([^ ]*\\).*/\\1 \\2 \\3 \\4/' near.xyz");
  program_runs("energy run.yaml --set system.file=near.xyz");
  program_says("double precision from frame 0 on");
  const double value = program_number("potential");
  program_runs("energy run.yaml --set system.file=near.xyz --set precision=double");
  ck_assert_ptr_null(strstr(program_output, "double precision"));
  ck_assert_double_lt(fabs(program_number("potential") - value), 1e-9 * fabs(value));
  program_runs("energy run.yaml");
  ck_assert_ptr_null(strstr(program_output, "double precision"));
}

/* Nothing stands for what is cut off where that is not wanted, whichever way the charges are summed. */
TEST(there_is_no_tail_where_none_is_wanted)
{
  static const char *const coulomb[] = {"pme", "ewald"};
  double value[2][2];
  begin_water();
  for (int i = 0; i < 4; i++) {
    program_runs("energy run.yaml --set forces.coulomb=%s --set forces.accuracy=1e-4 --set "
                 "forces.by=atom --set forces.tail=%s",
                 coulomb[i / 2], i % 2 ? "true" : "false");
    value[i / 2][i % 2] = program_number("potential");
    ck_assert_int_eq(program_number("lj_tail") < -10.0, i % 2);
  }
  for (int i = 0; i < 2; i++)
    ck_assert_double_lt(fabs(value[0][i] - value[1][i]), 1e-2);
}

/* --- what is refused --------------------------------------------------------------------------------------
 */

/* Exit code 2, these words, and no file. */
static void refused(const char *arguments, const char *words)
{
  program_refuses(words, "energy %s --csv no.csv --forces no.xyz", arguments);
  program_do("test -z \"$(ls -A | grep '^no\\.')\"");
}

TEST(wrong_frames_are_refused)
{
  begin_butane();
  program_runs("run run.yaml -o run --force");
  program_do(
      ": >empty.xyz; sed '2s/14/13/; 3d' butane.gro >fewer.gro; sed '3s/ C1/ C9/' butane.gro >other.gro; "
      "sed 's/0.000000 0.000000 0.000000/3 3 3/' butane.gro >boxed.gro; "
      "sed '3s/[0-9.-]* *$/nan/' run/trajectory.xyz >nan.xyz; "

      "(cat butane.gro; sed '2s/14/13/; 3d' butane.gro) >mixed.gro; "
      "head -c 300 run/trajectory.dcd >cut.dcd; head -c 60 run/trajectory.xtc >cut.xtc; "
      "sed '5,6s/ [-0-9.]*  *[-0-9.]*  *[-0-9.]*$/   0.1000000000   0.1000000000   0.1000000000/' "
      "butane.gro >same.gro");
  refused("run.yaml absent.xyz", "absent.xyz");
  refused("run.yaml empty.xyz", "empty");
  refused("run.yaml run.yaml", "run.yaml");
  refused("run.yaml fewer.gro", "fewer.gro has only 13 of the 14 atoms");
  refused("run.yaml other.gro", "atom 1 is 'C9', where butane.yaml has C1, of molecule 1 (butane)");
  refused("run.yaml boxed.gro", "has a box");
  refused("run.yaml nan.xyz", "nan");
  refused("run.yaml mixed.gro", "13 atoms");
  refused("run.yaml cut.dcd", "cut.dcd");
  refused("run.yaml cut.xtc", "cut.xtc");
  refused("run.yaml same.gro", "same.gro");
  refused("run.yaml run/trajectory.xyz --ewald", "has no meaning with an input file");
  refused("run.yaml --box 30", "--box needs a trajectory");
  refused("run.yaml butane.gro butane.gro", "");
  refused("absent.yaml butane.gro", "absent.yaml");
  refused("butane.yaml butane.gro", "butane.yaml");
  program_refuses("needs an input file", "energy butane.gro run/trajectory.xyz");
  program_runs("energy run.yaml boxed.gro --set system.box=none");
  /* Files are not written over, and none that is read. */
  program_do("cp butane.gro copy.gro; echo old >old.csv");
  ck_assert_int_eq(program_call("energy run.yaml copy.gro --forces copy.gro --force"), 2);
  ck_assert_int_eq(program_call("energy run.yaml copy.gro --csv run.yaml --force"), 2);
  ck_assert_int_eq(program_call("energy run.yaml copy.gro --csv old.csv"), 2);
  program_do("cmp butane.gro copy.gro; grep -q old old.csv");
  program_runs("energy run.yaml copy.gro --csv old.csv --force");
  program_do("grep -q potential old.csv");
  ck_assert_int_eq(program_call("energy run.yaml copy.gro --csv none/e.csv"), 2);
  ck_assert_int_eq(program_call("energy run.yaml copy.gro --forces none/f.xyz"), 2);
  /* The last frame of a run that was killed. */
  program_do("head -c -30 run/trajectory.xyz >killed.xyz");
  program_runs("energy run.yaml killed.xyz --csv killed.csv");
  program_says("cut short");
  ResultTable *t = program_table("killed.csv");
  ck_assert_uint_eq(t->nrow, 4);
  results_free_table(t);
}

TEST(wrong_boxes_are_refused)
{
  begin_water();
  program_do("sed -E 's/Lattice=\"[^\"]*\"//; s/pbc=\"[^\"]*\"//' box.xyz >open.xyz; "
             "sed -E 's/Lattice=\"[^\"]*\"/Lattice=\"13 0 0 0 13 0 0 0 13\"/' box.xyz >small.xyz; "
             "(cat box.xyz; cat small.xyz) >shrinks.xyz");
  refused("run.yaml open.xyz", "open.xyz");
  refused("run.yaml small.xyz", "cutoff");
  refused("run.yaml shrinks.xyz", "frame 1");
  program_runs("energy run.yaml open.xyz --box 19");
  program_write("built.yaml", "system: {model: tip3p, molecules: 8, box: 20 A}\n"
                              "geometry: {method: rattle}\n"
                              "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                              "integrator: {timestep: 1 fs, steps: 20}\nforces: {cutoff: 7 A}\n");
  refused("built.yaml", "has no coordinates for energies");
  refused("built.yaml box.xyz", "the system has 8");
}
