#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/locale.h"

struct Text {
  FILE *file;
  int failure; /* errno of the first failed write */
  char *path;
};

/* Takes over the descriptor. */
static Status adopt(Text **text, char *path, int fd, Error *error)
{
  Text *t = calloc(1, sizeof *t);
  FILE *file = t != NULL ? fdopen(fd, "a") : NULL;
  if (file == NULL) {
    const Status status = t == NULL
                              ? error_memory(error, "a text file")
                              : error_set(error, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    free(t);
    free(path);
    close(fd);
    return status;
  }
  t->file = file;
  t->path = path;
  *text = t;
  return STATUS_OK;
}

Status text_create(Text **text, const char *dir, const char *name, Error *error)
{
  *text = NULL;
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  int fd;
  const Status status = file_new(&fd, path, true, error);
  if (status == STATUS_OK)
    return adopt(text, path, fd, error);
  free(path);
  return status;
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

Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error)
{
  if (length < 0 && !text_exists(dir, name))
    return text_create(text, dir, name, error);
  *text = NULL;
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  int fd;
  Status status = file_reopen(&fd, path, O_APPEND, error);
  const int why = status == STATUS_OK && length >= 0 ? cut(fd, length) : 0;
  if (why != 0) {
    status = error_set(error, STATUS_IO, "cannot go on with %s after %lld bytes: %s", path, (long long)length,
                       strerror(why));
    close(fd);
  }
  if (status == STATUS_OK)
    return adopt(text, path, fd, error);
  free(path);
  return status;
}

void text_print(Text *text, const char *format, ...)
{
  LOCALE_PLAIN;
  va_list args;
  va_start(args, format);
  if (vfprintf(text->file, format, args) < 0 && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  va_end(args);
}

void text_quoted(Text *text, const char *key, const char *value)
{
  text_print(text, "%s: \"", key);
  for (const char *c = value; *c != '\0'; c++)
    text_print(text, *c == '"' || *c == '\\' ? "\\%c" : *c == '\n' ? "\\n" : "%c", *c);
  text_print(text, "\"\n");
}

Status text_flush(Text *text, Error *error)
{
  if (fflush(text->file) != 0 && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  if (text->failure != 0)
    return error_set(error, STATUS_IO, "writing %s: %s; what was written before stays readable", text->path,
                     strerror(text->failure));
  return STATUS_OK;
}

Status text_sync(Text *text, int64_t *length, Error *error)
{
  const Status status = text_flush(text, error);
  if (status != STATUS_OK)
    return status;
  struct stat info;
  if (fsync(fileno(text->file)) != 0 || fstat(fileno(text->file), &info) != 0)
    return error_set(error, STATUS_IO, "writing %s: %s", text->path, strerror(errno));
  *length = info.st_size;
  return STATUS_OK;
}

Status text_close(Text *text, Error *error)
{
  if (text == NULL)
    return STATUS_OK;
  Status status = text_flush(text, error);
  if (fclose(text->file) != 0 && status == STATUS_OK)
    status = error_set(error, STATUS_IO, "closing %s: %s", text->path, strerror(errno));
  free(text->path);
  free(text);
  return status;
}

Status text_make_folder(const char *path, Error *error)
{
  char *copy = strdup(path);
  if (copy == NULL)
    return error_memory(error, "a folder name");
  Status status = STATUS_OK;
  for (char *c = copy + 1; status == STATUS_OK; c++) {
    if (*c != '/' && *c != '\0')
      continue;
    const char keep = *c;
    *c = '\0';
    if (mkdir(copy, 0777) != 0 && errno != EEXIST)
      status = error_set(error, STATUS_INPUT, "cannot make the folder %s: %s", copy, strerror(errno));
    *c = keep;
    if (keep == '\0')
      break;
  }
  struct stat info;
  if (status == STATUS_OK && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)))
    status = error_set(error, STATUS_INPUT, "%s is there but is no folder; give another with -o", path);
  free(copy);
  return status;
}

int text_exists(const char *dir, const char *name) { return text_length(dir, name) >= 0; }

int64_t text_length(const char *dir, const char *name)
{
  char *path = file_path(dir, name);
  struct stat info;
  const int there = path != NULL && stat(path, &info) == 0;
  free(path);
  return there ? info.st_size : -1;
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

Status text_remove(const char *dir, const char *name, Error *error)
{
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
    status = error_set(error, STATUS_IO, "cannot take away %s: %s", path, strerror(errno));
  free(path);
  return status;
}
