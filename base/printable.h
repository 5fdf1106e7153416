/* Text of others on its way to a terminal: names of files, keys, values, what stands in files. Control
 * characters, which would move the cursor or worse, are shown as \n, \t or \x1b, and so are bytes that are no
 * UTF-8 and marks that turn the direction of what follows. */
#ifndef HOLONOM_BASE_PRINTABLE_H
#define HOLONOM_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at text, and its code; 0 if there is none. */
size_t printable_character(const char *text, uint32_t *code);

/* The text so, as much of it as fits into size bytes, no character cut in two; returns the length. size is
 * at least 1. */
size_t printable_copy(char *to, size_t size, const char *text);

/* As vsnprintf: what comes from the arguments is shown so, while the format's own newlines and tabs are kept.
 * Text that has been made so before, of several lines, is handed on whole by the format "%s" alone. */
void printable_format(char *to, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* As fprintf, in the same way. */
void printable_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void printable_vprint(FILE *file, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Each line of the text behind `before`, in the same way. */
void printable_lines(FILE *file, const char *before, const char *text);

#endif
