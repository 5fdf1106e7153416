/* The manifest: the list of this program's own files in a folder. A name is on the list, and the list on
 * disk, before the file is created, so that a kill at any time leaves no unlisted file. Files that are not
 * listed are never replaced or removed, and links are never followed. Code that writes into a folder claims
 * the name first (as base/text.h and io/trajectory.h do). */
#ifndef HOLONOM_BASE_MANIFEST_H
#define HOLONOM_BASE_MANIFEST_H

#include <stdbool.h>

#include "base/status.h"

/* The list is text: a title, then one name per line, with '/' after names of folders. A last line without
 * newline was cut off by a kill, and is ignored. */
#define MANIFEST_NAME "holonom.files"

/* The names of files that a command may write into a folder. Each list ends with NULL; NULL: empty. A name or
 * stem that ends with '*' stands for all that begin so, such as those with names from an input. */
typedef struct ManifestNames {
  const char *const *file;
  /* All pairs of a stem and a suffix; without stems, any name with one of the suffixes. */
  const char *const *stem, *const *suffix;
  /* First parts of folder names that end with a number and have the same names in them; NULL: none. */
  const char *const *folder;
} ManifestNames;

/* Verifies, before writing, that existing files with one of these names (or NAME.part, the partial file) are
 * the program's own. Of names with '*' only listed files count. STATUS_INPUT: an unlisted file, a link, a
 * folder or a device; the message names it. *found (may be NULL): the first existing own file, which the
 * caller frees, or NULL. A folder that does not exist is allowed. */
Status manifest_check(const char *dir, const ManifestNames *names, char **found, Error *error);

/* Finds which of these names path denotes in the folder, by any spelling of the path: "final.xyz", or
 * "replica-0/final.xyz". The caller frees *name; NULL: none of them. STATUS_MEMORY. */
Status manifest_find(const char *dir, const ManifestNames *names, const char *path, char **name,
                     Error *error);

/* Likewise for a folder in dir: it does not exist, or is not a link. */
Status manifest_check_folder(const char *dir, const char *name, Error *error);

/* Lists dir/name (dir NULL: name is a path) in the manifest of its folder, which exists, before the file is
 * created or replaced. STATUS_IO: an existing file is not the program's own (as manifest_check), or the list
 * cannot be written. */
Status manifest_claim(const char *dir, const char *name, Error *error);

/* Likewise for several names in one folder. */
Status manifest_claim_all(const char *dir, const char *const *name, int n, Error *error);

/* Lists folders to be created in dir later, so that readers of the list know which are to come. STATUS_IO: a
 * file or link has one of the names. */
Status manifest_claim_folders(const char *dir, const char *const *name, int n, Error *error);

/* Creates the folder dir/name in an existing folder, and lists it. An existing folder is allowed if it is not
 * a link. STATUS_IO. */
Status manifest_make_folder(const char *dir, const char *name, Error *error);

/* Whether the list of dir contains this name. */
bool manifest_has(const char *dir, const char *name);

/* Removes dir/name if it is a file and listed. STATUS_IO. */
Status manifest_remove(const char *dir, const char *name, Error *error);

/* Removes the names of files that do not exist from the list of a folder. The caller must have locked the
 * folder and not yet claimed files that do not exist. STATUS_IO. */
Status manifest_drop_gone(const char *dir, Error *error);

/* Removes all listed files of these names, their names, and folders that are then empty. Also removes the
 * names of files that do not exist, unless a run is active in the folder or the list was written in the last
 * minute (other commands may be about to create their files). STATUS_IO. */
Status manifest_clear(const char *dir, const ManifestNames *names, Error *error);

/* Calls visit with each name on the list of dir, in order, until it returns false. STATUS_INPUT: the file
 * with the list's name is not a list. */
typedef bool ManifestVisit(void *self, const char *name);
Status manifest_visit(const char *dir, ManifestVisit *visit, void *self, Error *error);

#endif
