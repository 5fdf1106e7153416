/* What the renderings of a page have in common. */
#ifndef HOLONOM_GALLERY_PAGE_WRITE_H
#define HOLONOM_GALLERY_PAGE_WRITE_H

#include <stdint.h>
#include <stdio.h>

#include "gallery/page.h"

/* Writes dir/name by `write`, which is handed the n pages. STATUS_IO, STATUS_MEMORY. */
Status page_write_file(const char *dir, const char *name, void (*write)(FILE *file, int n, Page *const *page),
                       int n, Page *const *page, Error *error);

/* "yes", "no", or a dash. */
const char *page_write_verdict(int holds);

#endif
