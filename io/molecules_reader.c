#include "io/molecules_reader.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

enum { NAME_MOST = 31 };

/* Writes "file:line: molecule NAME: ...", cut to `size`; returns its length. */
static size_t say(const MoleculesReader *r, int line, const char *words, char *text, size_t size)
{
  const bool of = r->molecule != NULL;
  const int n = snprintf(text, size, "%s:%d: %s%s%s%s", r->file, line, of ? "molecule " : "",
                         of ? r->molecule : "", of ? ": " : "", words);
  return (size_t)n < size ? (size_t)n : size - 1;
}

Status(molecules_reader_wrong)(const MoleculesReader *r, int line, const char *format, ...)
{
  char words[1024], text[2048];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(words, sizeof words, format, args);
  va_end(args);
  (void)say(r, line, words, text, sizeof text);
  return error_set(r->error, STATUS_INPUT, "%s", text);
}

Status molecules_reader_note(MoleculesReader *r, int line, const char *format, ...)
{
  char words[1024], text[2048];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(words, sizeof words, format, args);
  va_end(args);
  const size_t n = say(r, line, words, text, sizeof text);
  char *note = arena_take(&r->molecules->arena, n + 1, 1);
  TRY_MEMORY(note != NULL, "a note", r->error);
  memcpy(note, text, n + 1);
  r->molecules->note[r->molecules->nnote++] = note;
  return STATUS_OK;
}

/* What was found, for messages. */
static const char *shown(const YamlNode *node)
{
  return node->kind == YAML_TREE_LIST  ? "a list"
         : node->kind == YAML_TREE_MAP ? "a section"
         : node->text[0] == '\0'       ? "nothing"
                                       : node->text;
}

static Status text_of(const MoleculesReader *r, const YamlNode *node, const char *what, const char **text)
{
  if (node->kind != YAML_TREE_TEXT)
    return molecules_reader_wrong(r, node->line, "%s: found %s; wanted: one word", what, shown(node));
  if (node->text[0] == '\0')
    return molecules_reader_wrong(r, node->line, "%s is missing", what);
  *text = node->text;
  return STATUS_OK;
}

static Status unknown(const MoleculesReader *r, int line, const char *what, const Nearest *nearest,
                      const char *choice)
{
  return molecules_reader_wrong(r, line, "unknown %s '%.60s'; %s%s%s", what, nearest->word,
                                nearest->name != NULL ? "did you mean " : choice,
                                nearest->name != NULL ? nearest->name : "", nearest->name != NULL ? "?" : "");
}

Status molecules_reader_word(const MoleculesReader *r, const YamlNode *node, const char *what,
                             const char *const *words, int *value)
{
  const char *text = NULL;
  char choice[512] = "wanted: one of";
  TRY(text_of(r, node, what, &text));
  Nearest nearest = nearest_start(text);
  for (int k = 0; words[k] != NULL; k++) {
    *value = k;
    if (strcmp(words[k], text) == 0)
      return STATUS_OK;
    nearest_try(&nearest, words[k], 0.0);
    const size_t n = strlen(choice);
    (void)snprintf(choice + n, sizeof choice - n, "%s %s", k > 0 ? "," : "", words[k]);
  }
  return unknown(r, node->line, what, &nearest, choice);
}

Status molecules_reader_keys(const MoleculesReader *r, const YamlNode *map, const char *const *name,
                             const YamlNode **value)
{
  for (int k = 0; name[k] != NULL; k++)
    value[k] = NULL;
  if (map->kind != YAML_TREE_MAP)
    return molecules_reader_wrong(r, map->line, "wanted: 'key: value' lines, or {key: value, ...}; found %s",
                                  shown(map));
  for (const YamlNode *key = map->first; key != NULL; key = key->next->next) {
    int k;
    TRY(molecules_reader_word(r, key, "key", name, &k));
    if (value[k] != NULL)
      return molecules_reader_wrong(r, key->line, "the key '%s' is given twice, the first time in line %d",
                                    name[k], value[k]->line);
    value[k] = key->next;
  }
  return STATUS_OK;
}

Status molecules_reader_list(const MoleculesReader *r, const YamlNode *node, const char *key,
                             const char *wanted)
{
  if (node->kind == YAML_TREE_LIST)
    return STATUS_OK;
  return molecules_reader_wrong(r, node->line, "%s: wanted: a list of %s; found %s", key, wanted,
                                shown(node));
}

Status molecules_reader_row(const MoleculesReader *r, const YamlNode *row, int least, int most,
                            const char *wanted, const YamlNode **field, int *n)
{
  if (row->kind != YAML_TREE_LIST)
    return molecules_reader_wrong(r, row->line, "'%.60s' is not a row; wanted: %s", shown(row), wanted);
  if (row->n < least || row->n > most)
    return molecules_reader_wrong(r, row->line, "a row with %d %s; wanted: %s", row->n,
                                  row->n == 1 ? "value" : "values", wanted);
  int i = 0;
  for (const YamlNode *item = row->first; item != NULL; item = item->next)
    field[i++] = item;
  if (n != NULL)
    *n = i;
  return STATUS_OK;
}

/* A decimal number and nothing else: no hexadecimal, no NaN. */
static bool number(const char *text, double *value)
{
  char *end;
  if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0')
    return false;
  errno = 0;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

Status molecules_reader_real(const MoleculesReader *r, const YamlNode *node, const char *what, double least,
                             double most, double *value)
{
  if (node->kind != YAML_TREE_TEXT || !number(node->text, value))
    return molecules_reader_wrong(r, node->line, "%s: '%.60s' is not a number", what, shown(node));
  if (*value < least)
    return molecules_reader_wrong(r, node->line, "%s is %s; wanted: at least %g", what, node->text, least);
  if (*value > most)
    return molecules_reader_wrong(r, node->line, "%s is %s; wanted: at most %g", what, node->text, most);
  return STATUS_OK;
}

Status molecules_reader_whole(const MoleculesReader *r, const YamlNode *node, const char *what, int least,
                              int most, int *value)
{
  double x;
  if (node->kind != YAML_TREE_TEXT || !number(node->text, &x) || x != rint(x) || x < least || x > most)
    return molecules_reader_wrong(r, node->line, "%s: '%.60s'; wanted: a whole number from %d to %d", what,
                                  shown(node), least, most);
  *value = (int)x;
  return STATUS_OK;
}

Status molecules_reader_text(MoleculesReader *r, const YamlNode *node, const char *what, const char **text)
{
  const char *from = NULL;
  TRY(text_of(r, node, what, &from));
  const size_t n = strlen(from);
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)from[i] <= ' ' || from[i] == 127)
      return molecules_reader_wrong(r, node->line, "%s: '%.60s' contains blanks", what, from);
  if (n > NAME_MOST)
    return molecules_reader_wrong(r, node->line, "%s: '%.60s' has more than %d letters", what, from,
                                  NAME_MOST);
  char *const own = arena_take(&r->molecules->arena, n + 1, 1);
  TRY_MEMORY(own != NULL, "names", r->error);
  memcpy(own, from, n + 1);
  *text = own;
  return STATUS_OK;
}

/* --- names ------------------------------------------------------------------------------------------------
 */

static int compare(const void *one, const void *other)
{
  const struct MoleculesNameAt *a = one, *b = other;
  const int names = strcmp(a->name, b->name);
  return names != 0 ? names : (a->at > b->at) - (a->at < b->at);
}

Status molecules_reader_names(MoleculesReader *r, const YamlNode *map, const char *what,
                              MoleculesNames *names)
{
  *names = (MoleculesNames){map->n, arena_take(&r->arena, (size_t)map->n + 1, sizeof *names->item)};
  TRY_MEMORY(names->item != NULL, "names", r->error);
  int i = 0;
  for (const YamlNode *key = map->first; key != NULL; key = key->next->next, i++) {
    TRY(text_of(r, key, what, &names->item[i].name));
    names->item[i].at = i;
    names->item[i].line = key->line;
  }
  if (i > 1)
    qsort(names->item, (size_t)i, sizeof *names->item, compare);
  for (int k = 1; k < i; k++)
    if (strcmp(names->item[k - 1].name, names->item[k].name) == 0)
      return molecules_reader_wrong(r, names->item[k].line,
                                    "%s %.60s is given twice, the first time in line %d", what,
                                    names->item[k].name, names->item[k - 1].line);
  return STATUS_OK;
}

Status molecules_reader_name(const MoleculesReader *r, const YamlNode *node, const char *what,
                             const MoleculesNames *names, int *value)
{
  const char *text = NULL;
  TRY(text_of(r, node, what, &text));
  int least = 0, most = names->n; /* it is in [least, most) */
  while (least < most) {
    const int middle = least + (most - least) / 2, order = strcmp(text, names->item[middle].name);
    if (order == 0) {
      *value = names->item[middle].at;
      return STATUS_OK;
    }
    *(order < 0 ? &most : &least) = order < 0 ? middle : middle + 1;
  }
  Nearest nearest = nearest_start(text);
  for (int i = 0; i < names->n; i++)
    nearest_try(&nearest, names->item[i].name, 0.0);
  return unknown(r, node->line, what, &nearest, "the file has no such name");
}
