/* Describes all keys of a table: as a list, a page of the manual, JSON, and an input file. */
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "io/input_private.h"

enum { WORDS = 768 };

static Status end(FILE *file, Error *error)
{
  if (fflush(file) != 0 || ferror(file))
    return error_set(error, STATUS_IO, "writing the list of keys failed");
  return STATUS_OK;
}

/* The row that ends the table. */
static const Parameter *end_of(const Parameter *table)
{
  while (table->key != NULL)
    table++;
  return table;
}

/* "default: mixed in periodic boxes, else double". */
static void default_words(const Parameter *p, char *text, size_t size)
{
  text[0] = '\0';
  for (int i = 0; i < 2 && p->late[i].where != NULL; i++)
    text_append(text, size, "%s%s %s, else ", i == 0 ? "default: " : "", p->late[i].text,
                p->late[i].where->with);
  if (p->fallback != NULL)
    text_append(text, size, "%s%s", text[0] == '\0' ? "default: " : "",
                *p->fallback != '\0' ? p->fallback : "empty");
  else if (p->absent != NULL)
    text_append(text, size, "default: %s", p->absent);
  else
    text_append(text, size, "%s", p->optional ? "optional" : "required");
}

/* "no effect without penalties". */
static void needs_words(const Parameter *p, char *text, size_t size)
{
  text[0] = '\0';
  if (p->needs != NULL)
    text_append(text, size, "no %s %s", p->refused ? "meaning" : "effect", p->needs->without);
}

/* Describes the allowed value: "a length > 0 in A, nm, pm; default: 9 A; systems: box".
 * sorts: the name of the table's system types, or NULL to omit them. */
static void value_words(const Parameter *table, const Parameter *p, const char *sorts, char *text,
                        size_t size)
{
  char words[WORDS];
  input_value_wanted(p, false, text, size);
  default_words(p, words, sizeof words);
  text_append(text, size, "; %s", words);
  if (p->rival != NULL)
    text_append(text, size, "; not together with %s", p->rival);
  const Parameter *const end = end_of(table);
  if (sorts != NULL && end->sort != NULL && p->sorts != 0) {
    input_meaning_sorts(end->sort, p->sorts, true, words, sizeof words);
    text_append(text, size, "; %s: %s", sorts, words);
  }
  needs_words(p, words, sizeof words);
  if (words[0] != '\0')
    text_append(text, size, "; %s", words);
  input_old_names(end->old, (int)(p - table), words, sizeof words);
  if (words[0] != '\0')
    text_append(text, size, "; formerly %s", words);
}

/* list: the key of the list of records that the table describes, or NULL. */
static void describe(const Parameter *table, const char *list, FILE *file)
{
  for (const Parameter *p = table; p->key != NULL; p++) {
    char words[2 * WORDS];
    value_words(table, p, list == NULL ? "systems" : "types", words, sizeof words);
    if (list != NULL)
      fprintf(file, "%s[i].", list);
    fprintf(file, "%s\n    %s\n    %s\n", p->key, p->help != NULL ? p->help : "", words);
    if (p->type == PARAMETER_RECORDS)
      describe(p->record, p->key, file);
  }
}

Status input_describe(const Parameter *table, FILE *file, Error *error)
{
  describe(table, NULL, file);
  return end(file, error);
}

/* --- a page ----------------------------------------------------------------------------------------------
 */

/* Writes text with Markdown's markup escaped. */
static void put_words(const char *text, FILE *file)
{
  for (const char *c = text; *c != '\0'; c++)
    fprintf(file, strchr("*_<[", *c) != NULL ? "\\%c" : "%c", *c);
}

/* Writes a key below a heading, its anchor. list: the key of the list of records, or NULL. */
static void put_key(const Parameter *table, const Parameter *p, const char *list, FILE *file)
{
  char words[2 * WORDS];
  fprintf(file, "\n### %s%s%s\n\n", list != NULL ? list : "", list != NULL ? "[]." : "", p->key);
  put_words(p->help != NULL ? p->help : "", file);
  value_words(table, p, list == NULL ? "systems" : "types", words, sizeof words);
  fputs("\n\n*", file);
  put_words(words, file);
  fputs(".*\n", file);
}

/* Writes the keys of a list of records, once for all lists that share them. */
static void put_records(const Parameter *table, const Parameter *p, FILE *file)
{
  for (const Parameter *before = table; before < p; before++)
    if (before->record == p->record)
      return;
  fprintf(file, "\n## Records of %s\n", p->key);
  int shared = 0;
  for (const Parameter *other = p + 1; other->key != NULL; other++)
    if (other->record == p->record)
      fprintf(file, "%s`%s`", shared++ == 0 ? "\nThe same keys apply to " : ", ", other->key);
  fputs(shared > 0 ? ".\n" : "", file);
  for (const Parameter *r = p->record; r->key != NULL; r++)
    put_key(p->record, r, p->key, file);
}

/* Writes the removed keys. */
static void put_gone(const InputOld *old, FILE *file)
{
  bool any = false;
  for (; old != NULL && old->key != NULL; old++) {
    if (old->row >= 0)
      continue;
    fputs(any ? ""
              : "\n## Keys without effect\n\nEarlier versions used these keys; a file may still give them.\n",
          file);
    any = true;
    fprintf(file, "\n### %s\n\nNo effect: ", old->key);
    put_words(old->words, file);
    fputs(".\n", file);
  }
}

Status input_describe_page(const Parameter *table, FILE *file, Error *error)
{
  const char *section = NULL;
  size_t length = 0;
  for (const Parameter *p = table; p->key != NULL; p++) {
    const size_t n = strchr(p->key, '.') != NULL ? strcspn(p->key, ".") : 0;
    if (section == NULL || n != length || strncmp(section, p->key, n) != 0)
      fprintf(file, "\n## %.*s\n", n > 0 ? (int)n : INT_MAX, n > 0 ? p->key : "Keys outside sections");
    section = p->key;
    length = n;
    put_key(table, p, NULL, file);
  }
  for (const Parameter *p = table; p->key != NULL; p++)
    if (p->type == PARAMETER_RECORDS)
      put_records(table, p, file);
  put_gone(end_of(table)->old, file);
  return end(file, error);
}

/* --- for programs ----------------------------------------------------------------------------------------
 */

/* Adds a text unless it is NULL. */
static void put_text(json_t *to, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_new(to, name, json_string(text));
}

static void put_number(json_t *to, const char *name, double x)
{
  json_object_set_new(to, name, x == rint(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x));
}

static json_t *names_of(const Parameter *p)
{
  json_t *list = json_array();
  for (int i = 0; input_value_name(p, i) != NULL; i++)
    json_array_append_new(list, json_string(input_value_name(p, i)));
  return list;
}

static json_t *sorts_of(const InputSort *sort, unsigned sorts)
{
  json_t *list = json_array();
  for (int i = 0; sort[i].name != NULL; i++)
    if (sorts == 0 || (sorts & 1u << i) != 0)
      json_array_append_new(list, json_string(sort[i].name));
  return list;
}

/* sorts: the key for the system types of a table. */
static json_t *row_of(const Parameter *table, const Parameter *p, const char *sorts)
{
  static const char *const types[] = {"integer", "integer", "real",  "boolean", "text",    "choice",
                                      "choice",  "reals",   "texts", "choices", "records", "map"};
  const Parameter *const last = end_of(table);
  char words[WORDS];
  json_t *to = json_object();
  put_text(to, "key", p->key);
  put_text(to, "type", types[p->type]);
  input_value_wanted(p, false, words, sizeof words);
  put_text(to, "wanted", words);
  put_text(to, "units", p->quantity != QUANTITY_NONE ? units_list(p->quantity) : NULL);
  if (p->limits & (LIMIT_ABOVE | LIMIT_FROM))
    put_number(to, p->limits & LIMIT_ABOVE ? "above" : "from", p->min);
  if (p->limits & (LIMIT_BELOW | LIMIT_TO))
    put_number(to, p->limits & LIMIT_BELOW ? "below" : "to", p->max);
  if (input_value_name(p, 0) != NULL)
    json_object_set_new(to, "choices", names_of(p));
  put_text(to, "default", p->fallback);
  for (int i = 0; i < 2 && p->late[i].where != NULL; i++) {
    put_text(to, i == 0 ? "late_default" : "later_default", p->late[i].text);
    put_text(to, i == 0 ? "late_when" : "later_when", p->late[i].where->with);
  }
  put_text(to, "absent", p->absent);
  json_object_set_new(to, "required", json_boolean(!p->optional && p->fallback == NULL));
  if (last->sort != NULL)
    json_object_set_new(to, sorts, sorts_of(last->sort, p->sorts));
  put_text(to, p->refused ? "no_meaning" : "no_effect", p->needs != NULL ? p->needs->without : NULL);
  put_text(to, "excludes", p->rival);
  input_old_names(last->old, (int)(p - table), words, sizeof words);
  put_text(to, "once", words[0] != '\0' ? words : NULL);
  json_object_set_new(to, "adjustable", json_boolean(p->adjustable));
  put_text(to, "help", p->help);
  if (p->type != PARAMETER_RECORDS)
    return to;
  json_t *records = json_array();
  for (const Parameter *r = p->record; r->key != NULL; r++)
    json_array_append_new(records, row_of(p->record, r, "types"));
  json_object_set_new(to, "records", records);
  return to;
}

Status input_describe_json(const Parameter *table, FILE *file, Error *error)
{
  LOCALE_PLAIN;
  for (const Parameter *p = table; p->key != NULL; p++) {
    json_t *row = row_of(table, p, "systems");
    fputs(p == table ? "[\n " : ",\n ", file);
    const bool fine = json_dumpf(row, file, JSON_REAL_PRECISION(15)) == 0;
    json_decref(row);
    if (!fine)
      return error_set(error, STATUS_IO, "writing the list of keys failed");
  }
  fputs("]\n", file);
  return end(file, error);
}

/* --- a file ----------------------------------------------------------------------------------------------
 */

/* Writes words as a comment in lines of 110 characters. */
static void put_comment(const char *text, int indent, FILE *file)
{
  for (int at = 0, n; (text = text_word(text, &n)) != NULL; text += n) {
    if (at == 0 || at + 1 + n > 110)
      at = fprintf(file, "%s%*s# %.*s", at == 0 ? "" : "\n", indent, "", n, text) - (at > 0);
    else
      at += fprintf(file, " %.*s", n, text);
  }
  fputs("\n", file);
}

Status input_describe_example(const Parameter *table, int sort, FILE *file, Error *error)
{
  const Parameter *const last = end_of(table);
  const char *before = "";
  for (const Parameter *p = table; p->key != NULL; p++) {
    const char *const own = p->example[last->sort[sort].example], *const value =
                                                                      own != NULL ? own : p->fallback;
    if (value == NULL || (p->sorts != 0 && !(p->sorts & 1u << sort)))
      continue;
    const int indent = input_print_sections(file, before, p->key);
    const char *const dot = strrchr(p->key, '.');
    char words[2 * WORDS];
    fputs("\n", file);
    put_comment(p->help != NULL ? p->help : "", indent, file);
    value_words(table, p, NULL, words, sizeof words);
    put_comment(words, indent, file);
    fprintf(file, "%*s%s%s: %s\n", indent, "", *value == '#' ? "# " : "", dot != NULL ? dot + 1 : p->key,
            *value == '#' ? value + 2 : value);
    before = p->key;
  }
  return end(file, error);
}
