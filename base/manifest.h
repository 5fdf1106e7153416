/* Which files of a folder are this program's own. Their names stand on a list that the folder itself holds. A
 * name is on the list, and the list on the disk, before the file is made, so that a kill at any call leaves
 * none that is not known. What does not stand there is never replaced or removed, and no link is ever
 * followed: code that writes into a folder claims the name first (as base/text.h and io/trajectory.h do). */
#ifndef HOLONOM_BASE_MANIFEST_H
#define HOLONOM_BASE_MANIFEST_H

#include <stdbool.h>

#include "base/status.h"

/* Text: a line that says what it is, then a name a line, those of folders with '/' behind. A last line
 * without its end was torn by a kill and counts for nothing. */
#define MANIFEST_NAME "holonom.files"

/* The names of files that a command may write into a folder. A list ends with NULL; NULL for it: none. */
typedef struct ManifestNames {
  const char *const *file;
  /* Each stem with each suffix; without stems, any name with one of the suffixes. */
  const char *const *stem, *const *suffix;
  /* How names of folders begin that a number ends, with the same names in them; NULL: none. */
  const char *folder;
} ManifestNames;

/* Before anything is made: nothing that lies in the folder under one of these names (or NAME.part, in which a
 * file is made) is a stranger's, a link, a folder or a device. STATUS_INPUT: something is; the message says
 * what, and nothing was touched. *found, unless NULL: the first of ours that lies there, which the caller
 * frees, or NULL. A folder that is not there is fine. */
Status manifest_check(const char *dir, const ManifestNames *names, char **found, Error *error);

/* Under which of these names path lies in the folder, by whatever way it is named: "final.xyz", or
 * "replica-0/final.xyz"; the caller frees it. NULL: under none. STATUS_MEMORY. */
Status manifest_find(const char *dir, const ManifestNames *names, const char *path, char **name,
                     Error *error);

/* As manifest_check for a folder in dir: one that is there is no link. */
Status manifest_check_folder(const char *dir, const char *name, Error *error);

/* dir/name (dir NULL: name is a path) is about to be made or replaced: puts it on the list of its folder. The
 * folder is there. STATUS_IO: what lies there is not ours (as for manifest_check), or the list cannot be
 * written. */
Status manifest_claim(const char *dir, const char *name, Error *error);

/* The same of several names of one folder. */
Status manifest_claim_all(const char *dir, const char *const *name, int n, Error *error);

/* Folders of these names are to be made in dir, by and by: puts them on its list. Whoever looks at the list
 * then knows what is still to come. STATUS_IO: something else has one of the names. */
Status manifest_claim_folders(const char *dir, const char *const *name, int n, Error *error);

/* Makes the folder dir/name, in a folder that is there, and puts it on the list; one that is there is fine if
 * it is no link. STATUS_IO. */
Status manifest_make_folder(const char *dir, const char *name, Error *error);

/* Whether the list of dir has this name. */
bool manifest_has(const char *dir, const char *name);

/* Takes dir/name away if it is a file and stands on the list. STATUS_IO. */
Status manifest_remove(const char *dir, const char *name, Error *error);

/* Drops names of files that are gone from the list of a folder. A file may be claimed before it is made: the
 * caller has locked the folder, and made no claim itself so far. STATUS_IO. */
Status manifest_drop_gone(const char *dir, Error *error);

/* Removes all files of these names that stand on the list, and drops their names; likewise folders that are
 * empty then. Drops names of files that are gone, too, unless a run is at work there or the list was written
 * in the last minute, when other commands may be about to make theirs. STATUS_IO. */
Status manifest_clear(const char *dir, const ManifestNames *names, Error *error);

/* Calls visit with each name on the list of dir, in order, until it returns false. STATUS_INPUT: what has the
 * list's name is none. */
typedef bool ManifestVisit(void *self, const char *name);
Status manifest_visit(const char *dir, ManifestVisit *visit, void *self, Error *error);

#endif
