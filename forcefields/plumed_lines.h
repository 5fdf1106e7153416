/* The actions of a file for PLUMED (plumed.dat), each on one line, with the names of files resolved.
 *
 * PLUMED itself finds files from the folder in which the program was started. Here they belong to the run: a
 * file that PLUMED reads is found from the folder of plumed.dat, and a file that it writes goes into the
 * folder of the run. Names of read files are those of FILE in INCLUDE, EXTERNAL, READ and LOAD, and of keys
 * with RFILE, REFERENCE or STRUCTURE in their names. Names of written files are those of other keys with FILE
 * in their names. */
#ifndef HOLONOM_FORCEFIELDS_PLUMED_LINES_H
#define HOLONOM_FORCEFIELDS_PLUMED_LINES_H

#include "base/arena.h"

typedef struct PlumedLine {
  int number;         /* in the file, from 1 */
  const char *action; /* "METAD"; "": none */
  const char *text;   /* without comments and continuations */
} PlumedLine;

typedef struct PlumedLines {
  int n;
  PlumedLine *line;
  const char *name;          /* of the file, as in messages */
  const char *folder;        /* of the file, with a slash at the end; "": the current one */
  unsigned long long digest; /* of all texts */
} PlumedLines;

/* Reads a file; all arrays are in the arena. STATUS_INPUT with the line: the file cannot be read, a
 * continuation (...) does not end, a bias names no file for its hills, an action needs the energy of the
 * system. */
Status plumed_lines_read(PlumedLines *lines, const char *path, Arena *arena, Error *error);

/* Line i with its names of files, for a run in this folder (NULL: nothing is written). The caller frees it.
 * STATUS_MEMORY. */
Status plumed_lines_resolve(const PlumedLines *lines, int i, const char *run, char **text, Error *error);

#endif
