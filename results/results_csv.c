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

static void put_names(const ResultTable *t, FILE *file)
{
  for (int c = 0; c < t->ncol; c++) {
    const ResultColumn *column = &t->column[c];
    fprintf(file, "%s%s", c > 0 ? "," : "", column->name);
    if (column->error != NULL)
      fprintf(file, ",%s_err", column->name);
  }
  fprintf(file, "\n");
}

static void put_remarks(const ResultTable *t, FILE *file)
{
  for (const char *line = t->remark; line != NULL && *line != '\0';) {
    const int length = (int)strcspn(line, "\n");
    fprintf(file, "# %.*s\n", length, line);
    line += length + 1;
  }
}

static void put_number(FILE *file, const char *format, double x)
{
  if (isnan(x)) /* without the sign that it may have */
    fprintf(file, "nan");
  else
    fprintf(file, *format != '\0' ? format : "%.17g", x);
}

static void put_row(const ResultTable *t, size_t row, FILE *file)
{
  for (int c = 0; c < t->ncol; c++) {
    const ResultColumn *column = &t->column[c];
    const QuantityRow *q = column->quantity;
    const bool given = q == NULL || (t->format != NULL && q->shape != QUANTITY_ARGUMENT);
    fprintf(file, "%s", c > 0 ? "," : "");
    if (column->word != NULL)
      text_csv_word(file, column->word[row]);
    else
      put_number(file, !given ? q->format : t->format != NULL ? t->format : "", column->value[row]);
    if (column->error != NULL) {
      fprintf(file, ",");
      put_number(file, t->format != NULL ? t->format : q != NULL ? q->error_format : "", column->error[row]);
    }
  }
  fprintf(file, "\n");
}

void results_csv_print(const ResultTable *t, FILE *file)
{
  LOCALE_PLAIN;
  put_names(t, file);
  put_remarks(t, file);
  for (size_t row = 0; row < t->nrow; row++)
    put_row(t, row, file);
}

Status results_csv_write(const ResultTable *t, const char *dir, Error *error)
{
  Text *text;
  char name[64];
  if (t == NULL || t->failed)
    return error_memory(error, "results");
  snprintf(name, sizeof name, "%s.csv", t->name);
  TRY(text_replace(&text, dir, name, error));
  results_csv_print(t, text_file(text));
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

/* --- tables that were written as the run went --- */

Status results_csv_describe(ResultSet *set, const char *dir, const char *file, Error *error)
{
  FILE *stream;
  char *path = file_path(dir, file), *line = NULL, *rest = NULL;
  size_t size = 0;
  TRY(path != NULL ? STATUS_OK : error_memory(error, "a file name"));
  const Status status = file_open(&stream, path, error);
  free(path);
  TRY(status);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
  ResultTable *t = results_add_table(set, name, 0);
  const bool names = getline(&line, &size, stream) > 0;
  for (char *c = names ? strtok_r(line, ",\n", &rest) : NULL; c != NULL; c = strtok_r(NULL, ",\n", &rest))
    results_add_column(t, c, &(double){0.0}, NULL);
  if (t != NULL)
    t->apart = true;
  fclose(stream); /* only read */
  free(line);
  return STATUS_OK;
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
