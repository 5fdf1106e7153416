/* What a beginner does at the doors of runs of molecules: files in the wrong order, units mistaken, files
 * edited or moved, runs gone on with otherwise. Each is told what is wrong and what to do, nothing is written
 * over. */
#include "tests/chain_of_four.h"
#include "tests/program.h"

static const char quick[] =
    "--quiet --set integrator.time= --set integrator.steps=20 --set output.equilibration=0 "
    "--set ensemble.replicas=1 --set output.thermo_every=5";

TEST(files_have_an_order)
{
  begin_chain();
  program_refuses("the input file must come first: holonom energy run.yaml chain.gro",
                  "energy chain.gro run.yaml");
  program_refuses("run.yaml: the input file must come before the trajectories",
                  "observe torsions chain.gro run.yaml");
  program_refuses("the name of an observable must come first, as in 'rdf run.yaml'",
                  "observe run.yaml chain.gro");
  program_refuses("is not an input file but a file of molecules", "run chain.yaml");
  program_refuses("is not an input file but a file of coordinates", "check chain.gro");
}

TEST(lengths_are_in_angstrom)
{
  program_refuses("--size: the shortest side of 3 A",
                  "build --model tip3p --molecules 100 --size 3 -o b.gro");
  program_says("lengths are in A, 10 A to a nm");
  program_refuses("--molecules: the shortest side of", "build --model tip3p --molecules 40 -o b.gro");
  ck_assert(!program_exists("b.gro"));
}

/* How often the last command said it. */
static int times_said(const char *what)
{
  int n = 0;
  for (const char *at = program_output; (at = strstr(at, what)) != NULL; at += strlen(what))
    n++;
  return n;
}

/* The first bare number of an input is named, with what it is, once, by check and run. */
TEST(bare_numbers_are_remarked_on_once)
{
  static const char input[] =
      "system: {model: tip3p, molecules: 2, anneal: false%s}\ngeometry: {method: settle}\n"
      "integrator: {word: BAOAB, timestep: %s, steps: 10}\n"
      "thermostat: {temperature: %s, friction: 0.1}\noutput: {thermo_every: 5, equilibration: 0, report: "
      "false}\n";
  static const struct {
    const char *wall, *step, *temperature, *says;
  } rows[] = {{"", "0.002", "300", "integrator.timestep: 0.002 has no unit and is taken as 0.0977764 fs"},
              {"", "2 fs", "300", "thermostat.temperature: 300 has no unit and is taken as 300 K"},
              {", wall: {radius: 9}", "0.002", "300 K", "radius: 9 has no unit and is taken as 9 A"},
              {", wall: {radius: 0}", "2 fs", "300 K", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    FILE *file = program_create("bare.yaml");
    fprintf(file, input, rows[i].wall, rows[i].step, rows[i].temperature);
    ck_assert_int_eq(fclose(file), 0);
    for (int k = 0; k < 2; k++) {
      program_runs(k == 0 ? "check bare.yaml --all" : "run bare.yaml -o bare --force");
      ck_assert_int_eq(times_said("has no unit"), rows[i].says != NULL);
      if (rows[i].says != NULL)
        program_says(rows[i].says);
    }
  }
  /* The folder's own input, whose defaults are bare. */
  program_runs("check bare/input.yaml");
  ck_assert_int_eq(times_said("has no unit"), 0);
}

TEST(what_a_run_was_begun_with_is_told)
{
  begin_chain();
  program_runs("run run.yaml -o run %s --set thermostat.temperature=310", quick);
  program_refuses("Continue it as it was begun: --set 'thermostat.temperature=310'",
                  "run run.yaml -o run --resume %s", quick);
  program_runs("run run.yaml -o run --resume %s --set thermostat.temperature=310 --set "
               "integrator.steps=40",
               quick);
  program_refuses("run contains", "run run.yaml -o run %s", quick);
  program_do("sed -i 's/1.6, 500/1.61, 500/' chain.yaml");
  program_refuses("; the files of its molecules have changed",
                  "run run.yaml -o run --resume %s --set thermostat.temperature=310", quick);
}

TEST(files_are_edited_and_moved)
{
  static const struct {
    const char *edit, *says;
  } edits[] = {{"sed 's/torsion:/torsoin:/' chain.yaml > c && mv c chain.yaml", "torsion"},
               {"sed 's/, 40\\]/, x40]/' chain.yaml > c && mv c chain.yaml", "x40"},
               {"sed 's/\\[chain, 1\\]/[chian, 1]/' chain.yaml > c && mv c chain.yaml", "chain"},
               {"sed '4s/.\\{15\\}$/            nan/' chain.gro > c && mv c chain.gro", "line 4"},
               {"head -n 5 chain.gro > c && mv c chain.gro", "chain.gro"},
               {"rm chain.gro", "paths are relative to the input file's folder"},
               {"mkdir -p away && mv chain.yaml away", "chain.yaml"}};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    begin_chain();
    program_do("%s", edits[i].edit);
    program_refuses(edits[i].says, "run run.yaml -o bad %s", quick);
    ck_assert(!program_exists("bad"));
  }
}

TEST(results_go_into_a_folder_of_their_own)
{
  begin_chain();
  for (int i = 0; i < 2; i++)
    program_runs("run run.yaml -o one%d %s --set seed=%d", i, quick, i + 1);
  program_runs("compare one0 one1");
  program_says("compare.out/compare.html");
  ck_assert(program_exists("compare.out/compare.html") && !program_exists("compare.html"));
  program_refuses("overwrite it with --force", "compare one0 one1");
}

/* Restraints and groups stand in the log and in the summary. */
TEST(a_log_tells_groups_and_restraints)
{
  begin_chain();
  program_runs("run run.yaml -o held %s --set \"restraints=[{atoms: name A D, k: 2.5, flat: 0.5}]\"", quick);
  program_do(
      "grep -q '^groups: 1 of 1 kinds, with 5 constraints; 87.5 %% of the lanes are empty (.*: 1 in 8)' "
      "held/holonom.log");
  program_do(
      "grep -q '^restraint 1: 2 atoms, k = 2.5 kcal/mol/A.2 beyond 0.5 A from the positions in chain.gro' "
      "held/holonom.log");
  ck_assert_double_eq(program_summary("held", "groups"), 1.0);
  ck_assert_double_eq(program_summary("held", "group_kinds"), 1.0);
  ck_assert_double_eq_tol(program_summary("held", "empty_lanes"), 0.875, 1e-12);
  ck_assert_double_eq(program_summary("held", "restrained_atoms"), 2.0);
  program_refuses("", "run run.yaml -o bad %s --set \"restraints=[{atoms: name Q, k: 2.5}]\"", quick);
  ck_assert(!program_exists("bad"));
}

/* Of TIP5P the two ways: as a model, whose kernel is in double, and as a molecule of a file, which has none.
 */
TEST(a_log_tells_what_five_sites_cost)
{
  static const char run[] = "forces: {cutoff: 9 A}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 2}\n"
                            "thermostat: {temperature: 300 K, friction: 1/ps}\nprecision: mixed\n"
                            "output: {report: false, progress: false}\n";
  static const char *const model[] = {"tip5p", "tip4p"};
  for (int i = 0; i < 2; i++) {
    FILE *file = program_create("five.yaml");
    fprintf(file,
            "system: {model: %s, molecules: 216, density: 0.98 g/cm3, minimise: false}\ngeometry: {method: "
            "settle}\n%s",
            model[i], run);
    ck_assert_int_eq(fclose(file), 0);
    program_runs("run five.yaml -o five --force --quiet");
    ck_assert_int_eq(program_shell("grep -q '^note: the sites of tip5p are not planar' five/holonom.log"), i);
  }
  program_write(
      "tip5p.yaml",
      "format: holonom-molecules 1\nrule: geometric\ntypes: {OW: [3.12, 0.16], N: [0, 0]}\n"
      "molecules:\n  water:\n    atoms:\n      - [OW, OW, 0, 15.9994]\n      - [HW1, N, 0.241, 1.008]\n"
      "      - [HW2, N, 0.241, 1.008]\n      - [LP1, N, -0.241, 0]\n      - [LP2, N, -0.241, 0]\n"
      "    constraints: [[1, 2, 0.9572], [1, 3, 0.9572], [2, 3, 1.5139006545]]\n    virtual:\n"
      "      - [4, 3out, 1, 2, 3, -0.344908262, -0.344908262, -0.64437903493]\n"
      "      - [5, 3out, 1, 2, 3, -0.344908262, -0.344908262, 0.64437903493]\n"
      "    exclude: 2\nsystem:\n  - [water, 216]\n");
  FILE *file = program_create("file.yaml");
  fprintf(file,
          "system: {topology: tip5p.yaml, start: file, file: %s/examples/flexible-water/water-216.gro, box: "
          "file}\n%s",
          getenv("HOLONOM_SOURCE"), run);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("run file.yaml -o file --quiet");
  program_do(
      "grep -q 'water has more than one virtual site: this water is computed atom by atom' file/holonom.log");
}
