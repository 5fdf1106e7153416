/* The words and pictures of compare.h. */
#ifndef HOLONOM_OBSERVABLES_COMPARE_REPORT_H
#define HOLONOM_OBSERVABLES_COMPARE_REPORT_H

#include "observables/compare.h"

void compare_report_print(const Compare *compare, FILE *out);

/* STATUS_RUN: gnuplot is absent or failed, everything else is written. */
Status compare_report_draw(const Compare *compare, const char *dir, Error *error);

#endif
