/* Every file call of the program fails in turn (SQLite's sweep), and it is killed before each: it never
 * crashes, says what happened, leaves files that can be read, and goes on from there to the same results
 * (H5MD: equal contents).
 *
 * By default every ftruncate fails, and a sample of the other calls, which is larger in the nightly tier;
 * HOLONOM_SWEEP=all tries every one (scripts/reliability). */
#include "io/trajectory.h"
#include "tests/fail_call.h"
#include "tests/h5_same.h"
#include "tests/program.h"

static const char input[] =
    "units: akma\n"
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 0.05, steps: 40}\n"
    "thermostat: {temperature: 50 K, friction: 0.1, convention: mass}\n"
    "ensemble: {replicas: 1, threads: 1}\n"
    "output: {thermo_every: 10, rdf_every: 10, trajectory: [xyz, dcd, xtc%s], trajectory_every: "
    "10, checkpoint_every: 0.000001}\n";

/* A command, what it needs beforehand, what makes its folder ready, and how to go on after it failed. */
typedef struct Row {
  const char *name, *before, *arguments, *ready, *again[2], *files;
} Row;

#define LARGE                                                                                                \
  " --set system.molecules=40 --set integrator.steps=40 --set output.thermo_every=40"                        \
  " --set output.rdf_every=0 --set output.trajectory_every=1 --set output.checkpoint_every=1e-9"

static const Row rows[] = {
    {"run",
     NULL,
     "run in.yaml -o r",
     "true",
     {"run in.yaml -o r --resume", "run in.yaml -o r --force"},
     "thermo.csv trajectory.xyz trajectory.dcd trajectory.xtc final.xyz rdf.csv replicas.csv"},
    {"resume",
     "run in.yaml -o half --set integrator.steps=20",
     "run in.yaml -o r --resume",
     "cp -r half r",
     {"run in.yaml -o r --resume", "run in.yaml -o r --force"},
     "thermo.csv trajectory.xyz trajectory.dcd trajectory.xtc final.xyz rdf.csv replicas.csv"},
    {"run with large frames", /* H5MD: some checkpoints write a part of a chunk */
     NULL,
     "run in.yaml -o r" LARGE,
     "true",
     {"run in.yaml -o r --resume" LARGE, "run in.yaml -o r --force" LARGE},
     "final.xyz"},
    {"check", NULL, "check in.yaml", "mkdir r", {"check in.yaml", NULL}, ""},
    {"compare",
     "run in.yaml -o whole",
     "compare whole whole -o r",
     "true",
     {"compare whole whole -o r --force", NULL},
     "compare.dat"},
    {"study",
     NULL,
     "study study.yaml -o r --quiet",
     "true",
     {"study study.yaml -o r --quiet", NULL},
     "a/thermo.csv b/thermo.csv a/trajectory.xyz b/final.xyz b/replicas.csv compare.csv study.csv"},
    {"build",
     NULL,
     "build --atoms argon=40 --density 0.5 --cutoff 8 --equilibrate 0 --threads 1 --quiet --out r/b.gro",
     "mkdir r",
     {"build --atoms argon=40 --density 0.5 --cutoff 8 --equilibrate 0 --threads 1 --quiet --out r/b.gro "
      "--force",
      NULL},
     "b.gro"},
};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

/* Cuts arguments at blanks. */
static FailResult traced(const char *arguments, FailKind kind, long n)
{
  char text[512], *argv[32] = {getenv("HOLONOM_PROGRAM")};
  snprintf(text, sizeof text, "%s", arguments);
  int argc = 1;
  for (char *rest = text, *word; (word = strsep(&rest, " ")) != NULL;)
    argv[argc++] = word;
  return fail_call(program_scratch, argv, kind, n);
}

static void same_results(const Row *row, const char *what)
{
  char one[512], other[512];
  ck_assert_msg(program_shell("for f in %s; do cmp r/$f good/$f || exit 1; done", row->files) == 0, "%s",
                what);
  snprintf(one, sizeof one, "%s/r/trajectory.h5md", program_scratch);
  snprintf(other, sizeof other, "%s/good/trajectory.h5md", program_scratch);
  if (program_exists("good/trajectory.h5md"))
    h5_same(one, other);
}

static void ready(const Row *row) { program_does("rm -rf r && %s", row->ready); }

/* The threads are OpenMP's, whose libraries end a program themselves: gcc's where it has no memory for them,
 * clang's where it lacks memory or a file of its own in shared memory. */
static bool ended_by_openmp(FailKind kind, const FailResult *result)
{
  const bool memory = kind == FAIL_MEMORY;
  return (memory && result->code == 1 && strstr(result->words, "libgomp") != NULL) ||
         ((memory || kind == FAIL_REMOVE) && result->code < 0 && strstr(result->words, "OMP: Error") != NULL);
}

static void one(const Row *row, FailKind kind, long n)
{
  char what[4600];
  ready(row);
  const FailResult result = traced(row->arguments, kind, n);
  snprintf(what, sizeof what, "%s, %s %ld: %d\n%s", row->name, fail_call_names[kind], n, result.code,
           result.words);
  const bool ended = ended_by_openmp(kind, &result);
  if (kind == FAIL_KILL)
    ck_assert_msg(result.code == -9, "%s", what);
  else if (!ended)
    ck_assert_msg(result.code == 0 || result.code == 2 || result.code == 3, "%s", what);
  if (result.code > 0 && kind != FAIL_WRITE && !ended) /* the write may have been that of the message */
    ck_assert_msg(strstr(result.words, "holonom") != NULL, "%s", what);
  if (result.code == 0) { /* something that does not matter failed */
    same_results(row, what);
    return;
  }
  /* Only a run without a checkpoint is begun anew. */
  int code = program_call("%s", row->again[0]);
  if (code == 2 && row->again[1] != NULL && !program_exists("r/checkpoint.hol"))
    code = program_call("%s", row->again[1]);
  ck_assert_msg(code == 0, "%s\nand again: %s", what, program_output);
  same_results(row, what);
}

TEST(every_call_may_fail, .rows = ROWS * FAIL_KINDS)
{
  const Row *row = &rows[_i / FAIL_KINDS];
  const FailKind kind = (FailKind)(_i % FAIL_KINDS);
  const bool all = getenv("HOLONOM_SWEEP") != NULL || kind == FAIL_CUT;
  char text[1024];
  /* HDF5 crashes where memory fails that was there when the writer looked (docs/reliability.md). */
  snprintf(text, sizeof text, input, trajectory_find("h5md") != NULL && kind != FAIL_MEMORY ? ", h5md" : "");
  program_write("in.yaml", text);
  program_write("study.yaml", "base: in.yaml\nset: [\"output.trajectory=[xyz]\"]\n"
                              "runs: [{name: a}, {name: b, set: [seed=2]}]\n");
  /* Without gnuplot, whose start takes longer than all the rest. */
  setenv("PATH", "/usr/bin:/bin", 1);
  ck_assert_int_eq(
      program_shell(
          "mkdir -p bin && for c in sh cp rm mkdir mv cmp true cat; do ln -sf $(command -v $c) bin/$c; "
          "done"),
      0);
  char path[512];
  snprintf(path, sizeof path, "%s/bin", program_scratch);
  setenv("PATH", path, 1);
  program_does("rm -rf whole half good");
  ck_assert_msg(row->before == NULL || program_call("%s", row->before) == 0, "%s", program_output);
  ready(row);
  const FailResult clean = traced(row->arguments, kind, 0);
  ck_assert_msg(clean.code == 0, "%s: %s", row->name, clean.words);
  program_does("mv r good");
  const long sample = !suite_nightly()      ? 2
                      : kind == FAIL_MEMORY ? 3
                                            : 4,
             stride = all || clean.calls <= sample ? 1 : clean.calls / sample;
  long tried = 0;
  for (long n = 1; n <= clean.calls; n += stride, tried++)
    one(row, kind, n);
  printf("%s, %s: %ld of %ld calls\n", row->name, fail_call_names[kind], tried, clean.calls);
}

int main(void)
{
  if (SUITE_SANITIZED) {
    puts("a sanitizer's own calls are among those that would fail, and it looks for leaks by tracing: "
         "skipped");
    return SUITE_SKIPPED;
  }
  if (!fail_call_possible()) {
    puts("no program may trace another here (ptrace): calls cannot be made to fail");
    return SUITE_SKIPPED;
  }
  return program_main("sweep");
}
