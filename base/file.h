/* Files: made anew or replaced as a whole, read only where they are files. What every module reads and writes
 * goes through here, so that nothing is lost to a failed write, and nothing is written over through a link.
 */
#ifndef HOLONOM_BASE_FILE_H
#define HOLONOM_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Descriptors 0 to 2 that the program was started without lead to /dev/null from here on, so that no file
 * gets their number and with it the words that are meant for the screen. First thing in main. */
void file_reserve_standard(void);

/* Opens an existing file for reading. STATUS_INPUT with the system's reason if it cannot be opened, is a
 * folder, or is a device, which might never end; a pipe is read as long as something writes into it. */
Status file_open(FILE **file, const char *path, Error *error);

/* The whole of such a file as a string that the caller frees; *length (NULL: not wanted) without the zero at
 * its end. STATUS_INPUT also if it is longer than `most` bytes; STATUS_IO, STATUS_MEMORY. */
Status file_read(const char *path, size_t most, char **text, size_t *length, Error *error);

/* The same of what is left of an open stream; `path` is for messages. */
Status file_read_stream(FILE *file, const char *path, size_t most, char **text, size_t *length, Error *error);

/* A new, empty file, in the place of a file of that name; a link, folder or device is refused, without
 * `replace` whatever lies there is. *fd is the descriptor for reading and
 * writing, which the caller closes. STATUS_IO. */
Status file_new(int *fd, const char *path, bool replace, Error *error);

/* Opens a file that is there for reading and writing; no link is followed at its last name. STATUS_IO. */
Status file_reopen(int *fd, const char *path, Error *error);

/* A file that takes its place when it is whole: the descriptor of path.part, or without `replace` of
 * path.holonom.part (path.holonom.part2 where another program writes that, and so on), from which what a
 * killed program left is removed first. file_finish_partial brings it down to the disk, closes and renames,
 * so that at any time path is the old file or the new one. `why` is the errno of what was written, 0 if all
 * went well; after an error the part is taken away. STATUS_IO. base/text.h is a stream over it. */
Status file_begin_partial(int *fd, const char *path, bool replace, Error *error);
Status file_finish_partial(int fd, const char *path, int why, Error *error);

/* Closes such a descriptor unfinished, and takes the part away. */
void file_discard_partial(int fd, const char *path);

/* Whether both names lead to one file, links followed. */
bool file_same(const char *one, const char *other);

/* Whether a file begins with this text; false also where it cannot be read. */
bool file_begins(const char *path, const char *text);

/* Makes a folder with its parents; an existing one is fine. STATUS_INPUT with the reason where that cannot
 * be: the path is the user's. */
Status file_make_folder(const char *path, Error *error);

/* Whether anything lies at path, be it a link to nothing. */
bool file_lies(const char *path);

/* Whether dir/name exists. */
int file_exists(const char *dir, const char *name);

/* Bytes of dir/name, -1 if it is not there. */
int64_t file_length(const char *dir, const char *name);

/* Names reach the disk; where the file system cannot do that, they come in its own time. */
void file_sync_folder(const char *dir);

/* The last name of a path. */
const char *file_last(const char *path);

/* "dir/name", or name alone without a dir, which the caller frees; NULL without memory. */
char *file_path(const char *dir, const char *name);

#endif
