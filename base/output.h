/* A file that is written bit by bit: the one way in which text (base/text.h), frames and H5MD
 * (io/trajectory.h) open, extend, cut, sync and close theirs. What is written goes behind the first `size`
 * bytes, so that the bytes of a failed write can be cut away. */
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
  bool whole; /* takes its place when it is closed (file_begin_partial) */
} Output;

typedef struct OutputUse {
  bool replace; /* a file that lies there is replaced; else that is an error             */
  bool listed;  /* the folder has a list of files (base/manifest.h), which may refuse the name */
  bool whole;   /* written as path.part, and moved to its place by output_close          */
  bool resume;  /* goes on with the file behind its first `size` bytes; -1: behind all  */
  bool uncut;   /* then without cutting away what stands behind these                   */
  int64_t size;
} OutputUse;

/* Opens dir/name (dir NULL: name is the path). STATUS_IO: another's file lies there, the file is shorter than
 * `size`, the system refuses; STATUS_MEMORY. After an error nothing is open. */
Status output_open(Output *output, const char *dir, const char *name, const OutputUse *use, Error *error);

/* Appends the bytes; false with errno where the system refuses, and `size` stays. */
bool output_append(Output *output, const void *data, size_t size);

/* Cuts away what stands behind the first `size` bytes; false with errno. */
bool output_cut(const Output *output);

/* Brings the file down to the disk. STATUS_IO. */
Status output_sync(const Output *output, Error *error);

/* "writing PATH: why; ...", STATUS_IO. */
Status output_fail(const Output *output, int why, Error *error);

/* Closes the file and frees the path. why: the errno of an earlier write, 0 if all went well; with it a file
 * that was to be whole does not take its place. STATUS_IO. */
Status output_close(Output *output, int why, Error *error);

/* Closes the file unfinished; a file that was to be whole is removed. Nothing where none is open. */
void output_discard(Output *output);

#endif
