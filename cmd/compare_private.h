/* Between the parts of compare.h: reading, fits, words, pictures. */
#ifndef HOLONOM_CMD_COMPARE_PRIVATE_H
#define HOLONOM_CMD_COMPARE_PRIVATE_H

#include "cmd/compare.h"

/* A run from its folder, run->dir; what it holds is freed by compare_read_free, also after an error. */
Status compare_read(CompareRun *run, Error *error);
void compare_read_free(CompareRun *run);

/* The fits of all groups, into compare->fit. */
Status compare_fit_all(Compare *compare, Error *error);

/* Whether a run's energy is a point of this group of penalty runs. */
int compare_fit_has(const CompareRun *run, const char *group);

void compare_report_print(const Compare *compare, FILE *out);

/* STATUS_RUN: gnuplot is absent or failed, everything else is written. */
Status compare_draw(const Compare *compare, const char *dir, Error *error);

#endif
