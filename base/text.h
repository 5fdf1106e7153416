/* Text files written in pieces: a failed write is recorded and reported with the path, so that callers print
 * freely and check once. */
#ifndef HOLONOM_BASE_TEXT_H
#define HOLONOM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct Text Text;

/* Creates dir/name (dir NULL: name is the path) and lists it in the folder's manifest (base/manifest.h),
 * replacing a file that is listed. STATUS_IO with the reason: an unlisted file exists, or the system
 * fails. */
Status text_create(Text **text, const char *dir, const char *name, Error *error);

/* Likewise, but the old file remains until text_close replaces it by the complete one, or for good if that
 * fails. STATUS_IO. */
Status text_replace(Text **text, const char *dir, const char *name, Error *error);

/* Likewise without a manifest, for a file that the user named and the caller has checked. */
Status text_replace_named(Text **text, const char *path, Error *error);

/* Continues dir/name after its first `length` bytes, removing the rest; -1: at its end, creating it if
 * necessary. STATUS_IO also if the file is shorter. */
Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error);

/* The stream, for functions that print to one. */
FILE *text_file(Text *text);

void text_print(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Likewise for arguments that are names or words from outside: prints one line, safe for a terminal
 * (base/printable.h). */
void text_say(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a quoted CSV field. */
void text_csv_word(FILE *file, const char *word);

/* Passes all output to the system. STATUS_IO if any write so far failed (for example, disk full). */
Status text_flush(Text *text, Error *error);

/* Also syncs to disk; *length: the length of the file in bytes. */
Status text_sync(Text *text, int64_t *length, Error *error);

/* Flushes, closes and frees (also after errors). NULL is allowed. */
Status text_close(Text *text, Error *error);

/* Closes and frees an incomplete file of text_replace or text_replace_named; the old file remains. NULL is
 * allowed. */
void text_discard(Text *text);

/* The first word of a text of words separated by blanks, and its length; NULL: no word. To visit all: for (at
 * = text; (at = text_word(at, &n)) != NULL; at += n). */
const char *text_word(const char *text, int *length);

/* Whether text ends with `end` and is longer. */
bool text_ends(const char *text, const char *end);

/* Appends to the string in words[size], truncating. */
void text_append(char *words, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
