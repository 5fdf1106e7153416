/* The inputs of examples/, with the molecules, structures and scripts that belong to them, embedded in the
 * program. */
#ifndef HOLONOM_CMD_EXAMPLE_H
#define HOLONOM_CMD_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct Example {
  const char *folder,
      *file; /* "double-pendulum", "zs.yaml"; a file may be in a folder, "molecules/spc-fw.yaml" */
  const char *text;
} Example;

/* All files, sorted by folder, ended by a row of NULL. Generated from the source tree by cmake/embed.cmake.
 */
extern const Example example_table[];

/* Returns the row, or NULL. file NULL: the first file of the folder. */
const Example *example_find(const char *folder, const char *file);

/* The heading of a folder's page (README.md). */
typedef struct ExampleFolder {
  const char *name;  /* "double-pendulum" */
  const char *title; /* "Double pendulum" */
  const char *paper; /* "Tao & Owhadi 2015, section 4.1, Figs. 1 and 2"; "": not from a paper */
} ExampleFolder;

/* All folders of example_table, ended by a row of NULL; the row of one folder, or NULL. */
extern const ExampleFolder example_folders[];
const ExampleFolder *example_folder(const char *name);

/* Writes the file into the existing folder dir, and creates the file's own folder in it. own: lists the file
 * in the manifest (base/manifest.h); otherwise the caller has checked that no such file exists. STATUS_INPUT,
 * STATUS_IO, STATUS_MEMORY. */
Status example_write(const Example *example, const char *dir, bool own, Error *error);

#endif
