/* Whole runs with ladders of boxes: free energies and volumes against quadrature, files of each state, the
 * same bytes for any threads, cuts and parts, and what is refused. */
#include "tests/pair_in_gas.h"
#include "tests/tables.h"

enum { STATES = 4, MOLECULES = 6 };
static const double kT = 300.0 * 0.0019872043, bar = 1.0 / 69476.95;
static const double centre[STATES] = {3.6, 4.2, 4.8, 5.4};

static void begin(const char *exchange, const char *barostat, const char *more)
{
  char text[2048];
  write_pair();
  snprintf(text, sizeof text,
           PAIR_SYSTEM
           "restraints: [{name: pull, coordinate: distance, atoms: [index 0, index 1], k: 3, centre: 4 A}]\n"
           "integrator: {word: BAOAB, timestep: 20 fs, steps: 120}\n"
           "thermostat: {temperature: 300 K, friction: 2/ps}\nexchange: {%s}\n%s"
           "output: {thermo_every: 30, report: false, progress: false, rdf_every: 0%s}\n",
           exchange, barostat, more);
  program_write("run.yaml", text);
}

static double partition(double at)
{
  double sum = 0.0;
  for (double r = 0.5; r < 15.0; r += 0.002) {
    sum += r * r * exp(-(pair_energy(r) + 1.5 * (r - at) * (r - at)) / kT);
  }
  return sum;
}

static void compare(const ResultTable *t, size_t row, const char *name, double right, double most)
{
  char error[64];
  snprintf(error, sizeof error, "%s_err", name);
  const double x = tables_cell(t, row, name), dx = tables_cell(t, row, error);
  ck_assert_double_lt(dx, most);
  ck_assert_msg(fabs(x - right) < 5.0 * dx, "state %zu: %s %g +- %g, and %g is right", row, name, x, dx,
                right);
}

/* Centres of a restraint at constant pressure, and at a pressure of each state. Z is a product of that of the
 * bond and (kT/P)^(N + 1). */
TEST(free_energies_and_volumes, .rows = 2)
{
  static const double pressure[2][STATES] = {{20, 20, 20, 20}, {20, 25, 30, 36}};
  begin(_i == 0 ? "parameters: {pull.centre: [3.6 A, 4.2, 4.8, 5.4 A]}, ladders: 8, interval: 10"
                : "parameters: {pull.centre: [3.6 A, 4.2, 4.8, 5.4 A]}, ladders: 8, interval: 10, "
                  "pressures: [20 bar, 25 bar, 30 bar, 36 bar]",
        _i == 0 ? "barostat: {type: monte-carlo, pressure: 20 bar, every: 2}\n"
                : "barostat: {type: monte-carlo, every: 2}\n",
        ", equilibration: 8 ps");
  program_runs("run run.yaml -o f --force --set integrator.steps=1200");
  ResultTable *t = program_table("f/ladder.csv");
  for (size_t k = 0; k < STATES; k++) {
    const double P = pressure[_i][k], share = (MOLECULES + 1) * log(P / pressure[_i][0]);
    if (k > 0)
      compare(t, k, "free_energy", share - log(partition(centre[k]) / partition(centre[0])), 0.5);
    compare(t, k, "volume", (MOLECULES + 1) * kT / (P * bar), 0.1 * (MOLECULES + 1) * kT / (P * bar));
    ck_assert_double_eq(tables_cell(t, k, "parameter_pull.centre"), centre[k]);
    ck_assert_double_eq_tol(tables_cell(t, k, "pressure"), P, 1e-9 * P);
  }
  results_free_table(t);
  program_does("sed -n 1p f/u_nk.csv | grep -q '^ladder,state,u_0,u_1,u_2,u_3,volume$'");
  program_does("test %d = 0 || grep -q '  pressures: .20, 25, 30, 36. # bar' f/summary.yaml", _i);
}

/* Water at constant volume and at constant pressure, of states of temperature or pressure. */
static const char *const water[] = {
    "exchange: {temperatures: [300 K, 320 K, 345 K], ladders: 2, interval: 6}\n",
    "exchange: {temperatures: [300 K, 320 K, 320 K], pressures: [1 bar, 1 bar, 2 kbar], ladders: 2, "
    "interval: 6}\nbarostat: {type: rescale, every: 3}\n",
    "exchange: {temperatures: [300 K, 320 K, 345 K], ladders: 2, interval: 6, tunings: 2, momenta: redrawn}\n"
    "barostat: {type: monte-carlo, pressure: 1 bar, every: 4}\n"};

static void write_water(int of)
{
  char text[1024];
  snprintf(text, sizeof text,
           "precision: mixed\nsystem: {model: tip3p, molecules: 32, density: 0.98 g/cm3}\n"
           "forces: {cutoff: 4.6 A, coulomb: reaction-field}\ngeometry: {method: settle}\n"
           "integrator: {word: BAOAB, timestep: 2 fs, steps: 90}\nthermostat: {friction: 5/ps}\n%s"
           "output: {equilibration: 60 fs, thermo_every: 10, rdf_every: 10, rdf_max: 3 A, report: false, "
           "progress: false, trajectory: [xyz], trajectory_every: 20, trajectory_replica: all}\n",
           water[of]);
  program_write("water.yaml", text);
}

/* All results are equal. */
static void same(const char *one, const char *other)
{
  program_does("diff -r -x holonom.log -x holonom.files -x input.yaml -x 'checkpoint.*' -x summary.yaml -x "
               "results.json -x '*.png' -x '*.pdf' -x '*.svg' -x '*.gp' -x '*.dat' -x '*.plot.json' %s %s",
               one, other);
}

/* One thread, two threads after a restart, and two parts. */
TEST(threads_cuts_and_parts, .rows = suite_rows(2, 3), .threads = true)
{
  write_water(_i);
  program_runs("run water.yaml -o whole --force --threads 1");
  program_runs("run water.yaml -o cut --force --threads 1 --set integrator.steps=43");
  program_runs("run water.yaml -o cut --resume --threads 2");
  same("whole", "cut");
  program_does("test -s whole/slot-5/gofr.csv && test -s whole/slot-5/trajectory.xyz");
  if (_i > 0)
    program_does("test -s whole/states.csv && test -s whole/slot-5/volume.csv");
  if (_i == 2) /* tunings need all ladders in one process */
    return;
  program_runs("run water.yaml -o 0..2 --force --threads 1 --replicas 0..2");
  program_runs("run water.yaml -o 3..5 --force --threads 1 --replicas 3..5");
  program_runs("merge 0..2 3..5 -o merged --force --threads 1");
  same("whole", "merged");
}

/* With one ladder the results of a state are those of its slot; of two the distances are the means. */
TEST(results_of_states)
{
  write_water(0);
  program_runs("run water.yaml -o one --force --set exchange.ladders=1 --set output.report=true");
  program_does("grep -q '<h2.*Distances of O-O by temperature' one/report.html");
  program_runs("run water.yaml -o both --force");
  ResultTable *one = program_table("one/rdf_ladder.csv"), *own = program_table("one/slot-2/gofr.csv"),
              *both = program_table("both/rdf_ladder.csv"), *a = program_table("both/slot-1/gofr.csv"),
              *b = program_table("both/slot-4/gofr.csv");
  ck_assert_uint_eq(one->nrow, own->nrow);
  for (size_t i = 0; i < one->nrow; i++) {
    ck_assert_double_eq_tol(tables_cell(one, i, "g2_O-H"), tables_cell(own, i, "g_O-H"), 1e-6);
    ck_assert_double_eq_tol(tables_cell(both, i, "g1_O-H"),
                            0.5 * (tables_cell(a, i, "g_O-H") + tables_cell(b, i, "g_O-H")), 1e-6);
  }
  results_free_table(one);
  results_free_table(own);
  results_free_table(both);
  results_free_table(a);
  results_free_table(b);
}

TEST(what_is_refused)
{
  write_water(0);
  program_refuses("it needs a constant temperature, which a ladder changes",
                  "run water.yaml -o no --set output.msd_every=10");
  program_refuses("a ladder has several", "run water.yaml -o no --set output.zero_step_every=10");
  program_refuses("exchange.reweight", "run water.yaml -o no --set 'exchange.reweight=[310 K]'");
}

/* Exchanges of parameters and moves of the box at the same steps, cut between them. */
TEST(parameters_continue)
{
  begin("parameters: {pull.centre: [3.6 A, 4.2, 4.8, 5.4 A]}, ladders: 2, interval: 4, "
        "pressures: [20 bar, 25 bar, 30 bar, 36 bar]",
        "barostat: {type: rescale, every: 2}\n", ", equilibration: 400 fs");
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --threads 2 --set integrator.steps=56");
  program_runs("run run.yaml -o cut --resume --threads 1");
  static const char *const files[] = {"u_nk.csv", "ladder.csv", "thermo.csv", "final.gro"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    program_same("whole", "cut", files[i]);
}

/* check prints the temperatures that an acceptance needs. */
TEST(check_prints_the_temperatures)
{
  write_water(0);
  program_runs("check water.yaml --set exchange.temperatures= --set exchange.lowest=300 --set "
               "exchange.highest=360 --set exchange.acceptance=0.3");
  program_says("replicas: 2 ladders of 3 states, at 300, 328.63, 360 K");
}

/* Hydrogen bonds of a state are counted; lifetimes would mix configurations. */
TEST(bonds_without_lifetimes)
{
  write_water(0);
  program_runs(
      "run water.yaml -o bonds --force --set exchange.ladders=1 --set output.hydrogen_bonds_every=10");
  program_does("grep -q '\"hydrogen_bonds\"' bonds/states.csv && ! grep -q lifetime bonds/states.csv");
  ck_assert(!program_exists("bonds/slot-0/hydrogen_bonds.csv"));
}
