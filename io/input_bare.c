/* Finds numbers that the user gave without a unit where a unit is possible. */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "io/input_private.h"

/* The familiar unit of a quantity; NULL: bare numbers need no note. */
static const char *familiar(Quantity quantity)
{
  static const char *const unit[QUANTITY_COUNT] = {
      [QUANTITY_TIME] = "fs", [QUANTITY_LENGTH] = "A", [QUANTITY_TEMPERATURE] = "K"};
  return unit[quantity];
}

/* An input may repeat the program's defaults, which are printed without units. */
static bool is_default(const Parameter *parameter, const char *text)
{
  bool same = parameter->fallback != NULL && strcmp(text, parameter->fallback) == 0;
  for (size_t i = 0; i < sizeof parameter->late / sizeof *parameter->late; i++)
    same = same || (parameter->late[i].text != NULL && strcmp(text, parameter->late[i].text) == 0);
  return same;
}

/* A bare whole number that may be a time counts steps; 0 is 0 in all units. */
static bool is_bare(const Entry *entry)
{
  const Parameter *const parameter = entry->parameter;
  return entry->given && entry->text != NULL && !entry->dropped && !entry->pure &&
         entry->quantity == QUANTITY_NONE &&
         (parameter->type == PARAMETER_REAL || parameter->type == PARAMETER_REALS) &&
         familiar(parameter->quantity) != NULL && parameter->alternative == QUANTITY_NONE &&
         entry->amount != 0.0 && isfinite(entry->amount) && !is_default(parameter, entry->text);
}

/* The first bare entry in the order of the file among n entries and `first`. */
static const Entry *first_bare(const Entry *entry, int n, const Entry *first)
{
  for (int i = 0; i < n; i++) {
    if (is_bare(&entry[i]) && (first == NULL || entry[i].location.line < first->location.line))
      first = &entry[i];
    if (entry[i].nrecord > 0)
      first = first_bare(entry[i].record, entry[i].nrecord * (1 + input_records_rows(&entry[i])), first);
  }
  return first;
}

bool input_bare(const Input *input, char *words, size_t size)
{
  LOCALE_PLAIN;
  const Entry *const entry = input->unitless ? NULL : first_bare(input->entry, input->nentry, NULL);
  if (entry == NULL)
    return false;
  const Quantity quantity = entry->parameter->quantity;
  const char *const unit = familiar(quantity);
  double factor = 1.0;
  (void)units_factor(quantity, unit, &factor);
  const double value = entry->amount / factor;
  words[0] = '\0';
  text_append(words, size, "%s: %s: %s has no unit and is taken ", entry->location.where,
              entry->parameter->key, entry->text);
  if (input_value_is_list(entry->parameter))
    text_append(words, size, "in %s", units_name(quantity));
  else
    text_append(words, size, "as %.6g %s", value, unit);
  if (quantity == QUANTITY_TIME)
    text_append(words, size, ", since bare times are in AKMA units of %.7g fs", UNITS_AKMA_FS);
  text_append(words, size, "; write the unit after a space, as in '%.6g %s'", value, unit);
  return true;
}
