/* Reads the lines of a text file, with messages that name file and line. */
#ifndef HOLONOM_IO_LINES_H
#define HOLONOM_IO_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct Lines {
  FILE *file;       /* not owned */
  const char *path; /* not owned */
  char *text;       /* the current line without its line end (LF or CR LF) */
  int length;       /* its characters */
  int number;       /* its number, from 1 */
  bool complete;    /* it had a line end */
  bool ended;       /* the file ends in the current line, or at the last read */
  bool held;        /* lines_next returns the current line again */
} Lines;

Status lines_open(Lines *lines, FILE *file, const char *path, Error *error);
void lines_close(Lines *lines);

/* Reads the next line into lines->text; *more is false at the end of the file. STATUS_INPUT for a line
 * above 1 MiB or with a zero byte (a binary file); STATUS_IO if the system cannot read. */
Status lines_next(Lines *lines, bool *more, Error *error);

/* As lines_next, but the end of the file is STATUS_INPUT: `what` was expected. */
Status lines_expect(Lines *lines, const char *what, Error *error);

/* "path, line n: ..." as STATUS_INPUT. */
Status lines_fail(const Lines *lines, Error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool lines_blank(const Lines *lines);

/* Whether the text begins with a line of one number above 0. */
bool lines_count_at(const char *text);

/* The whole line as one integer; false if it is anything else. */
bool lines_integer(const Lines *lines, int64_t *value);

/* Columns [begin, begin + width) as one number, with blanks allowed around it; false if the line is too
 * short or has anything else there. Accepts "nan" and "inf": the caller checks. */
bool lines_field(const Lines *lines, int begin, int width, double *value);

/* The same, with an error for anything else. */
Status lines_number(const Lines *lines, int begin, int width, double *value, Error *error);

/* The next word after *cursor (an offset, which moves past the word): its offset and length; false at the
 * line's end. */
bool lines_word(const Lines *lines, int *cursor, int *begin, int *width);

#endif
