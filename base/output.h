/* A file written in pieces: text (base/text.h), frames and H5MD (io/trajectory.h) open, extend, truncate,
 * sync and close their files by these functions. Bytes are appended after the first `size` bytes, so that
 * those of a failed write can be removed. */
#ifndef HOLONOM_BASE_OUTPUT_H
#define HOLONOM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct Output {
  char *path;
  int fd; /* for reading and writing */
  int64_t size;
  bool whole; /* visible only when closed (file_begin_partial) */
} Output;

typedef struct OutputUse {
  bool replace; /* an existing file is replaced; otherwise it is an error */
  bool listed;  /* the folder has a manifest (base/manifest.h), which may refuse the name */
  bool whole;   /* written as path.part, and renamed by output_close */
  bool resume;  /* continues an existing file after its first `size` bytes; -1: at its end */
  bool uncut;   /* ... without removing the bytes after these */
  int64_t size;
} OutputUse;

/* Opens dir/name (dir NULL: name is the path). Errors: STATUS_IO (the file is not the program's own, is
 * shorter than `size`, or the system fails), STATUS_MEMORY. After an error nothing is open. */
Status output_open(Output *output, const char *dir, const char *name, const OutputUse *use, Error *error);

/* Appends the bytes; false with errno on failure, and `size` is unchanged. */
bool output_append(Output *output, const void *data, size_t size);

/* Truncates the file to `size` bytes; false with errno on failure. */
bool output_cut(const Output *output);

/* Syncs the file to disk. STATUS_IO. */
Status output_sync(const Output *output, Error *error);

/* Sets the message "writing PATH: why; ..."; returns STATUS_IO. */
Status output_fail(const Output *output, int why, Error *error);

/* Closes the file and frees the path. why: the errno of an earlier write, 0 if all succeeded; after an error
 * a partial file does not replace the old one. STATUS_IO. */
Status output_close(Output *output, int why, Error *error);

/* Closes an incomplete file; a partial file is removed. No effect if no file is open. */
void output_discard(Output *output);

#endif
