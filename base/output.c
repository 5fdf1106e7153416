#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/manifest.h"

static Status resume(Output *o, const OutputUse *use, Error *error)
{
  struct stat info;
  TRY(file_reopen(&o->fd, o->path, error));
  if (fstat(o->fd, &info) != 0)
    return error_set(error, STATUS_IO, "%s: %s", o->path, strerror(errno));
  if (info.st_size < use->size) /* truncation would extend it with zeros */
    return error_set(error, STATUS_IO, "%s: has %lld bytes, but %lld were recorded", o->path,
                     (long long)info.st_size, (long long)use->size);
  o->size = use->size < 0 ? info.st_size : use->size;
  return use->uncut || use->size < 0 || output_cut(o)
             ? STATUS_OK
             : error_set(error, STATUS_IO, "%s: cannot be truncated: %s", o->path, strerror(errno));
}

static Status open_file(Output *o, const OutputUse *use, Error *error)
{
  TRY_MEMORY(o->path != NULL, "a file name", error);
  TRY(use->listed ? manifest_claim(NULL, o->path, error) : STATUS_OK);
  if (use->resume)
    return resume(o, use, error);
  if (!o->whole || (!use->replace && file_lies(o->path))) /* file_new reports the error */
    return file_new(&o->fd, o->path, use->replace, error);
  return file_begin_partial(&o->fd, o->path, use->listed, error);
}

Status output_open(Output *output, const char *dir, const char *name, const OutputUse *use, Error *error)
{
  *output = (Output){.path = file_path(dir, name), .fd = -1, .whole = use->whole && !use->resume};
  TRY_ELSE(open_file(output, use, error), output_discard(output));
  return STATUS_OK;
}

bool output_append(Output *output, const void *data, size_t size)
{
  if (!bytes_write(output->fd, data, size, output->size))
    return false;
  output->size += (int64_t)size;
  return true;
}

bool output_cut(const Output *output) { return ftruncate(output->fd, output->size) == 0; }

Status output_sync(const Output *output, Error *error)
{
  return fsync(output->fd) == 0 ? STATUS_OK : output_fail(output, errno, error);
}

Status output_fail(const Output *output, int why, Error *error)
{
  return error_set(error, STATUS_IO, "writing %s: %s; earlier output remains readable", output->path,
                   strerror(why));
}

static void release(Output *o)
{
  free(o->path);
  *o = (Output){.fd = -1};
}

Status output_close(Output *output, int why, Error *error)
{
  Status status = STATUS_OK;
  if (output->whole)
    status = file_finish_partial(output->fd, output->path, why, error);
  else {
    if (why != 0)
      status = output_fail(output, why, error);
    if (close(output->fd) != 0 && errno != EINTR && status == STATUS_OK)
      status = error_set(error, STATUS_IO, "closing %s: %s", output->path, strerror(errno));
  }
  release(output);
  return status;
}

void output_discard(Output *output)
{
  if (output->fd >= 0 && output->whole)
    file_discard_partial(output->fd, output->path);
  else if (output->fd >= 0)
    close(output->fd);
  release(output);
}
