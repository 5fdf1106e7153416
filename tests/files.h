/* For the tests of files: a folder of their own, whole files in and out, frames and runs to write. */
#ifndef HOLONOM_TESTS_FILES_H
#define HOLONOM_TESTS_FILES_H

#include <sys/wait.h>
#include <unistd.h>

#include "io/trajectory.h"
#include "tests/suite.h"

/* This test's folder, made at the first call. */
#define files_folder suite_folder()

/* The path of a file in it (static memory, eight in turn). */
static inline const char *files_path(const char *name)
{
  static char path[8][512];
  static int turn;
  turn = (turn + 1) % 8;
  snprintf(path[turn], sizeof path[turn], "%s/%s", files_folder, name);
  return path[turn];
}

/* suite_main for tests that write files: makes the folder before tests have processes of their own, and
 * removes it. */
static inline int files_main(const char *name)
{
  (void)files_path("");
  const int failed = suite_main(name);
  suite_clear();
  return failed;
}

static inline void files_write(const char *path, const void *data, size_t size)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

/* A file of this text in the folder; its path. */
static inline const char *files_text(const char *name, const char *text)
{
  const char *path = files_path(name);
  files_write(path, text, strlen(text));
  return path;
}

static inline unsigned char *files_read(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  unsigned char *data = malloc(1 << 22);
  if (file == NULL || data == NULL) {
    perror(path);
    exit(1);
  }
  *size = fread(data, 1, 1 << 22, file);
  fclose(file);
  return data;
}

/* What the scripts tests/read_with_*.py expect too: coordinate d of atom i in frame k. Not inlined, so that
 * it is rounded alike at every call. */
__attribute__((noinline, unused)) static double files_coordinate(int k, int i, int d)
{
  return 3.0 * i + 10.0 * sin(0.1 * k + 0.37 * i + 1.3 * d);
}

/* Frame k of a run of three-site waters (no geometry of waters). */
static inline void files_frame(Frame *frame, int natoms, int k, int64_t step, double time)
{
  if (frame_resize(frame, natoms, NULL) != STATUS_OK)
    exit(1);
  for (int i = 0; i < natoms; i++) {
    strcpy(frame->symbols[i], i % 3 == 0 ? "O" : "H");
    for (int d = 0; d < 3; d++) {
      frame->positions[i][d] = files_coordinate(k, i, d);
      frame->velocities[i][d] = files_coordinate(k + 1, i, d) / 7.0;
      frame->forces[i][d] = -files_coordinate(k + 2, i, d) * 1e-3;
    }
  }
  frame->has_symbols = true;
  frame->step = step;
  frame->time = time;
}

/* Three numbers of the system in frame k of replica r, in the order of their names. */
static inline void files_observables(Frame *frame, int k, int r)
{
  static const FrameObservable known[] = {
      {"kinetic", "kcal/mol", 2.0}, {"pressure", "bar", -1.0}, {"temperature", "K", 300.0}};
  frame->nobservable = 3;
  for (int i = 0; i < 3; i++) {
    frame->observable[i] = known[i];
    frame->observable[i].value += 0.1 * k + 10.0 * r;
  }
}

enum { FILES_SALT = 17 };
static const double files_salt_edges[3] = {31, 32, 33.25};

/* Atoms of the names of five waters, a sodium and a chloride in a box, with velocities. */
static inline Status files_salt(const void *self, int k, Frame *frame, Error *error)
{
  const double right[3] = {0};
  (void)self;
  files_frame(frame, FILES_SALT, k, 500, 1.0);
  strcpy(frame->symbols[FILES_SALT - 2], "Na");
  strcpy(frame->symbols[FILES_SALT - 1], "Cl");
  frame->has_velocities = true;
  return frame_set_cell(frame, files_salt_edges, right, error);
}

static inline int files_failed(const char *what, const Error *error)
{
  printf("wrong: %s: %s\n", what, error->text);
  return 1;
}

/* Writes a run into the folder, `make` being asked for frames 0..n-1: 0, or 1 after saying what is wrong. */
static inline int files_run(const char *name, const TrajectoryOptions *options, int n,
                            Status (*make)(const void *self, int k, Frame *frame, Error *error),
                            const void *self)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryWriter *writer;
  if (trajectory_create(&writer, files_path(name), NULL, options, &error) != STATUS_OK)
    return files_failed(name, &error);
  Status status = STATUS_OK;
  for (int k = 0; k < n && status == STATUS_OK; k++) {
    status = make(self, k, &frame, &error);
    if (status == STATUS_OK)
      status = trajectory_write(writer, &frame, &error);
  }
  frame_free(&frame);
  const Status last = trajectory_finish(writer, status == STATUS_OK ? &error : NULL);
  return status != STATUS_OK || last != STATUS_OK ? files_failed(name, &error) : 0;
}

/* Frames of a run in a box or none, for programs in Python to read. */
enum { FILES_ATOMS = 21, FILES_FRAMES = 9 };

typedef struct FilesRun {
  int64_t first;                /* step                  */
  const double *edge, *degrees; /* NULL: no box         */
  bool more;                    /* forces, velocities, observables */
} FilesRun;

static const TrajectoryOptions files_options = {
    .timestep = 0.002, .stride = 50, .title = "test", .replace = true};

static inline Status files_run_frame(const void *self, int k, Frame *frame, Error *error)
{
  const FilesRun *run = self;
  const int64_t step = run->first + files_options.stride * k;
  files_frame(frame, FILES_ATOMS, k, step, (double)step * files_options.timestep);
  frame->has_forces = frame->has_velocities = run->more;
  if (run->more)
    files_observables(frame, k, 0);
  if (run->edge == NULL)
    return STATUS_OK;
  const double cosine[3] = {frame_cosine(run->degrees[0]), frame_cosine(run->degrees[1]),
                            frame_cosine(run->degrees[2])};
  return frame_set_cell(frame, run->edge, cosine, error);
}

static inline int files_write_run(const char *name, int64_t first, const double *edge, const double *degrees,
                                  bool more)
{
  return files_run(name, &files_options, FILES_FRAMES, files_run_frame,
                   &(FilesRun){first, edge, degrees, more});
}

/* The first frames of such a run, written by another program; its box, if it has one, is of these edges and
 * degrees. */
static inline int files_read_run(const char *name, int frames, const double *edge, const double *degrees,
                                 double tolerance)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  if (trajectory_open(&reader, files_path(name), &error) != STATUS_OK)
    return files_failed(name, &error);
  double worst = 0.0;
  int k = 0, boxes = 0;
  Status status = STATUS_OK;
  for (bool end = false; status == STATUS_OK; k++) {
    status = trajectory_read(reader, &frame, &end, &error);
    if (end || status != STATUS_OK)
      break;
    for (int i = 0; i < 3 * frame.natoms; i++)
      worst = fmax(worst, fabs(frame.positions[i / 3][i % 3] - files_coordinate(k, i / 3, i % 3)));
    boxes += edge != NULL && frame.has_cell &&
             fabs(frame.cell[2][0] - edge[2] * frame_cosine(degrees[1])) < 0.02 &&
             fabs(frame.cell[1][0] - edge[1] * frame_cosine(degrees[2])) < 0.02;
  }
  const bool good = status == STATUS_OK && k == frames && frame.natoms == FILES_ATOMS && worst <= tolerance &&
                    boxes == (edge != NULL ? frames : 0) && (edge != NULL || !frame.has_cell) &&
                    trajectory_warning(reader)[0] == '\0';
  printf("%s: %s, %d frames, %d boxes, off by %.1e A %s%s\n", good ? "good" : "wrong", name, k, boxes, worst,
         error.text, trajectory_warning(reader));
  trajectory_close(reader);
  frame_free(&frame);
  return good ? 0 : 1;
}

/* Lets a script of tests/ look at the folder: what it exits with, or SUITE_SKIPPED without a Python. */
static inline int files_python(const char *script)
{
  const char *source = getenv("HOLONOM_SOURCE"), *python = getenv("HOLONOM_PYTHON");
  char command[1024];
  if (python == NULL)
    python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  snprintf(command, sizeof command, "'%s' '%s/tests/%s' '%s'", python, source != NULL ? source : ".", script,
           files_folder);
  const int status = system(command), code = status == -1 || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
  if (code != 126 && code != 127)
    return code;
  printf("skipped: no python3\n");
  return SUITE_SKIPPED;
}

#endif
