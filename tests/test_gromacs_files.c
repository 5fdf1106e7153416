/* What we write, GROMACS reads, and the other way round: gmx editconf turns our files into its own, which we
 * read again. Skipped without gmx. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/structure.h"
#include "io/trajectory.h"
#include "tests/files.h"
#include "tests/suite.h"

enum { WATERS = 5, ATOMS = FILES_SALT };
static const char *const species[] = {"Na+", "Cl-"};

/* Waters with their bonds, a sodium and a chloride. */
static double coordinate(int i, int d)
{
  static const double site[3][3] = {{0.0, 0.0, 0.0}, {0.9572, 0.0, 0.0}, {-0.24, 0.9266, 0.0}};
  return i < 3 * WATERS ? 5.0 * (i / 3) + 1.23456 * d + site[i % 3][d] : i + 0.31234 * d;
}

static Status salt(const void *self, int k, Frame *frame, Error *error)
{
  const Status status = files_salt(self, k, frame, error);
  for (int i = 0; i < 3 * ATOMS; i++)
    frame->positions[i / 3][i % 3] = coordinate(i / 3, i % 3);
  return status;
}

static int write_salt(const char *name)
{
  const TrajectoryOptions options = {.exact = strstr(name, "exact") != NULL};
  return files_run(name, &options, 1, salt, NULL);
}

static double off_by(const Structure *s)
{
  double worst = 0.0;
  for (int i = 0; i < 3 * ATOMS; i++) {
    const int atom = i / 3;
    const double *x = atom < 3 * WATERS ? s->group[0].x + i : s->group[1 + atom - 3 * WATERS].x + i % 3;
    worst = fmax(worst, fabs(*x - coordinate(atom, i % 3)));
  }
  for (int d = 0; d < 3; d++)
    worst = fmax(worst, fabs(box_length(&s->box, d) - files_salt_edges[d]));
  return worst;
}

static double velocity_off_by(const Structure *s)
{
  double worst = 0.0;
  for (int i = 0; i < 9 * WATERS; i++)
    worst = fmax(worst, fabs(s->group[0].v[i] - files_coordinate(1, i / 3, i % 3) / 7.0));
  return worst;
}

/* `from`, of ours, through gmx editconf to `to`, which we read. */
static int convert(const char *from, const char *to, double tolerance)
{
  char command[1024];
  snprintf(command, sizeof command, "cd '%s' && gmx -quiet editconf -f %s -o %s >editconf.log 2>&1",
           files_folder, from, to);
  if (system(command) != 0) {
    printf("wrong: %s failed\n", command);
    return 1;
  }
  Frame frame = {0};
  Structure s = {0};
  Error error = {0};
  Status status = trajectory_read_first(files_path(to), &frame, &error);
  if (status == STATUS_OK)
    status = structure_molecules(&frame, to, 2, species, &s, &error);
  int bad = status != STATUS_OK;
  if (bad)
    files_failed(to, &error);
  else {
    const bool whole = s.group[0].nmol == WATERS && s.group[1].nmol == 1 && s.group[2].nmol == 1;
    const double worst = whole ? off_by(&s) : INFINITY;
    const bool moves = strstr(to, ".gro") != NULL && strstr(from, ".gro") != NULL;
    const double speed = whole && moves ? (s.group[0].v != NULL ? velocity_off_by(&s) : INFINITY) : 0.0;
    bad = !(worst <= tolerance && speed <= tolerance);
    printf("%s: %s to %s, off by %.1e A, %.1e A/ps\n", bad ? "wrong" : "good", from, to, worst, speed);
  }
  structure_free(&s);
  frame_free(&frame);
  return bad;
}

int main(void)
{
  if (suite_lacks("gmx"))
    return SUITE_SKIPPED;
  int bad = write_salt("salt.gro") + write_salt("exact.gro") + write_salt("salt.pdb");
  if (bad == 0)
    bad = convert("salt.gro", "a.gro", 5.2e-3) + convert("exact.gro", "b.gro", 5.2e-3) +
          convert("salt.gro", "c.pdb", 5.2e-3) + convert("exact.gro", "d.pdb", 5.2e-4) +
          convert("salt.pdb", "e.gro", 5.7e-3);
  files_clear();
  return bad;
}
