#include "results/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"

/* More than any table has: what is longer is something else, and may have no end. */
static const size_t table_most = (size_t)1 << 32;

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

static Status read_names(Table *table, char *line, Error *error)
{
  int n = 1;
  for (const char *c = line; *c != '\0'; c++)
    n += *c == ',';
  table->name = calloc((size_t)n, sizeof *table->name);
  if (table->name == NULL)
    return error_memory(error, table->path);
  for (char *c = line; c != NULL;) {
    char *const name = c + strspn(c, " \t");
    table->name[table->ncol++] = name;
    c = strchr(c, ',');
    if (c != NULL)
      *c++ = '\0';
    name[strcspn(name, " \t")] = '\0';
  }
  return STATUS_OK;
}

static Status read_row(Table *table, const char *line, int number, size_t *room, Error *error)
{
  if (table->nrow == *room) {
    *room = *room == 0 ? 64 : 2 * *room;
    double *larger = realloc(table->x, *room * (size_t)table->ncol * sizeof *larger);
    if (larger == NULL)
      return error_memory(error, table->path);
    table->x = larger;
    int *lines = realloc(table->line, *room * sizeof *lines);
    if (lines == NULL)
      return error_memory(error, table->path);
    table->line = lines;
  }
  double *row = table->x + table->nrow * (size_t)table->ncol;
  for (int k = 0; k < table->ncol; k++) {
    char *end;
    row[k] = strtod(line, &end);
    end += strspn(end, " \t");
    const char expected = k + 1 < table->ncol ? ',' : '\0';
    if (end == line || *end != expected)
      return error_set(error, STATUS_INPUT,
                       "%s:%d: expected %d numbers separated by commas; number %d (%s) reads \"%.20s\"",
                       table->path, number, table->ncol, k + 1, table->name[k], line);
    line = end + 1;
  }
  table->line[table->nrow++] = number;
  return STATUS_OK;
}

static Status read_lines(Table *table, Error *error)
{
  char *cursor = table->memory, *comment = table->comment;
  size_t room = 0;
  int number = 0;
  Status status = STATUS_OK;
  for (char *line; status == STATUS_OK && (line = next_line(&cursor)) != NULL;) {
    number++;
    if (line[0] == '#') {
      const size_t n = strlen(line + 1);
      memcpy(comment, line + 1, n);
      comment[n] = '\n';
      comment += n + 1;
    } else if (line[0] != '\0') {
      table->head = table->ncol == 0 ? number : table->head;
      status =
          table->ncol == 0 ? read_names(table, line, error) : read_row(table, line, number, &room, error);
    }
  }
  *comment = '\0';
  if (status == STATUS_OK && table->ncol == 0)
    status = error_set(error, STATUS_INPUT, "%s: no line of column names: is it complete?", table->path);
  return status;
}

static Status read_file(Table **table, const char *path, bool growing, Error *error)
{
  LOCALE_PLAIN;
  *table = NULL;
  Table *t = calloc(1, sizeof *t);
  if (t == NULL)
    return error_memory(error, path);
  Status status = file_read(path, table_most, &t->memory, NULL, error);
  if (status == STATUS_OK && t->memory != NULL) {
    char *last = growing ? strrchr(t->memory, '\n') : NULL;
    if (last != NULL)
      last[1] = '\0';
    t->path = strdup(path);
    t->comment = malloc(strlen(t->memory) + 2);
    status = t->path == NULL || t->comment == NULL ? error_memory(error, path) : read_lines(t, error);
  }
  if (status == STATUS_OK)
    *table = t;
  else
    table_free(t);
  return status;
}

Status table_read(Table **table, const char *path, Error *error)
{
  return read_file(table, path, false, error);
}

Status table_read_growing(Table **table, const char *path, Error *error)
{
  return read_file(table, path, true, error);
}

/* Which field of the line of names this column is, from 0; -1: none. */
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

double table_last(const char *path, const char *column)
{
  LOCALE_PLAIN;
  enum { END = 1 << 16 };
  FILE *file;
  double x = NAN;
  char *text = malloc(END + 1);
  if (text == NULL || file_open(&file, path, NULL) != STATUS_OK) {
    free(text);
    return NAN;
  }
  text[fread(text, 1, END, file)] = '\0';
  const int field = field_of(text, column);
  size_t n = 0;
  if (field >= 0 && (fseek(file, -END, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0))
    n = fread(text, 1, END, file);
  while (n > 0 && text[n - 1] != '\n') /* a row that is still being written */
    n--;
  text[n] = '\0';
  while (n > 0 && isnan(x)) {
    text[--n] = '\0';
    while (n > 0 && text[n - 1] != '\n')
      n--;
    if (n > 0 && text[n] != '#') /* the first line has the names, or is not whole */
      x = number_in(text + n, field);
  }
  fclose(file); /* only read */
  free(text);
  return x;
}

void table_free(Table *table)
{
  if (table == NULL)
    return;
  free(table->path);
  free(table->name);
  free(table->x);
  free(table->line);
  free(table->comment);
  free(table->memory);
  free(table);
}

int table_find(const Table *table, const char *name)
{
  for (int k = 0; k < table->ncol; k++)
    if (strcmp(table->name[k], name) == 0)
      return k;
  return -1;
}

Status table_number(const Table *table, const char *key, double *value, Error *error)
{
  LOCALE_PLAIN;
  const size_t n = strlen(key);
  for (const char *line = table->comment; *line != '\0'; line = strchr(line, '\n') + 1) {
    const char *c = line + strspn(line, " ");
    if (strncmp(c, key, n) != 0 || c[n] != ':')
      continue;
    char *end;
    *value = strtod(c + n + 1, &end);
    if (end != c + n + 1)
      return STATUS_OK;
  }
  return error_set(error, STATUS_INPUT,
                   "%s lacks the comment line \"# %s: <number>\": was it written by holonom?", table->path,
                   key);
}
