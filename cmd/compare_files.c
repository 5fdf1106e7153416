/* The numbers of compare.h for programs: compare.csv and compare.json, a row a test. */
#include <math.h>

#include "cmd/compare_private.h"
#include "engine/locale.h"
#include "engine/text.h"

enum { FIELDS = 21, WORDS = 5 };

/* The first WORDS are words, the others numbers. */
static const char *const name[FIELDS] = {
    "run_a",    "run_b",        "quantity", "unit",       "verdict",        "value_a",         "error_a",
    "value_b",  "error_b",      "r",        "difference", "difference_err", "total_variation", "dof",
    "p_differ", "p_differ_all", "margin",   "low",        "high",           "p_equal",         "p_equal_all"};

const char *compare_files_verdict(const CompareTest *t)
{
  if (t->verdict == COMPARE_DIFFER || (t->verdict == COMPARE_NO_VERDICT && t->adjusted < 0.05))
    return "differ";
  if (t->verdict == COMPARE_EQUAL)
    return "equal within margin";
  if (t->verdict == COMPARE_UNDECIDED)
    return "undecided";
  return isnan(t->adjusted) ? "too few samples" : "no difference seen";
}

static void row(const Compare *c, const ComparePair *pair, const CompareTest *t, const char *word[WORDS],
                double x[FIELDS])
{
  const bool mean = t->kind == COMPARE_MEAN, curve = t->kind == COMPARE_CURVE;
  const char *const words[WORDS] = {c->run[pair->a].label, c->run[pair->b].label, t->name, t->unit,
                                    compare_files_verdict(t)};
  const double number[FIELDS] = {0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 mean ? t->of[0]->value : NAN,
                                 mean ? t->of[0]->error : NAN,
                                 mean ? t->of[1]->value : NAN,
                                 mean ? t->of[1]->error : NAN,
                                 t->r,
                                 mean || curve ? t->mean.difference : NAN,
                                 mean || curve ? t->mean.error : NAN,
                                 t->distance.tv,
                                 mean || curve ? t->mean.dof : NAN,
                                 t->p,
                                 t->adjusted,
                                 t->margin,
                                 t->within.low,
                                 t->within.high,
                                 t->within.p,
                                 t->within_adjusted};
  for (int k = 0; k < WORDS; k++)
    word[k] = words[k];
  for (int k = 0; k < FIELDS; k++)
    x[k] = number[k];
}

/* In quotes; those inside, and backslashes, as CSV (doubled) or JSON (escaped) has them. */
static void quoted(Text *text, const char *word, bool json)
{
  text_print(text, "\"");
  for (const unsigned char *at = (const unsigned char *)word; *at != '\0'; at++)
    if (json && *at < ' ')
      text_print(text, "\\u%04x", *at);
    else if (*at == '"')
      text_print(text, json ? "\\\"" : "\"\"");
    else if (json && *at == '\\')
      text_print(text, "\\\\");
    else
      text_print(text, "%c", *at);
  text_print(text, "\"");
}

static void print_row(Text *text, const char *const word[WORDS], const double x[FIELDS], bool json)
{
  for (int k = 0; k < FIELDS; k++) {
    if (k > 0)
      text_print(text, ",");
    if (json)
      text_print(text, "%s\"%s\": ", k > 0 ? " " : "", name[k]);
    if (k < WORDS)
      quoted(text, word[k], json);
    else if (isfinite(x[k]))
      text_print(text, "%.8g", x[k]);
    else if (json)
      text_print(text, "null");
  }
}

static Status write(const Compare *c, const char *dir, bool json, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  const Status status = text_create(&text, dir, json ? "compare.json" : "compare.csv", error);
  if (status != STATUS_OK)
    return status;
  for (int k = 0; k < FIELDS && !json; k++)
    text_print(text, "%s%s", k > 0 ? "," : "", name[k]);
  text_print(text, json ? "[" : "\n");
  const char *between = "\n";
  for (int i = 0; i < c->npair; i++)
    for (int t = 0; t < c->pair[i].ntest; t++) {
      const char *word[WORDS];
      double x[FIELDS];
      row(c, &c->pair[i], &c->pair[i].test[t], word, x);
      if (json)
        text_print(text, "%s  {", between);
      print_row(text, word, x, json);
      text_print(text, json ? "}" : "\n");
      between = ",\n";
    }
  if (json)
    text_print(text, "\n]\n");
  return text_close(text, error);
}

Status compare_files_write(const Compare *compare, const char *dir, Error *error)
{
  const Status status = write(compare, dir, false, error);
  return status == STATUS_OK ? write(compare, dir, true, error) : status;
}
