/* Writes summary.yaml: the numbers of a set, for people. */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "results/results.h"

/* YAML has its own words for NaN and infinities. */
static void put_real(FILE *file, const char *format, double x)
{
  if (isfinite(x))
    fprintf(file, *format != '\0' ? format : "%.17g", x);
  else
    fprintf(file, "%s", isnan(x) ? ".nan" : x > 0.0 ? ".inf" : "-.inf");
}

static void put_list(FILE *file, const char *format, int n, const double *x)
{
  fprintf(file, "[");
  for (int i = 0; i < n; i++) {
    fprintf(file, i > 0 ? ", " : "");
    put_real(file, format, x[i]);
  }
  fprintf(file, "]");
}

void results_yaml_remark(const ResultNumber *n, FILE *file)
{
  const char *const part[] = {n->unit, n->quantity != NULL ? n->quantity->meaning : "", n->note};
  const char *between = "";
  for (int i = 0; i < 3; i++) {
    if (*part[i] == '\0')
      continue;
    fprintf(file, "%s%s", between, part[i]);
    between = i == 0 ? ", " : "; ";
  }
}

static bool has_remark(const ResultNumber *n)
{
  return n->unit[0] != '\0' || n->note[0] != '\0' || (n->quantity != NULL && *n->quantity->meaning != '\0');
}

static void put_value(FILE *file, const ResultNumber *n, const char *format)
{
  switch (n->kind) {
  case RESULT_REAL:
    put_real(file, format, n->value);
    break;
  case RESULT_WHOLE:
    fprintf(file, "%lld", (long long)n->whole);
    break;
  case RESULT_LIST:
    put_list(file, format, n->n, n->values);
    break;
  case RESULT_WORD:
    fprintf(file, "%s", n->word);
    break;
  case RESULT_GROUP:
    break;
  }
}

void results_yaml_value(const ResultNumber *n, FILE *file)
{
  put_value(file, n, n->quantity != NULL ? n->quantity->format : "");
}

/* The mean of a quantity; for a ladder, at each temperature. */
static void put_mean(FILE *file, const ResultNumber *n)
{
  static const char format[] = "%.12g";
  fprintf(file, "  %s: {mean: ", n->name);
  put_value(file, n, format);
  fprintf(file, ", error: ");
  if (n->kind == RESULT_LIST)
    put_list(file, format, n->n, n->errors);
  else
    put_real(file, format, n->error);
  fprintf(file, "}\n");
}

static void put_quoted(FILE *file, const char *text)
{
  fputc('"', file);
  for (const char *c = text; *c != '\0'; c++)
    fprintf(file,
            *c == '"' || *c == '\\'                  ? "\\%c"
            : (unsigned char)*c < 0x20 || *c == 0x7f ? "\\x%02x"
                                                     : "%c",
            *c);
  fputc('"', file);
}

static void put_observed(FILE *file, const ResultNumber *n)
{
  const double x[] = {n->value, n->error};
  static const char *const key[] = {"value", "error"};
  fprintf(file, "  - {observable: %s, subject: \"%s\", quantity: %s", n->of, n->subject, n->name);
  for (int i = 0; i < 2; i++)
    if (isfinite(x[i]))
      fprintf(file, ", %s: %.8g", key[i], x[i]);
    else
      fprintf(file, ", %s: null", key[i]);
  const ResultNote note = results_number_note(n);
  fprintf(file, ", unit: \"%s\"%s", n->unit, note.text[0] != '\0' ? ", note: " : "");
  if (note.text[0] != '\0')
    put_quoted(file, note.text);
  fprintf(file, "}\n");
}

static void put_number(FILE *file, const ResultNumber *n)
{
  const QuantityRow *q = n->quantity;
  const char *const indent = n->of[0] != '\0' ? "  " : "";
  if (n->kind == RESULT_WORD && q != NULL && q->shape == QUANTITY_WORDS) {
    fprintf(file, "%s: ", n->name);
    put_quoted(file, n->word);
    fputc('\n', file);
    return;
  }
  fprintf(file, "%s%s:%s", indent, n->name, n->kind == RESULT_GROUP ? "" : " ");
  results_yaml_value(n, file);
  fprintf(file, has_remark(n) ? " # " : "");
  results_yaml_remark(n, file);
  fprintf(file, "\n");
  if (n->kind == RESULT_LIST && n->errors != NULL) {
    fprintf(file, "%s%s_err: ", indent, n->name);
    put_list(file, q != NULL ? q->error_format : "", n->n, n->errors);
    fprintf(file, "\n");
  }
  if (isfinite(n->error)) {
    fprintf(file, "%s%s_err: ", indent, n->name);
    put_real(file, q != NULL ? q->error_format : "", n->error);
    fprintf(file, "\n");
  }
  if (isfinite(n->correlation))
    fprintf(file, "%s%s_correlation: %.4g # samples\n", indent, n->name, n->correlation);
}

void results_yaml_print(const ResultSet *set, FILE *file)
{
  LOCALE_PLAIN;
  bool listed = false;
  for (int i = 0; i < set->n; i++) {
    const ResultNumber *n = &set->number[i];
    if (n->observed && !listed)
      fprintf(file, "observables:\n");
    listed = n->observed;
    if (n->observed)
      put_observed(file, n);
    else if (strcmp(n->of, "means") == 0)
      put_mean(file, n);
    else
      put_number(file, n);
  }
}

Status results_yaml_write(const ResultSet *set, const char *dir, Error *error)
{
  Text *text;
  if (results_failed(set))
    return error_memory(error, "results");
  TRY(text_replace(&text, dir, "summary.yaml", error));
  results_yaml_print(set, text_file(text));
  return text_close(text, error);
}
