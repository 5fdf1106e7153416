/* Formats numbers in the user's own units, for messages. */
#include <string.h>

#include "base/locale.h"
#include "io/input_private.h"

const char *input_amount(const Input *input, InputKey key, double value, char *text, size_t size)
{
  return input_amount_in(input, key, value, "", text, size);
}

const char *input_amount_in(const Input *input, InputKey key, double value, const char *unit, char *text,
                            size_t size)
{
  LOCALE_PLAIN;
  const Entry *const entry = input_entry_of(input, key);
  const char *blank = entry != NULL && entry->text != NULL ? strchr(entry->text, ' ') : NULL;
  double factor = 1.0;
  if (blank == NULL || entry->quantity == QUANTITY_NONE || !units_factor(entry->quantity, blank + 1, &factor))
    blank = unit;
  snprintf(text, size, "%.6g%s", value / factor, blank);
  return text;
}
