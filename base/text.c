#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/manifest.h"
#include "base/printable.h"

struct Text {
  FILE *file;
  int fd;
  char *path;
  int failure; /* errno of the first failed write       */
  bool part;   /* takes its place when it is closed     */
};

/* What the stream writes. One of its own tells why it failed only where it is asked at once, and most of what
 * is printed is not: here the reason is kept. */
static ssize_t put(void *self, const char *data, size_t size)
{
  Text *t = self;
  size_t done = 0;
  while (done < size && t->failure == 0) {
    const ssize_t n = write(t->fd, data + done, size - done);
    if (n >= 0)
      done += (size_t)n;
    else if (errno != EINTR)
      t->failure = errno;
  }
  errno = t->failure;
  return t->failure == 0 ? (ssize_t)size : 0; /* 0: failed */
}

/* Cuts the file to its first `length` bytes; 0 or errno. */
static int cut(int fd, int64_t length)
{
  struct stat info;
  if (fstat(fd, &info) != 0)
    return errno;
  if (info.st_size < length)
    return EINVAL; /* it would be filled up with zeros */
  return ftruncate(fd, length) == 0 ? 0 : errno;
}

typedef enum How { CREATE, REPLACE, RESUME, NAMED } How;

static Status open_file(Text *t, How how, int64_t length, Error *error)
{
  int fd;
  TRY_MEMORY(t->path != NULL, "a file name", error);
  TRY(how != NAMED ? manifest_claim(NULL, t->path, error) : STATUS_OK);
  TRY(how == CREATE   ? file_new(&fd, t->path, true, error)
      : how == RESUME ? file_reopen(&fd, t->path, O_APPEND, error)
                      : file_begin_partial(&fd, t->path, how == REPLACE, error));
  const int why = how == RESUME && length >= 0 ? cut(fd, length) : 0;
  if (why != 0)
    (void)error_set(error, STATUS_IO, "cannot go on with %s after %lld bytes: %s", t->path, (long long)length,
                    strerror(why));
  else if ((t->file = fopencookie(t, "a", (cookie_io_functions_t){.write = put})) == NULL)
    (void)error_set(error, STATUS_IO, "cannot write %s: %s", t->path, strerror(errno));
  t->fd = fd;
  if (t->file != NULL)
    return STATUS_OK;
  if (t->part)
    file_discard_partial(fd, t->path);
  else
    close(fd);
  return STATUS_IO;
}

static Status begin(Text **text, const char *dir, const char *name, How how, int64_t length, Error *error)
{
  *text = NULL;
  Text *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "a text file", error);
  t->part = how == REPLACE || how == NAMED;
  t->path = file_path(dir, name);
  TRY_ELSE(open_file(t, how, length, error), (free(t->path), free(t)));
  *text = t;
  return STATUS_OK;
}

Status text_create(Text **text, const char *dir, const char *name, Error *error)
{
  return begin(text, dir, name, CREATE, 0, error);
}

Status text_replace(Text **text, const char *dir, const char *name, Error *error)
{
  return begin(text, dir, name, REPLACE, 0, error);
}

Status text_replace_named(Text **text, const char *path, Error *error)
{
  return begin(text, NULL, path, NAMED, 0, error);
}

Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error)
{
  return begin(text, dir, name, length < 0 && !file_exists(dir, name) ? CREATE : RESUME, length, error);
}

FILE *text_file(Text *text) { return text->file; }

void text_print(Text *text, const char *format, ...)
{
  LOCALE_PLAIN;
  va_list args;
  va_start(args, format);
  if (vfprintf(text->file, format, args) < 0 && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  va_end(args);
}

void text_say(Text *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  printable_vprint(text->file, format, args); /* the stream remembers what fails */
  va_end(args);
}

void text_csv_word(FILE *file, const char *word)
{
  fputc('"', file);
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '"')
      fputc('"', file);
    fputc(*c, file);
  }
  fputc('"', file);
}

/* Hands everything to the system; the errno of the first write that failed, or 0. */
static int flush(Text *text)
{
  errno = 0;
  if ((fflush(text->file) != 0 || ferror(text->file)) && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  return text->failure;
}

static Status unwritten(const Text *text, int why, Error *error)
{
  return error_set(error, STATUS_IO, "writing %s: %s; what was written before stays readable", text->path,
                   strerror(why));
}

Status text_flush(Text *text, Error *error)
{
  const int why = flush(text);
  return why == 0 ? STATUS_OK : unwritten(text, why, error);
}

Status text_sync(Text *text, int64_t *length, Error *error)
{
  TRY(text_flush(text, error));
  struct stat info;
  if (fsync(text->fd) != 0 || fstat(text->fd, &info) != 0)
    return error_set(error, STATUS_IO, "writing %s: %s", text->path, strerror(errno));
  *length = info.st_size;
  return STATUS_OK;
}

Status text_close(Text *text, Error *error)
{
  if (text == NULL)
    return STATUS_OK;
  const int why = flush(text);
  (void)fclose(text->file); /* it was flushed, and the descriptor is ours */
  Status status = STATUS_OK;
  if (text->part)
    status = file_finish_partial(text->fd, text->path, why, error);
  else {
    if (why != 0)
      status = unwritten(text, why, error);
    if (close(text->fd) != 0 && errno != EINTR && status == STATUS_OK)
      status = error_set(error, STATUS_IO, "closing %s: %s", text->path, strerror(errno));
  }
  free(text->path);
  free(text);
  return status;
}

void text_discard(Text *text)
{
  if (text == NULL)
    return;
  (void)fclose(text->file);
  file_discard_partial(text->fd, text->path);
  free(text->path);
  free(text);
}

const char *text_word(const char *text, int *length)
{
  text += strspn(text, " ");
  *length = (int)strcspn(text, " ");
  return *length > 0 ? text : NULL;
}

bool text_ends(const char *text, const char *end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

void text_append(char *words, size_t size, const char *format, ...)
{
  LOCALE_PLAIN;
  const size_t used = strlen(words);
  va_list args;
  va_start(args, format);
  vsnprintf(words + used, size - used, format, args);
  va_end(args);
}
