/* The page of a run. */
#ifndef HOLONOM_HTML_RUN_PAGE_H
#define HOLONOM_HTML_RUN_PAGE_H

#include "engine/status.h"

#define RUN_PAGE_NAME "report.html"

/* dir/report.html from what the run has left in dir so far. STATUS_INPUT: no run has been there; STATUS_IO,
 * STATUS_MEMORY: an earlier page is gone, too. */
Status run_page_write(const char *dir, Error *error);

#endif
