#include "engine/owned_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/file.h"

static const char head[] = "Files of Holonom in this folder; what is not named here is never replaced or "
                           "removed.\n";

/* Behind a line that was torn: it is no name. */
static const char torn_mark = '?';

static Status list_refuse(const char *path, Status bad, Error *error)
{
  return error_set(error, bad,
                   "%s is no list of Holonom's files, which is kept under this name: move it away, or give "
                   "another folder with -o",
                   path);
}

/* A list that a kill tore in its first line is one. */
static bool is_list(const char *text, size_t length)
{
  const size_t n = sizeof head - 1;
  return memcmp(text, head, length < n ? length : n) == 0;
}

Status owned_list_read(const char *dir, OwnedList *list, Status bad, Error *error)
{
  enum { LARGEST = 1 << 26 };
  *list = (OwnedList){NULL, 0};
  struct stat info;
  char *path = file_path(dir, OWNED_LIST);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  if (lstat(path, &info) == 0) {
    status = S_ISREG(info.st_mode) ? file_read(path, LARGEST, &list->text, &list->used, error)
                                   : list_refuse(path, bad, error);
    if (status == STATUS_OK && !is_list(list->text, list->used))
      status = list_refuse(path, bad, error);
    if (status == STATUS_INPUT && bad != STATUS_INPUT)
      status = error_set(error, bad, "%s cannot be read", path);
    if (status != STATUS_OK)
      free(list->text);
    else {
      char *last = strrchr(list->text, '\n');
      *(last != NULL ? last + 1 : list->text) = '\0';
    }
  }
  free(path);
  if (status != STATUS_OK)
    *list = (OwnedList){NULL, 0};
  return status;
}

/* The next name from *at on, which goes on; NULL: none. */
const char *owned_list_next(const char **at, size_t *length)
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

const char *owned_list_names(const OwnedList *list)
{
  return list->text != NULL && list->used >= sizeof head - 1 ? list->text + sizeof head - 1 : NULL;
}

bool owned_list_has(const OwnedList *list, const char *name, const char *behind)
{
  const size_t n = strlen(name), m = strlen(behind);
  const char *at = owned_list_names(list), *line;
  for (size_t length; (line = owned_list_next(&at, &length)) != NULL;)
    if (length == n + m && memcmp(line, name, n) == 0 && memcmp(line + n, behind, m) == 0)
      return true;
  return false;
}

bool owned_list_found(const OwnedList *list, const char *name)
{
  const size_t n = sizeof OWNED_LIST_FOUND - 1;
  const char *at = owned_list_names(list), *line;
  for (size_t length; (line = owned_list_next(&at, &length)) != NULL;)
    if (length == n + strlen(name) && memcmp(line, OWNED_LIST_FOUND, n) == 0 &&
        memcmp(line + n, name, length - n) == 0)
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

/* Lines behind the list, down to the disk; a torn line before them is closed as one. */
Status owned_list_append(const char *dir, const OwnedList *list, const Bytes *lines, Error *error)
{
  char *path = file_path(dir, OWNED_LIST);
  Bytes all = {0};
  const size_t whole = list->text != NULL ? strlen(list->text) : 0;
  if (list->used < sizeof head - 1)
    bytes_put(&all, head + list->used, sizeof head - 1 - list->used);
  else if (whole < list->used)
    bytes_printf(&all, "%c\n", torn_mark);
  bytes_put(&all, lines->data, lines->size);
  Status status =
      path == NULL || all.failed || lines->failed ? error_memory(error, "a list of files") : STATUS_OK;
  if (status == STATUS_OK) {
    const int new = list->text == NULL ? O_CREAT : 0;
    const int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | new, 0666);
    int why = fd < 0 ? errno : put(fd, all.data, all.size);
    if (fd >= 0 && close(fd) != 0 && why == 0 && errno != EINTR)
      why = errno;
    if (why != 0)
      status = error_set(error, STATUS_IO, "cannot write %s: %s", path, strerror(why));
    else if (new != 0)
      file_sync_folder(dir != NULL ? dir : ".");
  }
  bytes_free(&all);
  free(path);
  return status;
}

bool owned_list_takes(const char *name)
{
  const size_t length = strlen(name);
  return length > 0 && strpbrk(name, "\n/") == NULL && name[length - 1] != torn_mark;
}

/* The list anew with these lines, or away without any. */
Status owned_list_replace(const char *dir, const Bytes *lines, Error *error)
{
  char *path = file_path(dir, OWNED_LIST), *part = file_path(dir, OWNED_LIST ".part");
  int fd = -1;
  Status status =
      path == NULL || part == NULL || lines->failed ? error_memory(error, "a list of files") : STATUS_OK;
  struct stat info;
  if (status == STATUS_OK && lines->size == 0)
    status = unlink(path) == 0 || errno == ENOENT
                 ? STATUS_OK
                 : error_set(error, STATUS_IO, "cannot take away %s: %s", path, strerror(errno));
  else if (status == STATUS_OK && lstat(part, &info) == 0 &&
           !(S_ISREG(info.st_mode) && (info.st_size == 0 || file_begins(part, head))))
    status = list_refuse(part, STATUS_IO, error);
  else if (status == STATUS_OK && (status = file_begin_part(&fd, path, true, error)) == STATUS_OK) {
    int why = put(fd, (const unsigned char *)head, sizeof head - 1);
    why = why != 0 ? why : put(fd, lines->data, lines->size);
    status = file_finish_part(fd, path, why, error);
  }
  free(path);
  free(part);
  return status;
}
