/* Finds maxima and minima of quantities over the values of a study's first list, by a polynomial fitted to
 * the means of its runs (observables/extremum.h). */
#ifndef HOLONOM_CMD_STUDY_EXTREMA_H
#define HOLONOM_CMD_STUDY_EXTREMA_H

#include "cmd/study.h"

/* STATUS_INPUT: a quantity that is not compared, values that are not numbers of one unit, or too few
 * values. */
Status study_extrema_check(const Study *study, Error *error);

/* Adds the table "study_extrema", one row per extremum with a remark, to set, from the comparisons
 * [npoint], and draws the picture of that name in dir. Does nothing if the study has no extrema. */
Status study_extrema_find(const Study *study, Compare *const *compare, const char *dir, ResultSet *set,
                          Error *error);

#endif
