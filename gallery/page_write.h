/* What the renderings of a page have in common. */
#ifndef HOLONOM_GALLERY_PAGE_WRITE_H
#define HOLONOM_GALLERY_PAGE_WRITE_H

#include <stdint.h>
#include <stdio.h>

#include "gallery/page.h"

/* Writes dir/name by `write`, which is handed the n pages. STATUS_IO, STATUS_MEMORY. */
Status page_write_file(const char *dir, const char *name, void (*write)(FILE *file, int n, Page *const *page),
                       int n, Page *const *page, Error *error);

/* Bytes of the UTF-8 character at text that may stand in a text; 0 if there is none. */
int page_write_character(const char *text);

/* Text as part of a link's target: what is neither letter, digit nor one of -._/ becomes %XX. */
void page_write_target(FILE *file, const char *text);

/* Length of the file NAME SUFFIX of the exhibit, -1 if it is not there. */
int64_t page_write_length(const Page *page, const char *name, const char *suffix);

/* "yes", "no", or a dash. */
const char *page_write_verdict(int holds);

#endif
