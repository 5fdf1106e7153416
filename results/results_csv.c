/* Tables as CSV, and those that a run has written as it went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/text.h"
#include "results/results_private.h"
#include "results/table.h"

/* --- writing -----------------------------------------------------------------------------------------------
 */

static void put_names(const ResultTable *t, Text *text)
{
  for (int c = 0; c < t->ncol; c++) {
    const ResultColumn *column = &t->column[c];
    text_print(text, "%s%s", c > 0 ? "," : "", column->name);
    if (column->error != NULL)
      text_print(text, ",%s_err", column->name);
  }
  text_print(text, "\n");
}

static void put_remarks(const ResultTable *t, Text *text)
{
  for (const char *line = t->remark; line != NULL && *line != '\0';) {
    const int length = (int)strcspn(line, "\n");
    text_print(text, "# %.*s\n", length, line);
    line += length + 1;
  }
}

static void put_number(Text *text, const char *format, double x)
{
  if (isnan(x)) /* without the sign that it may have */
    text_print(text, "nan");
  else
    text_print(text, *format != '\0' ? format : "%.17g", x);
}

static void put_row(const ResultTable *t, size_t row, Text *text)
{
  for (int c = 0; c < t->ncol; c++) {
    const ResultColumn *column = &t->column[c];
    const QuantityRow *q = column->quantity;
    text_print(text, "%s", c > 0 ? "," : "");
    if (column->word != NULL)
      text_csv_word(text_file(text), column->word[row]);
    else
      put_number(text, q != NULL ? q->format : "", column->value[row]);
    if (column->error != NULL) {
      text_print(text, ",");
      put_number(text, q != NULL ? q->error_format : "", column->error[row]);
    }
  }
  text_print(text, "\n");
}

Status results_csv_write(const ResultTable *t, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  char name[64];
  if (t == NULL || t->failed)
    return error_memory(error, "results");
  snprintf(name, sizeof name, "%s.csv", t->name);
  const Status status = text_replace(&text, dir, name, error);
  if (status != STATUS_OK)
    return status;
  put_names(t, text);
  put_remarks(t, text);
  for (size_t row = 0; row < t->nrow; row++)
    put_row(t, row, text);
  return text_close(text, error);
}

Status results_csv_write_all(const ResultSet *set, int first, const char *dir, Error *error)
{
  Status status = results_failed(set) ? error_memory(error, "results") : STATUS_OK;
  for (int i = first; i < set->ntable && status == STATUS_OK; i++)
    if (!set->table[i]->apart)
      status = results_csv_write(set->table[i], dir, error);
  return status;
}

/* --- reading -----------------------------------------------------------------------------------------------
 */

/* The column of errors of column c, -1 if there is none. */
static int errors_of(const Table *from, int c)
{
  char name[80];
  snprintf(name, sizeof name, "%.70s_err", from->name[c]);
  return table_find(from, name);
}

static void take(ResultTable *t, const Table *from)
{
  for (int c = 0; c < from->ncol; c++) {
    const char *name = from->name[c];
    const int error = errors_of(from, c);
    char owner[80];
    snprintf(owner, sizeof owner, "%.*s", text_ends(name, "_err") ? (int)(strlen(name) - 4) : 0, name);
    if (owner[0] != '\0' && table_find(from, owner) >= 0)
      continue;
    results_add_strided(t, name, from->x + c, error >= 0 ? from->x + error : NULL, (size_t)from->ncol);
  }
  t->remark = strdup(from->comment);
  t->failed = t->failed || t->remark == NULL;
}

Status results_csv_read(ResultSet *set, const char *name, const ResultTable **table, Error *error)
{
  char file[64];
  Table *from = NULL;
  snprintf(file, sizeof file, "%s.csv", name);
  char *path = file_path(set->dir, file);
  Status status = path != NULL ? table_read_growing(&from, path, error) : error_memory(error, "a file name");
  if (status != STATUS_OK) {
    free(path);
    *table = NULL;
    return status;
  }
  ResultTable *t = results_private_renew(set, name, from->nrow);
  if (t != NULL) {
    t->path = path;
    take(t, from);
  } else
    free(path);
  table_free(from);
  *table = t;
  return results_failed(set) ? error_memory(error, "results") : STATUS_OK;
}
