/* The numbers of compare.h for programs: compare.csv and compare.json, a row a test. */
#include <math.h>

#include "cmd/compare_private.h"
#include "engine/locale.h"
#include "engine/text.h"
#include "observables/picture.h"

enum { FIELDS = 23 + 2 * COMPARE_HEAT_NUMBERS, WORDS = 5, NUMBERS = FIELDS - WORDS };

/* The first WORDS are words, the others numbers. */
static const char *const name[FIELDS] = {"run_a",
                                         "run_b",
                                         "quantity",
                                         "unit",
                                         "verdict",
                                         "value_a",
                                         "error_a",
                                         "value_b",
                                         "error_b",
                                         "r",
                                         "difference",
                                         "difference_err",
                                         "total_variation",
                                         "dof",
                                         "p_differ",
                                         "p_differ_all",
                                         "margin",
                                         "low",
                                         "high",
                                         "p_equal",
                                         "p_equal_all",
                                         "r_equal",
                                         "difference_equal",
                                         COMPARE_HEAT_NAMES("_a"),
                                         COMPARE_HEAT_NAMES("_b")};

typedef struct Row {
  const char *word[WORDS];
  double x[NUMBERS];
} Row;

static Row row_of(const Compare *c, const ComparePair *pair, const CompareTest *t)
{
  const bool mean = t->kind == COMPARE_MEAN, curve = t->kind == COMPARE_CURVE;
  Row row = {.word = {c->run[pair->a].label, c->run[pair->b].label, t->name, t->unit,
                      compare_report_word(t->verdict)},
             .x = {mean ? t->of[0]->value : NAN, mean ? t->of[0]->error : NAN, mean ? t->of[1]->value : NAN,
                   mean ? t->of[1]->error : NAN, t->r, mean || curve ? t->mean.difference : NAN,
                   mean || curve ? t->mean.error : NAN, t->distance.tv, mean || curve ? t->mean.dof : NAN,
                   t->p, t->adjusted, t->margin, t->within.low, t->within.high, t->within.p,
                   t->within_adjusted, t->least_r, t->least.difference}};
  compare_heat_numbers(&c->run[pair->a], row.x + NUMBERS - 2 * COMPARE_HEAT_NUMBERS);
  compare_heat_numbers(&c->run[pair->b], row.x + NUMBERS - COMPARE_HEAT_NUMBERS);
  return row;
}

static void json_row(FILE *file, const Row *row)
{
  for (int k = 0; k < FIELDS; k++) {
    fprintf(file, "%s\"%s\": ", k > 0 ? ", " : "  {", name[k]);
    if (k < WORDS)
      picture_json_text(file, row->word[k]);
    else if (isfinite(row->x[k - WORDS]))
      fprintf(file, "%.8g", row->x[k - WORDS]);
    else
      fputs("null", file);
  }
  fputs("}", file);
}

static Status write(const Compare *c, const char *dir, bool json, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  TRY(text_replace(&text, dir, json ? "compare.json" : "compare.csv", error));
  for (int k = 0; k < FIELDS && !json; k++)
    text_print(text, "%s%s", k > 0 ? "," : "", name[k]);
  text_print(text, json ? "[" : "\n");
  const char *between = "\n";
  for (int i = 0; i < c->npair; i++)
    for (int t = 0; t < c->pair[i].ntest; t++) {
      const Row row = row_of(c, &c->pair[i], &c->pair[i].test[t]);
      if (!json) {
        text_csv_row(text, WORDS, row.word, NUMBERS, row.x);
        continue;
      }
      text_print(text, "%s", between);
      json_row(text_file(text), &row);
      between = ",\n";
    }
  if (json)
    text_print(text, "\n]\n");
  return text_close(text, error);
}

static const char *const files[] = {"compare.csv", "compare.json", "compare.html", NULL};
static const char *const pictures[] = {"compare", "compare_w", NULL};
const OwnedNames compare_files_names = {.file = files, .stem = pictures, .suffix = picture_suffixes};

Status compare_files_write(const Compare *compare, const char *dir, Error *error)
{
  TRY(write(compare, dir, false, error));
  return write(compare, dir, true, error);
}
