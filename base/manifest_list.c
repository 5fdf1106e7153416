#include "base/manifest_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scoped.h"

static const char head[] = "Files of Holonom in this folder; what is not named here is never replaced or "
                           "removed.\n";

/* Marks a line that was cut off: it is not a name. */
static const char torn_mark = '?';

static Status list_refuse(const char *path, Status bad, Error *error)
{
  return error_set(
      error, bad,
      "%s is not Holonom's list of files, which has this name: move it, or choose another folder with -o",
      path);
}

/* A list that a kill cut off in its first line is valid. */
static bool is_list(const char *text, size_t length)
{
  const size_t n = sizeof head - 1;
  return memcmp(text, head, length < n ? length : n) == 0;
}

Status manifest_list_read(const char *dir, ManifestList *list, Status bad, Error *error)
{
  enum { LARGEST = 1 << 26 };
  *list = (ManifestList){NULL, 0};
  struct stat info;
  SCOPED(scoped_free) char *path = file_path(dir, MANIFEST_NAME);
  SCOPED(scoped_free) char *text = NULL;
  size_t used;
  TRY_MEMORY(path != NULL, "a file name", error);
  if (lstat(path, &info) != 0)
    return STATUS_OK;
  if (!S_ISREG(info.st_mode))
    return list_refuse(path, bad, error);
  const Status status = file_read(path, LARGEST, &text, &used, error);
  if (status == STATUS_INPUT && bad != STATUS_INPUT)
    return error_set(error, bad, "%s cannot be read", path);
  TRY(status);
  if (!is_list(text, used))
    return list_refuse(path, bad, error);
  char *last = strrchr(text, '\n');
  *(last != NULL ? last + 1 : text) = '\0';
  *list = (ManifestList){text, used};
  text = NULL;
  return STATUS_OK;
}

/* The next name from *at on, after which *at is moved; NULL: end. */
const char *manifest_list_next(const char **at, size_t *length)
{
  while (*at != NULL && **at != '\0') {
    const char *const line = *at;
    *length = strcspn(line, "\n");
    *at = line + *length + 1;
    if (*length > 0 && line[*length - 1] != torn_mark)
      return line;
  }
  return NULL;
}

const char *manifest_list_names(const ManifestList *list)
{
  return list->text != NULL && list->used >= sizeof head - 1 ? list->text + sizeof head - 1 : NULL;
}

bool manifest_list_has(const ManifestList *list, const char *name, const char *behind)
{
  const size_t n = strlen(name), m = strlen(behind);
  const char *at = manifest_list_names(list), *line;
  for (size_t length; (line = manifest_list_next(&at, &length)) != NULL;)
    if (length == n + m && memcmp(line, name, n) == 0 && memcmp(line + n, behind, m) == 0)
      return true;
  return false;
}

static int put(int fd, const unsigned char *data, size_t size)
{
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : ENOSPC;
    data += n;
    size -= (size_t)n;
  }
  return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS ? 0 : errno;
}

/* Appends lines, and syncs to disk; an incomplete line before them is completed as such. */
Status manifest_list_append(const char *dir, const ManifestList *list, const Bytes *lines, Error *error)
{
  SCOPED(scoped_free) char *path = file_path(dir, MANIFEST_NAME);
  SCOPED(bytes_free) Bytes all = {0};
  const size_t whole = list->text != NULL ? strlen(list->text) : 0;
  if (list->used < sizeof head - 1)
    bytes_put(&all, head + list->used, sizeof head - 1 - list->used);
  else if (whole < list->used)
    bytes_printf(&all, "%c\n", torn_mark);
  bytes_put(&all, lines->data, lines->size);
  TRY_MEMORY(path != NULL && !all.failed && !lines->failed, "a list of files", error);
  const int new = list->text == NULL ? O_CREAT : 0;
  const int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | new, 0666);
  int why = fd < 0 ? errno : put(fd, all.data, all.size);
  if (fd >= 0 && close(fd) != 0 && why == 0 && errno != EINTR)
    why = errno;
  if (why != 0)
    return error_set(error, STATUS_IO, "cannot write %s: %s", path, strerror(why));
  if (new != 0)
    file_sync_folder(dir != NULL ? dir : ".");
  return STATUS_OK;
}

bool manifest_list_takes(const char *name)
{
  const size_t length = strlen(name);
  return length > 0 && strpbrk(name, "\n/") == NULL && name[length - 1] != torn_mark;
}

/* Replaces the list by these lines, or removes it without lines. */
Status manifest_list_replace(const char *dir, const Bytes *lines, Error *error)
{
  SCOPED(scoped_free) char *path = file_path(dir, MANIFEST_NAME);
  SCOPED(scoped_free) char *part = file_path(dir, MANIFEST_NAME ".part");
  int fd = -1;
  struct stat info;
  TRY_MEMORY(path != NULL && part != NULL && !lines->failed, "a list of files", error);
  if (lines->size == 0)
    return unlink(path) == 0 || errno == ENOENT
               ? STATUS_OK
               : error_set(error, STATUS_IO, "cannot remove %s: %s", path, strerror(errno));
  if (lstat(part, &info) == 0 && !(S_ISREG(info.st_mode) && (info.st_size == 0 || file_begins(part, head))))
    return list_refuse(part, STATUS_IO, error);
  TRY(file_begin_partial(&fd, path, true, error));
  const int why = put(fd, (const unsigned char *)head, sizeof head - 1);
  return file_finish_partial(fd, path, why != 0 ? why : put(fd, lines->data, lines->size), error);
}
