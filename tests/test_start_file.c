/* Runs that begin where another ended: all replicas with their velocities, one frame of several, what is done
 * to a start and what is said of it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/trajectory.h"
#include "tests/program.h"

static const char input[] = "system: {model: tip3p, molecules: 4, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {word: BABO, timestep: 0.05, steps: 200}\n"
                            "thermostat: {temperature: 50 K, friction: 0.1, convention: mass}\n"
                            "ensemble: {replicas: 16, threads: 1}\n"
                            "output: {thermo_every: 200, rdf_every: 0, progress: false}\n";

static const char from[] =
    "--set system.start=file --set system.molecules= --set integrator.steps=2 --set output.thermo_every=1";

static void setup(void)
{
  program_write("water.yaml", input);
  program_runs("run water.yaml -o first --quiet");
}

static void runs(const char *arguments) { program_runs("run %s --quiet --force", arguments); }

/* Row n of dir/thermo.csv, from 0. */
static const char *row(const char *dir, int n, char text[2048])
{
  char name[64];
  snprintf(name, sizeof name, "%s/thermo.csv", dir);
  const char *at = program_read(name);
  while (*at == '#' || strncmp(at, "step", 4) == 0)
    at = strchr(at, '\n') + 1;
  for (int i = 0; i < n; i++)
    at = strchr(at, '\n') + 1;
  snprintf(text, 2048, "%.*s", (int)strcspn(at, "\n"), at);
  return text;
}

static double column(const char *dir, int n, int column)
{
  char text[2048];
  const char *at = row(dir, n, text);
  for (int i = 0; i < column; i++)
    at = strchr(at, ',') + 1;
  return atof(at);
}

enum { KINETIC = 2, KINETIC_ERROR = 3, NONBONDED = 8 }; /* columns of several replicas */

/* Frames of a file: atoms of each, and how many there are. */
static int count_frames(const char *name, int atoms)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  TrajectoryReader *reader;
  Frame frame = {0};
  Error error;
  bool end = false;
  int n = 0;
  ck_assert_msg(trajectory_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
  while (trajectory_read(reader, &frame, &end, &error) == STATUS_OK && !end) {
    ck_assert_int_eq(frame.natoms, atoms);
    ck_assert(frame.has_velocities);
    n++;
  }
  ck_assert_msg(end, "%s", error.text);
  trajectory_close(reader);
  frame_free(&frame);
  return n;
}

static void start_says(const char *dir, const char *what)
{
  char name[64];
  snprintf(name, sizeof name, "%s/holonom.log", dir);
  const char *text = program_read(name);
  ck_assert_msg(strstr(text, what) != NULL, "'%s' is not in: %s", what, text);
}

/* Kinetic and potential energies of all replicas, with their spread, are what they were; at another
 * temperature, too. */
TEST(a_cluster_goes_on_with_all_its_replicas)
{
  char arguments[512];
  ck_assert_int_eq(count_frames("first/final.xyz", 12), 16);
  snprintf(arguments, sizeof arguments,
           "water.yaml -o second %s --set system.file=first/final.xyz --set thermostat.initial=file --set "
           "'thermostat.temperature=100 K'",
           from);
  runs(arguments);
  for (int i = KINETIC; i <= NONBONDED + 1; i++)
    ck_assert_double_eq_tol(column("second", 0, i), column("first", 1, i), 1e-8);
  ck_assert_double_gt(column("second", 0, KINETIC_ERROR), 1e-3);
  start_says("second", "first/final.xyz, one frame for each of 16 replicas");
  start_says("second", "not minimised, not moved");
  start_says("second", "with its velocities");
}

/* With penalties what is in the bonds goes on too: the next run begins with the energy of the one before. */
TEST(penalised_bonds_go_on)
{
  static const char penalty[] = "--set geometry.method=penalty --set geometry.w=100 --set "
                                "thermostat.noise=all --set integrator.timestep=0.01";
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "water.yaml -o soft %s", penalty);
  runs(arguments);
  snprintf(arguments, sizeof arguments,
           "water.yaml -o softer %s %s --set system.file=soft/final.xyz --set thermostat.initial=file", from,
           penalty);
  runs(arguments);
  enum { TOTAL = 12 };
  ck_assert_double_eq_tol(column("softer", 0, TOTAL), column("soft", 1, TOTAL), 1e-7);
  start_says("softer", "bonds not changed");
}

/* One of several frames is taken when it is said which, and nothing is taken in silence. */
TEST(one_frame_of_several)
{
  static const struct {
    const char *set;
    int code;
    const char *says;
  } rows[] = {
      {"", 2, "has 16 frames: select one by frame"},
      {"--set system.frame=16", 2, "there is no frame 16"},
      {"--set system.frame=-2", 2, "'-2' is not a frame"},
      {"--set system.frame=each", 2, "has 16 frames and there are 1 replicas"},
      {"--set system.frame=last", 0, "frame 15 (from 0) of 16"},
      {"--set system.frame=3", 0, "frame 3:"},
      {"--set system.frame=3 --set thermostat.initial=file --set system.minimise=true", 2, "would move"},
      {"--set system.frame=3 --set ensemble.replicas=16", 0, "frame 3:"},
      {"--set ensemble.replicas=16 --set system.frame=last", 0, "its velocities ignored"},
      {"--set system.frame=last --set system.start=build --set system.file= --set system.molecules=4", 2,
       "system.frame: has no meaning with start: build"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int code = program_call("check water.yaml --set ensemble.replicas=1 %s --set "
                                  "system.file=first/final.xyz %s",
                                  from, rows[i].set);
    ck_assert_msg(code == rows[i].code, "%s: %d: %s", rows[i].set, code, program_output);
    program_says(rows[i].says);
  }
}

/* The wall stands where it stands: a file's cluster is not moved behind the user's back. */
TEST(a_start_is_left_where_it_is)
{
  char arguments[512];
  program_write("far.xyz", "6\n\nO 20 0 0\nH 20.9572 0 0\nH 19.76 0.9266 0\n"
                           "O 20 3 0\nH 20.9572 3 0\nH 19.76 3.9266 0\n");
  for (int centre = 0; centre < 2; centre++) {
    snprintf(arguments, sizeof arguments,
             "water.yaml -o far %s --set ensemble.replicas=1 --set system.file=far.xyz --set "
             "system.wall.radius=10 --set system.wall.stiffness=0.01%s",
             from, centre ? " --set system.centre=true" : "");
    runs(arguments);
    start_says("far", centre ? "moved to its centre of mass" : "not moved (centre of mass at 20, 1.55");
    ck_assert((strstr(program_read("far/holonom.log"), "beyond the wall at 10 A") == NULL) == (centre != 0));
    double x;
    ck_assert_int_eq(sscanf(strstr(program_read("far/final.xyz"), "\nO") + 2, "%lf", &x), 1);
    ck_assert_double_eq_tol(x, centre ? 0.0 : 20.0, 0.1);
  }
}

/* A file with a box is no cluster until the input says so; then molecules across its walls are made whole,
 * and the energy is that of the same molecules in a file without. */
TEST(a_box_is_asked_for)
{
  static const char waters[] = "    1SOL     OW    1   0.000   0.000   0.000\n"
                               "    1SOL    HW1    2   0.096   0.000   0.000\n"
                               "    1SOL    HW2    3   1.976   0.093   0.000\n"
                               "    2SOL     OW    4   0.000   0.300   0.000\n"
                               "    2SOL    HW1    5   0.096   0.300   0.000\n"
                               "    2SOL    HW2    6   1.976   0.393   0.000\n";
  static const struct {
    const char *file, *set;
    int code;
    const char *says;
  } rows[] = {
      {"boxed.gro", "", 2, "has a box of 20 x 20 x 20 A"},
      {"boxed.gro", "", 2, "box: file for the periodic system, or box: none"},
      {"boxed.pdb", "", 2, "system.box: is missing"},
      {"boxed.xyz", "", 2, "system.box: is missing"},
      {"boxed.gro", "--set system.box=none", 0, "its box ignored"},
      {"unit.pdb", "", 0, "start"},
      {"open.gro", "--set system.box=none", 0, "start"},
      {"open.gro", "", 0, "start"},
      {"boxed.gro", "--set system.box=none --set 'system.density=1 g/cm3'", 2,
       "'none' contradicts system.density"},
      {"boxed.gro", "--set 'system.box=[none, none]'", 2, "system.box: 2 numbers do not define a box"},
  };
  char text[1024];
  snprintf(text, sizeof text, "two waters\n    6\n%s   2.00000   2.00000   2.00000\n", waters);
  program_write("boxed.gro", text);
  for (char *at = text; (at = strstr(at, "1.976")) != NULL;)
    memcpy(at - 1, "-0.024", 6);
  snprintf(strstr(text, "   2.00000"), 64, "   0.00000   0.00000   0.00000\n");
  program_write("open.gro", text);
  static const char pdb[] =
      "CRYST1%9.3f%9.3f%9.3f  90.00  90.00  90.00 P 1           1\n"
      "ATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n"
      "ATOM      2  H1  HOH A   1       0.957   0.000   0.000  1.00  0.00           H\n"
      "ATOM      3  H2  HOH A   1      -0.240   0.927   0.000  1.00  0.00           H\n"
      "ATOM      4  O   HOH A   2       0.000   3.000   0.000  1.00  0.00           O\n"
      "ATOM      5  H1  HOH A   2       0.957   3.000   0.000  1.00  0.00           H\n"
      "ATOM      6  H2  HOH A   2      -0.240   3.927   0.000  1.00  0.00           H\nEND\n";
  snprintf(text, sizeof text, pdb, 20.0, 20.0, 20.0);
  program_write("boxed.pdb", text);
  snprintf(text, sizeof text, pdb, 1.0, 1.0, 1.0);
  program_write("unit.pdb", text);
  program_write("boxed.xyz", "6\nLattice=\"20 0 0 0 20 0 0 0 20\" Properties=species:S:1:pos:R:3\nO 0 0 0\n"
                             "H 0.957 0 0\nH -0.24 0.927 0\nO 0 3 0\nH 0.957 3 0\nH -0.24 3.927 0\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int code = program_call("check water.yaml --set ensemble.replicas=1 %s --set system.file=%s %s",
                                  from, rows[i].file, rows[i].set);
    ck_assert_msg(code == rows[i].code, "%s %s: %d: %s", rows[i].file, rows[i].set, code, program_output);
    program_says(rows[i].says);
  }
  static const char *const file[] = {"boxed.gro", "open.gro"};
  double energy[2];
  for (int k = 0; k < 2; k++) {
    program_runs("check water.yaml --set ensemble.replicas=1 %s --set system.file=%s --set "
                 "system.box=none",
                 from, file[k]);
    const char *at = strstr(program_output, " kcal/mol, largest force");
    ck_assert_ptr_nonnull(at);
    while (at[-1] != ' ')
      at--;
    energy[k] = strtod(at, NULL);
  }
  ck_assert_double_eq_tol(energy[0], energy[1], 1e-3);
  ck_assert_int_eq(program_call("run water.yaml --set ensemble.replicas=1 %s --set system.file=boxed.gro -o "
                                "asked",
                                from),
                   2);
  ck_assert(!program_exists("asked"));
}

/* What goes wrong leaves all replicas as they were before. */
TEST(a_failed_cluster_leaves_the_last_good)
{
  ck_assert_int_eq(program_call("run water.yaml -o failed --quiet --set 'thermostat.temperature=20000000 K'"),
                   3);
  program_says("failed/last-good.xyz has step 0, with one frame for each replica");
  ck_assert_int_eq(count_frames("failed/last-good.xyz", 12), 16);
  ck_assert(!program_exists("failed/final.xyz"));
  char arguments[512];
  snprintf(arguments, sizeof arguments, "water.yaml -o again %s --set system.file=failed/last-good.xyz",
           from);
  runs(arguments);
}

/* A box with several replicas goes on with each of them. */
TEST(boxes_go_on_with_all_their_replicas)
{
  program_write("box.yaml", "system: {model: tip3p, molecules: 100, density: 0.98 g/cm3}\n"
                            "geometry: {method: settle}\n"
                            "forces: {cutoff: 6 A}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, steps: 10}\n"
                            "thermostat: {temperature: 298 K, friction: 2 1/ps}\n"
                            "ensemble: {replicas: 2, threads: 1}\n"
                            "output: {thermo_every: 10, rdf_every: 0, progress: false}\n");
  runs("box.yaml -o box");
  ck_assert_int_eq(count_frames("box/final.xyz", 300), 2);
  ck_assert_int_eq(count_frames("box/final.gro", 300), 1);
  runs(
      "box.yaml -o boxes --set system.start=file --set system.file=box/final.xyz --set system.box=file --set "
      "system.density= --set system.molecules= --set thermostat.initial=file");
  start_says("boxes", "one frame for each of 2 replicas");
  for (int i = KINETIC; i <= KINETIC_ERROR; i++)
    ck_assert_double_eq_tol(column("boxes", 0, i), column("box", 1, i), 1e-4);
  ck_assert_double_gt(column("boxes", 0, KINETIC_ERROR), 1e-3);
  /* after a barostat each has a box of its own, and they begin in one */
  runs("box.yaml -o pressed --set barostat.type=rescale --set barostat.pressure=1 --set barostat.every=1");
  static const char go_on[] =
      "run box.yaml -o on --force --set system.start=file --set system.file=pressed/final.xyz "
      "--set system.box=file --set system.density= --set system.molecules= --set "
      "thermostat.initial=file %s";
  program_refuses("use one frame for all, such as frame: 0", go_on, "");
  program_runs(go_on, "--set system.frame=0");
}

/* --- built starts ----------------------------------------------------------------------------------------
 */

static void same_runs(const char *one, const char *other)
{
  program_same(one, other, "thermo.csv");
  program_same(one, other, "final.xyz");
  program_same(one, other, "built-start.xyz");
}

/* A start that was built is taken again by runs and checks of the same system section, and no bit tells. */
TEST(built_starts_are_taken_again)
{
  static const char six[] = "--set system.molecules=6 --set system.anneal=true --set ensemble.replicas=1";
  char arguments[512];
  snprintf(arguments, sizeof arguments, "water.yaml -o built %s", six);
  runs(arguments);
  start_says("built", "start: basin hopping, the lowest minimum of");
  snprintf(arguments, sizeof arguments, "water.yaml -o again %s", six);
  runs(arguments);
  start_says("again", "start: basin hopping, the lowest minimum of");
  same_runs("built", "again"); /* built twice */
  runs(arguments);             /* now there is one in the folder */
  start_says("again", "start: built from the same system section for again;");
  same_runs("built", "again");
  snprintf(arguments, sizeof arguments, "water.yaml -o taken --start built %s", six);
  runs(arguments);
  start_says("taken", "for built;");
  same_runs("built", "taken");
  /* Other noise and other steps begin with the same. */
  snprintf(arguments, sizeof arguments,
           "water.yaml -o taken --start built %s --set seed=5 --set integrator.timestep=0.02", six);
  runs(arguments);
  program_same("built", "taken", "built-start.xyz");
  program_runs("check water.yaml %s --start built", six);
  program_says("start: built");
}

/* A check takes what lies in the run's folder, and leaves nothing behind. */
TEST(a_check_writes_nothing)
{
  program_write("own.yaml", input);
  program_runs("check own.yaml");
  program_says("start: lattice");
  ck_assert(!program_exists("own.out"));
  runs("own.yaml");
  program_runs("check own.yaml");
  program_says("start: built from the same system section for own.out;");
}

/* What does not fit is not taken: in silence where nobody asked for it, else with the reason. */
TEST(other_starts_are_not_taken)
{
  static const struct {
    const char *set, *says;
  } bad[] = {
      {"--start first --set system.seed=2", "it has seed=1, this run needs seed=2"},
      {"--start first --set 'system.spacing=3.2 A'", "spacing=3.2"},
      {"--start first --set system.molecules=5", "needs molecules=5"},
      {"--start first --set system.minimise=false", "needs minimise=0"},
      {"--start first/final.xyz", "is not a start built by 'holonom run'"},
      {"--start nowhere", "contains no start of an earlier run"},
      {"--start first --set system.start=file --set system.molecules= --set system.file=first/final.xyz",
       "system.start: file defines the start"},
      {"--start first --set system.density=1 --set system.molecules=1000 --set system.anneal= --set "
       "output.rdf_every=",
       "a box starts from a file"},
      {"--start edited.xyz", "has been changed since it was built"},
      {"--start first --resume", "use only one of them"},
  };
  char text[8192];
  snprintf(text, sizeof text, "%s", program_read("first/built-start.xyz"));
  char *digit = strchr(strstr(text, "\nO"), (int)'.') + 8;
  *digit = *digit == '1' ? '2' : '1';
  program_write("edited.xyz", text);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int code = program_call("run water.yaml -o none --quiet %s", bad[i].set);
    ck_assert_msg(code == 2, "%s: %d: %s", bad[i].set, code, program_output);
    program_says(bad[i].says);
    ck_assert(!program_exists("none"));
  }
  runs("water.yaml -o seeds");
  runs("water.yaml -o seeds --set system.seed=2");
  start_says("seeds", "start: lattice");
}

/* Ctrl-C while a start is built is obeyed, and nothing is written: a folder would be there once it is built.
 * A program that has not yet come to listen to signals is ended by this one, and tried again. */
TEST(building_is_interrupted)
{
  int status = 0;
  for (useconds_t wait = 300000; wait < 20000000; wait *= 2) {
    const pid_t child = program_start("run water.yaml -o slow --quiet --set system.molecules=150 --set "
                                      "system.anneal=true --set integrator.steps=100000000");
    usleep(wait);
    ck_assert_int_eq(kill(child, SIGINT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
      break;
    ck_assert_int_eq(WTERMSIG(status), SIGINT);
  }
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT);
  ck_assert(!program_exists("slow"));
}

int main(void)
{
  suite_fixture(false, setup, NULL);
  return program_main("start_file");
}
