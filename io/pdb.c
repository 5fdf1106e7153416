/* PDB: fixed columns, angstrom. ATOM and HETATM: name 13-16, alternate location 17, residue 18-20 (21 for
 * four letters), x y z 31-54. CRYST1: edges 7-33, angles 34-54, valid until the next CRYST1; a cube of 1 A
 * ("no crystal") means no box. A frame ends with ENDMDL, END, the next MODEL or the end of the file. Only
 * the first alternate location is read. Written: a MODEL for every frame, all atoms HETATM, serial numbers
 * modulo 100000, residues modulo 10000. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/atom_name.h"
#include "io/trajectory_format.h"

/* State that lasts beyond a frame. */
typedef struct Pdb {
  int length; /* of the line of the previous atom */
  bool has_cell;
  double cell[3][3];
} Pdb;

static Status pdb_open(TrajectoryReader *reader, Error *error)
{
  reader->own = calloc(1, sizeof(Pdb));
  return reader->own != NULL ? STATUS_OK : error_memory(error, "a PDB reader");
}

static bool is_record(const Lines *lines, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(lines->text, name, length) == 0 &&
         (length >= 6 || lines->text[length] == ' ' || lines->text[length] == '\0');
}

/* Whether the file ends within the name of an atom's record. */
static bool is_cut(const Lines *lines)
{
  const size_t length = (size_t)lines->length;
  return !lines->complete && length > 0 &&
         (strncmp("HETATM", lines->text, length) == 0 || strncmp("ATOM", lines->text, length) == 0);
}

static Status read_number(const Lines *lines, int first, int last, double *value, Error *error)
{
  if (lines->length < last)
    return lines_fail(lines, error, "the line ends at column %d, where a number is expected in %d to %d",
                      lines->length, first, last);
  return lines_number(lines, first - 1, last - first + 1, value, error);
}

static Status read_crystal(TrajectoryReader *reader, Error *error)
{
  static const int column[6][2] = {{7, 15}, {16, 24}, {25, 33}, {34, 40}, {41, 47}, {48, 54}};
  Pdb *pdb = reader->own;
  double u[6];
  for (int i = 0; i < 6; i++)
    TRY(read_number(&reader->lines, column[i][0], column[i][1], &u[i], error));
  const bool unit = u[0] == 1.0 && u[1] == 1.0 && u[2] == 1.0;
  const double cosine[3] = {frame_cosine(u[3]), frame_cosine(u[4]), frame_cosine(u[5])};
  Frame box = {0};
  if (!unit && frame_set_cell(&box, u, cosine, error) != STATUS_OK)
    return error_prefix(error, "%s, line %d", reader->path, reader->lines.number);
  pdb->has_cell = box.has_cell;
  memcpy(pdb->cell, box.cell, sizeof box.cell);
  return STATUS_OK;
}

/* Memory for one more atom: doubles, so that it follows the lines really read. */
static Status grow(Frame *frame, int natoms, Error *error)
{
  if (natoms < frame->capacity) {
    frame->natoms = natoms + 1;
    return STATUS_OK;
  }
  if (natoms > INT32_MAX / 2 - 1)
    return error_set(error, STATUS_INPUT, "too many atoms");
  Frame larger = {0};
  TRY(frame_resize(&larger, natoms < 64 ? 128 : 2 * natoms, error));
  for (int i = 0; i < natoms; i++) {
    memcpy(larger.symbols[i], frame->symbols[i], FRAME_NAME);
    memcpy(larger.residues[i], frame->residues[i], FRAME_NAME);
    memcpy(larger.positions[i], frame->positions[i], sizeof larger.positions[i]);
    larger.lines[i] = frame->lines[i];
  }
  larger.natoms = natoms + 1;
  larger.step = frame->step;
  larger.time = frame->time;
  memcpy(larger.title, frame->title, sizeof larger.title);
  frame_free(frame);
  *frame = larger;
  return STATUS_OK;
}

static Status read_atom(TrajectoryReader *reader, Frame *frame, int *natoms, Error *error)
{
  const Lines *lines = &reader->lines;
  Pdb *pdb = reader->own;
  double x[3];
  if (!lines->complete && lines->length < pdb->length)
    return lines_fail(lines, error,
                      "the file ends within this line (no line end, and shorter than the one before)");
  pdb->length = lines->length;
  for (int d = 0; d < 3; d++)
    TRY(read_number(lines, 31 + 8 * d, 38 + 8 * d, &x[d], error));
  TRY(trajectory_check_row(reader, x, error));
  const char location = lines->text[16];
  if (location != ' ' && location != 'A' && location != '1') {
    snprintf(reader->warning, sizeof reader->warning,
             "alternate locations other than the first are left out (first at line %d)", lines->number);
    return STATUS_OK;
  }
  TRY(grow(frame, *natoms, error));
  const int i = (*natoms)++;
  memcpy(frame->positions[i], x, sizeof x);
  frame_name(frame->symbols[i], lines->text + 12, 4);
  frame_name(frame->residues[i], lines->text + 17, 4);
  frame->lines[i] = lines->number;
  return STATUS_OK;
}

/* Reads the records of one frame; *natoms is 0 at the end of the file. */
static Status read_records(TrajectoryReader *reader, Frame *frame, int *natoms, Error *error)
{
  Lines *lines = &reader->lines;
  for (*natoms = 0;;) {
    bool more;
    TRY(lines_next(lines, &more, error));
    if (!more)
      return STATUS_OK;
    if (is_record(lines, "ATOM") || is_record(lines, "HETATM"))
      TRY(read_atom(reader, frame, natoms, error));
    else if (is_cut(lines))
      return lines_fail(lines, error, "the file ends within this line");
    else if (is_record(lines, "CRYST1"))
      TRY(read_crystal(reader, error));
    else if (is_record(lines, "TITLE") && frame->title[0] == '\0' && lines->length > 10) {
      snprintf(frame->title, sizeof frame->title, "%.*s", FRAME_TITLE - 1, lines->text + 10);
      trajectory_title_time(frame);
    } else if (*natoms > 0 && is_record(lines, "MODEL")) {
      lines->held = true;
      return STATUS_OK;
    } else if (*natoms > 0 && (is_record(lines, "ENDMDL") || is_record(lines, "END")))
      return STATUS_OK;
  }
}

static Status pdb_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  const Pdb *pdb = reader->own;
  const int room = reader->natoms > 0 ? reader->natoms : 1;
  int natoms;
  TRY(frame_resize(frame, room, error));
  TRY(read_records(reader, frame, &natoms, error));
  *end = natoms == 0;
  if (*end)
    return STATUS_OK;
  if (reader->frame > 0 && natoms != reader->natoms)
    return lines_fail(&reader->lines, error, "frame %lld has %d atoms, the first frame has %d",
                      (long long)reader->frame, natoms, reader->natoms);
  frame->natoms = natoms;
  frame->has_symbols = true;
  frame->has_cell = pdb->has_cell;
  memcpy(frame->cell, pdb->cell, sizeof frame->cell);
  return STATUS_OK;
}

/* --- writing ------------------------------------------------------------------------------------------- */

static void put_cell(const Frame *frame, Bytes *out)
{
  double edge[3], cosine[3];
  frame_get_cell(frame, edge, cosine);
  bytes_printf(out, "CRYST1%9.3f%9.3f%9.3f", edge[0], edge[1], edge[2]);
  for (int d = 0; d < 3; d++)
    bytes_printf(out, "%7.2f", acos(cosine[d]) * (180.0 / M_PI));
  bytes_printf(out, " P 1           1\n");
}

/* Names of one-letter elements begin in column 14, others in 13. */
static Status put_atom(TrajectoryWriter *writer, const Frame *frame, int i, const AtomResidue *place,
                       Bytes *out, Error *error)
{
  const bool element_only = atom_name_role(frame->symbols[i]) == ATOM_OTHER;
  const char *const name = place->name, *const symbol = frame->has_names ? frame->symbols[i] : name;
  char element[3] = {symbol[0], element_only || frame->has_names ? symbol[1] : '\0', '\0'};
  const double *x = frame->positions[i];
  for (int d = 0; d < 3; d++)
    if (!(x[d] < 9999.9995 && x[d] > -999.9995))
      return trajectory_misfit(writer, frame, i, d, x[d],
                               " A, which does not fit PDB's columns (-999.999 to 9999.999)", error);
  const char *const left = element[1] != '\0' || strlen(name) > 3 ? "" : " ";
  const char *const chain = frame->has_names ? frame->chains[i] : "";
  bytes_printf(out, "HETATM%5d %s%-*.4s %3.3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00      %-4.4s%2s\n",
               (i + 1) % 100000, left, *left == ' ' ? 3 : 4, name, place->residue_name,
               chain[0] != '\0' && chain[1] == '\0' ? chain[0] : ' ', place->residue % 10000, x[0], x[1],
               x[2], chain, element);
  return STATUS_OK;
}

static Status pdb_encode(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  TRY(trajectory_need_symbols(writer, frame, "PDB", error));
  bytes_printf(out, "TITLE     ");
  trajectory_put_title(writer, frame, 40, out);
  bytes_printf(out, "\n");
  if (frame->has_cell)
    put_cell(frame, out);
  bytes_printf(out, "MODEL     %4lld\n", (long long)(writer->frames % 9999 + 1));
  AtomResidue place = {0};
  for (int i = 0; i < frame->natoms; i++) {
    atom_name_next(&place, frame, i, &atom_name_pdb);
    TRY(put_atom(writer, frame, i, &place, out, error));
  }
  bytes_printf(out, "ENDMDL\n");
  return STATUS_OK;
}

static bool pdb_matches(const char *head, size_t size)
{
  static const char *const first[] = {"ATOM  ", "HETATM", "CRYST1", "HEADER", "TITLE ", "REMARK",
                                      "MODEL ", "COMPND", "AUTHOR", "OBSLTE", "SPLIT "};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (size >= 6 && strncmp(head, first[i], 6) == 0)
      return true;
  return false;
}

const TrajectoryFormat pdb_format = {
    .name = "pdb",
    .suffixes = ".pdb .ent",
    .doc = "PDB: text, residue and atom names, angstrom, models as frames, with box",
    .traits = TRAJECTORY_NAMES,
    .matches = pdb_matches,
    .open = pdb_open,
    .next = pdb_next,
    .encode = pdb_encode,
};
