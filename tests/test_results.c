/* What a run leaves when it ends is of one piece: files come whole or not at all, nothing old stays beside
 * what is new, a tool that hangs holds nothing, and what was not made is not listed. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ticks.h"
#include "base/tool.h"
#include "results/results.h"
#include "tests/fail_call.h"
#include "tests/program.h"

/* Few rows and no start to build: one picture, of distances. */
static const char input[] = "units: akma\n"
                            "system: {model: tip3p, molecules: 3, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BAOAB, timestep: 0.05, steps: 40}\n"
                            "thermostat: {temperature: 50 K, friction: 0.1, convention: mass}\n"
                            "ensemble: {replicas: 8, threads: 1}\n"
                            "output: {thermo_every: 10, rdf_every: 10, checkpoint_every: 0.000001}\n";

/* --- files ------- */

/* What replaces results of its own, with what those are, and its files. */
enum { ARGUMENTS = 11 };
static const struct Again {
  const char *argument[ARGUMENTS], *before, *files;
} agains[] = {{{"run", "in.yaml", "-o", "r", "--resume", "--quiet"},
               "run in.yaml -o before --quiet --set integrator.steps=20",
               "summary.yaml replicas.csv rdf.csv report.html"},
              {{"rdf", "one/final.xyz", "-o", "r", "--force", "--bins", "100"},
               "rdf one/final.xyz -o before",
               "rdf.csv rdf.dat rdf.plot.json"},
              {{"observe", "rdf", "one/final.xyz", "-o", "r", "--force", "--rdf-bins", "100", "--model",
                "tip3p", "--interval=1"},
               "observe rdf one/final.xyz -o before --model tip3p --interval=1",
               "rdf.csv observables.json rdf.plot.json"},
              {{"compare", "one", "two", "-o", "r", "--force"},
               "compare one one -o before",
               "compare.csv compare.json compare.dat compare.html"}};
enum { AGAINS = (int)(sizeof agains / sizeof *agains) };

/* With a disk that is full at any one write: what went wrong is said as it was, a summary never says
 * "complete" unless all but the page is there, and no result of before stands beside a new one. */
TEST(a_full_disk_leaves_nothing_torn, .rows = AGAINS)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (!fail_call_possible())
    return;
  const struct Again *again = &agains[_i];
  program_write("in.yaml", input);
  program_does("rm -rf before; for d in one two; do PATH=none $P run in.yaml -o $d --force --quiet "
               "$(test $d = one || echo --set seed=2); done");
  program_does("PATH=none $P %s", again->before);
  char *argv[ARGUMENTS + 2] = {getenv("HOLONOM_PROGRAM")}, *path = strdup(getenv("PATH"));
  for (int k = 0; k < ARGUMENTS; k++)
    argv[k + 1] = (char *)(uintptr_t)again->argument[k];
  FailResult result = {.code = 3};
  long failed = 0;
  for (long n = 1; result.code != 0; n++) {
    program_does("rm -rf r; cp -r before r");
    setenv("PATH", "/nowhere", 1); /* without gnuplot */
    result = fail_call(program_scratch, argv, FAIL_WRITE, n);
    setenv("PATH", path, 1);
    if (result.code == 0)
      break;
    failed++;
    ck_assert_msg(result.code == 3 || result.code == 2, "%ld: %d %s", n, result.code, result.words);
    ck_assert_msg(strstr(result.words, "Input/output error") == NULL, "%ld: %s", n, result.words);
    program_does("test ! -e r/summary.yaml || cmp -s r/summary.yaml before/summary.yaml || "
                 "! grep -q '^ended: complete' r/summary.yaml || test ! -e r/report.html");
    program_does("same=0; new=0; for f in %s; do "
                 "test -e r/$f || continue; cmp -s r/$f before/$f && same=$((same+1)) || "
                 "new=$((new+1)); done; test $same = 0 -o $new = 0",
                 again->files);
  }
  ck_assert_int_gt(failed, 3);
  free(path);
#endif
}

/* A page that cannot be written is an error, also under --quiet, and the page of before does not stay. */
TEST(no_page_is_an_error)
{
  program_write("in.yaml", input);
  program_does(
      "$P run in.yaml -o page --quiet && test -e page/report.html && cp page/checkpoint.hol before.hol");
  ck_assert_int_eq(
      program_shell("$P run in.yaml -o page --resume --quiet --set integrator.steps=2000000000 & "
                    "while cmp -s page/checkpoint.hol before.hol; do sleep 0.1; done; "
                    "mkdir page/report.html.part; kill -TERM $!; wait $!"),
      3);
  program_says("could not write the report page; all other files are complete: page/report.html");
  ck_assert(!program_exists("page/report.html"));
  ck_assert_ptr_nonnull(strstr(program_read("page/summary.yaml"), "ended: interrupted"));
}

/* --- tools ------- */

/* What the tool says is made of this script; seconds that it took in *took. */
static ToolEnd run(const char *script, double seconds, int *code, double *took)
{
  const double start = ticks_seconds();
  program_do("rm -f tool.log");
  const ToolEnd end =
      tool_run(program_scratch, (const char *const[]){"sh", "-c", script, NULL}, "tool.log", seconds, code);
  *took = ticks_seconds() - start;
  return end;
}

TEST(tools_end_in_time)
{
  int code;
  double took;
  ck_assert_int_eq(run("exit 5", 30.0, &code, &took), TOOL_ENDED);
  ck_assert_int_eq(code, 5);
  ck_assert_int_eq(run("kill -KILL $$", 30.0, &code, &took), TOOL_ENDED);
  ck_assert_int_eq(code, 128);
  /* It hangs, deaf to what asks it to end, and so does what it has started. */
  ck_assert_int_eq(run("trap '' TERM INT HUP; sh -c 'trap \"\" TERM; echo $$ > child; sleep 1000' & "
                       "while :; do sleep 1; done",
                       1.0, &code, &took),
                   TOOL_SLOW);
  ck_assert_double_lt(took, 20.0);
  const pid_t child = (pid_t)atoi(program_read("child"));
  ck_assert_int_gt(child, 1);
  /* Gone, or dead and not yet asked for by its new parent. */
  program_does("for i in $(seq 100); do grep -q '^State:.[^Z]' /proc/%d/status || exit 0; "
               "sleep 0.1; done; exit 1",
               (int)child);
  /* It ends, and leaves somebody behind who holds what it writes into. */
  ck_assert_int_eq(run("sleep 20 & exit 0", 30.0, &code, &took), TOOL_ENDED);
  ck_assert_double_lt(took, 15.0);
}

/* --- pictures ------- */

static void fake_gnuplot(const char *script)
{
  program_do("mkdir -p fake");
  FILE *file = program_create("fake/gnuplot");
  fprintf(file, "#!/bin/sh\n%s\n", script);
  ck_assert_int_eq(fclose(file), 0);
  program_do("chmod +x fake/gnuplot");
}

#define FAKE "PATH=$PWD/fake:$PATH "

static void no_picture(const char *dir)
{
  char name[64];
  static const char *const suffix[] = {"svg", "png", "pdf"};
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "%s/rdf.%s", dir, suffix[k]);
    ck_assert_msg(!program_exists(name), "%s", name);
  }
  ck_assert_msg(strstr(program_output, "rdf.png") == NULL, "%s", program_output);
  snprintf(name, sizeof name, "%s/holonom.log", dir);
  ck_assert_ptr_nonnull(strstr(program_read(name), "no picture"));
  snprintf(name, sizeof name, "%s/summary.yaml", dir);
  ck_assert_ptr_null(strstr(program_read(name), "rdf.png"));
}

/* Half a picture of a gnuplot that failed is none; that of an earlier run goes, too. */
TEST(half_a_picture_is_none)
{
  program_write("in.yaml", input);
  program_does("$P run in.yaml -o half2 --quiet; echo old > half2/rdf.png");
  fake_gnuplot("printf '<svg' > rdf.svg; printf PNG > rdf.png; exit 1");
  program_does(FAKE "$P run in.yaml -o half2 --resume --set integrator.steps=60");
  program_says("no picture: gnuplot failed");
  program_says("rdf.csv");
  no_picture("half2");
}

/* A gnuplot that hangs and ignores signals, with a child that holds its output: the run ends soon after it is
 * asked to, with all but the picture. */
TEST(a_gnuplot_that_hangs_is_left)
{
  program_write("in.yaml", input);
  fake_gnuplot("trap '' TERM INT; printf '<svg' > rdf.svg; sleep 1000 & touch hangs; "
               "while :; do sleep 1; done");
  const double start = ticks_seconds();
  ck_assert_int_eq(program_shell(FAKE "$P run in.yaml -o hung & while test ! -e hung/hangs; do sleep 0.1; "
                                      "done; kill -TERM $!; wait $!"),
                   128 + SIGTERM);
  ck_assert_double_lt(ticks_seconds() - start, 200.0);
  program_says("because the program was asked to stop");
  no_picture("hung");
  ck_assert(program_exists("hung/rdf.csv") && program_exists("hung/report.html"));
  ck_assert_ptr_nonnull(strstr(program_read("hung/summary.yaml"), "ended: complete"));
}

/* --- what results say ------- */

/* The time that a run took and the energy of a wall had one name. */
TEST(each_number_has_a_name_of_its_own)
{
  ResultSet set;
  const ResultTable *table;
  char dir[512];
  program_write("in.yaml", input);
  program_does("$P run in.yaml -o w --quiet --set system.wall.radius=9 --set output.report=false");
  program_does("test -z \"$(sed -n 's/^\\([a-z_]*\\):.*/\\1/p' w/summary.yaml | sort | uniq -d)\"");
  snprintf(dir, sizeof dir, "%s/w", program_scratch);
  ck_assert_int_eq(results_json_read(&set, dir, NULL), STATUS_OK);
  for (int i = 0; i < set.n; i++)
    ck_assert_ptr_eq(results_find(&set, set.number[i].of, set.number[i].subject, set.number[i].name),
                     &set.number[i]);
  ck_assert_str_eq(results_find(&set, "", "", "wall_energy")->unit, "kcal/mol");
  /* counts of each replica stay in their file, which is found by way of results.json */
  int found = 0;
  for (int i = 0; i < set.ntable; i++)
    found += strcmp(set.table[i]->name, "rdf_replicas") == 0 && set.table[i]->apart;
  ck_assert_int_eq(found, 1);
  ck_assert_int_eq(results_table(&set, "rdf_replicas", &table, NULL), STATUS_OK);
  ck_assert_uint_eq(table->nrow, 8);
  results_free(&set);
}

/* A run that a signal ends has its results before its pictures, which have 5 seconds in all, however many
 * there are and whatever gnuplot does. */
TEST(results_come_before_pictures)
{
  enum { PAUSE = 2, PICTURES = 5, SPARE = 4 };
  program_write("in.yaml", input);
  fake_gnuplot("if test -e summary.yaml; then echo yes >> first; else echo no >> first; fi; exec sleep 60");
  const double begun = ticks_seconds();
  ck_assert_int_eq(
      program_shell("rm -rf late; " FAKE "timeout -s TERM %d $P run in.yaml -o late --set "
                    "integrator.steps=2000000000 --set output.checkpoint_every=600 --set output.report=false",
                    PAUSE),
      124);
  ck_assert_double_lt(ticks_seconds() - begun, PAUSE + PICTURES + SPARE);
  program_does("test -e late/rdf.gp && test -e late/thermo.gp && ! grep -v yes late/first");
  ck_assert(program_exists("late/results.json"));
  no_picture("late");
}
