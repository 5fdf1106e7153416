/* Wrong calls are answered with the nearest right one; help, the man page and completion have every command
 * and option that a call can have; what stdout does not take is an error; '-' is standard input. */
#include "tests/program.h"

static const char *const command[] = {"run",     "merge",  "build", "check", "rdf",     "observe", "energy",
                                      "compare", "import", "list",  "bench", "gallery", "example", "help"};
enum { COMMANDS = (int)(sizeof command / sizeof *command) };

static const struct {
  const char *call, *says;
} wrong[] = {
    {"rum x.yaml", "did you mean 'run'?"},
    {"obserbe x", "did you mean 'observe'?"},
    {"help chekc", "did you mean 'check'?"},
    {"fold x", "'holonom help' lists all"},
    {"run x.yaml --treads=3", "did you mean '--threads'?"},
    {"compare a b --forse", "did you mean '--force'?"},
    {"rdf x --purple", "unknown option '--purple'\n"},
    {"list wrods", "did you mean 'words'?"},
    {"list everything", "allowed: models, species, letters, words"},
    {"list words methods", "takes one topic"},
    {"bench pandulum", "unknown subject 'pandulum'; did you mean 'pendulum'?"},
    {"bench everything", "allowed: cluster, pendulum"},
    {"example duble-pendulum", "did you mean 'double-pendulum'?"},
    {"gallery --only curve", "did you mean 'curves'?"},
    {"bench", "no subject given; allowed: cluster, pendulum"},
    {"run x.yaml --threads -1", "--threads -1: a number from 0 to 4096 is required"},
    {"rdf x --max 0", "--max 0: a number in A is required, above 0"},
    {"build --temperature 20C", "--temperature 20C: a number in K is required, at least 1"},
    {"energy x --box 20,20", "--box 20,20: 2 numbers do not define a box"},
    {"observe msd x --box 20,20", "--box 20,20: 2 numbers do not define a box"},
    {"observe msd x --box 20,20,20,20", "--box 20,20,20,20: 4 numbers do not define a box"},
    {"energy x.xyz --model tip3", "unknown water model 'tip3'; did you mean 'tip3p'?"},
    {"observe rdg x.xyz", "did you mean 'rdf'?"},
    {"run", "usage: holonom run FILE [-o DIR] [--set KEY=VALUE]"},
};

TEST(wrong_calls_are_answered, .rows = sizeof wrong / sizeof *wrong)
{
  program_refuses(wrong[_i].says, "%s", wrong[_i].call);
}

TEST(an_unknown_instruction_set_is_refused, .rows = 2)
{
  const char *calls[] = {"HOLONOM_ISA=sse $P bench cluster", "$P bench cluster --isa sse"};
  ck_assert_int_eq(program_shell("%s", calls[_i]), 2);
  program_says("unknown instruction set 'sse'; known: best");
}

TEST(topics_are_parts_of_the_list)
{
  program_runs("list");
  char *all = strdup(program_output);
  program_runs("help list");
  char *help = strdup(program_output);
  program_runs("help --completion");
  const char *at = strstr(program_output, "  list:*)");
  ck_assert_ptr_nonnull(at);
  at = strchr(at, '\'') + 1;
  char *names = strndup(at, (size_t)(strchr(at, '\'') - at)), *rest = names;
  size_t sum = 0;
  int n = 0;
  for (char *name; (name = strsep(&rest, "\n")) != NULL && *name != '\0'; n++) {
    program_runs("list %s", name);
    ck_assert_ptr_nonnull(strstr(all, program_output));
    ck_assert_msg(strstr(help, name) != NULL, "holonom help list does not name %s", name);
    sum += strlen(program_output);
  }
  ck_assert_int_ge(n, 15);
  ck_assert_uint_eq(sum, strlen(all));
  free(names);
  free(help);
  free(all);
}

/* The manual's page of commands is as the tables of commands and options make it. */
TEST(the_page_of_commands_is_up_to_date)
{
  const char *const root = getenv("HOLONOM_SOURCE");
  const int differs =
      program_shell("$P help --page | cmp - %s/docs/reference/commands.md", root != NULL ? root : ".");
  ck_assert_msg(differs == 0, "build/holonom help --page >docs/reference/commands.md");
}

/* Every command that prints, and the run of an input. */
TEST(a_stdout_that_takes_nothing_is_an_error)
{
  static const char *const call[] = {
      "list",
      "help",
      "help run",
      "help --man",
      "--version",
      "help --keys text",
      "help --keys json",
      "help --keys box",
      "gallery --list",
      "example",
      "help --completion",
      "run small.yaml -o full --set integrator.steps=10 --set output.equilibration=0"};
  program_write("small.yaml", program_small);
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    /* A descriptor that is open for reading alone. */
    ck_assert_int_eq(program_shell("$P %s 1<small.yaml", call[i]), 3);
    program_says("cannot write to standard output");
  }
}

/* Options as help has them are those of the man page and of completion. */
TEST(the_same_options_everywhere)
{
  char *manual, *completion;
  program_runs("help --man");
  manual = strdup(program_output);
  program_runs("help --completion");
  completion = strdup(program_output);
  int options = 0;
  for (int i = 0; i < COMMANDS; i++) {
    char start[64], words[64];
    program_runs("help %s", command[i]);
    char *help = strdup(program_output), *rest = help;
    program_runs("%s --help", command[i]);
    ck_assert_str_eq(program_output, help);
    snprintf(start, sizeof start, "\n.SS holonom %s", command[i]);
    const char *section = strstr(manual, start);
    ck_assert_msg(section != NULL, "the man page has no %s", command[i]);
    snprintf(words, sizeof words, "\n  %s:-*)", command[i]);
    const char *offered = strstr(completion, words);
    ck_assert_msg(offered != NULL, "completion has no %s", command[i]);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
      const char *name = strstr(line, "--");
      if (name == NULL || strspn(line, " -o,") < 4 || name - line > 6)
        continue;
      char plain[40], troff[48];
      snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, " "), name);
      snprintf(troff, sizeof troff, "\\fB\\-\\-%.*s", (int)strcspn(plain + 2, "-"), plain + 2);
      const char *in_manual = strstr(section + 1, troff), *next = strstr(section + 1, "\n.SS");
      ck_assert_msg(in_manual != NULL && (next == NULL || in_manual < next), "man page: %s %s", command[i],
                    plain);
      const char *in_words = strstr(offered, plain);
      ck_assert_msg(in_words != NULL && in_words < strstr(offered, ";;"), "completion: %s %s", command[i],
                    plain);
      options++;
    }
    free(help);
  }
  ck_assert_int_ge(options, 60);
  free(manual);
  free(completion);
}

/* The long name of every option that has a letter. */
TEST(out_works_as_o_does)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml --out long --quiet --set output.trajectory=[xyz] --set "
               "output.trajectory_every=500");
  program_runs("run small.yaml -o brief --quiet");
  program_same("long", "brief", "thermo.csv");
  program_runs("rdf long/trajectory.xyz --out distances");
  ck_assert(program_exists("distances/rdf.csv"));
  program_gnuplot();
  program_runs("compare long brief --out pictures");
  ck_assert(program_exists("pictures/compare.png"));
  program_runs("example double-pendulum --out inputs");
  ck_assert(program_exists("inputs/zs.yaml"));
}

TEST(an_input_may_come_by_stdin)
{
  program_write("small.yaml", program_small);
  program_does("$P run small.yaml -o named --quiet && $P run - -o piped --quiet < small.yaml");
  program_same("named", "piped", "thermo.csv");
  program_does("$P run - --quiet --set integrator.steps=500 < small.yaml");
  ck_assert(program_exists("stdin.out/thermo.csv"));
  program_does("$P check - < small.yaml");
  program_says("# the input is fine");
  ck_assert_int_eq(program_shell("echo 'system: {modle: tip3p}' | $P check -"), 2);
  program_says("standard input:1: system.modle: unknown key; did you mean system.model?");
  /* A key of another section that is merely like it means something else (system.anneal). */
  ck_assert_int_eq(program_shell("echo 'thermostat: {tempering: 1}' | $P check -"), 2);
  program_says("thermostat.tempering: unknown key; the section thermostat has type, ");
}

/* 0 threads on the command line are all that the machine gives, as in the input, which they stand above. */
TEST(zero_threads_are_all)
{
  program_write("small.yaml", program_small);
  program_does("unset OMP_NUM_THREADS; SLURM_CPUS_PER_TASK=1 $P run small.yaml -o all "
               "--quiet --set ensemble.threads=2 --threads 0 && grep threads: all/summary.yaml");
  program_says("threads: 1");
  program_does("$P run small.yaml -o two --quiet --threads 2 && $P run small.yaml -o given "
               "--quiet --set ensemble.threads=2 && grep -h threads: two/summary.yaml "
               "given/summary.yaml");
  program_says("threads: 2\nthreads: 2");
  program_same("all", "two", "thermo.csv");
}

TEST(bash_completes)
{
  static const struct {
    const char *words, *reply;
  } cases[] = {
      {"holonom ch", "check"},
      {"holonom run --th", "--threads"},
      {"holonom run x.yaml --set geometry.me", "geometry.method="},
      {"holonom energy x.xyz --model tip3", "tip3p tip3pfb"},
      {"holonom list wo", "words"},
      {"holonom observe vac", "vacf"},
      {"holonom example double-p", "double-pendulum"},
      {"holonom compare --out ./fol", "./folder"},
  };
  program_does("mkdir folder && $P help --completion > complete.bash");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program_does("bash -c '. ./complete.bash; COMP_WORDS=(%s); "
                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _holonom; "
                 "echo \"reply ${COMPREPLY[*]} end\"'",
                 cases[i].words);
    char reply[64];
    snprintf(reply, sizeof reply, "reply %s end", cases[i].reply);
    program_says(reply);
  }
}

/* Nothing that mandoc would warn of. */
TEST(the_man_page_is_sound, .skip = suite_lacks("mandoc"))
{
  program_does("$P help --man > holonom.1 && mandoc -Tlint -Wwarning holonom.1");
  ck_assert_str_eq(program_output, "");
  program_does("mandoc -Tascii holonom.1 | col -b");
  program_says("integrator.timestep");
  program_says("128 + N");
  program_says("last-good.xyz");
}

int main(void)
{
  const int failed = program_main("command");
  return failed == 0 && suite_lacks("mandoc") ? SUITE_SKIPPED : failed;
}
