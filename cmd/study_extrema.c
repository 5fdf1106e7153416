#include "cmd/study_extrema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/locale.h"
#include "base/text.h"
#include "cmd/compare_private.h"
#include "observables/extremum.h"
#include "observables/picture.h"

enum { CURVE = 201, SHOWN = 12 };
static const char name[] = "study_extrema";

/* Parses "277.5 K" into number and unit. */
static bool read_value(const char *text, double *value, const char **unit)
{
  char *end;
  *value = strtod(text, &end);
  *unit = end + strspn(end, " ");
  return end != text && isfinite(*value);
}

/* Slopes from fluctuations: d quantity/d key = share * quantity * `by`. */
typedef struct Slope {
  const char *quantity, *key, *unit, *by;
  double share;
} Slope;

static const Slope slopes[] = {{"density", "thermostat.temperature", "K", "thermal expansion", -1.0},
                               {"density", "barostat.pressure", "bar", "isothermal compressibility", 1.0}};

static const Slope *slope_of(const Study *s, const StudyExtremum *e)
{
  double value;
  const char *unit;
  for (const Slope *f = slopes; f < slopes + sizeof slopes / sizeof *slopes; f++)
    if (compare_margin_named(e->quantity, f->quantity) && strcmp(s->key, f->key) == 0 &&
        read_value(s->value[0], &value, &unit) && strcmp(unit, f->unit) == 0)
      return f;
  return NULL;
}

Status study_extrema_check(const Study *s, Error *error)
{
  LOCALE_PLAIN;
  double value;
  const char *unit, *first;
  for (const StudyExtremum *e = s->extremum; e < s->extremum + s->nextremum; e++) {
    if (compare_margin_unit(e->quantity) == NULL || strcmp(e->quantity, "distribution") == 0)
      return compare_margin_unknown("an extremum", e->quantity, error);
    if (s->nvalue < e->degree + 1)
      return error_set(error, STATUS_INPUT,
                       "an extremum of degree %d is fitted over the first list of vary, which has %d "
                       "value%s: at least %d are required",
                       e->degree, s->nvalue, s->nvalue == 1 ? "" : "s", e->degree + 1);
    if (e->slopes && slope_of(s, e) == NULL)
      return error_set(error, STATUS_INPUT,
                       "slopes of '%s' over %s with values such as '%s' are not available; those of density "
                       "are, over thermostat.temperature in K and barostat.pressure in bar",
                       e->quantity, s->key, s->value[0]);
  }
  for (int i = 0; i < s->nvalue && s->nextremum > 0; i++)
    if (!read_value(s->value[i], &value, &unit) || !read_value(s->value[0], &value, &first) ||
        strcmp(unit, first) != 0)
      return error_set(error, STATUS_INPUT,
                       "extrema over %s: '%s' is not a number in the unit of the first value", s->key,
                       s->value[i]);
  return STATUS_OK;
}

/* The means of one quantity over the values of the first list. */
typedef struct Series {
  const StudyExtremum *of;
  char label[256];
  const CompareMean *mean; /* of the first value */
  const char *at_unit;
  int n;
  double *x, *y, *error, *slope, *slope_error; /* [values]; slope NaN: no slope */
  int64_t *draws, *slope_draws;
  int nslope, nfailed; /* failed runs have neither */
  bool sound;          /* whether all errors are reliable */
  Extremum found;
  double curve[2][CURVE];
} Series;

typedef struct Work {
  int n; /* series */
  Series *series;
  Arena arena;
} Work;

static void work_free(Work *w) { arena_free(&w->arena); }

/* The run of a series at a value. If values are the runs, all are at one point; otherwise the first list
 * varies slowest over the points. */
static const CompareRun *run_of(const Study *s, Compare *const *c, int series, int value)
{
  const int each = s->npoint / s->nvalue;
  return s->values_are_runs ? &c[series]->run[value]
                            : &c[value * each + series / s->nrun]->run[series % s->nrun];
}

static const CompareMean *mean_of(const CompareRun *run, const char *quantity)
{
  for (int k = 0; k < run->nmean; k++)
    if (compare_margin_named(quantity, run->mean[k].name.text))
      return &run->mean[k];
  return NULL;
}

/* The name of the run and the values of the other lists. */
static void label_series(const Study *s, int series, Series *to)
{
  const int each = s->values_are_runs ? 1 : s->nrun;
  const char *words = s->point[series / each].words;
  if (!s->values_are_runs) { /* the first value is in the words of the point: skip it */
    words = strchr(words, ',');
    words = words != NULL ? words + 2 : "";
    text_append(to->label, sizeof to->label, "%s", s->run[series % each].name);
  }
  text_append(to->label, sizeof to->label, "%s%s", to->label[0] != '\0' && words[0] != '\0' ? ", " : "",
              words);
}

static bool has_error(const CompareMean *mean)
{
  return mean != NULL && mean->error > 0.0 && isfinite(mean->error) && isfinite(mean->value);
}

/* Adds the slope at the next point. */
static void read_slope(const Slope *slope, const CompareRun *run, double y, Series *to)
{
  const CompareMean *mean = slope != NULL ? mean_of(run, slope->by) : NULL;
  to->slope[to->n] = to->slope_error[to->n] = NAN;
  if (!has_error(mean))
    return;
  to->sound = to->sound && mean->draws >= VERDICT_DRAWS;
  to->slope[to->n] = slope->share * y * mean->value;
  to->slope_error[to->n] = fabs(y) * mean->error;
  to->slope_draws[to->n] = mean->draws;
  to->nslope++;
}

static void read_series(const Study *s, Compare *const *c, int series, Series *to)
{
  const Slope *const slope = to->of->slopes ? slope_of(s, to->of) : NULL;
  label_series(s, series, to);
  to->sound = true;
  for (int v = 0; v < s->nvalue; v++) {
    const CompareRun *run = run_of(s, c, series, v);
    const CompareMean *mean = mean_of(run, to->of->quantity);
    to->nfailed += run->failed != NULL;
    if (!has_error(mean))
      continue;
    to->mean = to->mean == NULL ? mean : to->mean;
    to->sound = to->sound && run->too_few[0] == '\0' && mean->draws >= VERDICT_DRAWS;
    (void)read_value(s->value[v], &to->x[to->n], &to->at_unit);
    read_slope(slope, run, mean->value, to);
    to->y[to->n] = mean->value;
    to->error[to->n] = mean->error;
    to->draws[to->n++] = mean->draws;
  }
}

static Status find(Series *to, Error *error)
{
  to->found = (Extremum){.fit = {.dof = -1}, .at = NAN, .at_error = NAN, .value = NAN, .value_error = NAN};
  const ExtremumPoints points = {to->n,     to->x,           to->y,     to->error,
                                 to->slope, to->slope_error, to->draws, to->slope_draws};
  if (to->n > to->of->degree)
    TRY(extremum_find(&points, to->of->degree, to->of->minimum, &to->found, error));
  for (int i = 0; i < CURVE; i++) {
    to->curve[0][i] = to->found.from + (to->found.to - to->found.from) * i / (CURVE - 1);
    to->curve[1][i] = extremum_curve(&to->found, to->curve[0][i]);
  }
  return STATUS_OK;
}

static Status work_read(const Study *s, Compare *const *c, Work *w, Error *error)
{
  const int each = s->npoint * s->nrun / s->nvalue;
  const size_t n = (size_t)s->nvalue;
  w->n = each * s->nextremum;
  w->series = arena_take(&w->arena, (size_t)w->n, sizeof *w->series);
  TRY(arena_check(&w->arena, "extrema", error));
  for (int i = 0; i < w->n; i++) {
    w->series[i] = (Series){.of = &s->extremum[i / each],
                            .at_unit = "",
                            .x = arena_take(&w->arena, n, sizeof(double)),
                            .y = arena_take(&w->arena, n, sizeof(double)),
                            .error = arena_take(&w->arena, n, sizeof(double)),
                            .slope = arena_take(&w->arena, n, sizeof(double)),
                            .slope_error = arena_take(&w->arena, n, sizeof(double)),
                            .draws = arena_take(&w->arena, n, sizeof(int64_t)),
                            .slope_draws = arena_take(&w->arena, n, sizeof(int64_t))};
    TRY(arena_check(&w->arena, "extrema", error));
    read_series(s, c, i % each, &w->series[i]);
    TRY(find(&w->series[i], error));
  }
  return STATUS_OK;
}

/* --- results ------- */

static void print_words(const Study *s, const Series *f, ResultTable *t)
{
  char words[512] = "", number[RESULTS_SHOWN], other[RESULTS_SHOWN];
  const Extremum *e = &f->found;
  const char *which = f->of->minimum ? "minimum" : "maximum";
  text_append(words, sizeof words, "%s%s%s: ", f->label, f->label[0] != '\0' ? ": " : "", f->of->quantity);
  if (e->fit.dof < 0 || e->fit.dependent)
    text_append(words, sizeof words, "%d means with errors are too few for degree %d", f->n, f->of->degree);
  else if (!e->found)
    text_append(words, sizeof words, "no %s between %g and %g %s", which, e->from, e->to, f->at_unit);
  else
    text_append(words, sizeof words, "%s at %s %s%s%s, %s %s", which, s->key,
                results_show(number, e->at, e->at_error), f->at_unit[0] != '\0' ? " " : "", f->at_unit,
                results_show(other, e->value, e->value_error), f->mean->unit);
  if (e->fit.dof > 0)
    text_append(words, sizeof words, " (a polynomial of degree %d through %d means%s, chi^2 %.3g for %d%s)",
                e->degree, f->n, f->nslope > 0 ? " and their slopes" : "", e->fit.chi2, e->fit.dof,
                e->fit.p < 0.01 ? ": IT DOES NOT FIT; use another degree or a narrower list" : "");
  if (!f->sound && e->fit.dof >= 0)
    text_append(words, sizeof words, "; some errors are lower bounds or rest on fewer than %d draws",
                VERDICT_DRAWS);
  if (f->nfailed > 0)
    text_append(words, sizeof words, "; %d run%s failed", f->nfailed, f->nfailed > 1 ? "s" : "");
  results_say(t, "%s", words);
}

static void add_words(const Work *w, ResultTable *t, const char *column, const char *(*of)(const Series *f),
                      const char **scratch)
{
  for (int i = 0; i < w->n; i++)
    scratch[i] = of(&w->series[i]);
  results_add_words(t, column, scratch);
}

static const char *label_of(const Series *f) { return f->label; }
static const char *quantity_of(const Series *f) { return f->of->quantity; }
static const char *sort_of(const Series *f) { return f->of->minimum ? "minimum" : "maximum"; }
static const char *at_unit_of(const Series *f) { return f->at_unit; }
static const char *unit_of(const Series *f) { return f->mean != NULL ? f->mean->unit : ""; }

static Status add_table(const Study *s, const Work *w, ResultSet *set, Error *error)
{
  const size_t n = (size_t)w->n;
  SCOPED(scoped_free) double *x = malloc(7 * n * sizeof *x);
  SCOPED(scoped_free) const char **word = malloc(n * sizeof *word);
  TRY_MEMORY(x != NULL && word != NULL, "extrema", error);
  for (size_t i = 0; i < n; i++) {
    const Extremum *e = &w->series[i].found;
    const double row[7] = {e->at,       e->value,  e->at_error, e->value_error, w->series[i].of->degree,
                           e->fit.chi2, e->fit.dof};
    for (size_t k = 0; k < 7; k++)
      x[k * n + i] = row[k];
  }
  ResultTable *t = results_add_table(set, name, n);
  add_words(w, t, "run", label_of, word);
  add_words(w, t, "quantity", quantity_of, word);
  add_words(w, t, "extremum", sort_of, word);
  results_add_column(t, "at", x, x + 2 * n);
  add_words(w, t, "at_unit", at_unit_of, word);
  results_add_column(t, "value", x + n, x + 3 * n);
  add_words(w, t, "unit", unit_of, word);
  results_add_column(t, "degree", x + 4 * n, NULL);
  results_add_column(t, "chi2", x + 5 * n, NULL);
  results_add_column(t, "dof", x + 6 * n, NULL);
  for (size_t i = 0; i < n; i++)
    print_words(s, &w->series[i], t);
  return STATUS_OK;
}

/* Draws a panel for each quantity: points, fits and extrema. */
static Status draw(const Study *s, const Work *w, const char *dir, Error *error)
{
  const int each = w->n / s->nextremum, shown = each < SHOWN ? each : SHOWN;
  SCOPED(scoped_free) PicturePanel *panel = calloc((size_t)s->nextremum, sizeof *panel);
  SCOPED(scoped_free) PictureCurve *curve = calloc(2 * (size_t)w->n, sizeof *curve);
  SCOPED(scoped_free) PictureGuide *guide = calloc((size_t)w->n, sizeof *guide);
  SCOPED(scoped_free) QuantityWords *label = calloc((size_t)s->nextremum + 1, sizeof *label);
  TRY_MEMORY(panel != NULL && curve != NULL && guide != NULL && label != NULL, "a picture", error);
  text_append(label[s->nextremum].text, sizeof label->text,
              w->series[0].at_unit[0] != '\0' ? "%s (%s)" : "%s%s", s->key, w->series[0].at_unit);
  for (int p = 0; p < s->nextremum; p++) {
    PictureCurve *const first = curve + 2 * (ptrdiff_t)(p * each), *at = first;
    PictureGuide *const guides = guide + (ptrdiff_t)p * each, *mark = guides;
    const Series *const of = &w->series[p * each];
    for (int i = 0; i < shown; i++) {
      const Series *f = of + i;
      if (f->n > 0)
        *at++ = (PictureCurve){.label = f->label,
                               .n = f->n,
                               .x = f->x,
                               .y = f->y,
                               .error = f->error,
                               .style = PICTURE_POINTS,
                               .colour = 1 + i % 7};
      if (f->n > 0 && f->found.fit.dof >= 0 && !f->found.fit.dependent)
        *at++ = (PictureCurve){.n = CURVE, .x = f->curve[0], .y = f->curve[1], .colour = 1 + i % 7};
      if (f->found.found)
        *mark++ = (PictureGuide){.vertical = 1, .at = f->found.at};
    }
    text_append(label[p].text, sizeof label->text, "%s (%s)", s->extremum[p].quantity,
                quantity_show_unit(unit_of(of)).text);
    panel[p] = (PicturePanel){.axes = {.xlabel = label[s->nextremum].text,
                                       .ylabel = label[p].text,
                                       .nguide = (int)(mark - guides),
                                       .guide = guides},
                              .n = (int)(at - first),
                              .curve = first};
  }
  return picture_panels(dir, name, s->nextremum, panel, 1, error);
}

Status study_extrema_find(const Study *s, Compare *const *c, const char *dir, ResultSet *set, Error *error)
{
  LOCALE_PLAIN;
  SCOPED(work_free) Work w = {.n = 0};
  if (s->nextremum == 0)
    return STATUS_OK;
  TRY(work_read(s, c, &w, error));
  TRY(add_table(s, &w, set, error));
  Error why;
  const Status drawn = draw(s, &w, dir, &why);
  if (drawn == STATUS_RUN || drawn == STATUS_INPUT)
    results_remark(set, "no picture of the extrema: %s", why.text);
  return drawn == STATUS_INPUT ? STATUS_OK : picture_outcome(drawn, &why, error);
}
