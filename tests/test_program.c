/* The program as its users meet it: exit codes, messages, files, interruption, equal results for any number
 * of threads. Runs the built program; HOLONOM_PROGRAM and HOLONOM_SOURCE come from ctest. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char scratch[] = "/tmp/holonom-test-XXXXXX";
static char output[1 << 16]; /* of the last call, stdout and stderr together */

/* Runs the program with these arguments in the scratch folder; returns its exit code. */
static int call(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int call(const char *format, ...)
{
  char arguments[2048], command[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(arguments, sizeof arguments, format, args);
  va_end(args);
  snprintf(command, sizeof command, "cd %s && %s %s 2>&1", scratch, getenv("HOLONOM_PROGRAM"), arguments);
  FILE *pipe = popen(command, "r");
  ck_assert_ptr_nonnull(pipe);
  const size_t n = fread(output, 1, sizeof output - 1, pipe);
  output[n] = '\0';
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void says(const char *what)
{
  ck_assert_msg(strstr(output, what) != NULL, "'%s' is not in: %s", what, output);
}

static void write_file(const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

/* The file's whole text in a static buffer. */
static const char *read_file(const char *name)
{
  static char text[1 << 20];
  char path[512];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is not there", path);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = '\0';
  fclose(file);
  return text;
}

static int exists(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", scratch, name);
  return access(path, F_OK) == 0;
}

/* The number of a top-level key in a summary. */
static double summary(const char *dir, const char *key)
{
  char name[256], start[64];
  snprintf(name, sizeof name, "%s/summary.yaml", dir);
  snprintf(start, sizeof start, "\n%s: ", key);
  const char *at = strstr(read_file(name), start);
  ck_assert_msg(at != NULL, "%s has no %s", name, key);
  return atof(at + strlen(start));
}

static const char small[] = "title: small\n"
                            "units: akma\n"
                            "system: {model: tip3p, molecules: 4, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BABO, timestep: 0.05, steps: 2000}\n"
                            "thermostat: {temperature: 50 K, friction: 0.1, convention: mass}\n"
                            "ensemble: {replicas: 16}\n"
                            "output: {thermo_every: 100, rdf_every: 10}\n";

START_TEST(commands_explain_themselves)
{
  ck_assert_int_eq(call("--version"), 0);
  says("holonom ");
  ck_assert_int_eq(call("help"), 0);
  says("holonom run FILE");
  static const char *const names[] = {"run", "check", "rdf", "energy", "compare", "list", "bench"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ck_assert_int_eq(call("help %s", names[i]), 0);
    says(names[i]);
    ck_assert_int_eq(call("%s --help", names[i]), 0);
    ck_assert_int_eq(call("%s --no-such-option", names[i]), 2);
  }
  ck_assert_int_eq(call("list"), 0);
  says("tip4p");
  says("BAOAB");
  says("zss");
  says("settle");
  ck_assert_int_eq(call(" "), 2);
  ck_assert_int_eq(call("nonsense"), 2);
  ck_assert_int_eq(call("help nonsense"), 2);
}
END_TEST

START_TEST(a_run_leaves_its_results)
{
  write_file("small.yaml", small);
  ck_assert_int_eq(call("check small.yaml"), 0);
  says("degrees of freedom: 24");
  ck_assert_int_eq(call("run small.yaml --quiet"), 0);
  ck_assert_str_eq(output, "");
  static const char *const files[] = {"summary.yaml", "thermo.csv", "rdf.csv",    "rdf_replicas.csv",
                                      "replicas.csv", "input.yaml", "holonom.log"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char name[64];
    snprintf(name, sizeof name, "small.out/%s", files[i]);
    ck_assert_msg(exists(name), "%s is not there", name);
  }
  ck_assert_double_eq(summary("small.out", "steps"), 2000);
  ck_assert_double_eq_tol(summary("small.out", "temperature"), 50.0, 25.0);
  /* The resolved input is an input. */
  ck_assert_int_eq(call("check small.out/input.yaml"), 0);
  /* Nothing is written over, unless told. */
  ck_assert_int_eq(call("run small.yaml"), 2);
  says("--force");
  ck_assert_int_eq(call("run small.yaml --force --quiet"), 0);
}
END_TEST

/* The numbers of a run: everything but the summary's times. */
static void keep(const char *dir, char *to, size_t size)
{
  static const char *const files[] = {"thermo.csv", "replicas.csv", "rdf_replicas.csv"};
  size_t used = 0;
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", dir, files[i]);
    used += (size_t)snprintf(to + used, size - used, "%s", read_file(name));
    ck_assert_uint_lt(used, size);
  }
}

START_TEST(threads_change_no_number)
{
  static char one[1 << 19], two[1 << 19];
  write_file("small.yaml", small);
  for (int replicas = 1; replicas <= 16; replicas += 15) {
    ck_assert_int_eq(call("run small.yaml -o t1 --force --quiet --threads 1 --set system.molecules=70 --set "
                          "ensemble.replicas=%d --set integrator.steps=200",
                          replicas),
                     0);
    keep("t1", one, sizeof one);
    ck_assert_int_eq(call("run small.yaml -o t2 --force --quiet --threads 2 --set system.molecules=70 --set "
                          "ensemble.replicas=%d --set integrator.steps=200",
                          replicas),
                     0);
    keep("t2", two, sizeof two);
    ck_assert_str_eq(one, two);
  }
}
END_TEST

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
    {"run small.yaml -o w --threads 0", 2, "--threads"},
    {"run small.yaml small.yaml", 2, "one input file"},
    {"run small.yaml -o", 2, "needs a value"},
    {"check /", 2, "/"},
    {"energy absent.xyz --model tip3p", 2, "absent.xyz"},
    {"energy small.yaml --model tip3p", 2, "small.yaml"},
    {"energy small.yaml", 2, "--model"},
    {"energy small.yaml --model water", 2, "tip3p"},
    {"energy small.yaml --model tip3p --box 1,2", 2, "--box"},
    {"rdf absent.dcd", 2, "absent.dcd"},
    {"rdf small.yaml", 2, "small.yaml"},
    {"compare small.yaml", 2, "two"},
    {"compare nowhere nobody", 2, "nowhere"},
    {"bench", 2, "cluster"},
};

START_TEST(bad_input_is_refused)
{
  write_file("small.yaml", small);
  ck_assert_msg(call("%s", wrong[_i].arguments) == wrong[_i].code, "%s: %s", wrong[_i].arguments, output);
  says(wrong[_i].says);
  ck_assert_msg(!exists("w"), "%s wrote something", wrong[_i].arguments);
}
END_TEST

START_TEST(a_run_that_goes_wrong_says_where)
{
  write_file("small.yaml", small);
  ck_assert_int_eq(
      call("run small.yaml -o bad --force --quiet --set geometry.method=penalty --set geometry.w=80 "
           "--set geometry.hessian=full --set integrator.acceleration=zss --set "
           "thermostat.temperature='300 K' --set output.thermo_every=1"),
      3);
  says("step ");
  says("molecule ");
  ck_assert_ptr_nonnull(strstr(read_file("bad/summary.yaml"), "ended: failed"));
  ck_assert_ptr_nonnull(strstr(read_file("bad/thermo.csv"), "\n0,0,"));
}
END_TEST

START_TEST(an_interrupt_ends_cleanly)
{
  write_file("small.yaml", small);
  char dir[512], file[512];
  snprintf(dir, sizeof dir, "%s/stopped", scratch);
  snprintf(file, sizeof file, "%s/small.yaml", scratch);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    execl(getenv("HOLONOM_PROGRAM"), "holonom", "run", file, "-o", dir, "--quiet", "--set",
          "integrator.steps=2000000000", (char *)NULL);
    _exit(127);
  }
  for (int i = 0; i < 600 && !exists("stopped/thermo.csv"); i++)
    usleep(50000);
  usleep(500000);
  ck_assert_int_eq(kill(child, SIGINT), 0);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ck_assert_ptr_nonnull(strstr(read_file("stopped/summary.yaml"), "ended: interrupted"));
  ck_assert_double_gt(summary("stopped", "steps"), 0.0);
  ck_assert(exists("stopped/rdf.csv"));
}
END_TEST

/* A trajectory's distribution is that of the run which wrote it, and its first frame has the start's energy.
 */
START_TEST(trajectories_read_back)
{
  write_file("small.yaml", small);
  ck_assert_int_eq(
      call("run small.yaml -o tr --force --quiet --set ensemble.replicas=1 --set "
           "output.trajectory=xyz,dcd --set output.trajectory_every=100 --set output.thermo_every=100"),
      0);
  ck_assert_int_eq(call("energy tr/trajectory.xyz --model tip3p --forces tr/forces.xyz"), 0);
  const char *total = strstr(output, "total ");
  ck_assert_ptr_nonnull(total);
  const double energy = atof(total + 6);
  ck_assert_int_eq(call("energy tr/trajectory.xyz --model tip3p --box 1000,1000,1000"), 0);
  ck_assert_double_eq_tol(atof(strstr(output, "total ") + 6), energy, 1e-9);
  double step, time, kinetic, coulomb, lj;
  const char *row = strstr(read_file("tr/thermo.csv"), "\n0,0,");
  ck_assert_ptr_nonnull(row);
  ck_assert_int_eq(sscanf(row, "\n%lf,%lf,%lf,%lf,%lf", &step, &time, &kinetic, &coulomb, &lj), 5);
  ck_assert_double_eq_tol(coulomb + lj, energy, 1e-4); /* eight decimals in the file */
  ck_assert_int_eq(call("rdf tr/trajectory.xyz -o tr/x --max 12"), 0);
  ck_assert_int_eq(call("rdf tr/trajectory.dcd -o tr/d --max 12"), 0);
  ck_assert_int_eq(call("rdf tr/trajectory.dcd -o tr/d --max 12"), 2);
  says("--force");
  ck_assert_ptr_nonnull(strstr(read_file("tr/x/rdf.csv"), "r,P,P_err"));
}
END_TEST

START_TEST(multipliers_are_written)
{
  write_file("small.yaml", small);
  ck_assert_int_eq(
      call("run small.yaml -o mu --force --quiet --set geometry.method=shake --set ensemble.replicas=1 "
           "--set thermostat.type=none --set integrator.word=BAB --set integrator.steps=200 --set "
           "output.multipliers_every=1"),
      0);
  const char *text = read_file("mu/multipliers.csv");
  ck_assert_ptr_nonnull(strstr(text, "lambda_3"));
  int rows = 0;
  for (const char *c = text; *c != '\0'; c++)
    rows += *c == '\n';
  ck_assert_int_ge(rows, 200);
}
END_TEST

START_TEST(runs_are_compared)
{
  write_file("small.yaml", small);
  ck_assert_int_eq(call("run small.yaml -o ca --force --quiet --set title=a"), 0);
  ck_assert_int_eq(call("run small.yaml -o cb --force --quiet --set title=b --set seed=2"), 0);
  ck_assert_int_eq(
      call("run small.yaml -o cc --force --quiet --set title=c --set thermostat.temperature='150 K'"), 0);
  ck_assert_int_eq(call("compare ca cb cc -o cmp --force"), 0);
  says("agree");
  says("differ");
}
END_TEST

static void remove_tree(const char *path)
{
  char command[600];
  snprintf(command, sizeof command, "rm -rf %s", path);
  if (system(command) != 0)
    fprintf(stderr, "%s is left behind\n", path);
}

int main(void)
{
  if (getenv("HOLONOM_PROGRAM") == NULL || *getenv("HOLONOM_PROGRAM") == '\0') {
    puts("HOLONOM_PROGRAM is not set: nothing to test; run this through ctest");
    return 77;
  }
  if (mkdtemp(scratch) == NULL) {
    perror(scratch);
    return 1;
  }
  Suite *suite = suite_create("program");
  TCase *tc = tcase_create("program");
  tcase_set_timeout(tc, 300);
  tcase_add_test(tc, commands_explain_themselves);
  tcase_add_test(tc, a_run_leaves_its_results);
  tcase_add_test(tc, threads_change_no_number);
  tcase_add_loop_test(tc, bad_input_is_refused, 0, (int)(sizeof wrong / sizeof *wrong));
  tcase_add_test(tc, a_run_that_goes_wrong_says_where);
  tcase_add_test(tc, an_interrupt_ends_cleanly);
  tcase_add_test(tc, trajectories_read_back);
  tcase_add_test(tc, multipliers_are_written);
  tcase_add_test(tc, runs_are_compared);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  remove_tree(scratch);
  return failed != 0;
}
