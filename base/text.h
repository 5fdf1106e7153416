/* Text files that are written by and by: a failed write is remembered and reported with the path, so that
 * callers print freely and check once. */
#ifndef HOLONOM_BASE_TEXT_H
#define HOLONOM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct Text Text;

/* Creates dir/name (dir NULL: name is the path), in the place of a file of that name that stands on the
 * folder's list (base/manifest.h), to which the name is added. STATUS_IO with the reason: another's file lies
 * there, the system refuses. */
Status text_create(Text **text, const char *dir, const char *name, Error *error);

/* The same, but what lies there stays until text_close puts the whole file in its place; where that fails it
 * stays for good. STATUS_IO. */
Status text_replace(Text **text, const char *dir, const char *name, Error *error);

/* The same without a list, of a file that its user named and that the caller has looked at. */
Status text_replace_named(Text **text, const char *path, Error *error);

/* Goes on with dir/name after its first `length` bytes; the rest is cut away. -1: after all that it holds,
 * if there is any. STATUS_IO also if the file is shorter. */
Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error);

/* Its stream, for functions that print to one. */
FILE *text_file(Text *text);

void text_print(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where the arguments are names or words of others: in one line, as a terminal may show it
 * (base/printable.h). */
void text_say(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A word of CSV, in quotes. */
void text_csv_word(FILE *file, const char *word);

/* Hands everything to the system; STATUS_IO if any write so far failed (disk full, say). */
Status text_flush(Text *text, Error *error);

/* The same down to the disk; *length: bytes that the file now has. */
Status text_sync(Text *text, int64_t *length, Error *error);

/* Flushes, closes and frees (also when it fails). NULL is fine. */
Status text_close(Text *text, Error *error);

/* Closes and frees one of text_replace or text_replace_named unfinished: what was there stays. NULL is fine.
 */
void text_discard(Text *text);

/* The first word of a text of words between blanks, and its length; NULL: there is none. All of them:
 * for (at = text; (at = text_word(at, &n)) != NULL; at += n). */
const char *text_word(const char *text, int *length);

/* Whether it is longer than this end of it. */
bool text_ends(const char *text, const char *end);

/* Appends to the string in words[size]; what does not fit is left out. */
void text_append(char *words, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
