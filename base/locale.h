/* Numbers in text have a decimal point, whatever locale the host program has set: files must read the same
 * everywhere. LOCALE_PLAIN at the top of a function gives its thread the "C" locale until the function
 * returns, and then the one that it had. Scopes nest; other threads are not touched. It stands in whatever
 * prints real numbers or reads them (printf's %g, strtod), or at the entry of a group of such functions; not
 * in what calls the host's code. */
#ifndef HOLONOM_BASE_LOCALE_H
#define HOLONOM_BASE_LOCALE_H

#include <locale.h>

typedef struct LocaleScope {
  locale_t plain, before; /* 0: there was no memory for it, and nothing was changed */
} LocaleScope;

LocaleScope locale_begin(void);
void locale_end(const LocaleScope *scope);

#define LOCALE_PLAIN                                                                                         \
  const LocaleScope locale_scope __attribute__((cleanup(locale_end), unused)) = locale_begin()

#endif
