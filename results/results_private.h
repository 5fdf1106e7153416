/* Shared by the source files of results.h. */
#ifndef HOLONOM_RESULTS_RESULTS_PRIVATE_H
#define HOLONOM_RESULTS_RESULTS_PRIVATE_H

#include "results/results.h"

/* Appends a copy of `like` with its row of the table of quantities; NULL without memory. */
ResultNumber *results_private_add(ResultSet *set, const ResultNumber *like);

/* Empties the table of that name, or adds it, for this number of rows; NULL without memory. */
ResultTable *results_private_renew(ResultSet *set, const char *name, size_t rows);

/* Adds a column without numbers; NULL without memory. */
ResultColumn *results_private_column(ResultTable *table, const char *name);

/* Frees the contents of a table, but not the table itself. */
void results_private_clear(ResultTable *table);

/* Reads NAME.csv of the set's folder into the table of that name, which is added if needed. */
Status results_csv_read(ResultSet *set, const char *name, const ResultTable **table, Error *error);

#endif
