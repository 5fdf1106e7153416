#include "io/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

enum { LINE_LIMIT = 1 << 20, FIELD_LIMIT = 400 };

Status lines_open(Lines *lines, FILE *file, const char *path, Error *error)
{
  *lines = (Lines){.file = file, .path = path, .text = malloc(LINE_LIMIT + 1)};
  TRY_MEMORY(lines->text != NULL, "a line of text", error);
  lines->text[0] = '\0';
  return STATUS_OK;
}

void lines_close(Lines *lines)
{
  free(lines->text);
  *lines = (Lines){0};
}

Status lines_next(Lines *lines, bool *more, Error *error)
{
  *more = true;
  if (lines->held) {
    lines->held = false;
    return STATUS_OK;
  }
  int length = 0, c = EOF;
  while ((c = getc_unlocked(lines->file)) != EOF && c != '\n') {
    if (c == '\0' || length == LINE_LIMIT) {
      lines->number++;
      lines->text[length] = '\0';
      return lines_fail(lines, error,
                        c == '\0' ? "a zero byte: this is not a text file" : "the line is over 1 MiB long");
    }
    lines->text[length++] = (char)c;
  }
  if (c == EOF && ferror(lines->file))
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", lines->path, strerror(errno));
  lines->complete = c == '\n';
  *more = lines->complete || length > 0;
  if (*more)
    lines->number++;
  lines->ended = !lines->complete;
  if (length > 0 && lines->text[length - 1] == '\r')
    length--;
  lines->text[length] = '\0';
  lines->length = length;
  return STATUS_OK;
}

Status lines_expect(Lines *lines, const char *what, Error *error)
{
  bool more;
  TRY(lines_next(lines, &more, error));
  return more ? STATUS_OK
              : error_set(error, STATUS_INPUT, "%s: the file ends after line %d, where %s is expected",
                          lines->path, lines->number, what);
}

Status lines_fail(const Lines *lines, Error *error, const char *format, ...)
{
  LOCALE_PLAIN;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *c = text; *c != '\0'; c++) /* the message may quote binary data: protect terminals */
    if ((unsigned char)*c < ' ' || *c == 127)
      *c = '?';
  return error_set(error, STATUS_INPUT, "%s, line %d: %s", lines->path, lines->number, text);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool lines_blank(const Lines *lines)
{
  for (int i = 0; i < lines->length; i++)
    if (!is_blank(lines->text[i]))
      return false;
  return true;
}

bool lines_count_at(const char *text)
{
  char *end;
  const long long count = strtoll(text, &end, 10);
  return end != text && count > 0 && end[strspn(end, " \t\r")] == '\n';
}

bool lines_integer(const Lines *lines, int64_t *value)
{
  char *end;
  errno = 0;
  const long long number = strtoll(lines->text, &end, 10);
  if (end == lines->text || errno != 0)
    return false;
  while (is_blank(*end))
    end++;
  *value = number;
  return *end == '\0';
}

bool lines_field(const Lines *lines, int begin, int width, double *value)
{
  if (begin < 0 || width < 1 || begin >= lines->length)
    return false;
  if (width > lines->length - begin)
    width = lines->length - begin;
  if (width >= FIELD_LIMIT)
    return false;
  char field[FIELD_LIMIT];
  memcpy(field, lines->text + begin, (size_t)width);
  field[width] = '\0';
  char *end;
  *value = strtod(field, &end);
  if (end == field)
    return false;
  while (is_blank(*end))
    end++;
  return *end == '\0';
}

Status lines_number(const Lines *lines, int begin, int width, double *value, Error *error)
{
  return lines_field(lines, begin, width, value)
             ? STATUS_OK
             : lines_fail(lines, error, "'%.*s' in columns %d to %d is not a number", width,
                          lines->text + begin, begin + 1, begin + width);
}

bool lines_word(const Lines *lines, int *cursor, int *begin, int *width)
{
  int i = *cursor;
  while (i < lines->length && is_blank(lines->text[i]))
    i++;
  *begin = i;
  while (i < lines->length && !is_blank(lines->text[i]))
    i++;
  *width = i - *begin;
  *cursor = i;
  return *width > 0;
}
