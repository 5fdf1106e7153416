/* Prints text from outside (names of files, keys, values, contents of files) safely on a terminal. Control
 * characters, which would move the cursor or worse, appear as \n, \t or \x1b, and so do invalid UTF-8 and
 * marks that change the direction of text. */
#ifndef HOLONOM_BASE_PRINTABLE_H
#define HOLONOM_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The number of bytes of the UTF-8 character at text, and its code; 0 if invalid. */
size_t printable_character(const char *text, uint32_t *code);

/* Copies the converted text, as far as it fits into size >= 1 bytes, without splitting characters. Returns
 * the length. */
size_t printable_copy(char *to, size_t size, const char *text);

/* As vsnprintf: converts the arguments, but not newlines and tabs of the format. The format "%s" alone copies
 * converted text of several lines unchanged. */
void printable_format(char *to, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* As fprintf, with the same conversion. */
void printable_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void printable_vprint(FILE *file, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Prints each line of the text after `before`, with the same conversion. */
void printable_lines(FILE *file, const char *before, const char *text);

#endif
