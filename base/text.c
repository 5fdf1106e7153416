#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/output.h"
#include "base/printable.h"

struct Text {
  FILE *file;
  Output output;
  int failure; /* errno of the first failed write */
};

/* Writes for the stream. A stream reports the reason of a failure only immediately after a call, and most
 * calls are not checked: the errno is stored here. */
static ssize_t put(void *self, const char *data, size_t size)
{
  Text *t = self;
  if (t->failure == 0 && !output_append(&t->output, data, size))
    t->failure = errno;
  errno = t->failure;
  return t->failure == 0 ? (ssize_t)size : 0; /* 0: failed */
}

static Status begin(Text **text, const char *dir, const char *name, const OutputUse *use, Error *error)
{
  *text = NULL;
  Text *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "a text file", error);
  TRY_ELSE(output_open(&t->output, dir, name, use, error), free(t));
  t->file = fopencookie(t, "a", (cookie_io_functions_t){.write = put});
  if (t->file == NULL) {
    output_discard(&t->output);
    free(t);
    return error_memory(error, "a text file");
  }
  *text = t;
  return STATUS_OK;
}

Status text_create(Text **text, const char *dir, const char *name, Error *error)
{
  return begin(text, dir, name, &(OutputUse){.listed = true, .replace = true}, error);
}

Status text_replace(Text **text, const char *dir, const char *name, Error *error)
{
  return begin(text, dir, name, &(OutputUse){.listed = true, .replace = true, .whole = true}, error);
}

Status text_replace_named(Text **text, const char *path, Error *error)
{
  return begin(text, NULL, path, &(OutputUse){.replace = true, .whole = true}, error);
}

Status text_resume(Text **text, const char *dir, const char *name, int64_t length, Error *error)
{
  if (length < 0 && !file_exists(dir, name))
    return text_create(text, dir, name, error);
  return begin(text, dir, name, &(OutputUse){.listed = true, .resume = true, .size = length}, error);
}

FILE *text_file(Text *text) { return text->file; }

void text_print(Text *text, const char *format, ...)
{
  LOCALE_PLAIN;
  va_list args;
  va_start(args, format);
  if (vfprintf(text->file, format, args) < 0 && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  va_end(args);
}

void text_say(Text *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  printable_vprint(text->file, format, args); /* the stream records failures */
  va_end(args);
}

void text_csv_word(FILE *file, const char *word)
{
  fputc('"', file);
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '"')
      fputc('"', file);
    fputc(*c, file);
  }
  fputc('"', file);
}

/* Passes all output to the system. Returns the errno of the first failed write, or 0. */
static int flush(Text *text)
{
  errno = 0;
  if ((fflush(text->file) != 0 || ferror(text->file)) && text->failure == 0)
    text->failure = errno != 0 ? errno : EIO;
  return text->failure;
}

Status text_flush(Text *text, Error *error)
{
  const int why = flush(text);
  return why == 0 ? STATUS_OK : output_fail(&text->output, why, error);
}

Status text_sync(Text *text, int64_t *length, Error *error)
{
  TRY(text_flush(text, error));
  *length = text->output.size;
  return output_sync(&text->output, error);
}

Status text_close(Text *text, Error *error)
{
  if (text == NULL)
    return STATUS_OK;
  const int why = flush(text);
  (void)fclose(text->file); /* was flushed, and the descriptor belongs to `output` */
  const Status status = output_close(&text->output, why, error);
  free(text);
  return status;
}

void text_discard(Text *text)
{
  if (text == NULL)
    return;
  (void)fclose(text->file);
  output_discard(&text->output);
  free(text);
}

const char *text_word(const char *text, int *length)
{
  text += strspn(text, " ");
  *length = (int)strcspn(text, " ");
  return *length > 0 ? text : NULL;
}

bool text_ends(const char *text, const char *end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

void text_append(char *words, size_t size, const char *format, ...)
{
  LOCALE_PLAIN;
  const size_t used = strlen(words);
  va_list args;
  va_start(args, format);
  vsnprintf(words + used, size - used, format, args);
  va_end(args);
}
