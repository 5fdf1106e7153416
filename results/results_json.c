/* Writes and reads results.json: a set as data for programs. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/scoped.h"
#include "base/text.h"
#include "results/results_private.h"

static const char file_name[] = "results.json";
enum { VERSION = 1 };

static const struct {
  unsigned sort;
  const char *name;
} sorts[] = {{QUANTITY_CLUSTERS, "clusters"}, {QUANTITY_BOXES, "boxes"}, {QUANTITY_MECHANICAL, "mechanical"}};
enum { SORTS = (int)(sizeof sorts / sizeof *sorts) };

static const char *const kind_name[] = {"real", "whole", "word", "list", "group"};
static const char *const error_name[] = {"", "samples", "jackknife", "found"};

/* --- writing -----------------------------------------------------------------------------------------------
 */

/* JSON has no words for NaN and infinities. */
static json_t *real(double x)
{
  return isfinite(x) ? json_real(x) : isnan(x) ? json_null() : json_string(x > 0.0 ? "inf" : "-inf");
}

static json_t *reals(const double *x, size_t n)
{
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, real(x[i]));
  return list;
}

/* NULL omits a key: an empty text, an unknown number, a false property. */
static const char *given(const char *text) { return text != NULL && *text != '\0' ? text : NULL; }
static json_t *known(double x) { return isnan(x) ? NULL : real(x); }
static json_t *holding(bool holds) { return holds ? json_true() : NULL; }

/* Merges the second object into the first. */
static json_t *joined(json_t *object, json_t *more)
{
  const bool fine = object != NULL && json_object_update(object, more) == 0;
  json_decref(more);
  if (fine)
    return object;
  json_decref(object);
  return NULL;
}

/* Name, unit, and description from the table of quantities. */
static json_t *described(const char *name, const QuantityRow *q, const char *unit)
{
  if (q == NULL)
    return json_pack("{s:s*}", "name", given(name));
  return json_pack("{s:s*, s:s, s:s*, s:s*, s:s*, s:s*}", "name", given(name), "unit", unit, "symbol",
                   given(q->symbol), "label", given(q->label), "meaning", given(q->meaning), "error_from",
                   given(error_name[q->error]));
}

static json_t *number_object(const ResultNumber *n)
{
  json_t *value = n->kind == RESULT_WORD    ? json_string(n->word)
                  : n->kind == RESULT_WHOLE ? json_integer(n->whole)
                  : n->kind == RESULT_LIST  ? reals(n->values, (size_t)n->n)
                  : n->kind == RESULT_REAL  ? real(n->value)
                                            : NULL;
  json_t *error = n->errors != NULL ? reals(n->errors, (size_t)n->n) : n->meant ? real(n->error) : NULL;
  return joined(described(n->name, n->quantity, n->unit),
                json_pack("{s:s*, s:s*, s:s, s:o*, s:o*, s:o*, s:o*, s:s*, s:o*, s:o*}", "of", given(n->of),
                          "subject", given(n->subject), "kind", kind_name[n->kind], "value", value, "error",
                          error, "correlation", known(n->correlation), "samples", known(n->samples), "note",
                          given(n->note), "observed", holding(n->observed), "doubtful",
                          holding(n->doubtful)));
}

static json_t *column_object(const ResultTable *t, const ResultColumn *c)
{
  json_t *object = described(c->name, c->quantity, c->unit), *words = NULL;
  if (t->apart)
    return object;
  if (c->word != NULL)
    words = json_array();
  for (size_t i = 0; words != NULL && i < t->nrow; i++)
    json_array_append_new(words, json_string(c->word[i]));
  return joined(object, json_pack("{s:o, s:o*}", "values", words != NULL ? words : reals(c->value, t->nrow),
                                  "errors", c->error != NULL ? reals(c->error, t->nrow) : NULL));
}

static json_t *table_object(const ResultTable *t)
{
  char file[64];
  json_t *columns = json_array();
  snprintf(file, sizeof file, "%s.csv", t->name);
  for (int c = 0; c < t->ncol; c++)
    json_array_append_new(columns, column_object(t, &t->column[c]));
  return json_pack("{s:s*, s:s*, s:o*, s:o*, s:o*, s:b, s:s*, s:o}", "name", given(t->name), "file",
                   t->apart ? file : NULL, "rows", t->apart ? NULL : json_integer((json_int_t)t->nrow),
                   "samples", known(t->samples), "blocks", known(t->blocks), "sound", t->sound, "remarks",
                   given(t->remark), "columns", columns);
}

static json_t *verdict_object(const ResultVerdict *v)
{
  return json_pack("{s:s, s:s, s:o*, s:s}", "matter", v->matter, "verdict", results_level_name(v->level), "p",
                   known(v->p), "words", v->words);
}

/* Writes one object of a list on a line; false without memory, or if a text is not UTF-8. */
static bool put_object(FILE *file, json_t *object, bool first)
{
  fputs(first ? "\n " : ",\n ", file);
  const int status = object != NULL ? json_dumpf(object, file, JSON_COMPACT | JSON_REAL_PRECISION(17)) : -1;
  json_decref(object);
  return status == 0;
}

Status results_json_write(const ResultSet *set, const char *dir, Error *error)
{
  return results_json_write_as(set, dir, file_name, error);
}

Status results_json_write_as(const ResultSet *set, const char *dir, const char *name, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  if (results_failed(set))
    return error_memory(error, "results");
  TRY(text_replace(&text, dir, name, error));
  FILE *file = text_file(text);
  bool fine = true;
  json_t *list = json_array();
  for (int i = 0; i < SORTS; i++)
    if ((set->sorts & sorts[i].sort) != 0)
      json_array_append_new(list, json_string(sorts[i].name));
  fprintf(file, "{\"format\": \"holonom results\", \"version\": %d, \"reduced\": %s,\n\"sorts\": ", VERSION,
          set->reduced ? "true" : "false");
  fine = json_dumpf(list, file, JSON_COMPACT) == 0;
  json_decref(list);
  if (set->nverdict > 0)
    fprintf(file, ",\n\"verdicts\": [");
  for (int i = 0; i < set->nverdict; i++)
    fine = put_object(file, verdict_object(&set->verdict[i]), i == 0) && fine;
  fprintf(file, "%s,\n\"numbers\": [", set->nverdict > 0 ? "]" : "");
  for (int i = 0; i < set->n; i++)
    fine = put_object(file, number_object(&set->number[i]), i == 0) && fine;
  fprintf(file, "],\n\"tables\": [");
  for (int i = 0; i < set->ntable; i++)
    fine = put_object(file, table_object(set->table[i]), i == 0) && fine;
  fprintf(file, "]}\n");
  const Status closed = text_close(text, error);
  return closed == STATUS_OK && !fine ? error_memory(error, name) : closed;
}

/* A number in the form of observables.json. */
static json_t *observed_object(const ResultNumber *n)
{
  const ResultNote note = results_number_note(n);
  return json_pack("{s:s, s:s, s:s, s:s, s:s*, s:o, s:o}", "observable", n->of, "subject", n->subject,
                   "quantity", n->name, "unit", n->unit, "note", given(note.text), "value", real(n->value),
                   "error", real(n->error));
}

Status results_json_observed(const ResultSet *set, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  if (results_failed(set))
    return error_memory(error, "results");
  TRY(text_replace(&text, dir, "observables.json", error));
  FILE *file = text_file(text);
  bool fine = true, first = true;
  fputc('[', file);
  for (int i = 0; i < set->n; i++) {
    if (!set->number[i].observed)
      continue;
    json_t *object = observed_object(&set->number[i]);
    fputs(first ? "\n" : ",\n", file);
    fine = object != NULL && json_dumpf(object, file, JSON_REAL_PRECISION(10)) == 0 && fine;
    json_decref(object);
    first = false;
  }
  fputs("\n]\n", file);
  const Status closed = text_close(text, error);
  return closed == STATUS_OK && !fine ? error_memory(error, "observables.json") : closed;
}

/* --- reading -----------------------------------------------------------------------------------------------
 */

/* The text of a key; "" if missing. */
static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static double real_of(const json_t *value)
{
  const char *word = json_string_value(value);
  if (word != NULL)
    return strcmp(word, "inf") == 0 ? INFINITY : strcmp(word, "-inf") == 0 ? -INFINITY : NAN;
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static double *reals_of(const json_t *list, size_t n)
{
  double *x = malloc((n + 1) * sizeof *x);
  for (size_t i = 0; x != NULL && i < n; i++)
    x[i] = real_of(json_array_get(list, i));
  return x;
}

static int kind_of(const json_t *object)
{
  const char *name = text_of(object, "kind");
  int kind = RESULT_GROUP;
  while (kind > 0 && strcmp(kind_name[kind], name) != 0)
    kind--;
  return kind;
}

static void read_list(ResultSet *set, const json_t *object, ResultNumber *n)
{
  const json_t *value = json_object_get(object, "value"), *error = json_object_get(object, "error");
  const size_t size = json_array_size(value);
  n->n = (int)size;
  n->values = malloc((2 * size + 1) * sizeof *n->values);
  if (n->values == NULL) {
    set->failed = true;
    return;
  }
  n->errors = error != NULL ? n->values + size : NULL;
  for (size_t i = 0; i < size; i++) {
    n->values[i] = real_of(json_array_get(value, i));
    n->values[size + i] = real_of(json_array_get(error, i));
  }
}

static void read_number(ResultSet *set, const json_t *object)
{
  const json_t *value = json_object_get(object, "value"), *error = json_object_get(object, "error");
  ResultNumber n = {.kind = (ResultKind)kind_of(object),
                    .value = real_of(value),
                    .error = real_of(error),
                    .correlation = real_of(json_object_get(object, "correlation")),
                    .samples = real_of(json_object_get(object, "samples")),
                    .whole = json_integer_value(value),
                    .meant = error != NULL,
                    .observed = json_is_true(json_object_get(object, "observed")),
                    .doubtful = json_is_true(json_object_get(object, "doubtful"))};
  snprintf(n.of, sizeof n.of, "%s", text_of(object, "of"));
  snprintf(n.subject, sizeof n.subject, "%s", text_of(object, "subject"));
  snprintf(n.name, sizeof n.name, "%s", text_of(object, "name"));
  snprintf(n.note, sizeof n.note, "%s", text_of(object, "note"));
  if (n.kind == RESULT_LIST)
    read_list(set, object, &n);
  if (n.kind == RESULT_WORD) {
    n.word = strdup(text_of(object, "value"));
    set->failed = set->failed || n.word == NULL;
  }
  ResultNumber *kept = results_private_add(set, &n);
  if (kept != NULL)
    snprintf(kept->unit, sizeof kept->unit, "%s", text_of(object, "unit"));
  else {
    free(n.word);
    free(n.values);
  }
}

static void read_words(ResultTable *t, const char *name, const json_t *values)
{
  const char **word = malloc((t->nrow + 1) * sizeof *word);
  for (size_t i = 0; word != NULL && i < t->nrow; i++) {
    const char *text = json_string_value(json_array_get(values, i));
    word[i] = text != NULL ? text : "";
  }
  if (word != NULL)
    results_add_words(t, name, word);
  else
    t->failed = true;
  free(word);
}

static void read_column(ResultTable *t, const json_t *object)
{
  const json_t *values = json_object_get(object, "values"), *errors = json_object_get(object, "errors");
  const char *name = text_of(object, "name");
  const int before = t->ncol;
  if (json_is_string(json_array_get(values, 0)) && isnan(real_of(json_array_get(values, 0))))
    read_words(t, name, values);
  else {
    double *x = reals_of(values, t->nrow), *e = errors != NULL ? reals_of(errors, t->nrow) : NULL;
    if (x == NULL || (errors != NULL && e == NULL))
      t->failed = true;
    else
      results_add_column(t, name, x, e);
    free(x);
    free(e);
  }
  if (t->ncol > before)
    snprintf(t->column[before].unit, sizeof t->column->unit, "%s", text_of(object, "unit"));
}

static void read_table(ResultSet *set, const json_t *object)
{
  const json_t *rows = json_object_get(object, "rows"), *column;
  const json_t *columns = json_object_get(object, "columns");
  size_t i;
  const size_t most = json_array_size(json_object_get(json_array_get(columns, 0), "values"));
  const json_int_t nrow = json_integer_value(rows);
  /* No more rows than numbers, whatever the file says. */
  ResultTable *t =
      results_add_table(set, text_of(object, "name"), nrow > 0 && (size_t)nrow < most ? (size_t)nrow : most);
  if (t == NULL)
    return;
  t->apart = rows == NULL;
  t->samples = real_of(json_object_get(object, "samples"));
  t->blocks = real_of(json_object_get(object, "blocks"));
  t->sound = json_is_true(json_object_get(object, "sound"));
  t->remark = strdup(text_of(object, "remarks"));
  set->failed = set->failed || t->remark == NULL;
  json_array_foreach(columns, i, column) { read_column(t, column); }
}

/* Any fault is an error: a wrong verdict read as a good one would mislead. */
static Status read_verdicts(ResultSet *set, const char *path, const json_t *list, Error *error)
{
  const json_t *item;
  size_t i;
  bool sound = list == NULL || json_is_array(list);
  json_array_foreach(list, i, item)
  {
    int level = RESULT_BAD;
    while (level >= 0 && strcmp(results_level_name((ResultLevel)level), text_of(item, "verdict")) != 0)
      level--;
    sound = sound && level >= 0 && *text_of(item, "matter") != '\0' && *text_of(item, "words") != '\0';
    if (!sound)
      break;
    results_judge(set, text_of(item, "matter"), (ResultLevel)level, real_of(json_object_get(item, "p")),
                  text_of(item, "words"));
  }
  if (set->nverdict > 0 && results_verdict(set, "run") != set->verdict)
    sound = false;
  if (sound)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s: its verdicts cannot be read; wanted: a list that begins with the verdict on the run, each with "
      "'matter', 'words' and 'verdict' (good, note, warn or bad). Remove 'verdicts' to compute them again",
      path);
}

static Status read_all(ResultSet *set, const char *path, const json_t *root, Error *error)
{
  const json_t *item, *list = json_object_get(root, "sorts");
  size_t i;
  if (strcmp(text_of(root, "format"), "holonom results") != 0)
    return error_set(error, STATUS_INPUT, "%s: was not written by holonom", path);
  if (json_integer_value(json_object_get(root, "version")) > VERSION)
    return error_set(error, STATUS_INPUT, "%s: is of a later version of holonom than this one", path);
  set->reduced = json_is_true(json_object_get(root, "reduced"));
  json_array_foreach(list, i, item)
  {
    for (int k = 0; k < SORTS; k++)
      if (json_is_string(item) && strcmp(json_string_value(item), sorts[k].name) == 0)
        set->sorts |= sorts[k].sort;
  }
  TRY(read_verdicts(set, path, json_object_get(root, "verdicts"), error));
  list = json_object_get(root, "numbers");
  json_array_foreach(list, i, item) { read_number(set, item); }
  list = json_object_get(root, "tables");
  json_array_foreach(list, i, item) { read_table(set, item); }
  return results_failed(set) ? error_memory(error, path) : STATUS_OK;
}

Status results_json_read(ResultSet *set, const char *dir, Error *error)
{
  static const size_t most = (size_t)1 << 32;
  LOCALE_PLAIN;
  *set = results_make(0, false);
  set->dir = strdup(dir);
  SCOPED(scoped_free) char *path = file_path(dir, file_name);
  SCOPED(scoped_free) char *text = NULL;
  size_t length;
  json_error_t why;
  TRY_MEMORY(path != NULL && set->dir != NULL, "results", error);
  if (!file_exists(dir, file_name) && file_exists(dir, "summary.yaml"))
    return error_set(error, STATUS_INPUT,
                     "%s: there is a summary.yaml but no results.json: an earlier version of holonom wrote "
                     "it. Run its input.yaml again",
                     dir);
  TRY(file_read(path, most, &text, &length, error));
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
  if (root == NULL)
    return error_set(error, STATUS_INPUT, "%s:%d: is not JSON: %s", path, why.line, why.text);
  const Status status = read_all(set, path, root, error);
  json_decref(root);
  return status;
}
