/* Text files that are written line by line during a run: a failed write is remembered and reported with the
 * path, so that callers print freely and check once. */
#ifndef HOLONOM_IO_TEXT_H
#define HOLONOM_IO_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/status.h"

typedef struct Text Text;

/* Creates dir/name, in the place of a file or link of that name. STATUS_IO with the system's reason. */
Status text_create(Text **text, const char *dir, const char *name, Error *error);

/* Goes on with dir/name after its first `length` bytes; the rest is cut away. -1: after all that it holds,
 * if there is any. STATUS_IO also if the file is shorter. */
Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error);

void text_print(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line of YAML, key: "value". */
void text_quoted(Text *text, const char *key, const char *value);

/* Hands everything to the system; STATUS_IO if any write so far failed (disk full, say). */
Status text_flush(Text *text, Error *error);

/* The same down to the disk; *length: bytes that the file now has. */
Status text_sync(Text *text, int64_t *length, Error *error);

/* Flushes, closes and frees (also when it fails). NULL is fine. */
Status text_close(Text *text, Error *error);

/* Makes a folder with its parents; an existing one is fine. STATUS_INPUT with the reason where that cannot
 * be: the path is the user's. */
Status text_make_folder(const char *path, Error *error);

/* Removes dir/name; an absent one is fine. */
Status text_remove(const char *dir, const char *name, Error *error);

/* Whether dir/name exists. */
int text_exists(const char *dir, const char *name);

/* Bytes of dir/name, -1 if it is not there. */
int64_t text_length(const char *dir, const char *name);

/* Appends to the string in words[size]; what does not fit is left out. */
void text_append(char *words, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
