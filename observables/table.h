/* Tables of numbers as CSV: one line of column names, '#' comment lines (`# key: value` where they say
 * something that a program needs), rows of numbers. What the observables write and read back. The names come
 * first, for numpy.genfromtxt(names=True) takes the first line for them, commented or not, and pandas reads
 * the same file with comment='#'. table_read takes comments anywhere. */
#ifndef HOLONOM_OBSERVABLES_TABLE_H
#define HOLONOM_OBSERVABLES_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "engine/status.h"

typedef struct Table {
  char *path; /* for messages                                             */
  int ncol;
  char **name; /* [ncol]                                                   */
  size_t nrow;
  double *x;     /* [nrow][ncol]                                             */
  char *comment; /* all comment lines, without their '#', each ended by '\n' */
  char *memory;  /* the text that name points into                           */
} Table;

/* Reads a whole file. STATUS_IO (cannot be read), STATUS_INPUT (not such a table: file, line, column and
 * what was found), STATUS_MEMORY. */
Status table_read(Table **table, const char *path, Error *error);
void table_free(Table *table);

/* The column of that name, -1 if there is none. */
int table_find(const Table *table, const char *name);

/* The same, but STATUS_INPUT with the list of columns if there is none. */
Status table_column(const Table *table, const char *name, int *column, Error *error);

/* The number in the comment line `# key: number`; STATUS_INPUT if there is none. */
Status table_number(const Table *table, const char *key, double *value, Error *error);

/* Opens a file for writing, and closes it with every failed write since reported; the stream remembers them,
 * so that the caller prints freely in between. It is path.part until table_close moves it to its place: what
 * is at `path` is whole, the new file or, after an error, what was there. table_close closes in every case.
 */
Status table_create(FILE **file, const char *path, Error *error);
Status table_close(FILE *file, const char *path, Error *error);

/* dir/name in fresh memory that the caller frees; NULL if there is none left. */
char *table_path(const char *dir, const char *name);

/* A whole file as a string that the caller frees. STATUS_IO, STATUS_MEMORY. */
Status table_slurp(const char *path, char **text, Error *error);

#endif
