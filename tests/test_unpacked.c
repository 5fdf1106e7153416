/* Structures and trajectories packed by gzip or bzip2 are read as what they hold; atomic numbers in the place
 * of symbols; units in other spellings. */
#include <bzlib.h>
#include <zlib.h>

#include "engine/units.h"
#include "tests/files.h"

enum { MOST = 1 << 20, FRAMES = 3, ATOMS = 9 };

static const char *const names[] = {"t.xyz", "t.gro", "t.pdb", "t.dcd", "t.xtc"};
enum { NAMES = sizeof names / sizeof *names };

static void write_plain(const char *path)
{
  const TrajectoryOptions options = {.replace = true, .timestep = 0.002, .stride = 50};
  Frame frame = {0};
  Error error = {0};
  TrajectoryWriter *writer;
  ck_assert_msg(trajectory_create(&writer, path, NULL, &options, &error) == STATUS_OK, "%s", error.text);
  for (int k = 0; k < FRAMES; k++) {
    files_frame(&frame, ATOMS, k, 50 * k, 0.1 * k);
    ck_assert_msg(trajectory_write(writer, &frame, &error) == STATUS_OK, "%s", error.text);
  }
  ck_assert_int_eq(trajectory_finish(writer, &error), STATUS_OK);
  frame_free(&frame);
}

/* Packs a piece behind what is there. */
static size_t pack(bool gzip, const unsigned char *data, size_t size, unsigned char *to, size_t at)
{
  if (gzip) {
    z_stream s = {.next_in = (unsigned char *)data,
                  .avail_in = (unsigned)size,
                  .next_out = to + at,
                  .avail_out = (unsigned)(MOST - at)};
    ck_assert_int_eq(deflateInit2(&s, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&s, Z_FINISH), Z_STREAM_END);
    ck_assert_int_eq(deflateEnd(&s), Z_OK);
    return at + s.total_out;
  }
  unsigned n = (unsigned)(MOST - at);
  ck_assert_int_eq(BZ2_bzBuffToBuffCompress((char *)to + at, &n, (char *)data, (unsigned)size, 9, 0, 0),
                   BZ_OK);
  return at + n;
}

/* The same frames from both files. */
static void same_frames(const char *one, const char *other)
{
  TrajectoryReader *a, *b;
  Frame x = {0}, y = {0};
  Error error = {0};
  bool end = false, last;
  ck_assert_msg(trajectory_open(&a, one, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(trajectory_open(&b, other, &error) == STATUS_OK, "%s", error.text);
  for (int k = 0; !end; k++) {
    ck_assert_msg(trajectory_read(a, &x, &end, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(trajectory_read(b, &y, &last, &error) == STATUS_OK, "%s", error.text);
    ck_assert_int_eq(end, last);
    ck_assert_int_eq(end, k == FRAMES);
    ck_assert_int_eq(x.natoms, ATOMS);
    ck_assert_mem_eq(x.positions, y.positions, sizeof *x.positions * ATOMS);
  }
  trajectory_close(a);
  trajectory_close(b);
  frame_free(&x);
  frame_free(&y);
}

/* Of one stream, and of two (as pigz and bzip2 of several files make them); with a suffix of its own or only
 * with that of what is packed. */
TEST(packed_trajectories, .rows = NAMES)
{
  static unsigned char packed[MOST];
  const char *const plain = files_path(names[_i]);
  write_plain(plain);
  size_t size;
  unsigned char *const data = files_read(plain, &size);
  for (int k = 0; k < 8; k++) {
    char name[64];
    const bool gzip = (k & 1) != 0;
    const size_t cut = (k & 2) != 0 ? size / 3 : size;
    snprintf(name, sizeof name, "packed%d.%s%s", k, names[_i], (k & 4) == 0 ? "" : gzip ? ".gz" : ".BZ2");
    size_t n = pack(gzip, data, cut, packed, 0);
    if (cut < size)
      n = pack(gzip, data + cut, size - cut, packed, n);
    const char *const path = files_path(name);
    files_write(path, packed, n);
    same_frames(plain, path);
  }
  free(data);
}

#ifdef HOLONOM_HDF5
/* HDF5 opens files by name, which the unpacked one does not have: a clear refusal. */
TEST(packed_h5md_is_refused)
{
  static unsigned char packed[MOST];
  TrajectoryReader *reader;
  Error error = {0};
  const char *const plain = files_path("t.h5md");
  write_plain(plain);
  size_t size;
  unsigned char *const data = files_read(plain, &size);
  files_write(files_path("t.h5md.gz"), packed, pack(true, data, size, packed, 0));
  ck_assert_int_eq(trajectory_open(&reader, files_path("t.h5md.gz"), &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "unpack the file first") != NULL, "%s", error.text);
  free(data);
}
#endif

/* Files that end early or are damaged are refused, whatever would come out of them. */
TEST(damaged_packs, .rows = 2)
{
  static unsigned char packed[MOST];
  const bool gzip = _i != 0;
  const char *const plain = files_path("t.xyz");
  write_plain(plain);
  size_t size;
  unsigned char *const data = files_read(plain, &size);
  const size_t n = pack(gzip, data, size, packed, 0);
  for (int k = 0; k < 3; k++) {
    Frame frame = {0};
    Error error = {0};
    const char *const path = files_path("damaged.xyz.gz");
    packed[n / 2] ^= k == 2 ? 0xff : 0;
    files_write(path, packed, k == 0 ? n / 2 : k == 1 ? n - 3 : n);
    ck_assert_int_eq(trajectory_read_first(path, &frame, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "damaged.xyz.gz: cannot be unpacked") != NULL, "%s", error.text);
    ck_assert(k == 2 || strstr(error.text, "ends early") != NULL);
    frame_free(&frame);
  }
  free(data);
}

/* Numbers are elements in plain XYZ and in columns of that name, and types in what LAMMPS writes. */
TEST(atomic_numbers, .rows = 5)
{
  static const struct {
    const char *text, *symbol[3];
  } cases[] = {
      {"3\n\n8 0 0 0\n1 0 0 1\n17 0 0 2\n", {"O", "H", "Cl"}},
      {"3\nProperties=pos:R:3:Z:I:1\n0 0 0 8\n0 0 1 1\n0 0 2 118\n", {"O", "H", "Og"}},
      {"3\nProperties=species:S:1:pos:R:3:numbers:I:1\nOW 0 0 0 8\nHW 0 0 1 1\nHW 0 0 2 1\n",
       {"OW", "HW", "HW"}},
      {"3\nAtoms. Timestep: 7\n2 0 0 0\n1 0 0 1\n119 0 0 2\n", {"2", "1", "119"}},
      {"3\n\n0 0 0 0\n119 0 0 1\nH1 0 0 2\n", {"0", "119", "H1"}},
  };
  Frame frame = {0};
  Error error = {0};
  ck_assert_msg(trajectory_read_first(files_text("n.xyz", cases[_i].text), &frame, &error) == STATUS_OK, "%s",
                error.text);
  for (int i = 0; i < 3; i++)
    ck_assert_str_eq(frame.symbols[i], cases[_i].symbol[i]);
  frame_free(&frame);
}

TEST(spellings_of_units)
{
  static const struct {
    Quantity quantity;
    const char *spelled, *plain; /* NULL: no unit */
  } cases[] = {{QUANTITY_LENGTH, "\xc3\x85", "A"},
               {QUANTITY_LENGTH, "\xe2\x84\xab", "A"},
               {QUANTITY_FREQUENCY, "ps^-1", "1/ps"},
               {QUANTITY_FREQUENCY, "fs^-1", "1/fs"},
               {QUANTITY_COMPRESSIBILITY, "bar^-1", "1/bar"},
               {QUANTITY_TEMPERATURE, "kelvin", "K"},
               {QUANTITY_ENERGY, "Kelvin", "K"},
               {QUANTITY_STIFFNESS, "kcal/mol/\xc3\x85^2", "kcal/mol/A^2"},
               {QUANTITY_FREQUENCY, "1/ps^-1", NULL},
               {QUANTITY_FREQUENCY, "ps^-2", NULL},
               {QUANTITY_FREQUENCY, "^-1", NULL},
               {QUANTITY_LENGTH, "\xc3", NULL},
               {QUANTITY_LENGTH, "\xc3\x85ngstrom of so many letters that no unit has", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double factor = 0.0, plain = 0.0;
    ck_assert_int_eq(units_factor(cases[i].quantity, cases[i].spelled, &factor), cases[i].plain != NULL);
    if (cases[i].plain == NULL)
      continue;
    ck_assert(units_factor(cases[i].quantity, cases[i].plain, &plain));
    ck_assert_double_eq(factor, plain);
  }
}
