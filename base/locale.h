/* Decimal points in text, for any locale of the host program, so that files are the same everywhere.
 * LOCALE_PLAIN at the top of a function sets its thread's locale to "C" until the function returns. Scopes
 * nest; other threads are unaffected. Use it in functions that print or read real numbers (printf's %g,
 * strtod), or at the entry of a group of such functions, but not around calls of the host's code. */
#ifndef HOLONOM_BASE_LOCALE_H
#define HOLONOM_BASE_LOCALE_H

#include <locale.h>

typedef struct LocaleScope {
  locale_t plain, before; /* 0: no memory; the locale is unchanged */
} LocaleScope;

LocaleScope locale_begin(void);
void locale_end(const LocaleScope *scope);

#define LOCALE_PLAIN                                                                                         \
  const LocaleScope locale_scope __attribute__((cleanup(locale_end), unused)) = locale_begin()

#endif
