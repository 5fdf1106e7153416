/* Trajectory files: what is written comes back, and the bytes are those of the formats. */
#include <signal.h>
#include <sys/resource.h>

#include "io/trajectory.h"
#include "tests/files.h"

static const TrajectoryOptions options = {.replace = true, .timestep = 0.002, .stride = 50};

static void write_run(const char *path, const TrajectoryOptions *o, int natoms, int frames, int64_t first,
                      bool has_cell, bool more)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryWriter *writer;
  ck_assert_msg(trajectory_create(&writer, path, NULL, o, &error) == STATUS_OK, "%s", error.text);
  for (int k = 0; k < frames; k++) {
    const int64_t step = first + k * o->stride;
    files_frame(&frame, natoms, k, step, (double)step * o->timestep);
    frame.has_forces = frame.has_velocities = more;
    if (has_cell) {
      const double edge[3] = {31.0, 32.0, 33.0}, cosine[3] = {0.0, 0.1, -0.2};
      ck_assert_int_eq(frame_set_cell(&frame, edge, cosine, &error), STATUS_OK);
    }
    ck_assert_msg(trajectory_write(writer, &frame, &error) == STATUS_OK, "%s", error.text);
  }
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  frame_free(&frame);
}

/* Reads all frames and compares them with write_run's; returns how many there are. */
static int read_run(const char *path, const TrajectoryOptions *o, int natoms, int64_t first, double tolerance,
                    char warning[512])
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  ck_assert_msg(trajectory_open(&reader, path, &error) == STATUS_OK, "%s", error.text);
  int k = 0;
  for (bool end = false;; k++) {
    ck_assert_msg(trajectory_read(reader, &frame, &end, &error) == STATUS_OK, "%s", error.text);
    if (end)
      break;
    ck_assert_int_eq(frame.natoms, natoms);
    ck_assert_int_eq(frame.step, first + k * o->stride);
    ck_assert_double_eq_tol(frame.time, (double)frame.step * o->timestep, 1e-12 * fabs(frame.time) + 1e-15);
    for (int i = 0; i < natoms; i++)
      for (int d = 0; d < 3; d++)
        ck_assert_double_le(fabs(frame.positions[i][d] - files_coordinate(k, i, d)), tolerance);
  }
  strcpy(warning, trajectory_warning(reader));
  trajectory_close(reader);
  frame_free(&frame);
  return k;
}

TEST(round_trips, .rows = 10)
{
  const struct {
    const char *name;
    bool exact, cell, more;
    double tolerance;
    bool forces;
  } cases[] = {{"a.xyz", false, false, false, 5.1e-9},     {"b.xyz", true, true, true, 0.0, true},
               {"c.xyz", false, true, true, 5.1e-9, true}, {"d.dcd", false, false, false, 4e-6},
               {"e.dcd", false, true, false, 4e-6},        {"f.gro", true, true, true, 5.1e-9},
               {"g.gro", true, false, false, 5.1e-9},      {"h.pdb", false, false, false, 5.1e-4},
               {"i.xtc", false, false, false, 5.001e-3},   {"j.xtc", false, true, false, 5.001e-3}};
  TrajectoryOptions o = options;
  o.exact = cases[_i].exact;
  o.title = "seven \"waters\"";
  const char *path = files_path(cases[_i].name);
  char warning[512];
  write_run(path, &o, 21, 9, 100, cases[_i].cell, cases[_i].more);
  ck_assert_int_eq(read_run(path, &o, 21, 100, cases[_i].tolerance, warning), 9);
  ck_assert_str_eq(warning, "");

  Frame frame = {0};
  ck_assert_int_eq(trajectory_read_first(path, &frame, NULL), STATUS_OK);
  ck_assert_int_eq(frame.has_cell, cases[_i].cell);
  ck_assert_int_eq(frame.has_forces, cases[_i].forces);
  ck_assert_int_eq(frame.has_velocities, cases[_i].more);
  if (cases[_i].cell) {
    double edge[3], cosine[3];
    frame_get_cell(&frame, edge, cosine);
    const double rounding = strstr(path, ".xtc") ? 1e-7 : cases[_i].forces || !cases[_i].more ? 1e-15 : 1e-8;
    ck_assert_double_eq_tol(edge[2], 33.0, 100.0 * rounding);
    ck_assert_double_eq_tol(cosine[0], 0.0, rounding);
    ck_assert_double_eq_tol(cosine[1], 0.1, rounding);
    ck_assert_double_eq_tol(cosine[2], -0.2, rounding);
  }
  for (int d = 0; d < 3 && cases[_i].more; d++) {
    ck_assert_double_eq_tol(frame.velocities[20][d], files_coordinate(1, 20, d) / 7.0, 5.1e-9);
    if (cases[_i].forces)
      ck_assert_double_eq_tol(frame.forces[20][d], -files_coordinate(2, 20, d) * 1e-3, 5.1e-9);
  }
  if (frame.has_symbols)
    ck_assert_str_eq(frame.symbols[20], strstr(path, ".gro") ? "HW2" : strstr(path, ".pdb") ? "H2" : "H");
  frame_free(&frame);
}

static int64_t little(const unsigned char *bytes, int size)
{
  uint64_t value = 0;
  for (int i = 0; i < size; i++)
    value |= (uint64_t)bytes[i] << (8 * i);
  return size == 4 ? (int64_t)(int32_t)value : (int64_t)value;
}

static float little_float(const unsigned char *bytes)
{
  const uint32_t bits = (uint32_t)little(bytes, 4);
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/* Every record of the file has equal markers; their lengths are as specified. */
TEST(dcd_bytes, .rows = 2)
{
  const bool cell = _i == 1;
  const char *path = files_path("bytes.dcd");
  write_run(path, &options, 21, 3, 100, cell, false);
  size_t size, at = 0;
  unsigned char *data = files_read(path, &size);
  int64_t expected[20] = {84, 4 + 3 * 80, 4}, records = 3;
  for (int k = 0; k < 3; k++) {
    if (cell)
      expected[records++] = 48;
    for (int d = 0; d < 3; d++)
      expected[records++] = 84;
  }
  for (int r = 0; r < records; r++) {
    ck_assert_uint_lt(at, size);
    const int64_t length = little(data + at, 4);
    ck_assert_int_eq(length, expected[r]);
    ck_assert_int_eq(little(data + at + 4 + length, 4), length);
    at += 8 + (size_t)length;
  }
  ck_assert_uint_eq(at, size);

  const unsigned char *word = data + 8;
  ck_assert(memcmp(data + 4, "CORD", 4) == 0);
  const int64_t words[20] = {[0] = 3, [1] = 100, [2] = 50, [3] = 200, [10] = cell, [19] = 24};
  for (int i = 0; i < 20; i++)
    if (i != 9)
      ck_assert_msg(little(word + 4 * i, 4) == words[i], "word %d", i);
  ck_assert_float_eq_tol(little_float(word + 36), 0.002f / 0.04888821f, 1e-8f);
  ck_assert_int_eq(little(data + 92 + 4, 4), 3);
  ck_assert(memcmp(data + 100, "holonom " HOLONOM_VERSION, 8 + strlen(HOLONOM_VERSION)) == 0);
  ck_assert_int_eq(little(data + 92 + 8 + 244 + 4, 4), 21);
  const unsigned char *x = data + 92 + 252 + 12 + (cell ? 56 : 0);
  ck_assert_float_eq(little_float(x + 4 + 8), (float)files_coordinate(0, 2, 0));
  ck_assert_float_eq(little_float(x + 92 + 4 + 8), (float)files_coordinate(0, 2, 1));
  free(data);
}

/* The header is right after every frame: a copy taken then is a whole file. */
TEST(killed_runs_leave_a_right_count)
{
  Frame frame = {0};
  TrajectoryWriter *writer;
  const char *path = files_path("killed.dcd");
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  for (int k = 0; k < 5; k++) {
    files_frame(&frame, 6, k, 50 * k, 0.1 * k);
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    size_t size;
    unsigned char *data = files_read(path, &size);
    ck_assert_int_eq(little(data + 8, 4), k + 1);
    ck_assert_int_eq(little(data + 20, 4), 50 * k);
    free(data);
  }
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  frame_free(&frame);
}

/* Cut anywhere behind the first frame, a file gives its whole frames and a warning. */
TEST(truncated_files, .rows = 3)
{
  static const char *const names[] = {"cut.xyz", "cut.dcd", "cut.xtc"};
  const char *path = files_path(names[_i]);
  char warning[512];
  write_run(path, &options, 6, 8, 0, false, false);
  size_t size;
  unsigned char *data = files_read(path, &size);
  unsigned char *one;
  size_t least;
  write_run(files_path(names[_i]), &options, 6, 1, 0, false, false);
  one = files_read(path, &least);
  const size_t frame_size = _i == 1 ? 3 * (24 + 8) : 56 + 3 * 24;
  uint64_t random = 12345;
  for (int trial = 0; trial < 300; trial++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t cut = least + (size_t)(random >> 33) % (size - least + 1);
    files_write(path, data, cut);
    const int frames = read_run(path, &options, 6, 0, 4e-6, warning);
    if (_i > 0) {
      ck_assert_uint_eq((size_t)frames, 1 + (cut - least) / frame_size);
      ck_assert((warning[0] == '\0') == ((size - cut) % frame_size == 0 && (cut == size || _i == 2)));
    } else {
      ck_assert_int_ge(frames, 1);
      /* frames end where a complete line completes one: count the line ends */
      size_t lines = 0;
      for (size_t i = 0; i < cut; i++)
        lines += data[i] == '\n';
      ck_assert_uint_eq((size_t)frames, lines / 8);
      ck_assert((warning[0] == '\0') == (lines % 8 == 0 && data[cut - 1] == '\n'));
    }
  }
  files_write(path, data, least - 1); /* not one whole frame: an error, but for the last line end of a text */
  Frame frame = {0};
  Error error;
  ck_assert_int_eq(trajectory_read_first(path, &frame, &error), _i > 0 ? STATUS_INPUT : STATUS_OK);
  files_write(path, data, least / 2);
  ck_assert_int_eq(trajectory_read_first(path, &frame, &error), STATUS_INPUT);
  frame_free(&frame);
  free(data);
  free(one);
}

/* Steps past 2^31: the 32-bit header is folded, our reader has the full numbers, others the right time. */
TEST(large_steps, .rows = 4)
{
  static const int64_t first[] = {INT64_C(2147483647) - 150, INT64_C(2147483647) - 50, INT64_C(10000000000),
                                  INT64_C(1) << 50};
  const char *path = files_path("large.dcd");
  char warning[512];
  const int frames = 8;
  write_run(path, &options, 3, frames, first[_i], false, false);
  ck_assert_int_eq(read_run(path, &options, 3, first[_i], 4e-6, warning), frames);
  size_t size;
  unsigned char *data = files_read(path, &size);
  ck_assert_int_eq(little(data + 8, 4), frames);
  ck_assert_int_eq(little(data + 16, 4), 1);
  const int64_t start = first[_i] / 50 + frames <= INT32_MAX ? first[_i] / 50 : 0;
  ck_assert_int_eq(little(data + 12, 4), start);
  ck_assert_int_eq(little(data + 20, 4), start + frames - 1);
  ck_assert_float_eq_tol(little_float(data + 44), 50.0f * 0.002f / 0.04888821f, 1e-6f);
  free(data);
}

/* --- DCD files of other programs, written by hand ---------------------------------------------------------
 */

typedef struct Flavour {
  bool big, xplor, fourth;
  int marker;
  const double *cell; /* 6 numbers as in the file, or NULL */
} Flavour;

typedef struct Raw {
  unsigned char data[4096];
  size_t size;
} Raw;

static void raw_put(Raw *raw, const Flavour *f, uint64_t bits, int size)
{
  for (int i = 0; i < size; i++)
    raw->data[raw->size++] = (unsigned char)(bits >> 8 * (f->big ? size - 1 - i : i));
}

static void raw_float(Raw *raw, const Flavour *f, float x)
{
  uint32_t bits;
  memcpy(&bits, &x, 4);
  raw_put(raw, f, bits, 4);
}

static void raw_double(Raw *raw, const Flavour *f, double x)
{
  uint64_t bits;
  memcpy(&bits, &x, 8);
  raw_put(raw, f, bits, 8);
}

static Raw foreign(const Flavour *f, int nset, int natoms, int frames)
{
  Raw raw = {.size = 0};
  raw_put(&raw, f, 84, f->marker);
  memcpy(raw.data + raw.size, "CORD", 4);
  raw.size += 4;
  for (int i = 0; i < 20; i++) {
    if (i == 9 && f->xplor)
      raw_double(&raw, f, 0.002 / 0.04888821);
    else if (i == 9)
      raw_float(&raw, f, (float)(0.002 / 0.04888821));
    else if (i != 10 || !f->xplor)
      raw_put(&raw, f,
              i == 0    ? (uint32_t)nset
              : i == 1  ? 200
              : i == 2  ? 100
              : i == 10 ? f->cell != NULL
              : i == 11 ? f->fourth
              : i == 19 ? !f->xplor * 24
                        : 0,
              4);
  }
  raw_put(&raw, f, 84, f->marker);
  raw_put(&raw, f, 84, f->marker);
  raw_put(&raw, f, 1, 4);
  memset(raw.data + raw.size, 'x', 80);
  raw.size += 80;
  raw_put(&raw, f, 84, f->marker);
  raw_put(&raw, f, 4, f->marker);
  raw_put(&raw, f, (uint32_t)natoms, 4);
  raw_put(&raw, f, 4, f->marker);
  for (int k = 0; k < frames; k++) {
    if (f->cell != NULL) {
      raw_put(&raw, f, 48, f->marker);
      for (int i = 0; i < 6; i++)
        raw_double(&raw, f, f->cell[i]);
      raw_put(&raw, f, 48, f->marker);
    }
    for (int d = 0; d < 3 + f->fourth; d++) {
      raw_put(&raw, f, (uint32_t)(4 * natoms), f->marker);
      for (int i = 0; i < natoms; i++)
        raw_float(&raw, f, (float)files_coordinate(k, i, d));
      raw_put(&raw, f, (uint32_t)(4 * natoms), f->marker);
    }
  }
  return raw;
}

TEST(foreign_dcd, .rows = 9)
{
  const Flavour f = {.big = _i & 1, .xplor = _i >> 1 & 1, .marker = _i & 4 ? 8 : 4, .fourth = _i == 8};
  const TrajectoryOptions spacing = {.timestep = 0.002, .stride = 100};
  const char *path = files_path("foreign.dcd");
  char warning[512];
  const int nset[3] = {3, 0, 1000};
  for (int j = 0; j < 3; j++) {
    const Raw raw = foreign(&f, nset[j], 5, 3);
    files_write(path, raw.data, raw.size);
    Error error;
    Frame frame = {0};
    TrajectoryReader *reader;
    ck_assert_int_eq(trajectory_open(&reader, path, &error), STATUS_OK);
    bool end;
    for (int k = 0; k < 3; k++) {
      ck_assert_int_eq(trajectory_read(reader, &frame, &end, &error), STATUS_OK);
      ck_assert_int_eq(frame.step, 200 + k * spacing.stride);
      ck_assert_double_eq_tol(frame.time, (double)frame.step * spacing.timestep, 1e-6 * frame.time);
      ck_assert(!frame.has_cell && !frame.has_symbols);
      ck_assert_double_eq_tol(frame.positions[4][2], files_coordinate(k, 4, 2), 2e-6);
    }
    ck_assert_int_eq(trajectory_read(reader, &frame, &end, &error), STATUS_OK);
    ck_assert(end);
    strcpy(warning, trajectory_warning(reader));
    ck_assert_int_eq(strstr(warning, "1000") != NULL, j == 2);
    trajectory_close(reader);
    frame_free(&frame);
  }
}

TEST(foreign_cells, .rows = 7)
{
  /* A gamma B beta alpha C */
  static const struct {
    double cell[6];
    double rows[3][3];
    bool has;
  } cases[] = {
      {{20, 0, 21, 0, 0, 22}, {{20, 0, 0}, {0, 21, 0}, {0, 0, 22}}, true},
      {{20, 90, 21, 90, 90, 22}, {{20, 0, 0}, {0, 21, 0}, {0, 0, 22}}, true},
      {{20, 60, 20, 90, 90, 22}, {{20, 0, 0}, {10, 17.320508075688775, 0}, {0, 0, 22}}, true},
      {{20, 0.5, 20, 0, 0, 22}, {{20, 0, 0}, {10, 17.320508075688775, 0}, {0, 0, 22}}, true},
      {{20, 3, 21, -2, 1.5, 22}, {{20, 3, -2}, {3, 21, 1.5}, {-2, 1.5, 22}}, true},
      {{0, 0, 0, 0, 0, 0}, {{0}}, false},
      {{0, 90, 0, 90, 90, 0}, {{0}}, false},
  };
  const Flavour f = {.marker = 4, .big = _i & 1, .cell = cases[_i].cell};
  const Raw raw = foreign(&f, 2, 5, 2);
  files_write(files_path("cell.dcd"), raw.data, raw.size);
  Frame frame = {0};
  ck_assert_int_eq(trajectory_read_first(files_path("cell.dcd"), &frame, NULL), STATUS_OK);
  ck_assert_int_eq(frame.has_cell, cases[_i].has);
  for (int i = 0; i < 9 && frame.has_cell; i++)
    ck_assert_double_eq_tol(frame.cell[i / 3][i % 3], cases[_i].rows[i / 3][i % 3], 1e-12);
  frame_free(&frame);
}

/* --- what the writer must refuse -------------------------------------------------------------------------
 */

TEST(nothing_is_overwritten_unasked)
{
  const char *path = files_path("kept.xyz");
  files_write(path, "mine", 4);
  TrajectoryOptions o = options;
  o.replace = false;
  TrajectoryWriter *writer;
  Error error;
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &o, &error), STATUS_IO);
  ck_assert_ptr_null(writer);
  ck_assert_ptr_nonnull(strstr(error.text, path));
  size_t size;
  unsigned char *data = files_read(path, &size);
  ck_assert_uint_eq(size, 4);
  free(data);
  ck_assert_int_eq(trajectory_create(&writer, files_path("a.doc"), NULL, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "xyz, dcd, xtc, gro, pdb"));
  ck_assert_int_eq(trajectory_create(&writer, files_path("no/such/a.xyz"), NULL, &o, &error), STATUS_IO);
  ck_assert_int_eq(trajectory_create(&writer, files_path("by-name"), "dcd", &o, &error), STATUS_OK);
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
}

/* A disk that fills up within a frame: an error with the path, and the frames before stay readable. */
TEST(full_disk, .rows = 3)
{
  static const char *const names[] = {"full.xyz", "full.dcd", "full.xtc"};
  const char *path = files_path(names[_i]);
  Frame frame = {0};
  Error error;
  TrajectoryWriter *writer;
  struct rlimit before, limit;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = before;
  limit.rlim_cur = _i == 0 ? 4000 : _i == 1 ? 2000 : 1500;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, &error), STATUS_OK);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  Status status = STATUS_OK;
  int written = 0;
  for (int k = 0; k < 20 && status == STATUS_OK; k++) {
    files_frame(&frame, 21, k, 50 * k, 0.1 * k);
    status = trajectory_write(writer, &frame, &error);
    written += status == STATUS_OK;
  }
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
  ck_assert_int_eq(status, STATUS_IO);
  ck_assert_ptr_nonnull(strstr(error.text, path));
  char warning[512];
  const double tolerance = _i == 2 ? 5.001e-3 : 4e-6;
  ck_assert_int_eq(read_run(path, &options, 21, 0, tolerance, warning), written);
  ck_assert_str_eq(warning, "");
  /* room again: the same frame goes where it belongs */
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_OK);
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  ck_assert_int_eq(read_run(path, &options, 21, 0, tolerance, warning), written + 1);
  /* What is no file is not taken for one. */
  ck_assert_int_eq(trajectory_create(&writer, "/dev/full", "xyz", &options, &error), STATUS_IO);
  frame_free(&frame);
}

/* GRO has columns: numbers wrap, coordinates must fit. */
TEST(columns)
{
  enum { WATERS = 33400, ATOMS = 3 * WATERS };
  const char *path = files_path("wide.gro");
  Frame frame = {0};
  Error error;
  TrajectoryWriter *writer;
  files_frame(&frame, ATOMS, 0, 0, 0.0);
  for (int i = 0; i < ATOMS; i++)
    for (int d = 0; d < 3; d++)
      frame.positions[i][d] = 5e-3 * i - 400.0;
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &options, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  frame.positions[7][2] = -10000.1;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "z of atom 8 is -1000.01 nm"));
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  char line[256];
  for (int i = 0; i < 2 + 100000; i++)
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_mem_eq(line, "33334SOL     OW    0  10.000  10.000  10.000\n", 45);
  fclose(file);
  Frame again = {0};
  ck_assert_int_eq(trajectory_read_first(path, &again, NULL), STATUS_OK);
  ck_assert_int_eq(again.natoms, ATOMS);
  ck_assert_double_eq_tol(again.positions[ATOMS - 1][0], 5e-3 * (ATOMS - 1) - 400.0, 5.1e-3);
  frame_free(&again);
  frame_free(&frame);
}

/* What fits comes back, up to the last number that has room; a lenient writer leaves out what does not, and
 * goes on. */
TEST(far_coordinates, .rows = 3)
{
  static const struct {
    const char *name;
    bool exact;
    double least, most, step;
  } cases[] = {{"far.gro", false, -9999.99, 99999.99, 0.01},
               {"far.gro", true, -9999.99999999, 99999.99999999, 1e-8},
               {"far.pdb", false, -999.999, 9999.999, 1e-3}};
  TrajectoryOptions o = options;
  Frame frame = {0}, again = {0};
  TrajectoryReader *reader;
  bool end;
  o.exact = cases[_i].exact;
  o.lenient = true;
  for (int side = 0; side < 2; side++) {
    const double fits = side == 0 ? cases[_i].least : cases[_i].most;
    TrajectoryWriter *writer;
    ck_assert_int_eq(trajectory_create(&writer, files_path(cases[_i].name), NULL, &o, NULL), STATUS_OK);
    files_frame(&frame, 3, 0, 0, 0.0);
    frame.positions[1][2] = fits;
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    ck_assert_str_eq(trajectory_left_out(writer), "");
    frame.positions[1][2] = fits + (side == 0 ? -1.0 : 1.0) * cases[_i].step;
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    ck_assert_ptr_nonnull(strstr(trajectory_left_out(writer), "z of atom 2 is"));
    frame.positions[1][2] = 1.0;
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    frame.positions[1][2] = NAN;
    ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_RUN);
    ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
    ck_assert_int_eq(trajectory_open(&reader, files_path(cases[_i].name), NULL), STATUS_OK);
    for (int k = 0; k < 3; k++) {
      ck_assert_int_eq(trajectory_read(reader, &again, &end, NULL), STATUS_OK);
      ck_assert_int_eq(end, k == 2);
      ck_assert(end || fabs(again.positions[1][2] - (k == 0 ? fits : 1.0)) < 0.51 * cases[_i].step);
    }
    trajectory_close(reader);
  }
  frame_free(&again);
  frame_free(&frame);
}

TEST(frames_that_do_not_fit)
{
  Frame frame = {0};
  Error error;
  TrajectoryWriter *writer;
  TrajectoryOptions o = options;
  ck_assert_int_eq(trajectory_create(&writer, files_path("fit.dcd"), NULL, &o, &error), STATUS_OK);
  files_frame(&frame, 6, 0, 0, 0.0);
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_OK);
  frame.step = 51; /* 50 is due */
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  frame.step = 50;
  frame.positions[5][1] = NAN;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "atom 6"));
  frame.positions[5][1] = 1e300;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  files_frame(&frame, 9, 1, 50, 0.1);
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  files_frame(&frame, 6, 1, 50, 0.1);
  frame.has_cell = true;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  frame.has_cell = false;
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_OK);
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  char warning[512];
  ck_assert_int_eq(read_run(files_path("fit.dcd"), &o, 6, 0, 4e-6, warning), 2);
  o.stride = 0;
  ck_assert_int_eq(trajectory_create(&writer, files_path("fit.dcd"), NULL, &o, &error), STATUS_OK);
  ck_assert_int_eq(trajectory_write(writer, &frame, &error), STATUS_RUN);
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  frame_free(&frame);
}
