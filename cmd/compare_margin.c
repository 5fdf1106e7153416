/* Equal within a margin, for compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "engine/locale.h"

Status compare_margin_read(CompareMargin *margin, const char *text, Error *error)
{
  LOCALE_PLAIN;
  char *end;
  *margin = (CompareMargin){.value = strtod(text, &end)};
  const bool number = end != text;
  end += strspn(end, " ");
  margin->relative = strcmp(end, "%") == 0;
  const bool unit = margin->relative || *end == '\0' || strcmp(end, "kcal/mol") == 0;
  if (!number || !unit || !(margin->value > 0.0 && margin->value <= 1e6) ||
      (margin->relative && margin->value >= 100.0))
    return error_set(error, STATUS_INPUT,
                     "a margin is a number above 0 with %% or kcal/mol, such as '1%%', not '%s'", text);
  snprintf(margin->text, sizeof margin->text, "%.6g%s", margin->value, margin->relative ? " %" : " kcal/mol");
  if (margin->relative)
    margin->value *= 0.01;
  return STATUS_OK;
}

/* --- tests ------------------------------------------------------------------------------------------------
 */

static void within_mean(CompareTest *t, const CompareMargin *margin)
{
  if (margin->relative)
    t->margin = margin->value * fabs(t->value[0]);
  else if (strcmp(t->unit, "kcal/mol") == 0)
    t->margin = margin->value;
  if (!isnan(t->p))
    t->within = equivalence_test(&t->mean, t->margin);
}

/* All bins within it: as sure as of the one that says least (Berger, Technometrics 24, 295 (1982)). */
static void within_curve(CompareTest *t, const CompareMargin *margin)
{
  const CompareCurve *a = t->curve_of[0];
  for (int i = 0; i < a->n && margin->relative && !isnan(t->p); i++) {
    StatisticsWelch w;
    if (!compare_bin(t->curve_of, i, &w))
      continue;
    const double room = margin->value * fmax(fabs(a->y->value[i]), a->whole);
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
                              const CompareMargin *margin, Error *error)
{
  if (!margin->relative || isnan(t->p))
    return STATUS_OK;
  const uint64_t seed = 1;
  t->margin = margin->value;
  return equivalence_distance(a->fraction.ncol, a->fraction.nrow, a->fraction.x, b->fraction.nrow,
                              b->fraction.x, margin->value, t->distance.permutations, seed, &t->within,
                              error);
}

static Status test_pair(const Compare *c, ComparePair *pair, Error *error)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  Status status = STATUS_OK;
  for (int k = 0; k < pair->ntest && status == STATUS_OK; k++) {
    CompareTest *t = &pair->test[k];
    if (t->kind == COMPARE_MEAN)
      within_mean(t, &c->margin);
    else if (t->kind == COMPARE_CURVE)
      within_curve(t, &c->margin);
    else
      status = within_distance(t, a, b, &c->margin, error);
  }
  return status;
}

Status compare_margin(Compare *c, const CompareMargin *margin, Error *error)
{
  c->margin = *margin;
  Status status = STATUS_OK;
  for (int k = 0; k < c->npair && status == STATUS_OK; k++)
    status = test_pair(c, &c->pair[k], error);
  for (int k = 0; k < c->nfit; k++) {
    CompareFit *fit = &c->fit[k];
    fit->within = (Equivalence){NAN, NAN, NAN};
    if (fit->reference >= 0 && !fit->unsound && fit->at_infinity.error > 0.0)
      fit->within = equivalence_test(
          &fit->at_infinity, margin->relative ? margin->value * fabs(fit->reference_energy) : margin->value);
  }
  return status == STATUS_OK ? compare_holm(c, COMPARE_FAMILY_EQUAL, error) : status;
}
