/* What we write, MDAnalysis reads: writes the files and lets tests/read_with_mdanalysis.py compare them. */
#include <sys/wait.h>

#include "tests/files.h"
#include "tests/suite.h"

enum { ATOMS = 21, FRAMES = 9 };

typedef struct Run {
  int64_t first; /* step */
  const double *edge, *degrees;
  bool more; /* forces and velocities */
} Run;

static const TrajectoryOptions run_options = {.timestep = 0.002, .stride = 50, .title = "test"};

static Status run_frame(const void *self, int k, Frame *frame, Error *error)
{
  const Run *run = self;
  const int64_t step = run->first + run_options.stride * k;
  files_frame(frame, ATOMS, k, step, (double)step * run_options.timestep);
  frame->has_forces = frame->has_velocities = run->more;
  if (run->edge == NULL)
    return STATUS_OK;
  const double cosine[3] = {frame_cosine(run->degrees[0]), frame_cosine(run->degrees[1]),
                            frame_cosine(run->degrees[2])};
  return frame_set_cell(frame, run->edge, cosine, error);
}

static int write_run(const char *name, int64_t first, const double *edge, const double *degrees, bool more)
{
  return files_run(name, &run_options, FRAMES, run_frame, &(Run){first, edge, degrees, more});
}

static int write_salt(const char *name)
{
  const TrajectoryOptions options = {.exact = strstr(name, "exact") != NULL};
  return files_run(name, &options, 1, files_salt, NULL);
}

/* As a killed run leaves it: the last frame not whole, the header not yet patched for it. */
static void write_killed(void)
{
  size_t size;
  unsigned char *data = files_read(files_path("cluster.dcd"), &size);
  data[8] = FRAMES - 1;
  files_write(files_path("killed.dcd"), data, size - 100);
  free(data);
}

/* Files by MDAnalysis's own writers, of the frames of triclinic.dcd. */
static int read_theirs(const char *name, int frames, bool has_cell, double tolerance)
{
  const char *path = files_path(name);
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  if (trajectory_open(&reader, path, &error) != STATUS_OK)
    return files_failed(path, &error);
  double worst = 0.0;
  int k = 0, boxes = 0;
  Status status = STATUS_OK;
  for (bool end = false; status == STATUS_OK; k++) {
    status = trajectory_read(reader, &frame, &end, &error);
    if (end || status != STATUS_OK)
      break;
    for (int i = 0; i < 3 * frame.natoms; i++)
      worst = fmax(worst, fabs(frame.positions[i / 3][i % 3] - files_coordinate(k, i / 3, i % 3)));
    boxes += frame.has_cell && fabs(frame.cell[2][0] - 33.0 * frame_cosine(80)) < 0.02 &&
             fabs(frame.cell[1][0] - 32.0 * frame_cosine(110)) < 0.02;
  }
  const bool good = status == STATUS_OK && k == frames && frame.natoms == ATOMS && worst <= tolerance &&
                    boxes == (has_cell ? frames : 0) && trajectory_warning(reader)[0] == '\0';
  printf("%s: %s, %d frames, %d boxes, off by %.1e A %s%s\n", good ? "good" : "wrong", name, k, boxes, worst,
         error.text, trajectory_warning(reader));
  trajectory_close(reader);
  frame_free(&frame);
  return good ? 0 : 1;
}

int main(void)
{
  const double edge[3] = {31, 32, 33}, right[3] = {90, 90, 90}, skew[3] = {90, 80, 110};
  int bad = write_run("cluster.xyz", 0, NULL, NULL, false) + write_run("forces.xyz", 0, NULL, NULL, true) +
            write_run("cluster.dcd", 100, NULL, NULL, false) + write_run("box.dcd", 0, edge, right, false) +
            write_run("triclinic.dcd", 0, edge, skew, false) +
            write_run("large.dcd", INT64_C(10000000000), NULL, NULL, false) +
            write_run("box.pdb", 0, edge, right, false) +
            write_run("crossing.dcd", (INT64_C(1) << 31) - 48, NULL, NULL, false);
  if (trajectory_find("h5md") != NULL)
    bad += write_run("cluster.h5md", 100, NULL, NULL, false) + write_run("more.h5md", 0, edge, skew, true);
  bad += write_salt("salt.gro") + write_salt("exact.gro") + write_salt("salt.pdb") + write_salt("salt.xyz");
  write_killed();
  const char *source = getenv("HOLONOM_SOURCE"), *python = getenv("HOLONOM_PYTHON");
  if (bad == 0) {
    char command[1024];
    snprintf(command, sizeof command, "'%s' '%s/tests/read_with_mdanalysis.py' '%s'",
             python != NULL                          ? python
             : access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3"
                                                     : "python3",
             source != NULL ? source : ".", files_folder);
    const int status = system(command);
    bad = status == -1 || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
    if (bad == 126 || bad == 127) {
      printf("skipped: no python3\n");
      bad = SUITE_SKIPPED;
    }
  }
  if (bad == 0)
    bad = read_theirs("theirs.dcd", FRAMES, true, 4e-6) + read_theirs("theirs.xyz", FRAMES, false, 1e-5) +
          read_theirs("theirs.gro", 1, true, 5.1e-3) + read_theirs("theirs.pdb", FRAMES, true, 5.1e-4);
  files_clear();
  return bad;
}
