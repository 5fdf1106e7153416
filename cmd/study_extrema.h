/* Where quantities of a study are largest or least over the values of its first list: a polynomial through
 * the means of runs that differ in that alone (observables/extremum.h). */
#ifndef HOLONOM_CMD_STUDY_EXTREMA_H
#define HOLONOM_CMD_STUDY_EXTREMA_H

#include "cmd/study.h"

/* STATUS_INPUT: a quantity that runs are not compared by, values that are not numbers of one unit, or too few
 * of them. */
Status study_extrema_check(const Study *study, Error *error);

/* From the comparisons [npoint]: the table "study_extrema", a row each, with its remark in words, and the
 * picture of that name in dir. Nothing where none is asked for. */
Status study_extrema_find(const Study *study, Compare *const *compare, const char *dir, ResultSet *set,
                          Error *error);

#endif
