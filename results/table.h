/* Tables of numbers as CSV: one line of column names, '#' comment lines (`# key: value` where they say
 * something that a program needs), rows of numbers. What the observables write and read back. The names come
 * first, for numpy.genfromtxt(names=True) takes the first line for them, commented or not, and pandas reads
 * the same file with comment='#'. table_read takes comments anywhere. */
#ifndef HOLONOM_RESULTS_TABLE_H
#define HOLONOM_RESULTS_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "engine/status.h"

typedef struct Table {
  char *path; /* for messages                                             */
  int head;   /* the line of the names, from 1                            */
  int ncol;
  char **name; /* [ncol]                                                   */
  size_t nrow;
  double *x;     /* [nrow][ncol]                                             */
  int *line;     /* [nrow] of the file, from 1                               */
  char *comment; /* all comment lines, without their '#', each ended by '\n' */
  char *memory;  /* the text that name points into                           */
} Table;

/* Reads a whole file. STATUS_INPUT (cannot be opened, or is no such table: file, line, column and what was
 * found), STATUS_IO, STATUS_MEMORY. */
Status table_read(Table **table, const char *path, Error *error);

/* The same of a file that a run is writing: what stands behind its last whole line is left out. */
Status table_read_growing(Table **table, const char *path, Error *error);
void table_free(Table *table);

/* The number in this column of the last whole row, of a file of any length that may be growing, of which its
 * two ends are read; NaN if there is none. */
double table_last(const char *path, const char *column);

/* The number in a row and a column that there are. */
static inline double table_at(const Table *table, size_t row, int column)
{
  return table->x[row * (size_t)table->ncol + (size_t)column];
}

/* The column of that name, -1 if there is none. */
int table_find(const Table *table, const char *name);

/* The number in the comment line `# key: number`; STATUS_INPUT if there is none. */
Status table_number(const Table *table, const char *key, double *value, Error *error);

#endif
