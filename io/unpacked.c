#include "io/unpacked.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 1 << 17 };

static const char *const suffixes[] = {".gz", ".bz2"};

size_t unpacked_stem(const char *path)
{
  const size_t length = strlen(path);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    const size_t n = strlen(suffixes[i]);
    if (length > n && strcasecmp(path + length - n, suffixes[i]) == 0)
      return length - n;
  }
  return length;
}

static Status damaged(const char *path, const char *why, Error *error)
{
  return error_set(error, STATUS_INPUT, "%s: cannot be unpacked: %s", path, why);
}

static Status put(FILE *to, const void *piece, size_t size, const char *path, Error *error)
{
  return fwrite(piece, 1, size, to) == size
             ? STATUS_OK
             : error_set(error, STATUS_IO, "%s: no room for its unpacked bytes in a temporary file: %s", path,
                         strerror(errno));
}

static Status copy_gzip(gzFile from, FILE *to, const char *path, Error *error)
{
  char piece[PIECE];
  int size, why;
  while ((size = gzread(from, piece, PIECE)) > 0)
    TRY(put(to, piece, (size_t)size, path, error));
  const char *const words = gzerror(from, &why);
  if (size < 0 || (why != Z_OK && why != Z_STREAM_END))
    return damaged(path, why == Z_BUF_ERROR ? "the file ends early" : words, error);
  return STATUS_OK;
}

static Status unpack_gzip(FILE *from, FILE *to, const char *path, Error *error)
{
  const int fd = dup(fileno(from));
  if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(errno));
  const gzFile packed = gzdopen(fd, "rb");
  if (packed == NULL) {
    close(fd);
    return error_memory(error, "a packed file");
  }
  Status status = copy_gzip(packed, to, path, error);
  if (gzclose(packed) == Z_BUF_ERROR && status == STATUS_OK)
    status = damaged(path, "the file ends early", error);
  return status;
}

static const char *bzip_words(int why)
{
  return why == BZ_UNEXPECTED_EOF                             ? "the file ends early"
         : why == BZ_DATA_ERROR || why == BZ_DATA_ERROR_MAGIC ? "its bytes are damaged"
         : why == BZ_MEM_ERROR                                ? "there is no memory"
                                                              : "it cannot be read";
}

/* Unpacks one stream; unused[*n]: bytes read beyond it, also from the stream before. */
static Status unpack_stream(FILE *from, FILE *to, char unused[BZ_MAX_UNUSED], int *n, const char *path,
                            Error *error)
{
  int why, ignored;
  char piece[PIECE];
  BZFILE *const packed = BZ2_bzReadOpen(&why, from, 0, 0, unused, *n);
  Status status = why == BZ_OK ? STATUS_OK : damaged(path, bzip_words(why), error);
  while (status == STATUS_OK && why == BZ_OK) {
    const int size = BZ2_bzRead(&why, packed, piece, PIECE);
    status = why == BZ_OK || why == BZ_STREAM_END ? put(to, piece, (size_t)size, path, error)
                                                  : damaged(path, bzip_words(why), error);
  }
  if (status == STATUS_OK) {
    void *rest;
    BZ2_bzReadGetUnused(&why, packed, &rest, n);
    memmove(unused, rest, (size_t)*n);
  }
  BZ2_bzReadClose(&ignored, packed);
  return status;
}

/* A bzip2 file may have several streams. */
static Status unpack_bzip(FILE *from, FILE *to, const char *path, Error *error)
{
  char unused[BZ_MAX_UNUSED];
  int n = 0, next = 0;
  while (next != EOF) {
    TRY(unpack_stream(from, to, unused, &n, path, error));
    next = n > 0 ? 0 : getc(from);
    if (n == 0 && next != EOF)
      (void)ungetc(next, from);
  }
  return STATUS_OK;
}

static Status unpack(FILE *from, bool gzip, FILE *to, const char *path, Error *error)
{
  TRY(gzip ? unpack_gzip(from, to, path, error) : unpack_bzip(from, to, path, error));
  return fflush(to) == 0 && fseeko(to, 0, SEEK_SET) == 0 ? STATUS_OK : put(to, "", 1, path, error);
}

Status unpacked_open(FILE **file, const char *path, bool *packed, Error *error)
{
  unsigned char head[3] = {0};
  const size_t size = fread(head, 1, sizeof head, *file);
  const bool gzip = size == 3 && head[0] == 0x1f && head[1] == 0x8b,
             bzip = size == 3 && memcmp(head, "BZh", 3) == 0;
  if (ferror(*file) || fseeko(*file, 0, SEEK_SET) != 0)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(errno));
  *packed = gzip || bzip;
  if (!*packed)
    return STATUS_OK;
  FILE *const to = tmpfile();
  if (to == NULL)
    return error_set(error, STATUS_IO, "%s: no temporary file for its unpacked bytes: %s", path,
                     strerror(errno));
  (void)fcntl(fileno(to), F_SETFD, FD_CLOEXEC);
  const Status status = unpack(*file, gzip, to, path, error);
  if (status != STATUS_OK) {
    fclose(to); /* this removes it */
    return status;
  }
  fclose(*file); /* only read */
  *file = to;
  return STATUS_OK;
}
