/* Between the parts of results.h. */
#ifndef HOLONOM_RESULTS_RESULTS_PRIVATE_H
#define HOLONOM_RESULTS_RESULTS_PRIVATE_H

#include "results/results.h"

/* A number like this at the end of the set, with its row; NULL without memory. */
ResultNumber *results_private_add(ResultSet *set, const ResultNumber *like);

/* The table of that name without its columns, or a new one, with so many rows; NULL without memory. */
ResultTable *results_private_renew(ResultSet *set, const char *name, size_t rows);

/* A new column without numbers; NULL without memory. */
ResultColumn *results_private_column(ResultTable *table, const char *name);

/* Frees all that a table holds, and not itself. */
void results_private_clear(ResultTable *table);

/* Reads NAME.csv of the set's folder into the table of that name, or a new one. */
Status results_csv_read(ResultSet *set, const char *name, const ResultTable **table, Error *error);

#endif
