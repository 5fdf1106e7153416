/* holonom study: every run of every point with its settings, nothing run twice, verdicts in files; and the
 * comparison of ladders of temperatures. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/compare.h"
#include "observables/extremum.h"
#include "tests/program.h"
#include "tests/tables.h"

static const char base[] =
    "seed: 1\n"
    "system: {model: tip3p, molecules: 2, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, time: 1 ps}\n"
    "thermostat: {type: langevin, friction: 5/ps, temperature: 50 K}\n"
    "ensemble: {replicas: 16}\n"
    "output: {equilibration: 0.2 ps, thermo_every: 20, rdf_every: 20, report: false}\n";

static const char study[] = "title: Two waters\n"
                            "base: base.yaml\n"
                            "margin: 40%\n"
                            "set: [seed=7]\n"
                            "runs:\n"
                            "  - {name: rigid}\n"
                            "  - {name: w = 100, set: [geometry.method=penalty, geometry.w=100]}\n"
                            "vary:\n"
                            "  - {key: thermostat.temperature, values: [50 K, 90 K]}\n"
                            "  - {key: integrator.timestep, values: [1 fs, 2 fs]}\n";

#define POINT "s/thermostat.temperature-90-K-integrator.timestep-1-fs"

static void write_inputs(void)
{
  program_write("base.yaml", base);
  program_write("study.yaml", study);
}

static void read_csv(const char *name, ResultTable **table)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_int_eq(results_csv_load(table, path, NULL), STATUS_OK);
}

/* Every combination once, with the settings of the file, of the lists, of the run and of the call. */
TEST(combinations)
{
  write_inputs();
  program_do("rm -rf s; $P study study.yaml -o s --list --set ensemble.replicas=8 > list");
  const char *list = program_read("list");
  int lines = 0;
  for (const char *at = list; (at = strchr(at, '\n')) != NULL; at++)
    lines++;
  ck_assert_int_eq(lines, 8);
  ck_assert_ptr_nonnull(strstr(list,
                               POINT "/w-100: seed=7 thermostat.temperature=90 K integrator.timestep=1 fs "
                                     "geometry.method=penalty geometry.w=100 ensemble.replicas=8\n"));
  ck_assert(!program_exists("s"));
}

/* A run of a study is the run of the same settings by itself; the same call again takes no step; one that was
 * lost is made anew to the bit. */
TEST(runs_are_made_once)
{
  write_inputs();
  program_do("rm -rf s t; $P study study.yaml -o s --quiet > first");
  program_do("$P run base.yaml -o t --quiet --set seed=7 --set 'thermostat.temperature=90 K' --set "
             "'integrator.timestep=1 fs' --set title=rigid");
  static const char *const same[] = {"thermo.csv", "replicas.csv", "rdf_replicas.csv", "final.xyz"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    program_same("t", POINT "/rigid", same[i]);
  program_do("cp -r s u; rm -r u/thermostat.temperature-50-K-integrator.timestep-2-fs/rigid");
  program_do(
      "$P study study.yaml -o u --quiet > second; sed -i s,u/,s/,g second; sed -i 's/in u/in s/' second; "
      "cmp first second");
  program_same("s", "u", "study.csv");
}

/* A row a test: a pair at each point, the reference first, and what each run cost. */
TEST(files)
{
  write_inputs();
  program_do("rm -rf s; $P study study.yaml -o s > said");
  const char *said = program_read("said");
  ck_assert_ptr_nonnull(strstr(said, "4 comparisons with a reference"));
  ck_assert_ptr_nonnull(strstr(said, "run 8 of 8"));
  /* How long the rest takes is told by the steps that were taken, which runs that have ended have none of. */
  program_do("test $(grep -c ', about .* left$' said) = 7; $P study study.yaml -o s > told; test $(grep -c "
             "left told) = 0");
  ck_assert(program_exists("s/study.html") && program_exists(POINT "/compare.csv"));
  program_do("test $(grep -c '\"rigid\",\"w = 100\",\"energy\"' s/study.csv) = 4");
  program_do("test $(grep -c , s/study_runs.csv) = 9");
  /* What the runs left in memory and what is read from their folders are the same numbers, to the bit. */
  program_do("$P compare " POINT "/rigid " POINT
             "/w-100 --margin 40%% -o again > said && cmp again/compare.csv " POINT
             "/compare.csv && cmp again/compare_runs.csv " POINT "/compare_runs.csv");
  /* Microseconds a step are the reciprocal of the run's own rate. */
  const double rate = program_summary(POINT "/rigid", "replica_steps_per_second");
  program_do("grep '90 K, integrator.timestep 1 fs\",\"rigid' s/study_runs.csv | awk -F, '{printf \"us "
             "%%s\\n\", $(NF-2)}' "
             "> us");
  ck_assert_double_eq_tol(strtod(program_read("us") + 3, NULL) * rate, 1e6, 10.0);
}

/* The polynomial of degree 4 through five values, by Lagrange. */
static double through(const double *x, const double *y, double at)
{
  double sum = 0.0;
  for (int i = 0; i < 5; i++) {
    double part = y[i];
    for (int k = 0; k < 5; k++)
      part *= k != i ? (at - x[k]) / (x[i] - x[k]) : 1.0;
    sum += part;
  }
  return sum;
}

/* Extrema over the first list, of each run, or of the runs of the list: in words, as a table, drawn. */
TEST(extrema)
{
  static const char list[] = "{key: seed, values: [1, 2, 3, 5, 8]}",
                    wish[] = "extrema: [{quantity: energy, degree: 4}]\n";
  char text[1024];
  write_inputs();
  snprintf(text, sizeof text, "base: base.yaml\nvary: [%s]\n%s", list, wish);
  program_write("one.yaml", text);
  program_do("rm -rf s; $P study one.yaml -o s > said");
  ck_assert(program_exists("s/study_extrema.plot.json"));
  double x[] = {1.0, 2.0, 3.0, 5.0, 8.0}, y[5], at, error, value;
  const double step = 1e-3;
  program_do("sed -n 's/.*\"maximum\",//p' s/study_extrema.csv > row");
  ck_assert_int_eq(sscanf(program_read("row"), "%lf,%lf,\"\",%lf", &at, &error, &value), 3);
  for (int i = 0; i < 5; i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "s/%g", x[i]);
    y[i] = program_summary(folder, "potential");
  }
  ck_assert(at > 1.0 && at < 8.0 && error > 0.0);
  ck_assert_double_eq_tol(value, through(x, y, at), 1e-6 * fabs(value));
  ck_assert_double_lt(through(x, y, at - step), through(x, y, at));
  ck_assert_double_lt(through(x, y, at + step), through(x, y, at));
  ck_assert_ptr_nonnull(strstr(program_read("said"), "energy: maximum at seed "));
  program_do("grep -q 'maximum at seed' s/study.html && grep -q study_extrema s/study.json");
  snprintf(text, sizeof text,
           "base: base.yaml\nruns: [{name: a}, {name: b, set: [integrator.timestep=1 fs]}]\n"
           "vary: [{key: seed, values: [1, 2, 3]}, {key: thermostat.temperature, values: [50 K, 90 K]}]\n"
           "extrema: [{quantity: energy, degree: 2}]\n");
  program_write("two.yaml", text);
  program_do("rm -rf u; $P study two.yaml -o u > said");
  program_do("grep -q '^\"b, thermostat.temperature 50 K\",\"energy\",\"maximum\",' u/study_extrema.csv && "
             "test $(grep -c 'mum' said) = 4");
}

/* Of the density over temperature, also by the thermal expansion of each run: the fit of extremum_find. */
TEST(slopes_by_fluctuations)
{
  enum { POINTS = 4 };
  double x[POINTS] = {85.0, 95.0, 105.0, 115.0}, y[POINTS], error[POINTS], slope[POINTS], slope_error[POINTS],
         chi2;
  Extremum e;
  int dof;
  program_write("gas.yaml", "system: {atoms: {argon: 60}, box: [40 A, 40 A, 40 A]}\n"
                            "geometry: {method: none}\n"
                            "integrator: {word: BAOAB, timestep: 20 fs, time: 20 ps}\n"
                            "thermostat: {temperature: 90 K, friction: 2 1/ps}\n"
                            "barostat: {type: monte-carlo, pressure: 20 bar, every: 5}\n"
                            "output: {equilibration: 2 ps, thermo_every: 5, rdf_every: 0}\n");
  program_write("gas-study.yaml",
                "base: gas.yaml\nvary: [{key: thermostat.temperature, values: [85 K, 95 K, 105 K, 115 K]}]\n"
                "extrema: [{quantity: density, degree: 2, slopes: yes}]\n");
  program_do("rm -rf v; $P study gas-study.yaml -o v > said");
  for (int i = 0; i < POINTS; i++) {
    char folder[32];
    snprintf(folder, sizeof folder, "v/%g-K", x[i]);
    y[i] = program_summary(folder, "density");
    error[i] = program_summary(folder, "density_err");
    slope[i] = -y[i] * program_summary(folder, "thermal_expansion");
    slope_error[i] = y[i] * program_summary(folder, "thermal_expansion_err");
  }
  const ExtremumPoints points = {
      .n = POINTS, .x = x, .y = y, .error = error, .slope = slope, .slope_error = slope_error};
  ck_assert_int_eq(extremum_find(&points, 2, false, &e, NULL), STATUS_OK);
  program_do("sed -n 's/.*,2,\\([^,]*,[0-9]*\\)$/\\1/p' v/study_extrema.csv > row");
  ck_assert_int_eq(sscanf(program_read("row"), "%lf,%d", &chi2, &dof), 2);
  ck_assert_int_eq(dof, 2 * POINTS - 3);
  ck_assert_double_eq_tol(chi2, e.fit.chi2, 1e-2 * e.fit.chi2);
  ck_assert_ptr_nonnull(strstr(program_read("said"), "through 4 means and their slopes"));
}

/* All inputs are looked at before anything runs; what is wrong is said with its place. */
TEST(bad_studies)
{
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"base: none.yaml\nruns: [{name: a}, {name: b}]\n", "none.yaml"},
      {"base: base.yaml\n", "runs and vary are missing"},
      {"base: base.yaml\nruns: [{name: a}]\n", "at least two runs are required"},
      {"base: base.yaml\nruns: [{name: a}]\nvary: [{key: seed, values: [1, 2]}]\n",
       "to compare the values of the first list (vary), omit 'runs' and put its settings under 'set'"},
      {"base: base.yaml\nruns: [{name: a}, {name: a}]\n", "choose other names"},
      {"base: base.yaml\nruns: [{name: a}, {name: b, set: [nonsense]}]\n", "'nonsense' is not a setting"},
      {"base: base.yaml\nruns: [{name: a}, {name: b, set: [geometry.wq=1]}]\n", "run s/b"},
      {"base: base.yaml\nruns: [{name: a}, {name: b, set: [geometry.w=-1]}]\n", "geometry.w"},
      {"base: base.yaml\nmargin: much\nruns: [{name: a}, {name: b}]\n",
       "bad.yaml:2: margin: a margin is a number"},
      {"base: base.yaml\nvary: [{key: seed, values: []}]\n", "seed has no values"},
      {"base: base.yaml\nvary: [{key: seed, values: [1, 2]}, {key: seed, values: [3]}]\n",
       "seed is listed twice"},
      {"base: base.yaml\nruns: [{name: a}, {name: study.csv}]\n", "is the name of a result file"},
      {"base: base.yaml\nruns: [{name: a}, {name: holonom.files}]\n", "is the name of a result file"},
      {"base: base.yaml\nset: [output.thermo_every=0]\nruns: [{name: a}, {name: b}]\n", "no sample"},
      {"base: base.yaml\nruns: [{name: a}, {name: b, set: [output.thermo_every=600]}]\n",
       "run s/b: base.yaml:7: output.equilibration: leaves no sample to average: no step from 101 to 500 is "
       "a multiple of 600"},
      {"base: pendulum.yaml\nruns: [{name: a}, {name: b}]\n",
       "runs of mechanical systems cannot be compared"},
      {"base: base.yaml\nvary: [{key: seed, values: [1, 2, 3, 4]}]\nextrema: [{quantity: mass}]\n",
       "bad.yaml:3: extrema: an extremum of 'mass': unknown quantity"},
      {"base: base.yaml\nvary: [{key: seed, values: [1, 2, 3]}]\nextrema: [{quantity: energy}]\n",
       "at least 4 are required"},
      {"base: base.yaml\nruns: [{name: a}, {name: b}]\nextrema: [{quantity: energy}]\n",
       "which has 0 values"},
      {"base: base.yaml\nvary: [{key: seed, values: [1, 2, 3]}]\n"
       "extrema: [{quantity: energy, degree: 2, slopes: yes}]\n",
       "slopes of 'energy' over seed with values such as '1'"},
      {"base: base.yaml\nvary: [{key: thermostat.temperature, values: [9, 10, 12]}]\n"
       "extrema: [{quantity: density, degree: 2, slopes: yes}]\n",
       "slopes of 'density' over thermostat.temperature with values such as '9'"},
      {"base: base.yaml\nvary: [{key: integrator.timestep, values: [1 fs, 2 fs, 3 akma]}]\n"
       "extrema: [{quantity: energy, degree: 2}]\n",
       "'3 akma' is not a number in the unit of the first"},
      {"base: base.yaml\nvary: [{key: seed, values: [1, 2, 3]}]\nextrema: [{quantity: energy, degree: 9}]\n",
       "degree"},
      {"bases: base.yaml\nruns: [{name: a}, {name: b}]\n", "did you mean base"},
  };
  program_write("base.yaml", base);
  program_do("cp \"$HOLONOM_SOURCE/examples/circle-and-pendulum/pendulum.yaml\" .");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    program_write("bad.yaml", bad[i].text);
    program_do("rm -rf s");
    program_refuses(bad[i].says, "study bad.yaml -o s");
    ck_assert(!program_exists("s"));
  }
}

/* Without `runs` those of the first list are compared. */
TEST(a_list_alone)
{
  program_write("base.yaml", base);
  program_write("list.yaml", "base: base.yaml\nvary: [{key: seed, values: [1, 2, 3]}]\n");
  program_do("rm -rf s; $P study list.yaml -o s > said");
  ck_assert_ptr_nonnull(strstr(program_read("said"), "2 comparisons with a reference"));
  ck_assert(program_exists("s/3/summary.yaml") && program_exists("s/compare.html"));
}

/* A run that was killed between its first file and its first checkpoint begins anew by itself, and nothing
 * but its own files is lost; one that has ended is not taken for such a run. */
TEST(killed_before_the_first_checkpoint)
{
  program_write("base.yaml", base);
  program_write("list.yaml", "base: base.yaml\nvary: [{key: seed, values: [1, 2]}]\n");
  program_do(
      "rm -rf s; $P study list.yaml -o s --quiet && cp -r s whole && cd s/2 && rm checkpoint.* summary.yaml "
      "final.xyz && echo 1 > thermo.csv && echo mine > notes");
  program_do("$P study list.yaml -o s --quiet && test $(cat s/2/notes) = mine");
  program_same("s/2", "whole/2", "thermo.csv");
  program_same("s/2", "whole/2", "final.xyz");
  program_same("s", "whole", "study.csv");
  program_do("rm s/2/checkpoint.*");
  program_refuses("of an earlier run, which is not overwritten", "study list.yaml -o s --quiet");
}

/* Steps of 0.09 go wrong after some twenty, of any seed. */
static const char fragile[] = "units: akma\n"
                              "system: {model: tip3p, molecules: 3, anneal: false}\n"
                              "ensemble: {replicas: 8}\n"
                              "geometry: {method: rattle, solver: newton, max_iterations: 3}\n"
                              "thermostat: {temperature: 200 K, friction: 0.05, initial: zero}\n"
                              "integrator: {word: BAOAB, timestep: 0.02, steps: 300}\n"
                              "output: {thermo_every: 3, rdf_every: 30, equilibration: 0, progress: no}\n";

static void write_fragile(const char *runs)
{
  program_write("fragile.yaml", fragile);
  FILE *file = program_create("fragile-study.yaml");
  fprintf(file,
          "base: fragile.yaml\nmargin: 40%%\nruns: [%s]\nvary: [{key: seed, values: [1, 2]}]\n"
          "extrema: []\n",
          runs);
  ck_assert_int_eq(fclose(file), 0);
}

#define GOOD "{name: good}"
#define BAD  "{name: bad, set: [integrator.timestep=0.09]}"
#define FINE "{name: fine, set: [integrator.timestep=0.03]}"

/* The others are run and compared as without those that fail, which stand in all tables and words as failed,
 * without numbers of half a run; also where the same call comes again, for any team. */
TEST(runs_that_fail)
{
  write_fragile(GOOD "," BAD "," FINE);
  program_do("rm -rf s t u v");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o s --quiet"), 3);
  program_says("2 of 6 runs failed: s/seed-1/bad, s/seed-2/bad; the same command");
  program_says("seed 2: bad, against good: not compared because bad failed\n");
  program_says("s/seed-2/bad FAILED: step ");
  program_do("test $(grep -c '^\"seed [12]\",\"good\",\"bad\",\"energy\",\"kcal/mol\",\"not compared: "
             "failed\",nan,nan,' s/study.csv) = 2");
  program_do("test $(grep -c '\"bad\",\"s/seed-[12]/bad\",\"step [0-9]*: molecule .*\",nan,nan,nan,' "
             "s/study_runs.csv) = 2");
  program_do(
      "grep -q 'not compared: failed' s/study.json && grep -q ' cannot satisfy constraint ' s/study.json "
      "&& grep -q 'because bad failed' s/study.html && grep -q 'bad *- .*  failed$' "
      "s/seed-1/compare.txt");
  program_do("$P status s > said; grep -q '^s/seed-1/bad .*failed ' said");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o t --quiet --threads 2"), 3);
  program_do("cp s/study.csv before");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o s --quiet"), 3);
  program_do("cmp before s/study.csv && cmp before t/study.csv");
  write_fragile(GOOD "," FINE);
  program_does("$P study fragile-study.yaml -o u --quiet");
  program_do("grep -v bad s/study.csv > others && cmp others u/study.csv");
  program_does("$P compare s/seed-1/good s/seed-1/bad s/seed-1/fine -o v");
  program_says("good and bad: not compared because bad failed\n");
  program_do(
      "grep '\"fine\",\"energy' v/compare.csv | cut -d, -f7-13 > one; grep '1.*\"fine\",\"energy' "
      "s/study.csv | cut -d, -f7-13 > two; cut -d, -f2-6 two > three; cut -d, -f1-5 one | cmp - three");
}

/* Nothing is compared with a reference that failed, nor where all have. */
TEST(references_that_fail)
{
  write_fragile(BAD "," GOOD "," FINE);
  program_do("rm -rf s");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o s --quiet --set output.checkpoint_every=0"), 3);
  program_says("4 comparisons with a reference: 4 not made because a run failed.\n");
  program_says("seed 1: fine, against bad: not compared because bad failed\n");
  program_do(
      "test $(grep -c 'not compared: failed' s/study.csv) = 4; test $(grep -c '^\"seed' s/study.csv) = "
      "4; test $(grep -c '\"fine\",.*,\"\",-' s/study_runs.csv) = 2");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o s --quiet --set output.checkpoint_every=0"), 3);
  program_says("2 of 6 runs failed");
  program_write("all.yaml", "base: fragile.yaml\nset: [integrator.timestep=0.09]\n"
                            "vary: [{key: seed, values: [1, 2, 3]}]\n"
                            "extrema: [{quantity: energy, degree: 2}]\n");
  ck_assert_int_eq(program_call("study all.yaml -o all --quiet"), 3);
  program_says("3 of 3 runs failed: all/1, all/2, all/3;");
  program_says("2, against 1: not compared because 1 and 2 failed\n");
  program_says("0 means with errors are too few for degree 2; 3 runs failed\n");
}

/* So do inputs that only the start of a run can judge. A study of other inputs than its folder's, and one
 * that meets another at work in it, as each process of mpirun does, ends at once. */
TEST(starts_that_fail)
{
  write_fragile(GOOD ",{name: bad, set: [integrator.timestep=1.5]}," FINE);
  program_do("rm -rf s");
  ck_assert_int_eq(program_call("study fragile-study.yaml -o s --quiet"), 3);
  program_says("2 of 6 runs failed: s/seed-1/bad, s/seed-2/bad;");
  program_says("s/seed-2/bad FAILED: --set integrator.timestep=1.5: integrator.timestep: the librations");
  program_says("bad, against good: not compared because bad failed\n");
  program_do("grep -q '\"seed 2\",\"good\",\"fine\",\"energy\"' s/study.csv");
  program_refuses("run s/seed-1/good: s/seed-1/good is not a run of this input",
                  "study fragile-study.yaml -o s --quiet --set thermostat.friction=0.1");
  program_do("rm -rf s/seed-1/good/* s/study*");
  ck_assert_int_eq(
      program_shell("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 flock s/seed-1/good/holonom.lock "
                    "$P study fragile-study.yaml -o s --quiet"),
      2);
  program_says(
      "holonom study: 2 processes were started, and each does the whole work; call this command once");
  program_says("holonom study: run s/seed-1/good: s/seed-1/good is in use: ");
  ck_assert(!program_exists("s/study.csv"));
}

/* The file of a study and that of a run, one taken for the other. */
TEST(the_other_file)
{
  write_fragile(GOOD "," FINE);
  program_refuses(
      "fragile-study.yaml:3: runs: unknown key; it is a key of a study, which 'holonom study' runs",
      "check fragile-study.yaml");
  program_says("fragile-study.yaml:4: vary: unknown key; it is a key of a study");
  program_refuses(
      "fragile.yaml:6: integrator: unknown key; it belongs in an input file: name that file with 'base'",
      "study fragile.yaml");
}

/* A full disk and a signal end all of it at once, behind a run that failed, too. */
TEST(what_stops_a_study)
{
  write_fragile(BAD ",{name: long, set: [integrator.steps=2000000000, output.thermo_every=1]}," FINE);
  program_do("rm -rf s");
  ck_assert_int_eq(program_shell("ulimit -f 64 && $P study fragile-study.yaml -o s --quiet"), 3);
  program_says("holonom study: run s/seed-1/long: ");
  ck_assert(program_exists("s/seed-1/bad/summary.yaml") && !program_exists("s/seed-1/fine/summary.yaml") &&
            !program_exists("s/study.csv"));
  program_do("rm -rf s");
  const pid_t child = program_start("study fragile-study.yaml -o s --quiet");
  int status;
  for (int i = 0; i < 1000 && !program_exists("s/seed-1/long/checkpoint.hol"); i++)
    usleep(10000);
  ck_assert_int_eq(kill(child, SIGTERM), 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM);
  ck_assert(program_exists("s/seed-1/bad/summary.yaml") && !program_exists("s/seed-1/fine/summary.yaml") &&
            !program_exists("s/study.csv"));
}

/* Of ladders the lowest temperature's replicas are compared, as many as there are ladders, and curves over
 * all temperatures. */
TEST(ladders)
{
  program_write("base.yaml", base);
  program_do(
      "rm -rf a b; for s in a b; do $P run base.yaml -o $s --quiet --set thermostat.temperature= --set "
      "exchange.temperatures='[50 K, 70 K, 100 K]' --set exchange.ladders=8 --set exchange.interval=10 --set "
      "ensemble.replicas= --set seed=$(printf %%d \"'$s\"); done");
  char dir[2][256];
  for (int i = 0; i < 2; i++)
    snprintf(dir[i], sizeof *dir, "%s/%c", program_scratch, 'a' + i);
  const char *const runs[] = {dir[0], dir[1]};
  Compare *c;
  ck_assert_int_eq(compare_create(&c, runs, NULL, 2, 0, NULL), STATUS_OK);
  ResultTable *table;
  read_csv("a/replicas.csv", &table);
  const int target = tables_find(table, "target"), energy = tables_find(table, "potential");
  double sum = 0.0;
  int n = 0;
  for (size_t i = 0; i < table->nrow; i++)
    if (tables_at(table, i, target) < 60.0) {
      sum += tables_at(table, i, energy);
      n++;
    }
  results_free_table(table);
  ck_assert_int_eq(n, 8);
  ck_assert_int_eq(c->run[0].replicas, 8);
  ck_assert_int_eq(c->run[0].temperatures, 3);
  ck_assert_int_eq((int)c->run[0].mean[0].draws, 8);
  ck_assert_double_eq_tol(c->run[0].mean[0].value, sum / 8.0, 1e-9);
  ck_assert_int_eq(c->run[0].fraction.nrow, 8);
  ck_assert_int_eq(c->run[0].ncurve, 2);
  const CompareCurve *curve = &c->run[0].curve[0];
  ck_assert_double_eq(curve->x->value[0], 50.0);
  ck_assert_double_eq(curve->x->value[curve->n - 1], 100.0);
  ck_assert_int_eq(c->pair[0].ntest, 4);
  for (int t = 0; t < 4; t++)
    ck_assert(c->pair[0].test[t].p >= 0.0 && c->pair[0].test[t].p <= 1.0);
  compare_free(c);
}
