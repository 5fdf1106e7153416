/* Opens, flushes and closes HDF5 files so that a killed program leaves the state of the last flush.
 *
 * Between flushes the library only appends data that the file does not yet describe; its metadata stays in
 * memory. The format is limited to version 1.8, whose metadata has checksums and no mark of an open file,
 * so that every program can open the file of a killed run. Files are not locked (a run locks its folder). */
#ifndef HOLONOM_IO_H5MD_FILE_H
#define HOLONOM_IO_H5MD_FILE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/scoped.h"
#include "base/status.h"

/* Debian's HDF5 is not thread-safe: every call of it happens between these two functions, which also stop
 * the library from printing. STATUS_RUN, without the lock, if there is no memory for the library to work
 * with rows of `row` bytes; with error NULL (closing) the memory is not checked. */
typedef struct H5mdLock {
  H5E_auto2_t print;
  void *data;
  bool held; /* false: unlock does nothing */
} H5mdLock;
Status h5md_file_lock(H5mdLock *lock, size_t row, Error *error);
void h5md_file_unlock(const H5mdLock *lock);
#define H5MD_LOCK SCOPED(h5md_file_unlock) H5mdLock

/* An id of any type that is closed at the end of its scope; -1: none. Closing keeps HDF5's stack of
 * errors. */
void h5md_file_drop(const hid_t *id);
#define H5MD_ID SCOPED(h5md_file_drop) hid_t

typedef struct H5mdFile {
  const char *path; /* for messages; not owned */
  int fd;           /* not owned */
  hid_t id;         /* -1: closed */
  bool writes;
  bool failed; /* a call failed: nothing more is written */
} H5mdFile;

typedef enum H5mdAccess { H5MD_READ, H5MD_WRITE, H5MD_CREATE } H5mdAccess;

/* Creates or opens the file on fd; the caller holds the lock in this and all functions below. STATUS_INPUT
 * (H5MD_CREATE: STATUS_IO) with HDF5's reason. */
Status h5md_file_open(H5mdFile *file, const char *path, int fd, H5mdAccess access, Error *error);

/* Writes everything so far to the disk. STATUS_IO. */
Status h5md_file_flush(H5mdFile *file, Error *error);

/* Closes the file and every object in it; data since the last flush is lost. */
void h5md_file_close(H5mdFile *file);

/* Sets the error "path: what: why", with the reason from HDF5 or the system. */
Status h5md_file_fail(const H5mdFile *file, Status status, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
