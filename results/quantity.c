#include "results/quantity.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define ROW(compared, tables, name, symbol, unit, reduced, shape, sorts, error, format, error_format, label, \
            meaning)                                                                                         \
  {tables,           name,   symbol,       unit,  reduced, QUANTITY_##shape, QUANTITY_##sorts,               \
   QUANTITY_##error, format, error_format, label, meaning, compared},
#define QUANTITY(...) ROW(false, __VA_ARGS__)
#define COMPARED(...) ROW(true, __VA_ARGS__)
const QuantityRow quantity_table[] = {
#include "results/quantities.def"
};
const size_t quantity_count = sizeof quantity_table / sizeof *quantity_table;

enum { PATTERN = 64 };

/* The pattern that matches a name; false: none. */
static bool find_pattern(const char *patterns, const char *name, char pattern[PATTERN])
{
  int n;
  for (const char *at = patterns; (at = text_word(at, &n)) != NULL; at += n) {
    snprintf(pattern, PATTERN, "%.*s", n, at);
    if (fnmatch(pattern, name, 0) == 0)
      return true;
  }
  return false;
}

/* Most entries are plain names without patterns. */
static bool fits(const char *patterns, const char *name)
{
  char pattern[PATTERN];
  if (strpbrk(patterns, " *?[") == NULL)
    return strcmp(patterns, name) == 0;
  return find_pattern(patterns, name, pattern);
}

const QuantityRow *quantity_find(unsigned sorts, const char *table, const char *name)
{
  for (size_t i = 0; i < quantity_count; i++) {
    const QuantityRow *q = &quantity_table[i];
    if ((q->sorts & sorts) != 0 && fits(q->name, name) && fits(q->tables, table))
      return q;
  }
  return NULL;
}

const char *quantity_unit(unsigned sorts, const char *table, const char *column)
{
  char name[128];
  const size_t length = strlen(column), bare = text_ends(column, "_err") ? length - strlen("_err") : length;
  snprintf(name, sizeof name, "%.*s", (int)bare, column);
  const QuantityRow *q = quantity_find(sorts, table, name);
  return q != NULL ? q->unit : NULL;
}

QuantityWords quantity_show_unit(const char *unit)
{
  static const char *const shown[][2] = {{"^2", "²"},      {"^3", "³"},      {"^4", "⁴"},
                                         {"A2", "Å²"},     {"ps2", "ps²"},   {"m2", "m²"},
                                         {"1e-9", "10⁻⁹"}, {"AKMA", "AKMA"}, {"A", "Å"}};
  enum { SHOWN = (int)(sizeof shown / sizeof *shown) };
  QuantityWords words = {""};
  for (const char *c = unit; *c != '\0';) {
    int i = 0;
    while (i < SHOWN && strncmp(c, shown[i][0], strlen(shown[i][0])) != 0)
      i++;
    if (i < SHOWN)
      text_append(words.text, sizeof words.text, "%s", shown[i][1]);
    else
      text_append(words.text, sizeof words.text, "%c", *c);
    c += i < SHOWN ? strlen(shown[i][0]) : 1;
  }
  return words;
}

QuantityWords quantity_title(const QuantityRow *q, const char *name)
{
  char pattern[PATTERN];
  QuantityWords words = {""};
  const char *star = find_pattern(q->name, name, pattern) ? strchr(pattern, '*') : NULL;
  text_append(words.text, sizeof words.text, "%s", *q->label != '\0' ? q->label : name);
  if (star != NULL && *q->label != '\0')
    text_append(words.text, sizeof words.text, " of %s", name + (star - pattern));
  return words;
}

QuantityWords quantity_caption(const QuantityRow *q, const char *unit)
{
  QuantityWords words = {""};
  text_append(words.text, sizeof words.text, "%s", q->label);
  if (*unit != '\0')
    text_append(words.text, sizeof words.text, " (%s)", quantity_show_unit(unit).text);
  return words;
}
