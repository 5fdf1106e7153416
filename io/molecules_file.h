/* Reads files of molecules (docs/molecules-file.md) into topology/molecules.h. */
#ifndef HOLONOM_IO_MOLECULES_FILE_H
#define HOLONOM_IO_MOLECULES_FILE_H

#include <stddef.h>

#include "topology/molecules.h"

/* Errors: STATUS_INPUT with file, line, molecule, what is wrong and what is allowed; STATUS_MEMORY;
 * STATUS_IO. *molecules is NULL then. */
Status molecules_file_read(Molecules **molecules, const char *path, Error *error);

/* The same from text[length]; messages use `name` for the file. */
Status molecules_file_parse(Molecules **molecules, const char *name, const char *text, size_t length,
                            Error *error);

#endif
