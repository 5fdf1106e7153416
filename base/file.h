/* Opening, reading and replacing files. All modules use these functions, so that failed writes are reported,
 * no file is overwritten through a link, and devices are not read. */
#ifndef HOLONOM_BASE_FILE_H
#define HOLONOM_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Opens /dev/null for those of descriptors 0 to 2 that are closed at start. No file then gets their number,
 * and with it the program's messages. Call it first in main. */
void file_reserve_standard(void);

/* Opens an existing file for reading. STATUS_INPUT with the system's reason: it cannot be opened, is a
 * folder, or is a device, which might never end. A pipe is read to its end. */
Status file_open(FILE **file, const char *path, Error *error);

/* Reads a whole file into a string that the caller frees; *length (may be NULL) excludes the zero at its end.
 * Errors: STATUS_INPUT (as file_open, or longer than `most` bytes), STATUS_IO, STATUS_MEMORY. */
Status file_read(const char *path, size_t most, char **text, size_t *length, Error *error);

/* Likewise for the rest of an open stream; messages name `path`. */
Status file_read_stream(FILE *file, const char *path, size_t most, char **text, size_t *length, Error *error);

/* Creates a new, empty file for reading and writing in the caller's *fd. With `replace` it replaces a file of
 * that name. STATUS_IO: a link, folder or device has that name, or, without `replace`, anything has. */
Status file_new(int *fd, const char *path, bool replace, Error *error);

/* Opens an existing file for reading and writing; its last name must not be a link. STATUS_IO. */
Status file_reopen(int *fd, const char *path, Error *error);

/* Create a file that is visible only when complete. With `replace`, file_begin_partial opens path.part.
 * Without it, the name is path.holonom.part (path.holonom.part2 if another program is writing the first, and
 * so on), and leftovers of killed programs are removed. The function file_finish_partial syncs, closes and
 * renames, so that path is the old file or the new one at any time. `why`: the errno of earlier writes, 0 if
 * all succeeded; after an error the partial file is removed. STATUS_IO. base/text.h has a stream on top. */
Status file_begin_partial(int *fd, const char *path, bool replace, Error *error);
Status file_finish_partial(int fd, const char *path, int why, Error *error);

/* Closes the descriptor of an incomplete file, and removes the file. */
void file_discard_partial(int fd, const char *path);

/* Whether both paths lead to the same file, following links. */
bool file_same(const char *one, const char *other);

/* Whether a file begins with this text; false also if it cannot be read. */
bool file_begins(const char *path, const char *text);

/* Creates a folder and its parents if they do not exist. STATUS_INPUT with the reason: the path is the
 * user's. */
Status file_make_folder(const char *path, Error *error);

/* Whether path exists, including dangling links. */
bool file_lies(const char *path);

/* Whether dir/name exists. */
int file_exists(const char *dir, const char *name);

/* The length of dir/name in bytes; -1 if it does not exist. */
int64_t file_length(const char *dir, const char *name);

/* Syncs the names in a folder to disk, if the file system supports it. */
void file_sync_folder(const char *dir);

/* The last component of a path. */
const char *file_last(const char *path);

/* Returns "dir/name", or name if dir is NULL, which the caller frees; NULL without memory. */
char *file_path(const char *dir, const char *name);

#endif
