/* Files packed by gzip or bzip2, read as what they hold. */
#ifndef HOLONOM_IO_UNPACKED_H
#define HOLONOM_IO_UNPACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* The length of a path without a suffix of packed files, .gz or .bz2. */
size_t unpacked_stem(const char *path);

/* If *file, a regular file read from its beginning, is packed (its first bytes say so, and *packed), *file
 * becomes a temporary file without a name that holds the unpacked bytes, and the packed one is closed; else
 * *file is at its beginning again. STATUS_INPUT: the packed bytes are damaged or end early; STATUS_IO: no
 * room for the unpacked ones. */
Status unpacked_open(FILE **file, const char *path, bool *packed, Error *error);

#endif
