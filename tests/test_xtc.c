/* XTC files: what is written comes back to half a step of the grid, in few bytes; what is damaged is refused.
 */
#include <sys/stat.h>

#include "io/packed.h"
#include "io/trajectory.h"
#include "tests/files.h"

static const TrajectoryOptions options = {.replace = true, .timestep = 0.002, .stride = 10};

/* Numbers that differ from call to call, from -1 to 1. */
static double number(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)*seed / 0x1p63;
}

typedef enum Shape { SCATTERED, WATERS, CHAIN, CLUSTERS, SAME, FAR, JUMPS } Shape;

typedef struct Scene {
  Shape shape;
  int natoms;
  double edge, precision; /* angstrom */
} Scene;

/* Where an atom is, given the one before it. */
static void place(const Scene *s, int i, const double before[3], uint64_t *seed, double x[3])
{
  const double jump = i % 40 == 0 ? 300.0 : i % 7 == 0 ? 4.0 : 0.3;
  for (int d = 0; d < 3; d++) {
    const double r = number(seed);
    const bool anew = i == 0 || s->shape == SCATTERED || s->shape == FAR ||
                      (s->shape == WATERS && i % 3 == 0) || (s->shape == CLUSTERS && i % 20 == 0);
    x[d] = s->shape == SAME     ? 1.25
           : anew               ? s->edge * r
           : s->shape == WATERS ? before[d] + r * (i % 3 == 1 ? 0.9572 : 1.5)
           : s->shape == CHAIN  ? before[d] + 1.5 * r
           : s->shape == JUMPS  ? before[d] + jump * r
                                : before[d] + 0.2 * r;
  }
}

static void make(const Scene *s, int k, Frame *frame)
{
  uint64_t seed = 17 + 1000 * (uint64_t)s->shape + (uint64_t)k;
  ck_assert_int_eq(frame_resize(frame, s->natoms, NULL), STATUS_OK);
  for (int i = 0; i < s->natoms; i++)
    place(s, i, frame->positions[i > 0 ? i - 1 : 0], &seed, frame->positions[i]);
  frame->step = 10 * k;
  frame->time = 0.002 * (double)frame->step;
}

static void write_scene(const char *path, const Scene *s, int frames)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryWriter *writer;
  TrajectoryOptions o = options;
  o.precision = s->precision;
  ck_assert_msg(trajectory_create(&writer, path, NULL, &o, &error) == STATUS_OK, "%s", error.text);
  for (int k = 0; k < frames; k++) {
    make(s, k, &frame);
    ck_assert_msg(trajectory_write(writer, &frame, &error) == STATUS_OK, "%s", error.text);
  }
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  frame_free(&frame);
}

static void read_scene(const char *path, const Scene *s, int frames)
{
  Error error = {0};
  Frame frame = {0}, made = {0};
  TrajectoryReader *reader;
  ck_assert_msg(trajectory_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
  const double step = s->precision > 0.0 ? s->precision : 0.01;
  for (int k = 0;; k++) {
    bool end;
    ck_assert_msg(trajectory_read(reader, &frame, &end, &error) == STATUS_OK, "%s", error.text);
    if (end) {
      ck_assert_int_eq(k, frames);
      break;
    }
    make(s, k, &made);
    ck_assert_int_eq(frame.natoms, s->natoms);
    ck_assert_int_eq(frame.step, made.step);
    for (int i = 0; i < 3 * s->natoms; i++) {
      const double x = made.positions[i / 3][i % 3];
      /* The grid's step is a number of single precision; so are fewer than ten atoms. */
      ck_assert_double_le(fabs(frame.positions[i / 3][i % 3] - x), 0.5 * step + 6e-8 * fabs(x));
    }
  }
  ck_assert_str_eq(trajectory_warning(reader), "");
  trajectory_close(reader);
  frame_free(&frame);
  frame_free(&made);
}

static const Scene scenes[] = {
    {SCATTERED, 1, 20.0, 0.0},     {SCATTERED, 9, 20.0, 0.0},     {SCATTERED, 10, 20.0, 0.0},
    {SCATTERED, 11, 1e-3, 0.0},    {SCATTERED, 1000, 50.0, 0.0},  {SCATTERED, 1000, 50.0, 1e-5},
    {WATERS, 3 * 500, 20.0, 0.0},  {WATERS, 3 * 500, 20.0, 1e-4}, {WATERS, 3 * 500, 20.0, 2.0},
    {WATERS, 100000, 50.0, 0.003}, {CHAIN, 5000, 20.0, 0.0},      {CLUSTERS, 3000, 200.0, 0.01},
    {SAME, 400, 1.0, 0.0},         {FAR, 600, 1e7, 0.0},          {FAR, 600, 8.4e4, 0.01},
    {JUMPS, 4000, 10.0, 0.0},      {JUMPS, 4000, 10.0, 1e-5},     {CLUSTERS, 3000, 2e5, 0.001}};
enum { SCENES = (int)(sizeof scenes / sizeof *scenes) };

TEST(round_trips, .rows = SCENES)
{
  const char *path = files_path("a.xtc");
  const int frames = scenes[_i].natoms > 10000 ? 1 : 3;
  write_scene(path, &scenes[_i], frames);
  read_scene(path, &scenes[_i], frames);
}

/* Waters O H H take less than a third of single precision's 12 bytes, and all points in one place hardly any.
 */
TEST(small_files)
{
  static const Scene waters = {WATERS, 6000, 20.0, 0.0}, same = {SAME, 6000, 1.0, 0.0};
  struct stat info;
  const char *path = files_path("small.xtc");
  write_scene(path, &waters, 1);
  ck_assert_int_eq(stat(path, &info), 0);
  ck_assert_double_lt((double)info.st_size / waters.natoms, 4.0);
  write_scene(path, &same, 1);
  ck_assert_int_eq(stat(path, &info), 0);
  ck_assert_double_lt((double)info.st_size / same.natoms, 1.2);
}

/* Whatever numbers there are, they come back as they are. */
TEST(numbers_come_back)
{
  enum { MOST = 300 };
  int32_t x[MOST][3], y[MOST][3];
  uint64_t seed = 5;
  Bytes bytes = {0};
  for (int trial = 0; trial < 3000; trial++) {
    const int n = PACKED_LEAST + (int)fabs(number(&seed) * (MOST - PACKED_LEAST));
    for (int i = 0; i < n; i++)
      for (int d = 0; d < 3; d++) {
        const double size = exp2(fabs(30.0 * number(&seed)));
        const bool near = i > 0 && number(&seed) > -0.9;
        x[i][d] = near ? x[i - 1][d] / 2 + (int32_t)(number(&seed) * fmin(size, 0x1p29))
                       : (int32_t)(number(&seed) * fmin(size, PACKED_MOST - 1));
      }
    bytes_clear(&bytes);
    ck_assert(packed_put(&bytes, n, (const int32_t(*)[3])x));
    ck_assert_uint_eq(bytes.size, (size_t)(PACKED_HEAD + (packed_length(bytes.data) + 3) / 4 * 4));
    ck_assert(packed_get(bytes.data, n, y));
    ck_assert_mem_eq(x, y, (size_t)n * sizeof *x);
  }
  bytes_free(&bytes);
}

static int32_t big(const unsigned char *bytes) { return packed_get_int32(bytes); }

static float big_float(const unsigned char *bytes)
{
  const int32_t bits = big(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The head is as specified; the box's nine numbers are in nm. */
TEST(bytes_of_a_head, .rows = 2)
{
  const double edge[3] = {31.0, 32.0, 33.0}, cosine[3] = {0.0, 0.1, -0.2};
  const int natoms = _i == 0 ? 9 : 10;
  Frame frame = {0};
  make(&(Scene){SCATTERED, natoms, 10.0, 0.0}, 7, &frame);
  frame.step = INT64_C(3) << 31; /* beyond 32 bits */
  ck_assert_int_eq(frame_set_cell(&frame, edge, cosine, NULL), STATUS_OK);
  const char *path = files_path("head.xtc");
  ck_assert_int_eq(trajectory_write_one(path, NULL, &options, &frame, NULL), STATUS_OK);
  size_t size;
  unsigned char *data = files_read(path, &size);
  ck_assert_int_eq(big(data), 1995);
  ck_assert_int_eq(big(data + 4), natoms);
  ck_assert_int_eq(big(data + 8), INT32_MIN);
  ck_assert_float_eq(big_float(data + 12), 0.14f);
  for (int i = 0; i < 9; i++)
    ck_assert_float_eq(big_float(data + 16 + 4 * i), (float)(frame.cell[i / 3][i % 3] / 10.0));
  ck_assert_int_eq(big(data + 52), natoms);
  if (_i == 0)
    ck_assert_uint_eq(size, 56 + 12 * 9);
  for (int i = 0; i < 27 && _i == 0; i++)
    ck_assert_float_eq(big_float(data + 56 + 4 * i), (float)(frame.positions[i / 3][i % 3] / 10.0));
  if (_i == 1) {
    ck_assert_float_eq(big_float(data + 56), 1000.0f);
    ck_assert_uint_eq(size, 56 + 4 + 32 + ((size_t)big(data + 88) + 3) / 4 * 4);
  }
  free(data);
  frame_free(&frame);
}

/* Steps are counted on beyond 32 bits, also where frames go back. */
TEST(steps_beyond_32_bits)
{
  static const int64_t steps[] = {4294967200, 4294967290, 4294967300, 6442450943, 8589934580, 8589934500};
  enum { N = 6 };
  const char *path = files_path("steps.xtc");
  Frame frame = {0};
  TrajectoryWriter *writer;
  TrajectoryReader *reader;
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  for (int k = 0; k < N; k++) {
    make(&(Scene){SCATTERED, 12, 10.0, 0.0}, k, &frame);
    frame.step = steps[k];
    frame.time = 0.002 * (double)steps[k];
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&reader, path, NULL), STATUS_OK);
  for (int k = 0; k < N; k++) {
    bool end;
    ck_assert_int_eq(trajectory_read(reader, &frame, &end, NULL), STATUS_OK);
    ck_assert_int_eq(frame.step, steps[k]);
    ck_assert_double_eq_tol(frame.time, 0.002 * (double)steps[k], 1e-12 * frame.time);
  }
  trajectory_close(reader);
  frame_free(&frame);
}

/* What the grid does not reach: which atom, of which molecule, at which step; the file stays as it was. */
TEST(out_of_reach)
{
  const char *path = files_path("reach.xtc");
  static const double outside[] = {1.1e7, -1.1e7, 1e300, NAN, INFINITY};
  Error error;
  Frame frame = {0};
  TrajectoryWriter *writer;
  const Scene scene = {SCATTERED, 30, 10.0, 0.0};
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  make(&scene, 0, &frame);
  ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  for (int i = 0; i < 5; i++) {
    make(&scene, 1, &frame);
    frame.positions[13][1] = outside[i];
    frame.molecules[13] = 5;
    frame.replica = 3;
    ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_ptr_nonnull(strstr(error.text, "step 10, replica 3: y of atom 14, molecule 5, is "));
    ck_assert((strstr(error.text, "1.07374e+07 A") != NULL) == (i < 3));
  }
  make(&scene, 1, &frame);
  ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  const double turned[3][3] = {{0.0, 20.0, 0.0}, {20.0, 0.0, 0.0}, {0.0, 0.0, 20.0}};
  memcpy(frame.cell, turned, sizeof turned);
  frame.has_cell = true;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  read_scene(path, &scene, 2);
  frame_free(&frame);
}

/* A run that was killed within a frame: the file is cut where the mark was, and goes on to the bytes of one
 * that was not. */
TEST(cut_and_gone_on_with)
{
  static const Scene scene = {WATERS, 300, 20.0, 0.0};
  const char *whole = files_path("whole.xtc"), *path = files_path("killed.xtc");
  Frame frame = {0};
  TrajectoryWriter *writer;
  TrajectoryMark mark;
  write_scene(whole, &scene, 5);
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  for (int k = 0; k < 4; k++) {
    make(&scene, k, &frame);
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    if (k == 2)
      ck_assert_int_eq(trajectory_mark(writer, &mark, NULL), STATUS_OK);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  struct stat info;
  ck_assert_int_eq(stat(path, &info), 0);
  ck_assert_int_eq(truncate(path, info.st_size - 41), 0);
  ck_assert_int_eq(trajectory_resume(&writer, path, NULL, &options, &mark, NULL), STATUS_OK);
  for (int k = 3; k < 5; k++) {
    make(&scene, k, &frame);
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  size_t size, expected;
  unsigned char *data = files_read(path, &size), *other = files_read(whole, &expected);
  ck_assert_uint_eq(size, expected);
  ck_assert_mem_eq(data, other, size);
  free(data);
  free(other);
  frame_free(&frame);
}

/* Beyond 2^31 bytes: behind a frame of so many that are not there (the file has a hole), and is passed over.
 */
TEST(large_files)
{
  static const Scene scene = {WATERS, 30, 20.0, 0.0};
  const char *path = files_path("large.xtc");
  TrajectoryMark mark = {.natoms = scene.natoms, .frames = 1};
  Frame frame = {0}, made = {0};
  TrajectoryWriter *writer;
  TrajectoryReader *reader;
  write_scene(path, &scene, 1);
  size_t size;
  unsigned char *data = files_read(path, &size);
  memcpy(data + 88, "\x7f\xff\xff\xfc", 4);
  files_write(path, data, size);
  free(data);
  mark.size = 56 + 4 + 32 + INT64_C(0x7ffffffc);
  ck_assert_int_eq(truncate(path, mark.size), 0);
  ck_assert_int_eq(trajectory_resume(&writer, path, NULL, &options, &mark, NULL), STATUS_OK);
  for (int k = 1; k < 3; k++) {
    make(&scene, k, &made);
    ck_assert_int_eq(trajectory_write(writer, &made, NULL), STATUS_OK);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&reader, path, NULL), STATUS_OK);
  bool end;
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(trajectory_next(reader, &frame, &end, NULL), STATUS_OK);
    ck_assert(!end && frame.step == 10 * k);
  }
  ck_assert_int_eq(trajectory_fill(reader, &frame, NULL), STATUS_OK);
  for (int i = 0; i < 3 * scene.natoms; i++)
    ck_assert_double_le(fabs(frame.positions[i / 3][i % 3] - made.positions[i / 3][i % 3]), 5.001e-3);
  ck_assert_int_eq(trajectory_next(reader, &frame, &end, NULL), STATUS_OK);
  ck_assert(end);
  trajectory_close(reader);
  frame_free(&frame);
  frame_free(&made);
  ck_assert_int_eq(unlink(path), 0);
}

static int formats(void)
{
  int n = 0;
  while (trajectory_formats[n] != NULL)
    n++;
  return n;
}

/* Of every format: frames that are passed over change nothing of the others. */
TEST(passing_over_is_reading, .rows = formats())
{
  enum { FRAMES = 12 };
  const TrajectoryFormat *format = trajectory_formats[_i];
  char name[32];
  snprintf(name, sizeof name, "pass.%s", format->name);
  const char *path = files_path(name);
  if (!trajectory_written(format))
    return;
  Frame frame = {0}, other = {0};
  TrajectoryWriter *writer;
  TrajectoryReader *all, *some;
  const double edge[3] = {31.0, 32.0, 33.0};
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  for (int k = 0; k < FRAMES; k++) {
    files_frame(&frame, 21, k, 10 * k, 0.02 * k);
    ck_assert_int_eq(frame_set_cell(&frame, edge, frame_right, NULL), STATUS_OK);
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&all, path, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&some, path, NULL), STATUS_OK);
  for (int k = 0; k <= FRAMES; k++) {
    bool end, ended;
    ck_assert_int_eq(trajectory_read(all, &frame, &end, NULL), STATUS_OK);
    ck_assert_int_eq(trajectory_next(some, &other, &ended, NULL), STATUS_OK);
    ck_assert(end == ended && end == (k == FRAMES));
    if (end)
      break;
    ck_assert_int_eq(frame.natoms, other.natoms);
    ck_assert(frame.step == other.step && (frame.time == other.time || isnan(frame.time)));
    if (k % 3 != 1)
      continue;
    ck_assert_int_eq(trajectory_fill(some, &other, NULL), STATUS_OK);
    ck_assert_mem_eq(frame.positions, other.positions, 21 * sizeof *frame.positions);
    ck_assert_mem_eq(frame.cell, other.cell, sizeof frame.cell);
    ck_assert(frame.has_symbols == other.has_symbols && frame.has_cell == other.has_cell);
  }
  trajectory_close(all);
  trajectory_close(some);
  frame_free(&frame);
  frame_free(&other);
}

/* To the end, or refused in words; nothing but finite numbers. */
static Status read_damaged(const char *path)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  bool end = false;
  Status status = trajectory_open(&reader, path, &error);
  while (status == STATUS_OK && !end) {
    status = trajectory_read(reader, &frame, &end, &error);
    for (int i = 0; status == STATUS_OK && !end && i < 3 * frame.natoms; i++)
      ck_assert(isfinite(frame.positions[i / 3][i % 3]));
  }
  if (status != STATUS_OK) {
    ck_assert_int_eq(status, STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, path));
  }
  trajectory_close(reader);
  frame_free(&frame);
  return status;
}

/* Each byte in turn. In the head of the second frame nearly all is found out; of what is packed, much. */
TEST(damaged_files)
{
  static const Scene scene = {WATERS, 60, 20.0, 0.0};
  const char *path = files_path("damaged.xtc");
  write_scene(path, &scene, 3);
  size_t size;
  unsigned char *data = files_read(path, &size);
  int refused = 0;
  for (size_t i = 0; i < size; i++) {
    const unsigned char was = data[i];
    data[i] = (unsigned char)(was ^ (i % 2 == 0 ? 0xff : 0x10));
    files_write(path, data, size);
    refused += read_damaged(path) != STATUS_OK;
    data[i] = was;
  }
  ck_assert_int_gt(refused, (int)size / 4);
  free(data);
}

/* A number of the head in the place of another; what the message then says. */
TEST(refused_heads, .rows = 16)
{
  static const struct {
    size_t at;
    uint32_t number;
    const char *words;
  } cases[] = {{0, 2023, "298,261,617"},
               {0, 1993, "1995"},
               {4, 0, "the number of atoms is 0"},
               {4, 61, "at one place"},
               {12, 0x7fc00000u, "time"},
               {20, 0x7f800000u, "box"},
               {52, 3, "at the other"},
               {56, 0, "precision"},
               {56, 0xbf800000u, "precision"},
               {60, 0x7fffffffu, "precision"},
               {84, 8, "precision"},
               {84, 73, "precision"},
               {88, 0, "precision"},
               {88, 10, "too few"},
               {88, 90, "damaged"},
               {88, 0x7fffffffu, "ends within"}};
  static const Scene scene = {WATERS, 60, 20.0, 0.0};
  const char *path = files_path("refused.xtc");
  write_scene(path, &scene, 1);
  size_t size;
  unsigned char *data = files_read(path, &size);
  for (int b = 0; b < 4; b++)
    data[cases[_i].at + (size_t)b] = (unsigned char)(cases[_i].number >> (24 - 8 * b));
  files_write(path, data, size);
  Frame frame = {0};
  Error error;
  ck_assert_int_eq(trajectory_read_first(path, &frame, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, cases[_i].words) != NULL, "%s", error.text);
  frame_free(&frame);
  free(data);
}

/* Another number of atoms in a later frame. */
TEST(frames_of_two_sizes)
{
  const char *path = files_path("first.xtc"), *both = files_path("both.xtc");
  size_t size, more;
  write_scene(path, &(Scene){WATERS, 60, 20.0, 0.0}, 1);
  unsigned char *data = files_read(path, &size);
  write_scene(path, &(Scene){WATERS, 63, 20.0, 0.0}, 1);
  unsigned char *other = files_read(path, &more), *all = malloc(size + more);
  memcpy(all, data, size);
  memcpy(all + size, other, more);
  files_write(both, all, size + more);
  ck_assert_int_eq(read_damaged(both), STATUS_INPUT);
  free(data);
  free(other);
  free(all);
}
