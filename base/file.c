#include "base/file.h"
#include "base/scoped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void file_reserve_standard(void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", O_RDWR); /* gets the lowest free number, which is this one */
}

char *file_path(const char *dir, const char *name)
{
  if (dir == NULL)
    return strdup(name);
  const size_t size = strlen(dir) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "%s/%s", dir, name);
  return path;
}

const char *file_last(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* --- reading ---------------------------------------------------------------------------------------------
 */

/* Why a file cannot be read from, or NULL. */
static const char *unfit(const struct stat *info)
{
  if (S_ISDIR(info->st_mode))
    return "is a directory, not a file";
  if (!S_ISREG(info->st_mode) && !S_ISFIFO(info->st_mode))
    return "is a device, not a file";
  return NULL;
}

Status file_open(FILE **file, const char *path, Error *error)
{
  *file = NULL;
  if (*path == '\0')
    return error_set(error, STATUS_INPUT, "the file name is empty");
  /* Without O_NONBLOCK, opening or reading a pipe without a writer would block. */
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return error_set(error, STATUS_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  struct stat info;
  const char *why = fstat(fd, &info) != 0 ? strerror(errno) : unfit(&info);
  if (why == NULL && (fcntl(fd, F_SETFL, 0) != 0 || (*file = fdopen(fd, "r")) == NULL))
    why = strerror(errno);
  if (why == NULL)
    return STATUS_OK;
  close(fd);
  return error_set(error, STATUS_INPUT, "%s: %s", path, why);
}

Status file_read_stream(FILE *file, const char *path, size_t most, char **text, size_t *length, Error *error)
{
  *text = NULL;
  size_t used = 0, size = 1 << 16;
  char *buffer = malloc(size);
  while (buffer != NULL) {
    used += fread(buffer + used, 1, size - 1 - used, file);
    if (used < size - 1 || used > most)
      break;
    size *= 2;
    char *larger = realloc(buffer, size);
    if (larger == NULL)
      free(buffer);
    buffer = larger;
  }
  TRY_MEMORY(buffer != NULL, path, error);
  const bool failed = ferror(file) != 0;
  if (failed || used > most) {
    const int why = errno;
    free(buffer);
    return failed
               ? error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(why))
               : error_set(error, STATUS_INPUT, "%s: is larger than the limit of %zu KiB", path, most / 1024);
  }
  buffer[used] = '\0';
  *text = buffer;
  if (length != NULL)
    *length = used;
  return STATUS_OK;
}

Status file_read(const char *path, size_t most, char **text, size_t *length, Error *error)
{
  *text = NULL;
  FILE *file;
  TRY(file_open(&file, path, error));
  Status status = file_read_stream(file, path, most, text, length, error);
  fclose(file); /* was only read: no data can be lost */
  return status;
}

bool file_same(const char *one, const char *other)
{
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool file_begins(const char *path, const char *text)
{
  struct stat info;
  FILE *file;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || file_open(&file, path, NULL) != STATUS_OK)
    return false;
  bool same = true;
  for (const char *c = text; *c != '\0' && same; c++)
    same = getc(file) == (unsigned char)*c;
  fclose(file); /* was only read */
  return same;
}

/* --- writing ---------------------------------------------------------------------------------------------
 */

static Status refuse(Error *error, const char *path, const char *why)
{
  return error_set(error, STATUS_IO, "cannot write %s: %s", path, why);
}

/* Whether path does not exist, or is a regular file. */
static bool replaceable(const char *path)
{
  struct stat info;
  return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

Status file_new(int *fd, const char *path, bool replace, Error *error)
{
  static const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  *fd = -1;
  if (replace && !replaceable(path))
    return refuse(error, path, "it exists and is not a regular file");
  if (replace && unlink(path) != 0 && errno != ENOENT)
    return refuse(error, path, strerror(errno));
  *fd = open(path, flags, 0666);
  if (*fd >= 0)
    return STATUS_OK;
  if (errno == EEXIST)
    return error_set(error, STATUS_IO,
                     "%s: the file exists and is not overwritten: choose another name or move it", path);
  return refuse(error, path, strerror(errno));
}

Status file_reopen(int *fd, const char *path, Error *error)
{
  struct stat info;
  *fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (*fd < 0)
    return refuse(error, path,
                  errno == ELOOP ? "it is now a link, and links are not followed" : strerror(errno));
  if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode) && fcntl(*fd, F_SETFL, 0) == 0)
    return STATUS_OK;
  close(*fd);
  *fd = -1;
  return refuse(error, path, "it exists and is not a regular file");
}

/* The names of a partial file: path.part in a folder with a manifest, otherwise names of this program alone:
 * path.holonom.part, path.holonom.part2, ... */
enum { PART_OWNED, PART_NAMED, PARTIALS = 100 };

static char *part_of(const char *path, int i)
{
  const size_t size = strlen(path) + 32;
  char *part = malloc(size);
  if (part != NULL && i == PART_OWNED)
    snprintf(part, size, "%s.part", path);
  else if (part != NULL && i == PART_NAMED)
    snprintf(part, size, "%s.holonom.part", path);
  else if (part != NULL)
    snprintf(part, size, "%s.holonom.part%d", path, i);
  return part;
}

/* Whether the open file is the one at path: another program may have replaced it. */
static bool lies_at(int fd, const char *path)
{
  struct stat a, b;
  return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Removes a partial file of a killed program: the lock of a running writer exists as long as its process. */
static void remove_stale(const char *part)
{
  struct stat info;
  const int fd = open(part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
      lies_at(fd, part))
    (void)unlink(part);
  close(fd);
}

/* Creates a partial file with this name, and locks it if the file system has locks. *fd is -1 if the name is
 * in use: by a writer, or because another program removed the new file before it was locked. */
static Status begin_named(int *fd, const char *part, Error *error)
{
  remove_stale(part);
  if (file_lies(part))
    return STATUS_OK;
  TRY(file_new(fd, part, false, error));
  if (flock(*fd, LOCK_EX) != 0 || lies_at(*fd, part))
    return STATUS_OK;
  close(*fd);
  *fd = -1;
  return STATUS_OK;
}

Status file_begin_partial(int *fd, const char *path, bool replace, Error *error)
{
  *fd = -1;
  if (!replaceable(path))
    return refuse(error, path, "it exists and is not a regular file");
  enum { SEARCHED = 8 }; /* names after a free one that may be left over as well */
  bool more = true;
  for (int i = replace ? PART_OWNED : PART_NAMED; i < PARTIALS && more; i++) {
    SCOPED(scoped_free) char *part = part_of(path, i);
    TRY_MEMORY(part != NULL, path, error);
    more = i < SEARCHED || file_lies(part);
    if (replace)
      return file_new(fd, part, true, error);
    if (*fd < 0)
      TRY(begin_named(fd, part, error));
    else
      remove_stale(part);
    more = more || *fd < 0;
  }
  return *fd >= 0 ? STATUS_OK : refuse(error, path, "too many programs are writing it");
}

/* The name of the open file, which the caller frees; NULL: none of the candidates, or no memory. */
static char *part_at(int fd, const char *path)
{
  for (int i = 0; i < PARTIALS; i++) {
    char *part = part_of(path, i);
    if (part == NULL || lies_at(fd, part))
      return part;
    free(part);
  }
  return NULL;
}

void file_discard_partial(int fd, const char *path)
{
  char *part = part_at(fd, path);
  if (part != NULL)
    (void)unlink(part);
  free(part);
  (void)close(fd); /* the file is discarded */
}

Status file_finish_partial(int fd, const char *path, int why, Error *error)
{
  char *part = part_at(fd, path);
  const bool ours = part != NULL;
  if (why == 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOSYS)
    why = errno;                                  /* some file systems do not support it */
  const int lock = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* until the file is renamed it must not appear left over */
  if (close(fd) != 0 && why == 0 && errno != EINTR)
    why = errno;
  if (why == 0 && ours && rename(part, path) != 0)
    why = errno;
  if (why != 0 && ours)
    (void)unlink(part);
  if (lock >= 0)
    close(lock);
  free(part);
  if (why != 0)
    return error_set(error, STATUS_IO, "writing %s: %s", path, strerror(why));
  return ours ? STATUS_OK : error_set(error, STATUS_IO, "writing %s: another program is writing it", path);
}

/* --- folders and names -------------------------------------------------------------------------------------
 */

Status file_make_folder(const char *path, Error *error)
{
  if (*path == '\0')
    return error_set(error, STATUS_INPUT, "the folder name is empty");
  SCOPED(scoped_free) char *copy = strdup(path);
  TRY_MEMORY(copy != NULL, "a folder name", error);
  for (char *c = copy + 1;; c++) {
    if (*c != '/' && *c != '\0')
      continue;
    const char keep = *c;
    *c = '\0';
    if (mkdir(copy, 0777) != 0 && errno != EEXIST)
      return error_set(error, STATUS_INPUT, "cannot create the folder %s: %s", copy, strerror(errno));
    *c = keep;
    if (keep == '\0')
      break;
  }
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
    return error_set(error, STATUS_INPUT, "%s exists but is not a folder: choose another with -o", path);
  return STATUS_OK;
}

bool file_lies(const char *path)
{
  struct stat info;
  return lstat(path, &info) == 0;
}

int file_exists(const char *dir, const char *name) { return file_length(dir, name) >= 0; }

int64_t file_length(const char *dir, const char *name)
{
  char *path = file_path(dir, name);
  struct stat info;
  const int there = path != NULL && stat(path, &info) == 0;
  free(path);
  return there ? info.st_size : -1;
}

void file_sync_folder(const char *dir)
{
  const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  (void)fsync(fd);
  close(fd);
}
