/* Temperatures and pressures that follow a schedule: the kinetic energy of free sites against its exact mean,
 * volumes of replicas at different pressures, the same bits however a run is cut and shared out, and what is
 * refused. */
#include "base/text.h"
#include "simulation/simulation_private.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "tests/tables.h"

/* --- the functions of time ------------------------------------------------------------------------------ */

static const char sites[] =
    "units: reduced\nsystem: {dimensions: 3, sites: [{count: 8, mass: 2, position: [0, 0, 0]}],\n"
    "  potentials: [{formula: 0*x, sites: all}]}\n"
    "integrator: {word: BAOAB, timestep: 0.01, steps: 4000}\n"
    "output: {thermo_every: 100, trajectory_every: 1000, report: false, progress: false}\n";

static Simulation *scheduled(const char *more)
{
  static char text[20000];
  snprintf(text, sizeof text, "%s%s", sites, more);
  return parsed(text);
}

/* Values between points, before the first, after the last, and at a jump. */
TEST(points_are_joined_by_lines)
{
  Simulation *s =
      scheduled("thermostat: {type: langevin, inverse_temperature: 0.5, friction: 1, initial: maxwell}\n"
                "schedule: [{time: 10, temperature: 4}, {time: 20, temperature: 1}, {time: 20, "
                "temperature: 3}]\n");
  const Config *c = s->config;
  static const struct {
    int64_t step;
    double value;
  } known[] = {{0, 2.0}, {500, 3.0}, {1000, 4.0}, {1500, 2.5}, {1999, 1.003}, {2000, 3.0}, {9999999, 3.0}};
  ck_assert_int_eq(c->schedule.every, 10);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const double last = i == 4 ? 1.0 + 3.0 * (2000 - 1990) / 1000.0 : known[i].value; /* of step 1990 */
    ck_assert_double_eq_tol(config_schedule_at(c, SCHEDULED_TEMPERATURE, 0, known[i].step), last, 1e-12);
  }
  ck_assert_double_eq_tol(s->kT, 3.0, 1e-12);
  ck_assert(c->schedule.varies);
  simulation_free(s);
}

/* --- temperatures --------------------------------------------------------------------------------------- */

enum { N = 8, REPLICAS = 256 };

/* Per step and component <p^2/m> <- c^2 <p^2/m> + (1 - c^2) kT for free sites: the replicas `first`, first +
 * `apart` and so on, drawn at their first temperature. */
static void follows(const char *more, int first, int apart, int steps)
{
  static double p[3 * N];
  Simulation *s = scheduled(more);
  fine(simulation_start(s, NULL, &error));
  fine(simulation_step(s, steps, NULL, &error));
  double sum = 0.0, mean = config_schedule_at(s->config, SCHEDULED_TEMPERATURE, first, 0);
  const double left = exp(-2.0 * s->h * s->settings.gamma);
  int n = 0;
  for (int r = first; r < REPLICAS; r += apart) {
    fine(simulation_get(s, SIMULATION_MOMENTA, r, p, &error));
    for (int i = 0; i < 3 * N; i++, n++)
      sum += p[i] * p[i] / 2.0;
  }
  for (int k = 0; k < steps; k++)
    mean = left * mean + (1.0 - left) * config_schedule_at(s->config, SCHEDULED_TEMPERATURE, first, k);
  const double away = (sum / n - mean) / (mean * sqrt(2.0 / n));
  ck_assert_msg(fabs(away) < 4.0, "<p^2/m> = %g after %d steps, %g is right: %g errors", sum / n, steps, mean,
                away);
  simulation_free(s);
}

TEST(kinetic_energies_follow, .rows = 4)
{
  static const int steps[] = {0, 150, 330, 700};
  follows("ensemble: {replicas: 256}\n"
          "thermostat: {type: langevin, inverse_temperature: 0.5, friction: 0.5, initial: maxwell}\n"
          "schedule: [{time: 2, temperature: 8}, {time: 5, temperature: 1}]\n",
          0, 1, steps[_i]);
}

/* Even replicas are heated from 1 to 5, odd ones cooled from 4 to 2. */
TEST(replicas_follow_their_own, .rows = 4)
{
  static char text[16384];
  const int replica = _i % 2, steps = _i < 2 ? 0 : 300;
  snprintf(text, sizeof text,
           "ensemble: {replicas: %d}\nthermostat: {type: langevin, friction: 0.5, initial: "
           "maxwell}\nschedule: [{time: 0, temperature: [",
           REPLICAS);
  for (int end = 0; end < 2; end++) {
    for (int r = 0; r < REPLICAS; r++)
      text_append(text, sizeof text, "%s%d", r > 0 ? "," : "", r % 2 == 0 ? 1 + 4 * end : 4 - 2 * end);
    text_append(text, sizeof text, end == 0 ? "]}, {time: 4, temperature: [" : "]}]\n");
  }
  follows(text, replica, 2, steps);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

static const char waters[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 600}\n"
    "thermostat: {temperature: 60 K, friction: 5/ps}\n"
    "schedule: [{time: 0.3 ps, temperature: [100, 150, 200, 250, 300, 350, 400, 450]}, "
    "{time: 1 ps, temperature: 50 K}]\n"
    "ensemble: {replicas: 8}\n"
    "output: {thermo_every: 50, trajectory: [xyz], report: false, progress: false}\n";
static const char box[] = "system: {atoms: {argon: 80}, box: 18 A}\n"
                          "forces: {cutoff: 6 A, coulomb: cutoff}\n"
                          "integrator: {word: BAOAB, timestep: 10 fs, steps: 600}\n"
                          "thermostat: {temperature: 90 K, friction: 1/ps}\n"
                          "barostat: {type: rescale, pressure: 1 bar, every: 7, compressibility: 2e-4/bar}\n"
                          "schedule: [{time: 3 ps, temperature: 120 K, pressure: [1 bar, 300 bar]}, "
                          "{time: 5 ps, pressure: 100 bar}]\n"
                          "ensemble: {replicas: 2}\n"
                          "output: {thermo_every: 50, trajectory: [xyz], report: false, progress: false}\n";

/* Cut between two updates and two moves of the box; threads; the resolved input; parts. */
TEST(cuts_threads_and_parts_are_in_no_bit, .rows = 2, .threads = true)
{
  program_write("run.yaml", _i == 0 ? waters : box);
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --set integrator.steps=333 --threads 2");
  program_runs("run run.yaml -o cut --resume --threads 2");
  program_runs("run whole/input.yaml -o again --force --threads 2");
  static const char *const files[] = {"thermo.csv", "trajectory.xyz", "replicas.csv"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    program_same("whole", "cut", files[i]);
    program_same("whole", "again", files[i]);
  }
  if (_i == 0)
    return;
  program_runs("run run.yaml -o one --force --replicas 0..0");
  program_runs("run run.yaml -o two --force --replicas 1..1");
  program_runs("merge -o merged --force one two");
  program_same("whole", "merged", "thermo.csv");
}

/* A schedule that stays at one value is no schedule; and each replica has its own pressure: that of a run in
 * which all have it. */
TEST(constant_schedules_and_pressures_of_replicas)
{
  program_write("run.yaml", box);
  program_runs("run run.yaml -o plain --force --set schedule= --set barostat.pressure=\"300 bar\"");
  program_runs("run run.yaml -o stays --force --set barostat.pressure= --set thermostat.temperature= --set "
               "'schedule=[{time: 0, temperature: 90 K, pressure: 300 bar}]'");
  program_runs("run run.yaml -o each --force --set barostat.pressure= --set "
               "'schedule=[{time: 0, pressure: [1 bar, 300 bar]}]'");
  program_same("plain", "stays", "trajectory.xyz");
  ResultTable *plain = program_table("plain/replicas.csv"), *each = program_table("each/replicas.csv");
  ck_assert_double_eq(tables_cell(plain, 1, "volume"), tables_cell(each, 1, "volume"));
  ck_assert_double_ne(tables_cell(plain, 0, "volume"), tables_cell(each, 0, "volume"));
  ck_assert_double_eq_tol(tables_cell(each, 1, "enthalpy"), tables_cell(plain, 1, "enthalpy"), 1e-9);
  results_free_table(plain);
  results_free_table(each);
  ck_assert_double_eq_tol(program_summary("stays", "barostat_pressure"), 300.0, 1e-9);
  ck_assert(strstr(program_read("each/summary.yaml"), "barostat_pressure:") == NULL);
}

/* What presumes one temperature is left out where the schedule changes it, and stays where it does so only
 * during equilibration. */
TEST(tests_of_equilibrium_are_left_out)
{
  program_write("run.yaml", waters);
  program_runs("run run.yaml -o varies --force");
  program_does("grep -q '^conditions: varying' varies/summary.yaml");
  ck_assert(strstr(program_read("varies/summary.yaml"), "target_temperature") == NULL);
  ck_assert(strstr(program_read("varies/summary.yaml"), "temperature_expected") == NULL);
  ck_assert(strstr(program_read("varies/summary.yaml"), "rhat") == NULL);
  program_does("grep -q 'tests of equilibrium are left out' varies/results.json");
  program_runs("run run.yaml -o settles --force --set output.equilibration=\"1 ps\"");
  program_does("grep -q '^conditions: constant' settles/summary.yaml");
  ck_assert_double_eq_tol(program_summary("settles", "target_temperature"), 50.0, 1e-9);
  ck_assert_double_eq_tol(program_summary("settles", "temperature_target"), 50.0, 1e-9);
  ResultTable *t = program_table("settles/thermo.csv");
  ck_assert_double_eq_tol(tables_cell(t, 3, "temperature_target"), 275.0, 1e-7);
  results_free_table(t);
  ck_assert_int_eq(program_call("check run.yaml"), 0);
  program_says(
      "temperature: 60 K at 0, 100 to 450 K at 0.3 ps, 50 K at 1 ps, linear between, updated every 10 steps");
  program_says("tests of equilibrium are left out");
}

TEST(what_is_wrong_is_refused)
{
  static const struct {
    const char *set, *words;
  } wrong[] = {{"schedule=[{time: 1 ps, temperature: 100 K}, {time: 0.5 ps, temperature: 50 K}]",
                "schedule[2].time: is before the time of the previous point"},
               {"schedule=[{time: 1 ps}]", "temperature: is missing, and so is pressure"},
               {"schedule=[{time: 1 ps, temperature: [100 K, 50 K]}]", "has 2 values; wanted: one, or 8"},
               {"schedule=[{time: 1 ps, temperature: -3 K}]", "temperature"},
               {"schedule=[{time: 1 ps, temperature: 3 bar}]", "bar"},
               {"schedule=[{time: 0, temperature: 30 K}]", "is also given at time 0 by the schedule"},
               {"schedule=[{time: 1 ps, pressure: 3 bar}]", "changes the pressure, but there is no barostat"},
               {"thermostat.type=none", "changes the temperature, but there is no thermostat"},
               {"geometry.fixman=true", "is defined for one temperature"},
               {"exchange.temperatures=[50, 60, 70]", "contradicts replica exchange"},
               {"output.zero_step_every=10", "needs constant conditions after equilibration"}};
  program_write("run.yaml", waters);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --set \"%s\"%s", wrong[i].set,
                    i == 7   ? " --set integrator.word=BAB"
                    : i == 9 ? " --set thermostat.temperature= --set ensemble.replicas="
                             : "");
  program_refuses(
      "has 3 values; this system runs replicas in batches of 8, here 8 replicas",
      "run run.yaml -o no --set ensemble.replicas=3 --set \"schedule=[{time: 1 ps, temperature: [1, 2, "
      "3]}]\"");
  program_write("box.yaml", box);
  program_refuses(
      "when the volume is fixed (barostat.until: equilibration)",
      "run box.yaml -o no --set barostat.until=equilibration --set output.equilibration=\"1 ps\"");
  program_refuses("dipole needs constant conditions", "run box.yaml -o no --set output.dipole_every=10");
  program_refuses("barostat.pressure: is missing",
                  "run box.yaml -o no --set barostat.pressure= --set schedule=");
  ck_assert(!program_exists("no"));
}

TEST(the_library_does_not_contradict_a_schedule)
{
  Simulation *s =
      scheduled("thermostat: {type: langevin, inverse_temperature: 0.5, friction: 1, initial: maxwell}\n"
                "schedule: [{time: 10, temperature: 4}]\n");
  fine(simulation_start(s, NULL, &error));
  ck_assert_int_eq(simulation_check_temperature(s, 300.0, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "the schedule of the input sets it"));
  ck_assert_int_eq(simulation_set_timestep(s, 0.02, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "cannot be changed with a schedule"));
  fine(simulation_set_friction(s, 2.0, &error));
  fine(simulation_step(s, 500, NULL, &error));
  ck_assert_double_eq_tol(simulation_temperature(s, 0), 3.0, 1e-12);
  simulation_free(s);
}

int main(void) { return program_main("schedule"); }
