#include "io/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Text {
  FILE *file;
  int failure; /* errno of the first failed write */
  char path[];
};

static Status open_text(Text **text, const char *dir, const char *name, const char *mode, Error *error)
{
  *text = NULL;
  const size_t size = strlen(dir) + strlen(name) + 2;
  Text *t = malloc(sizeof *t + size);
  if (t == NULL)
    return error_memory(error, "a file name");
  t->failure = 0;
  snprintf(t->path, size, "%s/%s", dir, name);
  t->file = fopen(t->path, mode);
  if (t->file == NULL) {
    const Status status = error_set(error, STATUS_IO, "cannot write %s: %s", t->path, strerror(errno));
    free(t);
    return status;
  }
  *text = t;
  return STATUS_OK;
}

Status text_create(Text **text, const char *dir, const char *name, Error *error)
{
  return open_text(text, dir, name, "w", error);
}

Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error)
{
  const Status status = open_text(text, dir, name, "a", error);
  if (status != STATUS_OK || length < 0)
    return status;
  Text *t = *text;
  struct stat info;
  int bad = fstat(fileno(t->file), &info) != 0;
  if (!bad && info.st_size < length) {
    bad = 1;
    errno = EINVAL; /* it would be filled up with zeros */
  }
  if (!bad && ftruncate(fileno(t->file), length) == 0)
    return STATUS_OK;
  error_set(error, STATUS_IO, "cannot go on with %s after %lld bytes: %s", t->path, (long long)length,
            strerror(errno));
  fclose(t->file); /* nothing was written */
  free(t);
  *text = NULL;
  return STATUS_IO;
}

void text_print(Text *text, const char *format, ...)
{
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
  char *path = text_path(dir, name);
  struct stat info;
  const int there = path != NULL && stat(path, &info) == 0;
  free(path);
  return there ? info.st_size : -1;
}

char *text_path(const char *dir, const char *name)
{
  const size_t size = strlen(dir) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "%s/%s", dir, name);
  return path;
}

void text_append(char *words, size_t size, const char *format, ...)
{
  const size_t used = strlen(words);
  va_list args;
  va_start(args, format);
  vsnprintf(words + used, size - used, format, args);
  va_end(args);
}

Status text_remove(const char *dir, const char *name, Error *error)
{
  char *path = text_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
    status = error_set(error, STATUS_IO, "cannot take away %s: %s", path, strerror(errno));
  free(path);
  return status;
}
