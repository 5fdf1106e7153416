/* Runs of alchemical states: numbers of files and of other readers, restarts and threads, independent runs,
 * constant pressure, and what verdicts say. */
#include "simulation/simulation_private.h"
#include "tests/program.h"
#include "tests/tables.h"

/* A dipole among dipoles. */
static void begin(const char *alchemy, const char *more)
{
  char text[2048];
  program_write(
      "dipoles.yaml",
      "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.2, 0.2], Y: [3.2, 0.2]}\nmolecules:\n"
      "  solute:\n    atoms: [[A, Y, 0.15, 20], [B, Y, -0.15, 20]]\n"
      "    terms: {bond: [[1, 2, 1, 200]]}\n"
      "  fluid:\n    atoms: [[A, X, 0.15, 20], [B, X, -0.15, 20]]\n"
      "    terms: {bond: [[1, 2, 1, 200]]}\nsystem:\n  - [solute, 1]\n  - [fluid, 26]\n");
  FILE *file = program_create("start.xyz");
  fprintf(file, "54\ndipoles\n");
  for (int i = 0; i < 27; i++)
    for (int a = 0; a < 2; a++)
      fprintf(file, "%c %g %g %g\n", 'A' + a, 5.4 * (i % 3) + 1.0 + a, 5.4 * (i / 3 % 3) + 1.0,
              5.4 * (i / 9) + 1.0); /* NOLINT(bugprone-integer-division) */
  (void)fclose(file);
  snprintf(text, sizeof text,
           "system: {topology: dipoles.yaml, file: start.xyz, box: [16.2, 16.2, 16.2], minimise: false}\n"
           "forces: {cutoff: 7 A}\nalchemy: {molecules: solute, %s}\n"
           "integrator: {word: BAOAB, timestep: 4 fs, steps: 600}\n"
           "thermostat: {temperature: 200 K, friction: 2/ps}\nexchange: {interval: 10, ladders: 2}\n"
           "output: {thermo_every: 100, equilibration: 0.4 ps, report: false, progress: false%s}\n",
           alchemy, more);
  program_write("run.yaml", text);
}

static const char states[] = "coulomb: [1, 0.5, 0], lj: [1, 0.7, 0.4, 0.2, 0]";

/* A number of the group in dir/results.json. */
static ResultSet results_of(const char *dir)
{
  ResultSet set = {0};
  char path[512];
  Error error;
  snprintf(path, sizeof path, "%s/%s", program_scratch, dir);
  ck_assert_msg(results_json_read(&set, path, &error) == STATUS_OK, "%s", error.text);
  return set;
}

static double of_group(const ResultSet *set, const char *name) { return results_value(set, "alchemy", name); }

/* --- numbers ------- */

TEST(tables_figures_and_numbers_agree)
{
  begin(states, "");
  program_runs("run run.yaml -o f --force --set integrator.steps=8000");
  program_says("solvation free energy of solute: ");
  program_says("1 mol/l of gas to 1 mol/l of solution");
  ResultSet set = results_of("f");
  ResultTable *t = program_table("f/alchemy.csv"), *o = program_table("f/overlap.csv");
  ck_assert_int_eq((int)t->nrow, 7);
  ck_assert_int_eq((int)o->nrow, 7);
  ck_assert_double_eq_tol(tables_cell(t, 6, "free_energy"), -of_group(&set, "solvation"), 1e-5);
  ck_assert_double_eq_tol(of_group(&set, "solvation_coulomb") + of_group(&set, "solvation_lj"),
                          of_group(&set, "solvation"), 1e-9);
  ck_assert_double_eq_tol(of_group(&set, "reduced") * 200.0 * 0.0019872043, of_group(&set, "solvation"),
                          1e-6);
  ck_assert_double_eq(of_group(&set, "samples_each"),
                      2 * ((8000 - 100) / 10 - 1)); /* none after the last step */
  const double error = tables_cell(t, 6, "free_energy_err"),
               apart = tables_cell(t, 6, "free_energy_integrated") - tables_cell(t, 6, "free_energy");
  ck_assert_double_gt(error, 0.0);
  ck_assert_double_lt(fabs(apart), 5.0 * hypot(error, tables_cell(t, 6, "free_energy_integrated_err")));
  ck_assert(strstr(results_find(&set, "alchemy", "", "solvation")->note, "Helmholtz") != NULL);
  ck_assert(results_verdict(&set, "alchemy") != NULL);
  ck_assert(program_exists("f/alchemy.plot.json"));
  results_free_table(t);
  results_free_table(o);
  results_free(&set);
}

/* --- samples ------- */

/* Two states so near to each other that their difference is the slope, by charges and by Lennard-Jones; each
 * replica holds one state. */
TEST(slopes_are_differences_of_energies, .rows = 2)
{
  const double step = 1e-5;
  Simulation *s;
  Error error;
  begin(_i == 0 ? "coulomb: [1, 0.99999]" : "coulomb: 0, lj: [0.5, 0.49999]", "");
  char path[512], *text = strdup(program_read("run.yaml"));
  snprintf(path, sizeof path, "%s/run.yaml", program_scratch);
  ck_assert_msg(simulation_parse(&s, path, text, NULL, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_start(s, NULL, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_step(s, 400, NULL, &error) == STATUS_OK, "%s", error.text);
  ReducedEnergies *const *e = ladder_reduced(s->ladder);
  const double kT = ladder_kT(s->ladder, 0);
  bool moved = false;
  ck_assert_int_eq(reduced_energies_width(reduced_energies_columns(e[0])), 5);
  ck_assert_int_gt(reduced_energies_samples(e[1]), 20);
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < reduced_energies_samples(e[a]); i++) {
      const double *const row = reduced_energies_sample(e[a], i);
      ck_assert(row[4] + row[9] == 1.0 && row[4] * row[9] == 0.0);
      moved = moved || row[4] == 1.0;
      for (int k = 0; k < 2; k++) {
        const double *const of = row + (ptrdiff_t)5 * k;
        const double slope = of[2 + s->config->alchemy.parameter[_i] - 1];
        ck_assert_double_eq_tol((of[0] - of[1]) * kT / step, slope, 1e-4 * (1.0 + fabs(slope)));
      }
    }
  ck_assert(moved);
  free(text);
  simulation_free(s);
}

/* --- other readers ------- */

TEST(pandas_finds_our_numbers, .rows = 2)
{
  const char *source = getenv("HOLONOM_SOURCE"), *python = getenv("HOLONOM_PYTHON");
  begin(states, "");
  program_runs("run run.yaml -o f --force %s",
               _i == 1 ? "--set barostat.type=monte-carlo --set barostat.pressure='1 bar'" : "");
  const int code = program_shell("'%s' '%s/tests/read_decoupling.py' f",
                                 python != NULL ? python : "/usr/bin/python3", source != NULL ? source : ".");
  if (code == 77) {
    printf("skipped: pandas is not installed\n");
    return;
  }
  ck_assert_msg(code == 0, "%s", program_output);
  const double trapezoid = program_number("trapezoid"), bennett = program_number("bennett"),
               kT = 200.0 * 0.0019872043;
  ck_assert_double_eq(program_number("beyond"), _i); /* the column of P V */
  ResultSet set = results_of("f");
  ResultTable *t = program_table("f/alchemy.csv");
  double sum = 0.0;
  for (size_t k = 0; k < 6; k++)
    sum += tables_cell(t, k, "next");
  ck_assert_double_eq_tol(sum, kT * bennett, 1e-5);
  ck_assert_double_eq_tol(of_group(&set, "solvation_trapezoid"), -kT * trapezoid, 1e-5);
  ck_assert(strstr(results_find(&set, "alchemy", "", "solvation")->note, _i == 1 ? "Gibbs" : "Helmholtz") !=
            NULL);
  results_free_table(t);
  results_free(&set);
}

/* --- restarts ------- */

static const char *const files[] = {"alchemy.csv", "overlap.csv", "u_nk.csv",   "dHdl.csv",
                                    "dhdl-00.xvg", "dhdl-06.xvg", "ladder.csv", "thermo.csv"};

TEST(cuts_and_threads_are_in_no_bit, .rows = 2, .threads = true)
{
  begin(_i == 0 ? states : "coulomb: [1, 0.5, 0], lj: [1, 0.7, 0.4, 0.2, 0], exchange: false", "");
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --set integrator.steps=300 --threads 2");
  program_runs("run run.yaml -o cut --resume --threads 2");
  program_runs("run whole/input.yaml -o again --force");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    program_same("whole", "cut", files[i]);
    program_same("whole", "again", files[i]);
  }
}

/* --- states that do not exchange ------- */

TEST(independent_runs_stay_in_their_states)
{
  char states_alone[256];
  snprintf(states_alone, sizeof states_alone, "%s, exchange: false", states);
  begin(states_alone, "");
  program_runs("run run.yaml -o f --force");
  ck_assert(strstr(program_output, "acceptance") == NULL && strstr(program_output, "bottleneck") == NULL);
  ResultSet set = results_of("f");
  ResultTable *t = program_table("f/ladder.csv");
  for (size_t k = 0; k + 1 < t->nrow; k++)
    ck_assert_double_eq(tables_cell(t, k, "exchanges"), 0.0);
  ck_assert(results_verdict(&set, "ladder") == NULL && results_says(&set, "alchemy", "exchange", "no"));
  results_free_table(t);
  results_free(&set);
}

/* --- verdicts and refusals ------- */

TEST(a_removed_state_is_named_by_the_run)
{
  begin("coulomb: [1, 0], lj: [1, 0]", "");
  program_do("sed -i 's/Y: .3.2, 0.2/Y: [3.2, 6/' dipoles.yaml"); /* a solute that attracts strongly */
  program_runs("run run.yaml -o f --force --set thermostat.temperature='100 K'");
  program_says("A state is missing between states 1 (coulomb 0, lj 1) and 2 (coulomb 0, lj 0)");
  program_does("grep -q 'a state is missing' f/alchemy.gp");
}

TEST(part_of_the_way_is_a_difference)
{
  begin("coulomb: [1, 0.5]", "");
  program_runs("run run.yaml -o f --force");
  ResultSet set = results_of("f");
  ck_assert(results_find(&set, "alchemy", "", "solvation") == NULL);
  ck_assert(strstr(results_find(&set, "alchemy", "", "difference")->note, "no solvation free energy") !=
            NULL);
  results_free(&set);
}

TEST(open_space_has_no_standard_state)
{
  begin(states, "");
  program_runs("run run.yaml -o f --force --set system.box= --set forces.cutoff=");
  ResultSet set = results_of("f");
  ck_assert(results_find(&set, "alchemy", "", "solvation") == NULL);
  ck_assert(strstr(results_find(&set, "alchemy", "", "difference")->note, "no standard state") != NULL);
  results_free(&set);
}

/* Errors from ladders allow a test of two runs; those of a short ladder are lower bounds, and do not. */
TEST(comparisons_use_the_ladders, .rows = 2)
{
  begin("coulomb: 0, lj: [1, 0.8, 0.6]", "");
  for (int seed = 1; seed < 3; seed++)
    program_runs("run run.yaml -o seed%d --force --set seed=%d --set exchange.ladders=%d", seed, seed,
                 _i == 0 ? 8 : 1);
  program_runs("compare seed1 seed2 -o compared --force");
  program_says("difference of the ends");
  if (_i == 1)
    program_says("seed1 has 1 independent ladder; at least 8 are required");
  char line[256];
  const char *const at = strstr(program_output, "\n  difference of the ends ");
  ck_assert(at != NULL);
  snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
  ck_assert_msg((strstr(line, "not tested") != NULL) == (_i == 1), "%s", line);
}

TEST(files_of_others_stay)
{
  begin(states, "");
  program_do("rm -rf theirs && mkdir theirs && echo mine > theirs/dhdl-03.xvg");
  program_refuses("dhdl-03.xvg", "run run.yaml -o theirs");
  program_do("grep -q mine theirs/dhdl-03.xvg");
}
