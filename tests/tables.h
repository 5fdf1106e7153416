/* Tables that were written, read back. */
#ifndef HOLONOM_TESTS_TABLES_H
#define HOLONOM_TESTS_TABLES_H

#include "results/results.h"
#include "tests/suite.h"

static inline ResultTable *tables_read(const char *path)
{
  ResultTable *table;
  Error why;
  ck_assert_msg(results_csv_load(&table, path, &why) == STATUS_OK, "%s", why.text);
  return table;
}

/* The column of that name, -1 if there is none. */
static inline int tables_find(const ResultTable *table, const char *name)
{
  const ResultColumn *column = results_column(table, name);
  return column != NULL ? (int)(column - table->column) : -1;
}

static inline double tables_at(const ResultTable *table, size_t row, int column)
{
  ck_assert(row < table->nrow && column >= 0 && column < table->ncol);
  return table->column[column].value[row];
}

static inline double tables_cell(const ResultTable *table, size_t row, const char *column)
{
  const int c = tables_find(table, column);
  ck_assert_msg(c >= 0, "%s has no %s", table->path, column);
  return tables_at(table, row, c);
}

#endif
