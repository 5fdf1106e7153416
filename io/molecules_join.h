/* Several files of molecules as one: of each a molecule and so many of it, with the types, pairs and grids
 * that it needs. Its rows of `system` stand in the order of the parts. */
#ifndef HOLONOM_IO_MOLECULES_JOIN_H
#define HOLONOM_IO_MOLECULES_JOIN_H

#include <stdio.h>

#include "io/molecules_file.h"

typedef struct MoleculesPart {
  const char *path;     /* of the file, or what stands for it in messages                        */
  const char *text;     /* what stands in it; NULL: to be read                                   */
  const char *molecule; /* its name; NULL: the only one of the file                              */
  int n;                /* how many                                                              */
  bool any_rule;        /* only one of its types has Lennard-Jones, so any rule suits it; several such alone:
                           Lorentz-Berthelot */
} MoleculesPart;

/* Reads FILE, or FILE:NAME where there is no file of the whole name, into a part, which borrows the word: the
 * colon is cut out of it. */
void molecules_join_name(char *word, MoleculesPart *part);

/* *text: the joined file, which the caller frees; *molecules: what it says, whose molecule i is that of part
 * i. Errors: STATUS_INPUT with the file: those of molecules_file_read; no such molecule, or several and none
 * named; files of different rules; two molecules of one name; types of one name, pairs of types or grids that
 * differ; STATUS_MEMORY, STATUS_IO. Both are NULL then. */
Status molecules_join(int npart, const MoleculesPart *part, char **text, Molecules **molecules, Error *error);

/* Writes a text as a scalar of YAML, in quotes where it needs them. */
void molecules_join_scalar(FILE *out, const char *text);

#endif
