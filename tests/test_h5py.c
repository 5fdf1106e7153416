/* What we write h5py reads, and what h5py writes by the rules of H5MD we read: writes files, lets
 * tests/read_with_h5py.py compare them and write others, and reads those. */
#include "tests/files.h"

enum { ATOMS = 21, FRAMES = 9 };

static const TrajectoryOptions run_options = {
    .timestep = 0.002, .stride = 50, .title = "test", .replace = true};

static Status run_frame(const void *self, int k, Frame *frame, Error *error)
{
  const char *name = self;
  const double edge[3] = {31, 32, 33}, cosine[3] = {0, 0, 0};
  const bool two = strstr(name, "two") != NULL;
  files_frame(frame, ATOMS, two ? k / 2 + 50 * (k % 2) : k, 50 * (two ? k / 2 : k), 0.1 * (two ? k / 2 : k));
  frame->has_velocities = frame->has_forces = strstr(name, "box") != NULL;
  if (two || frame->has_forces)
    files_observables(frame, two ? k / 2 : k, two ? k % 2 : 0);
  frame->has_masses = true;
  for (int i = 0; i < ATOMS; i++)
    frame->masses[i] = i % 3 == 0 ? 15.9994 : 1.008;
  return strstr(name, "box") != NULL ? frame_set_cell(frame, edge, cosine, error) : STATUS_OK;
}

static int write_run(const char *name, bool exact)
{
  TrajectoryOptions options = run_options;
  options.exact = exact;
  options.replicas = strstr(name, "two") != NULL ? 2 : 1;
  return files_run(name, &options, FRAMES * options.replicas, run_frame, name);
}

/* As a killed run leaves it after its last mark. */
static int write_killed(void)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryWriter *writer;
  TrajectoryMark mark;
  Status status = trajectory_create(&writer, files_path("killed.h5md"), NULL, &run_options, &error);
  for (int k = 0; k < 30 && status == STATUS_OK; k++) {
    status = run_frame("cluster", k, &frame, &error);
    if (status == STATUS_OK)
      status = trajectory_write(writer, &frame, &error);
    if (status == STATUS_OK && k == FRAMES - 1)
      status = trajectory_mark(writer, &mark, &error);
  }
  trajectory_discard(writer); /* writes nothing more */
  frame_free(&frame);
  return status == STATUS_OK ? 0 : files_failed("killed.h5md", &error);
}

/* A file by h5py: frames of files_coordinate, or what is wrong with it. */
typedef struct Theirs {
  const char *name;
  int frames, replicas;
  bool cell, velocities, forces, names, times, steps;
  double tolerance;
  const char *message; /* of the refusal, or of the warning */
} Theirs;

static const Theirs theirs[] = {
    {"plain.h5", FRAMES, 1, false, false, false, true, true, true, 1e-12, NULL},
    {"nm.h5", FRAMES, 1, true, true, true, true, true, true, 1e-12, NULL},
    {"float32.h5", FRAMES, 1, true, true, false, true, true, true, 2e-5, NULL},
    {"vector.h5", FRAMES, 1, true, false, false, true, true, true, 1e-12, NULL},
    {"matrix.h5", FRAMES, 1, true, false, false, true, true, true, 1e-12, NULL},
    {"even.h5", FRAMES, 1, false, false, false, true, true, true, 1e-12, NULL},
    {"deflated.h5", FRAMES, 1, true, true, false, true, true, true, 1e-12, NULL},
    {"still.h5", 1, 1, true, true, false, true, false, false, 1e-12, NULL},
    {"bare.h5", FRAMES, 1, false, false, false, false, false, true, 1e-12, "no unit"},
    {"sparse.h5", FRAMES, 1, false, false, false, false, true, true, 1e-12, "left out"},
    {"groups.h5", FRAMES, 1, false, false, false, true, true, true, 1e-12, "2 groups"},
    {"big.h5", FRAMES, 1, true, true, false, true, true, true, 1e-12, NULL},
    {"userblock.h5", FRAMES, 1, false, false, false, true, true, true, 1e-12, NULL},
    {"replicas.h5", 2 * FRAMES, 2, false, false, false, true, true, true, 1e-12, NULL},
    {"other.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "no readable group 'h5md'"},
    {"unit.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "unit 'furlong'"},
    {"kind.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "unit 'ps'"},
    {"flat.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "three components"},
    {"texts.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "has no numbers"},
    {"mixed.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "in some directions"},
    {"edgeless.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "no edges"},
    {"hollow.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "never written"},
    {"huge.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "more numbers"},
    {"nan.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "is nan"},
    {"nothing.h5", 0, 0, 0, 0, 0, 0, 0, 0, 0, "no particles"},
};

static double off(const double (*x)[3], int k, double factor)
{
  double worst = 0.0;
  for (int i = 0; i < 3 * ATOMS; i++)
    worst = fmax(worst, fabs(x[i / 3][i % 3] - factor * files_coordinate(k, i / 3, i % 3)));
  return worst;
}

static int read_theirs(const Theirs *t)
{
  const char *path = files_path(t->name);
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  double worst = 0.0;
  int k = 0, odd = 0;
  bool end = false;
  Status status = trajectory_open(&reader, path, &error);
  while (status == STATUS_OK) {
    status = trajectory_read(reader, &frame, &end, &error);
    if (end || status != STATUS_OK)
      break;
    const int row = k / t->replicas + 50 * (k % t->replicas), at = k / t->replicas;
    worst = fmax(worst, off((const double(*)[3])frame.positions, row, 1.0));
    if (t->velocities)
      worst = fmax(worst, off((const double(*)[3])frame.velocities, row + 1, 1.0 / 7.0));
    if (t->forces)
      worst = fmax(worst, off((const double(*)[3])frame.forces, row + 2, -1e-3));
    odd += frame.natoms != ATOMS || frame.has_cell != t->cell || frame.has_velocities != t->velocities ||
           frame.has_forces != t->forces || frame.has_symbols != t->names ||
           frame.replica != (t->replicas > 1 ? k % t->replicas : -1) || isfinite(frame.time) != t->times ||
           (frame.step >= 0) != t->steps;
    odd += t->times && fabs(frame.time - 0.1 * at) > 1e-9;
    odd += t->steps && frame.step != 50 * at;
    odd += t->names && strcmp(frame.symbols[4], "H") != 0;
    odd += t->cell && (fabs(frame.cell[0][0] - 31.0) + fabs(frame.cell[1][1] - 32.0) +
                           fabs(frame.cell[2][2] - 33.0) + fabs(frame.cell[0][1]) >
                       1e-9);
    k++;
  }
  const char *words = status != STATUS_OK ? error.text : trajectory_warning(reader);
  bool good = t->message == NULL ? *words == '\0' : strstr(words, t->message) != NULL;
  good &= t->frames > 0 ? status == STATUS_OK && k == t->frames && odd == 0 && worst <= t->tolerance
                        : status == STATUS_INPUT;
  printf("%s: %s, %d frames, %d odd, off by %.1e: %s\n", good ? "good" : "wrong", t->name, k, odd, worst,
         words);
  trajectory_close(reader);
  frame_free(&frame);
  return good ? 0 : 1;
}

/* Files on which HDF5 1.10 breaks down, or comes to no end, end no command: exit code 2. (Newer ones refuse
 * them.)
 */
static int refused_by_program(const char *file)
{
  char command[1024];
  const char *program = getenv("HOLONOM_PROGRAM");
  if (program == NULL)
    return 0;
  snprintf(command, sizeof command,
           "cd '%s' && { '%s' rdf %s >said 2>&1; test $? = 2; } && grep -q '^holonom rdf: %s: ' said",
           files_folder, program, file, file);
  const bool good = system(command) == 0;
  printf("%s: %s by the program\n", good ? "good" : "wrong", file);
  return good ? 0 : 1;
}

int main(void)
{
  if (trajectory_find("h5md") == NULL) {
    printf("skipped: built without HDF5\n");
    return SUITE_SKIPPED;
  }
  int bad = write_run("cluster.h5md", false) + write_run("box.h5md", true) + write_run("two.h5md", false) +
            write_killed();
  if (bad == 0)
    bad = files_python("read_with_h5py.py");
  for (size_t i = 0; i < sizeof theirs / sizeof *theirs && bad != SUITE_SKIPPED; i++)
    bad += read_theirs(&theirs[i]);
  if (bad != SUITE_SKIPPED)
    bad += refused_by_program("index.h5") + refused_by_program("endless.h5");
  suite_clear();
  return bad == SUITE_SKIPPED ? bad : bad != 0;
}
