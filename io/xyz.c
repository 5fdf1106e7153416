/* XYZ, plain and extended. A frame is a line with the number of atoms, a comment, and one row for each
 * atom. In extended XYZ the comment is key=value: Properties names the columns (name:type:count, type S,
 * R, I or L), Lattice="ax ay az bx by bz cx cy cz" is the box (absent for clusters), pbc gives the
 * periodic directions. Atomic numbers may replace symbols (also in columns Z:I:1 or numbers:I:1). No rule
 * defines the unit of time: we write Time_unit with it and read time only with that key. The same holds
 * for forces_unit (ASE reads forces in eV/A) and velo_unit. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/atom_name.h"
#include "io/trajectory_format.h"

enum { ROW_LEAST = 8 }; /* "H 0 0 0\n" */

static const char forces_unit[] = "kcal/mol/A", velocities_unit[] = "A/ps";

/* --- writing ------------------------------------------------------------------------------------------- */

static void put_vector(const TrajectoryWriter *writer, const double x[3], Bytes *out)
{
  for (int d = 0; d < 3; d++)
    bytes_printf(out, writer->options.exact ? " %24.17g" : " %14.8f", x[d]);
}

static void put_comment(const TrajectoryWriter *writer, const Frame *frame, Bytes *out)
{
  if (frame->has_cell) {
    const double *c = &frame->cell[0][0];
    bytes_printf(out, "Lattice=\"%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\" ", c[0], c[1], c[2],
                 c[3], c[4], c[5], c[6], c[7], c[8]);
  }
  bytes_printf(out, "Properties=species:S:1:pos:R:3%s%s pbc=\"%s\"", frame->has_velocities ? ":velo:R:3" : "",
               frame->has_forces ? ":forces:R:3" : "", frame->has_cell ? "T T T" : "F F F");
  if (frame->has_velocities)
    bytes_printf(out, " velo_unit=%s", velocities_unit);
  if (frame->has_forces)
    bytes_printf(out, " forces_unit=%s", forces_unit);
  if (isfinite(frame->time))
    bytes_printf(out, " Time=%.15g Time_unit=ps", frame->time);
  if (frame->step >= 0)
    bytes_printf(out, " Step=%lld", (long long)frame->step);
  if (frame->replica >= 0)
    bytes_printf(out, " Replica=%d", frame->replica);
  bytes_printf(out, " program=\"holonom " HOLONOM_VERSION "\"");
  if (writer->title[0] != '\0') {
    bytes_printf(out, " title=\"");
    for (const char *c = writer->title; *c != '\0'; c++)
      bytes_put(out, *c == '"' ? "'" : c, 1);
    bytes_printf(out, "\"");
  }
  bytes_printf(out, "\n");
}

static Status xyz_encode(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  TRY(trajectory_need_symbols(writer, frame, "XYZ", error));
  bytes_printf(out, "%d\n", frame->natoms);
  put_comment(writer, frame, out);
  for (int i = 0; i < frame->natoms; i++) {
    if (frame->symbols[i][0] == '\0')
      return error_set(error, STATUS_RUN, "%s: atom %d has no symbol, which XYZ needs", writer->out.path,
                       i + 1);
    bytes_printf(out, "%-2s", frame->symbols[i]);
    put_vector(writer, frame->positions[i], out);
    if (frame->has_velocities)
      put_vector(writer, frame->velocities[i], out);
    if (frame->has_forces)
      put_vector(writer, frame->forces[i], out);
    bytes_printf(out, "\n");
  }
  return STATUS_OK;
}

/* --- the comment line ---------------------------------------------------------------------------------- */

/* The value of a key without its quotes; false if the comment lacks the key. */
static bool comment_value(const char *c, const char *key, char *value, size_t size)
{
  while (*c != '\0') {
    c += strspn(c, " \t");
    const size_t name = strcspn(c, "= \t");
    const bool found = name == strlen(key) && strncasecmp(c, key, name) == 0 && c[name] == '=';
    c += name;
    if (*c != '=')
      continue;
    c++;
    const char quote = *c == '"' || *c == '\'' ? *c : *c == '{' ? '}' : *c == '[' ? ']' : '\0';
    c += quote != '\0';
    const char until[2] = {quote, '\0'};
    const size_t length = strcspn(c, quote != '\0' ? until : " \t");
    if (found) {
      snprintf(value, size, "%.*s", (int)(length < size ? length : size - 1), c);
      return true;
    }
    c += length;
    c += quote != '\0' && *c == quote;
  }
  return false;
}

static Status read_cell(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  char text[512];
  const char *comment = reader->lines.text;
  if (!comment_value(comment, "Lattice", text, sizeof text))
    return STATUS_OK;
  char *at = text;
  for (int k = 0; k < 9; k++) {
    char *end;
    frame->cell[k / 3][k % 3] = strtod(at, &end);
    const size_t blanks = strspn(end, " \t");
    if (end == at || !isfinite(frame->cell[k / 3][k % 3]) || (end[blanks] == '\0') != (k == 8) ||
        (k < 8 && blanks == 0))
      return lines_fail(&reader->lines, error, "Lattice=\"%.60s\": nine numbers are expected", text);
    at = end + blanks;
  }
  frame->has_cell = true;
  if (!comment_value(comment, "pbc", text, sizeof text))
    return STATUS_OK;
  int yes = 0, no = 0;
  for (const char *c = text; *c != '\0'; c++) {
    yes += *c == 'T' || *c == 't' || *c == '1';
    no += *c == 'F' || *c == 'f' || *c == '0';
  }
  if (yes != 3 && no != 3)
    return lines_fail(
        &reader->lines, error,
        "pbc=\"%.40s\": the box must be periodic in all three directions (T T T) or in none (F F F)", text);
  frame->has_cell = yes == 3;
  return STATUS_OK;
}

static void read_time(const char *comment, Frame *frame)
{
  char value[64], unit[16];
  if (comment_value(comment, "Step", value, sizeof value)) {
    char *end;
    const long long step = strtoll(value, &end, 10);
    frame->step = *value != '\0' && *end == '\0' && step >= 0 ? step : -1;
  }
  const char *lammps = strstr(comment, "Timestep: "); /* "Atoms. Timestep: 100", dump xyz of LAMMPS */
  if (frame->step < 0 && lammps != NULL)
    frame->step = strtoll(lammps + 10, NULL, 10);
  if (comment_value(comment, "Time", value, sizeof value) &&
      comment_value(comment, "Time_unit", unit, sizeof unit)) {
    char *end;
    const double time = strtod(value, &end);
    const double factor = strcmp(unit, "ps") == 0 ? 1.0 : strcmp(unit, "fs") == 0 ? 1e-3 : NAN;
    frame->time = end != value ? time * factor : NAN;
  }
}

/* Columns (words of a row, from 0) of each property; -1: absent. */
typedef struct Columns {
  int species, position, velocity, force, count;
  bool types; /* numbers instead of symbols are types of LAMMPS, not elements */
} Columns;

static Status read_columns(const TrajectoryReader *reader, Columns *columns, Error *error)
{
  *columns = (Columns){0, 1, -1, -1, 4, strstr(reader->lines.text, "Timestep: ") != NULL};
  char text[1024], unit[32];
  const char *comment = reader->lines.text;
  if (!comment_value(comment, "Properties", text, sizeof text))
    return STATUS_OK;
  const bool forces =
      comment_value(comment, "forces_unit", unit, sizeof unit) && strcmp(unit, forces_unit) == 0;
  const bool velocities =
      comment_value(comment, "velo_unit", unit, sizeof unit) && strcmp(unit, velocities_unit) == 0;
  *columns = (Columns){-1, -1, -1, -1, 0, false};
  char *rest = text;
  while (rest != NULL) {
    const char *name = strsep(&rest, ":"), *type = strsep(&rest, ":"), *number = strsep(&rest, ":");
    char *end;
    const long width = number != NULL ? strtol(number, &end, 10) : 0;
    if (number == NULL || *end != '\0' || width < 1 || width > 1000 || strlen(type) != 1 ||
        strchr("SRIL", *type) == NULL || columns->count > 1000)
      return lines_fail(&reader->lines, error,
                        "Properties must be name:type:count triples with type S, R, I or L, such as "
                        "species:S:1:pos:R:3; wrong at '%.30s'",
                        name);
    const bool vector = *type == 'R' && width == 3;
    if (width == 1 && strcmp(name, "species") == 0)
      columns->species = columns->count;
    else if (*type == 'I' && width == 1 && columns->species < 0 &&
             (strcmp(name, "Z") == 0 || strcmp(name, "numbers") == 0))
      columns->species = columns->count;
    else if (vector && strcmp(name, "pos") == 0)
      columns->position = columns->count;
    else if (vector && velocities && strcmp(name, "velo") == 0)
      columns->velocity = columns->count;
    else if (vector && forces && (strcmp(name, "forces") == 0 || strcmp(name, "force") == 0))
      columns->force = columns->count;
    columns->count += (int)width;
  }
  if (columns->position < 0)
    return lines_fail(&reader->lines, error, "Properties lack pos:R:3, the coordinates");
  return STATUS_OK;
}

/* --- rows ---------------------------------------------------------------------------------------------- */

static Status read_vector(const TrajectoryReader *reader, const int (*words)[2], int column, double x[3],
                          Error *error)
{
  const Lines *lines = &reader->lines;
  for (int d = 0; d < 3; d++) {
    const int *word = words[column + d];
    if (!lines_field(lines, word[0], word[1], &x[d]))
      return lines_fail(lines, error, "'%.*s' in column %d is not a number", word[1] < 30 ? word[1] : 30,
                        lines->text + word[0], column + d + 1);
  }
  return trajectory_check_row(reader, x, error);
}

/* Replaces an atomic number by the symbol of its element. */
static void name_number(char symbol[FRAME_NAME])
{
  char *end;
  const long number = isdigit((unsigned char)symbol[0]) ? strtol(symbol, &end, 10) : 0;
  const char *const element = number > 0 && *end == '\0' ? atom_name_element(number) : NULL;
  if (element != NULL)
    frame_name(symbol, element, (int)strlen(element));
}

static Status read_row(TrajectoryReader *reader, const Columns *columns, Frame *frame, int atom, Error *error)
{
  const Lines *lines = &reader->lines;
  int words[2048][2], found = 0, cursor = 0;
  while (found < columns->count && lines_word(lines, &cursor, &words[found][0], &words[found][1]))
    found++;
  if (found < columns->count)
    return lines_fail(lines, error, "atom %d of %d in frame %lld: %d columns, where %d are expected (%s)",
                      atom + 1, frame->natoms, (long long)reader->frame, found, columns->count,
                      columns->count == 4 ? "symbol x y z" : "by Properties");
  frame->lines[atom] = lines->number;
  const int(*w)[2] = (const int(*)[2])words;
  if (columns->species >= 0)
    frame_name(frame->symbols[atom], lines->text + w[columns->species][0], w[columns->species][1]);
  if (columns->species >= 0 && !columns->types)
    name_number(frame->symbols[atom]);
  TRY(read_vector(reader, w, columns->position, frame->positions[atom], error));
  if (columns->velocity >= 0)
    TRY(read_vector(reader, w, columns->velocity, frame->velocities[atom], error));
  return columns->force >= 0 ? read_vector(reader, w, columns->force, frame->forces[atom], error) : STATUS_OK;
}

static Status xyz_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  Lines *lines = &reader->lines;
  bool more;
  do { /* ignore blank lines between frames */
    TRY(lines_next(lines, &more, error));
    *end = !more;
    if (!more)
      return STATUS_OK;
  } while (lines_blank(lines));
  int64_t count;
  if (!lines_integer(lines, &count))
    return lines_fail(lines, error, "'%.40s' is not the number of atoms of frame %lld%s", lines->text,
                      (long long)reader->frame,
                      reader->frame > 0 ? " (is the number in the frame before right?)" : "");
  TRY(trajectory_expect_atoms(reader, frame, count, ROW_LEAST, error));
  TRY(lines_expect(lines, "the comment line", error));

  Columns columns;
  snprintf(frame->title, sizeof frame->title, "%.*s", FRAME_TITLE - 1, lines->text);
  read_time(lines->text, frame);
  TRY(read_cell(reader, frame, error));
  TRY(read_columns(reader, &columns, error));
  for (int i = 0; i < frame->natoms; i++) {
    TRY(lines_expect(lines, "a further atom", error));
    TRY(read_row(reader, &columns, frame, i, error));
  }
  frame->has_symbols = columns.species >= 0;
  frame->has_velocities = columns.velocity >= 0;
  frame->has_forces = columns.force >= 0;
  return trajectory_check_end(reader, error);
}

static bool xyz_matches(const char *head, size_t size)
{
  (void)size;
  return lines_count_at(head);
}

const TrajectoryFormat xyz_format = {
    .name = "xyz",
    .suffixes = ".xyz .extxyz",
    .doc = "extended XYZ: text, symbols and coordinates in angstrom, with time, step, box and forces",
    .traits = TRAJECTORY_VELOCITIES | TRAJECTORY_NAMES,
    .matches = xyz_matches,
    .next = xyz_next,
    .encode = xyz_encode,
};
