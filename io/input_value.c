/* Converts the text of a value and stores it in a field of the caller's struct. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/locale.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/text.h"
#include "io/input_private.h"

enum { WANTED_MAX = 512, PROBLEM_MAX = 256, LIST_MAX = 256 };

static const char *const nouns[QUANTITY_COUNT] = {
    [QUANTITY_NONE] = "a number",         [QUANTITY_LENGTH] = "a length",
    [QUANTITY_TIME] = "a time",           [QUANTITY_MASS] = "a mass",
    [QUANTITY_ENERGY] = "an energy",      [QUANTITY_TEMPERATURE] = "a temperature",
    [QUANTITY_FREQUENCY] = "a rate",      [QUANTITY_FRICTION] = "a friction coefficient",
    [QUANTITY_STIFFNESS] = "a stiffness", [QUANTITY_PENALTY] = "a penalty strength",
    [QUANTITY_CHARGE] = "a charge",       [QUANTITY_DENSITY] = "a density",
    [QUANTITY_PRESSURE] = "a pressure",   [QUANTITY_COMPRESSIBILITY] = "a compressibility",
    [QUANTITY_FORCE] = "a force",         [QUANTITY_ELECTRIC] = "an electric field",
};

/* --- descriptions of allowed values --------------------------------------------------------------- */

const char *input_value_name(const Parameter *parameter, int i)
{
  return parameter->names != NULL ? parameter->names[i] : parameter->name != NULL ? parameter->name(i) : NULL;
}

bool input_value_is_list(const Parameter *parameter)
{
  return parameter->type == PARAMETER_REALS || parameter->type == PARAMETER_STRINGS ||
         parameter->type == PARAMETER_CHOICES;
}

static void append_limits(const Parameter *parameter, char *text, size_t size)
{
  const int limits = parameter->limits;
  if (limits & (LIMIT_ABOVE | LIMIT_FROM))
    text_append(text, size, " %s %.15g", limits & LIMIT_ABOVE ? ">" : ">=", parameter->min);
  if (limits & (LIMIT_TO | LIMIT_BELOW))
    text_append(text, size, "%s %s %.15g", limits & (LIMIT_ABOVE | LIMIT_FROM) ? " and" : "",
                limits & LIMIT_BELOW ? "<" : "<=", parameter->max);
}

static void append_units(const Parameter *parameter, bool unitless, char *text, size_t size)
{
  if (parameter->quantity == QUANTITY_NONE || unitless)
    return;
  text_append(text, size, " in %s", units_list(parameter->quantity));
  if (parameter->alternative != QUANTITY_NONE)
    text_append(text, size, " or in %s", units_list(parameter->alternative));
}

void input_value_wanted(const Parameter *parameter, bool unitless, char *text, size_t size)
{
  text[0] = '\0';
  switch (parameter->type) {
  case PARAMETER_INT:
  case PARAMETER_INT64:
    text_append(text, size, "a whole number");
    append_limits(parameter, text, size);
    if (parameter->quantity != QUANTITY_NONE && !unitless)
      text_append(text, size, ", or %s", nouns[parameter->quantity]);
    append_units(parameter, unitless, text, size);
    if (parameter->map > 0)
      text_append(text, size, ", or 'name: number' lines");
    break;
  case PARAMETER_REALS:
    text_append(text, size, "a list, each item ");
    __attribute__((fallthrough));
  case PARAMETER_REAL:
    text_append(text, size, "%s", nouns[parameter->quantity]);
    append_limits(parameter, text, size);
    append_units(parameter, unitless, text, size);
    break;
  case PARAMETER_BOOL:
    text_append(text, size, "true or false");
    break;
  case PARAMETER_STRING:
    text_append(text, size, "%s",
                parameter->wanted != NULL ? parameter->wanted
                : parameter->path         ? "the name of a file"
                                          : "a text");
    break;
  case PARAMETER_STRINGS:
    text_append(text, size, "%s", parameter->wanted != NULL ? parameter->wanted : "a list of texts");
    break;
  case PARAMETER_RECORDS:
    text_append(text, size, "a list of records, each '- {key: value, ...}' with the keys ");
    input_records_keys(parameter, text + strlen(text), size - strlen(text));
    break;
  case PARAMETER_MAP:
    text_append(text, size, "'name: value' lines");
    break;
  case PARAMETER_CHOICES:
  case PARAMETER_CHOICE:
  case PARAMETER_NAME:
    text_append(text, size, parameter->type == PARAMETER_CHOICES ? "a list with any of" : "one of");
    for (int i = 0; input_value_name(parameter, i) != NULL; i++)
      text_append(text, size, "%s %s", i > 0 ? "," : "", input_value_name(parameter, i));
    break;
  }
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* The end of a decimal number; NULL for anything else. Stricter than strtod, which accepts "nan", "inf",
 * hexadecimal numbers and the decimal sign of the locale. */
static const char *number_end(const char *s)
{
  s += *s == '+' || *s == '-';
  int digits = 0;
  for (; isdigit((unsigned char)*s); s++)
    digits++;
  if (*s == '.')
    for (s++; isdigit((unsigned char)*s); s++)
      digits++;
  if (digits == 0)
    return NULL;
  if (*s == 'e' || *s == 'E') {
    const char *e = s + 1;
    e += *e == '+' || *e == '-';
    if (isdigit((unsigned char)*e)) {
      while (isdigit((unsigned char)*e))
        e++;
      s = e;
    }
  }
  return s;
}

typedef enum Whole { WHOLE_YES, WHOLE_NO, WHOLE_TOO_LARGE } Whole;

/* The number in [s, end) as an exact integer: 1000, 1e3 and 1.5e1 are whole, 1e-1 is not. */
static Whole whole_number(const char *s, const char *end, int64_t *value)
{
  const bool negative = *s == '-';
  s += *s == '+' || *s == '-';
  const char *e = s;
  while (e < end && *e != 'e' && *e != 'E')
    e++;
  long scale = 0;
  if (e < end) {
    scale = strtol(e + 1, NULL, 10);
    scale = scale > 100000 ? 100000 : scale < -100000 ? -100000 : scale;
  }
  const char *const point = memchr(s, '.', (size_t)(e - s));
  if (point != NULL)
    scale -= e - point - 1;
  /* Count zeros at the end of the digits as powers of ten. */
  const char *last = e;
  for (; last > s && (last[-1] == '0' || last[-1] == '.'); last--)
    scale += last[-1] == '0';
  int64_t x = 0;
  bool overflow = false;
  for (; s < last; s++)
    if (*s != '.')
      overflow |= __builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, *s - '0', &x);
  if (x != 0 && scale < 0)
    return WHOLE_NO;
  for (; x != 0 && scale > 0 && !overflow; scale--)
    overflow = __builtin_mul_overflow(x, 10, &x);
  *value = negative ? -x : x;
  return overflow ? WHOLE_TOO_LARGE : WHOLE_YES;
}

static const char *not_a_number(const char *text)
{
  const char *s = text + (*text == '+' || *text == '-');
  s += *s == '.';
  const bool special =
      strcasecmp(s, "nan") == 0 || strcasecmp(s, "inf") == 0 || strcasecmp(s, "infinity") == 0;
  return special ? "is not a finite number" : "is not a number";
}

static bool within(const Parameter *parameter, double x)
{
  const int limits = parameter->limits;
  return !((limits & LIMIT_ABOVE && !(x > parameter->min)) ||
           (limits & LIMIT_FROM && !(x >= parameter->min)) || (limits & LIMIT_TO && !(x <= parameter->max)) ||
           (limits & LIMIT_BELOW && !(x < parameter->max)));
}

/* Shortest decimal that reads back to the same bits. */
static void print_real(double x, char *text, size_t size)
{
  LOCALE_PLAIN;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, x);
    if (strtod(text, NULL) == x)
      return;
  }
}

/* The unit nearest to a wrong one, from "fs, ps, ns". */
static void nearest_unit(const Parameter *parameter, const char *unit, char *text, size_t size)
{
  char list[256];
  snprintf(list, sizeof list, "%s, %s", units_list(parameter->quantity),
           parameter->alternative != QUANTITY_NONE ? units_list(parameter->alternative) : "");
  Nearest nearest = nearest_start(unit);
  if (parameter->quantity != QUANTITY_NONE)
    for (char *rest = NULL, *name = strtok_r(list, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest))
      nearest_try(&nearest, name, 0.0);
  snprintf(text, size, "%s", nearest.name != NULL ? nearest.name : "");
}

/* One converted item, its YAML, and its fault, if any. */
typedef struct Item {
  double real;
  int64_t whole;
  int narrow; /* the same, if it fits */
  int index;
  bool yes;
  const char *string;
  Quantity quantity;
  char yaml[64];
  char problem[PROBLEM_MAX];
  char hint[64];
} Item;

static bool refuse(Item *item, const char *problem)
{
  snprintf(item->problem, sizeof item->problem, "%s", problem);
  return false;
}

static bool has_unit(const Parameter *parameter, const char *unit)
{
  double factor;
  return units_factor(parameter->quantity, unit, &factor) ||
         (parameter->alternative != QUANTITY_NONE && units_factor(parameter->alternative, unit, &factor));
}

static bool convert_real(const Parameter *parameter, const char *text, Item *item)
{
  LOCALE_PLAIN;
  const char *const end = number_end(text);
  if (end == NULL && *text != '\0' && parameter->quantity != QUANTITY_NONE && has_unit(parameter, text)) {
    snprintf(item->hint, sizeof item->hint, "1 %s", text);
    return refuse(item, "is a unit without a number");
  }
  if (end == NULL)
    return refuse(item, not_a_number(text));
  const char *unit = end;
  while (*unit == ' ' || *unit == '\t')
    unit++;
  char per[32]; /* "2/ps" is 2 1/ps */
  if (*unit == '/' && snprintf(per, sizeof per, "1%s", unit) < (int)sizeof per && has_unit(parameter, per))
    unit = per;
  if (*unit != '\0' && unit == end && !isalpha((unsigned char)*unit) && !has_unit(parameter, unit))
    return refuse(item, "is not a number (write decimals with a point, a unit after a space)");
  char *stop;
  const double number = strtod(text, &stop);
  if (stop != end)
    return refuse(item, "is not a number");
  double factor = 1.0, bare = 1.0;
  item->quantity = *unit != '\0' ? parameter->quantity : QUANTITY_NONE;
  (void)units_factor(parameter->quantity, NULL, &bare);
  if (!units_factor(parameter->quantity, unit, &factor)) {
    item->quantity = parameter->alternative;
    if (item->quantity == QUANTITY_NONE || !units_factor(item->quantity, unit, &factor)) {
      nearest_unit(parameter, unit, item->hint, sizeof item->hint);
      return refuse(item, parameter->quantity == QUANTITY_NONE ? "has a unit but must be a pure number"
                                                               : "has a unit that does not fit");
    }
  }
  item->real = number * factor;
  if (!isfinite(item->real))
    return refuse(item, "is too large for a number");
  if (!within(parameter, *unit != '\0' ? item->real / bare : number))
    return refuse(item, "is out of range");
  print_real(number, item->yaml, sizeof item->yaml);
  text_append(item->yaml, sizeof item->yaml, "%s%s", *unit != '\0' ? " " : "", unit);
  return true;
}

static bool convert_whole(const Parameter *parameter, const char *text, Item *item)
{
  const char *const end = number_end(text);
  if (end == NULL)
    return refuse(item, not_a_number(text));
  if (*end != '\0')
    return refuse(item, "is not a whole number (units and other signs are not allowed)");
  const Whole whole = whole_number(text, end, &item->whole);
  if (whole == WHOLE_NO)
    return refuse(item, "is not a whole number");
  if (whole == WHOLE_TOO_LARGE ||
      (parameter->type == PARAMETER_INT && (item->whole > INT_MAX || item->whole < INT_MIN)))
    return refuse(item, "is too large for a whole number");
  if (!within(parameter, (double)item->whole))
    return refuse(item, "is out of range");
  item->narrow = (int)item->whole;
  snprintf(item->yaml, sizeof item->yaml, "%lld", (long long)item->whole);
  return true;
}

/* A number with a unit instead of a whole number, converted later by input_count. */
static bool convert_amount(const Parameter *parameter, const char *text, Item *item)
{
  Parameter amount = *parameter;
  amount.limits = parameter->limits & LIMIT_FROM && parameter->min > 0.0 ? LIMIT_ABOVE : LIMIT_FROM;
  amount.min = 0.0;
  item->whole = item->narrow = 1;
  return convert_real(&amount, text, item);
}

/* --- words ----------------------------------------------------------------------------------------- */

static bool convert_bool(const char *text, Item *item)
{
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  Nearest nearest = nearest_start(text);
  for (int i = 0; i < 6; i++) {
    if (strcasecmp(text, words[i]) == 0) {
      item->yes = i % 2 != 0;
      snprintf(item->yaml, sizeof item->yaml, "%s", words[i % 2]);
      return true;
    }
    nearest_try(&nearest, words[i], 0.0);
  }
  snprintf(item->hint, sizeof item->hint, "%s", nearest.name != NULL ? nearest.name : "");
  return refuse(item, "is neither true nor false");
}

static bool convert_name(const Parameter *parameter, const char *text, Item *item)
{
  Nearest nearest = nearest_start(text);
  for (int i = 0; input_value_name(parameter, i) != NULL; i++) {
    const char *const name = input_value_name(parameter, i);
    if (strcmp(text, name) == 0) {
      item->index = i;
      item->string = name;
      snprintf(item->yaml, sizeof item->yaml, "%s", name);
      return true;
    }
    nearest_try(&nearest, name, 0.0);
  }
  snprintf(item->hint, sizeof item->hint, "%s", nearest.name != NULL ? nearest.name : "");
  return refuse(item, "is not on the list");
}

/* The text as a YAML string in double quotes; NULL if it is not UTF-8, or without memory. */
const char *input_value_quoted(Input *input, const char *text)
{
  const size_t size = 10 * strlen(text) + 3;
  char *const yaml = input_keep(input, size);
  if (yaml == NULL)
    return NULL;
  size_t used = 0;
  yaml[used++] = '"';
  for (const char *s = text; *s != '\0';) {
    uint32_t c;
    const size_t n = printable_character(s, &c);
    if (n == 0)
      return NULL;
    const bool plain = (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0xd800 && c != 0x2028 && c != 0x2029) ||
                       (c >= 0xe000 && c < 0xfffe && c != 0xfeff);
    if (c == '"' || c == '\\')
      used += (size_t)snprintf(yaml + used, size - used, "\\%c", (int)c);
    else if (plain)
      used += (size_t)snprintf(yaml + used, size - used, "%.*s", (int)n, s);
    else
      used += (size_t)snprintf(yaml + used, size - used, "\\U%08X", c);
    s += n;
  }
  yaml[used++] = '"';
  yaml[used] = '\0';
  return yaml;
}

/* --- storing --------------------------------------------------------------------------------------- */

static bool convert(Input *input, const Parameter *parameter, const char *text, Item *item)
{
  *item = (Item){0};
  switch (parameter->type) {
  case PARAMETER_INT:
  case PARAMETER_INT64:
    return parameter->quantity != QUANTITY_NONE && number_end(text) != NULL && *number_end(text) != '\0'
               ? convert_amount(parameter, text, item)
               : convert_whole(parameter, text, item);
  case PARAMETER_REAL:
  case PARAMETER_REALS:
    return convert_real(parameter, text, item);
  case PARAMETER_BOOL:
    return convert_bool(text, item);
  case PARAMETER_NAME:
  case PARAMETER_CHOICE:
  case PARAMETER_CHOICES:
    return convert_name(parameter, text, item);
  case PARAMETER_STRING:
  case PARAMETER_STRINGS:
    item->string = input_keep_text(input, "%s", text);
    return item->string != NULL || refuse(item, "does not fit into memory");
  case PARAMETER_RECORDS:
  case PARAMETER_MAP:
    return refuse(item, "is a single value");
  }
  return false;
}

static void complain(Input *input, const Entry *entry, const char *text, const Item *item)
{
  char wanted[WANTED_MAX];
  input_value_wanted(entry->parameter, input->unitless, wanted, sizeof wanted);
  const bool hint = item->hint[0] != '\0';
  input_complain_at(input, entry->location, entry->parameter->key, "'%s' %s; wanted: %s%s%s%s",
                    input_shown(text).text, item->problem, wanted, hint ? "; did you mean '" : "", item->hint,
                    hint ? "'?" : "");
}

/* The member of an item that is stored in a field, by type; lists have none. */
#define MEMBER(name)                                                                                         \
  {                                                                                                          \
    offsetof(Item, name), sizeof((Item){0}.name)                                                             \
  }
static const struct {
  size_t at, size;
} stored[] = {[PARAMETER_INT] = MEMBER(narrow),    [PARAMETER_INT64] = MEMBER(whole),
              [PARAMETER_REAL] = MEMBER(real),     [PARAMETER_BOOL] = MEMBER(yes),
              [PARAMETER_CHOICE] = MEMBER(index),  [PARAMETER_NAME] = MEMBER(string),
              [PARAMETER_STRING] = MEMBER(string), [PARAMETER_MAP] = {0}};

static void store_one(const Parameter *parameter, const Item *item, void *field)
{
  memcpy(field, (const char *)item + stored[parameter->type].at, stored[parameter->type].size);
}

/* Memory for a list in the target; store_item stores each item. */
static void *start_list(Input *input, const Parameter *parameter, int n, void *field)
{
  const size_t size = parameter->type == PARAMETER_REALS ? sizeof(double) : sizeof(char *);
  void *const value = input_keep(input, ((size_t)n + 1) * size);
  if (value == NULL)
    return NULL;
  if (parameter->type == PARAMETER_REALS)
    memcpy(field, &(InputReals){n, value}, sizeof(InputReals));
  else if (parameter->type == PARAMETER_STRINGS)
    memcpy(field, &(InputStrings){n, value}, sizeof(InputStrings));
  else
    memcpy(field, &(unsigned){0}, sizeof(unsigned));
  return value;
}

static void store_item(const Parameter *parameter, const Item *item, int i, void *value, void *field)
{
  if (parameter->type == PARAMETER_REALS) {
    ((double *)value)[i] = item->real;
  } else if (parameter->type == PARAMETER_STRINGS) {
    ((const char **)value)[i] = item->string;
  } else {
    unsigned bits;
    memcpy(&bits, field, sizeof bits);
    bits |= 1u << item->index;
    memcpy(field, &bits, sizeof bits);
  }
}

void input_value_set(Input *input, Entry *entry, int n, const char *const *text)
{
  const Parameter *const parameter = entry->parameter;
  const bool list = input_value_is_list(parameter);
  void *const field = (char *)entry->base + parameter->offset;
  if (n > LIST_MAX) {
    input_complain_at(input, entry->location, parameter->key, "a list of %d items; at most %d are allowed", n,
                      LIST_MAX);
    return;
  }
  void *const value = list ? start_list(input, parameter, n, field) : NULL;
  if (list && value == NULL)
    return;
  const char *yaml = list ? "[" : "";
  for (int i = 0; i < n; i++) {
    Item item;
    bool fits = convert(input, parameter, text[i], &item);
    const bool string = parameter->type == PARAMETER_STRING || parameter->type == PARAMETER_STRINGS;
    const char *const shown = fits && string ? input_value_quoted(input, text[i]) : item.yaml;
    if (shown == NULL)
      fits = refuse(&item, "is not UTF-8 text");
    if (!fits) {
      complain(input, entry, text[i], &item);
      continue;
    }
    entry->quantity = item.quantity;
    entry->amount = item.real;
    if (parameter->unitless > 0)
      input->unitless = parameter->unitless == 1 + item.index;
    if (parameter->path)
      entry->file = item.string;
    if (list)
      store_item(parameter, &item, i, value, field);
    else
      store_one(parameter, &item, field);
    yaml = input_keep_text(input, "%s%s%s", yaml == NULL ? "" : yaml, list && i > 0 ? ", " : "", shown);
  }
  entry->text = list ? input_keep_text(input, "%s]", yaml == NULL ? "" : yaml) : yaml;
}

/* The next comma outside parentheses, or the end. */
static char *item_end(char *s)
{
  for (int depth = 0; *s != '\0'; s++) {
    depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
    if (*s == ',' && depth <= 0)
      break;
  }
  return s;
}

void input_value_set_text(Input *input, Entry *entry, const char *text)
{
  const ParameterType type = entry->parameter->type;
  if (type == PARAMETER_RECORDS || type == PARAMETER_MAP || (entry->parameter->map > 0 && *text == '{')) {
    input_yaml_value(input, entry, text);
    return;
  }
  if (!input_value_is_list(entry->parameter)) {
    input_value_set(input, entry, 1, &text);
    return;
  }
  /* Split at commas; drop spaces and brackets around items. */
  const size_t length = strlen(text);
  char *copy = input_keep(input, length + 1);
  const char **const item = input_keep(input, (length / 2 + 2) * sizeof *item);
  if (copy == NULL || item == NULL)
    return;
  memcpy(copy, text, length + 1);
  if (length >= 2 && copy[0] == '[' && copy[length - 1] == ']') {
    copy[length - 1] = '\0';
    copy++;
  }
  int n = 0;
  for (char *s = copy, *comma = copy; comma != NULL; s = comma) {
    char *stop = item_end(s);
    comma = *stop != '\0' ? stop + 1 : NULL;
    *stop = '\0';
    s += strspn(s, " \t");
    for (size_t end = strlen(s); end > 0 && (s[end - 1] == ' ' || s[end - 1] == '\t'); end--)
      s[end - 1] = '\0';
    if (*s != '\0')
      item[n++] = s;
  }
  input_value_set(input, entry, n, item);
}
