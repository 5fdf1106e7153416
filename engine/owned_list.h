/* The list of a folder's own files as text, for engine/owned.c: lines are added at its end, in one write, and
 * taken off by a new list in the place of the old one. */
#ifndef HOLONOM_ENGINE_OWNED_LIST_H
#define HOLONOM_ENGINE_OWNED_LIST_H

#include <stddef.h>

#include "engine/bytes.h"
#include "engine/owned.h"

/* Its whole lines; without a file none. */
typedef struct OwnedList {
  char *text;  /* the caller frees it */
  size_t used; /* bytes of the file: more than the whole lines where the last was torn */
} OwnedList;

/* Status `bad`: what has that name is no list. */
Status owned_list_read(const char *dir, OwnedList *list, Status bad, Error *error);

/* All lines, and the next one of them from *at on, of *length, after which *at is behind it; NULL: none. */
const char *owned_list_names(const OwnedList *list);
const char *owned_list_next(const char **at, size_t *length);

/* Whether it has name with `behind` behind it. */
bool owned_list_has(const OwnedList *list, const char *name, const char *behind);

/* Whether a line can hold this name. */
bool owned_list_takes(const char *name);

/* Lines behind the list as it was read, down to the disk. STATUS_IO. */
Status owned_list_append(const char *dir, const OwnedList *list, const Bytes *lines, Error *error);

/* A list of these lines in its place; without any there is none. STATUS_IO. */
Status owned_list_replace(const char *dir, const Bytes *lines, Error *error);

#endif
