/* holonom status: what it says of a run is what the run then turns out to be, at work, ended or killed; of
 * studies and parts each run; nothing is written, and what is no run's is refused. */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/program.h"
#include "tests/tables.h"

static const char endless[] = "--quiet --set integrator.steps=2000000000 --set output.checkpoint_every=0.2";

/* A study of two runs at two temperatures, the first of which has no end. */
static const char study[] = "base: small.yaml\n"
                            "set: [integrator.steps=2000000000, output.checkpoint_every=0.2]\n"
                            "runs: [{name: a}, {name: b, set: [integrator.timestep=0.04]}]\n"
                            "vary: [{key: thermostat.temperature, values: [50 K, 60 K]}]\n";

/* Fails after a while. */
static const char gas[] = "system: {atoms: {argon: 200}, density: 0.4 g/cm3}\n"
                          "thermostat: {temperature: 300 K, friction: 1 1/ps}\n"
                          "integrator: {word: BAOAB, timestep: 50 fs, steps: 4000}\n"
                          "output: {thermo_every: 5, rdf_every: 5, equilibration: 0, report: no}\n";

/* Without pictures and page, which take most of the time. */
static void write_small(void)
{
  program_write("small.yaml", program_small);
  program_do("sed -i 's/^output:.*/output: {thermo_every: 200, rdf_every: 0, report: no}/' small.yaml");
}

static void wait_for(const char *name)
{
  for (int i = 0; i < 1500 && !program_exists(name); i++)
    usleep(20000);
  ck_assert_msg(program_exists(name), "%s", name);
}

static void end(pid_t child, int number)
{
  ck_assert_int_eq(kill(child, number), 0);
  ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

/* Says this of folders, and writes nothing there. */
static void says(const char *folders, const char *what)
{
  program_runs("status %s", folders);
  program_says(what);
}

static void leaves(const char *folder, const char *what)
{
  program_do("find %s -printf '%%p %%s %%T@ %%i\\n' | sort >before", folder);
  says(folder, what);
  program_do("find %s -printf '%%p %%s %%T@ %%i\\n' | sort | cmp before -", folder);
}

/* The number behind a key in the last call's JSON; NaN: null. */
static double number(const char *key)
{
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s\": ", key);
  const char *at = strstr(program_output, wanted);
  ck_assert_msg(at != NULL, "%s is not in: %s", key, program_output);
  at += strlen(wanted);
  return strncmp(at, "null", 4) == 0 ? NAN : atof(at);
}

TEST(a_run_at_work)
{
  write_small();
  const pid_t child = program_start("run small.yaml -o w %s", endless);
  wait_for("w/checkpoint.prev");
  program_runs("status w --json");
  program_says("\"state\": \"at work\"");
  const double step = number("step"), rate = number("steps_per_second"), left = number("seconds_left");
  ck_assert_double_ge(step, number("checkpoint_step"));
  ck_assert_double_gt(step, 0.0);
  ck_assert_double_eq(number("steps"), 2e9);
  /* Steps to come are so many at this rate; a moment has gone by since the last row. */
  ck_assert_double_gt(left * rate, 0.9 * (2e9 - step));
  ck_assert_double_le(left * rate, 1.001 * (2e9 - step));
  /* Nothing that is looked at keeps the run from going on. */
  for (int i = 0; i < 5; i++)
    says("w", "w: at work, process ");
  double later = step;
  for (int i = 0; i < 100 && later <= step; i++) {
    usleep(300000);
    program_runs("status w --json");
    later = number("step");
  }
  ck_assert_double_gt(later, step);
  end(child, SIGTERM);
  leaves("w", "w: interrupted\n");
  const double done = program_summary("w", "steps");
  ck_assert_double_eq(program_number("  step       "), done);
  program_runs("run small.yaml -o w --quiet --resume --set integrator.steps=%.0f", done + 100);
  leaves("w", "w: complete\n");
  ck_assert_double_eq(program_number("  step       "), done + 100);
  program_says(" thermo.csv ");
  program_says(" (100.0 %)");
}

/* By the last row, not by the clock; and the checkpoint that it names is the one that --resume takes. */
TEST(a_run_that_was_killed)
{
  write_small();
  const pid_t child = program_start("run small.yaml -o k %s", endless);
  wait_for("k/checkpoint.prev");
  end(child, SIGKILL);
  leaves("k", "k: killed");
  const ResultTable *t;
  char path[512];
  snprintf(path, sizeof path, "%s/k", program_scratch);
  ResultSet set = {.dir = strdup(path)};
  ck_assert_int_eq(results_table(&set, "thermo", &t, NULL), STATUS_OK);
  const double last = tables_at(t, t->nrow - 1, tables_find(t, "step"));
  results_free(&set);
  text_append(path, sizeof path, "/thermo.csv");
  ck_assert_double_eq(results_csv_last(path, "step"), last);
  program_do("printf '999999999,0.1' >>k/thermo.csv"); /* a row that is not whole */
  ck_assert_double_eq(results_csv_last(path, "step"), last);
  ck_assert(isnan(results_csv_last(path, "ste")) && isnan(results_csv_last(path, "steps")));
  program_runs("status k --json");
  const double saved = number("checkpoint_step");
  ck_assert_double_eq(number("step"), fmax(last, saved));
  ck_assert(isnan(number("seconds_left")));
  program_runs("run small.yaml -o k --quiet --resume --set integrator.steps=%.0f", saved + 50);
  char resumed[64];
  snprintf(resumed, sizeof resumed, "resumed at step %.0f,", saved);
  ck_assert_ptr_nonnull(strstr(program_read("k/holonom.log"), resumed));
  leaves("k", "k: complete\n");
}

TEST(a_damaged_checkpoint)
{
  write_small();
  program_runs("run small.yaml -o d --quiet");
  leaves("d", "of step 2000,");
  program_do("printf x | dd of=d/checkpoint.hol bs=1 seek=3000 conv=notrunc status=none");
  leaves("d", "checkpoint.hol is damaged");
  program_says("checkpoint.prev, of step 0, is intact");
  program_do("printf x | dd of=d/checkpoint.prev bs=1 seek=3000 conv=notrunc status=none");
  leaves("d", "checkpoint.hol is damaged");
  ck_assert_ptr_null(strstr(program_output, "is whole"));
  program_do("cd d && rm -f checkpoint.*");
  leaves("d", "checkpoint  none");
  program_do("cd d && mkfifo checkpoint.hol && ln -s ../small.yaml checkpoint.prev");
  leaves("d", "checkpoint  none");
}

TEST(a_run_that_failed)
{
  program_write("gas.yaml", gas);
  ck_assert_int_eq(program_call("run gas.yaml -o f --quiet"), 3);
  leaves("f", "f: failed: step ");
}

/* On a full disk neither results nor a summary can be written; the log has the reason. No file may grow
 * beyond some blocks of 512 bytes here. Results of an earlier stretch do not speak for one that failed. */
TEST(a_run_whose_disk_was_full)
{
  write_small();
  program_do("sed -i 's/thermo_every: 200/thermo_every: 1/' small.yaml");
  program_do("trap '' XFSZ; ulimit -f 60; $P run small.yaml -o full --quiet; test $? = 3; rm -f "
             "full/results.json full/summary.yaml");
  leaves("full", "full: failed: ");
  program_says("File too large");
  program_runs("run small.yaml -o full --quiet --force");
  program_do("trap '' XFSZ; ulimit -f $(($(stat -c %%s full/thermo.csv) / 512 + 100)); $P run small.yaml -o "
             "full --quiet --resume --set integrator.steps=400000; test $? = 3");
  leaves("full", "full: failed: ");
  program_says("File too large");
  ck_assert_double_gt(program_number("  step       "), 2000.0);
  /* Nothing is left but that it began. */
  program_do("sed -i /^FAILED/d full/holonom.log && rm -f full/results.json full/summary.yaml");
  leaves("full", "full: unknown: it ended without results or a message");
}

/* Without results.json there is no telling how a run ended. */
TEST(results_that_cannot_be_read)
{
  write_small();
  program_runs("run small.yaml -o r --quiet");
  program_do("cp -r r old && rm old/results.json && truncate -s 100 r/results.json");
  leaves("old", "old: unknown: old: there is a summary.yaml but no results.json");
  leaves("r", "r: unknown: r/results.json:");
  program_do("rm r/results.json && mkfifo r/results.json");
  leaves("r", "r: unknown: r/results.json:");
}

TEST(a_study_half_way)
{
  write_small();
  program_write("study.yaml", study);
  const pid_t child = program_start("study study.yaml -o s --quiet");
  wait_for("s/thermostat.temperature-50-K/a/checkpoint.hol");
  says("s", "s: 4 runs, 1 at work, 3 to come");
  program_says("s/thermostat.temperature-60-K/b  to come\n");
  end(child, SIGINT);
  leaves("s", "s: 4 runs, 1 interrupted, 3 to come; none is at work");
  ck_assert(!program_exists("s/thermostat.temperature-50-K/b"));
  says("s/thermostat.temperature-50-K", "2 runs, 1 interrupted, 1 to come");
  says("s/thermostat.temperature-50-K/a/", "s/thermostat.temperature-50-K/a: interrupted\n");
  program_runs("study study.yaml -o s --quiet --force --set integrator.steps=2000");
  leaves("s", "s: 4 runs, 4 complete\n");
}

TEST(parts_of_a_run)
{
  write_small();
  program_runs("run small.yaml -o p0 --quiet --replicas 0..7");
  const pid_t child = program_start("run small.yaml -o p1 --replicas 8..15 %s", endless);
  wait_for("p1/checkpoint.hol");
  says("p0 p1", "p0  complete     2000 of 2000 (100.0 %), replicas 0 to 7");
  program_says("p1  at work ");
  end(child, SIGTERM);
  leaves("p1", "p1: interrupted\n  replicas    8 to 15");
  program_does("rm -r p1; $P run small.yaml -o p1 --quiet --replicas 8..15; $P merge p0 p1 -o p --quiet");
  leaves("p", "p: complete\n");
}

TEST(what_is_no_run)
{
  write_small();
  program_do("mkdir -p foreign list above/run && echo hello >foreign/holonom.log && "
             "echo hello >foreign/holonom.lock && ln -s / foreign/replica-0");
  static const char *const bad[][2] = {{"nothing", "nothing: no such folder"},
                                       {"small.yaml", "small.yaml is not a folder"},
                                       {"foreign", "foreign contains no run or study"},
                                       {"foreign/", "foreign contains no run or study"},
                                       {"''", "a name is empty"},
                                       {"", "no run folder given"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    program_refuses(bad[i][1], "status %s", bad[i][0]);
  }
  /* A list that leads elsewhere is not followed. */
  program_runs("run small.yaml -o above/run --quiet");
  program_do("head -1 above/run/holonom.files >list/holonom.files && "
             "printf '../\\n./\\n../above/\\nabove/run/\\n/\\n//\\n' >>list/holonom.files");
  ck_assert_int_eq(program_call("status list"), 2);
  program_refuses("above contains no run; its subfolders do: above/run", "status above");
  /* The others are told of. */
  program_refuses("\"folder\": \"above/run\"", "status nothing above/run foreign --json");
  /* Names come as a terminal may show them. */
  program_does("mv above/run \"$(printf 'a\\033[2Jb')\" && $P status a*b");
  program_says("a\\x1b[2Jb: complete");
}

/* One who looks holds the lock for a moment; a run that begins in that moment begins. */
TEST(looking_keeps_no_run_from_beginning)
{
  char path[512];
  write_small();
  program_do("mkdir held && : >held/holonom.lock");
  snprintf(path, sizeof path, "%s/held/holonom.lock", program_scratch);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(flock(fd, LOCK_SH), 0);
  const pid_t child = program_start("run small.yaml -o held --quiet");
  usleep(100000);
  ck_assert_int_eq(close(fd), 0);
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  says("held", "held: complete\n");
}

TEST(json_is_json)
{
  if (access("/usr/bin/python3", X_OK) != 0)
    return;
  write_small();
  program_runs("run small.yaml -o \"j'\\\"<\" --quiet");
  program_does(
      "$P status j* --json | /usr/bin/python3 -c 'import json, os, sys; r = json.load(sys.stdin)[0]; "
      "assert r[\"state\"] == \"complete\" and r[\"step\"] == r[\"steps\"] == 2000, r; "
      "d = r[\"folder\"]; assert all(os.path.getsize(d + \"/\" + f[\"name\"]) == f[\"bytes\"] "
      "for f in r[\"files\"]); assert {f[\"name\"] for f in r[\"files\"]} >= {\"thermo.csv\", "
      "\"summary.yaml\", \"checkpoint.hol\"}'");
}
