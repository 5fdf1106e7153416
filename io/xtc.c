/* XTC (GROMACS): binary, big-endian, nm, coordinates as multiples of a length in the file. A frame is
 *
 *   int32   1995, number of atoms, step
 *   float32 time (ps), the nine numbers of the box's vectors, or zeros
 *   int32   number of atoms again
 *   float32 below ten atoms plain coordinates; else grid steps per nm, and coordinates in steps (packed.c)
 *
 * No velocities, no names. Steps have 32 bits; beyond them the reader continues the count from one frame
 * to the next. GROMACS's newest format for more than 298,261,617 atoms (2023 instead of 1995) is refused. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "io/packed.h"
#include "io/trajectory_format.h"

enum { MAGIC = 1995, MAGIC_LARGE = 2023, ATOMS_MOST = 298261617, HEAD = 56, PACKED = HEAD + 4 + PACKED_HEAD };

static const double nm = 10.0; /* angstrom */

/* --- writing ------------------------------------------------------------------------------------------- */

static void put_float(Bytes *out, double value)
{
  const float single = (float)value;
  int32_t bits;
  memcpy(&bits, &single, sizeof bits);
  packed_int32(out, bits);
}

static void put_head(const TrajectoryWriter *writer, const Frame *frame, Bytes *out)
{
  /* Readers require increasing times. */
  const int64_t step = frame->step >= 0 ? frame->step : writer->frames;
  packed_int32(out, MAGIC);
  packed_int32(out, frame->natoms);
  packed_int32(out, (int32_t)(uint32_t)((uint64_t)step & UINT32_MAX));
  put_float(out, isfinite(frame->time) ? frame->time : (double)writer->frames);
  for (int i = 0; i < 9; i++)
    put_float(out, frame->has_cell ? frame->cell[i / 3][i % 3] / nm : 0.0);
  packed_int32(out, frame->natoms);
}

static Status put_packed(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  const float precision = (float)(nm / writer->options.precision);
  const double scale = (double)precision / nm;
  SCOPED(scoped_free) int32_t(*x)[3] = malloc((size_t)frame->natoms * sizeof *x);
  TRY_MEMORY(x != NULL, "a frame of an XTC file", error);
  for (int i = 0; i < frame->natoms; i++)
    for (int d = 0; d < 3; d++) {
      const double value = nearbyint(frame->positions[i][d] * scale);
      if (!(fabs(value) < PACKED_MOST)) {
        char why[96];
        snprintf(why, sizeof why, " A, beyond the %.6g A that XTC can store in steps of %g A",
                 PACKED_MOST / scale, writer->options.precision);
        return trajectory_misfit(writer, frame, i, d, frame->positions[i][d], why, error);
      }
      x[i][d] = (int32_t)value;
    }
  put_float(out, (double)precision);
  return packed_put(out, frame->natoms, (const int32_t(*)[3])x)
             ? STATUS_OK
             : error_set(error, STATUS_RUN, "%s: %d atoms are too many for XTC", writer->out.path,
                         frame->natoms);
}

static Status xtc_encode(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error)
{
  if (frame->natoms > ATOMS_MOST)
    return error_set(error, STATUS_RUN, "%s: %d atoms are too many for XTC, which allows %d",
                     writer->out.path, frame->natoms, ATOMS_MOST);
  TRY(trajectory_need_upright(writer, frame, "XTC", error));
  put_head(writer, frame, out);
  if (frame->natoms >= PACKED_LEAST)
    return put_packed(writer, frame, out, error);
  for (int i = 0; i < 3 * frame->natoms; i++)
    put_float(out, frame->positions[i / 3][i % 3] / nm);
  return STATUS_OK;
}

/* --- reading ------------------------------------------------------------------------------------------- */

typedef struct Xtc {
  int64_t at, next;    /* byte offsets of this frame and of the next */
  int64_t step;        /* of this frame */
  unsigned char *data; /* of a frame, from its head on */
  int64_t room;
  int32_t (*x)[3];
} Xtc;

static double get_float(const unsigned char *bytes)
{
  const int32_t bits = packed_get_int32(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static bool xtc_matches(const char *head, size_t size)
{
  const unsigned char *bytes = (const unsigned char *)head;
  const int32_t magic = size >= HEAD ? packed_get_int32(bytes) : 0;
  return magic == MAGIC_LARGE ||
         (magic == MAGIC && packed_get_int32(bytes + 4) == packed_get_int32(bytes + HEAD - 4));
}

static void xtc_close(TrajectoryReader *reader)
{
  Xtc *own = reader->own;
  if (own == NULL)
    return;
  free(own->data);
  free(own->x);
}

static Status xtc_open(TrajectoryReader *reader, Error *error)
{
  reader->own = calloc(1, sizeof(Xtc));
  return reader->own != NULL ? STATUS_OK : error_memory(error, "a reader of XTC files");
}

static Status frame_wrong(const TrajectoryReader *reader, Error *error, const char *what)
{
  const Xtc *own = reader->own;
  return error_set(error, STATUS_INPUT, "%s, frame %lld, at byte %lld: %s", reader->path,
                   (long long)reader->frame, (long long)own->at, what);
}

/* The file ends within a frame; after whole frames this is the trace of a killed run. */
static Status frame_cut(TrajectoryReader *reader, bool *end, Error *error)
{
  const Xtc *own = reader->own;
  *end = reader->frame > 0;
  if (!*end)
    return frame_wrong(reader, error, "the file ends within its first frame");
  snprintf(reader->warning, sizeof reader->warning, "frame %lld is cut short (%lld bytes) and left out",
           (long long)reader->frame, (long long)(reader->size - own->at));
  return STATUS_OK;
}

/* Reads `size` bytes of the frame. */
static Status get_bytes(TrajectoryReader *reader, int64_t size, Error *error)
{
  Xtc *own = reader->own;
  if (size > own->room) {
    unsigned char *data = realloc(own->data, (size_t)size);
    TRY_MEMORY(data != NULL, "a frame of an XTC file", error);
    own->data = data;
    own->room = size;
  }
  if (fseeko(reader->file, own->at, SEEK_SET) == 0 &&
      fread(own->data, 1, (size_t)size, reader->file) == (size_t)size)
    return STATUS_OK;
  return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path,
                   ferror(reader->file) ? strerror(errno) : "it has become shorter");
}

static Status check_head(const TrajectoryReader *reader, Error *error)
{
  const Xtc *own = reader->own;
  const int32_t magic = packed_get_int32(own->data), natoms = packed_get_int32(own->data + 4);
  char words[160];
  if (magic == MAGIC_LARGE)
    return frame_wrong(reader, error,
                       "it has the format for more than 298,261,617 atoms (2023), which cannot be read");
  if (magic != MAGIC)
    return frame_wrong(reader, error, "not a frame of an XTC file, which begins with the number 1995");
  if (natoms < 1 || packed_get_int32(own->data + HEAD - 4) != natoms) {
    snprintf(words, sizeof words, "the number of atoms is %d at one place, %d at the other", natoms,
             packed_get_int32(own->data + HEAD - 4));
    return frame_wrong(reader, error, words);
  }
  if (reader->frame > 0 && natoms != reader->natoms) {
    snprintf(words, sizeof words, "it has %d atoms, the first frame has %d", natoms, reader->natoms);
    return frame_wrong(reader, error, words);
  }
  for (int i = 3; i < 13; i++)
    if (!isfinite(get_float(own->data + 4 * i)))
      return frame_wrong(reader, error, "its time or its box is not finite");
  return STATUS_OK;
}

/* Sets own->next to the end of the frame. A point takes at least two bits. */
static Status find_end(TrajectoryReader *reader, bool *end, Error *error)
{
  Xtc *own = reader->own;
  const int64_t natoms = packed_get_int32(own->data + 4), left = reader->size - own->at;
  if (natoms < PACKED_LEAST) {
    own->next = own->at + HEAD + 12 * natoms;
    return own->next > reader->size ? frame_cut(reader, end, error) : STATUS_OK;
  }
  if (left < PACKED)
    return frame_cut(reader, end, error);
  TRY(get_bytes(reader, PACKED, error));
  const double precision = get_float(own->data + HEAD);
  const int64_t length = packed_length(own->data + HEAD + 4);
  if (!(precision > 0.0) || !isfinite(precision) || length < 0)
    return frame_wrong(reader, error, "precision, bounds, index or length of its coordinates is invalid");
  own->next = own->at + PACKED + (length + 3) / 4 * 4;
  if (own->next > reader->size)
    return frame_cut(reader, end, error);
  return natoms <= 4 * length
             ? STATUS_OK
             : frame_wrong(reader, error, "its coordinates have too few bytes for its atoms");
}

/* Restores times in single precision to multiples of a time step of six digits, if they were rounded from
 * those: equal distances then stay equal. */
static double time_of(int64_t step, double time)
{
  char digits[32];
  snprintf(digits, sizeof digits, "%.6g", time / (double)(step > 0 ? step : 1));
  const double exact = (double)step * strtod(digits, NULL);
  return step > 0 && (double)(float)exact == time ? exact : time;
}

static void take_head(TrajectoryReader *reader, Frame *frame)
{
  Xtc *own = reader->own;
  const uint32_t step = (uint32_t)packed_get_int32(own->data + 8);
  own->step = reader->frame == 0 ? (int64_t)step : own->step + (int32_t)(step - (uint32_t)own->step);
  frame->step = own->step >= 0 ? own->step : -1;
  frame->time = time_of(frame->step, get_float(own->data + 12));
  for (int i = 0; i < 9; i++) {
    frame->cell[i / 3][i % 3] = get_float(own->data + 16 + 4 * i) * nm;
    frame->has_cell |= frame->cell[i / 3][i % 3] != 0.0;
  }
}

static Status xtc_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  Xtc *own = reader->own;
  own->at = own->next;
  *end = own->at == reader->size;
  if (*end)
    return STATUS_OK;
  if (reader->size - own->at < HEAD)
    return frame_cut(reader, end, error);
  TRY(get_bytes(reader, HEAD, error));
  TRY(check_head(reader, error));
  TRY(find_end(reader, end, error));
  if (*end)
    return STATUS_OK;
  TRY(frame_resize(frame, packed_get_int32(own->data + 4), error));
  take_head(reader, frame);
  return STATUS_OK;
}

static Status get_packed(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  Xtc *own = reader->own;
  const double scale = nm / get_float(own->data + HEAD);
  if (own->x == NULL)
    own->x = malloc((size_t)frame->natoms * sizeof *own->x);
  TRY_MEMORY(own->x != NULL, "a frame of an XTC file", error);
  if (!packed_get(own->data + HEAD + 4, frame->natoms, own->x))
    return frame_wrong(reader, error, "its coordinates are damaged");
  for (int i = 0; i < frame->natoms; i++)
    for (int d = 0; d < 3; d++)
      frame->positions[i][d] = own->x[i][d] * scale;
  return STATUS_OK;
}

static Status xtc_fill(TrajectoryReader *reader, Frame *frame, Error *error)
{
  Xtc *own = reader->own;
  TRY(get_bytes(reader, own->next - own->at, error));
  if (frame->natoms >= PACKED_LEAST)
    return get_packed(reader, frame, error);
  for (int i = 0; i < 3 * frame->natoms; i++) {
    const double x = get_float(own->data + HEAD + 4 * i) * nm;
    if (!isfinite(x))
      return frame_wrong(reader, error, "a coordinate is not finite");
    frame->positions[i / 3][i % 3] = x;
  }
  return STATUS_OK;
}

const TrajectoryFormat xtc_format = {
    .name = "xtc",
    .suffixes = ".xtc",
    .doc = "XTC of GROMACS: binary, compressed, coordinates on a grid (output.xtc_precision); no names, no "
           "velocities; read by GROMACS, VMD, MDAnalysis, MDTraj",
    .matches = xtc_matches,
    .open = xtc_open,
    .next = xtc_next,
    .fill = xtc_fill,
    .close = xtc_close,
    .encode = xtc_encode,
};
