/* GRO (GROMACS): nm. A title (with "t= ps" and "step= n"), the number of atoms, rows, and the box `xx yy
 * zz [xy xz yx yz zx zy]` in GROMACS's order v1x v2y v3z v1y v1z v2x v2z v3x v3y; a box of zeros means no
 * box. A row has fixed columns `%5d%-5s%5s%5d`, three coordinates of equal width, and perhaps three
 * velocities of the same width with one decimal more. The distance of the decimal points is the width
 * (usually %8.3f; more decimals are allowed). Several frames may follow each other. Written: atoms and
 * residues numbered modulo 100000, 3 decimals (velocities 4, box 5) as in GROMACS, or 9 (10, 9) for exact
 * numbers. GROMACS and MDAnalysis read any number of decimals, some viewers only 3. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/atom_name.h"
#include "io/trajectory_format.h"

enum { NAMES = 20, ROW_LEAST = 20 + 3 * 6 };

static const double nm = 10.0; /* angstrom */

/* The element of the box's vectors for each of its numbers. */
static const int box_place[9][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};

/* --- writing ------------------------------------------------------------------------------------------- */

/* A number too long for its columns would corrupt its neighbour: coordinates fit from -999.999 to 9999.999
 * nm, velocities from -99.9999 to 999.9999 nm/ps. */
static Status put_vector(TrajectoryWriter *writer, const Frame *frame, int atom, const double x[3],
                         int decimals, const char *misfit, Bytes *out, Error *error)
{
  const int width = writer->options.exact ? 14 : 8;
  for (int d = 0; d < 3; d++) {
    const double value = x[d] / nm;
    char text[16];
    if (!(fabs(value) < 1e4) || snprintf(text, sizeof text, "%*.*f", width, decimals, value) > width)
      return trajectory_misfit(writer, frame, atom, d, value, misfit, error);
    bytes_put(out, text, (size_t)width);
  }
  return STATUS_OK;
}

static void put_box(const TrajectoryWriter *writer, const Frame *frame, Bytes *out)
{
  bool oblique = false;
  for (int i = 3; i < 9; i++)
    oblique |= frame->has_cell && frame->cell[box_place[i][0]][box_place[i][1]] != 0.0;
  for (int i = 0; i < (oblique ? 9 : 3); i++)
    bytes_printf(out, writer->options.exact ? " %14.9f" : " %9.5f",
                 frame->has_cell ? frame->cell[box_place[i][0]][box_place[i][1]] / nm : 0.0);
  bytes_printf(out, "\n");
}

static Status gro_encode(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  TRY(trajectory_need_symbols(writer, frame, "GRO", error));
  trajectory_put_title(writer, frame, FRAME_TITLE, out);
  bytes_printf(out, "\n%5d\n", frame->natoms);
  AtomResidue place = {0};
  for (int i = 0; i < frame->natoms; i++) {
    atom_name_next(&place, frame, i, &atom_name_gro);
    bytes_printf(out, "%5d%-5.5s%5.5s%5d", place.residue % 100000, place.residue_name, place.name,
                 (i + 1) % 100000);
    TRY(put_vector(writer, frame, i, frame->positions[i], writer->options.exact ? 9 : 3,
                   " nm, which does not fit GRO's columns (-999.999 to 9999.999)", out, error));
    if (frame->has_velocities)
      TRY(put_vector(writer, frame, i, frame->velocities[i], writer->options.exact ? 10 : 4,
                     " nm/ps of the velocity, which does not fit GRO's columns (-99.9999 to 999.9999)", out,
                     error));
    bytes_printf(out, "\n");
  }
  put_box(writer, frame, out);
  return STATUS_OK;
}

/* --- reading ------------------------------------------------------------------------------------------- */

/* The width of a number: the distance of its decimal points; 0 if there are fewer than three. */
static int number_width(const Lines *lines)
{
  if (lines->length <= NAMES)
    return 0;
  const char *first = strchr(lines->text + NAMES, '.');
  const char *second = first != NULL ? strchr(first + 1, '.') : NULL;
  const char *third = second != NULL ? strchr(second + 1, '.') : NULL;
  return third != NULL && third - second == second - first && second - first < 64 ? (int)(second - first) : 0;
}

static Status read_vector(const TrajectoryReader *reader, int column, int width, double x[3], Error *error)
{
  const Lines *lines = &reader->lines;
  for (int d = 0; d < 3; d++) {
    const int begin = column + d * width;
    if (begin + width > lines->length)
      return lines_fail(lines, error, "the line ends before column %d, where a number should end",
                        begin + width);
    TRY(lines_number(lines, begin, width, &x[d], error));
    x[d] *= nm;
  }
  return trajectory_check_row(reader, x, error);
}

static bool has_more(const Lines *lines, int column)
{
  if (column >= lines->length)
    return false;
  const char *const rest = lines->text + column;
  return rest[strspn(rest, " \t\r")] != '\0';
}

/* An atom without velocity in a file with velocities has velocity 0, as in GROMACS. */
static Status read_row(const TrajectoryReader *reader, Frame *frame, int atom, int *width, Error *error)
{
  const Lines *lines = &reader->lines;
  if (atom == 0) {
    *width = number_width(lines);
    frame->has_velocities = false;
  }
  if (*width == 0)
    return lines_fail(
        lines, error,
        "three coordinates with decimal points at equal distances are expected from column 21 on");
  frame->lines[atom] = lines->number;
  TRY(read_vector(reader, NAMES, *width, frame->positions[atom], error));
  memset(frame->velocities[atom], 0, sizeof frame->velocities[atom]);
  if (has_more(lines, NAMES + 3 * *width)) {
    TRY(read_vector(reader, NAMES + 3 * *width, *width, frame->velocities[atom], error));
    frame->has_velocities = true;
  }
  frame_name(frame->residues[atom], lines->text + 5, 5);
  frame_name(frame->symbols[atom], lines->text + 10, 5);
  return STATUS_OK;
}

/* Digits after the decimal point of a word. */
static int decimals(const char *word, int width)
{
  const char *point = memchr(word, '.', (size_t)width);
  return point != NULL ? (int)(word + width - point) - 1 : 0;
}

static Status read_box(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  const Lines *lines = &reader->lines;
  memset(frame->cell, 0, sizeof frame->cell);
  int count = 0, cursor = 0, begin, width, first = 0, last = 0;
  while (lines_word(lines, &cursor, &begin, &width)) {
    if (count == 9)
      return lines_fail(lines, error, "the box needs 3 or 9 numbers, and has more");
    double *x = &frame->cell[box_place[count][0]][box_place[count][1]];
    if (!lines_field(lines, begin, width, x) || !isfinite(*x))
      return lines_fail(lines, error, "'%.*s': the box needs 3 or 9 numbers", width < 30 ? width : 30,
                        lines->text + begin);
    *x *= nm;
    last = decimals(lines->text + begin, width);
    first = count == 0 ? last : first;
    count++;
  }
  if (!lines->complete && last < first)
    return lines_fail(lines, error, "the line ends within the last number of the box");
  if (count != 3 && count != 9)
    return lines_fail(lines, error, "the box needs 3 or 9 numbers, not %d", count);
  const double(*c)[3] = frame->cell;
  const double product = c[0][0] * c[1][1] * c[2][2];
  frame->has_cell = product != 0.0;
  if (product < 0.0 || (product == 0.0 && (c[0][0] != 0.0 || c[1][1] != 0.0 || c[2][2] != 0.0)))
    return lines_fail(lines, error,
                      "the box %g x %g x %g A needs three lengths > 0, or zeros only for no box", c[0][0],
                      c[1][1], c[2][2]);
  return STATUS_OK;
}

/* The title and the line after it; blank lines at the end of the file are not titles. */
static Status read_title(TrajectoryReader *reader, char title[FRAME_TITLE], bool *end, Error *error)
{
  Lines *lines = &reader->lines;
  bool more, blank;
  TRY(lines_next(lines, &more, error));
  do {
    *end = !more;
    if (*end)
      return STATUS_OK;
    blank = lines_blank(lines);
    snprintf(title, FRAME_TITLE, "%.*s", FRAME_TITLE - 1, lines->text);
    TRY(blank ? lines_next(lines, &more, error) : lines_expect(lines, "the number of atoms", error));
  } while (blank && (!more || lines_blank(lines)));
  return STATUS_OK;
}

static Status gro_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  Lines *lines = &reader->lines;
  char title[FRAME_TITLE];
  TRY(read_title(reader, title, end, error));
  if (*end)
    return STATUS_OK;
  int64_t count;
  if (!lines_integer(lines, &count))
    return lines_fail(lines, error, "'%.40s' is not the number of atoms of frame %lld", lines->text,
                      (long long)reader->frame);
  TRY(trajectory_expect_atoms(reader, frame, count, ROW_LEAST, error));
  memcpy(frame->title, title, sizeof title);
  trajectory_title_time(frame);
  int width = 0;
  for (int i = 0; i < frame->natoms; i++) {
    TRY(lines_expect(lines, "a further atom", error));
    TRY(read_row(reader, frame, i, &width, error));
  }
  TRY(lines_expect(lines, "the box (zeros for none)", error));
  TRY(read_box(reader, frame, error));
  frame->has_symbols = true;
  return trajectory_check_end(reader, error);
}

/* The second line is a single number. */
static bool gro_matches(const char *head, size_t size)
{
  const char *second = memchr(head, '\n', size);
  return second != NULL && strcspn(second + 1, "\n") > strspn(second + 1, " \t\r\v\f") &&
         lines_count_at(second + 1);
}

const TrajectoryFormat gro_format = {
    .name = "gro",
    .suffixes = ".gro",
    .doc = "GRO of GROMACS: text, residue and atom names, nm, with box and velocities",
    .traits = TRAJECTORY_VELOCITIES | TRAJECTORY_NAMES,
    .matches = gro_matches,
    .next = gro_next,
    .encode = gro_encode,
};
