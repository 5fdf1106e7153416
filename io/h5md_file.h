/* HDF5 files by HDF5 as it is, for io/h5md*.c, so that a killed program leaves the state of the last flush.
 *
 * Between flushes the library writes nothing but data behind what the file then describes: what it knows of
 * datasets stays in its memory. The format is bounded to version 1.8: there what describes the data has
 * checksums, and no mark says that the file is open, so that what a killed run leaves can be opened by all.
 * No file is locked (a run locks its folder). */
#ifndef HOLONOM_IO_H5MD_FILE_H
#define HOLONOM_IO_H5MD_FILE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/scoped.h"
#include "base/status.h"

/* Debian's HDF5 is for one thread at a time: all that calls it does so between these two, which also keep the
 * library from printing. STATUS_RUN, and no lock: there is no memory for the library to work in, on rows of
 * so many bytes. With error NULL, for what is closed, that is not asked. */
typedef struct H5mdLock {
  H5E_auto2_t print;
  void *data;
  bool held; /* unlock of what is not does nothing */
} H5mdLock;
Status h5md_file_lock(H5mdLock *lock, size_t row, Error *error);
void h5md_file_unlock(const H5mdLock *lock);
#define H5MD_LOCK SCOPED(h5md_file_unlock) H5mdLock

/* An id of any sort that is closed where its scope ends; -1: there is none. Why something failed before stays
 * known, which a call of the library else clears. */
void h5md_file_drop(const hid_t *id);
#define H5MD_ID SCOPED(h5md_file_drop) hid_t

typedef struct H5mdFile {
  const char *path; /* for messages; not owned                      */
  int fd;           /* not owned                                    */
  hid_t id;         /* -1: closed                                   */
  bool writes;
  bool failed; /* something did: nothing is written any more   */
} H5mdFile;

typedef enum H5mdAccess { H5MD_READ, H5MD_WRITE, H5MD_CREATE } H5mdAccess;

/* The file on fd, made anew or as it stands; the caller has the lock in all of these. STATUS_INPUT (made
 * anew: STATUS_IO) with HDF5's reason. */
Status h5md_file_open(H5mdFile *file, const char *path, int fd, H5mdAccess access, Error *error);

/* All so far is in the file, and on the disk. STATUS_IO. */
Status h5md_file_flush(H5mdFile *file, Error *error);

/* Closes it, and all that is open in it; what was not flushed does not come into the file. */
void h5md_file_close(H5mdFile *file);

/* "path: what: why" with the reason that HDF5 gives, or had from the system. */
Status h5md_file_fail(const H5mdFile *file, Status status, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
