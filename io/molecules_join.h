/* Joins several files of molecules into one: a molecule of each, its count, and the types, pairs and grids
 * that it needs. The rows of `system` are in the order of the parts. */
#ifndef HOLONOM_IO_MOLECULES_JOIN_H
#define HOLONOM_IO_MOLECULES_JOIN_H

#include <stdio.h>

#include "io/molecules_file.h"

typedef struct MoleculesPart {
  const char *path;     /* of the file, or its name in messages */
  const char *text;     /* its content; NULL: to be read */
  const char *molecule; /* its name; NULL: the only one of the file */
  int n;                /* number of molecules */
  bool any_rule; /* only one of its types has Lennard-Jones, so that any rule fits; several such parts alone
                    use Lorentz-Berthelot */
} MoleculesPart;

/* Splits FILE, or FILE:NAME if no file has the whole name, into a part, which borrows the word and
 * replaces the colon by a zero. */
void molecules_join_name(char *word, MoleculesPart *part);

/* *text: the joined file, which the caller frees; *molecules: its content, with molecule i from part i.
 * STATUS_INPUT with the file: errors of molecules_file_read; no such molecule, or several without a name
 * given; different rules; two molecules of one name; types of one name, pairs of types or grids that
 * differ. STATUS_MEMORY, STATUS_IO. Both are NULL then. */
Status molecules_join(int npart, const MoleculesPart *part, char **text, Molecules **molecules, Error *error);

/* Writes a text as a YAML scalar, in quotes if needed. */
void molecules_join_scalar(FILE *out, const char *text);

#endif
