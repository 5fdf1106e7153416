/* The input files and scripts of examples/, held inside the program, so that it has them wherever it is
 * installed.
 */
#ifndef HOLONOM_CMD_EXAMPLE_H
#define HOLONOM_CMD_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct Example {
  const char *folder, *file; /* "double-pendulum", "zs.yaml" */
  const char *text;
} Example;

/* All files, those of a folder side by side, ended by a row of NULL. Made at build time from the source tree
 * (cmake/embed.cmake). */
extern const Example example_table[];

/* The row, or NULL. With file NULL: the folder's first. */
const Example *example_find(const char *folder, const char *file);

/* What the page of a folder (README.md) is headed by. */
typedef struct ExampleFolder {
  const char *name;  /* "double-pendulum"                                               */
  const char *title; /* "Double pendulum"                                               */
  const char *paper; /* "Tao & Owhadi 2015, section 4.1, Figs. 1 and 2"; "": no paper's */
} ExampleFolder;

/* All folders of the table above, ended by a row of NULL; the row of one, or NULL. */
extern const ExampleFolder example_folders[];
const ExampleFolder *example_folder(const char *name);

/* Writes the file into dir, which must exist: as one of ours (base/manifest.h), or for the user, where the
 * caller has looked that there is none. STATUS_IO, STATUS_MEMORY. */
Status example_write(const Example *example, const char *dir, bool own, Error *error);

#endif
