#include "base/printable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

size_t printable_character(const char *text, uint32_t *code)
{
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *const c = (const unsigned char *)text;
  const size_t n = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
  *code = n == 1 ? c[0] : c[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if (c[i] >> 6 != 2)
      return 0;
    *code = *code << 6 | (c[i] & 0x3fu);
  }
  return *code >= least[n] && *code <= 0x10ffff && !(*code >= 0xd800 && *code <= 0xdfff) ? n : 0;
}

/* As printable_character, but 0 also for control characters and marks that change the direction of text. */
static size_t harmless(const char *text)
{
  uint32_t code;
  const size_t n = printable_character(text, &code);
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
  return turns || control ? 0 : n;
}

/* The visible form, of at most 4 bytes, of the character at text, which has *taken bytes. */
static size_t show(char shown[5], const char *text, size_t *taken)
{
  const unsigned char *const c = (const unsigned char *)text;
  *taken = harmless(text);
  if (*taken > 0) {
    memcpy(shown, text, *taken);
    return *taken;
  }
  *taken = 1;
  return (size_t)(*c == '\n'   ? snprintf(shown, 5, "\\n")
                  : *c == '\t' ? snprintf(shown, 5, "\\t")
                  : *c == '\r' ? snprintf(shown, 5, "\\r")
                               : snprintf(shown, 5, "\\x%02x", *c));
}

/* Control characters remain where `kept` is set. */
static size_t copy(char *to, size_t size, const char *text, const char *kept)
{
  char shown[5];
  size_t used = 0, taken;
  for (size_t i = 0; text[i] != '\0'; i += taken) {
    const bool keep = kept != NULL && kept[i] != '\0';
    if (keep) {
      shown[0] = kept[i];
      taken = 1;
    }
    const size_t n = keep ? 1 : show(shown, text + i, &taken);
    if (used + n + 1 > size)
      break;
    memcpy(to + used, shown, n);
    used += n;
  }
  to[used] = '\0';
  return used;
}

size_t printable_copy(char *to, size_t size, const char *text) { return copy(to, size, text, NULL); }

/* A copy of the format with `mark` in place of its control characters; the caller frees it. */
static char *marked(const char *format, char mark)
{
  char *text = strdup(format);
  for (char *c = text; c != NULL && *c != '\0'; c++)
    if ((unsigned char)*c < 0x20)
      *c = mark;
  return text;
}

/* Outputs with two different marks differ where the format has control characters. These are kept: *kept has
 * one byte for each of the text. The caller frees both; NULL: no memory. */
__attribute__((format(printf, 1, 0))) static char *print(const char *format, va_list args, char **kept)
{
  va_list again;
  char *form[2] = {marked(format, '\1'), marked(format, '\2')}, *text[2] = {NULL, NULL};
  va_copy(again, args);
  bool fine = form[0] != NULL && form[1] != NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (fine && vasprintf(&text[0], form[0], args) < 0) {
    text[0] = NULL;
    fine = false;
  }
  if (fine && vasprintf(&text[1], form[1], again) < 0) {
    text[1] = NULL;
    fine = false;
  }
#pragma GCC diagnostic pop
  va_end(again);
  *kept = fine ? calloc(strlen(text[0]) + 1, 1) : NULL;
  const char *own = format;
  for (size_t i = 0; *kept != NULL && text[0][i] != '\0'; i++)
    if (text[0][i] != text[1][i]) {
      while ((unsigned char)*own >= 0x20)
        own++;
      (*kept)[i] = *own++;
    }
  free(form[0]);
  free(form[1]);
  free(text[1]);
  if (*kept != NULL)
    return text[0];
  free(text[0]);
  return NULL;
}

/* Copies converted text: newlines and tabs are kept. */
static void copy_lines(char *to, size_t size, const char *text)
{
  size_t used = 0;
  for (;;) {
    char *line = strndup(text, strcspn(text, "\n\t"));
    used += printable_copy(to + used, size - used, line != NULL ? line : "");
    free(line);
    text += strcspn(text, "\n\t");
    if (*text == '\0' || used + 2 > size)
      return;
    to[used++] = *text++;
    to[used] = '\0';
  }
}

void printable_format(char *to, size_t size, const char *format, va_list args)
{
  LOCALE_PLAIN;
  if (strcmp(format, "%s") == 0) {
    copy_lines(to, size, va_arg(args, const char *));
    return;
  }
  va_list again;
  va_copy(again, args);
  char *kept, *text = print(format, args, &kept);
  if (text != NULL)
    (void)copy(to, size, text, kept);
  else
    vsnprintf(to, size, format, again); /* without memory the text is printed unconverted */
  va_end(again);
  free(text);
  free(kept);
}

void printable_vprint(FILE *file, const char *format, va_list args)
{
  LOCALE_PLAIN;
  char *kept, *text = print(format, args, &kept);
  for (size_t i = 0, taken; text != NULL && text[i] != '\0'; i += taken) {
    char shown[5];
    taken = 1;
    if (kept[i] != '\0')
      fputc(kept[i], file);
    else
      fwrite(shown, 1, show(shown, text + i, &taken), file);
  }
  free(text);
  free(kept);
}

void printable_print(FILE *file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  printable_vprint(file, format, args);
  va_end(args);
}

void printable_lines(FILE *file, const char *before, const char *text)
{
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    char *line = strndup(text, length);
    printable_print(file, "%s%s\n", before, line != NULL ? line : "");
    free(line);
    text += length + (text[length] == '\n');
  }
}
