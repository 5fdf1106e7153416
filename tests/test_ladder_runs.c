/* Whole runs with a ladder of temperatures: files by temperature, the same bytes for any threads and cuts. */
#include "tests/program.h"
#include "tests/tables.h"

static const char ladder[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 1200}\n"
                             "thermostat: {friction: 5/ps}\n"
                             "exchange: {temperatures: [60 K, 70 K, 82 K, 95 K, 110 K], ladders: 4, "
                             "reweight: [60 K, 75.5 K, 110 K], interval: 20}\n"
                             "output: {thermo_every: 50, equilibration: 0.2 ps, trajectory: [xyz], "
                             "trajectory_every: 100, trajectory_replica: 2, multipliers_every: 10}\n";

static int count(const char *text, const char *what)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
    n++;
  return n;
}

/* The same files in both folders. */
static void same(const char *one, const char *other)
{
  static const char *const names[] = {"ladder.yaml",        "rdf_ladder.csv", "rdf_replicas.csv",
                                      "rdf_reweighted.csv", "thermo.csv",     "ladder.csv",
                                      "heat_capacity.csv",  "replicas.csv",   "trajectory.xyz",
                                      "final.xyz",          "multipliers.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    program_same(one, other, names[i]);
}

TEST(threads_and_cuts, .threads = true)
{
  static char tuned[sizeof ladder + 32];
  snprintf(tuned, sizeof tuned, "%.*s, tunings: 2}%s", (int)(strstr(ladder, "interval: 20}") + 12 - ladder),
           ladder, strstr(ladder, "interval: 20}") + 13);
  program_write("tuned.yaml", tuned);
  program_runs("run tuned.yaml --quiet --threads 1 --out one");
  program_runs("run tuned.yaml --quiet --threads 2 --out two");
  program_runs("run tuned.yaml --quiet --set integrator.steps=700 --out cut");
  program_runs("run tuned.yaml --quiet --resume --out cut");
  same("one", "two");
  same("one", "cut");
  ck_assert_int_eq((int)program_summary("one", "replicas"), 24);
}

/* Means of a column by temperature in summary.yaml are those of the slots in replicas.csv. */
static void same_means(const char *dir, const char *column, int temperatures)
{
  char name[64];
  snprintf(name, sizeof name, "%s/replicas.csv", dir);
  ResultTable *t = program_table(name);
  const int of = tables_find(t, column);
  snprintf(name, sizeof name, "%s/summary.yaml", dir);
  const char *text = program_read(name);
  snprintf(name, sizeof name, "\n  %s: {mean: [", column);
  const char *at = strstr(text, name);
  ck_assert(of >= 0 && at != NULL);
  at += strlen(name);
  for (int k = 0; k < temperatures; k++) {
    double sum = 0.0, said;
    int n = 0, used = 0;
    for (size_t i = (size_t)k; i < t->nrow; i += (size_t)temperatures, n++)
      sum += tables_at(t, i, of);
    ck_assert_int_eq(sscanf(at, "%lf%n", &said, &used), 1);
    ck_assert_double_eq_tol(said, sum / n, 1e-9 * fabs(said));
    at += used + 2;
  }
  results_free_table(t);
}

/* A row for each temperature and time, from 20 replicas of the 24 that run. */
TEST(rows_by_temperature)
{
  program_write("ladder.yaml", ladder);
  program_runs("run ladder.yaml --out rows");
  program_says("4 ladders of 5 temperatures");
  program_says("ladder.csv");
  const char *text = program_read("rows/thermo.csv");
  ck_assert_int_eq(count(text, "\n"), 3 + 25 * 5);
  ck_assert_int_eq(count(text, ",82,"), 25);
  text = program_read("rows/replicas.csv");
  ck_assert_int_eq(count(text, "\n"), 2 + 20);
  text = program_read("rows/ladder.csv");
  ck_assert_int_eq(count(text, "\n"), 2 + 5);
  text = program_read("rows/heat_capacity.csv"); /* every 0.2 K */
  ck_assert_int_eq(count(text, "\n") - count(text, "#"), 1 + 251);
  ck_assert_ptr_nonnull(strstr(text, "jackknife over 4 independent ladders"));
  text = program_read("rows/rdf_ladder.csv");
  ck_assert_int_eq(count(text, ",g4,g4_err\n"), 1);
  ck_assert_int_eq(count(text, "\n"), 4 + 600);
  same_means("rows", "potential", 5);
  text = program_read("rows/summary.yaml");
  ck_assert_int_eq(count(text, "\nladder:\n  temperatures: [60, 70, 82, 95, 110] # K\n"), 1);
}

/* Distances of few ladders, which are too short for what their energies remember: fewer blocks, and words. */
TEST(few_ladders_heed_their_correlation, .first = 1, .rows = 4)
{
  program_write("ladder.yaml", ladder);
  const int code = program_call(
      "run ladder.yaml --quiet --set integrator.steps=300 --set exchange.interval=1 --set output.rdf_every=1 "
      "--set output.equilibration=0 --set output.report=false --set exchange.ladders=%d --out few --force",
      _i);
  ck_assert_msg(code == 0, "%s", program_output);
  const int bounds =
      strstr(program_read("few/rdf_reweighted.csv"), "over 4 blocks of time; LOWER BOUNDS") != NULL;
  ck_assert_int_eq(bounds, _i < 4);
}

/* Replica 2 by itself goes through temperatures: its frames are others, but for the first, and so are
 * multipliers of replica 0. */
TEST(frames_by_temperature)
{
  program_write("ladder.yaml", ladder);
  program_runs("run ladder.yaml --quiet --out slot");
  program_runs("run ladder.yaml --quiet --set exchange.trajectory=replica --out replica");
  program_do("head -11 slot/trajectory.xyz >a; head -11 replica/trajectory.xyz >b; cmp a b");
  ck_assert_int_ne(program_shell("cmp -s slot/trajectory.xyz replica/trajectory.xyz"), 0);
  ck_assert_int_ne(
      program_shell("sed /^#/d slot/multipliers.csv >a; sed /^#/d replica/multipliers.csv | cmp -s a -"), 0);
  program_do("sed '/^#/d' slot/multipliers.csv | head -2 >a; sed '/^#/d' replica/multipliers.csv | head -2 | "
             "cmp a -");
  program_same("slot", "replica", "ladder.csv");
}

/* Populations at each temperature: shares of its samples, the same for any threads. */
TEST(isomers_by_temperature, .threads = true)
{
  program_write("ladder.yaml", ladder);
  program_runs("run ladder.yaml --quiet --threads 1 --set output.isomers_every=200 --out i");
  program_runs("run ladder.yaml --quiet --threads 2 --set output.isomers_every=200 --out j");
  program_same("i", "j", "isomers.csv");
  program_same("i", "j", "isomers_reweighted.csv");
  const char *text = program_read("i/isomers.csv");
  ck_assert_int_eq(count(text, ",p4,p4_err\n"), 1);
  double sum[5] = {0};
  int isomer, used;
  double energy;
  long long all;
  for (const char *at = strstr(text, "\n1,") + 1;
       sscanf(at, "%d,%lf,%lld%n", &isomer, &energy, &all, &used) == 3;) {
    at += used;
    for (int k = 0; k < 5; k++) {
      double share, error;
      ck_assert_int_eq(sscanf(at, ",%lf,%lf%n", &share, &error, &used), 2);
      at += used;
      sum[k] += share;
      ck_assert(share >= 0.0 && error >= 0.0);
    }
    at += *at == '\n';
  }
  for (int k = 0; k < 5; k++)
    ck_assert(sum[k] > 0.2 && sum[k] < 1.0 + 1e-5);
}

/* --- temperatures in between -------------------------------------------------------------------------------
 */

/* How far two g(r) are apart in the bins that matter, in their errors: the median; *sharper: the median of
 * the first one's errors over the other's. */
static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double apart(const char *file, const char *name, const char *other, const char *other_name,
                    double *sharper)
{
  const char *const files[2] = {file, other}, *const names[2] = {name, other_name};
  ResultTable *table[2];
  int at[2], error_at[2], n = 0;
  double off[128], ratio[128];
  for (int i = 0; i < 2; i++) {
    char error_name[32];
    snprintf(error_name, sizeof error_name, "%s_err", names[i]);
    table[i] = program_table(files[i]);
    at[i] = tables_find(table[i], names[i]);
    error_at[i] = tables_find(table[i], error_name);
    ck_assert(at[i] >= 0 && error_at[i] >= 0 && table[i]->nrow == 100);
  }
  for (size_t b = 0; b < table[0]->nrow; b++) {
    const double x = tables_at(table[0], b, at[0]), y = tables_at(table[1], b, at[1]),
                 e = tables_at(table[0], b, error_at[0]), f = tables_at(table[1], b, error_at[1]);
    if (!(e > 0.0 && f > 0.0 && y > 1.0))
      continue;
    off[n] = fabs(x - y) / hypot(e, f);
    ratio[n++] = e / f;
  }
  ck_assert(n >= 5);
  qsort(off, (size_t)n, sizeof *off, ascending);
  qsort(ratio, (size_t)n, sizeof *ratio, ascending);
  *sharper = ratio[n / 2];
  results_free_table(table[0]);
  results_free_table(table[1]);
  return off[n / 2];
}

/* g(r) at a temperature that the ladder has not: that of a run at it, not of one 6 K above. At those that it
 * has: what their own samples say, but sharper. */
TEST(distances_in_between)
{
  static const char head[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 16000}\n"
                             "thermostat: {friction: 5/ps}\n"
                             "output: {report: false, thermo_every: 500, equilibration: 4 ps, rdf_bins: 100, "
                             "rdf_max: 5 A}\n";
  char text[2048];
  double sharper;
  snprintf(text, sizeof text,
           "%sexchange: {temperatures: [60 K, 70 K, 82 K, 95 K, 110 K], ladders: 8, interval: 20, reweight: "
           "[60 K, "
           "76 K, 95 K]}\n",
           head);
  program_write("between.yaml", text);
  snprintf(text, sizeof text, "%sensemble: {replicas: 40}\n", head);
  program_write("direct.yaml", text);
  program_runs("run between.yaml --quiet --threads 1 --out between");
  program_runs("run direct.yaml --quiet --threads 1 --set thermostat.temperature=76 --out direct");
  program_runs("run direct.yaml --quiet --threads 1 --set thermostat.temperature=82 --out above");
  const char *const file = "between/rdf_reweighted.csv";
  ck_assert(apart(file, "g_76", "direct/rdf.csv", "g", &sharper) < 1.5);
  ck_assert(apart(file, "g_76", "above/rdf.csv", "g", &sharper) > 2.5);
  ck_assert(apart(file, "g_60", "between/rdf_ladder.csv", "g0", &sharper) < 1.5);
  ck_assert(sharper < 0.9);
  ck_assert(apart(file, "g_95", "between/rdf_ladder.csv", "g3", &sharper) < 1.5);
  ck_assert(sharper < 0.9);
  program_refuses("exchange.reweight", "run between.yaml --out no --set exchange.reweight=60,112");
}
