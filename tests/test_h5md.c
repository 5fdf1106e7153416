/* H5MD files by our writer and reader: what is written comes back, a run that was killed anywhere and resumed
 * leaves the contents of one in one piece, and broken files are refused. (test_h5py.c has other writers'
 * files.)
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/files.h"
#include "tests/h5_same.h"
#include "tests/killed.h"
#include "tests/shorter.h"

static const TrajectoryOptions options = {.timestep = 0.002, .stride = 50, .title = "three \"sorts\""};

/* What is in a file of so many atoms. */
typedef struct Run {
  int natoms, replicas;
  bool cell, velocities, exact;
} Run;

static const Run runs[] = {{21, 1, false, false, false},
                           {21, 1, true, true, true},
                           {17, 3, true, true, false},
                           {1500, 1, true, false, false},
                           {900, 2, false, true, true}};
enum { RUNS = (int)(sizeof runs / sizeof *runs), FRAMES = SHORT ? 60 : 200 };
/* Under sanitizers every third write is killed, and every third cut made: others for each run. */
enum { EVERY = SHORT ? 3 : 1 };

static TrajectoryOptions options_of(const Run *run)
{
  TrajectoryOptions o = options;
  o.exact = run->exact;
  o.replicas = run->replicas;
  o.replace = true;
  return o;
}

/* Frame number `index` of the file: replicas in turn. */
static void make(const Run *run, int index, Frame *frame)
{
  const int k = index / run->replicas, r = index % run->replicas;
  const double edge[3] = {31.0 + 0.01 * k, 32.0, 33.0}, cosine[3] = {0.0, 0.1, -0.2};
  files_frame(frame, run->natoms, k + 1000 * r, 100 + 50 * k, 0.2 + 0.1 * k);
  frame->has_velocities = run->velocities;
  frame->has_forces = run->velocities && run->exact;
  if (run->velocities)
    files_observables(frame, k, r);
  if (run->cell)
    ck_assert_int_eq(frame_set_cell(frame, edge, cosine, NULL), STATUS_OK);
}

static void write_frames(const Run *run, TrajectoryWriter *writer, int from, int to)
{
  Frame frame = {0};
  Error error = {0};
  for (int i = from; i < to; i++) {
    make(run, i, &frame);
    ck_assert_msg(trajectory_write(writer, &frame, &error) == STATUS_OK, "%s", error.text);
  }
  frame_free(&frame);
}

static TrajectoryWriter *begin(const Run *run, const char *path)
{
  Error error = {0};
  TrajectoryWriter *writer;
  const TrajectoryOptions o = options_of(run);
  ck_assert_msg(trajectory_create(&writer, path, NULL, &o, &error) == STATUS_OK, "%s", error.text);
  return writer;
}

static TrajectoryMark mark_of(TrajectoryWriter *writer)
{
  Error error = {0};
  TrajectoryMark mark;
  ck_assert_msg(trajectory_mark(writer, &mark, &error) == STATUS_OK, "%s", error.text);
  return mark;
}

static TrajectoryWriter *go_on(const Run *run, const char *path, const TrajectoryMark *mark)
{
  Error error = {0};
  TrajectoryWriter *writer;
  const TrajectoryOptions o = options_of(run);
  ck_assert_msg(trajectory_resume(&writer, path, NULL, &o, mark, &error) == STATUS_OK, "%s", error.text);
  return writer;
}

static void finish(TrajectoryWriter *writer)
{
  Error error = {0};
  ck_assert_msg(trajectory_finish(writer, &error) == STATUS_OK, "%s", error.text);
}

/* All frames of a file are those of the run; how many. */
static int read_frames(const Run *run, const char *path)
{
  Error error = {0};
  Frame frame = {0}, wanted = {0};
  TrajectoryReader *reader;
  const double far = run->exact ? 0.0 : 0x1p-14;
  int n = 0;
  ck_assert_msg(trajectory_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
  for (bool end = false;; n++) {
    ck_assert_msg(trajectory_read(reader, &frame, &end, &error) == STATUS_OK, "%s", error.text);
    if (end)
      break;
    make(run, n, &wanted);
    ck_assert_int_eq(frame.natoms, run->natoms);
    ck_assert_int_eq(frame.step, wanted.step);
    ck_assert_double_eq(frame.time, wanted.time);
    ck_assert_int_eq(frame.replica, run->replicas > 1 ? n % run->replicas : -1);
    ck_assert_int_eq(frame.has_velocities, wanted.has_velocities);
    ck_assert_int_eq(frame.has_forces, wanted.has_forces);
    ck_assert_int_eq(frame.has_cell, run->cell);
    double off = 0.0; /* an assertion for each number takes long */
    for (int i = 0; i < 3 * run->natoms; i++) {
      off = fmax(off, fabs(frame.positions[i / 3][i % 3] - wanted.positions[i / 3][i % 3]) / 8.0);
      if (run->velocities)
        off = fmax(off, fabs(frame.velocities[i / 3][i % 3] - wanted.velocities[i / 3][i % 3]));
      if (frame.has_forces)
        off = fmax(off, fabs(frame.forces[i / 3][i % 3] - wanted.forces[i / 3][i % 3]));
    }
    ck_assert_double_le(off, far);
    for (int d = 0; d < 9 && run->cell; d++)
      ck_assert_double_eq(frame.cell[d / 3][d % 3], wanted.cell[d / 3][d % 3]);
    ck_assert_str_eq(frame.symbols[run->natoms - 1], wanted.symbols[run->natoms - 1]);
  }
  const char *warning = trajectory_warning(reader); /* of a kill in the middle of a mark */
  ck_assert_msg(*warning == '\0' || strstr(warning, "unfinished frames of a killed run") != NULL, "%s",
                warning);
  trajectory_close(reader);
  frame_free(&frame);
  frame_free(&wanted);
  return n;
}

static int count(const Run *run) { return FRAMES * run->replicas / (run->natoms > 100 ? 10 : 1); }

/* A run in one piece, of this name and of so many frames; the path. */
static const char *whole(const Run *run, const char *name, int n)
{
  const char *path = files_path(name);
  TrajectoryWriter *writer = begin(run, path);
  write_frames(run, writer, 0, n);
  finish(writer);
  return path;
}

static unsigned char *whole_bytes(const Run *run, size_t *size)
{
  return files_read(whole(run, "whole.h5md", count(run)), size);
}

TEST(round_trips, .rows = RUNS)
{
  const Run *run = &runs[_i];
  size_t size;
  free(whole_bytes(run, &size));
  ck_assert_int_eq(read_frames(run, files_path("whole.h5md")), count(run));
  /* 4 or 8 bytes a number and little else; deflated single frames are smaller. */
  const double numbers = 3.0 * run->natoms * count(run) * (run->velocities ? run->exact ? 3 : 2 : 1);
  ck_assert_double_le((double)size, numbers * (run->exact ? 8 : 4) + 9e4 * run->replicas + 2e4);
}

/* Marks after a quarter and a half; the file as it is then and there, with the writer still at work, is what
 * a killed run leaves. */
TEST(killed_runs_go_on_to_the_same_contents, .rows = RUNS)
{
  const Run *run = &runs[_i];
  const char *path = files_path("run.h5md"), *killed = files_path("killed.h5md");
  const int n = count(run), quarter = n / 4 / run->replicas * run->replicas;
  size_t then;
  const char *good = whole(run, "whole.h5md", n);
  TrajectoryWriter *writer = begin(run, path);
  TrajectoryMark mark[3];
  for (int k = 0; k < 3; k++) {
    write_frames(run, writer, k == 0 ? 0 : quarter * (1 << (k - 1)), quarter * (1 << k));
    mark[k] = mark_of(writer);
    for (int later = 0; later < 2; later++) { /* right after the mark, and frames later */
      if (later == 1 && k < 2)
        continue;
      unsigned char *left = files_read(path, &then);
      for (int back = 0; back < 2 - later && back <= k; back++) { /* the checkpoint may be the one before */
        files_write(killed, left, then);
        ck_assert_int_eq(read_frames(run, killed), mark[k].frames);
        TrajectoryWriter *second = go_on(run, killed, &mark[k - back]);
        ck_assert_int_eq(read_frames(run, killed), mark[k - back].frames);
        write_frames(run, second, (int)mark[k - back].frames, n);
        finish(second);
        h5_same(killed, good);
      }
      free(left);
      if (later == 0 && k == 2) {
        write_frames(run, writer, 4 * quarter, n);
      }
    }
  }
  finish(writer);
  h5_same(path, good);
}

/* After the file was closed, or marked again and again: back to any mark. */
TEST(older_marks_are_gone_back_to, .rows = RUNS)
{
  const Run *run = &runs[_i];
  const char *path = files_path("run.h5md");
  const int n = count(run), step = n / 5 / run->replicas * run->replicas;
  const char *good = whole(run, "whole.h5md", n);
  TrajectoryMark mark[4];
  TrajectoryWriter *writer = begin(run, path);
  for (int k = 0; k < 4; k++) {
    write_frames(run, writer, k * step, (k + 1) * step);
    mark[k] = mark_of(writer);
  }
  write_frames(run, writer, 4 * step, n - run->replicas);
  finish(writer);
  for (int k = 0; k < 4; k++) {
    writer = go_on(run, path, &mark[3 - k]);
    write_frames(run, writer, (4 - k) * step, n);
    finish(writer);
    h5_same(path, good);
  }
}

/* What a killed process had come to. */
typedef struct Reached {
  int frames, marks;
  TrajectoryMark mark;
} Reached;

/* n frames, with a mark after every `step` of them, in a process that is killed before its write number
 * `writes`; whether it was. */
static bool kill_run(const Run *run, const char *path, int n, int step, long writes, Reached *reached)
{
  *reached = (Reached){0};
  const pid_t child = fork();
  if (child == 0) {
    writes_left = writes;
    TrajectoryWriter *writer = begin(run, path);
    for (int i = 0; i < n; i += run->replicas) {
      write_frames(run, writer, i, i + run->replicas);
      reached->frames = i + run->replicas;
      if (reached->frames % step == 0) {
        reached->mark = mark_of(writer);
        reached->marks++;
      }
    }
    finish(writer);
    _exit(0);
  }
  return wait_killed(child);
}

static Status read_all(const char *path);

/* Whatever a mark has written by then, the file is readable to the mark before, and the run goes on from
 * there. */
TEST(killed_before_every_write, .first = 1, .rows = 3)
{
  const Run *run = &runs[_i];
  const int n = 4, step = 2 * run->replicas;
  const char *path = files_path("killed.h5md"), *good = whole(run, "whole.h5md", n * run->replicas);
  Reached *reached = mmap(NULL, sizeof *reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert(reached != MAP_FAILED);
  long readable = 0;
  for (long kills = _i % EVERY; kill_run(run, path, n * run->replicas, step, kills, reached);
       kills += EVERY) {
    if (reached->frames == 0) {
      const Status status = read_all(path);
      ck_assert(status == STATUS_OK || status == STATUS_INPUT);
      continue;
    }
    ck_assert_int_ge(read_frames(run, path), reached->marks > 0 ? reached->mark.frames : run->replicas);
    readable++;
    if (reached->marks == 0)
      continue;
    TrajectoryWriter *writer = go_on(run, path, &reached->mark);
    write_frames(run, writer, (int)reached->mark.frames, n * run->replicas);
    finish(writer);
    h5_same(path, good);
  }
  ck_assert_int_gt(readable, 20 / EVERY);
  munmap(reached, sizeof *reached);
}

/* ... and whatever going on has written by then. */
TEST(killed_while_set_back, .first = 1, .rows = 3)
{
  const Run *run = &runs[_i];
  const int n = 12 * run->replicas, third = 4 * run->replicas;
  const char *path = files_path("run.h5md"), *killed = files_path("killed.h5md"),
             *good = whole(run, "whole.h5md", n);
  size_t size;
  TrajectoryWriter *writer = begin(run, path);
  write_frames(run, writer, 0, third);
  const TrajectoryMark mark = mark_of(writer);
  write_frames(run, writer, third, 2 * third);
  (void)mark_of(writer);
  write_frames(run, writer, 2 * third, n);
  unsigned char *left = files_read(path, &size);
  trajectory_discard(writer);
  long kills = _i % EVERY;
  for (bool more = true; more; kills += EVERY) {
    files_write(killed, left, size);
    const pid_t child = fork();
    if (child == 0) {
      writes_left = kills;
      writer = go_on(run, killed, &mark);
      write_frames(run, writer, third, third + run->replicas);
      _exit(0);
    }
    more = wait_killed(child);
    ck_assert_int_ge(read_frames(run, killed), mark.frames);
    writer = go_on(run, killed, &mark);
    write_frames(run, writer, third, n);
    finish(writer);
    h5_same(killed, good);
  }
  ck_assert_int_gt(kills, 5);
  free(left);
}

/* Another file in its place, of another run or of fewer frames, is refused and left as it is. */
TEST(other_files_are_left_alone)
{
  Error error = {0};
  const char *path = files_path("run.h5md");
  TrajectoryWriter *writer = begin(&runs[0], path);
  write_frames(&runs[0], writer, 0, 20);
  const TrajectoryMark mark = mark_of(writer);
  finish(writer);
  for (int k = 0; k < 2; k++) {
    size_t size, after;
    const char *other = whole(&runs[k == 0 ? 3 : 0], "other.h5md", k == 0 ? 20 : 19);
    unsigned char *before = files_read(other, &size);
    const TrajectoryOptions o = options_of(&runs[0]);
    TrajectoryMark shorter = mark;
    shorter.size = 1000;
    ck_assert_int_eq(trajectory_resume(&writer, other, NULL, &o, &shorter, &error), STATUS_IO);
    ck_assert_msg(strstr(error.text, k == 0 ? "does not have the 21 atoms" : "fewer than the 20 frames") !=
                      NULL,
                  "%s", error.text);
    unsigned char *now = files_read(other, &after);
    ck_assert(after == size && memcmp(before, now, size) == 0);
    free(before);
    free(now);
  }
}

/* The error of reading all of a file, or STATUS_OK; it always says which file. */
static Status read_all(const char *path)
{
  TrajectoryReader *reader;
  Frame frame = {0};
  Error error = {0};
  bool end = false;
  Status status = trajectory_open(&reader, path, &error);
  while (status == STATUS_OK && !end)
    status = trajectory_read(reader, &frame, &end, &error);
  if (status != STATUS_OK)
    ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
  trajectory_close(reader);
  frame_free(&frame);
  return status;
}

TEST(cut_files_are_refused, .rows = RUNS)
{
  const Run *run = &runs[_i];
  size_t size;
  const char *path = files_path("cut.h5md");
  unsigned char *good = whole_bytes(run, &size);
  for (int k = _i % EVERY; k < 40; k += EVERY) {
    files_write(path, good, (size_t)((double)size * k / 40.0));
    ck_assert_int_eq(read_all(path), STATUS_INPUT);
  }
  files_write(path, good, size - 1);
  ck_assert_int_eq(read_all(path), STATUS_INPUT);
  files_write(path, good, size);
  ck_assert_int_eq(read_all(path), STATUS_OK);
  free(good);
}

/* A byte that is wrong gives other numbers or a refusal. */
TEST(flipped_bytes, .rows = RUNS)
{
  const Run *run = &runs[_i];
  size_t size;
  int refused = 0;
  uint64_t dice = 12345 + (uint64_t)_i;
  const char *path = files_path("flipped.h5md");
  unsigned char *good = whole_bytes(run, &size);
  for (int k = 0; k < 100 / EVERY; k++) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    const size_t at = (size_t)(dice >> 33) % (k % 2 == 0 && size > 8192 ? 8192 : size);
    const unsigned char was = good[at];
    good[at] ^= (unsigned char)(1 + (dice >> 20) % 255);
    files_write(path, good, size);
    good[at] = was;
    const Status status = read_all(path);
    ck_assert(status == STATUS_OK || status == STATUS_INPUT);
    refused += status == STATUS_INPUT;
  }
  ck_assert_int_gt(refused, 5 / EVERY);
  free(good);
}

TEST(frames_that_do_not_fit)
{
  Frame frame = {0};
  Error error;
  const Run run = runs[1];
  const char *path = files_path("fit.h5md");
  TrajectoryWriter *writer = begin(&run, path);
  write_frames(&run, writer, 0, 2);
  make(&run, 2, &frame);
  frame.has_velocities = false;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  make(&run, 2, &frame);
  frame.velocities[3][1] = NAN;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  make(&run, 2, &frame);
  frame.nobservable--;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  make(&run, 2, &frame);
  strcpy(frame.observable[1].name, "volume");
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  write_frames(&run, writer, 2, 5);
  finish(writer);
  ck_assert_int_eq(read_frames(&run, path), 5);
  frame_free(&frame);
}

/* A file with no more room: the writer says so, and what was marked stays. */
TEST(full_disk)
{
  const Run *run = &runs[3];
  const struct rlimit limit = {150000, RLIM_INFINITY};
  const char *path = files_path("full.h5md");
  Frame frame = {0};
  Error error = {0};
  Status status = STATUS_OK;
  TrajectoryWriter *writer = begin(run, path);
  write_frames(run, writer, 0, 5);
  (void)mark_of(writer);
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  int n = 5;
  for (; status == STATUS_OK && n < 100; n++) {
    make(run, n, &frame);
    status = trajectory_write(writer, &frame, &error);
  }
  ck_assert_int_eq(status, STATUS_IO);
  ck_assert_msg(strstr(error.text, strerror(EFBIG)) != NULL, "%s", error.text);
  ck_assert_int_gt(n, 6);
  TrajectoryMark mark;
  ck_assert_int_eq(trajectory_mark(writer, &mark, &error), STATUS_IO);
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  ck_assert_int_eq(read_frames(run, path), 5);
  frame_free(&frame);
}

/* With so much more memory: 0, or what went wrong. */
static int write_within(rlim_t more)
{
  const Run *run = &runs[3];
  Error error = {0};
  Frame frame = {0};
  TrajectoryWriter *writer;
  TrajectoryMark mark;
  const TrajectoryOptions o = options_of(run);
  long pages = 0;
  make(run, 0, &frame);
  FILE *memory = fopen("/proc/self/statm", "r");
  ck_assert(memory != NULL && fscanf(memory, "%ld", &pages) == 1);
  fclose(memory);
  const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
  Status status = trajectory_create(&writer, files_path("memory.h5md"), NULL, &o, &error);
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
  for (int k = 0; k < 3 && status == STATUS_OK; k++)
    status = trajectory_write(writer, &frame, &error);
  if (status == STATUS_OK)
    status = trajectory_mark(writer, &mark, &error);
  trajectory_discard(writer);
  frame_free(&frame);
  return status == STATUS_OK ? 0 : strstr(error.text, "out of memory") != NULL ? 1 : 2;
}

/* Emulators may take no notice of it. */
static bool memory_is_limited(void)
{
  const pid_t child = fork();
  int status;
  if (child == 0)
    _exit(setrlimit(RLIMIT_AS, &(struct rlimit){0, 0}) == 0 && malloc(64 << 20) == NULL ? 0 : 1);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* HDF5 follows null pointers where memory fails: the writer says so before. Sanitizers take terabytes of
 * addresses. */
TEST(no_memory, .skip = SUITE_SANITIZED)
{
  int count[2] = {0};
  if (!memory_is_limited()) {
    puts("limits of memory are not kept here: what its lack does is not tested");
    return;
  }
  for (rlim_t more = 0; more < 8 << 20; more += 128 << 10) {
    const pid_t child = fork();
    if (child == 0)
      _exit(write_within(more));
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) < 2, "%ld bytes: %x", (long)more, status);
    count[WEXITSTATUS(status)]++;
  }
  ck_assert_int_gt(count[0], 4);
  ck_assert_int_gt(count[1], 4);
}

enum { THREADS = 8 };

/* Several writers and readers at once; HDF5 itself is for one thread. */
typedef struct Work {
  const Run *run;
  const char *path;
} Work;

static void *work(void *self)
{
  const Run *run = ((const Work *)self)->run;
  const char *path = ((const Work *)self)->path;
  for (int turn = 0; turn < 3; turn++) {
    TrajectoryWriter *writer = begin(run, path);
    write_frames(run, writer, 0, 6 * run->replicas);
    (void)mark_of(writer);
    write_frames(run, writer, 6 * run->replicas, 9 * run->replicas);
    finish(writer);
    ck_assert_int_eq(read_frames(run, path), 9 * run->replicas);
  }
  return NULL;
}

TEST(many_threads)
{
  pthread_t thread[THREADS];
  Work works[THREADS];
  for (int i = 0; i < THREADS; i++) {
    char name[32];
    snprintf(name, sizeof name, "thread%d.h5md", i);
    works[i] = (Work){&runs[i % RUNS], files_path(name)};
    ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &works[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
}

int main(void)
{
  if (trajectory_find("h5md") == NULL) {
    printf("skipped: built without HDF5\n");
    return SUITE_SKIPPED;
  }
  return files_main("h5md");
}
