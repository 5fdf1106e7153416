/* Tests for equivalence within a margin, for compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "cmd/compare_private.h"

bool compare_margin_named(const char *of, const char *name)
{
  const size_t n = strlen(of);
  return strncmp(name, of, n) == 0 && (name[n] == '\0' || strncmp(name + n, " of ", 4) == 0);
}

const char *compare_margin_unit(const char *name)
{
  if (compare_margin_named("energy", name))
    return "kcal/mol";
  if (compare_margin_named("distribution", name))
    return "";
  for (size_t i = 0; i < quantity_count; i++)
    if (quantity_table[i].compared && compare_margin_named(quantity_table[i].label, name))
      return quantity_table[i].unit;
  return NULL;
}

/* Whether two units are equal, ignoring '^': g/cm^3 and g/cm3. */
static bool same_unit(const char *a, const char *b)
{
  for (; *a != '\0' || *b != '\0'; a++, b++) {
    a += *a == '^';
    b += *b == '^';
    if (*a != *b)
      return false;
  }
  return true;
}

Status compare_margin_unknown(const char *what, const char *name, Error *error)
{
  char list[256] = "energy, distribution";
  for (size_t i = 0; i < quantity_count; i++) {
    const QuantityRow *q = &quantity_table[i];
    if (q->compared && strstr(list, q->label) == NULL)
      text_append(list, sizeof list, ", %s", q->label);
  }
  return error_set(error, STATUS_INPUT, "%s of '%s': unknown quantity; runs are compared by %s", what, name,
                   list);
}

/* The first word that begins with a number, else the end of the text. */
static char *number_in(char *text)
{
  for (char *end;; text += strcspn(text, " ")) {
    text += strspn(text, " ");
    (void)strtod(text, &end);
    if (end != text || *text == '\0')
      return text;
  }
}

/* Parses "density 0.0003 g/cm3", or a number without a name. */
static Status read_limit(CompareLimit *limit, char *text, Error *error)
{
  char *const number = number_in(text), *end;
  int named = (int)(number - text);
  while (named > 0 && text[named - 1] == ' ')
    named--;
  *limit = (CompareLimit){.value = strtod(number, &end)};
  snprintf(limit->of, sizeof limit->of, "%.*s", named, text);
  const bool found = end != number;
  end += strspn(end, " ");
  limit->relative = strcmp(end, "%") == 0;
  const char *own = limit->of[0] != '\0' ? compare_margin_unit(limit->of) : "kcal/mol";
  if (own == NULL && found)
    return compare_margin_unknown("a margin", limit->of, error);
  if (own == NULL) /* no number: report that first */
    own = "kcal/mol";
  if (!found || !(limit->relative || *end == '\0' || same_unit(end, own)) ||
      !(limit->value > 0.0 && limit->value <= 1e6) || (limit->relative && limit->value >= 100.0) ||
      (!limit->relative && compare_margin_named("distribution", limit->of)))
    return error_set(error, STATUS_INPUT,
                     "a margin is a number above 0 with %% or %s, such as '%s%s1%%', not '%s'", own,
                     limit->of, limit->of[0] != '\0' ? " " : "", text);
  if (!limit->relative)
    snprintf(limit->unit, sizeof limit->unit, "%s", own);
  return STATUS_OK;
}

static Status add_limit(CompareMargin *margin, char *text, Error *error)
{
  if (margin->n == COMPARE_LIMITS)
    return error_set(error, STATUS_INPUT, "more than %d margins", COMPARE_LIMITS);
  CompareLimit *limit = &margin->limit[margin->n];
  TRY(read_limit(limit, text, error));
  for (int k = 0; k < margin->n; k++)
    if (strcmp(margin->limit[k].of, limit->of) == 0)
      return error_set(error, STATUS_INPUT, "two margins of %s",
                       limit->of[0] != '\0' ? limit->of : "all quantities");
  text_append(margin->words, sizeof margin->words, "%s%s%s%.6g%s%s", margin->n > 0 ? ", " : "", limit->of,
              limit->of[0] != '\0' ? " " : "", limit->value,
              limit->relative          ? " %"
              : limit->unit[0] != '\0' ? " "
                                       : "",
              limit->unit);
  if (limit->relative)
    limit->value *= 0.01;
  margin->n++;
  return STATUS_OK;
}

Status compare_margin_read(CompareMargin *margin, const char *text, Error *error)
{
  LOCALE_PLAIN;
  *margin = (CompareMargin){.n = 0};
  char *copy = strdup(text), *rest = copy;
  TRY_MEMORY(copy != NULL, "a margin", error);
  for (char *part; (part = strsep(&rest, ",")) != NULL;)
    TRY_ELSE(add_limit(margin, part + strspn(part, " "), error), free(copy));
  free(copy);
  snprintf(margin->text, sizeof margin->text, "%.127s", margin->n > 1 ? "their margins" : margin->words);
  return STATUS_OK;
}

/* --- tests ------- */

/* The limit of a quantity; NULL: no margin. */
static const CompareLimit *limit_of(const CompareMargin *margin, const char *name)
{
  const CompareLimit *rest = NULL;
  for (int k = 0; k < margin->n; k++)
    if (margin->limit[k].of[0] == '\0')
      rest = &margin->limit[k];
    else if (compare_margin_named(margin->limit[k].of, name))
      return &margin->limit[k];
  return rest;
}

static void within_mean(CompareTest *t, const CompareLimit *limit)
{
  if (limit->relative)
    t->margin = limit->value * fabs(t->value[0]);
  else if (strcmp(t->unit, limit->unit) == 0)
    t->margin = limit->value;
  if (!isnan(t->p))
    t->within = equivalence_test(&t->mean, t->margin);
}

/* All bins are within the margin if the least conclusive one is (Berger, Technometrics 24, 295 (1982)). */
static void within_curve(CompareTest *t, const CompareLimit *limit)
{
  const CompareCurve *a = t->curve_of[0];
  const bool limited = limit->relative || strcmp(a->y->unit, limit->unit) == 0;
  for (int i = 0; i < a->n && limited && !isnan(t->p); i++) {
    StatisticsWelch w;
    if (!compare_bin(t->curve_of, i, &w))
      continue;
    const double room = limit->value * (limit->relative ? fmax(fabs(a->y->value[i]), a->whole) : 1.0);
    const Equivalence e = equivalence_test(&w, room);
    if (isnan(t->within.p) || e.p > t->within.p) {
      t->within = e;
      t->margin = room;
      t->least = w;
      t->least_r = a->x->value[i];
    }
  }
}

static Status within_distance(CompareTest *t, const CompareRun *a, const CompareRun *b,
                              const CompareLimit *limit, Error *error)
{
  if (!limit->relative || isnan(t->p))
    return STATUS_OK;
  const uint64_t seed = 1;
  t->margin = limit->value;
  return equivalence_distance(a->fraction.ncol, a->fraction.nrow, a->fraction.x, b->fraction.nrow,
                              b->fraction.x, limit->value, t->distance.permutations, seed, &t->within, error);
}

static Status test_pair(const Compare *c, ComparePair *pair, Error *error)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  for (int k = 0; k < pair->ntest; k++) {
    CompareTest *t = &pair->test[k];
    const CompareLimit *limit = limit_of(&c->margin, t->name);
    if (limit == NULL)
      continue;
    if (t->kind == COMPARE_MEAN)
      within_mean(t, limit);
    else if (t->kind == COMPARE_CURVE)
      within_curve(t, limit);
    else
      TRY(within_distance(t, a, b, limit, error));
  }
  return STATUS_OK;
}

Status compare_margin(Compare *c, const CompareMargin *margin, Error *error)
{
  c->margin = *margin;
  const CompareLimit *energy = limit_of(margin, "energy");
  for (int k = 0; k < c->npair; k++)
    TRY(test_pair(c, &c->pair[k], error));
  for (int k = 0; k < c->nfit; k++) {
    CompareFit *fit = &c->fit[k];
    fit->within = (Equivalence){NAN, NAN, NAN};
    if (energy != NULL && fit->reference >= 0 && !fit->unsound && fit->at_infinity.error > 0.0)
      fit->within = equivalence_test(
          &fit->at_infinity, energy->relative ? energy->value * fabs(fit->reference_energy) : energy->value);
  }
  return compare_holm(c, COMPARE_FAMILY_EQUAL, error);
}
