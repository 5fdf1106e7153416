/* Nothing of a user's is lost: whatever name a command writes, a file, folder, link or pipe that lies there
 * already and is not its own is refused before anything is touched. And the list by which it knows its own.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/manifest.h"
#include "tests/program.h"
#include "tests/shorter.h"

static const char base[] =
    "seed: 1\n"
    "system: {model: tip3p, molecules: 2, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, time: 1 ps}\n"
    "thermostat: {type: langevin, friction: 5/ps, temperature: 50 K}\n"
    "ensemble: {replicas: 8}\n"
    "output: {equilibration: 0.2 ps, thermo_every: 20, rdf_every: 20, isomers_every: 100, "
    "lindemann_every: 20, vacf_every: 10, vacf_max: 0.2 ps, trajectory: [xyz" PROGRAM_H5MD
    "], trajectory_every: 100, trajectory_replica: all}\n";
static const char one[] =
    "title: one\n"
    "system: {box: 20 A, atoms: {argon: 64}, minimise: true}\n"
    "geometry: {method: none}\n"
    "forces: {cutoff: 9 A}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 40}\n"
    "thermostat: {temperature: 100 K, friction: 1/ps}\n"
    "ensemble: {replicas: 2}\n"
    "output: {equilibration: 0 ps, thermo_every: 2, rdf_every: 2, msd_every: 2, msd_max: 0.02 ps}\n";

static void write_inputs(void)
{
  program_write("base.yaml", base);
  program_write("box.yaml", one);
  program_write("study.yaml", "base: base.yaml\nset: [\"output.trajectory=[]\"]\n"
                              "runs: [{name: a}, {name: b, set: [seed=2]}]\n"
                              "vary: [{key: thermostat.temperature, values: [50 K]}]\n");
  program_do(
      "for s in 1 2; do test -d run$s || PATH=/nowhere $P run base.yaml -o run$s --quiet --set seed=$s --set "
      "output.trajectory_replica=0; done; test -d run3 || PATH=/nowhere $P run box.yaml -o run3 --quiet "
      "--set "
      "output.trajectory=[xyz] --set output.trajectory_every=2 --set output.velocities=true --set "
      "ensemble.replicas=1");
  program_do("for r in 0 8; do test -d part$r || PATH=/nowhere $P run base.yaml -o part$r --quiet --set "
             "output.trajectory=[] --set "
             "ensemble.replicas=16 --replicas $r..$((r + 7)); done");
}

/* Commands that write into a folder d, and what says that they have all their files. */
static const char *const into_folders[] = {
    "run base.yaml -o d --quiet",
    "run box.yaml -o d --quiet",
    "run base.yaml -o d --quiet --replicas 0..7 --set output.trajectory=[] --set ensemble.replicas=16",
    "merge part0 part8 -o d --quiet",
    "study study.yaml -o d --quiet",
    "compare run1 run2 -o d",
    "rdf run1/trajectory.xyz -o d",
    "observe vacf,msd,gofr run3/trajectory.xyz -o d",
    "gallery --only circle-and-pendulum -o d",
};
enum { FOLDERS = (int)(sizeof into_folders / sizeof *into_folders) };

/* What may be in the way. */
static const char *const planted[] = {"echo mine > %s", "mkdir %s && echo mine > %s/notes",
                                      "ln -s \"$PWD/precious\" %s", "ln -s nowhere %s", "mkfifo %s"};
enum { PLANTED = (int)(sizeof planted / sizeof *planted) };

/* What d holds, links as such, and the file that a link leads to. */
#define LOOK "{ find d -printf '%%P %%y %%s %%l %%T@\\n' | sort; cat precious; }"

/* Plants it, in a d that holds nothing else, or (begun) what it holds. */
static void plant(int kind, const char *path, bool begun)
{
  char line[1024];
  snprintf(line, sizeof line, planted[kind], path, path);
  program_do("%s; mkdir -p $(dirname %s) && %s && " LOOK " > before", begun ? "true" : "rm -rf d", path,
             line);
}

static void untouched(void) { program_do(LOOK " | cmp - before"); }

/* Of every name that the command's own lists have, in all folders within d. */
TEST(what_is_in_the_way_is_refused, .rows = FOLDERS)
{
  write_inputs();
  program_write("precious", "precious\n");
  const char *const command = into_folders[_i];
  if (SHORT && strncmp(command, "gallery", 7) == 0)
    return; /* Python does not load a library that has a sanitizer, or is another machine's */
  program_do("rm -rf d good names");
  /* Pictures take longest: gnuplot draws those of one command. */
  const char *path_of = strncmp(command, "compare", 7) == 0 ? "" : "PATH=/nowhere ";
  program_does("%s$P %s", path_of, command);
  program_do("mv d good; cd good && find . -name " MANIFEST_NAME
             " | while read l; do sed -n \"2,\\$s|^|${l%%/*}/|p\" $l; "
             "done | sed 's|^\\./||' > ../names; test $(wc -l < ../names) -gt 3");
  /* All that is there stands on a list, but for the lists. */
  program_do("cd good && find . -type f | sed 's|^\\./||' | grep -v " MANIFEST_NAME
             " | sort > ../there; sort ../names > "
             "../sorted; test -z \"$(comm -23 ../there ../sorted)\"");
  FILE *names = fopen(strcat(strcpy((char[600]){0}, program_scratch), "/names"), "r");
  ck_assert_ptr_nonnull(names);
  char name[256];
  for (int n = 0; fgets(name, sizeof name, names) != NULL; n++) {
    name[strcspn(name, "\n")] = '\0';
    const size_t length = strlen(name);
    const bool folder = name[length - 1] == '/';
    if (folder)
      name[length - 1] = '\0';
    char path[300];
    snprintf(path, sizeof path, "d/%s", name);
    if (SHORT && n % 3 != _i % 3) /* each command in its turn */
      continue;
    /* A file under every other name, one of the other things under those between. */
    const int kind = n % 2 == 0 && !folder ? 0 : 1 + n / 2 % (PLANTED - 1);
    if (folder && kind == 1) /* one that is there serves */
      continue;
    plant(kind, path, false);
    const int code = program_call("%s", command);
    ck_assert_msg(code == 2, "%s: %s (%s): %d\n%s", command, path, planted[kind], code, program_output);
    program_says(path);
    untouched();
  }
  fclose(names);
}

/* Files that the user names: --force is for files, not for what a link leads to. */
TEST(named_files_are_refused_likewise)
{
  static const char *const commands[] = {
      "build --atoms argon=40 --density 0.5 --cutoff 8 --equilibrate 0 --quiet --out d/f.gro",
      "minima --model tip3p --molecules 2 --steps 5 --quiet -o d/f.xyz",
      "energy run1/final.xyz --model tip3p --forces d/f.xyz"};
  write_inputs();
  program_write("precious", "precious\n");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    for (int kind = 0; kind < PLANTED; kind++)
      for (int force = 0; force < 2; force++) {
        char path[64];
        snprintf(path, sizeof path, "%.7s", strstr(commands[i], "d/f."));
        program_do("rm -rf d; mkdir d; echo mine > %s.part", path);
        plant(kind, path, true);
        const int code = program_call("%s%s", commands[i], force ? " --force" : "");
        ck_assert_msg(code == (force && kind == 0 ? 0 : 2), "%s: %d\n%s", commands[i], code, program_output);
        if (code == 2)
          untouched();
        program_do("test \"$(cat %s.part precious)\" = \"$(echo mine; echo precious)\"", path);
      }
  for (int kind = 0; kind < PLANTED; kind++) {
    plant(kind, "d/pendulum.yaml", false);
    ck_assert_int_eq(program_call("example circle-and-pendulum -o d"), 2);
    untouched();
  }
}

/* A page into a folder that has results already. */
TEST(pages_are_refused_likewise)
{
  write_inputs();
  program_write("precious", "precious\n");
  for (int kind = 0; kind < PLANTED; kind++) {
    program_do("rm -rf d; $P run base.yaml -o d --quiet --set output.report=false");
    plant(kind, "d/report.html", true);
    ck_assert_int_eq(program_call("report run1 d"), 2);
    untouched();
  }
  program_do("rm -rf d; cp -r run1 d && $P report d");
}

/* --force takes away what stands on the list, in folders of replicas too, and nothing else. */
TEST(force_clears_the_list_alone)
{
  write_inputs();
  program_do("rm -rf d; $P run base.yaml -o d --quiet");
  program_do("echo mine > d/notes; echo mine > d/replica-3/notes; mkdir d/replica-20; echo mine > "
             "d/replica-20/trajectory.txt; mkdir d/more");
  program_do("$P run base.yaml -o d --quiet --force --set output.trajectory=[]");
  program_do(
      "test \"$(cd d; cat notes replica-3/notes replica-20/trajectory.txt | wc -l; ls -d replica-*; ls "
      "replica-3; ls -d more)\" = \"$(echo 3; echo replica-20; echo replica-3; echo notes; echo more)\"");
  program_do("test ! -e d/replica-0 && test ! -e d/trajectory.xyz");
  /* What another command left is that command's. */
  program_do(
      "$P compare run1 run2 -o d && $P run base.yaml -o d --quiet --force && test -e d/compare.csv && $P "
      "compare run1 run2 -o d --force");
}

/* What runs of any sort leave is known as theirs, so that --force takes all of it away. */
TEST(runs_leave_nothing_to_the_next)
{
  static const char *const runs[] = {
      "base.yaml", "base.yaml --replicas 0..7 --set output.trajectory=[] --set ensemble.replicas=16",
      "box.yaml --set output.trajectory=[xyz] --set output.trajectory_every=10 "
      "--set "
      "output.vacf_every=2 --set 'output.vacf_max=0.02 ps'",
      "base.yaml --set thermostat.temperature= --set exchange.temperatures='[50 K, 70 K]' --set "
      "exchange.ladders=4 "
      "--set exchange.reweight='[60 K]' --set ensemble.replicas= --set output.trajectory=[] --set "
      "output.vacf_every=0 --set output.lindemann_every=0",
      "pendulum.yaml --set output.multipliers_every=5"};
  write_inputs();
  program_write("pendulum.yaml",
                "units: reduced\nsystem:\n  dimensions: 2\n  sites:\n    - {mass: 1, position: [1, 0]}\n"
                "  constraints:\n    - {type: anchor, site: 1, distance: 1}\n"
                "  potentials:\n    - {type: gravity, acceleration: [0, -1]}\n"
                "integrator: {word: BAB, timestep: 0.1, steps: 100}\ngeometry: {method: rattle}\n"
                "ensemble: {replicas: 8}\noutput: {trajectory_every: 5}\n");
  program_do(
      "rm -rf plain; PATH=/nowhere $P run pendulum.yaml -o plain --quiet --set output.report=false --set "
      "ensemble.replicas=1 && ls plain | sort > plain.names");
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    program_do("rm -rf d; PATH=/nowhere $P run %s -o d --quiet", runs[i]);
    program_do("PATH=/nowhere $P run pendulum.yaml -o d --quiet --force --set output.report=false --set "
               "ensemble.replicas=1 && ls d | sort | cmp - plain.names && cmp d/" MANIFEST_NAME
               " plain/" MANIFEST_NAME);
  }
}

/* Where the list is gone nothing is known to be ours: all is refused, and every byte stays. */
TEST(without_its_list_a_folder_is_a_strangers)
{
  static const char *const words[] = {"", " --force", " --resume"};
  write_inputs();
  program_do("rm -rf d kept; $P run base.yaml -o d --quiet --set 'integrator.time=0.5 ps'; find d "
             "-name " MANIFEST_NAME " -delete; cp -r d kept");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char call[64];
    snprintf(call, sizeof call, "run base.yaml -o d --quiet%s", words[i]);
    program_refuses("is not a file of Holonom", "%s", call);
    program_do("diff -r d kept");
  }
}

/* --- the list ------- */

static const char *in(const char *name)
{
  static char path[4][600];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", program_scratch, name);
  return path[turn];
}

static bool count(void *self, const char *name)
{
  int *n = self;
  *n += strcmp(name, "a") == 0 || strcmp(name, "bee") == 0;
  return true;
}

/* Wherever a kill tears the list, what it says is of whole lines, and it can be gone on with. */
TEST(a_torn_list_says_nothing_wrong)
{
  Error error;
  char *text;
  size_t length;
  program_do("rm -rf l; mkdir l");
  ck_assert_int_eq(manifest_claim(in("l"), "a", &error), STATUS_OK);
  ck_assert_int_eq(manifest_claim(in("l"), "bee", &error), STATUS_OK);
  ck_assert_int_eq(file_read(in("l/" MANIFEST_NAME), 1000, &text, &length, &error), STATUS_OK);
  for (size_t n = 0; n <= length; n++) {
    FILE *file = fopen(in("l/" MANIFEST_NAME), "w");
    ck_assert(file != NULL && fwrite(text, 1, n, file) == n && fclose(file) == 0);
    ck_assert(!manifest_has(in("l"), "be") && !manifest_has(in("l"), "b"));
    ck_assert_int_eq(manifest_has(in("l"), "bee"), n == length);
    ck_assert_int_eq(manifest_claim(in("l"), "b", &error), STATUS_OK);
    ck_assert(manifest_has(in("l"), "b") && !manifest_has(in("l"), "be"));
    ck_assert_int_eq(manifest_has(in("l"), "bee"), n == length);
  }
  free(text);
  int names = 0;
  ck_assert_int_eq(manifest_visit(in("l"), count, &names, &error), STATUS_OK);
  ck_assert_int_eq(names, 2);
}

/* What is gone leaves the list when a run begins or goes on: a file that the user then gives that name is
 * safe. What a command has claimed and not yet made stays. */
TEST(files_that_are_gone_leave_the_list)
{
  static const char *const words[] = {"--force", "--resume"};
  Error error;
  write_inputs();
  program_do("rm -rf d; PATH=/nowhere $P run box.yaml -o d --quiet --set output.report=false");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    ck_assert_int_eq(manifest_claim(in("d"), "left.csv", &error), STATUS_OK);
    program_does("PATH=/nowhere $P run box.yaml -o d --quiet --set output.report=false %s", words[i]);
    ck_assert(!manifest_has(in("d"), "left.csv") && manifest_has(in("d"), "thermo.csv"));
    program_do("echo mine >d/left.csv");
    ck_assert_int_eq(manifest_claim(in("d"), "left.csv", &error), STATUS_IO);
    program_do("rm d/left.csv");
  }
  /* Elsewhere a list of the last minute keeps its names, and that of a run at work all. */
  for (int i = 0; i < 2; i++) {
    program_do("rm -rf l; mkdir l");
    ck_assert_int_eq(manifest_claim(in("l"), "pending.csv", &error), STATUS_OK);
    ck_assert_int_eq(manifest_make_folder(in("l"), "sub", &error), STATUS_OK);
    program_do("rmdir l/sub");
    ck_assert_int_eq(
        manifest_clear(in("l"), &(ManifestNames){.folder = (const char *const[]){"none", NULL}}, &error),
        STATUS_OK);
    ck_assert(manifest_has(in("l"), "pending.csv"));
    program_do("%s; touch -d '2 minutes ago' l/" MANIFEST_NAME, i == 0 ? "true" : ": >l/holonom.lock");
    ck_assert_int_eq(
        manifest_clear(in("l"), &(ManifestNames){.folder = (const char *const[]){"none", NULL}}, &error),
        STATUS_OK);
    ck_assert_int_eq(manifest_has(in("l"), "pending.csv"), i == 1);
    ck_assert(manifest_has(in("l"), "sub/"));
  }
}
