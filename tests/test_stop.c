/* Signals, limits and closed streams: what is asked to stop stops soon, cleanly, and says so by its exit
 * code. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/listen.h"
#include "tests/program.h"

/* A pendulum whose rows are a day of computing apart. */
static const char pendulum[] = "units: reduced\n"
                               "system:\n"
                               "  dimensions: 2\n"
                               "  sites: [{position: [\"1\", \"0\"]}]\n"
                               "  constraints: [{type: anchor, site: 1, distance: 1}]\n"
                               "  potentials: [{type: gravity, acceleration: [0, -1]}]\n"
                               "geometry: {method: rattle}\n"
                               "integrator: {word: BAB, timestep: 0.001, steps: 2000000000000}\n"
                               "output: {trajectory_every: 1000000000000, checkpoint_every: 1}\n";

static void wait_for(const char *name)
{
  for (int i = 0; i < 1500 && !program_exists(name); i++)
    usleep(20000);
  ck_assert_msg(program_exists(name), "%s", name);
}

/* Sends the signal twice, as timeout(1) and launchers do, which signal a process and then its group; returns
 * the exit code. What goes on is ended by the test's own time. */
static int stop(pid_t child, int number)
{
  int status;
  ck_assert_int_eq(kill(child, number), 0);
  usleep(300);
  ck_assert_int_eq(kill(child, number), 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Stops a call some time after `part` is there; again, after twice as long, where it had not yet come to
 * listen. */
static int stop_at_work(const char *call, const char *part, int number)
{
  int code = -1;
  for (useconds_t wait = 500000; code < 0 && wait < 20000000; wait *= 2) {
    program_do("rm -f %s", part);
    const pid_t child = program_start("%s", call);
    wait_for(part);
    usleep(wait);
    code = stop(child, number);
  }
  return code;
}

TEST(the_exit_code_names_the_signal, .rows = 3)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  program_write("small.yaml", program_small);
  const pid_t child = program_start("run small.yaml -o s --force --quiet --set integrator.steps=2000000000");
  wait_for("s/checkpoint.hol");
  ck_assert_int_eq(stop(child, numbers[_i]), 128 + numbers[_i]);
  ck_assert_ptr_nonnull(strstr(program_read("s/summary.yaml"), "ended: interrupted"));
  ck_assert(!program_exists("s/holonom.lock"));
  program_do("rm -r s");
}

TEST(what_was_ignored_stays_ignored)
{
  program_write("small.yaml", program_small);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN); /* as nohup and a shell's & do */
  const pid_t child = program_start("run small.yaml -o nohup --quiet --set integrator.steps=2000000000");
  signal(SIGINT, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  wait_for("nohup/checkpoint.hol");
  ck_assert_int_eq(kill(child, SIGHUP), 0);
  ck_assert_int_eq(kill(child, SIGINT), 0);
  usleep(800000);
  ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
  ck_assert_int_eq(stop(child, SIGTERM), 128 + SIGTERM);
}

TEST(mechanical_runs_obey_between_rows)
{
  program_write("pendulum.yaml", pendulum);
  const pid_t child = program_start("run pendulum.yaml -o p --quiet");
  wait_for("p/checkpoint.prev"); /* the start's; the next came by the clock alone, as no row is due */
  ck_assert_int_eq(stop(child, SIGINT), 130);
  const double done = program_summary("p", "steps");
  ck_assert_double_gt(done, 0.0);
  /* A kill at the wrong moment leaves the previous checkpoint alone, which serves. */
  program_do("cd p && rm -f checkpoint.prev && mv checkpoint.hol checkpoint.prev");
  program_runs("run pendulum.yaml -o p --quiet --resume --set integrator.steps=%.0f", done + 5);
  ck_assert_double_eq(program_summary("p", "steps"), done + 5);
  ck_assert(program_exists("p/checkpoint.hol"));
}

TEST(a_build_leaves_no_part)
{
  ck_assert_int_eq(stop_at_work("build --model tip3p --molecules 300 --equilibrate 1000000 --quiet",
                                "box.gro.holonom.part", SIGINT),
                   130);
  ck_assert(!program_exists("box.gro.holonom.part") && !program_exists("box.gro"));
}

TEST(a_search_leaves_no_part)
{
  ck_assert_int_eq(stop_at_work("minima --model tip3p --molecules 8 --steps 100000000 -o m.xyz --quiet",
                                "m.xyz.holonom.part", SIGTERM),
                   128 + SIGTERM);
  ck_assert(!program_exists("m.xyz.holonom.part") && !program_exists("m.xyz"));
}

TEST(a_study_ends_with_its_run)
{
  program_write("small.yaml", program_small);
  program_write("study.yaml",
                "base: small.yaml\nset: [integrator.steps=2000000000]\nruns: [{name: a}, {name: b}]\n");
  const pid_t child = program_start("study study.yaml -o study --quiet");
  wait_for("study/a/checkpoint.hol");
  ck_assert_int_eq(stop(child, SIGINT), 130);
  ck_assert_ptr_nonnull(strstr(program_read("study/a/summary.yaml"), "ended: interrupted"));
  ck_assert(!program_exists("study/b"));
}

/* As batch systems and people limit a run; what it has comes whole, whenever the limit is. Where a machine is
 * so busy that it has not begun by then, the limit is twice as long. */
TEST(a_limit_of_time_is_a_clean_end, .rows = 2)
{
  program_write("small.yaml", program_small);
  program_do("rm -rf limited");
  for (int limit = 2; limit < 50 && !program_exists("limited/summary.yaml"); limit *= 2)
    ck_assert_int_eq(program_shell("timeout -s %s %d $P run small.yaml -o limited --force --quiet "
                                   "--set integrator.steps=2000000000",
                                   _i % 2 == 0 ? "INT" : "TERM", limit),
                     124);
  ck_assert_ptr_nonnull(strstr(program_read("limited/summary.yaml"), "ended: interrupted"));
  ck_assert(program_exists("limited/checkpoint.hol") && !program_exists("limited/holonom.lock"));
}

/* Runs the call until it has ended with a checkpoint, with a limit that doubles where the machine was too
 * busy to begin within it; 0.0005 h are 1.8 s, of which the run has half. */
static void run_to_limit(const char *call, const char *checkpoint)
{
  int code = 124;
  for (double hours = 0.0005; code == 124 && hours < 0.05 && !program_exists(checkpoint); hours *= 2.0)
    code = program_call("%s --max-hours %gh", call, hours);
  ck_assert_int_eq(code, 124);
  ck_assert(program_exists(checkpoint));
}

TEST(max_hours_ends_a_run_that_resumes_to_the_bit)
{
  program_write("small.yaml", program_small);
  run_to_limit("run small.yaml -o hours --set integrator.steps=2000000000", "hours/checkpoint.hol");
  program_says(
      "the limit of time (--max-hours) is reached: all results so far are written; --resume continues");
  ck_assert_ptr_nonnull(strstr(program_read("hours/summary.yaml"), "ended: interrupted"));
  ck_assert_ptr_nonnull(strstr(program_read("hours/holonom.log"), "the limit of time (--max-hours) ended"));
  const double steps = program_summary("hours", "steps") + 100;
  ck_assert_double_gt(steps, 100);
  /* A limit that is not reached changes nothing. */
  program_runs("run small.yaml -o hours --quiet --resume --max-hours 2.5 --set integrator.steps=%.0f", steps);
  program_runs("run small.yaml -o once --quiet --set integrator.steps=%.0f", steps);
  program_same("hours", "once", "thermo.csv");
  program_same("hours", "once", "replicas.csv");
  program_same("hours", "once", "rdf.csv");
  program_same("hours", "once", "final.xyz");
  program_do("rm -r hours once");
}

TEST(max_hours_ends_a_study)
{
  program_write("small.yaml", program_small);
  program_write("study.yaml",
                "base: small.yaml\nset: [integrator.steps=2000000000]\nruns: [{name: a}, {name: b}]\n");
  program_do("rm -rf study");
  run_to_limit("study study.yaml -o study", "study/a/checkpoint.hol");
  program_says(
      "the limit of time (--max-hours) is reached: all results so far are written; the same command");
  ck_assert(!program_exists("study/b"));
}

/* Time counts from the start of the program: the start of hundreds of molecules takes longer than this. */
TEST(max_hours_includes_the_start)
{
  program_write("many.yaml", "system: {model: tip3p, molecules: 400}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 1000000000}\n"
                             "thermostat: {temperature: 100 K, friction: 1 1/ps}\n");
  ck_assert_int_eq(program_call("run many.yaml -o many --max-hours 0.0002"), 124);
  program_says("interrupted while the start was being built; nothing was written");
  program_says("the limit of time (--max-hours) is reached");
  ck_assert(!program_exists("many"));
}

TEST(max_hours_is_a_positive_time)
{
  static const char *const wrong[] = {"0", "-1", "nan", "inf", "soon", "2d", "1,2", "''"};
  program_write("small.yaml", program_small);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    program_refuses("--max-hours", "run small.yaml -o wrong --max-hours %s", wrong[i]);
    program_refuses("--max-hours", "study small.yaml -o wrong --max-hours %s", wrong[i]);
  }
  ck_assert(!program_exists("wrong"));
}

/* What does not end is told so at the second request, and ends at the third, whatever the signals. */
TEST(one_more_ends_at_once)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  int words[2], status;
  char said[256] = "";
  ck_assert_int_eq(pipe(words), 0);
  const pid_t child = fork();
  if (child == 0) {
    (void)dup2(words[1], STDERR_FILENO);
    listen_for_stops();
    (void)!write(STDERR_FILENO, ".", 1);
    for (;;)
      pause();
  }
  ck_assert_int_eq(read(words[0], said, 1), 1);
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
    for (int twice = 0; twice < 2; twice++) {
      (void)kill(child, numbers[k]);
      usleep(1000);
    }
    if (k == 1)
      ck_assert_int_gt(read(words[0], said, sizeof said - 1), 0);
    usleep(1100000);
  }
  ck_assert_ptr_nonnull(strstr(said, "one more signal ends the program at once"));
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == numbers[2]);
  close(words[0]);
  close(words[1]);
}

/* Hundreds of molecules are annealed for long before there is anything to write of. */
TEST(a_start_leaves_nothing, .rows = 2)
{
  program_write("many.yaml", "system: {model: tip3p, molecules: 400}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 1000000000}\n"
                             "thermostat: {temperature: 100 K, friction: 1 1/ps}\n");
  *program_output = '\0';
  for (int limit = 2; limit < 50 && *program_output == '\0';
       limit *= 2) /* it says nothing before it listens */
    ck_assert_int_eq(
        program_shell("timeout -s %s %d $P run many.yaml -o many", _i == 0 ? "INT" : "TERM", limit), 124);
  program_says("interrupted while the start was being built; nothing was written");
  ck_assert_ptr_null(strstr(program_output, "no page"));
  ck_assert(!program_exists("many"));
}

/* The write fails, and says why; without a signal of the kernel's own. */
TEST(a_limit_of_size_is_an_error_of_writing)
{
  program_write("small.yaml", program_small);
  ck_assert_int_eq(
      program_shell("ulimit -f 8 && $P run small.yaml -o limit --quiet --set output.thermo_every=1"), 3);
  program_says("File too large");
}

TEST(closed_streams_get_no_file)
{
  program_write("pendulum.yaml", pendulum);
  program_do("$P run pendulum.yaml -o closed --set integrator.steps=100 --set output.trajectory_every=1 <&- "
             ">&- 2>&-");
  const char *rows = program_read("closed/trajectory.csv");
  ck_assert_ptr_null(strstr(rows, "step"));
  ck_assert_ptr_null(strstr(rows, "results in"));
}

/* A title is drawn whatever it begins with. */
TEST(titles_with_quotes_have_their_picture, .rows = 5)
{
  static const char *const titles[] = {"'\"seven\" waters'", "\"'seven' waters\"", "\"'\"", "'\"'",
                                       "'`date` \\ {a'"};
  program_gnuplot();
  if (system("command -v gnuplot > /dev/null") != 0)
    return;
  FILE *file = program_create("titled.yaml");
  fputs("title: ", file);
  fputs(titles[_i], file);
  fputs(program_small + strlen("title: small"), file);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("run titled.yaml -o titled --force --quiet");
  ck_assert_ptr_null(strstr(program_read("titled/holonom.log"), "no picture"));
  ck_assert(program_exists("titled/rdf.svg") && program_exists("titled/rdf.png"));
}
