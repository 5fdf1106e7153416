/* The file of a manifest (base/manifest.c): lines are appended in one write, and removed by replacing the
 * file. */
#ifndef HOLONOM_BASE_MANIFEST_LIST_H
#define HOLONOM_BASE_MANIFEST_LIST_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/manifest.h"

/* Its complete lines; empty without a file. */
typedef struct ManifestList {
  char *text;  /* the caller frees it */
  size_t used; /* length of the file: more than the complete lines if the last one was cut off */
} ManifestList;

/* Reads the list. Status `bad`: a file with that name is not a list. */
Status manifest_list_read(const char *dir, ManifestList *list, Status bad, Error *error);

/* All lines; and the next line from *at on, of *length, after which *at is moved; NULL: end. */
const char *manifest_list_names(const ManifestList *list);
const char *manifest_list_next(const char **at, size_t *length);

/* Whether the list contains name followed by `behind`. */
bool manifest_list_has(const ManifestList *list, const char *name, const char *behind);

/* Whether a line can represent this name. */
bool manifest_list_takes(const char *name);

/* Appends lines to the list as it was read, and syncs it to disk. STATUS_IO. */
Status manifest_list_append(const char *dir, const ManifestList *list, const Bytes *lines, Error *error);

/* Replaces the list by these lines, or removes the file without lines. STATUS_IO. */
Status manifest_list_replace(const char *dir, const Bytes *lines, Error *error);

#endif
