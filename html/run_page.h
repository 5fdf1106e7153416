/* The page of a run. */
#ifndef HOLONOM_HTML_RUN_PAGE_H
#define HOLONOM_HTML_RUN_PAGE_H

#include "results/results.h"

#define RUN_PAGE_NAME "report.html"

/* set->dir/report.html from the results of a run, as it has them in memory when it ends or as they are read
 * from its folder; a set without numbers is of a run that has not ended. Tables and pictures that were
 * written on the way are looked for in the folder. STATUS_INPUT: no run has been there; STATUS_IO,
 * STATUS_MEMORY: an earlier page is gone, too. */
Status run_page_write(ResultSet *set, Error *error);

#endif
