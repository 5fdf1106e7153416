/* summary.yaml: the numbers of a set, for people. */
#include <math.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "results/results.h"

/* YAML has names of its own for what is no number. */
static void put_real(Text *text, const char *format, double x)
{
  if (isfinite(x))
    text_print(text, *format != '\0' ? format : "%.17g", x);
  else
    text_print(text, "%s", isnan(x) ? ".nan" : x > 0.0 ? ".inf" : "-.inf");
}

static void put_list(Text *text, const char *format, int n, const double *x)
{
  text_print(text, "[");
  for (int i = 0; i < n; i++) {
    text_print(text, i > 0 ? ", " : "");
    put_real(text, format, x[i]);
  }
  text_print(text, "]");
}

/* Unit, meaning and note behind the value. */
static void put_remark(Text *text, const ResultNumber *n)
{
  const char *const part[] = {n->unit, n->quantity != NULL ? n->quantity->meaning : "", n->note};
  const char *between = " # ";
  for (int i = 0; i < 3; i++) {
    if (*part[i] == '\0')
      continue;
    text_print(text, "%s%s", between, part[i]);
    between = i == 0 ? ", " : "; ";
  }
  text_print(text, "\n");
}

static void put_value(Text *text, const ResultNumber *n, const char *format)
{
  switch (n->kind) {
  case RESULT_REAL:
    put_real(text, format, n->value);
    break;
  case RESULT_WHOLE:
    text_print(text, "%lld", (long long)n->whole);
    break;
  case RESULT_LIST:
    put_list(text, format, n->n, n->values);
    break;
  case RESULT_WORD:
    text_print(text, "%s", n->word);
    break;
  case RESULT_GROUP:
    break;
  }
}

/* Of each quantity that is averaged, and of a ladder at each temperature. */
static void put_mean(Text *text, const ResultNumber *n)
{
  static const char format[] = "%.12g";
  text_print(text, "  %s: {mean: ", n->name);
  put_value(text, n, format);
  text_print(text, ", error: ");
  if (n->kind == RESULT_LIST)
    put_list(text, format, n->n, n->errors);
  else
    put_real(text, format, n->error);
  text_print(text, "}\n");
}

static void put_observed(Text *text, const ResultNumber *n)
{
  const double x[] = {n->value, n->error};
  static const char *const key[] = {"value", "error"};
  text_print(text, "  - {observable: %s, subject: \"%s\", quantity: %s", n->of, n->subject, n->name);
  for (int i = 0; i < 2; i++)
    if (isfinite(x[i]))
      text_print(text, ", %s: %.8g", key[i], x[i]);
    else
      text_print(text, ", %s: null", key[i]);
  const ResultNote note = results_number_note(n);
  text_print(text, ", unit: \"%s\"%s", n->unit, note.text[0] != '\0' ? ", note: \"" : "");
  for (const char *c = note.text; *c != '\0'; c++)
    text_print(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  text_print(text, note.text[0] != '\0' ? "\"}\n" : "}\n");
}

static void put_number(Text *text, const ResultNumber *n)
{
  const QuantityRow *q = n->quantity;
  const char *const indent = n->of[0] != '\0' ? "  " : "";
  if (n->kind == RESULT_WORD && q != NULL && q->shape == QUANTITY_WORDS) {
    text_quoted(text, n->name, n->word);
    return;
  }
  text_print(text, "%s%s:%s", indent, n->name, n->kind == RESULT_GROUP ? "" : " ");
  put_value(text, n, q != NULL ? q->format : "");
  put_remark(text, n);
  if (isfinite(n->error)) {
    text_print(text, "%s%s_err: ", indent, n->name);
    put_real(text, q != NULL ? q->error_format : "", n->error);
    text_print(text, "\n");
  }
  if (isfinite(n->correlation))
    text_print(text, "%s%s_correlation: %.4g # samples\n", indent, n->name, n->correlation);
}

Status results_yaml_write(const ResultSet *set, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  bool listed = false;
  if (results_failed(set))
    return error_memory(error, "results");
  const Status status = text_replace(&text, dir, "summary.yaml", error);
  if (status != STATUS_OK)
    return status;
  for (int i = 0; i < set->n; i++) {
    const ResultNumber *n = &set->number[i];
    if (n->observed && !listed)
      text_print(text, "observables:\n");
    listed = n->observed;
    if (n->observed)
      put_observed(text, n);
    else if (strcmp(n->of, "means") == 0)
      put_mean(text, n);
    else
      put_number(text, n);
  }
  return text_close(text, error);
}
