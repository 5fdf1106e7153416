#include "io/trajectory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/scoped.h"
#include "io/trajectory_format.h"
#include "io/unpacked.h"

SCOPED_POINTER(TrajectoryReader, trajectory_close)

const TrajectoryFormat *const trajectory_formats[] = {
#define FORMAT(name) &name##_format,
#include "io/trajectory_formats.def"
    NULL};

enum { HEAD = 512 };

bool trajectory_written(const TrajectoryFormat *format)
{
  return format->encode != NULL || format->append != NULL;
}

bool trajectory_formats_have(unsigned formats, TrajectoryTrait trait)
{
  for (int i = 0; trajectory_formats[i] != NULL; i++)
    if ((formats & 1u << i) != 0 && (trajectory_formats[i]->traits & trait) != 0)
      return true;
  return false;
}

const TrajectoryFormat *trajectory_find(const char *name)
{
  for (const TrajectoryFormat *const *row = trajectory_formats; *row != NULL; row++)
    if (strcasecmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}

static const TrajectoryFormat *find_suffix(const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *suffix = slash != NULL ? slash : path, *const end = path + unpacked_stem(path);
  for (const char *at = suffix; (at = strchr(at, '.')) != NULL && at < end; at++)
    suffix = at;
  if (*suffix != '.')
    return NULL;
  const size_t length = (size_t)(end - suffix);
  for (const TrajectoryFormat *const *row = trajectory_formats; *row != NULL; row++)
    for (const char *word = (*row)->suffixes; word != NULL; word = strchr(word + 1, '.'))
      if (strncasecmp(word, suffix, length) == 0 && (word[length] == '\0' || word[length] == ' '))
        return *row;
  return NULL;
}

static const TrajectoryFormat *find_content(const char *path, const char *head, size_t size)
{
  const TrajectoryFormat *suffix = find_suffix(path);
  if (suffix != NULL && suffix->matches(head, size))
    return suffix;
  for (const TrajectoryFormat *const *row = trajectory_formats; *row != NULL; row++)
    if ((*row)->matches(head, size))
      return *row;
  return suffix; /* its own messages are the most precise */
}

/* Names of all formats, for messages. */
typedef struct Known {
  char text[64];
} Known;

static Known known_formats(void)
{
  Known known = {""};
  size_t n = 0;
  for (const TrajectoryFormat *const *row = trajectory_formats; *row != NULL; row++)
    n += (size_t)snprintf(known.text + n, sizeof known.text - n, "%s%s", n > 0 ? ", " : "", (*row)->name);
  return known;
}

/* --- writing ------------------------------------------------------------------------------------------- */

/* Called before the descriptor is closed. */
static void writer_release(TrajectoryWriter *writer)
{
  if (writer->own != NULL)
    writer->format->release(writer);
  writer->own = NULL;
}

static void writer_free(TrajectoryWriter *writer)
{
  writer_release(writer);
  output_discard(&writer->out);
  bytes_free(&writer->buffer);
  free(writer);
}

/* mark: of the file to continue, or NULL. */
static OutputUse use_of(const TrajectoryFormat *format, const TrajectoryOptions *options,
                        const TrajectoryMark *mark)
{
  return (OutputUse){.replace = options->replace,
                     .listed = options->owned,
                     .whole = options->whole,
                     .resume = mark != NULL,
                     .uncut = mark != NULL && mark->frames > 0 && format->resume != NULL,
                     .size = mark != NULL ? mark->size : 0};
}

static Status writer_create(TrajectoryWriter **out, const char *path, const char *format,
                            const TrajectoryOptions *options, const TrajectoryMark *mark, Error *error)
{
  LOCALE_PLAIN;
  *out = NULL;
  const TrajectoryFormat *row = format != NULL ? trajectory_find(format) : find_suffix(path);
  if (row == NULL || !trajectory_written(row))
    return error_set(error, STATUS_INPUT,
                     "%s: '%s' is not a trajectory format that can be written; allowed: %s", path,
                     format != NULL ? format : "its suffix", known_formats().text);
  TrajectoryWriter *writer = calloc(1, sizeof *writer);
  TRY_MEMORY(writer != NULL, "a trajectory writer", error);
  const OutputUse use = use_of(row, options, mark);
  writer->format = row;
  writer->options = *options;
  writer->options.precision = options->precision > 0.0 ? options->precision : 0.01;
  (void)printable_copy(writer->title, sizeof writer->title, options->title != NULL ? options->title : "");
  TRY_ELSE(output_open(&writer->out, NULL, path, &use, error), free(writer));
  *out = writer;
  return STATUS_OK;
}

Status trajectory_create(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, Error *error)
{
  return writer_create(out, path, format, options, NULL, error);
}

static Status misfit_error(const TrajectoryWriter *writer, const Frame *frame, int atom, int d, double value,
                           const char *why, Error *error)
{
  char molecule[32] = "", replica[32] = "";
  if (frame->molecules[atom] > 0)
    snprintf(molecule, sizeof molecule, ", molecule %d,", frame->molecules[atom]);
  if (frame->replica >= 0)
    snprintf(replica, sizeof replica, ", replica %d", frame->replica);
  return error_set(error, STATUS_RUN, "%s: frame %lld, step %lld%s: %c of atom %d%s is %g%s",
                   writer->out.path, (long long)writer->frames, (long long)frame->step, replica, "xyz"[d],
                   atom + 1, molecule, value, why);
}

static Status check_frame(const TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  const bool first = writer->frames == 0;
  if (frame->natoms < 1 || (!first && frame->natoms != writer->natoms))
    return error_set(error, STATUS_RUN, "%s: frame %lld has %d atoms, the first has %d", writer->out.path,
                     (long long)writer->frames, frame->natoms, writer->natoms);
  if (!first && frame->has_cell != writer->has_cell)
    return error_set(error, STATUS_RUN, "%s: frame %lld %s a box, the first %s", writer->out.path,
                     (long long)writer->frames, frame->has_cell ? "has" : "lacks",
                     writer->has_cell ? "has" : "has not");
  for (int i = 0; i < frame->natoms; i++)
    for (int d = 0; d < 3; d++)
      if (!isfinite(frame->positions[i][d]))
        return misfit_error(writer, frame, i, d, frame->positions[i][d], "", error);
  return STATUS_OK;
}

/* Reports the reason after cutting off the partial frame. Whether the cut succeeds (it cannot on a device)
 * does not change the reason. */
static Status write_failed(TrajectoryWriter *writer, Error *error)
{
  const int reason = errno;
  const bool cut = output_cut(&writer->out);
  return error_set(error, STATUS_IO, "%s: frame %lld cannot be written: %s%s", writer->out.path,
                   (long long)writer->frames, strerror(reason),
                   cut ? "; the frames before it are whole" : "");
}

static Status patch_header(TrajectoryWriter *writer, Error *error)
{
  Bytes *buffer = &writer->buffer;
  bytes_clear(buffer);
  writer->format->patch(writer, buffer);
  TRY_MEMORY(!buffer->failed, "a trajectory's header", error);
  return bytes_write(writer->out.fd, buffer->data, buffer->size, 0) ? STATUS_OK : write_failed(writer, error);
}

static Status append_frame(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  if (writer->format->append != NULL)
    return writer->format->append(writer, frame, error);
  Bytes *buffer = &writer->buffer;
  bytes_clear(buffer);
  TRY(writer->format->encode(writer, frame, buffer, error));
  TRY_MEMORY(!buffer->failed, "a frame of a trajectory", error);
  return output_append(&writer->out, buffer->data, buffer->size) ? STATUS_OK : write_failed(writer, error);
}

static Status write_frame(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  TRY(append_frame(writer, frame, error));
  if (writer->frames == 0) {
    writer->natoms = frame->natoms;
    writer->has_cell = frame->has_cell;
  }
  writer->frames++;
  if (writer->format->patch == NULL || writer->frames == 1)
    return STATUS_OK;
  return patch_header(writer, error);
}

Status trajectory_write(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  LOCALE_PLAIN;
  Error own;
  TRY(check_frame(writer, frame, error));
  writer->misfit = false;
  const Status status = write_frame(writer, frame, &own);
  if (!writer->misfit || !writer->options.lenient)
    return error_pass(error, status, &own);
  if (*writer->left_out == '\0')
    snprintf(writer->left_out, sizeof writer->left_out, "%.511s", own.text);
  return STATUS_OK;
}

const char *trajectory_left_out(const TrajectoryWriter *writer) { return writer->left_out; }

Status trajectory_mark(TrajectoryWriter *writer, TrajectoryMark *mark, Error *error)
{
  TRY(writer->format->commit != NULL ? writer->format->commit(writer, false, error)
                                     : output_sync(&writer->out, error));
  *mark = (TrajectoryMark){.size = writer->out.size,
                           .frames = writer->frames,
                           .first_step = writer->first_step,
                           .natoms = writer->natoms,
                           .has_cell = writer->has_cell};
  return STATUS_OK;
}

static Status writer_resume(TrajectoryWriter *writer, const TrajectoryMark *mark, Error *error)
{
  writer->frames = mark->frames;
  writer->first_step = mark->first_step;
  writer->natoms = (int)mark->natoms;
  writer->has_cell = mark->has_cell != 0;
  if (writer->frames == 0)
    return STATUS_OK;
  if (writer->format->resume != NULL)
    return writer->format->resume(writer, error);
  return writer->format->patch != NULL ? patch_header(writer, error) : STATUS_OK;
}

Status trajectory_resume(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, const TrajectoryMark *mark, Error *error)
{
  TRY(writer_create(out, path, format, options, mark, error));
  TRY_ELSE(writer_resume(*out, mark, error), (writer_free(*out), *out = NULL));
  return STATUS_OK;
}

Status trajectory_finish(TrajectoryWriter *writer, Error *error)
{
  if (writer == NULL)
    return STATUS_OK;
  Status status = writer->format->commit != NULL ? writer->format->commit(writer, true, error) : STATUS_OK;
  writer_release(writer);
  if (status == STATUS_OK)
    status = output_close(&writer->out, 0, error);
  writer_free(writer);
  return status;
}

void trajectory_discard(TrajectoryWriter *writer)
{
  if (writer != NULL)
    writer_free(writer);
}

Status trajectory_write_all(const char *path, const char *format, const TrajectoryOptions *options,
                            Frame *frame, int64_t n, void (*fill)(void *self, int64_t i, Frame *frame),
                            void *self, Error *error)
{
  TrajectoryWriter *writer;
  TrajectoryOptions whole = *options;
  whole.whole = true;
  TRY(trajectory_create(&writer, path, format, &whole, error));
  for (int64_t i = 0; i < n; i++) {
    if (fill != NULL)
      fill(self, i, frame);
    TRY_ELSE(trajectory_write(writer, frame, error), trajectory_discard(writer));
  }
  return trajectory_finish(writer, error);
}

Status trajectory_write_one(const char *path, const char *format, const TrajectoryOptions *options,
                            const Frame *frame, Error *error)
{
  Frame view = *frame;
  return trajectory_write_all(path, format, options, &view, 1, NULL, NULL, error);
}

/* --- reading ------------------------------------------------------------------------------------------- */

void trajectory_close(TrajectoryReader *reader)
{
  if (reader == NULL)
    return;
  if (reader->format != NULL && reader->format->close != NULL)
    reader->format->close(reader);
  lines_close(&reader->lines);
  if (reader->file != NULL)
    fclose(reader->file); /* only read: nothing can be lost */
  free(reader->own);
  free(reader->path);
  free(reader);
}

static Status open_file(TrajectoryReader *reader, Error *error)
{
  struct stat info;
  TRY(file_open(&reader->file, reader->path, error));
  if (fstat(fileno(reader->file), &info) != 0)
    return error_set(error, STATUS_IO, "%s: %s", reader->path, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return error_set(error, STATUS_INPUT,
                     "%s: is not a regular file, where a structure or trajectory is expected", reader->path);
  TRY(unpacked_open(&reader->file, reader->path, &reader->packed, error));
  if (fstat(fileno(reader->file), &info) != 0 || info.st_size == 0)
    return error_set(error, STATUS_INPUT, "%s: the file is empty", reader->path);
  reader->size = info.st_size;
  return STATUS_OK;
}

static Status choose_format(TrajectoryReader *reader, Error *error)
{
  char head[HEAD + 1] = {0};
  const size_t size = fread(head, 1, HEAD, reader->file);
  if (ferror(reader->file) || fseeko(reader->file, 0, SEEK_SET) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
  reader->format = find_content(reader->path, head, size);
  if (reader->format == NULL)
    return error_set(error, STATUS_INPUT,
                     "%s: neither suffix nor content is that of a known format; known: %s", reader->path,
                     known_formats().text);
  return STATUS_OK;
}

static Status reader_open(TrajectoryReader *reader, Error *error)
{
  TRY_MEMORY(reader->path != NULL, "a trajectory reader", error);
  TRY(open_file(reader, error));
  TRY(choose_format(reader, error));
  TRY(lines_open(&reader->lines, reader->file, reader->path, error));
  return reader->format->open != NULL ? reader->format->open(reader, error) : STATUS_OK;
}

Status trajectory_open(TrajectoryReader **out, const char *path, Error *error)
{
  LOCALE_PLAIN;
  *out = NULL;
  TrajectoryReader *reader = calloc(1, sizeof *reader);
  TRY_MEMORY(reader != NULL, "a trajectory reader", error);
  reader->path = strdup(path);
  TRY_ELSE(reader_open(reader, error), trajectory_close(reader));
  *out = reader;
  return STATUS_OK;
}

static Status check_volume(const TrajectoryReader *reader, const Frame *frame, Error *error)
{
  const double(*c)[3] = frame->cell;
  const double volume = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                        c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                        c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
  if (!frame->has_cell || fabs(volume) > 0.0)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s, frame %lld: the box has no volume", reader->path,
                   (long long)reader->frame);
}

Status trajectory_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  LOCALE_PLAIN;
  *end = false;
  reader->frame += reader->found;
  reader->found = false;
  Error own;
  Status status = reader->format->next(reader, frame, end, &own);
  /* A text file that ends within a line or a frame, after a good frame, was cut short. */
  if (status == STATUS_INPUT && reader->frame > 0 && reader->lines.ended) {
    snprintf(reader->warning, sizeof reader->warning, "frame %lld is cut short and left out (%.400s)",
             (long long)reader->frame, own.text);
    *end = true;
    status = STATUS_OK;
  }
  if (status != STATUS_OK)
    return error_pass(error, status, &own);
  if (*end && reader->frame == 0)
    return error_set(error, STATUS_INPUT, "%s: no atoms in this %s file", reader->path, reader->format->name);
  reader->natoms = *end ? reader->natoms : frame->natoms;
  reader->found = !*end;
  return STATUS_OK;
}

Status trajectory_fill(TrajectoryReader *reader, Frame *frame, Error *error)
{
  if (reader->format->fill != NULL)
    TRY(reader->format->fill(reader, frame, error));
  return check_volume(reader, frame, error);
}

Status trajectory_read(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  TRY(trajectory_next(reader, frame, end, error));
  return *end ? STATUS_OK : trajectory_fill(reader, frame, error);
}

const char *trajectory_warning(const TrajectoryReader *reader) { return reader->warning; }

Status trajectory_read_first(const char *path, Frame *frame, Error *error)
{
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  bool end;
  TRY(trajectory_open(&reader, path, error));
  return trajectory_read(reader, frame, &end, error);
}

/* --- for the formats ----------------------------------------------------------------------------------- */

Status trajectory_expect_atoms(TrajectoryReader *reader, Frame *frame, int64_t count, int row_size,
                               Error *error)
{
  const int64_t left = reader->size - ftello(reader->file);
  if (reader->frame > 0 && count != reader->natoms)
    return lines_fail(&reader->lines, error, "frame %lld has %lld atoms, the first frame has %d",
                      (long long)reader->frame, (long long)count, reader->natoms);
  if (count < 1)
    return lines_fail(&reader->lines, error, "the number of atoms is %lld: at least 1 is expected",
                      (long long)count);
  if (reader->frame == 0 && (count > INT32_MAX || count > left / row_size + 1))
    return lines_fail(&reader->lines, error, "%lld atoms are announced, but only %lld bytes follow",
                      (long long)count, (long long)left);
  return frame_resize(frame, (int)count, error);
}

Status trajectory_check_row(const TrajectoryReader *reader, const double x[3], Error *error)
{
  for (int d = 0; d < 3; d++)
    if (!isfinite(x[d]))
      return lines_fail(&reader->lines, error, "coordinate %c is %g: a finite number is expected", "xyz"[d],
                        x[d]);
  return STATUS_OK;
}

Status trajectory_check_end(const TrajectoryReader *reader, Error *error)
{
  return reader->frame == 0 || reader->lines.complete
             ? STATUS_OK
             : lines_fail(&reader->lines, error, "the last line has no line end");
}

Status trajectory_need_symbols(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error)
{
  return frame->has_symbols
             ? STATUS_OK
             : error_set(error, STATUS_RUN, "%s: %s needs the atoms' symbols", writer->out.path, format);
}

Status trajectory_misfit(TrajectoryWriter *writer, const Frame *frame, int atom, int d, double value,
                         const char *why, Error *error)
{
  writer->misfit = true;
  return misfit_error(writer, frame, atom, d, value, why, error);
}

Status trajectory_need_upright(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error)
{
  const double(*c)[3] = frame->cell;
  const bool lies =
      c[0][0] > 0.0 && c[0][1] == 0.0 && c[0][2] == 0.0 && c[1][1] > 0.0 && c[1][2] == 0.0 && c[2][2] > 0.0;
  return !frame->has_cell || lies
             ? STATUS_OK
             : error_set(error, STATUS_RUN, "%s: %s needs a box with a along x and b in the xy plane",
                         writer->out.path, format);
}

void trajectory_put_title(const TrajectoryWriter *writer, const Frame *frame, int most, Bytes *out)
{
  const int length = (int)strcspn(writer->title, "\r\n");
  bytes_printf(out, "%.*s", length < most ? length : most, writer->title);
  if (length == 0)
    bytes_printf(out, "holonom " HOLONOM_VERSION);
  if (isfinite(frame->time))
    bytes_printf(out, " t= %.5f", frame->time);
  if (frame->step >= 0)
    bytes_printf(out, " step= %lld", (long long)frame->step);
}

void trajectory_title_time(Frame *frame)
{
  for (const char *at = frame->title; (at = strchr(at, '=')) != NULL; at++) {
    const size_t length = (size_t)(at - frame->title);
    char *rest;
    if (length >= 1 && at[-1] == 't' && (length == 1 || at[-2] == ' ')) {
      const double time = strtod(at + 1, &rest);
      if (rest != at + 1 && isfinite(time))
        frame->time = time;
    }
    if (length >= 4 && strncmp(at - 4, "step", 4) == 0 && (length == 4 || at[-5] == ' ')) {
      const long long step = strtoll(at + 1, &rest, 10);
      if (rest != at + 1)
        frame->step = step;
    }
  }
}
