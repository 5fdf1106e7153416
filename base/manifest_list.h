/* The list of a folder's own files as text, for base/manifest.c: lines are added at its end, in one write,
 * and taken off by a new list in the place of the old one. */
#ifndef HOLONOM_BASE_MANIFEST_LIST_H
#define HOLONOM_BASE_MANIFEST_LIST_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/manifest.h"

/* Its whole lines; without a file none. */
typedef struct ManifestList {
  char *text;  /* the caller frees it */
  size_t used; /* bytes of the file: more than the whole lines where the last was torn */
} ManifestList;

/* Status `bad`: what has that name is no list. */
Status manifest_list_read(const char *dir, ManifestList *list, Status bad, Error *error);

/* All lines, and the next one of them from *at on, of *length, after which *at is behind it; NULL: none. */
const char *manifest_list_names(const ManifestList *list);
const char *manifest_list_next(const char **at, size_t *length);

/* Whether it has name with `behind` behind it. */
bool manifest_list_has(const ManifestList *list, const char *name, const char *behind);

/* Whether a line can hold this name. */
bool manifest_list_takes(const char *name);

/* Lines behind the list as it was read, down to the disk. STATUS_IO. */
Status manifest_list_append(const char *dir, const ManifestList *list, const Bytes *lines, Error *error);

/* Replaces the list by these lines; removes it where there are no lines. STATUS_IO. */
Status manifest_list_replace(const char *dir, const Bytes *lines, Error *error);

#endif
