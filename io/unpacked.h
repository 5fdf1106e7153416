/* Unpacks files packed by gzip or bzip2. */
#ifndef HOLONOM_IO_UNPACKED_H
#define HOLONOM_IO_UNPACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* The length of a path without a suffix .gz or .bz2. */
size_t unpacked_stem(const char *path);

/* If *file, a regular file at its beginning, is packed (by its first bytes), closes it, sets *packed and
 * replaces it by an unnamed temporary file with the unpacked bytes; else *file is at its beginning again.
 * STATUS_INPUT: the packed bytes are damaged or end early; STATUS_IO: no room for the unpacked ones. */
Status unpacked_open(FILE **file, const char *path, bool *packed, Error *error);

#endif
