/* Tables that were written, read back. */
#ifndef HOLONOM_TESTS_TABLES_H
#define HOLONOM_TESTS_TABLES_H

#include <check.h>

#include "results/table.h"

static inline Table *tables_read(const char *path)
{
  Table *table;
  Error error;
  ck_assert_msg(table_read(&table, path, &error) == STATUS_OK, "%s", error.text);
  return table;
}

static inline double tables_cell(const Table *table, size_t row, const char *column)
{
  const int c = table_find(table, column);
  ck_assert_msg(c >= 0, "%s has no %s", table->path, column);
  ck_assert_uint_lt(row, table->nrow);
  return table->x[row * (size_t)table->ncol + (size_t)c];
}

#endif
