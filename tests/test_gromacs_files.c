/* What we write, GROMACS reads, and the other way round: gmx editconf and trjconv turn our files into its
 * own, which we read again. Skipped without gmx. */
#include <sys/stat.h>

#include "io/trajectory.h"
#include "tests/files.h"
#include "tests/structure_groups.h"

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

static double off_by(const StructureGroups *s)
{
  double worst = 0.0;
  for (int i = 0; i < 3 * ATOMS; i++) {
    const int atom = i / 3;
    worst = fmax(worst, fabs(s->x[i] - coordinate(atom, i % 3)));
  }
  for (int d = 0; d < 3; d++)
    worst = fmax(worst, fabs(box_length(&s->box, d) - files_salt_edges[d]));
  return worst;
}

static double velocity_off_by(const StructureGroups *s)
{
  double worst = 0.0;
  for (int i = 0; i < 9 * WATERS; i++)
    worst = fmax(worst, fabs(s->v[i] - files_coordinate(1, i / 3, i % 3) / 7.0));
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
  StructureGroups s = {0};
  Error error = {0};
  Status status = trajectory_read_first(files_path(to), &frame, &error);
  if (status == STATUS_OK)
    status = structure_groups_find(&frame, to, 2, species, &s, &error);
  int bad = status != STATUS_OK;
  if (bad)
    files_failed(to, &error);
  else {
    const bool whole = s.found.nmol[0] == WATERS && s.found.nmol[1] == 1 && s.found.nmol[2] == 1;
    const double worst = whole ? off_by(&s) : INFINITY;
    const bool moves = strstr(to, ".gro") != NULL && strstr(from, ".gro") != NULL;
    const double speed = whole && moves ? (s.v != NULL ? velocity_off_by(&s) : INFINITY) : 0.0;
    bad = !(worst <= tolerance && speed <= tolerance);
    printf("%s: %s to %s, off by %.1e A, %.1e A/ps\n", bad ? "wrong" : "good", from, to, worst, speed);
  }
  structure_groups_free(&s);
  frame_free(&frame);
  return bad;
}

/* --- XTC ----------------------------------------------------------------------------------------------- */

/* Frames of waters here and there; scales: which grow from a few steps of the grid to the whole box, so that
 * all indices of packed.c have their turn. */
typedef struct Swarm {
  const char *name;
  int natoms;
  double edge; /* angstrom */
  bool scales;
} Swarm;
static const Swarm swarms[] = {{"waters", 3 * 700, 30.0, false}, {"nine", 9, 30.0, false},
                               {"ten", 10, 30.0, false},         {"far", 99, 3e6, false},
                               {"small", 3 * 900, 30.0, true},   {"medium", 3 * 900, 1000.0, true},
                               {"large", 3 * 900, 3e6, true}};
enum { SWARM_FRAMES = 3 };

static double anywhere(int i) { return remainder(1e4 * sin(12.9898 * i), 1.0); }

static Status swarm_frame(const void *self, int k, Frame *frame, Error *error)
{
  const Swarm *s = self;
  const double edges[3] = {s->edge, s->edge, s->edge}, right[3] = {0};
  files_frame(frame, s->natoms, k, 500 * k, 1.0 * k);
  for (int i = 0; i < 3 * s->natoms; i++) {
    const int atom = i / 3, d = i % 3;
    const double own = anywhere(7 * i + 5 * k + 1), grown = (double)atom / s->natoms;
    const double reach = s->scales ? 0.04 * pow(s->edge / 0.04, grown) : 1.1;
    frame->positions[atom][d] =
        atom % 3 == 0 ? s->edge * own : frame->positions[atom / 3 * 3][d] + reach * own;
  }
  return frame_set_cell(frame, edges, right, error);
}

static int gmx(const char *what)
{
  char command[1024];
  snprintf(command, sizeof command, "cd '%s' && gmx -quiet %s </dev/null >gmx.log 2>&1", files_folder, what);
  if (system(command) == 0)
    return 0;
  printf("wrong: %s failed\n", command);
  return 1;
}

/* The largest difference of two files, frame by frame; infinite where there is another one. */
static double apart(const char *a, const char *b)
{
  TrajectoryReader *one = NULL, *other = NULL;
  Frame x = {0}, y = {0};
  Error error = {0};
  bool end = false, ended = false;
  double worst = 0.0;
  Status status = trajectory_open(&one, files_path(a), &error);
  if (status == STATUS_OK)
    status = trajectory_open(&other, files_path(b), &error);
  while (status == STATUS_OK && !end && isfinite(worst)) {
    status = trajectory_read(one, &x, &end, &error);
    if (status == STATUS_OK)
      status = trajectory_read(other, &y, &ended, &error);
    if (end != ended || (!end && (x.natoms != y.natoms || fabs(x.time - y.time) > 1e-5)))
      worst = INFINITY;
    for (int i = 0; status == STATUS_OK && !end && isfinite(worst) && i < 3 * x.natoms; i++)
      worst = fmax(worst, fabs(x.positions[i / 3][i % 3] - y.positions[i / 3][i % 3]));
  }
  trajectory_close(one);
  trajectory_close(other);
  frame_free(&x);
  frame_free(&y);
  return status == STATUS_OK ? worst : INFINITY;
}

/* The numbers of the first frame as gmx dump prints them, nm, six digits, beside ours. */
static double dumped(const char *name)
{
  char what[128], line[256];
  Frame frame = {0};
  snprintf(what, sizeof what, "dump -f %s", name);
  FILE *file = gmx(what) == 0 ? fopen(files_path("gmx.log"), "r") : NULL;
  if (file == NULL || trajectory_read_first(files_path(name), &frame, NULL) != STATUS_OK)
    return INFINITY;
  double worst = 0.0;
  int found = 0, atom;
  double x[3];
  while (found < frame.natoms && fgets(line, sizeof line, file) != NULL) {
    const char *at = strstr(line, " x[");
    if (at == NULL || sscanf(at, " x[ %d]={ %lf, %lf, %lf", &atom, &x[0], &x[1], &x[2]) != 4 || atom != found)
      continue;
    for (int d = 0; d < 3; d++)
      worst = fmax(worst, fabs(10.0 * x[d] / frame.positions[found][d] - 1.0));
    found++;
  }
  fclose(file);
  worst = found == frame.natoms ? worst : INFINITY;
  frame_free(&frame);
  return worst;
}

static double bytes_of(const char *name)
{
  struct stat info;
  return stat(files_path(name), &info) == 0 ? (double)info.st_size : NAN;
}

/* gmx reads from our file what we do, packs it again, into no fewer bytes but for one in a hundred, and makes
 * one of an GRO file that we read. */
static int pack(const Swarm *s)
{
  char ours[64], theirs[64], columns[64], made[64], what[256];
  snprintf(ours, sizeof ours, "%s.xtc", s->name);
  snprintf(theirs, sizeof theirs, "%s-theirs.xtc", s->name);
  snprintf(columns, sizeof columns, "%s.gro", s->name);
  snprintf(made, sizeof made, "%s-made.xtc", s->name);
  int bad = files_run(ours, &files_options, SWARM_FRAMES, swarm_frame, s);
  snprintf(what, sizeof what, "check -f %s", ours);
  bad = bad || gmx(what);
  snprintf(what, sizeof what, "trjconv -f %s -o %s", ours, theirs);
  bad = bad || gmx(what);
  const double same = bad ? INFINITY : apart(ours, theirs), printed = bad ? INFINITY : dumped(ours);
  const double size = bytes_of(ours) / bytes_of(theirs);
  double rounded = 0.0;
  if (s->edge < 1e5) { /* GRO has columns */
    bad = bad || files_run(columns, &files_options, SWARM_FRAMES, swarm_frame, s);
    snprintf(what, sizeof what, "trjconv -f %s -o %s", columns, made);
    bad = bad || gmx(what);
    rounded = bad ? INFINITY : apart(made, columns);
  }
  /* gmx unpacks into single precision. */
  bad = bad || !(same <= 2e-7 * s->edge && printed < 1e-5 && rounded < 1e-5 && size < 1.01);
  printf("%s: %s, %.1e A between us and gmx trjconv, %.1e in dump, %.1e A from GRO, %.3f of its bytes\n",
         bad ? "wrong" : "good", ours, same, printed, rounded, size);
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
  for (size_t i = 0; i < sizeof swarms / sizeof *swarms; i++)
    bad += pack(&swarms[i]);
  suite_clear();
  return bad;
}
