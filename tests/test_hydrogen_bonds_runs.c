/* Hydrogen bonds of runs and trajectories: observe finds those of the run, in boxes and in clusters of
 * replicas; bits do not depend on threads or restarts; selections within a molecule and between molecules of
 * a file; a ladder; and what is refused. */
#include <math.h>
#include <string.h>

#include "tests/program.h"
#include "tests/tables.h"

static void write_box(void)
{
  program_write(
      "box.yaml",
      "system: {model: tip4p, molecules: 150, density: 0.95 g/cm3, atoms: {Na+: 1, Cl-: 1}}\n"
      "geometry: {method: settle}\nforces: {cutoff: 6 A}\nintegrator: {timestep: 2 fs, steps: 160}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps}\n"
      "output: {trajectory: [xyz], trajectory_every: 4, equilibration: 0, report: false, progress: "
      "false, hydrogen_bonds_every: 4, hydrogen_bonds_max: 0.08 ps, hydrogen_bonds: [{name: water, "
      "between: [resname tip4p]}, {name: few, between: [\"index 0:8\", all]}]}\n");
}

/* The number of a subject in observables.json. */
static double number(const char *file, const char *subject, const char *quantity)
{
  char key[128];
  double value = NAN;
  snprintf(key, sizeof key, "\"%s\"", subject);
  const char *at = program_read(file);
  ck_assert_ptr_nonnull(at);
  while ((at = strstr(at, key)) != NULL) {
    const char *const end = strchr(at, '}'), *const is = strstr(at, quantity),
                      *const v = strstr(at, "\"value\": ");
    if (is != NULL && is < end && v != NULL && v < end)
      return sscanf(v, "\"value\": %lf", &value) == 1 ? value : NAN;
    at++;
  }
  ck_abort_msg("%s has no %s of %s", file, quantity, subject);
}

TEST(a_box_run_and_observed)
{
  write_box();
  program_runs("run box.yaml -o run --force --threads 1");
  program_runs("run box.yaml -o two --force --threads 2");
  program_runs("run box.yaml -o cut --force --set integrator.steps=68");
  program_runs("run box.yaml -o cut --resume --set integrator.steps=160");
  program_same("run", "two", "hydrogen_bonds.csv");
  program_same("run", "cut", "hydrogen_bonds.csv");
  program_runs("observe hydrogen_bonds box.yaml run/trajectory.xyz --from 0.001 -o all --force");
  program_same("run", "all", "hydrogen_bonds.csv");
  const double few = number("all/observables.json", "few", "number"),
               water = number("all/observables.json", "water", "number");
  ck_assert_double_gt(few, 3.0);
  ck_assert_double_lt(few, 24.0);
  ck_assert_double_gt(water, 150.0);
  ck_assert_double_lt(water, 300.0);
  /* Without an input, by the names of atoms; one frame has no times, so it has no table. */
  program_runs("observe hydrogen_bonds run/trajectory.xyz --model tip4p --from 0.001 --hydrogen_bonds-max "
               "0.08 -o names "
               "--force");
  ck_assert_double_eq_tol(number("names/observables.json", "all", "number"), water, 1e-6);
  program_runs("observe hydrogen_bonds box.yaml run/final.xyz -o one --force");
  ck_assert_int_eq(program_exists("one/hydrogen_bonds.csv"), 0);
  ck_assert_double_eq(fmod(number("one/observables.json", "water", "number"), 1.0), 0.0);
}

/* Replicas in lanes have the bonds of their own trajectories. */
TEST(replicas_in_lanes)
{
  enum { REPLICAS = 16 };
  program_write(
      "few.yaml",
      "system: {model: tip3p, molecules: 6}\ngeometry: {method: settle}\nintegrator: {timestep: 2 fs, "
      "steps: 400}\nthermostat: {temperature: 150 K, friction: 5/ps}\nensemble: {replicas: 16}\n"
      "output: {trajectory: [xyz], trajectory_every: 10, trajectory_replica: all, equilibration: 0, "
      "report: false, progress: false, hydrogen_bonds_every: 10, hydrogen_bonds_max: 0.2 ps}\n");
  program_runs("run few.yaml -o run --force --threads 1");
  program_runs("run few.yaml -o two --force --threads 2");
  program_runs("run few.yaml -o cut --force --set integrator.steps=170");
  program_runs("run few.yaml -o cut --resume --set integrator.steps=400");
  program_same("run", "two", "hydrogen_bonds.csv");
  program_same("run", "cut", "hydrogen_bonds.csv");
  double mean = 0.0;
  for (int r = 0; r < REPLICAS; r++) {
    program_runs("observe hydrogen_bonds few.yaml run/replica-%d/trajectory.xyz --from 0.001 -o one --force",
                 r);
    mean += number("one/observables.json", "all", "number") / REPLICAS;
  }
  ck_assert_double_eq_tol(number("run/observables.json", "all", "number"), mean, 1e-5 * mean);
  ck_assert_double_gt(mean, 4.0);
  ResultTable *t = program_table("run/hydrogen_bonds.csv");
  ck_assert_uint_eq(t->nrow, 11);
  ck_assert_double_eq(tables_cell(t, 0, "C_all"), 1.0);
  ck_assert_double_gt(tables_cell(t, 10, "C_all"), 0.3);
  ck_assert_double_lt(tables_cell(t, 10, "C_all"), 1.0);
  ck_assert_double_le(tables_cell(t, 10, "S_all"), tables_cell(t, 10, "C_all"));
  ck_assert_double_gt(tables_cell(t, 10, "C_all_err"), 0.0);
  results_free_table(t);
}

/* A ladder has the number at its lowest temperature, and no lifetimes. */
TEST(a_ladder_has_numbers)
{
  program_write(
      "ladder.yaml",
      "system: {model: tip3p, molecules: 6}\ngeometry: {method: settle}\nintegrator: {timestep: 2 fs, "
      "steps: 400}\nthermostat: {friction: 5/ps}\nexchange: {temperatures: [100 K, 300 K], interval: 20, "
      "ladders: 4}\noutput: {equilibration: 0, report: false, progress: false, hydrogen_bonds_every: 10}\n");
  program_runs("run ladder.yaml -o ladder --force");
  ck_assert_double_gt(number("ladder/observables.json", "all", "number"), 5.0);
  ck_assert_int_eq(program_exists("ladder/hydrogen_bonds.csv"), 0);
}

/* A glycol whose hydroxyl points to its other oxygen 2.8 A away, and a water that gives a bond to that
 * oxygen. */
static void write_glycol(void)
{
  program_write(
      "glycol.yaml",
      "format: holonom-molecules 1\nrule: geometric\n"
      "types: {C: [3.5, 0.066], O: [3.12, 0.17], H: [0, 0]}\nmolecules:\n  water:\n"
      "    atoms: [[OW, O, -0.8, 15.9994], [HW1, H, 0.4, 1.008], [HW2, H, 0.4, 1.008]]\n"
      "    constraints: [[1, 2, 0.96], [1, 3, 0.96], [2, 3, 1.52]]\n    exclude: 2\n"
      "  glycol:\n    atoms: [[O1, O, -0.4, 15.9994], [H1, H, 0.4, 1.008], [C1, C, 0, 12.011], "
      "[C2, C, 0, 12.011], [O2, O, -0.4, 15.9994], [H2, H, 0.4, 1.008]]\n"
      "    terms: {bond: [[1, 2, 0.96, 500], [1, 3, 1.42, 300], [3, 4, 1.52, 300], [4, 5, 1.42, 300], [5, "
      "6, 0.96, 500]]}\n    exclude: 3\nsystem:\n  - [glycol, 1]\n  - [water, 1]\n");
  program_write("start.xyz", "9\n\nO 0 0 0\nH 0.96 0 0\nC 0 1.42 0\nC 1.4 2 0\nO 2.8 0 0\nH 2.8 0 0.96\n"
                             "O 2.8 -2.9 0\nH 2.8 -1.94 0\nH 2.8 -3.2 0.9\n");
  program_write("glycol-run.yaml",
                "system: {topology: glycol.yaml, file: start.xyz}\nintegrator: {timestep: 0.5 fs, steps: "
                "10}\nthermostat: {temperature: 300 K, friction: 1/ps}\n"
                "output: {hydrogen_bonds: [{name: inner, between: [moltype glycol]}, {name: outer, "
                "between: [moltype glycol, moltype water]}, {name: none, between: [\"name O1\", "
                "moltype water]}, {name: H, between: [\"name O*\"]}]}\n");
}

TEST(within_a_molecule_and_to_water)
{
  static const struct {
    const char *name, *more;
    double bonds;
  } row[] = {{"inner", "", 1},
             {"outer", "", 1},
             {"none", "", 0},
             {"H", "", 2},
             {"H", "--hydrogen_bonds-distance 2.85", 1},
             {"inner", "--hydrogen_bonds-distance 2.75", 0}};
  write_glycol();
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    program_runs("observe hydrogen_bonds glycol-run.yaml start.xyz -o out --force %s", row[k].more);
    ck_assert_double_eq(number("out/observables.json", row[k].name, "number"), row[k].bonds);
  }
}

static const struct {
  const char *set, *words;
} refused[] = {
    {"[{name: a, between: [name OQ]}]", "output.hydrogen_bonds[1].between: 'name OQ' selects no atom"},
    {"[{name: a, between: [name C1]}]", "'name C1' selects no N, O or F"},
    {"[{name: a, between: [all, all, all]}]", "3 are listed; wanted: one selection, or two"},
    {"[{name: a, between: [all]}, {name: a, between: [all]}]", "'a' is also the name of another entry"},
    {"[{name: 1a, between: [all]}]", "'1a' is not a valid name"},
    {"[{name: a, between: [name (]}]", "output.hydrogen_bonds[1].between"},
};

TEST(what_is_no_selection_is_refused, .rows = sizeof refused / sizeof *refused)
{
  write_glycol();
  program_refuses(refused[_i].words, "check glycol-run.yaml --set \"output.hydrogen_bonds=%s\"",
                  refused[_i].set);
}

TEST(a_part_without_hydrogens_is_refused)
{
  write_glycol();
  program_write("part.xyz", "2\n\nO 0 0 0\nO 2.8 0 0\n");
  program_refuses("hydrogen_bonds needs OW of residue water 2 (water)",
                  "observe hydrogen_bonds glycol-run.yaml part.xyz --select \"name O1 O2\" -o out --force");
}

int main(void) { return program_main("hydrogen_bonds_runs"); }
