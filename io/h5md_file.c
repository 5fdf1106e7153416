#include "io/h5md_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

/* --- one thread at a time ------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Where memory fails HDF5 1.10 follows null pointers, from its first call on: it is not called then. A call
 * takes less than this, and some copies of a row. */
enum { ROOM = 4 << 20, ROWS = 6 };

/* At a program's end HDF5 would close what is open and complain of what a damaged file left so: all files are
 * closed by then. */
Status h5md_file_lock(H5mdLock *lock, size_t row, Error *error)
{
  void *volatile room = error != NULL ? malloc(ROOM + ROWS * row) : NULL;
  if (error != NULL && room == NULL)
    return error_memory(error, "HDF5");
  free(room);
  pthread_mutex_lock(&mutex);
  H5dont_atexit();
  *lock = (H5mdLock){NULL, NULL};
  H5Eget_auto2(H5E_DEFAULT, &lock->print, &lock->data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return STATUS_OK;
}

void h5md_file_unlock(const H5mdLock *lock)
{
  H5Eset_auto2(H5E_DEFAULT, lock->print, lock->data);
  pthread_mutex_unlock(&mutex);
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* The innermost reason comes first. */
static herr_t first_reason(unsigned n, const H5E_error2_t *what, void *words)
{
  if (n == 0)
    snprintf(words, 200, "%s", what->desc);
  return 0;
}

Status h5md_file_fail(const H5mdFile *file, Status status, Error *error, const char *format, ...)
{
  char what[400], why[200] = "";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_reason, why);
  if (file->failed != 0)
    snprintf(why, sizeof why, "%s", strerror(file->failed));
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return error_set(error, status, "%s: %s%s%s", file->path, what, why[0] != '\0' ? ": " : "", why);
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

/* Zeros past the end, as the library expects. */
static bool read_all(int fd, void *data, size_t size, int64_t at)
{
  for (char *to = data; size > 0;) {
    const ssize_t got = pread(fd, to, size, at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    if (got == 0) {
      memset(to, 0, size);
      return true;
    }
    to += got;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

/* A piece of the file in `held` and in undo records: these two words, then the bytes. */
typedef struct Piece {
  int64_t at, size;
} Piece;

/* The piece at *offset, which moves on; its bytes begin at the return value, NULL after the last. */
static unsigned char *next_piece(const Bytes *bytes, size_t *offset, Piece *piece)
{
  const size_t left = bytes->size - *offset;
  if (left < sizeof *piece)
    return NULL;
  memcpy(piece, bytes->data + *offset, sizeof *piece);
  if (piece->size < 0 || (size_t)piece->size > left - sizeof *piece)
    return NULL;
  unsigned char *data = bytes->data + *offset + sizeof *piece;
  *offset += sizeof *piece + (size_t)piece->size;
  return data;
}

static void put_piece(Bytes *bytes, int64_t at, size_t size, const void *data)
{
  const Piece piece = {at, (int64_t)size};
  bytes_put(bytes, &piece, sizeof piece);
  bytes_put(bytes, data, size);
}

/* Copies into one piece of the file what it shares with another. */
static void copy_shared(int64_t at, size_t size, void *data, Piece from, const unsigned char *bytes)
{
  const int64_t end = at + (int64_t)size, last = from.at + from.size;
  const int64_t begin = from.at > at ? from.at : at, stop = last < end ? last : end;
  if (begin < stop)
    memcpy((unsigned char *)data + (begin - at), bytes + (begin - from.at), (size_t)(stop - begin));
}

/* Held pieces agree where they overlap, so that their order does not matter. */
static void hold(H5mdFile *file, int64_t at, size_t size, const void *data)
{
  Piece piece;
  size_t offset = 0;
  bool there = false;
  const Piece added = {at, (int64_t)size};
  for (unsigned char *old; (old = next_piece(&file->held, &offset, &piece)) != NULL;) {
    copy_shared(piece.at, (size_t)piece.size, old, added, data);
    there |= piece.at <= at && at + (int64_t)size <= piece.at + piece.size;
  }
  if (!there)
    put_piece(&file->held, at, size, data);
}

/* --- the driver ---------------------------------------------------------------------------------------- */

/* What the library has of an open file: its own part first. */
typedef struct Driver {
  H5FD_t own;
  H5mdFile *file;
} Driver;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t list, haddr_t most)
{
  (void)name;
  (void)flags;
  (void)most;
  H5mdFile *const *file = H5Pget_driver_info(list);
  Driver *driver = calloc(1, sizeof *driver);
  if (driver != NULL && file != NULL)
    driver->file = *file;
  return (H5FD_t *)driver;
}

static herr_t driver_close(H5FD_t *driver)
{
  free(driver);
  return 0;
}

static int driver_compare(const H5FD_t *one, const H5FD_t *other)
{
  const H5mdFile *a = ((const Driver *)one)->file, *b = ((const Driver *)other)->file;
  return (a > b) - (a < b);
}

/* No space is given out ahead, so that where things lie does not depend on when files are flushed. */
static herr_t driver_query(const H5FD_t *driver, unsigned long *flags)
{
  (void)driver;
  *flags = 0;
  return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *driver, H5FD_mem_t type)
{
  (void)type;
  return (haddr_t)((const Driver *)driver)->file->end;
}

static herr_t driver_set_eoa(H5FD_t *driver, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((Driver *)driver)->file->end = (int64_t)end;
  return 0;
}

/* Of the bytes that there are, or will be. */
static haddr_t driver_get_eof(const H5FD_t *driver, H5FD_mem_t type)
{
  const H5mdFile *file = ((const Driver *)driver)->file;
  struct stat info;
  (void)type;
  const int64_t size = fstat(file->fd, &info) == 0 ? info.st_size : 0;
  return (haddr_t)(file->writes && file->end > size ? file->end : size);
}

/* Little-endian. */
static uint64_t get_number(const unsigned char *bytes, int size)
{
  uint64_t number = 0;
  for (int i = size - 1; i >= 0; i--)
    number = number << 8 | bytes[i];
  return number;
}

static bool read_bytes(H5mdFile *file, void *data, size_t size, int64_t at)
{
  Piece piece;
  size_t offset = 0;
  if (!read_all(file->fd, data, size, at)) {
    file->failed = file->failed != 0 ? file->failed : errno;
    return false;
  }
  for (const unsigned char *held; (held = next_piece(&file->held, &offset, &piece)) != NULL;)
    copy_shared(at, size, data, piece, held);
  return true;
}

enum { TEXTS_HEAD = 16 };

/* Whether the objects of a collection of texts (a global heap) lie within it. The library copies from them
 * without a look, or comes to no end (seen in 1.10.8), and they have no checksum. */
static bool sound_texts(const unsigned char *bytes, uint64_t size)
{
  enum { OBJECT = 16 };
  for (uint64_t at = TEXTS_HEAD; at + OBJECT <= size;) {
    const uint64_t length = get_number(bytes + at + 8, 8), padded = (length + 7) & ~UINT64_C(7);
    const bool free = get_number(bytes + at, 2) == 0; /* its length counts its head */
    const uint64_t step = free ? length : OBJECT + padded;
    if (length > size || step < OBJECT || step > size - at)
      return false;
    at += step;
  }
  return true;
}

/* What was read, if it begins a collection, of which the library reads the rest next. */
static bool sound(H5mdFile *file, const unsigned char *bytes, size_t size, int64_t at)
{
  if (size < TEXTS_HEAD || memcmp(bytes, "GCOL\1", 5) != 0)
    return true;
  const uint64_t all = get_number(bytes + 8, 8);
  if (all <= size)
    return sound_texts(bytes, all);
  unsigned char *whole = all <= (uint64_t)(file->end - at) ? malloc(all) : NULL;
  const bool good = whole != NULL && read_bytes(file, whole, all, at) && sound_texts(whole, all);
  free(whole);
  return good;
}

static herr_t driver_read(H5FD_t *driver, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                          void *data)
{
  H5mdFile *file = ((Driver *)driver)->file;
  const int64_t at = (int64_t)address;
  (void)type;
  (void)list;
  return read_bytes(file, data, size, at) && sound(file, data, size, at) ? 0 : -1;
}

/* New bytes follow the last commit, not the rests of its undo record. */
static bool drop_record(H5mdFile *file)
{
  const bool good = !file->recorded || ftruncate(file->fd, file->committed) == 0;
  file->recorded = false;
  return good;
}

/* After a failure the library is told that all is well, so that it closes the file; nothing is written then.
 */
static herr_t driver_write(H5FD_t *driver, H5FD_mem_t type, hid_t list, haddr_t address, size_t size,
                           const void *data)
{
  H5mdFile *file = ((Driver *)driver)->file;
  const int64_t at = (int64_t)address;
  (void)list;
  if (file->failed != 0)
    return 0;
  if (at < file->committed && type != H5FD_MEM_DRAW)
    hold(file, at, size, data);
  else if (!drop_record(file) || !bytes_write(file->fd, data, size, at))
    file->failed = errno;
  if (file->held.failed)
    file->failed = ENOMEM;
  return file->failed == 0 ? 0 : -1;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 2)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511,
#endif
    .name = "holonom",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(H5mdFile *),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* --- open and close ------------------------------------------------------------------------------------ */

/* Object headers with checksums, and no marks of open files, which version 1.10's superblock has. */
static hid_t make_list(H5mdFile *file)
{
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (list >= 0 && H5Pset_driver(list, file->driver, &file) >= 0 &&
      (!file->writes || H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0))
    return list;
  if (list >= 0)
    H5Pclose(list);
  return -1;
}

static Status open_id(H5mdFile *file, bool create, Error *error)
{
  const hid_t list = make_list(file);
  if (list >= 0 && create) {
    const hid_t making = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(making, false);
    file->id = H5Fcreate(file->path, H5F_ACC_TRUNC, making, list);
    H5Pclose(making);
  } else if (list >= 0)
    file->id = H5Fopen(file->path, file->writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, list);
  const Status status = file->id >= 0 ? STATUS_OK
                                      : h5md_file_fail(file, create ? STATUS_IO : STATUS_INPUT, error,
                                                       "cannot be opened as an HDF5 file");
  if (list >= 0)
    H5Pclose(list);
  return status;
}

Status h5md_file_open(H5mdFile *file, const char *path, int fd, bool create, bool writes, Error *error)
{
  *file = (H5mdFile){.path = path, .fd = fd, .writes = writes, .id = -1};
  struct stat info;
  file->driver = H5FDregister(&driver_class);
  if (file->driver < 0 || fstat(fd, &info) != 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be opened by HDF5");
  if (!create)
    file->committed = info.st_size;
  return open_id(file, create, error);
}

bool h5md_file_checksummed(const H5mdFile *file)
{
  H5F_info2_t info;
  return H5Fget_info2(file->id, &info) >= 0 && info.super.version >= 2;
}

static void close_id(H5mdFile *file)
{
  if (file->id >= 0)
    H5Fclose(file->id);
  file->id = -1;
}

Status h5md_file_reopen(H5mdFile *file, Error *error)
{
  close_id(file);
  if (file->failed != 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  return open_id(file, false, error);
}

void h5md_file_close(H5mdFile *file)
{
  if (file->failed == 0)
    file->failed = ECANCELED;
  close_id(file);
  if (file->driver > 0)
    H5FDunregister(file->driver);
  file->driver = 0;
  bytes_free(&file->held);
}

/* --- commits ------------------------------------------------------------------------------------------- */

/* The end of an undo record, which is the end of the file. */
typedef struct Trailer {
  uint64_t sum;                            /* of all before it                       */
  int64_t size;                            /* of the pieces, which begin at the end  */
  int64_t before, size_before, after, end; /* the two commits */
  char sign[8];
} Trailer;

static const char sign[8] = "Hol undo";

/* FNV-1a. */
static uint64_t sum_of(const unsigned char *data, size_t size)
{
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ data[i]) * 0x100000001b3u;
  return sum;
}

static bool write_pieces(int fd, const Bytes *pieces)
{
  Piece piece;
  size_t offset = 0;
  bool good = true;
  for (const unsigned char *data; good && (data = next_piece(pieces, &offset, &piece)) != NULL;)
    good = bytes_write(fd, data, (size_t)piece.size, piece.at);
  return good;
}

/* The bytes that the held ones will replace, with their trailer. */
static bool make_undo(const H5mdFile *file, int64_t mark, Bytes *undo)
{
  Piece piece;
  size_t offset = 0;
  bool good = true;
  for (unsigned char *data; good && (data = next_piece(&file->held, &offset, &piece)) != NULL;) {
    put_piece(undo, piece.at, (size_t)piece.size, data);
    good = !undo->failed &&
           read_all(file->fd, undo->data + undo->size - piece.size, (size_t)piece.size, piece.at);
  }
  Trailer trailer = {.size = (int64_t)undo->size,
                     .before = file->mark,
                     .size_before = file->committed,
                     .after = mark,
                     .end = file->end};
  memcpy(trailer.sign, sign, sizeof sign);
  trailer.sum = sum_of(undo->data, undo->size);
  bytes_put(undo, &trailer, sizeof trailer);
  return good && !undo->failed;
}

static bool commit(H5mdFile *file, int64_t mark, bool keep)
{
  Bytes undo = {0};
  bool good = ftruncate(file->fd, file->end) == 0;
  if (good && file->committed > 0) {
    good = make_undo(file, mark, &undo) && bytes_write(file->fd, undo.data, undo.size, file->end) &&
           fsync(file->fd) == 0;
    good = good && write_pieces(file->fd, &file->held);
  }
  if (good && !keep)
    good = ftruncate(file->fd, file->end) == 0;
  bytes_free(&undo);
  return good && (!keep || fsync(file->fd) == 0);
}

Status h5md_file_commit(H5mdFile *file, int64_t mark, bool keep, Error *error)
{
  if (file->failed != 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  if (H5Fflush(file->id, H5F_SCOPE_LOCAL) < 0)
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  if (!commit(file, mark, keep)) {
    file->failed = errno;
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  }
  file->committed = file->end;
  file->mark = mark;
  file->recorded = keep;
  bytes_clear(&file->held);
  return STATUS_OK;
}

/* The undo record at the end of a file, if there is a whole one. */
static bool read_undo(int fd, int64_t size, Trailer *trailer, Bytes *undo)
{
  const int64_t at = size - (int64_t)sizeof *trailer;
  if (at < 0 || !read_all(fd, trailer, sizeof *trailer, at) ||
      memcmp(trailer->sign, sign, sizeof sign) != 0 || trailer->size < 0 || trailer->size > at ||
      trailer->end != at - trailer->size)
    return false;
  unsigned char *data = malloc((size_t)trailer->size + 1);
  const bool good = data != NULL && read_all(fd, data, (size_t)trailer->size, trailer->end) &&
                    sum_of(data, (size_t)trailer->size) == trailer->sum;
  if (good)
    bytes_put(undo, data, (size_t)trailer->size);
  free(data);
  return good && !undo->failed;
}

Status h5md_file_undo(const char *path, int fd, int64_t mark, int64_t *end, Error *error)
{
  enum { END_AT = 28 }; /* in the superblock, version 2 */
  struct stat info;
  Trailer trailer;
  Bytes undo = {0};
  unsigned char bytes[8] = {0};
  bool good = fstat(fd, &info) == 0;
  if (good && read_undo(fd, info.st_size, &trailer, &undo) && trailer.before >= mark)
    good = write_pieces(fd, &undo) && fsync(fd) == 0 && ftruncate(fd, trailer.size_before) == 0;
  bytes_free(&undo);
  good = good && read_all(fd, bytes, sizeof bytes, END_AT);
  *end = (int64_t)get_number(bytes, 8);
  return good ? STATUS_OK : error_set(error, STATUS_IO, "%s: cannot be cut: %s", path, strerror(errno));
}
