#include "base/locale.h"

LocaleScope locale_begin(void)
{
  LocaleScope scope = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  if (scope.plain != (locale_t)0)
    scope.before = uselocale(scope.plain);
  return scope;
}

void locale_end(const LocaleScope *scope)
{
  if (scope->plain == (locale_t)0)
    return;
  (void)uselocale(scope->before);
  freelocale(scope->plain);
}
