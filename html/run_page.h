/* Writes the page of a run. */
#ifndef HOLONOM_HTML_RUN_PAGE_H
#define HOLONOM_HTML_RUN_PAGE_H

#include "results/results.h"

#define RUN_PAGE_NAME "report.html"

/* Writes set->dir/report.html from the results of a run, in memory or read from its folder; a set without
 * numbers means that the run has not ended. Tables and pictures written during the run are read from the
 * folder. STATUS_INPUT: the folder holds no run; STATUS_IO, STATUS_MEMORY: an earlier page is gone as
 * well. */
Status run_page_write(ResultSet *set, Error *error);

#endif
