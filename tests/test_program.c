/* The program as its users meet it: exit codes, messages, files, interruption, equal results for any number
 * of threads. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/program.h"
#include "tests/shorter.h"

/* A limit is said in the unit of who wrote the input. */
TEST(limits_have_the_unit_of_the_input)
{
  program_write("small.yaml", program_small);
  static const char *const step[][2] = {{"20 fs", " fs"}, {"0.02 ps", " ps"}, {"0.5", " akma"}};
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(
        program_call("check small.yaml --set system.anneal=false --set 'integrator.timestep=%s'", step[i][0]),
        2);
    char *words = NULL, *end = NULL;
    program_says("unstable for time steps of ");
    words = strstr(program_output, "Use a step below ");
    ck_assert_msg(words != NULL && strtod(words + 17, &end) > 0.0 &&
                      strncmp(end, step[i][1], strlen(step[i][1])) == 0,
                  "%s", program_output);
    /* And it is one: a little less is taken. */
    const double most = strtod(words + 17, NULL);
    program_runs("check small.yaml --set system.anneal=false --set 'integrator.timestep=%.6g%s'", 0.99 * most,
                 step[i][1]);
  }
}

TEST(commands_explain_themselves)
{
  program_runs("--version");
  program_says("holonom ");
  program_runs("help");
  program_says("  run       runs an input file\n");
  static const char *const names[] = {"run",  "check", "rdf",     "energy", "compare",
                                      "list", "bench", "gallery", "example"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    program_runs("help %s", names[i]);
    program_says(names[i]);
    program_runs("%s --help", names[i]);
    ck_assert_int_eq(program_call("%s --no-such-option", names[i]), 2);
  }
  program_runs("list");
  program_says("tip4p");
  program_says("BAOAB");
  program_says("zss");
  program_says("settle");
  ck_assert_int_eq(program_call(" "), 2);
  ck_assert_int_eq(program_call("nonsense"), 2);
  ck_assert_int_eq(program_call("help nonsense"), 2);
}

TEST(a_run_leaves_its_results, .threads = true)
{
  program_write("small.yaml", program_small);
  program_runs("check small.yaml");
  program_says("degrees of freedom: 24");
  program_runs("run small.yaml --quiet --set output.equilibration=20");
  ck_assert_str_eq(program_output, "");
  static const char *const files[] = {"summary.yaml", "thermo.csv", "rdf.csv",    "rdf_replicas.csv",
                                      "replicas.csv", "input.yaml", "holonom.log"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char name[64];
    snprintf(name, sizeof name, "small.out/%s", files[i]);
    ck_assert_msg(program_exists(name), "%s is not there", name);
  }
  ck_assert_double_eq(program_summary("small.out", "steps"), 2000);
  const double spread = program_summary("small.out", "temperature_err");
  ck_assert_double_lt(spread,
                      2.0); /* 16 replicas of 24 degrees of freedom and some ten independent samples */
  ck_assert_double_eq_tol(program_summary("small.out", "temperature"), 50.0, 5.0 * spread);
  /* The resolved input is an input. */
  program_runs("check small.out/input.yaml");
  /* Nothing is written over, unless told. */
  program_refuses("--force", "run small.yaml");
  program_runs("run small.yaml --force --quiet");
}

/* The numbers of a run: everything but the summary's times. */
static void keep(const char *dir, char *to, size_t size)
{
  static const char *const files[] = {"thermo.csv", "replicas.csv", "rdf_replicas.csv"};
  size_t used = 0;
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", dir, files[i]);
    used += (size_t)snprintf(to + used, size - used, "%s", program_read(name));
    ck_assert_uint_lt(used, size);
  }
}

/* Nothing of an earlier run is left among the results of one that was forced into its folder. */
TEST(force_clears_the_folder)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o again --force --quiet --set output.trajectory=xyz,dcd");
  ck_assert(program_exists("again/trajectory.xyz") && program_exists("again/trajectory.dcd") &&
            program_exists("again/rdf.csv"));
  program_runs("run small.yaml -o again --force --quiet --set output.rdf_every=0");
  ck_assert(!program_exists("again/trajectory.xyz") && !program_exists("again/trajectory.dcd") &&
            !program_exists("again/rdf.csv"));
  ck_assert(program_exists("again/thermo.csv"));
}

TEST(threads_change_no_number, .threads = true)
{
  static char one[1 << 19], two[1 << 19];
  const int steps = SHORT ? 100 : 200; /* thermo_every */
  program_write("small.yaml", program_small);
  for (int replicas = 1; replicas <= 16; replicas += 15) {
    program_runs("run small.yaml -o t1 --force --quiet --threads 1 --set system.molecules=70 --set "
                 "ensemble.replicas=%d --set integrator.steps=%d",
                 replicas, steps);
    keep("t1", one, sizeof one);
    program_runs("run small.yaml -o t2 --force --quiet --threads 2 --set system.molecules=70 --set "
                 "ensemble.replicas=%d --set integrator.steps=%d",
                 replicas, steps);
    keep("t2", two, sizeof two);
    ck_assert_str_eq(one, two);
  }
}

static const struct {
  const char *arguments;
  int code;
  const char *says;
} wrong[] = {
    {"run absent.yaml", 2, "absent.yaml"},
    {"run small.yaml -o w --set system.modell=tip3p", 2, "system.model"},
    {"run small.yaml -o w --set system.model=tip9p", 2, "tip"},
    {"run small.yaml -o w --set system.mass_O=-1", 2, "mass_O"},
    {"run small.yaml -o w --set integrator.timestep='2 K'", 2, "fs"},
    {"run small.yaml -o w --set integrator.timestep=0.9", 2, "unstable"},
    {"run small.yaml -o w --set integrator.word=BXB", 2, "word"},
    {"run small.yaml -o w --set geometry.w=20", 2, "geometry.w"},
    {"run small.yaml small.yaml", 2, "takes one input file"},
    {"run small.yaml -o", 2, "needs a value"},
    {"check /", 2, "/"},
    {"energy absent.xyz --model tip3p", 2, "absent.xyz"},
    {"energy small.yaml --model tip3p", 2, "small.yaml"},
    {"energy small.yaml", 2, "small.yaml"},
    {"energy small.yaml --model water", 2, "--model"},
    {"energy small.yaml --model tip3p --box 1,2", 2, "--box"},
    {"rdf absent.dcd", 2, "absent.dcd"},
    {"rdf small.yaml", 2, "small.yaml"},
    {"compare small.yaml", 2, "two"},
    {"compare nowhere nobody", 2, "nowhere"},
    {"bench", 2, "cluster"},
    {"gallery -o w --only none", 2, "--list"},
    {"gallery -o w --only ,", 2, "unknown example ''"},
    {"gallery w", 2, "options only"},
    {"example none -o w", 2, "none"},
};

TEST(bad_input_is_refused, .rows = sizeof wrong / sizeof *wrong)
{
  program_write("small.yaml", program_small);
  ck_assert_msg(program_call("%s", wrong[_i].arguments) == wrong[_i].code, "%s: %s", wrong[_i].arguments,
                program_output);
  program_says(wrong[_i].says);
  ck_assert_msg(!program_exists("w"), "%s wrote something", wrong[_i].arguments);
}

TEST(a_run_that_goes_wrong_says_where, .threads = true)
{
  program_write("small.yaml", program_small);
  ck_assert_int_eq(
      program_call("run small.yaml -o bad --force --quiet --set geometry.method=penalty --set geometry.w=80 "
                   "--set geometry.hessian=full --set integrator.acceleration=zss --set "
                   "thermostat.temperature='300 K' --set output.thermo_every=1"),
      3);
  program_says("molecule ");
  const char *at = strstr(program_output, "step ");
  ck_assert_ptr_nonnull(at);
  const long failed = strtol(at + 5, NULL, 10);
  ck_assert_ptr_nonnull(strstr(program_read("bad/summary.yaml"), "ended: failed"));
  /* A row for each step that was whole, from the first on, and nothing that is no number. */
  const char *text = program_read("bad/thermo.csv");
  ck_assert_ptr_null(strstr(strchr(text, '\n'), "nan"));
  ck_assert_ptr_null(strstr(text, "inf"));
  long rows = 0;
  for (const char *line = text; (line = strchr(line, '\n')) != NULL && *++line != '\0';)
    if (*line != '#' && strtol(line, NULL, 10) == rows)
      rows++;
  ck_assert_int_ge(rows, failed);
  ck_assert_int_le(rows, failed + 1);
}

TEST(an_interrupt_ends_cleanly, .threads = true)
{
  program_write("small.yaml", program_small);
  const pid_t child = program_start("run small.yaml -o stopped --quiet --set integrator.steps=2000000000");
  for (int i = 0; i < 600 && !program_exists("stopped/thermo.csv"); i++)
    usleep(50000);
  usleep(500000);
  ck_assert_int_eq(kill(child, SIGINT), 0);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT);
  ck_assert_ptr_nonnull(strstr(program_read("stopped/summary.yaml"), "ended: interrupted"));
  ck_assert_double_gt(program_summary("stopped", "steps"), 0.0);
  ck_assert(program_exists("stopped/rdf.csv"));
}

/* The densities P of two tables of distances: their difference is at most `part` of their sum. */
static void same_distances(const char *one, const char *other, double part)
{
  double sum = 0.0, apart = 0.0, p[2][60];
  for (int i = 0; i < 2; i++) {
    const char *line = program_read(i == 0 ? one : other);
    for (int n = 0; n < 60; n++) {
      do
        line = strchr(line, '\n') + 1;
      while (*line == '#');
      ck_assert_int_eq(sscanf(line, "%*f,%lf", &p[i][n]), 1);
    }
  }
  for (int n = 0; n < 60; n++) {
    sum += p[0][n] + p[1][n];
    apart += fabs(p[0][n] - p[1][n]);
  }
  ck_assert_double_gt(sum, 1.0);
  ck_assert_double_le(apart, part * sum);
}

/* A trajectory's distribution is that of the run which wrote it, and its first frame has the start's energy.
 */
TEST(trajectories_read_back)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o tr --force --quiet --set ensemble.replicas=1 --set "
               "output.trajectory=xyz,dcd,xtc --set output.xtc_precision=1e-4 --set "
               "output.trajectory_every=10 --set output.thermo_every=100 --set "
               "output.rdf_every=10 --set output.equilibration=0 --set output.rdf_max=12 --set "
               "output.rdf_bins=60");
  program_refuses("--model", "energy tr/trajectory.xyz");
  program_runs("energy tr/trajectory.xyz --model tip3p --forces tr/forces.xyz");
  const double energy = program_number("total");
  program_runs("energy tr/trajectory.xyz --model tip3p --box 1000,1000,1000");
  ck_assert_double_eq_tol(program_number("total"), energy, 1e-9);
  double step, time, kinetic, coulomb, lj;
  const char *row = strstr(program_read("tr/thermo.csv"), "\n0,0,");
  ck_assert_ptr_nonnull(row);
  ck_assert_int_eq(sscanf(row, "\n%lf,%lf,%lf,%lf,%lf", &step, &time, &kinetic, &coulomb, &lj), 5);
  ck_assert_double_eq_tol(coulomb + lj, energy, 1e-4); /* eight decimals in the file */
  program_refuses("--names", "energy tr/trajectory.dcd");
  program_runs("energy tr/trajectory.dcd --model tip3p"); /* O H H */
  ck_assert_double_eq_tol(program_number("total"), energy, 1e-3);
  program_runs("energy tr/trajectory.xtc --model tip3p --names tr/final.xyz");
  ck_assert_double_eq_tol(program_number("total"), energy, 1e-3 * fabs(energy)); /* of 0.0001 A */
  program_runs("rdf tr/trajectory.xyz -o tr/x --max 12 --bins 60 --skip 1");
  program_runs("rdf tr/trajectory.dcd -o tr/d --max 12 --bins 60 --skip 1");
  program_refuses("--force", "rdf tr/trajectory.dcd -o tr/d --max 12");
  same_distances("tr/rdf.csv", "tr/x/rdf.csv", 1e-9);
  program_runs("observe rdf tr/trajectory.xyz --model tip3p --from 1e-6 --rdf-bins 60 -o tr/o");
  program_same("tr/o", "tr/x", "rdf.csv");
  same_distances("tr/rdf.csv", "tr/d/rdf.csv",
                 0.001); /* single precision: one pair of 1,200 in the next bin */
  program_runs("rdf tr/trajectory.xtc -o tr/p --max 12 --bins 60 --skip 1");
  same_distances("tr/rdf.csv", "tr/p/rdf.csv", 0.005);
  /* Every atom, of a file that names none. */
  program_do("sed 's/^H/O/' tr/trajectory.xyz > tr/oxygens.xyz");
  program_runs("rdf tr/oxygens.xyz -o tr/e --max 12 --bins 60");
  program_runs("rdf tr/trajectory.dcd -o tr/f --max 12 --bins 60 --sites 1");
  same_distances("tr/e/rdf.csv", "tr/f/rdf.csv", 0.001);
  program_refuses("12 atoms are not a multiple of 5 sites", "rdf tr/trajectory.dcd -o tr/g --sites 5");
}

TEST(multipliers_are_written)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o mu --force --quiet --set geometry.method=shake --set ensemble.replicas=1 "
               "--set thermostat.type=none --set integrator.word=BAB --set integrator.steps=200 --set "
               "output.multipliers_every=1");
  const char *text = program_read("mu/multipliers.csv");
  ck_assert_ptr_nonnull(strstr(text, "lambda_3"));
  int rows = 0;
  for (const char *c = text; *c != '\0'; c++)
    rows += *c == '\n';
  ck_assert_int_ge(rows, 200);
}

/* One sample has a mean and no error. */
TEST(one_sample_has_no_error)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o step --force --set ensemble.replicas=1 --set integrator.steps=1 "
               "--set output.thermo_every=1 --set output.equilibration=0");
  program_says("mean temperature: ");
  program_says(" K, without error (1 sample)");
  ck_assert_ptr_null(strstr(program_output, "nan"));
  ck_assert_ptr_null(strstr(program_read("step/summary.yaml"), "nan"));
  ck_assert_ptr_null(strstr(program_read("step/holonom.log"), "nan"));
}

TEST(runs_are_compared)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o ca --force --quiet --set title=a");
  program_runs("run small.yaml -o cb --force --quiet --set title=b --set seed=2");
  program_runs("run small.yaml -o cc --force --quiet --set title=c --set thermostat.temperature='150 K'");
  program_runs("compare ca cb cc -o cmp --force");
  program_says("agree");
  program_says("differ");
  program_do("! grep -q '^\"b\",\"c\",' cmp/compare.csv");
  program_runs("compare ca cb cc --all-pairs -o all");
  program_do("grep '^\"b\",\"c\",' all/compare.csv | grep -q '\"differ\"' && "
             "grep -v '^\"b\",\"c\",' all/compare.csv | cut -d, -f1-4 > two && cut -d, -f1-4 cmp/compare.csv "
             "| cmp - two");
}
