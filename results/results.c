#include "results/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/text.h"
#include "results/results_private.h"

ResultSet results_make(unsigned sorts, bool reduced)
{
  return (ResultSet){.sorts = sorts, .reduced = reduced};
}

static unsigned sorts_of(const ResultSet *set) { return set->sorts != 0 ? set->sorts : QUANTITY_ALL; }

QuantityWords results_caption(const ResultSet *set, const char *table, const char *name)
{
  const QuantityRow *q = quantity_find(sorts_of(set), table, name);
  return q != NULL ? quantity_caption(q, set->reduced ? q->reduced : q->unit) : (QuantityWords){""};
}

static void number_free(ResultNumber *n)
{
  free(n->word);
  free(n->values);
}

static void words_free(char **word, size_t n)
{
  for (size_t i = 0; word != NULL && i < n; i++)
    free(word[i]);
  free(word);
}

void results_private_clear(ResultTable *t)
{
  for (int c = 0; c < t->ncol; c++) {
    free(t->column[c].value);
    free(t->column[c].error);
    words_free(t->column[c].word, t->nrow);
  }
  free(t->remark);
  free(t->column);
  free(t->path);
  free(t->line);
}

void results_free_table(ResultTable *t)
{
  if (t != NULL)
    results_private_clear(t);
  free(t);
}

void results_free(ResultSet *set)
{
  for (int i = 0; i < set->n; i++)
    number_free(&set->number[i]);
  for (int i = 0; i < set->ntable; i++)
    results_free_table(set->table[i]);
  for (int i = 0; i < set->nverdict; i++)
    free(set->verdict[i].words);
  free(set->verdict);
  free(set->number);
  free(set->table);
  free(set->dir);
  *set = (ResultSet){.sorts = set->sorts, .reduced = set->reduced};
}

/* --- numbers -----------------------------------------------------------------------------------------------
 */

/* Makes room for `more` items of this size; false, and *failed is set, without memory. */
static bool reserve(void **list, int n, int more, size_t size, bool *failed)
{
  void *larger = realloc(*list, (size_t)(n + more) * size);
  if (larger == NULL) {
    *failed = true;
    return false;
  }
  *list = larger;
  return true;
}

ResultNumber *results_private_add(ResultSet *set, const ResultNumber *like)
{
  char table[80];
  void *list = set->number;
  if (!reserve(&list, set->n, 1, sizeof *set->number, &set->failed))
    return NULL;
  set->number = list;
  ResultNumber *last = &set->number[set->n++];
  *last = *like;
  snprintf(table, sizeof table,
           last->observed        ? "%s%s"
           : last->of[0] != '\0' ? "%s.%s"
                                 : "%s",
           last->observed ? last->of : "summary", last->observed ? "" : last->of);
  last->quantity = quantity_find(sorts_of(set), table, last->name);
  if (last->quantity != NULL && last->kind != RESULT_WORD && last->kind != RESULT_GROUP)
    snprintf(last->unit, sizeof last->unit, "%s",
             set->reduced ? last->quantity->reduced : last->quantity->unit);
  return last;
}

static ResultNumber named(const char *of, const char *name, ResultKind kind)
{
  ResultNumber n = {.kind = kind, .value = NAN, .error = NAN, .correlation = NAN, .samples = NAN};
  snprintf(n.of, sizeof n.of, "%s", of);
  snprintf(n.name, sizeof n.name, "%s", name);
  return n;
}

void results_real(ResultSet *set, const char *of, const char *name, double value)
{
  ResultNumber n = named(of, name, RESULT_REAL);
  n.value = value;
  (void)results_private_add(set, &n);
}

void results_whole(ResultSet *set, const char *of, const char *name, int64_t value)
{
  ResultNumber n = named(of, name, RESULT_WHOLE);
  n.value = (double)value;
  n.whole = value;
  (void)results_private_add(set, &n);
}

void results_words(ResultSet *set, const char *of, const char *name, const char *words)
{
  ResultNumber n = named(of, name, RESULT_WORD);
  n.word = strdup(words);
  if (n.word == NULL || results_private_add(set, &n) == NULL) {
    set->failed = true;
    free(n.word);
  }
}

void results_list(ResultSet *set, const char *of, const char *name, int count, const double *value,
                  const double *errors)
{
  ResultNumber n = named(of, name, RESULT_LIST);
  const size_t size = (size_t)count * sizeof *value;
  n.n = count;
  n.values = malloc(2 * size + 1);
  if (n.values == NULL) {
    set->failed = true;
    return;
  }
  memcpy(n.values, value, size);
  n.meant = errors != NULL;
  if (errors != NULL) {
    n.errors = n.values + count;
    memcpy(n.errors, errors, size);
  }
  if (results_private_add(set, &n) == NULL)
    free(n.values);
}

void results_group(ResultSet *set, const char *name)
{
  const ResultNumber n = named("", name, RESULT_GROUP);
  (void)results_private_add(set, &n);
}

void results_mean(ResultSet *set, const char *of, const char *name, double value, double error,
                  double correlation, double samples)
{
  ResultNumber n = named(of, name, RESULT_REAL);
  n.value = value;
  n.error = error;
  n.correlation = correlation;
  n.samples = samples;
  n.meant = true;
  (void)results_private_add(set, &n);
}

void results_observed(ResultSet *set, const char *observable, const char *subject, const char *name,
                      double value, double error, const char *note)
{
  ResultNumber n = named(observable, name, RESULT_REAL);
  n.value = value;
  n.error = error;
  n.observed = n.meant = true;
  snprintf(n.subject, sizeof n.subject, "%s", subject);
  snprintf(n.note, sizeof n.note, "%s", note != NULL ? note : "");
  (void)results_private_add(set, &n);
}

void results_note(ResultSet *set, const char *format, ...)
{
  LOCALE_PLAIN;
  if (set->n == 0 || set->failed)
    return;
  char *note = set->number[set->n - 1].note;
  const size_t used = strlen(note);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note + used, sizeof set->number->note - used, format, arguments);
  va_end(arguments);
}

void results_doubt(ResultSet *set, int first, const char *observable, const char *format, ...)
{
  LOCALE_PLAIN;
  char why[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  for (int i = first; i < set->n; i++)
    set->number[i].doubtful = isfinite(set->number[i].value) && isfinite(set->number[i].error);
  results_remark(set, "%s: %s; errors may be too small", observable, why);
}

void results_remark(ResultSet *set, const char *format, ...)
{
  LOCALE_PLAIN;
  size_t used = strlen(set->remark);
  if (used > 0 && used + 1 < sizeof set->remark) {
    set->remark[used++] = '\n';
    set->remark[used] = '\0';
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(set->remark + used, sizeof set->remark - used, format, arguments);
  va_end(arguments);
}

/* --- verdicts ---------------------------------------------------------------------------------------------
 */

const char *results_level_name(ResultLevel level)
{
  static const char *const names[] = {"good", "note", "warn", "bad"};
  return names[level];
}

void results_judge(ResultSet *set, const char *matter, ResultLevel level, double p, const char *words)
{
  void *list = set->verdict;
  if (!reserve(&list, set->nverdict, 1, sizeof *set->verdict, &set->failed))
    return;
  set->verdict = list;
  ResultVerdict *verdict = &set->verdict[set->nverdict];
  *verdict = (ResultVerdict){.level = level, .p = p, .words = strdup(words)};
  snprintf(verdict->matter, sizeof verdict->matter, "%s", matter);
  set->failed = set->failed || verdict->words == NULL;
  set->nverdict += verdict->words != NULL;
}

const ResultVerdict *results_verdict(const ResultSet *set, const char *matter)
{
  for (int i = 0; i < set->nverdict; i++)
    if (strcmp(set->verdict[i].matter, matter) == 0)
      return &set->verdict[i];
  return NULL;
}

void results_append(ResultSet *set, ResultSet *other)
{
  void *numbers = set->number, *tables = set->table;
  bool fine = reserve(&numbers, set->n, other->n + 1, sizeof *set->number, &set->failed);
  set->number = numbers;
  fine = reserve(&tables, set->ntable, other->ntable + 1, sizeof *set->table, &set->failed) && fine;
  set->table = tables;
  if (fine) {
    for (int i = 0; i < other->n; i++)
      set->number[set->n++] = other->number[i];
    for (int i = 0; i < other->ntable; i++)
      set->table[set->ntable++] = other->table[i];
    other->n = other->ntable = 0;
  }
  if (other->remark[0] != '\0')
    results_remark(set, "%s", other->remark);
  set->failed = set->failed || other->failed;
  results_free(other);
}

/* --- tables ------------------------------------------------------------------------------------------------
 */

ResultTable *results_add_table(ResultSet *set, const char *name, size_t rows)
{
  ResultTable *t = calloc(1, sizeof *t);
  void *list = set->table;
  if (t == NULL || !reserve(&list, set->ntable, 1, sizeof *set->table, &set->failed)) {
    set->failed = true;
    free(t);
    return NULL;
  }
  set->table = list;
  set->table[set->ntable++] = t;
  *t = (ResultTable){.sorts = sorts_of(set),
                     .reduced = set->reduced,
                     .nrow = rows,
                     .samples = NAN,
                     .blocks = NAN,
                     .sound = true};
  snprintf(t->name, sizeof t->name, "%s", name);
  return t;
}

ResultTable *results_private_renew(ResultSet *set, const char *name, size_t rows)
{
  int i = 0;
  while (i < set->ntable && strcmp(set->table[i]->name, name) != 0)
    i++;
  if (i == set->ntable)
    return results_add_table(set, name, rows);
  ResultTable *t = set->table[i];
  const ResultTable old = *t;
  results_private_clear(t);
  *t = (ResultTable){.sorts = sorts_of(set),
                     .reduced = set->reduced,
                     .nrow = rows,
                     .samples = old.samples,
                     .blocks = old.blocks,
                     .sound = old.sound};
  snprintf(t->name, sizeof t->name, "%s", name);
  return t;
}

ResultColumn *results_private_column(ResultTable *t, const char *name)
{
  void *list = t != NULL ? t->column : NULL;
  if (t == NULL || !reserve(&list, t->ncol, 1, sizeof *t->column, &t->failed))
    return NULL;
  t->column = list;
  ResultColumn *c = &t->column[t->ncol++];
  *c = (ResultColumn){.quantity = quantity_find(t->sorts, t->name, name)};
  snprintf(c->name, sizeof c->name, "%s", name);
  if (c->quantity != NULL)
    snprintf(c->unit, sizeof c->unit, "%s", t->reduced ? c->quantity->reduced : c->quantity->unit);
  return c;
}

static double *copy(ResultTable *t, const double *from, size_t stride)
{
  double *to = malloc((t->nrow + 1) * sizeof *to);
  if (to == NULL)
    t->failed = true;
  for (size_t i = 0; to != NULL && i < t->nrow; i++)
    to[i] = from[i * stride];
  return to;
}

void results_add_strided(ResultTable *t, const char *name, const double *value, const double *error,
                         size_t stride)
{
  ResultColumn *c = results_private_column(t, name);
  if (c == NULL)
    return;
  c->value = copy(t, value, stride);
  c->error = error != NULL ? copy(t, error, stride) : NULL;
}

void results_add_column(ResultTable *t, const char *name, const double *value, const double *error)
{
  results_add_strided(t, name, value, error, 1);
}

void results_add_steps(ResultTable *t, const char *name, double step)
{
  ResultColumn *c = results_private_column(t, name);
  if (c == NULL)
    return;
  c->value = calloc(t->nrow + 1, sizeof *c->value);
  for (size_t k = 0; c->value != NULL && k < t->nrow; k++)
    c->value[k] = (double)k * step;
  t->failed = t->failed || c->value == NULL;
}

void results_add_words(ResultTable *t, const char *name, const char *const *word)
{
  ResultColumn *c = results_private_column(t, name);
  if (c == NULL)
    return;
  c->word = calloc(t->nrow + 1, sizeof *c->word);
  for (size_t i = 0; c->word != NULL && i < t->nrow; i++) {
    c->word[i] = strdup(word[i]);
    t->failed = t->failed || c->word[i] == NULL;
  }
  t->failed = t->failed || c->word == NULL;
}

void results_say(ResultTable *t, const char *format, ...)
{
  LOCALE_PLAIN;
  if (t == NULL)
    return;
  char *line, *more;
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(&line, format, arguments);
  va_end(arguments);
  if (length < 0 || asprintf(&more, "%s%s\n", t->remark != NULL ? t->remark : "", line) < 0) {
    t->failed = true;
    more = t->remark;
  } else
    free(t->remark);
  t->remark = more;
  if (length >= 0)
    free(line);
}

bool results_failed(const ResultSet *set)
{
  bool failed = set->failed;
  for (int i = 0; i < set->ntable; i++)
    failed = failed || set->table[i]->failed;
  return failed;
}

/* --- lookup ------------------------------------------------------------------------------------------------
 */

const ResultNumber *results_find(const ResultSet *set, const char *of, const char *subject, const char *name)
{
  for (int i = 0; i < set->n; i++) {
    const ResultNumber *n = &set->number[i];
    if (strcmp(n->name, name) == 0 && strcmp(n->of, of) == 0 && strcmp(n->subject, subject) == 0)
      return n;
  }
  return NULL;
}

double results_value(const ResultSet *set, const char *of, const char *name)
{
  const ResultNumber *n = results_find(set, of, "", name);
  return n != NULL && isfinite(n->value) ? n->value : NAN;
}

double results_error(const ResultSet *set, const char *of, const char *name)
{
  const ResultNumber *n = results_find(set, of, "", name);
  return n != NULL && isfinite(n->error) ? n->error : NAN;
}

const char *results_word(const ResultSet *set, const char *of, const char *name)
{
  const ResultNumber *n = results_find(set, of, "", name);
  return n != NULL ? n->word : NULL;
}

const char *results_text(const ResultSet *set, const char *name)
{
  const char *word = results_word(set, "", name);
  return word != NULL ? word : "";
}

bool results_says(const ResultSet *set, const char *of, const char *name, const char *text)
{
  const char *word = results_word(set, of, name);
  return word != NULL && strcmp(word, text) == 0;
}

ResultNote results_number_note(const ResultNumber *n)
{
  ResultNote note;
  const char *doubt = n->doubtful ? "the error may be too small" : "";
  snprintf(note.text, sizeof note.text, "%s%s%s", n->note, n->note[0] != '\0' && n->doubtful ? "; " : "",
           doubt);
  return note;
}

void results_number_line(const ResultNumber *n, char *words, size_t size)
{
  LOCALE_PLAIN;
  if (!isfinite(n->value)) {
    snprintf(words, size, "%s %s %s: %s", n->of, n->subject, n->name,
             n->note[0] != '\0' ? n->note : "not known");
    return;
  }
  const ResultNote note = results_number_note(n);
  char error[32] = "";
  if (isfinite(n->error))
    snprintf(error, sizeof error, " +- %.2g", n->error);
  snprintf(words, size, "%s %s %s %.6g%s%s%s%s%s%s", n->of, n->subject, n->name, n->value, error,
           n->unit[0] != '\0' ? " " : "", n->unit, note.text[0] != '\0' ? "  (" : "", note.text,
           note.text[0] != '\0' ? ")" : "");
}

Status results_table(ResultSet *set, const char *name, const ResultTable **table, Error *error)
{
  char file[64];
  *table = NULL;
  for (int i = 0; i < set->ntable && *table == NULL; i++)
    if (strcmp(set->table[i]->name, name) == 0)
      *table = set->table[i];
  if (*table != NULL && !(*table)->apart)
    return STATUS_OK;
  snprintf(file, sizeof file, "%s.csv", name);
  return set->dir != NULL && file_exists(set->dir, file) ? results_csv_read(set, name, table, error)
                                                         : STATUS_OK;
}

const ResultColumn *results_column(const ResultTable *table, const char *name)
{
  for (int c = 0; table != NULL && c < table->ncol; c++)
    if (strcmp(table->column[c].name, name) == 0)
      return &table->column[c];
  return NULL;
}

const ResultColumn *results_numbers(const ResultTable *table, const char *name)
{
  const ResultColumn *column = results_column(table, name);
  return column != NULL && column->value != NULL ? column : NULL;
}

const ResultColumn *results_times(const ResultTable *table)
{
  const ResultColumn *time = results_numbers(table, "time_ps");
  return time != NULL ? time : results_numbers(table, "time");
}

size_t results_slots(const ResultTable *table)
{
  const ResultColumn *time = results_numbers(table, "target") != NULL ? results_times(table) : NULL;
  size_t n = 1;
  while (time != NULL && n < table->nrow && time->value[n] == time->value[0])
    n++;
  return n;
}

Status results_want(const ResultTable *table, const char *name, const ResultColumn **column, Error *error)
{
  *column = results_column(table, name);
  if (*column != NULL)
    return STATUS_OK;
  char list[512] = "";
  for (int c = 0; c < table->ncol; c++)
    text_append(list, sizeof list, "%s%s", c == 0 ? "" : ", ", table->column[c].name);
  return error_set(error, STATUS_INPUT, "%s has no column \"%s\"; it has %s",
                   table->path != NULL ? table->path : table->name, name, list);
}

/* --- numbers for people -----------------------------------------------------------------------------------
 */

/* Decimal places that show two digits of the error. */
static int places(double value, double error)
{
  if (error > 0.0 && isfinite(error)) {
    const int n = 1 - (int)floor(log10(error));
    return n < 0 ? 0 : n > 12 ? 12 : n;
  }
  const int n = 5 - (value != 0.0 && isfinite(value) ? (int)floor(log10(fabs(value))) : 0);
  return n < 0 ? 0 : n > 6 ? 6 : n;
}

static const char *rounded(char text[RESULTS_SHOWN], double x, int digits)
{
  LOCALE_PLAIN;
  if (!isfinite(x))
    snprintf(text, RESULTS_SHOWN, "?");
  else if (x != 0.0 && (fabs(x) < pow(10.0, -digits) || fabs(x) < 1e-5 || fabs(x) >= 1e12))
    snprintf(text, RESULTS_SHOWN, "%.2g", x);
  else
    snprintf(text, RESULTS_SHOWN, "%.*f", digits, x);
  return text;
}

const char *results_show_value(char text[RESULTS_SHOWN], double value, double error)
{
  return rounded(text, value, places(value, error));
}

const char *results_show_error(char text[RESULTS_SHOWN], double value, double error)
{
  return rounded(text, error, places(value, error));
}

const char *results_show(char text[RESULTS_SHOWN], double value, double error)
{
  char mean[RESULTS_SHOWN / 2 - 2], scatter[RESULTS_SHOWN];
  snprintf(mean, sizeof mean, "%s", results_show_value(scatter, value, error));
  results_show_error(scatter, value, error);
  snprintf(text, RESULTS_SHOWN, "%s ± %.20s", mean, scatter);
  return text;
}
