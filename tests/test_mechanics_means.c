/* Ensembles of mechanical systems: starts from a table, means over replicas with their errors against time
 * and over it, and what is refused. */
#include "observables/statistics.h"
#include "tests/program.h"
#include "tests/tables.h"

enum { MANY = 40 };
static const double mass = 2.0, stiffness = 3.0;

static const char oscillators[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 2\n"
    "  file: starts.csv\n"
    "  sites: [{mass: 2, position: [7, \"0.1*r\"], momentum: [0, 1]}]\n"
    "  potentials: [{type: link, site: 1, stiffness: 3}]\n"
    "integrator: {word: BAB, timestep: 0.001, steps: 2000}\n"
    "output: {trajectory_every: 500, progress: false, observables: {square: \"x1^2\", twice: "
    "\"2*px1 + 0*t\"}}\n";

static const char walkers[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 1\n"
    "  sites: [{mass: 1, position: [0]}]\n"
    "  potentials: [{type: link, site: 1, stiffness: 1}]\n"
    "integrator: {word: BAOAB, timestep: 0.2, steps: 3000}\n"
    "thermostat: {type: langevin, temperature: 2, friction: 1, initial: maxwell}\n"
    "output: {trajectory_every: 20, equilibration: 20, progress: false, observables: {s: \"x1^2\"}}\n";

/* Wells at two temperatures, which replicas exchange all the time. */
static const char wells[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 3\n"
    "  sites: [{mass: 1, position: [0.1, 0, 0]}]\n"
    "  potentials: [{type: link, site: 1, stiffness: 1}]\n"
    "integrator: {word: BAOAB, timestep: 0.3, steps: 8000}\n"
    "thermostat: {type: langevin, friction: 1, initial: maxwell}\n"
    "exchange: {temperatures: [1, 2], ladders: 10, interval: 10}\n"
    "output: {trajectory_every: 25, equilibration: 30, progress: false, report: false, "
    "observables: {square: \"x1^2 + y1^2 "
    "+ z1^2\"}}\n";

/* x and v of the starts, as they are in the table. */
static double x0[MANY], v0[MANY];

static void setup(void)
{
  FILE *file = program_create("starts.csv");
  srand48(5);
  fprintf(file, "# a comment\nreplica, x1 ,vx1\n");
  for (int r = 0; r < MANY; r++) {
    x0[r] = 2.0 * drand48() - 0.5;
    v0[r] = 2.0 * drand48() - 1.0;
    fprintf(file, "%d,%.17g,%.17g\n", r, x0[r], v0[r]);
  }
  ck_assert_int_eq(fclose(file), 0);
  program_write("osc.yaml", oscillators);
  program_write("walk.yaml", walkers);
  program_write("wells.yaml", wells);
}

static void runs(const char *arguments) { program_runs("run %s --quiet --force", arguments); }

/* mean and error of a line of `means:` in summary.yaml. */
static void summary_mean(const char *dir, const char *name, double *mean, double *error)
{
  char file[64], start[64];
  snprintf(file, sizeof file, "%s/summary.yaml", dir);
  snprintf(start, sizeof start, "\n  %s: {", name);
  const char *at = strstr(program_read(file), start);
  ck_assert_msg(at != NULL, "%s has no mean of %s", dir, name);
  ck_assert_int_eq(sscanf(at + strlen(start), "mean: %lf, error: %lf", mean, error), 2);
}

/* Every row is the mean of the oscillators' known motion, and its error that of independent numbers. */
TEST(means_are_those_of_the_known_motion)
{
  const double w = sqrt(stiffness / mass);
  runs("osc.yaml -o osc");
  ResultTable *t = program_table("osc/ensemble.csv");
  ck_assert_uint_eq(t->nrow, 5);
  for (size_t i = 0; i < t->nrow; i++) {
    const double time = tables_cell(t, i, "time");
    ck_assert_double_eq_tol(time, 0.5 * (double)i, 1e-12);
    double x[MANY], p[MANY], square[MANY], energy[MANY], mean, error;
    for (int r = 0; r < MANY; r++) {
      x[r] = x0[r] * cos(w * time) + v0[r] / w * sin(w * time);
      p[r] = mass * (v0[r] * cos(w * time) - x0[r] * w * sin(w * time));
      square[r] = x[r] * x[r];
      /* The other coordinate is that of the record. */
      energy[r] = 0.5 * mass * v0[r] * v0[r] + 0.5 * stiffness * (x0[r] * x0[r] + 0.01 * r * r) + 0.25;
    }
    const struct {
      const char *name, *err;
      const double *sample;
    } rows[] = {{"x1", "x1_err", x},
                {"px1", "px1_err", p},
                {"square", "square_err", square},
                {"total", "total_err", energy}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
      statistics_mean(rows[k].sample, MANY, &mean, &error);
      ck_assert_double_eq_tol(tables_cell(t, i, rows[k].name), mean, 1e-5);
      ck_assert_double_eq_tol(tables_cell(t, i, rows[k].err), error, 1e-5);
    }
    ck_assert_double_eq_tol(tables_cell(t, i, "twice"), 2.0 * tables_cell(t, i, "px1"), 1e-9);
  }
  ck_assert_int_eq(tables_find(t, "largest_g_err"), -1);
  results_free_table(t);
  t = program_table("osc/replicas.csv");
  ck_assert_uint_eq(t->nrow, MANY);
  double all[MANY], mean, error, said, said_error;
  for (size_t r = 0; r < MANY; r++)
    all[r] = tables_cell(t, r, "square");
  results_free_table(t);
  statistics_mean(all, MANY, &mean, &error);
  summary_mean("osc", "square", &said, &said_error);
  ck_assert_double_eq_tol(said, mean, 1e-9);
  ck_assert_double_eq_tol(said_error, error, 1e-9);
  ck_assert_double_eq(program_summary("osc", "replicas"), MANY);
  ck_assert_double_eq(program_summary("osc", "samples"), 4); /* not the start */
}

/* In equilibrium the means are those of theory, within errors that are not too large: of replicas, and of one
 * series. BAOAB samples the place of an oscillator exactly. */
TEST(averages_are_in_equilibrium, .rows = 2)
{
  const char *const set = _i == 0 ? "--set ensemble.replicas=32" : "--set integrator.steps=60000";
  char arguments[256];
  double mean, error;
  snprintf(arguments, sizeof arguments, "walk.yaml -o walk %s", set);
  runs(arguments);
  summary_mean("walk", "s", &mean, &error);
  ck_assert_msg(fabs(mean - 2.0) < 4.0 * error && error > 0.01 && error < 0.2, "%g +- %g", mean, error);
  summary_mean("walk", "potential", &mean, &error);
  ck_assert_msg(fabs(mean - 1.0) < 4.0 * error && error > 0.005 && error < 0.1, "%g +- %g", mean, error);
  ck_assert((strstr(program_read("walk/ensemble.csv"), "s_err") != NULL) == (_i == 0));
  ResultTable *t = program_table("walk/replicas.csv");
  ck_assert_uint_eq(t->nrow, _i == 0 ? 32 : 1);
  results_free_table(t);
  ck_assert_double_lt(program_summary("walk", "rhat"), 1.1);
}

/* A list of two of a line of `means:`. */
static void summary_means(const char *dir, const char *name, double mean[2], double error[2])
{
  char file[64], start[64];
  snprintf(file, sizeof file, "%s/summary.yaml", dir);
  snprintf(start, sizeof start, "\n  %s: {", name);
  const char *at = strstr(program_read(file), start);
  ck_assert_msg(at != NULL, "%s has no means of %s", dir, name);
  ck_assert_int_eq(sscanf(at + strlen(start), "mean: [%lf, %lf], error: [%lf, %lf]", &mean[0], &mean[1],
                          &error[0], &error[1]),
                   4);
}

/* With a ladder each temperature has its own law: 3/2 kT in the well, in every file; of one ladder with
 * errors from blocks. */
TEST(ladders_go_by_temperature, .rows = 2)
{
  const int ladders = _i == 0 ? 10 : 1;
  char arguments[128];
  snprintf(arguments, sizeof arguments, "wells.yaml -o wells --set exchange.ladders=%d", ladders);
  runs(arguments);
  ResultTable *t = program_table("wells/replicas.csv");
  ck_assert_uint_eq(t->nrow, 2 * (size_t)ladders);
  for (int k = 0; k < 2; k++) {
    static const char *const names[] = {"potential", "square"};
    for (int c = 0; c < 2; c++) {
      const double law = (c == 0 ? 1.5 : 3.0) * (k + 1);
      double all[10], mean, error, said[2], said_error[2];
      for (int a = 0; a < ladders; a++) {
        const size_t row = (size_t)(2 * a + k);
        ck_assert_double_eq(tables_cell(t, row, "slot"), 2 * a + k);
        ck_assert_double_eq(tables_cell(t, row, "target"), k + 1);
        all[a] = tables_cell(t, row, names[c]);
      }
      statistics_mean(all, ladders, &mean, &error);
      summary_means("wells", names[c], said, said_error);
      ck_assert_double_eq_tol(said[k], mean, 1e-9);
      ck_assert(ladders == 1 || fabs(said_error[k] - error) < 1e-9);
      ck_assert_msg(fabs(said[k] - law) < 4.0 * said_error[k] && said_error[k] > 0.0 &&
                        said_error[k] < (ladders == 1 ? 0.1 : 0.04) * law,
                    "%s at %d: %g +- %g for %g", names[c], k + 1, said[k], said_error[k], law);
    }
  }
  results_free_table(t);
}

/* Rows against time are of a temperature each, and so is the trajectory: of one ladder the same numbers. A
 * replica by itself goes through both. */
TEST(rows_go_by_temperature, .rows = 2)
{
  char arguments[160];
  snprintf(arguments, sizeof arguments,
           "wells.yaml -o rows --set exchange.ladders=1 --set output.trajectory_replica=1%s",
           _i == 0 ? "" : " --set exchange.trajectory=replica");
  runs(arguments);
  ResultTable *t = program_table("rows/ensemble.csv"), *one = program_table("rows/trajectory.csv"),
              *energy = program_table("rows/energy.csv");
  ck_assert_uint_eq(t->nrow, 2 * one->nrow);
  int hot = 0, cold = 0;
  for (size_t i = 0; i < one->nrow; i++) {
    double at[2];
    for (size_t k = 0; k < 2; k++) {
      ck_assert_double_eq(tables_cell(t, 2 * i + k, "target"), (double)k + 1.0);
      ck_assert_double_eq_tol(tables_cell(t, 2 * i + k, "time"), tables_cell(one, i, "time"), 1e-9);
      at[k] = tables_cell(t, 2 * i + k, "x1");
    }
    const double x = tables_cell(one, i, "x1");
    const int is_hot = fabs(x - at[1]) < 1e-9;
    ck_assert(is_hot || fabs(x - at[0]) < 1e-9);
    hot += is_hot;
    cold += !is_hot;
    ck_assert_double_eq_tol(tables_cell(energy, i, "potential"),
                            tables_cell(t, 2 * i + (is_hot ? 1 : 0), "potential"), 1e-9);
  }
  ck_assert_int_eq(cold > 0, _i == 1);
  ck_assert_int_gt(hot, 0);
  results_free_table(t);
  results_free_table(one);
  results_free_table(energy);
}

/* What two runs leave, the second a resumption of the first, is what one leaves. */
TEST(means_go_on_to_the_bit, .rows = 2)
{
  const char *const set = _i == 0 ? "--set ensemble.replicas=9" : "";
  char arguments[256];
  snprintf(arguments, sizeof arguments, "walk.yaml -o whole %s", set);
  runs(arguments);
  snprintf(arguments, sizeof arguments, "walk.yaml -o parts %s --set integrator.steps=1010", set);
  runs(arguments);
  program_runs("run walk.yaml -o parts --quiet --resume %s", set);
  program_same("whole", "parts", "ensemble.csv");
  if (_i == 0)
    program_same("whole", "parts", "replicas.csv");
  double a[2], b[2];
  summary_mean("whole", "s", &a[0], &a[1]);
  summary_mean("parts", "s", &b[0], &b[1]);
  ck_assert(a[0] == b[0] && a[1] == b[1]);
}

/* The last row of a trajectory is a start; one row serves all replicas. */
TEST(trajectories_are_starts)
{
  runs("osc.yaml -o first");
  ResultTable *t = program_table("first/trajectory.csv");
  char text[512];
  const size_t last = t->nrow - 1;
  snprintf(text, sizeof text, "time,x1,y1,px1,py1\n%.17g,%.17g,%.17g,%.17g,%.17g\n",
           tables_cell(t, last, "time"), tables_cell(t, last, "x1"), tables_cell(t, last, "y1"),
           tables_cell(t, last, "px1"), tables_cell(t, last, "py1"));
  program_write("last.csv", text);
  runs("osc.yaml -o second --set system.file=last.csv --set ensemble.replicas=3");
  ResultTable *s = program_table("second/ensemble.csv");
  static const char *const names[] = {"x1", "y1", "px1", "py1"};
  for (int k = 0; k < 4; k++)
    ck_assert_double_eq_tol(tables_cell(s, 0, names[k]), tables_cell(t, last, names[k]), 1e-11);
  ck_assert_double_eq(tables_cell(s, 0, "x1_err"), 0.0);
  results_free_table(t);
  results_free_table(s);
}

TEST(what_is_wrong_is_named)
{
  static const struct {
    const char *table, *set, *says;
  } bad[] = {
      {"x1,vx3\n1,2\n", "", "bad.csv:1: there is no coordinate or momentum 'vx3'; did you mean 'v"},
      {"# c\n\nx1,vx1\n1,2\n3,nan\n", "", "bad.csv:5: 'vx1' is nan"},
      {"x1,vx1\n1,2\n3\n", "", "bad.csv:3: expected 2 numbers"},
      {"x1,vx1\n1,2\nabc,3\n", "", "bad.csv:3: expected 2 numbers"},
      {"px1,vx1\n1,2\n", "", "'px1' and 'vx1' are the same column"},
      {"x1,x1\n1,2\n", "", "'x1' and 'x1' are the same column"},
      {"x1,vx1\n", "", "has no row of start values"},
      {"", "", "no line of column names"},
      {"x1\n1\n2\n3\n", "--set ensemble.replicas=7", "7 replicas were requested, but bad.csv has 3 rows"},
      {"x1\n1\n", "--set system.file=absent.csv", "absent.csv"},
      {"x1\n1\n", "--set 'output.observables={x1: 2}'", "output.observables.x1: is already a column"},
      {"x1\n1\n", "--set 'output.observables={a b: 2}'", "is not a name"},
      {"x1\n1\n", "--set 'output.observables={a: x1 + x7}'", "unknown name 'x7'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (int check = 0; check < 2; check++) {
      program_write("bad.csv", bad[i].table);
      const int code = program_call("%s osc.yaml --set system.file=bad.csv %s%s", check ? "check" : "run",
                                    bad[i].set, check ? "" : " -o none --quiet");
      ck_assert_msg(code == 2, "%zu: exit code %d: %s", i, code, program_output);
      program_says(bad[i].says);
      ck_assert(!program_exists("none"));
    }
}

/* A formula without a value ends the run with readable files. */
TEST(an_observable_without_a_value)
{
  ck_assert_int_eq(program_call("run osc.yaml -o half --quiet --set 'output.observables={a: 1/(t - 1)}'"), 3);
  program_says("output.observables.a is not a finite number at time 1 in replica 0");
  ResultTable *t = program_table("half/ensemble.csv");
  ck_assert_uint_eq(t->nrow, 2);
  results_free_table(t);
}

/* One replica's formula loses its value in the midst of a stretch of steps, when other threads may be ahead:
 * the files end at the last row that all replicas have, to the bit for any number of threads; also where a
 * team is at work on one replica. */
TEST(a_lost_value_ends_all_files_alike, .rows = 2)
{
  static const char *const files[] = {"trajectory.csv", "energy.csv", "ensemble.csv"};
  const char *const common =
      "--set output.thermo_every=10 --set output.trajectory_every=20 --set system.file= "
      "--set 'output.observables={a: log(1 + x1 - 7 + 0.5 - t)}'";
  const int replicas = _i == 0 ? MANY : 1;
  for (int threads = 1; threads <= 4; threads += 3) {
    ck_assert_int_eq(program_call("run osc.yaml -o t%d --quiet --force --set ensemble.replicas=%d --set "
                                  "ensemble.threads=%d %s",
                                  threads, replicas, threads, common),
                     3);
    program_says("output.observables.a is not a finite number at time ");
  }
  for (int i = 0; i < 3; i++)
    program_do("cmp t1/%s t4/%s", files[i], files[i]);
  ResultTable *t = program_table("t1/ensemble.csv");
  ck_assert_uint_gt(t->nrow, 2);
  results_free_table(t);
}

int main(void)
{
  suite_fixture(false, setup, NULL);
  return program_main("mechanics_means");
}
