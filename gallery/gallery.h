/* All exhibits, one after the other, into one folder with one page. */
#ifndef HOLONOM_GALLERY_GALLERY_H
#define HOLONOM_GALLERY_GALLERY_H

#include <stdbool.h>
#include <stdio.h>

#include "gallery/exhibit.h"

typedef struct GalleryOptions {
  const char *dir;
  int threads; /* 0: all of the machine  */
  bool force;  /* write over a gallery that is there */
  FILE *out;   /* progress; NULL: none   */
} GalleryOptions;

/* Runs the rows of `table`, ended by NULL, and writes dir/index.md, dir/index.html, dir/numbers.csv and a
 * folder for each with its README.md. One that fails is shown with its message and the others go on; the page
 * is written after each. Errors: STATUS_INPUT (there is a gallery already; nothing written), STATUS_RUN (some
 * failed, with their names; all is written), STATUS_IO, STATUS_MEMORY. */
Status gallery_run(const Exhibit *const *table, const GalleryOptions *options, Error *error);

#endif
