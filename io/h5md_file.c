#include "io/h5md_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- one thread at a time ------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* HDF5 1.10 follows null pointers when memory runs out, from its first call on, so it is not called
 * without this much memory. A call needs less than this plus some copies of a row. The address sanitizer,
 * under which allocation does not fail, writes an eighth of each allocation. */
#ifdef __SANITIZE_ADDRESS__
enum { ROOM = 4 << 10 };
#else
enum { ROOM = 4 << 20 };
#endif
enum { ROWS = 6 };

/* At exit HDF5 would close open files and print errors about damaged ones: all files are closed by then. */
Status h5md_file_lock(H5mdLock *lock, size_t row, Error *error)
{
  void *volatile room = error != NULL ? malloc(ROOM + ROWS * row) : NULL;
  if (error != NULL && room == NULL)
    return error_memory(error, "HDF5");
  free(room);
  pthread_mutex_lock(&mutex);
  H5dont_atexit();
  *lock = (H5mdLock){.held = true};
  H5Eget_auto2(H5E_DEFAULT, &lock->print, &lock->data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return STATUS_OK;
}

void h5md_file_unlock(const H5mdLock *lock)
{
  if (!lock->held)
    return;
  H5Eset_auto2(H5E_DEFAULT, lock->print, lock->data);
  pthread_mutex_unlock(&mutex);
}

/* --- errors --------------------------------------------------------------------------------------------- */

enum { REASON = 400 };

/* The innermost reason comes first; a reason of the system is between quotes. */
static herr_t first_reason(unsigned n, const H5E_error2_t *what, void *words)
{
  static const char mark[] = "error message = '";
  const char *system = n == 0 ? strstr(what->desc, mark) : NULL;
  if (system != NULL)
    snprintf(words, REASON, "%.*s", (int)strcspn(system + strlen(mark), "'"), system + strlen(mark));
  else if (n == 0)
    snprintf(words, REASON, "%s", what->desc);
  return 0;
}

Status h5md_file_fail(const H5mdFile *file, Status status, Error *error, const char *format, ...)
{
  char what[400], why[REASON] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_reason, why);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return error_set(error, status, "%s: %s%s%s", file->path, what, why[0] != '\0' ? ": " : "", why);
}

void h5md_file_drop(const hid_t *id)
{
  if (*id < 0)
    return;
  const hid_t why = H5Eget_current_stack();
  H5Idec_ref(*id);
  H5Eset_current_stack(why);
}

/* --- open, flush, close --------------------------------------------------------------------------------- */

/* Metadata is written, and dropped, only by a flush. */
static bool keep_until_flushed(hid_t list)
{
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(list, &cache) < 0)
    return false;
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(list, &cache) >= 0;
}

/* Without a sieve buffer each call writes its data. A buffer would be written when the dataset is closed,
 * and a failure there leaves the library with a dataset on which it crashes. */
static bool set_list(hid_t list, bool writes)
{
  return list >= 0 && H5Pset_fapl_sec2(list) >= 0 && H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0 &&
         H5Pset_file_locking(list, false, true) >= 0 &&
         (!writes ||
          (H5Pset_sieve_buf_size(list, 0) >= 0 &&
           H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 && keep_until_flushed(list)));
}

static hid_t create(const char *name, hid_t list)
{
  H5MD_ID making = H5Pcreate(H5P_FILE_CREATE);
  return H5Pset_obj_track_times(making, false) >= 0 ? H5Fcreate(name, H5F_ACC_TRUNC, making, list) : -1;
}

/* The library's own descriptor; -1: no descriptor. */
static int descriptor(const H5mdFile *file)
{
  void *of_library = NULL;
  return H5Fget_vfd_handle(file->id, H5P_DEFAULT, &of_library) >= 0 ? *(const int *)of_library : -1;
}

/* Opens the file by its descriptor, because the path may by now lead to another file. */
Status h5md_file_open(H5mdFile *file, const char *path, int fd, H5mdAccess access, Error *error)
{
  char name[32];
  H5MD_ID list = H5Pcreate(H5P_FILE_ACCESS);
  const bool set = set_list(list, access != H5MD_READ);
  *file = (H5mdFile){.path = path, .fd = fd, .id = -1, .writes = access != H5MD_READ};
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  if (set && access == H5MD_CREATE)
    file->id = create(name, list);
  else if (set)
    file->id = H5Fopen(name, file->writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, list);
  if (file->id < 0)
    return h5md_file_fail(file, access == H5MD_CREATE ? STATUS_IO : STATUS_INPUT, error,
                          "cannot be opened as an HDF5 file");
  (void)fcntl(descriptor(file), F_SETFD, FD_CLOEXEC); /* not inherited by child processes */
  return STATUS_OK;
}

/* Extends the file to the length that the next flush records in it. The library records that length even
 * if its own ftruncate fails, and refuses to open a shorter file. */
static Status extend(const H5mdFile *file, Error *error)
{
  haddr_t end;
  struct stat info;
  if (H5Fget_eoa(file->id, &end) < 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  if (fstat(file->fd, &info) == 0 && (info.st_size >= (off_t)end || ftruncate(file->fd, (off_t)end) == 0))
    return STATUS_OK;
  return error_set(error, STATUS_IO, "%s: cannot be extended to %llu bytes: %s", file->path,
                   (unsigned long long)end, strerror(errno));
}

Status h5md_file_flush(H5mdFile *file, Error *error)
{
  if (file->failed)
    return error_set(error, STATUS_IO, "%s: nothing more is written after a failure", file->path);
  file->failed = true;
  TRY(extend(file, error));
  if (H5Fflush(file->id, H5F_SCOPE_LOCAL) < 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  if (fsync(file->fd) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be written: %s", file->path, strerror(errno));
  file->failed = false;
  return STATUS_OK;
}

/* Redirects the library's writes to /dev/null, because it cannot close a file without a flush. If that
 * fails, the file stays open. */
static bool detach(const H5mdFile *file)
{
  const int of_library = descriptor(file), nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  const bool good = of_library >= 0 && nowhere >= 0 && dup2(nowhere, of_library) >= 0;
  if (nowhere >= 0)
    close(nowhere);
  return good;
}

void h5md_file_close(H5mdFile *file)
{
  if (file->id >= 0 && (!file->writes || detach(file)))
    H5Fclose(file->id);
  file->id = -1;
}
