/* Text files that are written line by line during a run: a failed write is remembered and reported with the
 * path, so that callers print freely and check once. */
#ifndef HOLONOM_IO_TEXT_H
#define HOLONOM_IO_TEXT_H

#include "engine/status.h"

typedef struct Text Text;

/* Creates (empties) dir/name. STATUS_IO with the system's reason. */
Status text_create(Text **text, const char *dir, const char *name, Error *error);

void text_print(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Hands everything to the system; STATUS_IO if any write so far failed (disk full, say). */
Status text_flush(Text *text, Error *error);

/* Flushes, closes and frees (also when it fails). NULL is fine. */
Status text_close(Text *text, Error *error);

/* Makes a folder with its parents; an existing one is fine. */
Status text_make_folder(const char *path, Error *error);

/* Whether dir/name exists. */
int text_exists(const char *dir, const char *name);

#endif
