/* Runs with biases: a harmonic bias moves atoms as a restraint does and differs in its column alone, walls
 * act on their side, values are spaced evenly over replicas and states, and what is refused. */
#include "tests/program.h"
#include "tests/tables.h"

/* Two atoms that Morse's potential binds, and a chain of four. */
static void begin(const char *more)
{
  char text[2048];
  program_write("pair.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, 0]}\nmolecules:\n"
                "  pair:\n    atoms: [[A, X, 0, 20], [B, X, 0, 20]]\n"
                "    terms:\n      bond-morse: [[1, 2, 4.0, 2.0, 1.5]]\n"
                "  chain:\n    atoms: [[C1, X, 0, 15], [C2, X, 0, 14], [C3, X, 0, 14], [C4, X, 0, 15]]\n"
                "    terms:\n      bond: [[1, 2, 1.5, 300], [2, 3, 1.5, 300], [3, 4, 1.5, 300]]\n"
                "system:\n  - [pair, 1]\n  - [chain, 1]\n");
  program_write("pair.xyz", "6\npair\nA 0 0 0\nB 4 0 0\nC1 20 1 1\nC2 20 0 0\nC3 21.5 0 0\nC4 22 1.1 0.8\n");
  snprintf(
      text, sizeof text,
      "system: {topology: pair.yaml, file: pair.xyz, minimise: false}\n"
      "integrator: {word: BAOAB, timestep: 2 fs, steps: 400}\n"
      "thermostat: {temperature: 300 K, friction: 2/ps}\n"
      "output:\n  thermo_every: 10\n  report: false\n  progress: false\n"
      "  distances: [{name: d, atoms: [index 0, index 1]}, {name: e, atoms: [index 2, index 5]}]\n"
      "  torsions: [{name: t, atoms: [index 2, index 3, index 4, index 5]}]\n"
      "  formulas: [{name: s, formula: d}, {name: c, formula: cos(t)}, {name: u, formula: d - 0.5*e + c},\n"
      "    {name: j, formula: t + d}]\n%s",
      more);
  program_write("run.yaml", text);
}

/* The last value of a column of thermo.csv. */
static double last(const char *path, const char *column)
{
  ResultTable *t = program_table(path);
  const double value = tables_cell(t, (size_t)t->nrow - 1, column);
  results_free_table(t);
  return value;
}

TEST(a_harmonic_bias_is_a_restraint_outside_the_potential)
{
  begin("");
  program_runs(
      "run run.yaml -o kept --force --set \"restraints=[{coordinate: distance, atoms: [index 0, index "
      "1], k: 3, centre: 4.5}, {coordinate: dihedral, atoms: [index 2, index 3, index 4, index 5], k: "
      "9, centre: 170}]\"");
  program_runs(
      "run run.yaml -o biased --force --set \"biases=[{on: [d], type: harmonic, k: 3, centre: 4.5}, {on: "
      "[t], type: harmonic, k: 9, centre: 170 deg}]\"");
  program_same("kept", "biased", "final.xyz");
  const double bias = last("biased/thermo.csv", "bias");
  ck_assert_double_gt(bias, 1e-3);
  ck_assert_double_eq_tol(last("kept/thermo.csv", "coordinate_restraint"), bias, 1e-9);
  ck_assert_double_eq_tol(last("kept/thermo.csv", "potential"), bias + last("biased/thermo.csv", "potential"),
                          1e-8);
  ck_assert_double_eq(last("kept/thermo.csv", "configurational"),
                      last("biased/thermo.csv", "configurational"));
  ck_assert_double_eq(last("kept/thermo.csv", "total"), last("biased/thermo.csv", "total"));
}

/* Formulas in place of the coordinates that they are; energy and forces of a combination. */
TEST(formulas_act_as_their_coordinates)
{
#define PULL(name) "--set \"biases=[{on: [" name "], type: pull, from: 4, to: 5, over: 400 fs, k: 3}]\" "
#define BIASES(name)                                                                                         \
  "--set \"biases=[{on: [" name "], type: harmonic, k: 3, centre: 4.5}, {on: [" name                         \
  "], name: lid, type: wall, k: 5, above: 4.2}]\" "
  begin("");
  program_runs("run run.yaml -o direct --force --set ensemble.replicas=16 " BIASES("d"));
  program_runs("run run.yaml -o named --force --set ensemble.replicas=16 " BIASES("s"));
  program_same("direct", "named", "final.xyz");
  program_same("direct", "named", "thermo.csv");
  program_runs("run run.yaml -o direct --force --set ensemble.replicas=16 " PULL("d"));
  program_runs("run run.yaml -o named --force --set ensemble.replicas=16 " PULL("s"));
  program_same("direct", "named", "final.xyz");
  program_same("direct", "named", "work.csv");
  program_runs(
      "run run.yaml -o both --force --set \"biases=[{on: [u], type: harmonic, k: 4, centre: 3}, {on: [c], "
      "type: harmonic, k: 20, centre: -0.5}]\"");
  ResultTable *t = program_table("both/thermo.csv");
  for (size_t i = 0; i < (size_t)t->nrow; i++) {
    const double c = tables_cell(t, i, "cos_t"),
                 u = tables_cell(t, i, "distance_d") - 0.5 * tables_cell(t, i, "distance_e") + c;
    ck_assert_double_eq_tol(tables_cell(t, i, "formula_c"), c, 1e-9);
    ck_assert_double_eq_tol(tables_cell(t, i, "formula_u"), u, 1e-9);
    ck_assert_double_eq_tol(tables_cell(t, i, "bias"),
                            2.0 * (u - 3.0) * (u - 3.0) + 10.0 * (c + 0.5) * (c + 0.5), 1e-7);
  }
  results_free_table(t);
#undef BIASES
#undef PULL
}

/* A formula without a value ends a run, with its name, the coordinates and the step; before the first step
 * the input is wrong. */
TEST(formulas_without_a_value_end_a_run, .rows = 2)
{
  begin("");
  ck_assert_int_eq(
      program_call("run run.yaml -o ended --force --set ensemble.replicas=%d --set \"output.formulas="
                   "[{name: l, formula: log(4.05 - d)}]\" --set \"biases=[{on: [l], type: wall, k: 1, "
                   "above: 9}]\" --set output.thermo_every=0",
                   _i == 0 ? 1 : 16),
      3);
  program_says("the formula l (log(4.05 - d)) is not a number, at d = 4.0");
  program_says("steps: the formula");
  ck_assert_int_eq(
      program_call("run run.yaml -o ended --force --set ensemble.replicas=%d --set \"output.formulas="
                   "[{name: l, formula: log(4.05 - d)}]\"",
                   _i == 0 ? 1 : 16),
      3);
  program_says("output.formulas: l (log(4.05 - d)) is not a finite number at step");
  program_refuses(
      "the formula sqrt(d - 4) has no finite gradient, at d = 4 A",
      "run run.yaml -o none --set \"restraints=[{coordinate: formula, formula: sqrt(d - 4), k: 2, centre: "
      "1}]\"");
}

TEST(walls_act_on_their_side)
{
  begin("");
  program_runs(
      "run run.yaml -o w --force --set \"biases=[{on: [d], name: up, type: wall, k: 3, above: 4.1}, {on: "
      "[d], name: low, type: wall, k: 5, below: 3.9}]\"");
  ResultTable *t = program_table("w/thermo.csv");
  int above = 0, below = 0;
  for (size_t i = 0; i < (size_t)t->nrow; i++) {
    const double d = tables_cell(t, i, "distance_d"), up = d > 4.1 ? d - 4.1 : 0.0,
                 low = d < 3.9 ? d - 3.9 : 0.0;
    above += up > 0.0;
    below += low < 0.0;
    ck_assert_double_eq_tol(tables_cell(t, i, "bias"), 1.5 * up * up + 2.5 * low * low, 1e-7);
  }
  ck_assert_int_gt(above, 0);
  ck_assert_int_gt(below, 0);
  results_free_table(t);
}

/* A list and linear() are the same values; a whole turn leaves out its last point. */
TEST(values_are_spaced_evenly)
{
  static const double centre[] = {-180.0, -90.0, 0.0, 90.0};
  begin("biases: [{on: [t], type: harmonic, k: 3, centre: 0}]\n");
  program_runs(
      "run run.yaml -o listed --force --set \"exchange.parameters={t.centre: [-180, -90 deg, 0, 90]}\"");
  program_runs(
      "run run.yaml -o spaced --force --set \"exchange.parameters={t.centre: 'linear(-180, 180, 4)'}\"");
  program_same("listed", "spaced", "u_nk.csv");
  ResultTable *t = program_table("spaced/ladder.csv");
  for (size_t k = 0; k < 4; k++)
    ck_assert_double_eq(tables_cell(t, k, "parameter_t.centre"), centre[k]);
  results_free_table(t);
  program_refuses("'linear(first, last, number)', such as 'linear(-180, 180, 24)'",
                  "run run.yaml -o no --set \"exchange.parameters={t.centre: 'linear(-180, 180)'}\"");
  program_runs(
      "run run.yaml -o each --force --set ensemble.replicas=8 --set \"biases=[{on: [d], type: harmonic, k: "
      "3, centre: 'linear(3.2 A, 0.6 nm)'}]\"");
  program_runs(
      "run run.yaml -o list --force --set ensemble.replicas=8 --set \"biases=[{on: [d], type: harmonic, k: "
      "3, centre: [3.2, 3.6, 4.0, 4.4, 4.8, 5.2, 5.6, 6.0]}]\"");
  ck_assert_double_eq_tol(last("each/thermo.csv", "distance_d"), last("list/thermo.csv", "distance_d"), 1e-6);
}

TEST(a_cut_run_and_threads_change_no_bit, .threads = true)
{
  begin(
      "ensemble: {replicas: 16}\nbiases:\n  - on: [d]\n    type: harmonic\n    k: linear(1, 9)\n    centre: "
      "linear(3, 6)\n  - {on: [d], name: lid, type: wall, above: 5, k: 4}\n"
      "  - {on: [u], type: harmonic, k: 2, centre: 3}\n");
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --set integrator.steps=150 --threads 2");
  program_runs("run run.yaml -o cut --resume --threads 2");
  program_same("whole", "cut", "thermo.csv");
  program_same("whole", "cut", "final.xyz");
}

TEST(what_is_wrong_is_refused)
{
  static const struct {
    const char *set, *words;
  } wrong[] = {
      {"biases=[{on: [q], type: harmonic, k: 3, centre: 4}]", "'q' is not a coordinate of output; "},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: linear(3, 4)}]", "'linear(3' lacks a ')'"},
      {"biases=[{on: [d, t], type: harmonic, k: 3, centre: 4}]", "has 2 names; wanted: one"},
      {"biases=[{on: [d], type: harmonic, k: 3}]", "centre: is missing"},
      {"biases=[{on: [d], type: harmonic, centre: 3}]", "k: is missing"},
      {"biases=[{on: [d], type: harmonic, k: -3, centre: 3}]", "wanted: a number of 0 or more"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: -3}]", "wanted: a number of 0 or more"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 4 deg}]", "'4 deg' of d.centre"},
      {"biases=[{on: [t], type: harmonic, k: 3, centre: 4 A}]", "'4 A' of t.centre"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: nan}]", "'nan' of d.centre"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 4, above: 5}]", "applies only to type: wall"},
      {"biases=[{on: [d], type: wall, k: 3}]", "above or below"},
      {"biases=[{on: [d], type: wall, k: 3, above: 5, below: 3}]", "write a record for each of two walls"},
      {"biases=[{on: [t], type: wall, k: 3, above: 5}]", "has no side for a wall"},
      {"biases=[{on: [d], type: umbrella, k: 3, centre: 4}]", "harmonic, wall, pull, metadynamics"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 4}, {on: [d], type: wall, k: 3, above: 4}]",
       "there are two parameters 'd.k'; wanted: a unique name (key name)"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 'linear(3)'}]", "wanted: 'linear(first, last)'"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 'linear(3, 4, 5, 6)'}]",
       "wanted: 'linear(first, last)'"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 'linear(3, x)'}]", "wanted: 'linear(first, last)'"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: 'linear(3, 4, 0)'}]",
       "wanted: 'linear(first, last)'"},
      {"biases=[{on: [d], type: harmonic, k: 3, centre: [3, 4]}]", "has 2 values; wanted: 1"},
      {"biases=[{on: [s], type: harmonic, k: 3, centre: 4 A}]", "'4 A' of s.centre; wanted: a number"},
      {"biases=[{on: [j], type: harmonic, k: 3, centre: 4}]",
       "'t + d' jumps where the torsion t passes 180 degrees"},
      {"restraints=[{coordinate: formula, formula: 2*j, k: 3, centre: 4}]",
       "restraints[1].formula: '2*j' jumps where the torsion t passes 180 degrees"},
      {"restraints=[{coordinate: formula, k: 3, centre: 4}]", "restraints[1].formula: is missing"},
      {"restraints=[{coordinate: formula, formula: 2*q, k: 3, centre: 4}]", "unknown name 'q'"},
      {"umbrella={}", "use biases"}};
  begin("");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --set \"%s\"", wrong[i].set);
  ck_assert(!program_exists("no"));
}

/* A bias that would do nothing, or the opposite of what a user expects, is refused: walls along a period,
 * values that no coordinate has, frozen atoms, and names with two meanings. */
TEST(what_would_mislead_is_refused)
{
  static const struct {
    const char *more, *words;
  } wrong[] = {{"  heights: [{name: h, atoms: [index 0, index 2]}]\n"
                "biases: [{on: [h], type: wall, k: 1, above: 10}]\n",
                "a height with the period of the box, along which a wall has no side"},
               {"  positions: [{name: p, atoms: index 0}]\n"
                "biases: [{on: [p], type: metadynamics, height: 1, width: 1, every: 10 fs, factor: 4, from: "
                "1, to: 9}]\n",
                "a position with the period of the box, along which metadynamics"},
               {"  angles: [{name: a, atoms: [index 2, index 3, index 4]}]\n"
                "biases: [{on: [a], type: harmonic, k: 1, centre: 200}]\n",
                "'200' of a.centre; wanted: a number from 0 to 180 in degrees"},
               {"  angles: [{name: a, atoms: [index 2, index 3, index 4]}]\n"
                "biases: [{on: [a], type: harmonic, k: 1, centre: 'linear(-10, 90)'}]\n",
                "wanted: numbers from 0 to 180 in degrees"},
               {"restraints: [{coordinate: angle, atoms: [index 2, index 3, index 4], k: 1, centre: 181}]\n",
                "is a value that no angle has; wanted: a number from 0 to 180 in degrees"},
               {"freeze: index 0:1\nbiases: [{on: [d], type: harmonic, k: 1, centre: 4}]\n",
                "all atoms of 'd' are frozen (freeze: index 0:1)"},
               {"freeze: index 0:1\nrestraints: [{coordinate: distance, atoms: [index 0, index 1], k: 1, "
                "centre: 4}]\n",
                "all these atoms are frozen (freeze: index 0:1)"},
               {"  angles: [{name: d, atoms: [index 2, index 3, index 4]}]\n"
                "biases: [{on: [d], type: harmonic, k: 1, centre: 4}]\n",
                "'d' is the name of two coordinates of output (angle, distance)"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    begin(wrong[i].more);
    program_refuses(wrong[i].words, "run run.yaml -o no%s", i < 2 ? " --set system.box=60" : "");
  }
  ck_assert(!program_exists("no"));
}

/* Bins of a coordinate that constraints keep would show rounding. */
TEST(a_kept_coordinate_has_no_free_energy)
{
  begin("biases: [{on: [d], type: harmonic, k: 3, centre: 4.5}]\n");
  program_runs("run run.yaml -o rigid --set geometry.constrain=all-bonds --set ensemble.replicas=8");
  program_says("d does not vary, since constraints keep it");
  ck_assert(!program_exists("rigid/free_energy_d.csv"));
}
