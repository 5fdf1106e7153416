/* Reading other programs' files: formats, what a structure must be, and what is said about bad input. */
#include <stdint.h>

#include "io/structure.h"
#include "io/trajectory.h"
#include "tests/files.h"

/* One water in each format, oxygen at (1, 2, 3) angstrom, in a box of 20 x 21 x 22 where there is one. */
static const struct {
  const char *name, *text;
  bool has_cell;
  int waters, atoms;
} good[] = {
    {"plain.xyz", "3\nwater\nO 1 2 3\nH 1.9572 2 3 0.5 extra\nH 1 2.9572 3\n", false, 1, 3},
    {"crlf.xyz", "3\r\n\r\nO 1 2 3\r\nH 1.9572 2 3\r\nH 1 2.9572 3\r\n\r\n\r\n", false, 1, 3},
    {"ext.xyz",
     "4\nLattice=\"20 0 0 0 21 0 0 0 22\" Properties=id:I:1:species:S:1:mass:R:1:pos:R:3:z:L:1 pbc=\"T T "
     "T\"\n"
     "1 O 16.0 1 2 3 T\n2 H 1.0 1.9572 2 3 F\n3 H 1.0 1 23.9572 3 F\n4 X 0 1 2 3.1 T\n",
     true, 1, 4},
    {"open.xyz", "3\nLattice=\"20 0 0 0 21 0 0 0 22\" pbc=\"F F F\"\nO 1 2 3\nH 1.9572 2 3\nH 1 2.9572 3",
     false, 1, 3},
    {"no-suffix", "3\n\nO 1 2 3\nH 1.9572 2 3\nH 1 2.9572 3\n", false, 1, 3},
    {"a.gro",
     "water t= 12.5 step= 6250\n    3\n"
     "    1SOL     OW    1   0.100   0.200   0.300\n"
     "    1SOL    HW1    2   0.196   0.200   0.300\n"
     "    1SOL    HW2    3   0.100   0.296   0.300\n"
     "   2.00000   2.10000   2.20000\n",
     true, 1, 3},
    {"fine.gro",
     "t4p\n4\n"
     "    1SOL     OW    1   0.100000   0.200000   0.300000  0.1000000 -0.2000000  0.3000000\n"
     "    1SOL    HW1    2   0.195720   0.200000   0.300000  0.0000000  0.0000000  0.0000000\n"
     "    1SOL    HW2    3   0.100000   0.295720   0.300000  0.0000000  0.0000000  0.0000000\n"
     "    1SOL     MW    4   0.100000   0.210000   0.300000  0.0000000  0.0000000  0.0000000\n"
     "   0.00000   0.00000   0.00000\n",
     false, 1, 4},
    {"a.pdb",
     "TITLE     water t=   12.50000 step= 6250\n"
     "CRYST1   20.000   21.000   22.000  90.00  90.00  90.00 P 1           1\n"
     "MODEL        1\n"
     "ATOM      1  OH2 TIP3W   1       1.000   2.000   3.000  1.00  0.00           O\n"
     "ATOM      2  H1  TIP3W   1       1.957   2.000   3.000  1.00  0.00           H\n"
     "ATOM      3  H2  TIP3W   1       1.000   2.957   3.000  1.00  0.00           H\n"
     "TER\nENDMDL\n",
     true, 1, 3},
    {"bare.pdb",
     "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n"
     "HETATM    1  O   HOH A   1       1.000   2.000   3.000\n"
     "HETATM    2 1H   HOH A   1       1.957   2.000   3.000\n"
     "HETATM    3 2H   HOH A   1       1.000   2.957   3.000",
     false, 1, 3},
};
enum { GOOD = sizeof good / sizeof *good };

TEST(good_structures, .rows = GOOD)
{
  const char *path = files_text(good[_i].name, good[_i].text);
  Frame frame = {0};
  Error error = {0};
  ck_assert_msg(trajectory_read_first(path, &frame, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(frame.natoms, good[_i].atoms);
  ck_assert_int_eq(frame.has_cell, good[_i].has_cell);
  if (frame.has_cell) {
    ck_assert_double_eq_tol(frame.cell[1][1], 21.0, 1e-12);
    ck_assert_double_eq(frame.cell[2][0], 0.0);
  }
  Structure waters;
  int n, *oxygen;
  ck_assert_msg(structure_find(&frame, path, 0, NULL, &waters, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(waters.nmol[0], good[_i].waters);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(waters.x[0][d], 1.0 + d, 1e-12);
  ck_assert_double_eq_tol(waters.x[2][1], 2.9572, 3e-3);
  structure_free(&waters);
  ck_assert_int_eq(structure_oxygens(&frame, 0, &oxygen, &n, &error), STATUS_OK);
  ck_assert_int_eq(n, 1);
  ck_assert_int_eq(oxygen[0], 0);
  free(oxygen);
  frame_free(&frame);
}

TEST(times_velocities_and_names)
{
  Frame frame = {0};
  ck_assert_int_eq(trajectory_read_first(files_text("a.gro", good[5].text), &frame, NULL), STATUS_OK);
  ck_assert_double_eq(frame.time, 12.5);
  ck_assert_int_eq(frame.step, 6250);
  ck_assert_str_eq(frame.residues[2], "SOL");
  ck_assert_str_eq(frame.symbols[2], "HW2");
  ck_assert_int_eq(frame.lines[2], 5);
  ck_assert(!frame.has_velocities);
  ck_assert_int_eq(trajectory_read_first(files_text("fine.gro", good[6].text), &frame, NULL), STATUS_OK);
  ck_assert(frame.has_velocities);
  ck_assert_double_eq_tol(frame.velocities[0][1], -2.0, 1e-12);
  ck_assert_double_eq_tol(frame.positions[1][0], 1.9572, 1e-12);
  ck_assert_int_eq(trajectory_read_first(files_text("a.pdb", good[7].text), &frame, NULL), STATUS_OK);
  ck_assert_double_eq(frame.time, 12.5);
  ck_assert_str_eq(frame.residues[0], "TIP3");
  const char *xyz = "1\nTime=500 Time_unit=fs Step=7\nO 0 0 0\n", *bare = "1\nTime=500 mystep=7\nO 0 0 0\n";
  ck_assert_int_eq(trajectory_read_first(files_text("t.xyz", xyz), &frame, NULL), STATUS_OK);
  ck_assert_double_eq(frame.time, 0.5);
  ck_assert_int_eq(frame.step, 7);
  ck_assert_int_eq(trajectory_read_first(files_text("t.xyz", bare), &frame, NULL), STATUS_OK);
  ck_assert(isnan(frame.time)); /* of an unknown unit */
  ck_assert_int_eq(frame.step, -1);
  ck_assert_int_eq(
      trajectory_read_first(files_text("t.xyz", "1\nAtoms. Timestep: 300\nO 0 0 0\n"), &frame, NULL),
      STATUS_OK);
  ck_assert_int_eq(frame.step, 300);
  frame_free(&frame);
}

/* Every text twice over is a trajectory of two frames. */
TEST(two_frames, .rows = GOOD)
{
  char text[4096];
  const char *first = good[_i].text;
  const char *between = first[strlen(first) - 1] == '\n' ? ""
                        : strstr(good[_i].name, "pdb")   ? "\nEND\n"
                                                         : "\n";
  snprintf(text, sizeof text, "%s%s%s\n", first, between, first);
  Frame frame = {0};
  Error error = {0};
  TrajectoryReader *reader;
  ck_assert_int_eq(trajectory_open(&reader, files_text(good[_i].name, text), &error), STATUS_OK);
  bool end = false;
  for (int k = 0; k < 3; k++) {
    ck_assert_msg(trajectory_read(reader, &frame, &end, &error) == STATUS_OK, "%s", error.text);
    ck_assert_int_eq(end, k == 2);
    if (!end) {
      ck_assert_int_eq(frame.natoms, good[_i].atoms);
      ck_assert_int_eq(frame.has_cell, good[_i].has_cell);
      ck_assert_double_eq_tol(frame.positions[0][2], 3.0, 1e-12);
    }
  }
  ck_assert_str_eq(trajectory_warning(reader), "");
  trajectory_close(reader);
  frame_free(&frame);
}

/* Bad input: the message must say where and what. */
static const struct {
  const char *name, *text, *says[3];
} bad[] = {
    {"nan.xyz", "3\n\nO 0 0 0\nH nan 0 0\nH 0 1 0\n", {"line 4", "nan", NULL}},
    {"inf.xyz", "1\n\nO 0 1e999 0\n", {"line 3", "inf", NULL}},
    {"word.xyz", "1\n\nO 0 0,5 0\n", {"line 3", "0,5", "column 3"}},
    {"short.xyz", "3\n\nO 0 0 0\nH 0 1\nH 1 0 0\n", {"line 4", "3 columns", "4"}},
    {"few.xyz", "30000\n\nO 0 0 0\n", {"30000", "bytes follow", NULL}},
    {"cut.xyz",
     "3\n\nO 0.000000 0.0000000 0.0000000\nH 0.000000000 0.00000 1.0000000\n",
     {"line 4", "ends", NULL}},
    {"huge.xyz", "99999999999999\n\nO 0 0 0\n", {"line 1", "99999999999999", NULL}},
    {"zero.xyz", "0\n\n", {"at least 1", NULL, NULL}},
    {"negative.xyz", "-3\n\nO 0 0 0\n", {"at least 1", NULL, NULL}},
    {"letters.xyz", "hello\n\nO 0 0 0\n", {"hello", "number of atoms", "line 1"}},
    {"more.xyz", "1\n\nO 0 0 0\nH 0 0 1\n", {"line 4", "H 0 0 1", "frame before"}},
    {"differs.xyz", "1\n\nO 0 0 0\n2\n\nH 0 0 1\nH 0 0 2\n", {"line 4", "2 atoms", "first frame has 1"}},
    {"lattice.xyz", "1\nLattice=\"1 2 3\"\nO 0 0 0\n", {"line 2", "nine", NULL}},
    {"ten.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9 1\"\nO 0 0 0\n", {"line 2", "nine", NULL}},
    {"glued.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0.09.0\"\nO 0 0 0\n", {"line 2", "nine", NULL}},
    {"points.xyz", "1\nLattice=\"9 0.0.0.0 0 9 0 0 0 9\"\nO 0 0 0\n", {"line 2", "nine", NULL}},
    {"minus.xyz", "1\nLattice=\"9 0 0-0 9 0 0 0 9\"\nO 0 0 0\n", {"line 2", "nine", NULL}},
    {"plane.xyz", "1\nLattice=\"1 0 0 0 1 0 1 1 0\"\nO 0 0 0\n", {"frame 0", "no volume", NULL}},
    {"slab.xyz", "1\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T F\"\nO 0 0 0\n", {"line 2", "T T F", NULL}},
    {"props.xyz", "1\nProperties=species:S:1:pos:R\nO 0 0 0\n", {"line 2", "triples", NULL}},
    {"nopos.xyz", "1\nProperties=species:S:1:xyz:R:3\nO 0 0 0\n", {"line 2", "pos:R:3", NULL}},
    {"count.gro", "title\nmany\n", {"line 2", "many", NULL}},
    {"row.gro", "t\n1\n    1SOL     OW    1   0.100   0.2\n 0 0 0\n", {"line 3", "decimal points", NULL}},
    {"box.gro", "t\n1\n    1SOL     OW    1   0.100   0.200   0.300\n 1 1\n", {"line 4", "3 or 9", "not 2"}},
    {"more.gro",
     "t\n1\n    1SOL     OW    1   0.100   0.200   0.300\n 1 1 1 0 0 0 0 0 0 1\n",
     {"line 4", "3 or 9", "more"}},
    {"flat.gro",
     "t\n1\n    1SOL     OW    1   0.100   0.200   0.300\n 1 1 0\n",
     {"line 4", "three lengths > 0", NULL}},
    {"nobox.gro", "t\n1\n    1SOL     OW    1   0.100   0.200   0.300\n", {"line 3", "the box", NULL}},
    {"cols.pdb", "ATOM      1  O   HOH A   1     1.000 2.000 3.000\n", {"line 1", "column", NULL}},
    {"slab.pdb", "CRYST1   20.000   20.000    0.000  90.00  90.00  90.00\n", {"no box", "line 1", NULL}},
    {"cell.pdb", "CRYST1   20.000   20.000   20.000  10.00  90.00 170.00\n", {"no box", "line 1", NULL}},
    {"none.pdb", "REMARK nothing\nEND\n", {"no atoms", NULL, NULL}},
    {"unknown.dat", "what is this?\n", {"known", "xyz", NULL}},
    {"empty.xyz", "", {"empty", NULL, NULL}},
};
enum { BAD = sizeof bad / sizeof *bad };

static Status read_all(const char *path, Frame *frame, Error *error)
{
  TrajectoryReader *reader;
  Status status = trajectory_open(&reader, path, error);
  for (bool end = false; status == STATUS_OK && !end;)
    status = trajectory_read(reader, frame, &end, error);
  trajectory_close(reader);
  return status;
}

/* GROMACS reads the velocity of an atom that has none, beside others that have one, as 0. */
TEST(missing_velocities_are_zero)
{
  static const char *const row[3] = {"    1SOL     OW    1   0.100   0.200   0.300",
                                     "  0.1000  0.2000 -0.3000", "\n"};
  for (int first = 0; first < 2; first++) {
    char text[512];
    Frame frame = {0};
    Error error = {0};
    (void)snprintf(text, sizeof text, "t\n2\n%s%s%s%s%s%s 0 0 0\n", row[0], first ? row[1] : "", row[2],
                   row[0], first ? "   " : row[1], row[2]);
    ck_assert_msg(trajectory_read_first(files_text("some.gro", text), &frame, &error) == STATUS_OK, "%s",
                  error.text);
    ck_assert(frame.has_velocities);
    for (int d = 0; d < 3; d++) {
      ck_assert_double_eq(frame.velocities[first][d], 0.0);
      ck_assert_double_eq_tol(frame.velocities[1 - first][d], d < 2 ? 1.0 + d : -3.0, 1e-12);
    }
    frame_free(&frame);
  }
}

TEST(bad_files, .rows = BAD)
{
  Frame frame = {0};
  Error error = {0};
  const char *path = files_text(bad[_i].name, bad[_i].text);
  ck_assert_int_eq(read_all(path, &frame, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
  for (int k = 0; k < 3 && bad[_i].says[k] != NULL; k++)
    ck_assert_msg(strstr(error.text, bad[_i].says[k]) != NULL, "'%s' lacks '%s'", error.text,
                  bad[_i].says[k]);
  frame_free(&frame);
}

TEST(bad_paths)
{
  Error error;
  Frame frame = {0};
  ck_assert_int_eq(read_all(files_path("absent.xyz"), &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "No such file"));
  ck_assert_int_eq(read_all("/tmp", &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "a directory"));
  files_write(files_path("zero.xyz"), "1\n\0junk", 7);
  ck_assert_int_eq(read_all(files_path("zero.xyz"), &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "zero byte"));
  frame_free(&frame);
}

/* Frames that are read but hold no waters in order. */
static const struct {
  const char *rows, *says[3];
  int atoms;
} no_water[] = {
    {"O 0 0 0\nH 0 0 1\nH 0 1 0\nNa 5 5 5\n", {"atom 4 (line 6)", "'Na'", "oxygen of water 2"}, 4},
    {"H 0 0 1\nO 0 0 0\nH 0 1 0\n", {"atom 1 (line 3)", "oxygen of water 1", "order"}, 3},
    {"O 0 0 0\nO 3 0 0\nH 0 1 0\n", {"atom 2 (line 4)", "first hydrogen", "order"}, 3},
    {"O 0 0 0\nH 0 0 1\nC 0 1 0\n", {"atom 3 (line 5)", "'C'", "other residues"}, 3},
    {"O 0 0 0\nH 0 0 1\n", {"water 1", "2 of its 3", NULL}, 2},
    {"O 0 0 0\nH 0 0 1\nH 0 2.5 0\n", {"water 1", "2.5 A", "hydrogen 2"}, 3},
    {"O 0 0 0\nH 0 0 0.1\nH 0 0.1 0\n", {"water 1", "0.1 A", "nm"}, 3},
    {"1 0 0 0\n2 0 0 1\n2 0 1 0\n", {"atom 1 (line 3)", "'H' is found where the oxygen", NULL}, 3},
};

TEST(structures_without_water, .rows = sizeof no_water / sizeof *no_water)
{
  char text[512];
  snprintf(text, sizeof text, "%d\n\n%s", no_water[_i].atoms, no_water[_i].rows);
  const char *path = files_text("structure.xyz", text);
  Frame frame = {0};
  Error error = {0};
  Structure waters;
  ck_assert_int_eq(trajectory_read_first(path, &frame, &error), STATUS_OK);
  ck_assert_int_eq(structure_find(&frame, path, 0, NULL, &waters, &error), STATUS_INPUT);
  ck_assert_ptr_null(waters.atom);
  for (int k = 0; k < 3 && no_water[_i].says[k] != NULL; k++)
    ck_assert_msg(strstr(error.text, no_water[_i].says[k]) != NULL, "'%s' lacks '%s'", error.text,
                  no_water[_i].says[k]);
  frame_free(&frame);
}

TEST(oxygens)
{
  Frame frame = {0};
  Error error;
  int *index, n;
  const char *text = "5\n\nNa 0 0 0\nOW 1 0 0\nOs 2 0 0\nh 3 0 0\noh2 4 0 0\n";
  ck_assert_int_eq(trajectory_read_first(files_text("ox.xyz", text), &frame, NULL), STATUS_OK);
  ck_assert_int_eq(structure_oxygens(&frame, 0, &index, &n, &error), STATUS_OK);
  ck_assert_int_eq(n, 2);
  ck_assert_int_eq(index[0], 1);
  ck_assert_int_eq(index[1], 4);
  free(index);
  ck_assert_int_eq(structure_oxygens(&frame, 3, &index, &n, &error), STATUS_INPUT);
  files_frame(&frame, 12, 0, 0, 0.0);
  frame.has_symbols = false;
  ck_assert_int_eq(structure_oxygens(&frame, 0, &index, &n, &error), STATUS_INPUT);
  ck_assert_int_eq(structure_oxygens(&frame, 4, &index, &n, &error), STATUS_OK);
  ck_assert_int_eq(n, 3);
  ck_assert_int_eq(index[2], 8);
  free(index);
  Structure waters;
  ck_assert_int_eq(structure_find(&frame, "f.dcd", 0, NULL, &waters, &error), STATUS_INPUT);
  frame_free(&frame);
}

/* --- fuzz ------------------------------------------------------------------------------------------------
 */

static uint64_t random_state;

static size_t below(size_t n)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(random_state >> 33) % n;
}

/* A few random changes: a byte, a byte from elsewhere, a piece removed, a piece doubled, the end cut off. */
static size_t mutate(unsigned char *data, size_t size, size_t room)
{
  for (size_t change = below(4) + 1; change > 0 && size > 8; change--) {
    const size_t at = below(size), kind = below(6);
    size_t length = below(40) + 1;
    length = length < size - at ? length : size - at;
    if (kind == 0)
      data[at] = (unsigned char)below(256);
    else if (kind == 1)
      data[at] = (unsigned char)"0-9.,e \n\tnanOH\"=:+\xff"[below(20)];
    else if (kind == 2)
      data[at] = data[below(size)];
    else if (kind == 3) {
      memmove(data + at, data + at + length, size - at - length);
      size -= length;
    } else if (kind == 4 && size + length < room) {
      memmove(data + at + length, data + at, size - at);
      size += length;
    } else if (kind == 5 && below(4) == 0)
      size = at;
  }
  return size;
}

/* Whatever stands in a file: a clean status, messages for errors, no memory beyond the file's size. */
static void read_junk(const char *path, size_t size)
{
  Frame frame = {0};
  Error error = {.text = ""};
  TrajectoryReader *reader;
  Status status = trajectory_open(&reader, path, &error);
  bool end = false;
  while (status == STATUS_OK && !end) {
    status = trajectory_read(reader, &frame, &end, &error);
    if (status != STATUS_OK || end)
      break;
    ck_assert_uint_le((size_t)frame.natoms, size);
    ck_assert_uint_le((size_t)frame.capacity, 4 * size + 256);
    Structure waters;
    int n, *index;
    if (structure_find(&frame, path, 0, NULL, &waters, &error) == STATUS_OK)
      ck_assert_int_gt(waters.nmol[0], 0);
    structure_free(&waters);
    if (structure_oxygens(&frame, 0, &index, &n, &error) == STATUS_OK)
      ck_assert_int_gt(n, 0);
    free(index);
  }
  ck_assert(status == STATUS_OK || status == STATUS_INPUT);
  ck_assert(status == STATUS_OK || error.text[0] != '\0');
  trajectory_close(reader);
  frame_free(&frame);
}

TEST(mutated_files, .rows = GOOD + 2)
{
  enum { ROOM = 1 << 14, TRIALS = 600 };
  static unsigned char original[ROOM], data[ROOM];
  const char *path;
  size_t size;
  random_state = 77 + (uint64_t)_i;
  if (_i < GOOD) {
    path = files_path(good[_i].name);
    size = strlen(good[_i].text);
    memcpy(original, good[_i].text, size);
    original[size++] = '\n';
    memcpy(original + size, original, size);
    size *= 2;
  } else {
    path = files_path("fuzz.dcd");
    Frame frame = {0};
    TrajectoryWriter *writer;
    const TrajectoryOptions o = {.replace = true, .timestep = 0.001, .stride = 1};
    ck_assert_int_eq(trajectory_create(&writer, path, NULL, &o, NULL), STATUS_OK);
    for (int k = 0; k < 3; k++) {
      const double edge[3] = {20, 20, 20}, right[3] = {0};
      files_frame(&frame, 6, k, k, 0.001 * k);
      if (_i == GOOD)
        ck_assert_int_eq(frame_set_cell(&frame, edge, right, NULL), STATUS_OK);
      ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
    }
    ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
    unsigned char *bytes = files_read(path, &size);
    memcpy(original, bytes, size);
    free(bytes);
    frame_free(&frame);
  }
  for (int trial = 0; trial < TRIALS; trial++) {
    memcpy(data, original, size);
    const size_t length = mutate(data, size, ROOM);
    files_write(path, data, length);
    read_junk(path, length);
  }
}

/* The numbers of a GRO file's box stand apart, however large it has come to be. */
TEST(a_large_box_comes_back, .rows = 2)
{
  const char *path = files_path("large.gro");
  const double edge[3] = {12345.6, 223456.7, 345678.9}, cosine[3] = {0.1, -0.2, 0.3};
  Frame frame = {0}, back = {0};
  TrajectoryWriter *writer;
  TrajectoryReader *reader;
  bool end;
  Error error;
  files_frame(&frame, 3, 0, 0, 0.0);
  ck_assert_int_eq(frame_set_cell(&frame, edge, cosine, NULL), STATUS_OK);
  const TrajectoryOptions o = {.replace = true, .timestep = 0.001, .stride = 1, .exact = _i == 1};
  ck_assert_int_eq(trajectory_create(&writer, path, NULL, &o, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_write(writer, &frame, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_finish(writer, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_open(&reader, path, NULL), STATUS_OK);
  ck_assert_msg(trajectory_read(reader, &back, &end, &error) == STATUS_OK, "%s", error.text);
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(back.cell[k / 3][k % 3], frame.cell[k / 3][k % 3], 1e-4);
  trajectory_close(reader);
  frame_free(&frame);
  frame_free(&back);
}
