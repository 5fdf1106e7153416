/* HDF5 files on a descriptor of ours, for io/h5md*.c: what the library writes reaches the file in such an
 * order that a killed program leaves the state of the last commit, to the byte.
 *
 * The library writes through a driver of our own. What lies past the end of the last commit, and data (rows
 * past the number of rows that the file then gives), goes to the file at once: nobody looks there yet. Bytes
 * of the last commit that would change (superblock, object headers, indices of chunks) are held in memory. A
 * commit brings the former down to the disk, writes an undo record (the old bytes of what will change) behind
 * the end, and changes them in place. The record stays there until frames are written over it, so that a run
 * whose checkpoint is of the commit before goes back to that. Space is given out at the end alone and never
 * freed: the bytes of a file depend on what is in it, not on when it was committed or how often a run went
 * on.
 *
 * No file is locked (a run locks its folder), and the format's version has no marks of an open file, so that
 * what a killed run leaves can be opened by all. */
#ifndef HOLONOM_IO_H5MD_FILE_H
#define HOLONOM_IO_H5MD_FILE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/bytes.h"
#include "engine/status.h"

/* Debian's HDF5 is for one thread at a time: all that calls it does so between these two, which also keep the
 * library from printing. STATUS_RUN, and no lock: there is no memory for the library to work in, on rows of
 * so many bytes. With error NULL, for what is closed, that is not asked. */
typedef struct H5mdLock {
  H5E_auto2_t print;
  void *data;
} H5mdLock;
Status h5md_file_lock(H5mdLock *lock, size_t row, Error *error);
void h5md_file_unlock(const H5mdLock *lock);

typedef struct H5mdFile {
  const char *path; /* for messages; not owned                                              */
  int fd;           /* not owned                                                            */
  bool writes;
  hid_t driver, id;  /* of the library; id is the open file's                               */
  int64_t end;       /* of what the library has given out                                   */
  int64_t committed; /* end of the last commit, 0: there is none                            */
  int64_t mark;      /* the caller's number of that commit                                   */
  bool recorded;     /* an undo record is behind the end                                     */
  Bytes held;        /* changes of committed bytes: {address, size, bytes} one after another */
  int failed;        /* errno of the first call that failed; nothing is written any more    */
} H5mdFile;

/* The file on fd, made anew or as it stands; the caller has the lock in all of these. STATUS_INPUT with
 * HDF5's reason. */
Status h5md_file_open(H5mdFile *file, const char *path, int fd, bool create, bool writes, Error *error);

/* Whether what describes the data (but not all of it) has checksums, as in files of ours. */
bool h5md_file_checksummed(const H5mdFile *file);

/* Closes the library's file and opens it again, so that what it knows is what stands in the file; nothing is
 * committed. Ids of what was open in it are gone. */
Status h5md_file_reopen(H5mdFile *file, Error *error);

/* All so far is in the file, as commit number `mark` (they rise); with keep, an undo record is behind it and
 * both are on the disk. STATUS_IO. */
Status h5md_file_commit(H5mdFile *file, int64_t mark, bool keep, Error *error);

/* Closes without a commit and frees. */
void h5md_file_close(H5mdFile *file);

/* Of a file that is to be gone on with at a commit: what a later one has begun, or done, is undone, where it
 * left a record of that; *end is where the last one then ends. STATUS_IO. */
Status h5md_file_undo(const char *path, int fd, int64_t mark, int64_t *end, Error *error);

/* "path: what: why" with the reason that HDF5 gives, or the system gave to the driver. */
Status h5md_file_fail(const H5mdFile *file, Status status, Error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
