/* Writes tables as CSV and reads them back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/scoped.h"
#include "base/text.h"
#include "results/results_private.h"

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
  if (isnan(x)) /* without its sign */
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
  TRY_MEMORY(t != NULL && !t->failed, "results", error);
  snprintf(name, sizeof name, "%s.csv", t->name);
  TRY(text_replace(&text, dir, name, error));
  results_csv_print(t, text_file(text));
  return text_close(text, error);
}

Status results_csv_write_all(const ResultSet *set, int first, const char *dir, Error *error)
{
  TRY_MEMORY(!results_failed(set), "results", error);
  for (int i = first; i < set->ntable; i++)
    if (!set->table[i]->apart)
      TRY(results_csv_write(set->table[i], dir, error));
  return STATUS_OK;
}

/* --- reading -----------------------------------------------------------------------------------------------
 */

/* Longer than any table: a longer file is something else, and may be endless. */
static const size_t longest = (size_t)1 << 32;

/* Cuts the next line off *cursor; NULL at the end of the text. */
static char *next_line(char **cursor)
{
  char *line = *cursor;
  if (*line == '\0')
    return NULL;
  char *end = strchr(line, '\n');
  *cursor = end != NULL ? end + 1 : line + strlen(line);
  if (end != NULL)
    *end = '\0';
  const size_t n = strlen(line);
  if (n > 0 && line[n - 1] == '\r')
    line[n - 1] = '\0';
  return line;
}

/* Adds a column without numbers for each name between commas. */
static void add_names(ResultTable *t, char *line)
{
  for (char *c = line; c != NULL;) {
    char *const name = c + strspn(c, " \t");
    c = strchr(c, ',');
    if (c != NULL)
      *c++ = '\0';
    name[strcspn(name, " \t\n")] = '\0';
    (void)results_private_column(t, name);
  }
}

static Status make_room(ResultTable *t, size_t *room, Error *error)
{
  if (t->nrow < *room)
    return STATUS_OK;
  const size_t rows = 2 * *room + 64;
  for (int c = 0; c < t->ncol; c++) {
    double *larger = realloc(t->column[c].value, rows * sizeof *larger);
    TRY_MEMORY(larger != NULL, t->path, error);
    t->column[c].value = larger;
  }
  int *lines = realloc(t->line, rows * sizeof *lines);
  TRY_MEMORY(lines != NULL, t->path, error);
  t->line = lines;
  *room = rows;
  return STATUS_OK;
}

static Status read_row(ResultTable *t, const char *line, int number, Error *error)
{
  for (int c = 0; c < t->ncol; c++) {
    char *end;
    t->column[c].value[t->nrow] = strtod(line, &end);
    end += strspn(end, " \t");
    const char expected = c + 1 < t->ncol ? ',' : '\0';
    if (end == line || *end != expected)
      return error_set(error, STATUS_INPUT,
                       "%s:%d: expected %d numbers separated by commas; number %d (%s) reads \"%.20s\"",
                       t->path, number, t->ncol, c + 1, t->column[c].name, line);
    line = end + 1;
  }
  t->line[t->nrow++] = number;
  return STATUS_OK;
}

/* remark: room for all lines that begin with #. */
static Status read_lines(ResultTable *t, char *text, char *remark, Error *error)
{
  size_t room = 0;
  int number = 0;
  for (char *line; (line = next_line(&text)) != NULL;) {
    number++;
    if (line[0] == '#')
      remark += sprintf(remark, "%s\n", line + 1);
    else if (line[0] != '\0' && t->ncol == 0) {
      t->head = number;
      add_names(t, line);
      TRY_MEMORY(!t->failed, t->path, error);
      TRY(make_room(t, &room, error));
    } else if (line[0] != '\0') {
      TRY(make_room(t, &room, error));
      TRY(read_row(t, line, number, error));
    }
  }
  if (t->ncol == 0)
    return error_set(error, STATUS_INPUT, "%s: no line of column names: is it complete?", t->path);
  return STATUS_OK;
}

/* growing: text after the last whole line is ignored. */
static Status read_file(ResultTable *t, const char *path, bool growing, Error *error)
{
  LOCALE_PLAIN;
  SCOPED(scoped_free) char *text = NULL;
  t->sorts = QUANTITY_ALL;
  TRY(file_read(path, longest, &text, NULL, error));
  char *last = growing ? strrchr(text, '\n') : NULL;
  if (last != NULL)
    last[1] = '\0';
  t->path = strdup(path);
  t->remark = calloc(1, strlen(text) + 2);
  TRY_MEMORY(t->path != NULL && t->remark != NULL, path, error);
  return read_lines(t, text, t->remark, error);
}

Status results_csv_load(ResultTable **table, const char *path, Error *error)
{
  *table = NULL;
  ResultTable *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, path, error);
  TRY_ELSE(read_file(t, path, false, error), results_free_table(t));
  *table = t;
  return STATUS_OK;
}

/* The index of the column `name` + `end`; -1: no such column. */
static int find(const ResultTable *t, const char *name, size_t length, const char *end)
{
  char wanted[80];
  snprintf(wanted, sizeof wanted, "%.*s%s", (int)length, name, end);
  for (int c = 0; c < t->ncol; c++)
    if (strcmp(t->column[c].name, wanted) == 0)
      return c;
  return -1;
}

static double *hand_over(double **from)
{
  double *numbers = *from;
  *from = NULL;
  return numbers;
}

/* Moves the columns of a file, and each column of errors (_err) into the column of its values. */
static void move_columns(ResultTable *t, ResultTable *from)
{
  for (int c = 0; c < from->ncol; c++) {
    const char *name = from->column[c].name;
    const size_t length = strlen(name);
    const int error = find(from, name, length, "_err");
    if (text_ends(name, "_err") && find(from, name, length - strlen("_err"), "") >= 0)
      continue;
    ResultColumn *to = results_private_column(t, name);
    if (to == NULL)
      return;
    to->value = hand_over(&from->column[c].value);
    to->error = error >= 0 ? hand_over(&from->column[error].value) : NULL;
  }
  t->path = from->path;
  t->remark = from->remark;
  from->path = from->remark = NULL;
}

Status results_csv_read(ResultSet *set, const char *name, const ResultTable **table, Error *error)
{
  char file[64];
  ResultTable from = {0};
  *table = NULL;
  snprintf(file, sizeof file, "%s.csv", name);
  SCOPED(scoped_free) char *path = file_path(set->dir, file);
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY_ELSE(read_file(&from, path, true, error), results_private_clear(&from));
  ResultTable *t = results_private_renew(set, name, from.nrow);
  if (t != NULL)
    move_columns(t, &from);
  results_private_clear(&from);
  *table = t;
  return results_failed(set) ? error_memory(error, "results") : STATUS_OK;
}

Status results_csv_describe(ResultSet *set, const char *dir, const char *file, Error *error)
{
  char name[64];
  SCOPED(scoped_free) char *line = NULL;
  size_t size = 0;
  FILE *stream;
  SCOPED(scoped_free) char *path = file_path(dir, file);
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(file_open(&stream, path, error));
  snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
  ResultTable *t = results_add_table(set, name, 0);
  if (getline(&line, &size, stream) > 0 && t != NULL)
    add_names(t, line);
  if (t != NULL)
    t->apart = true;
  fclose(stream); /* only read */
  return STATUS_OK;
}

Status results_csv_number(const ResultTable *t, const char *key, double *value, Error *error)
{
  LOCALE_PLAIN;
  const size_t n = strlen(key);
  for (const char *line = t->remark; *line != '\0'; line = strchr(line, '\n') + 1) {
    const char *c = line + strspn(line, " ");
    if (strncmp(c, key, n) != 0 || c[n] != ':')
      continue;
    char *end;
    *value = strtod(c + n + 1, &end);
    if (end != c + n + 1)
      return STATUS_OK;
  }
  return error_set(error, STATUS_INPUT,
                   "%s lacks the comment line \"# %s: <number>\": was it written by holonom?", t->path, key);
}

/* --- the end of a growing file ------ */
/* The index of the column in the line of names, from 0; -1: none. */
static int field_of(const char *names, const char *column)
{
  const size_t length = strlen(column);
  int field = 0;
  for (const char *c = names; c != NULL; field++) {
    if (strncmp(c, column, length) == 0 && strchr(",\r\n", c[length]) != NULL)
      return field;
    c = strpbrk(c, ",\n");
    c = c != NULL && *c == ',' ? c + 1 : NULL;
  }
  return -1;
}

static double number_in(const char *line, int field)
{
  for (; line != NULL && field > 0; field--) {
    line = strpbrk(line, ",\n");
    line = line != NULL && *line == ',' ? line + 1 : NULL;
  }
  char *end;
  const double x = line != NULL ? strtod(line, &end) : NAN;
  return line != NULL && end != line ? x : NAN;
}

double results_csv_last(const char *path, const char *column)
{
  LOCALE_PLAIN;
  enum { END = 1 << 16 };
  FILE *file;
  double x = NAN;
  SCOPED(scoped_free) char *text = malloc(END + 1);
  if (text == NULL || file_open(&file, path, NULL) != STATUS_OK)
    return NAN;
  text[fread(text, 1, END, file)] = '\0';
  const int field = field_of(text, column);
  size_t n = 0;
  if (field >= 0 && (fseek(file, -END, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0))
    n = fread(text, 1, END, file);
  while (n > 0 && text[n - 1] != '\n') /* a row still being written */
    n--;
  text[n] = '\0';
  while (n > 0 && isnan(x)) {
    text[--n] = '\0';
    while (n > 0 && text[n - 1] != '\n')
      n--;
    if (n > 0 && text[n] != '#') /* the first line has the names, or is incomplete */
      x = number_in(text + n, field);
  }
  fclose(file); /* only read */
  return x;
}
