/* DCD: binary, Fortran records (each between two markers with its length in bytes), float32 angstrom.
 *
 *   84 bytes  "CORD" and 20 int32: 0 NSET frames, 1 ISTART first step, 2 NSAVC steps between frames, 3 NSTEP
 *             last step, 8 NAMNF fixed atoms, 9 DELTA (float32, AKMA time of one step), 10 flag: unit cell,
 *             11 flag: fourth dimension, 19 version (24: CHARMM flavour). X-PLOR flavour: version 0, DELTA is
 *             float64 in 9 and 10, no cell.
 *   titles    int32 count, then 80 characters each
 *   4 bytes   number of atoms
 *   a frame   [48 bytes: A, gamma, B, beta, alpha, C as float64], then the records X, Y, Z [, W]
 *
 * Written: little-endian on every host, version 24, angles as cosines, no cell record for clusters; NSET
 * and NSTEP are updated after every frame, so that they are right after a killed run. The step fields have
 * 32 bits. When the last step passes 2^31 - 1 the header is folded as in OpenMM: NSAVC = 1, DELTA = time
 * between frames, ISTART counts frames; the title lines have first step, stride and time step in full, and
 * our reader uses them.
 *
 * Read: either byte order, 32- and 64-bit markers, both flavours. The number of frames follows from the
 * file's size, because NSET is 0 or wrong after killed programs. Cells follow the rule of VMD, MDTraj and
 * MDAnalysis. Angle words that are all within [-1, 1] are cosines. Else, if any word is negative or an angle
 * above 180, the cell is CHARMM's symmetric shape matrix (xx, xy, yy, xz, yz, zz); else degrees. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "io/trajectory_format.h"

enum { HEADER = 84, TITLE = 80, CELL = 48, TITLES_MOST = 64 };

static const double akma_ps = UNITS_AKMA_FS * 1e-3;

/* --- writing ------------------------------------------------------------------------------------------- */

static int32_t clamp32(int64_t value) { return value > INT32_MAX ? INT32_MAX : (int32_t)value; }

/* The first record of a file with `frames` frames. */
static void put_header(const TrajectoryWriter *writer, int64_t frames, bool has_cell, Bytes *out)
{
  const int64_t last = writer->first_step + (frames - 1) * writer->options.stride;
  int64_t start = writer->first_step, stride = writer->options.stride, end = last;
  double delta = writer->options.timestep / akma_ps;
  if (last > INT32_MAX) {
    delta *= (double)writer->options.stride;
    start /= writer->options.stride;
    start = start + frames > INT32_MAX
                ? 0
                : start; /* too large even for folding: time counts from this file's start */
    stride = 1;
    end = start + frames - 1;
  }
  bytes_int32(out, HEADER);
  bytes_put(out, "CORD", 4);
  const int32_t counts[9] = {clamp32(frames), clamp32(start), clamp32(stride), clamp32(end)};
  for (int i = 0; i < 9; i++)
    bytes_int32(out, counts[i]);
  bytes_float(out, (float)delta);
  bytes_int32(out, has_cell);
  for (int i = 11; i < 19; i++)
    bytes_int32(out, 0);
  bytes_int32(out, 24);
  bytes_int32(out, HEADER);
}

static void put_title(Bytes *out, const char *text)
{
  char title[TITLE];
  memset(title, ' ', sizeof title);
  for (int i = 0; i < TITLE && text[i] != '\0'; i++)
    title[i] = text[i];
  bytes_put(out, title, sizeof title);
}

static void put_titles(const TrajectoryWriter *writer, Bytes *out)
{
  char text[TITLE + FRAME_TITLE];
  const int count = 3, size = 4 + count * TITLE;
  bytes_int32(out, size);
  bytes_int32(out, count);
  snprintf(text, sizeof text, "holonom %s %s", HOLONOM_VERSION, writer->title);
  put_title(out, text);
  snprintf(text, sizeof text, "first_step=%lld stride=%lld", (long long)writer->first_step,
           (long long)writer->options.stride);
  put_title(out, text);
  snprintf(text, sizeof text, "timestep_ps=%.17g", writer->options.timestep);
  put_title(out, text);
  bytes_int32(out, size);
}

static Status put_cell(const TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  TRY(trajectory_need_upright(writer, frame, "DCD", error));
  double edge[3], cosine[3];
  frame_get_cell(frame, edge, cosine);
  bytes_int32(out, CELL);
  bytes_double(out, edge[0]);
  bytes_double(out, cosine[2]);
  bytes_double(out, edge[1]);
  bytes_double(out, cosine[1]);
  bytes_double(out, cosine[0]);
  bytes_double(out, edge[2]);
  bytes_int32(out, CELL);
  return STATUS_OK;
}

static Status check_options(const TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  if (!(writer->options.timestep > 0.0) || !isfinite(writer->options.timestep) || writer->options.stride < 1)
    return error_set(error, STATUS_RUN,
                     "%s: DCD needs the time step (> 0, here %g ps) and the steps between frames (>= 1, here "
                     "%lld)",
                     writer->out.path, writer->options.timestep, (long long)writer->options.stride);
  if (frame->natoms > (INT32_MAX - 4) / 4)
    return error_set(error, STATUS_RUN, "%s: %d atoms are too many for DCD", writer->out.path, frame->natoms);
  int64_t step;
  if (__builtin_mul_overflow(writer->frames, writer->options.stride, &step) ||
      __builtin_add_overflow(step, writer->first_step, &step))
    return error_set(error, STATUS_RUN, "%s: the step number passes 2^63", writer->out.path);
  if (writer->frames > 0 && frame->step >= 0 && frame->step != step)
    return error_set(error, STATUS_RUN,
                     "%s: frame %lld has step %lld, but frames of DCD are equidistant: the next step is %lld",
                     writer->out.path, (long long)writer->frames, (long long)frame->step, (long long)step);
  return STATUS_OK;
}

static Status dcd_encode(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  if (writer->frames == 0)
    writer->first_step = frame->step > 0 ? frame->step : 0;
  TRY(check_options(writer, frame, error));
  if (writer->frames == 0) {
    put_header(writer, 1, frame->has_cell, out);
    put_titles(writer, out);
    bytes_int32(out, 4);
    bytes_int32(out, frame->natoms);
    bytes_int32(out, 4);
  }
  if (frame->has_cell)
    TRY(put_cell(writer, frame, out, error));
  for (int d = 0; d < 3; d++) {
    bytes_int32(out, 4 * frame->natoms);
    for (int i = 0; i < frame->natoms; i++) {
      const double x = frame->positions[i][d];
      if (!(fabs(x) <= (double)FLT_MAX))
        return trajectory_misfit(writer, frame, i, d, x, " A, too large for DCD", error);
      bytes_float(out, (float)x);
    }
    bytes_int32(out, 4 * frame->natoms);
  }
  return STATUS_OK;
}

static void dcd_patch(const TrajectoryWriter *writer, Bytes *out)
{
  put_header(writer, writer->frames, writer->has_cell, out);
}

/* --- reading ------------------------------------------------------------------------------------------- */

typedef struct Dcd {
  bool big, xplor, has_cell, has_fourth;
  int marker;         /* bytes of a record marker, 4 or 8 */
  int64_t first_byte; /* of the first frame */
  int64_t frame_size; /* bytes */
  int natoms;
  int64_t first_step, stride;
  double timestep;        /* ps, NAN if unknown */
  unsigned char buffer[]; /* one frame */
} Dcd;

static uint64_t get_bits(const unsigned char *bytes, int size, bool big)
{
  uint64_t bits = 0;
  for (int i = 0; i < size; i++)
    bits |= (uint64_t)bytes[i] << (8 * (big ? size - 1 - i : i));
  return bits;
}

static int32_t get_int32(const unsigned char *bytes, bool big) { return (int32_t)get_bits(bytes, 4, big); }

static float get_float(const unsigned char *bytes, bool big)
{
  const uint32_t bits = (uint32_t)get_bits(bytes, 4, big);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double get_double(const unsigned char *bytes, bool big)
{
  const uint64_t bits = get_bits(bytes, 8, big);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Reads exactly size bytes. */
static Status get_bytes(TrajectoryReader *reader, unsigned char *bytes, size_t size, const char *what,
                        Error *error)
{
  if (fread(bytes, 1, size, reader->file) == size)
    return STATUS_OK;
  if (ferror(reader->file))
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
  return error_set(error, STATUS_INPUT, "%s: the file ends within %s", reader->path, what);
}

static Status get_marker(TrajectoryReader *reader, const Dcd *dcd, int64_t *length, const char *what,
                         Error *error)
{
  unsigned char bytes[8];
  TRY(get_bytes(reader, bytes, (size_t)dcd->marker, what, error));
  *length = (int64_t)get_bits(bytes, dcd->marker, dcd->big);
  return STATUS_OK;
}

/* Reads a record of up to `room` bytes and its length, and compares both markers. The rest of a longer
 * record is skipped. */
static Status get_record(TrajectoryReader *reader, const Dcd *dcd, unsigned char *bytes, int64_t room,
                         int64_t *length, const char *what, Error *error)
{
  TRY(get_marker(reader, dcd, length, what, error));
  const int64_t left = reader->size - ftello(reader->file);
  if (*length < 0 || *length > left)
    return error_set(error, STATUS_INPUT, "%s: %s should have %lld bytes, but only %lld follow", reader->path,
                     what, (long long)*length, (long long)left);
  const int64_t kept = *length < room ? *length : room;
  TRY(get_bytes(reader, bytes, (size_t)kept, what, error));
  if (fseeko(reader->file, *length - kept, SEEK_CUR) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
  int64_t again;
  TRY(get_marker(reader, dcd, &again, what, error));
  return again == *length
             ? STATUS_OK
             : error_set(error, STATUS_INPUT, "%s: %s begins with the marker %lld but ends with %lld",
                         reader->path, what, (long long)*length, (long long)again);
}

/* Byte order and marker size from the first 12 bytes; false if the file is not DCD. */
static bool probe(const unsigned char *head, size_t size, Dcd *dcd)
{
  for (int marker = 4; marker <= 8; marker += 4)
    for (int big = 0; big <= 1; big++)
      if (size >= (size_t)marker + 4 && get_bits(head, marker, big) == HEADER &&
          (memcmp(head + marker, "CORD", 4) == 0 || memcmp(head + marker, "VELD", 4) == 0)) {
        dcd->marker = marker;
        dcd->big = big;
        return true;
      }
  return false;
}

static bool dcd_matches(const char *head, size_t size)
{
  Dcd dcd;
  return probe((const unsigned char *)head, size, &dcd);
}

static Status read_header(TrajectoryReader *reader, Dcd *dcd, int32_t *frames, Error *error)
{
  unsigned char head[12] = {0}, header[HEADER];
  TRY(get_bytes(reader, head, sizeof head, "the header", error));
  if (!probe(head, sizeof head, dcd))
    return error_set(error, STATUS_INPUT,
                     "%s: not a DCD file: it should begin with the marker 84 and the letters CORD",
                     reader->path);
  if (memcmp(head + dcd->marker, "VELD", 4) == 0)
    return error_set(error, STATUS_INPUT, "%s: contains velocities (VELD) instead of coordinates",
                     reader->path);
  if (fseeko(reader->file, 0, SEEK_SET) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
  int64_t length;
  TRY(get_record(reader, dcd, header, HEADER, &length, "the header", error));
  const unsigned char *word = header + 4;
  dcd->xplor = get_int32(word + 4 * 19, dcd->big) == 0;
  dcd->has_cell = !dcd->xplor && get_int32(word + 4 * 10, dcd->big) != 0;
  dcd->has_fourth = !dcd->xplor && get_int32(word + 4 * 11, dcd->big) != 0;
  *frames = get_int32(word, dcd->big);
  dcd->first_step = get_int32(word + 4, dcd->big);
  dcd->stride = get_int32(word + 8, dcd->big);
  const double delta =
      dcd->xplor ? get_double(word + 4 * 9, dcd->big) : (double)get_float(word + 4 * 9, dcd->big);
  dcd->timestep = delta > 0.0 && isfinite(delta) ? delta * akma_ps : NAN;
  const int32_t fixed = get_int32(word + 4 * 8, dcd->big);
  if (fixed != 0)
    return error_set(
        error, STATUS_INPUT,
        "%s: its frames lack %d fixed atoms, which is not supported; write all atoms to every frame",
        reader->path, fixed);
  return STATUS_OK;
}

/* Steps and time step in full from titles of our files, if the header agrees: other programs copy titles
 * into files with other frames. */
static void apply_titles(Dcd *dcd, const char *titles)
{
  const char *steps = strstr(titles, "first_step="), *stride_at = strstr(titles, " stride=");
  const char *time = strstr(titles, "timestep_ps=");
  if (steps == NULL || stride_at == NULL || time == NULL)
    return;
  const long long first = strtoll(steps + 11, NULL, 10), stride = strtoll(stride_at + 8, NULL, 10);
  const double timestep = strtod(time + 12, NULL);
  if (stride < 1 || first < 0 || !(timestep > 0.0) || first > INT64_MAX / 2 || stride > INT64_MAX / 2)
    return;
  const double spacing = (double)stride * timestep, header = (double)dcd->stride * dcd->timestep;
  const bool folded = dcd->stride == 1 && (dcd->first_step == first / stride || dcd->first_step == 0);
  if (!(fabs(spacing - header) <= 1e-5 * spacing) || !(folded || dcd->first_step == first))
    return;
  dcd->first_step = first;
  dcd->stride = stride;
  dcd->timestep = timestep;
}

static Status read_titles(TrajectoryReader *reader, Dcd *dcd, Error *error)
{
  unsigned char titles[4 + TITLES_MOST * TITLE + 1] = {0};
  int64_t length;
  TRY(get_record(reader, dcd, titles, sizeof titles - 1, &length, "the titles", error));
  for (size_t i = 4; i < sizeof titles - 1; i++) /* some writers pad with zero bytes */
    titles[i] = titles[i] == '\0' ? ' ' : titles[i];
  apply_titles(dcd, (const char *)titles + 4);
  return STATUS_OK;
}

/* The number of whole frames from the file's size; the header's number is only compared. */
static Status count_frames(TrajectoryReader *reader, Dcd *dcd, int32_t announced, Error *error)
{
  const int64_t record = 4 * (int64_t)dcd->natoms + 2 * dcd->marker;
  dcd->frame_size = (dcd->has_fourth ? 4 : 3) * record + (dcd->has_cell ? CELL + 2 * dcd->marker : 0);
  dcd->first_byte = ftello(reader->file);
  const int64_t bytes = reader->size - dcd->first_byte;
  reader->frames = bytes / dcd->frame_size;
  if (reader->frames == 0)
    return error_set(
        error, STATUS_INPUT,
        "%s: has no whole frame: a frame of %d atoms has %lld bytes, but only %lld follow the header",
        reader->path, dcd->natoms, (long long)dcd->frame_size, (long long)bytes);
  const int64_t rest = bytes % dcd->frame_size;
  if (rest != 0)
    snprintf(reader->warning, sizeof reader->warning,
             "frame %lld is cut short (%lld of %lld bytes) and left out", (long long)reader->frames,
             (long long)rest, (long long)dcd->frame_size);
  else if (announced != 0 && announced != reader->frames)
    snprintf(reader->warning, sizeof reader->warning,
             "the header announces %d frames, the file has %lld: all of them are read", announced,
             (long long)reader->frames);
  return STATUS_OK;
}

static Status dcd_open(TrajectoryReader *reader, Error *error)
{
  Dcd dcd = {0};
  int32_t announced = 0;
  unsigned char bytes[4];
  int64_t length;
  TRY(read_header(reader, &dcd, &announced, error));
  TRY(read_titles(reader, &dcd, error));
  TRY(get_record(reader, &dcd, bytes, sizeof bytes, &length, "the number of atoms", error));
  dcd.natoms = length == 4 ? get_int32(bytes, dcd.big) : 0;
  if (dcd.natoms < 1)
    return error_set(error, STATUS_INPUT, "%s: the number of atoms is %d: at least 1 is expected",
                     reader->path, dcd.natoms);
  TRY(count_frames(reader, &dcd, announced, error));
  Dcd *own = malloc(sizeof *own + (size_t)dcd.frame_size);
  TRY_MEMORY(own != NULL, "a frame of a DCD file", error);
  *own = dcd;
  reader->own = own;
  return STATUS_OK;
}

/* Checks the two markers of the record at *at and moves *at past it; NULL and a message if they are not
 * `length`. */
static const unsigned char *frame_record(const TrajectoryReader *reader, const unsigned char **at,
                                         int64_t length, const char *what, Error *error)
{
  const Dcd *dcd = reader->own;
  const unsigned char *data = *at + dcd->marker, *end = data + length;
  const int64_t first = (int64_t)get_bits(*at, dcd->marker, dcd->big);
  const int64_t last = (int64_t)get_bits(end, dcd->marker, dcd->big);
  *at = end + dcd->marker;
  if (first == length && last == length)
    return data;
  error_set(error, STATUS_INPUT,
            "%s, frame %lld: the record of %s has the markers %lld and %lld; %lld is expected", reader->path,
            (long long)reader->frame, what, (long long)first, (long long)last, (long long)length);
  return NULL;
}

static Status decode_cell(const TrajectoryReader *reader, const unsigned char *data, Frame *frame,
                          Error *error)
{
  const Dcd *dcd = reader->own;
  double u[6]; /* A, gamma, B, beta, alpha, C */
  bool negative = false;
  for (int i = 0; i < 6; i++) {
    u[i] = get_double(data + 8 * i, dcd->big);
    negative |= u[i] < 0.0;
    if (!isfinite(u[i]))
      return error_set(error, STATUS_INPUT, "%s, frame %lld: number %d of the unit cell is %g", reader->path,
                       (long long)reader->frame, i + 1, u[i]);
  }
  const double edge[3] = {u[0], u[2], u[5]};
  double cosine[3] = {u[4], u[3], u[1]};
  const bool cosines = fabs(cosine[0]) <= 1.0 && fabs(cosine[1]) <= 1.0 && fabs(cosine[2]) <= 1.0;
  if (!cosines && (negative || u[1] > 180.0 || u[3] > 180.0 || u[4] > 180.0)) {
    const double shape[3][3] = {{u[0], u[1], u[3]}, {u[1], u[2], u[4]}, {u[3], u[4], u[5]}};
    memcpy(frame->cell, shape, sizeof shape);
    frame->has_cell = true;
    return STATUS_OK;
  }
  for (int i = 0; !cosines && i < 3; i++)
    cosine[i] = frame_cosine(cosine[i]);
  if (frame_set_cell(frame, edge, cosine, error) != STATUS_OK)
    return error_prefix(error, "%s, frame %lld", reader->path, (long long)reader->frame);
  return STATUS_OK;
}

static Status decode_frame(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  static const char *const names[3] = {"x", "y", "z"};
  const Dcd *dcd = reader->own;
  const unsigned char *at = dcd->buffer;
  if (dcd->has_cell) {
    const unsigned char *cell = frame_record(reader, &at, CELL, "the unit cell", error);
    if (cell == NULL)
      return STATUS_INPUT;
    TRY(decode_cell(reader, cell, frame, error));
  }
  for (int d = 0; d < 3; d++) {
    const unsigned char *data = frame_record(reader, &at, 4 * (int64_t)dcd->natoms, names[d], error);
    if (data == NULL)
      return STATUS_INPUT;
    for (int i = 0; i < dcd->natoms; i++) {
      const double x = (double)get_float(data + 4 * (size_t)i, dcd->big);
      if (!isfinite(x))
        return error_set(error, STATUS_INPUT, "%s, frame %lld: coordinate %s of atom %d is %g", reader->path,
                         (long long)reader->frame, names[d], i + 1, x);
      frame->positions[i][d] = x;
    }
  }
  return STATUS_OK;
}

static Status dcd_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  const Dcd *dcd = reader->own;
  *end = reader->frame == reader->frames;
  if (*end)
    return STATUS_OK;
  TRY(frame_resize(frame, dcd->natoms, error));
  if (dcd->stride > 0 && dcd->first_step >= 0 &&
      !__builtin_mul_overflow(reader->frame, dcd->stride, &frame->step) &&
      !__builtin_add_overflow(frame->step, dcd->first_step, &frame->step))
    frame->time = (double)frame->step * dcd->timestep;
  else
    frame->step = -1;
  return STATUS_OK;
}

static Status dcd_fill(TrajectoryReader *reader, Frame *frame, Error *error)
{
  Dcd *dcd = reader->own;
  if (fseeko(reader->file, dcd->first_byte + reader->frame * dcd->frame_size, SEEK_SET) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
  TRY(get_bytes(reader, dcd->buffer, (size_t)dcd->frame_size, "a frame", error));
  return decode_frame(reader, frame, error);
}

const TrajectoryFormat dcd_format = {
    .name = "dcd",
    .suffixes = ".dcd",
    .doc =
        "DCD: binary, coordinates in single precision; no names, no forces; read by VMD, MDAnalysis, MDTraj",
    .matches = dcd_matches,
    .open = dcd_open,
    .next = dcd_next,
    .fill = dcd_fill,
    .encode = dcd_encode,
    .patch = dcd_patch,
};
