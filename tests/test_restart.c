/* Runs that are cut and resumed leave the files of runs in one piece, byte for byte (H5MD: with equal
 * contents), however they were cut; what cannot be resumed is refused, and nothing is touched. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/isa.h"
#include "tests/h5_same.h"
#include "tests/program.h"
#include "tests/shorter.h"

enum { FILE_MAX = 1 << 22 };

typedef struct Content {
  size_t size;
  unsigned char *byte;
} Content;

/* A file of the scratch folder; size 0 if it is not there. */
static Content load(const char *dir, const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s/%s", program_scratch, dir, name);
  Content c = {.byte = malloc(FILE_MAX)};
  ck_assert_ptr_nonnull(c.byte);
  FILE *file = fopen(path, "rb");
  if (file != NULL) {
    c.size = fread(c.byte, 1, FILE_MAX, file);
    fclose(file);
  }
  ck_assert_uint_lt(c.size, FILE_MAX);
  return c;
}

static void store(const char *dir, const char *name, const void *byte, size_t size)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s/%s", program_scratch, dir, name);
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(byte, 1, size, file), size);
  ck_assert_int_eq(fclose(file), 0);
}

/* The next line of a summary that does not tell of times and threads; NULL after the last. */
static char *next_line(char **rest)
{
  static const char *const timing[] = {"wall:", "steps_per_second:", "replica_steps_per_second:", "share",
                                       "  ",    "threads:"};
  for (char *line; (line = strsep(rest, "\n")) != NULL;) {
    size_t i = 0;
    while (i < sizeof timing / sizeof *timing && strncmp(line, timing[i], strlen(timing[i])) != 0)
      i++;
    if (i == sizeof timing / sizeof *timing)
      return line;
  }
  return NULL;
}

static void same_summaries(const char *a, const char *b)
{
  const Content x = load(a, "summary.yaml"), y = load(b, "summary.yaml");
  ck_assert(x.size > 0 && y.size > 0);
  x.byte[x.size] = y.byte[y.size] = '\0';
  char *at = (char *)x.byte, *bt = (char *)y.byte, *line, *other;
  do {
    line = next_line(&at);
    other = next_line(&bt);
    ck_assert(line == other || (line != NULL && other != NULL));
    if (line != NULL)
      ck_assert_str_eq(line, other);
  } while (line != NULL);
  free(x.byte);
  free(y.byte);
}

static void same_h5md(const char *a, const char *b, const char *name)
{
  char one[512], other[512];
  snprintf(one, sizeof one, "%s/%s/%s", program_scratch, a, name);
  snprintf(other, sizeof other, "%s/%s/%s", program_scratch, b, name);
  h5_same(one, other);
}

/* The first `needed` of either sort must be there. */
static void same_files(const char *a, const char *b, bool water, const char *what)
{
  same_summaries(a, b);
  static const char *const of_water[] = {"thermo.csv",
                                         "rdf.csv",
                                         "rdf_replicas.csv",
                                         "replicas.csv",
                                         "multipliers.csv",
                                         "vacf.csv",
                                         "trajectory.xyz",
                                         "trajectory.dcd",
                                         "trajectory.xtc",
                                         "trajectory.h5md",
                                         "replica-4/trajectory.xyz",
                                         "replica-4/trajectory.dcd",
                                         "replica-4/trajectory.xtc"};
  static const char *const of_mechanics[] = {"energy.csv", "trajectory.csv", "trajectory.dat",
                                             "multipliers.csv"};
  const char *const *names = water ? of_water : of_mechanics;
  const size_t n = water ? 13 : 4, needed = water ? 4 : 3;
  for (size_t i = 0; i < n; i++) {
    const Content x = load(a, names[i]), y = load(b, names[i]);
    if (x.size > 0 && y.size > 0 && strstr(names[i], ".h5md") != NULL)
      same_h5md(a, b, names[i]);
    else
      ck_assert_msg(x.size == y.size && memcmp(x.byte, y.byte, x.size) == 0,
                    "%s: %s differs (%zu, %zu bytes)", what, names[i], x.size, y.size);
    ck_assert_msg(x.size > 0 || i >= needed, "%s: %s is not there", what, names[i]);
    free(x.byte);
    free(y.byte);
  }
}

/* --- equality ------------------------------------------------------------------------------------------- */

#define TRAJECTORIES " --set output.trajectory=xyz,dcd,xtc" PROGRAM_H5MD " --set output.trajectory_every=70"
#define PARTS                                                                                                \
  TRAJECTORIES " --set output.xtc_every=42 --set 'output.dcd_atoms=[molnum 1, molnum 3 and name H]' --set "  \
               "'output.xtc_atoms=molnum 2:3'"
#define VELOCITIES  " --set output.vacf_every=3 --set output.vacf_max=2"
#define MULTIPLIERS " --set output.multipliers_every=3 --set output.multipliers_window=2"
#define PENALTY     " --set geometry.method=penalty --set geometry.w=20"

static const char *const kinds[] = {
    "--set ensemble.replicas=16" VELOCITIES TRAJECTORIES,
    "--set ensemble.replicas=1" VELOCITIES TRAJECTORIES,
    "--set ensemble.replicas=5 --set output.trajectory_replica=all" PARTS,
    "--set ensemble.replicas=3 --set precision=mixed --set output.trajectory=dcd --set "
    "thermostat.remove=angular",
    "--set ensemble.replicas=1 --set system.molecules=70 --set geometry.method=rattle",
    "--set ensemble.replicas=1 --set geometry.method=shake --set thermostat.type=none --set "
    "integrator.word=BAB" MULTIPLIERS,
    "--set ensemble.replicas=9 --set geometry.method=shake --set system.wall.radius=9" TRAJECTORIES
        MULTIPLIERS,
    "--set ensemble.replicas=1 --set thermostat.noise=tangent" PENALTY TRAJECTORIES MULTIPLIERS,
    "--set ensemble.replicas=8 --set integrator.word=BAOAB --set integrator.acceleration=zss-block" PENALTY,
    /* Enough rows for a correlation of the energies, which the errors of the distances go by. */
    "--set ensemble.replicas=1 --set geometry.method=shake --set output.thermo_every=4",
};

/* Cut twice, at no multiple of anything, with other numbers of threads. */
TEST(pieces_make_the_whole, .rows = sizeof kinds / sizeof *kinds)
{
  if (SHORT && _i % 2 != 0) /* most of what these have the others have too */
    return;
  program_do("rm -rf whole pieces");
  const char *kind = kinds[_i];
  program_write("small.yaml", program_small);
  const char *call =
      "run small.yaml -o %s %s --quiet %s --set output.equilibration=5 --set integrator.steps=%d "
      "--threads %d";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  program_runs(call, "whole", "", kind, 634, 1);
  program_runs(call, "pieces", "", kind, 217, 2);
  program_runs(call, "pieces", "--resume", kind, 317, 1);
  program_runs(call, "pieces", "--resume", kind, 634, 2);
  same_files("whole", "pieces", true, kind);
  /* Nothing left to do is no error, and changes nothing. */
  program_runs(call, "pieces", "--resume", kind, 634, 2);
#pragma GCC diagnostic pop
  same_files("whole", "pieces", true, kind);
  ck_assert_double_eq(program_summary("pieces", "steps"), 634);
}

/* With all replicas written, each has the bytes that it has alone; a run over them leaves none behind. */
TEST(all_replicas_are_written_as_one_alone)
{
  const char *call =
      "run small.yaml -o %s --quiet --force --set ensemble.replicas=16 --set integrator.steps=200 "
      "--set output.trajectory_replica=%s" TRAJECTORIES;
  program_write("small.yaml", program_small);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  program_runs(call, "all", "all");
  program_runs(call, "one", "13");
  program_do("cmp all/replica-13/trajectory.dcd one/trajectory.dcd");
  program_do(
      "grep -v Replica=13 all/replica-13/trajectory.xyz > a; grep -v Time= one/trajectory.xyz | cmp a -");
  ck_assert(!program_exists("all/trajectory.dcd") && !program_exists("one/replica-0"));
  if (program_exists("all/trajectory.h5md"))
    program_do("test $(cat all/trajectory.h5md | wc -c) -gt $(cat one/trajectory.h5md | wc -c)");
  /* What it starts from is not written over, also in the folder of a replica. */
  program_refuses("is read by this run",
                  "run small.yaml -o all --quiet --force --set system.start=file --set "
                  "system.file=all/replica-2/trajectory.xyz --set system.frame=last");
  program_runs(call, "all", "1");
#pragma GCC diagnostic pop
  ck_assert(!program_exists("all/replica-13"));
}

/* Mechanical systems, cut in the same way; rows are due every 7 steps, which no cut is a multiple of. */
static const char *const systems[] = {
    "double-pendulum/zs.yaml --set output.multipliers_every=3",
    "double-pendulum/shake.yaml --set output.multipliers_every=1",
    "trimer/rigid.yaml --set ensemble.replicas=5",
    "trimer/springs.yaml --set ensemble.replicas=9 --set output.trajectory_replica=8",
    "constrained-hamiltonians/harmonic-a.yaml",
    "four-particles/energy-momentum.yaml",
    "robot-arm/arm.yaml",
};

TEST(pieces_of_mechanical_runs_make_the_whole, .rows = sizeof systems / sizeof *systems)
{
  if (SHORT && (_i == 1 || _i == 3)) /* another pendulum, another trimer */
    return;
  program_do("rm -rf whole pieces");
  const char *const call = "run $HOLONOM_SOURCE/examples/%s -o %s --quiet %s --set output.trajectory_every=7 "
                           "--set integrator.time= "
                           "--set integrator.steps=%d --threads %d";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const char *const system = systems[_i];
  program_runs(call, system, "whole", "", 150, 1);
  program_runs(call, system, "pieces", "", 43, 2);
  program_runs(call, system, "pieces", "--resume", 100, 1);
  program_runs(call, system, "pieces", "--resume", 150, 2);
  same_files("whole", "pieces", false, system);
  program_runs(call, system, "pieces", "--resume", 150, 1);
  same_files("whole", "pieces", false, system);
  program_refuses("has already reached step 150", call, system, "pieces", "--resume", 149, 1);
#pragma GCC diagnostic pop
}

/* Rows that the checkpoint counts on are gone: nothing is made in their place, and no file is touched. */
TEST(cut_files_of_mechanical_runs_are_refused)
{
  static const char call[] = "run $HOLONOM_SOURCE/examples/double-pendulum/zs.yaml -o cut --quiet "
                             "--set integrator.time= --set integrator.steps=";
  program_do("rm -rf cut");
  program_runs("%s50", call);
  const Content log = load("cut", "holonom.log");
  program_do("mv cut/trajectory.csv kept && head -c 100 kept > cut/trajectory.csv");
  program_refuses("trajectory.csv was cut short", "%s90 --resume", call);
  program_do("rm cut/trajectory.csv");
  program_refuses("trajectory.csv is missing", "%s90 --resume", call);
  ck_assert(!program_exists("cut/trajectory.csv"));
  const Content after = load("cut", "holonom.log");
  ck_assert_uint_eq(log.size, after.size);
  free(log.byte);
  free(after.byte);
  program_do("mv kept cut/trajectory.csv");
  program_runs("%s90 --resume", call);
}

/* A run that goes on with an input which asks for less than the one before is told so; once, since that is
 * the run's input from then on. */
TEST(a_sooner_end_is_told)
{
  static const char call[] = "run small.yaml -o sooner %s --set integrator.steps=";
  char more[128];
  snprintf(more, sizeof more, call, "--resume");
  program_runs("run small.yaml -o sooner --force --quiet --set integrator.steps=100");
  program_do("sed -i 's/steps: 100/steps: 300/' sooner/input.yaml");
  program_runs("%s200", more);
  program_says("time step: 2.44441 fs; 200 steps: 0.488882 ps");
  program_says("warning: this input requests 200 steps, but the original one 300");
  program_runs("%s250", more);
  ck_assert_ptr_null(strstr(program_output, "warning: this input"));
}

/* Killed at any moment, rudely or not, with checkpoints as often as can be. */
static const char *const restless[] = {
    ("small.yaml --quiet --set ensemble.replicas=16 --set geometry.method=shake --set integrator.steps=30000 "
     "--set output.trajectory=xyz,dcd,xtc" PROGRAM_H5MD " --set output.trajectory_every=700 "
     "--set output.multipliers_every=50 --set output.multipliers_window=2"),
    ("small.yaml --quiet --set ensemble.replicas=1 --set geometry.method=shake --set integrator.steps=30000 "
     "--set output.trajectory=xyz,dcd,xtc" PROGRAM_H5MD " --set output.trajectory_every=700 "
     "--set output.multipliers_every=50 --set output.multipliers_window=2"),
    ("$HOLONOM_SOURCE/examples/trimer/rigid.yaml --quiet --set ensemble.replicas=40 --set integrator.time= "
     "--set integrator.steps=100000 --set output.trajectory_every=700 --set output.multipliers_every=50"),
};

TEST(killed_runs_lose_nothing, .rows = suite_rows(1, (int)(sizeof restless / sizeof *restless)))
{
  const char *const run = restless[_i];
  program_write("small.yaml", program_small);
  program_do("rm -rf calm killed");
  program_runs("run %s -o calm", run);
  srand(7 + (unsigned)_i);
  for (int i = 0; i < (SHORT ? 4 : 8); i++) {
    const pid_t child = program_start("run %s -o killed --set output.checkpoint_every=0.001 --threads %d %s",
                                      run, 1 + i % 2, i > 0 ? "--resume" : "");
    for (int k = 0; k < 60000 && !program_exists("killed/checkpoint.hol"); k++)
      usleep(1000);
    usleep(5000 + (useconds_t)(rand() % 40000));
    ck_assert_int_eq(kill(child, i % 4 == 3 ? SIGTERM : SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
  }
  program_runs("run %s -o killed --resume", run);
  same_files("calm", "killed", strstr(run, "examples") == NULL, run);
}

/* --- refusals ------------------------------------------------------------------------------------------- */

static const char resume[] = "run small.yaml -o r --resume --quiet" TRAJECTORIES;

/* A finished run in the folder r, with an earlier checkpoint. */
static void make_run(void)
{
  program_write("small.yaml", program_small);
  program_do("rm -rf r whole");
  program_runs("run small.yaml -o r --quiet --set integrator.steps=300" TRAJECTORIES);
  program_runs("%s --set integrator.steps=500", resume);
}

/* The call is refused with these words, and no file has changed. */
static void refused(const char *arguments, const char *words)
{
  program_do("cksum r/* > before");
  program_refuses(words, "%s", arguments);
  program_do("cksum r/* | cmp - before");
}

/* On another set of instructions than the run's: bits would differ. */
static void refused_on(Isa isa, const char *arguments)
{
  program_do("cksum r/* > before");
  ck_assert_msg(program_shell("HOLONOM_ISA=%s $P %s", isa_name(isa), arguments) == 2, "%s: %s", isa_name(isa),
                program_output);
  program_says("HOLONOM_ISA");
  program_do("cksum r/* | cmp - before");
}

TEST(damage_is_noticed)
{
  make_run();
  const Content good = load("r", "checkpoint.hol");
  ck_assert_uint_gt(good.size, 1000);
  unsigned char *bad = malloc(good.size);
  srand(3);
  for (int i = 0; i < 40; i += SHORT ? 4 : 1) { /* either sort of damage in its turn */
    size_t size = good.size;
    memcpy(bad, good.byte, size);
    const size_t at = i < 20 ? (size_t)i * 4 : (size_t)rand() % size;
    if (i % 3 == 2)
      size = at;
    else
      bad[at] ^= (unsigned char)(1 << rand() % 8);
    store("r", "checkpoint.hol", bad, size);
    refused(resume, "damaged");
    program_says("checkpoint.prev, of step 300, is whole");
  }
  /* The one before still does. */
  program_do("mv r/checkpoint.prev r/checkpoint.hol");
  program_runs("%s --set integrator.steps=500", resume);
  program_runs("run small.yaml -o whole --quiet --set integrator.steps=500" TRAJECTORIES);
  same_files("r", "whole", true, "from the earlier checkpoint");
  /* Both gone: there is no way but anew. */
  program_do("cp r/input.yaml r/checkpoint.hol && cp r/input.yaml r/checkpoint.prev");
  refused(resume, "--force");
  program_do("rm r/checkpoint.hol r/checkpoint.prev");
  refused(resume, "no checkpoint.hol");
  program_refuses("no earlier run", "run small.yaml -o nowhere --resume");
  ck_assert(!program_exists("nowhere"));
  free(bad);
  free(good.byte);
}

/* The checksum that the file would have. */
static void seal(unsigned char *byte, size_t size)
{
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size - 8; i++)
    sum = (sum ^ byte[i]) * 0x100000001b3u;
  memcpy(byte + size - 8, &sum, 8);
}

/* With a good checksum but a wrong head: words of 8 bytes are the name, format, program (2), numerics (2),
 * instructions (2), step, replicas (2), forces from outside; then the length of the input, number of parts.
 */
enum { HEAD_WORDS = 12, HEAD_NUMERICS = 4, HEAD_STEP = 8 };

TEST(wrong_heads_are_refused)
{
  make_run();
  const Content c = load("r", "checkpoint.hol");
  unsigned char *bad = malloc(c.size);
  for (size_t word = 0; word < HEAD_WORDS; word++) {
    for (int bit = 0; bit < 64 && word != HEAD_STEP; bit += SHORT ? 27 : 9) {
      memcpy(bad, c.byte, c.size);
      bad[8 * word + (size_t)(bit / 8)] ^= (unsigned char)(1u << bit % 8);
      seal(bad, c.size);
      store("r", "checkpoint.hol", bad, c.size);
      refused(resume, "holonom run: ");
    }
  }
  free(bad);
  free(c.byte);
}

/* What a checkpoint says of the first part that it holds: more than the part has, or less than nothing. */
TEST(wrong_parts_are_refused)
{
  make_run();
  const Content c = load("r", "checkpoint.hol");
  int64_t input, part[3];
  memcpy(&input, c.byte + 8 * (HEAD_WORDS), sizeof input);
  unsigned char *const first = c.byte + 8 * (HEAD_WORDS + 2) + input;
  memcpy(part, first, sizeof part);
  ck_assert_int_ge(part[2], 0);
  ck_assert_int_le(part[2], part[0]);
  const int64_t wrong[] = {part[0] + 1, -1, INT64_MIN, INT64_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    memcpy(first + 16, &wrong[i], sizeof *wrong);
    seal(c.byte, c.size);
    store("r", "checkpoint.hol", c.byte, c.size);
    refused(resume, "does not fit this run");
  }
  free(c.byte);
}

/* Memory for curves that a run has not used yet is not in it. */
TEST(checkpoints_are_as_large_as_what_they_hold)
{
  static const char call[] = "run $HOLONOM_SOURCE/examples/double-pendulum/zs.yaml -o small --quiet "
                             "--set integrator.time= --set integrator.steps=";
  program_do("rm -rf small");
  program_runs("%s100", call);
  const Content brief = load("small", "checkpoint.hol");
  ck_assert_uint_lt(brief.size, 100 << 10); /* 730 kB with all the room of its curves */
  program_runs("%s1000 --resume", call);
  const Content longer = load("small", "checkpoint.hol");
  ck_assert_uint_gt(longer.size, brief.size);
  free(brief.byte);
  free(longer.byte);
}

/* Clocks begin anew: shares are those of the steps since then, and too few of them give none. */
TEST(shares_of_time_say_what_they_are_of)
{
  program_write("small.yaml", program_small);
  program_runs("run small.yaml -o shares --quiet --set integrator.steps=500");
  ck_assert_ptr_nonnull(strstr(program_read("shares/summary.yaml"), "\nshare: # of the time in steps"));
  program_runs("run small.yaml -o shares --quiet --resume --set integrator.steps=505");
  ck_assert_ptr_null(strstr(program_read("shares/summary.yaml"), "\nshare:"));
  ck_assert_ptr_null(strstr(program_read("shares/report.html"), "Shares of the time"));
  program_runs("run small.yaml -o shares --quiet --resume --set integrator.steps=10505");
  const char *share = strstr(program_read("shares/summary.yaml"), "\nshare: # of the time in steps");
  ck_assert_ptr_nonnull(share);
  ck_assert_ptr_nonnull(strstr(share, "the last 10000 steps"));
  ck_assert_ptr_nonnull(strstr(share, "\n  forces: "));
}

/* Another build's checkpoint is refused, or taken where the user says so: here it is this build's in truth,
 * so that the run is the same. */
/* Takes a text out of the input that a checkpoint lists, whose end is filled up with zeros. */
static void take_out(Content *c, const char *line, size_t from, size_t size)
{
  unsigned char *const list = c->byte + 8 * (HEAD_WORDS + 2);
  int64_t length;
  memcpy(&length, c->byte + (size_t)8 * HEAD_WORDS, sizeof length);
  unsigned char *const at = (unsigned char *)strstr((char *)list, line) + from;
  ck_assert(at > list && at < list + length);
  memmove(at, at + size, (size_t)(list + length - at) - size);
  memset(list + length - size, 0, size);
}

/* Versions before a key was there list no such key, and no value where it had no meaning: its default. */
TEST(keys_that_are_new_have_their_defaults)
{
  make_run();
  Content c = load("r", "checkpoint.hol");
  take_out(&c, "\nparameters: \n", 1, strlen("parameters: \n"));
  take_out(&c, "\nprecision: double\n", strlen("\nprecision: "), strlen("double"));
  seal(c.byte, c.size);
  store("r", "checkpoint.hol", c.byte, c.size);
  refused("run small.yaml -o r --resume" TRAJECTORIES " --set precision=mixed", "precision: mixed");
  program_runs("%s --set integrator.steps=500", resume);
  free(c.byte);
}

TEST(other_builds_are_refused_or_taken)
{
  make_run();
  const Content c = load("r", "checkpoint.hol");
  c.byte[8 * HEAD_NUMERICS] ^= 1;
  seal(c.byte, c.size);
  store("r", "checkpoint.hol", c.byte, c.size);
  refused(resume, "was written by holonom");
  program_says("--other-build");
  refused("run small.yaml -o r --other-build", "--resume");
  program_runs("%s --other-build --set integrator.steps=700", resume);
  program_runs("run small.yaml -o whole --quiet --set integrator.steps=700" TRAJECTORIES);
  same_files("r", "whole", true, "by another build");
  ck_assert_ptr_nonnull(strstr(program_read("r/holonom.log"), "possibly with other bits"));
  if (isa_best() != ISA_PLAIN) {
    setenv("HOLONOM_ISA", "plain", 1);
    refused(resume, "holonom run --resume --other-build");
    program_runs("%s --other-build --set integrator.steps=720", resume);
    unsetenv("HOLONOM_ISA");
  }
  free(c.byte);
}

TEST(other_runs_are_refused)
{
  make_run();
  refused("run small.yaml -o r", "--resume");
  refused("run small.yaml -o r --resume --force", "--force");
  refused("run small.yaml -o r --resume", "output.trajectory");
  static const char *const other[][2] = {{"seed=2", "seed: 1"},
                                         {"geometry.method=shake", "geometry.method: settle"},
                                         {"ensemble.replicas=24", "ensemble.replicas: 16"},
                                         {"output.rdf_bins=599", "output.rdf_bins: 600"},
                                         {"integrator.timestep='2.4 fs'", "integrator.timestep: 2.4 fs"},
                                         {"integrator.steps=499", "step 500"}};
  char arguments[512];
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    snprintf(arguments, sizeof arguments, "%s --set %s", resume, other[i][0]);
    refused(arguments, other[i][1]);
  }
  for (Isa isa = 0; isa < ISA_COUNT; isa++)
    if (isa != isa_best() && isa_runs(isa))
      refused_on(isa, resume);
  program_do("cp r/trajectory.dcd keep && truncate -s -1 r/trajectory.dcd");
  refused(resume, "trajectory.dcd was cut short");
  program_do("mv keep r/trajectory.dcd && mv r/thermo.csv keep");
  refused(resume, "thermo.csv is missing");
  program_do("mv keep r/thermo.csv");
  /* The same run in other words. */
  program_runs("%s --set integrator.time=30 --set output.progress=false --set "
               "output.checkpoint_every=0 --set integrator.timestep=5e-2",
               resume);
  program_runs("run small.yaml -o whole --quiet --set integrator.steps=600" TRAJECTORIES);
  same_files("r", "whole", true, "by integrator.time");
  /* Anew: the old checkpoints go with the old files. */
  program_runs("run small.yaml -o r --force --quiet --set integrator.steps=100 --set "
               "output.checkpoint_every=0");
  ck_assert(program_exists("r/checkpoint.hol") && !program_exists("r/checkpoint.prev"));
}
