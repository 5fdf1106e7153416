/* Runs whose replicas or states differ in parameters of the Hamiltonian: umbrella exchange with free energies
 * by MBAR against quadrature, runs that go on, threads, and what is refused. */
#include "tests/program.h"
#include "tests/tables.h"

enum { STATES = 5 };
static const double kT = 300.0 * 0.0019872043;
static const double centre[STATES] = {3.6, 4.2, 4.8, 5.4, 6.0};
static const char pull[] = "{name: pull, coordinate: distance, atoms: [index 0, index 1], k: 3, centre: 4 A}";
static const char states[] = "{pull.centre: [3.6 A, 4.2, 0.48 nm, 5.4 A, 6 A]}";

/* Two atoms that Morse's potential binds. */
static void begin(const char *exchange, const char *more)
{
  char text[2048];
  program_write("pair.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, 0]}\nmolecules:\n"
                "  pair:\n    atoms: [[A, X, 0, 20], [B, X, 0, 20]]\n"
                "    terms:\n      bond-morse: [[1, 2, 4.0, 2.0, 1.5]]\nsystem:\n  - [pair, 1]\n");
  program_write("pair.xyz", "2\npair\nA 0 0 0\nB 4 0 0\n");
  snprintf(text, sizeof text,
           "system: {topology: pair.yaml, file: pair.xyz, minimise: false}\nrestraints: [%s]\n"
           "integrator: {word: BAOAB, timestep: 20 fs, steps: 400}\n"
           "thermostat: {temperature: 300 K, friction: 2/ps}\nexchange: {%s}\n"
           "output: {thermo_every: 100, report: false, progress: false%s}\n",
           pull, exchange, more);
  program_write("run.yaml", text);
}

static double partition(double at)
{
  double sum = 0.0;
  for (double r = 0.5; r < 15.0; r += 0.002) {
    const double bond = 1.0 - exp(-1.5 * (r - 4.0));
    sum += r * r * exp(-(2.0 * bond * bond + 1.5 * (r - at) * (r - at)) / kT);
  }
  return sum;
}

/* With errors from ladders, and from blocks of time of one ladder. */
TEST(free_energies_are_those_of_quadrature, .rows = 2)
{
  char exchange[256];
  const int ladders = _i == 0 ? 1 : 8;
  snprintf(exchange, sizeof exchange, "parameters: %s, ladders: %d, interval: 20", states, ladders);
  begin(exchange, ", equilibration: 40 ps");
  program_runs("run run.yaml -o f --force --set output.report=true --set integrator.steps=%d",
               ladders == 1 ? 120000 : 40000);
  program_does("grep -q '<h2.*Free energies of the states' f/report.html");
  program_does("grep -q ', 5 states, ' f/report.html && grep -q 'state 4' f/report.html");
  ResultTable *t = program_table("f/ladder.csv");
  for (size_t k = 1; k < STATES; k++) {
    const double right = -log(partition(centre[k]) / partition(centre[0])),
                 f = tables_cell(t, k, "free_energy"), error = tables_cell(t, k, "free_energy_err");
    ck_assert_double_lt(error, 0.12);
    ck_assert_msg(fabs(f - right) < 4.0 * error, "state %zu: %g +- %g, and %g is right", k, f, error, right);
    ck_assert_double_eq(tables_cell(t, k, "parameter_pull.centre"), centre[k]);
    ck_assert_double_gt(tables_cell(t, k - 1, "acceptance"), 0.2);
  }
  results_free_table(t);
}

/* Where a run is cut, how many threads there are, and the input that a run has resolved are in no bit. */
TEST(cuts_and_threads_are_in_no_bit, .rows = 2, .threads = true)
{
  char exchange[256];
  snprintf(exchange, sizeof exchange,
           "parameters: %s, temperatures: [300, 310, 290, 300, 320], ladders: 6, interval: 10, momenta: %s",
           states, _i == 0 ? "rescaled" : "redrawn");
  begin(exchange, "");
  program_runs("run run.yaml -o whole --force --set thermostat.temperature= --threads 1");
  program_runs("run run.yaml -o cut --force --set thermostat.temperature= --set integrator.steps=200 "
               "--threads 2");
  program_runs("run run.yaml -o cut --resume --set thermostat.temperature= --threads 2");
  program_runs("run whole/input.yaml -o again --force");
  static const char *const files[] = {"u_nk.csv", "ladder.csv", "thermo.csv", "final.xyz"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    program_same("whole", "cut", files[i]);
    program_same("whole", "again", files[i]);
  }
}

TEST(what_is_wrong_is_refused)
{
  static const struct {
    const char *set, *words;
  } wrong[] = {
      {"exchange.parameters={pull.center: [3, 4]}",
       "there is no parameter 'pull.center'; did you mean 'pull.centre'?"},
      {"exchange.parameters={field: [3, 4]}", "there are: pull.k, pull.centre"},
      {"exchange.parameters={pull.centre: [3, 4], pull.k: [1, 2, 3]}",
       "pull.centre: has 2 values; wanted: 3, one for each state of the ladder"},
      {"exchange.parameters={pull.centre: [3 A, nan]}",
       "'nan' of pull.centre; wanted: a number of 0 or more in A"},
      {"exchange.parameters={pull.centre: [3 A, 4 fs]}", "'4 fs' of pull.centre"},
      {"exchange.parameters={pull.k: [3, -4]}",
       "'-4' of pull.k; wanted: a number of 0 or more in kcal/mol/A^2"},
      {"exchange.parameters={pull.centre: 3}", "has values for 1 state; wanted: 2 to"},
      {"exchange.tunings=2", "applies only to a ladder of temperatures"},
      {"ensemble.parameters={pull.k: [3, 4]}", "has no meaning with a ladder of states"},
      {"exchange.temperatures=[300, 310, 320]", "wanted: 3, one for each state of the ladder"},
      {"restraints=[{name: a, coordinate: distance, atoms: [index 0, index 1], k: 1, centre: 3}, {name: a, "
       "coordinate: distance, atoms: [index 0, index 1], k: 1, centre: 3}]",
       "there are two parameters 'a.k'"},
      {"restraints=[{name: pull, coordinate: distance, atoms: [index 0, index 1], k: 1}]",
       "centre: is missing"},
      {"restraints=[{name: pull, coordinate: angle, atoms: [index 0, index 1], k: 1, centre: 90}]",
       "has 2; wanted: a list of 3 selections"},
      {"restraints=[{name: pull, coordinate: distance, atoms: [index 0, index 1], k: 1, centre: 3, flat: 1}]",
       "applies only to coordinate: point"},
      {"restraints=[{name: pull, coordinate: distance, atoms: [index 0, index 1], k: 1, centre: -3}]",
       "is a value that no distance has; wanted: a number of 0 or more"},
      {"restraints=[{name: pull, coordinate: distance, atoms: [index 1, index 1], k: 1, centre: 3}]",
       "sites 1 and 2 have the same atoms"},
      {"restraints=[{name: pull, coordinate: gyration, atoms: index 0, k: 1, centre: 3}]",
       "one atom has no radius of gyration"},
      {"restraints=[{name: pull, coordinate: hight, atoms: [index 0, index 1], k: 1, centre: 3}]",
       "did you mean 'height'"},
      {"exchange.number=5", "remove the line"},
      {"exchange.acceptance=0.3", "applies only to a ladder of temperatures"},
      {"ensemble.replicas=4", "1 ladder of 5 states"},
      {"restraints=[{atoms: all, k: 1, centre: 3}]", "applies to a coordinate"},
      {"restraints=[{name: p, atoms: all, k: [1, 2, 3]}]", "has one k, which is a parameter"},
      {"restraints=[{name: 1p, atoms: all, k: 1}]", "'1p' is not a name of a parameter"},
      {"restraints=[{name: pull, coordinate: distance, atoms: [index 0, index 7], k: 1, centre: 3}]",
       "atoms"}};
  char exchange[256];
  snprintf(exchange, sizeof exchange, "parameters: %s", states);
  begin(exchange, ", equilibration: 1 ps");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --set \"%s\"", wrong[i].set);
  program_refuses("has 2 values; wanted: 3, one for each replica",
                  "run run.yaml -o no --set exchange.parameters= --set ensemble.replicas=3 --set "
                  "\"ensemble.parameters={pull.k: [3, 4]}\"");
  program_refuses("pull.k: has 3 values; this system runs replicas in batches of 8, here 8 replicas",
                  "run run.yaml -o no --set exchange.parameters= --set ensemble.replicas=3 --set "
                  "\"ensemble.parameters={pull.k: [3, 4, 5]}\"");
  program_refuses("'nan' of field", "run run.yaml -o no --set \"parameters={field: nan}\"");
  ck_assert(strstr(program_output, "wanted: one") == NULL);
  ck_assert(!program_exists("no"));
}

/* A restraint along an axis leaves the motion of the whole conserved, and its rotation not. */
TEST(rotation_is_not_removed_with_a_height)
{
  begin("parameters: {pull.centre: [1, -2]}", "");
  ck_assert_int_eq(
      program_call("check run.yaml --set thermostat.remove=linear --set 'restraints=[{name: pull, "
                   "coordinate: height, atoms: [index 0, index 1], k: 1, centre: 3}]'"),
      0);
  program_refuses(
      "thermostat.remove: restraints along an axis",
      "check run.yaml --set thermostat.remove=angular --set \"restraints=[{name: pull, coordinate: "
      "height, atoms: [index 0, index 1], k: 1, centre: 3}]\"");
}

/* The centre of an angle is no length. */
TEST(angles_have_no_unit_to_ask_for)
{
  begin("parameters: {a.centre: [100, 120]}", "");
  program_do(
      "sed -i 's/A 0 0 0/A 0 0 0\\nB 1 3 0/; s/^2$/3/; s/, \\[B, X, 0, 20\\]\\]/, [B, X, 0, 20], [C, X, 0, "
      "20]]/' pair.xyz pair.yaml");
  program_do("sed -i 's/B 4 0 0/C 4 0 0/' pair.xyz");
  program_runs("check run.yaml --set 'restraints=[{name: a, coordinate: angle, atoms: [index 0, "
               "index 1, index 2], k: 10, centre: 110}]'");
  ck_assert_msg(strstr(program_output, "110 A") == NULL, "%s", program_output);
}

/* Energies of single frames are in one state, and say in which. */
TEST(energies_say_whose_parameters_they_have)
{
  begin("parameters: {pull.centre: [3, 5]}", "");
  program_runs("energy run.yaml");
  program_says("note: all energies use the parameters of the first state: pull.centre 3 A");
  ck_assert_double_eq_tol(program_number("coordinate_restraint"), 1.5, 1e-12);
  program_runs("energy run.yaml --set exchange.parameters= --set exchange.ladders=");
  ck_assert_msg(strstr(program_output, "note: all") == NULL, "%s", program_output);
}
