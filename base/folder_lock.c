#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static const char name_lock[] = FOLDER_LOCK, sign[] = "held by ";

struct FolderLock {
  char *path;
  int fd;
  bool found;  /* the file existed and was empty: another program may have left it, so it is not removed */
  int failure; /* errno; 0: locked */
};

/* Reads the holder's text after the sign; "": no text. */
static void read_holder(int fd, char *who, size_t size)
{
  const size_t n = sizeof sign - 1;
  char words[256];
  const ssize_t length = pread(fd, words, sizeof words - 1, 0);
  words[length > 0 ? length : 0] = '\0';
  words[strcspn(words, "\n")] = '\0';
  snprintf(who, size, "%s", strncmp(words, sign, n) == 0 ? words + n : "");
}

static Status refuse(const FolderLock *lock, const char *dir, Error *error)
{
  char who[FOLDER_HOLDER];
  read_holder(lock->fd, who, sizeof who);
  return error_set(error, STATUS_INPUT,
                   "%s is in use: %s is %s%s; wait for its end, end it, or choose another folder with -o",
                   dir, name_lock, sign, *who != '\0' ? who : "another run");
}

/* Locks that folder_lock_look takes are short: a folder that is locked after these tries is in use. */
static bool hold(int fd)
{
  enum { TRIES = 20, PAUSE = 10000 }; /* microseconds */
  for (int i = 0; i < TRIES; i++) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
      return true;
    if (errno != EWOULDBLOCK)
      return false;
    (void)usleep(PAUSE);
  }
  errno = EWOULDBLOCK;
  return false;
}

/* Whether the locked file still has the name: its last holder removes it. */
static bool is_current(const FolderLock *lock)
{
  struct stat a, b;
  return fstat(lock->fd, &a) == 0 && stat(lock->path, &b) == 0 && a.st_ino == b.st_ino &&
         a.st_dev == b.st_dev;
}

static Status no_lock(const FolderLock *lock, Error *error)
{
  return error_set(error, STATUS_INPUT, "%s is not a file of a run: choose another folder with -o",
                   lock->path);
}

static Status sign_in(FolderLock *lock, Error *error)
{
  char host[128] = "", when[32] = "", words[256];
  struct stat info;
  if (fstat(lock->fd, &info) != 0 || !S_ISREG(info.st_mode) ||
      (info.st_size > 0 && !file_begins(lock->path, sign)))
    return no_lock(lock, error);
  lock->found = lock->found && info.st_size == 0;
  if (gethostname(host, sizeof host - 1) != 0)
    snprintf(host, sizeof host, "an unknown host");
  const time_t now = time(NULL);
  struct tm local;
  if (localtime_r(&now, &local) != NULL)
    (void)strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
  const int n =
      snprintf(words, sizeof words, "%sprocess %ld on %s since %s\n", sign, (long)getpid(), host, when);
  if (ftruncate(lock->fd, 0) != 0 || pwrite(lock->fd, words, (size_t)n, 0) != n)
    return error_set(error, STATUS_IO, "cannot write %s: %s", lock->path, strerror(errno));
  return STATUS_OK;
}

static Status take(FolderLock *lock, const char *dir, Error *error)
{
  for (;;) {
    lock->fd = open(lock->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    lock->found = lock->fd < 0 && errno == EEXIST;
    if (lock->found)
      lock->fd = open(lock->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (lock->found && lock->fd < 0 && errno == ENOENT)
      continue; /* its holder has just ended */
    if (lock->fd < 0 && (errno == ELOOP || errno == EISDIR || errno == ENXIO))
      return no_lock(lock, error);
    if (lock->fd < 0)
      return error_set(error, STATUS_IO, "cannot write %s: %s", lock->path, strerror(errno));
    lock->failure = 0;
    if (!hold(lock->fd)) {
      if (errno == EWOULDBLOCK)
        return refuse(lock, dir, error);
      lock->failure = errno;
    }
    if (is_current(lock))
      return sign_in(lock, error);
    close(lock->fd);
  }
}

static void give_up(FolderLock *lock)
{
  if (lock->fd >= 0)
    close(lock->fd);
  free(lock->path);
  free(lock);
}

Status folder_lock(FolderLock **lock, const char *dir, Error *error)
{
  *lock = NULL;
  FolderLock *l = calloc(1, sizeof *l);
  TRY_MEMORY(l != NULL, "a lock", error);
  l->fd = -1;
  l->path = file_path(dir, name_lock);
  TRY_ELSE(l->path != NULL ? take(l, dir, error) : error_memory(error, "a file name"), give_up(l));
  *lock = l;
  return STATUS_OK;
}

const char *folder_lock_failure(const FolderLock *lock)
{
  return lock != NULL && lock->failure != 0 ? strerror(lock->failure) : NULL;
}

void folder_lock_release(FolderLock *lock)
{
  if (lock == NULL)
    return;
  if (lock->found)
    (void)(ftruncate(lock->fd, 0) == 0);
  else if (is_current(lock))
    (void)unlink(lock->path);
  give_up(lock);
}

FolderUse folder_lock_look(const char *dir, char who[FOLDER_HOLDER])
{
  struct stat info;
  char *path = file_path(dir, name_lock);
  const int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  free(path);
  *who = '\0';
  if (fd < 0)
    return FOLDER_FREE;
  FolderUse use = FOLDER_FREE;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    read_holder(fd, who, FOLDER_HOLDER);
    const bool held = flock(fd, LOCK_SH | LOCK_NB) != 0;
    use = held                ? errno == EWOULDBLOCK ? FOLDER_HELD : FOLDER_UNLOCKED
          : info.st_size == 0 ? FOLDER_FREE
                              : FOLDER_LEFT;
    if (*who == '\0' && use != FOLDER_HELD)
      use = FOLDER_FREE; /* a file of another program */
  }
  close(fd); /* also releases the lock */
  return use;
}
