/* Draws the pictures of compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cmd/compare_private.h"
#include "observables/picture.h"

/* The title given, of any length, or model, number of molecules and temperature, which all runs share, in
 * `title`. */
static const char *title_of(const Compare *c, char *title, size_t size)
{
  if (c->title != NULL)
    return c->title;
  const ResultSet *set = &c->run[0].set;
  const double n = results_value(set, "", "molecules"), kelvin = results_value(set, "", "target_temperature");
  const char *model = results_word(set, "", "model");
  title[0] = '\0';
  if (isfinite(n) && model != NULL && (c->run[0].temperatures > 0 || isfinite(kelvin)))
    snprintf(title, size, "%.0f molecules of %.20s", n, model);
  if (title[0] != '\0' && c->run[0].temperatures == 0)
    text_append(title, size, " at %.4g K", kelvin);
  return title;
}

/* Draws distributions, normalised within the range as P(r) is. */
static Status draw_distributions(const Compare *c, const char *dir, Error *error)
{
  const size_t count = c->n > 0 ? (size_t)c->n : 0;
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += 3 * (size_t)c->run[i].fraction.ncol;
  SCOPED(arena_free) Arena arena = {0};
  PictureCurve *curve = arena_take(&arena, count, sizeof *curve);
  double *next = arena_take(&arena, size, sizeof *next);
  TRY(arena_check(&arena, "a picture", error));
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (run->fraction.nrow == 0)
      continue;
    const int nbin = run->fraction.ncol - 1;
    double *x = next, *y = x + nbin, *e = y + nbin, inside = 0.0;
    for (int b = 0; b < nbin; b++) {
      StatisticsMoments m = {0};
      for (int k = 0; k < run->fraction.nrow; k++)
        statistics_moments_add(&m, &run->fraction.x[(size_t)k * (size_t)run->fraction.ncol + (size_t)b], 1);
      x[b] = (b + 0.5) * run->rmax / nbin;
      y[b] = m.mean;
      e[b] = statistics_moments_error(&m);
      inside += m.mean * run->rmax / nbin;
    }
    for (int b = 0; b < nbin; b++) {
      y[b] /= inside;
      e[b] /= inside;
    }
    curve[n++] = (PictureCurve){.label = run->label, .n = nbin, .x = x, .y = y, .error = e};
    next = e + nbin;
  }
  char text[128];
  const char *const title = title_of(c, text, sizeof text);
  return n > 0 ? picture_rdf(dir, "compare", title, &c->run[0].set, n, curve, error) : STATUS_OK;
}

/* Collects curve k of the first run from all runs that have not failed. Returns their number; 0: a run
 * lacks it. */
static int make_set(const Compare *c, int k, PictureCurve *to)
{
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const CompareCurve *own = compare_curve(&c->run[i], c->run[0].curve[k].name.text);
    if (c->run[i].failed != NULL)
      continue;
    if (own == NULL || own->n <= 1)
      return 0;
    to[n++] = (PictureCurve){.label = c->run[i].label,
                             .n = own->n,
                             .x = own->x->value,
                             .y = own->y->value,
                             .error = own->y->error};
  }
  return n;
}

/* Draws the curves that all runs have. */
static Status draw_curves(const Compare *c, const char *dir, Error *error)
{
  const CompareRun *first = &c->run[0];
  const size_t n = (size_t)c->n, most = (size_t)first->ncurve;
  SCOPED(arena_free) Arena arena = {0};
  PictureSet *set = arena_take(&arena, most, sizeof *set);
  PictureCurve *curve = arena_take(&arena, most * n, sizeof *curve);
  QuantityWords *label = arena_take(&arena, 2 * most, sizeof *label);
  TRY(arena_check(&arena, "a picture", error));
  char text[128];
  int sets = 0;
  const char *const title = title_of(c, text, sizeof text);
  for (int k = 0; k < first->ncurve; k++) {
    const CompareCurve *own = &first->curve[k];
    PictureCurve *to = curve + (size_t)sets * n;
    QuantityWords *axis = &label[2 * sets];
    const int runs = make_set(c, k, to);
    if (runs == 0)
      continue;
    axis[0] = quantity_caption(own->x->quantity, own->x->unit);
    axis[1] = own->name;
    if (own->y->unit[0] != '\0')
      text_append(axis[1].text, sizeof axis[1].text, " (%s)", quantity_show_unit(own->y->unit).text);
    set[sets] = (PictureSet){sets == 0 ? title : NULL, axis[0].text, axis[1].text, runs, to};
    sets++;
  }
  return sets > 0 ? picture_rdf_differences(dir, "compare", sets, set, error) : STATUS_OK;
}

/* Points of a line, which is curved on logarithmic axes; characters of a curve's name. */
enum { LINE = 200, LABEL = 128 };

/* The line of a group for time step h: |fit - reference| over 1/w^2. */
static void fit_line(const CompareFit *fit, double h, double low, double high, double *x, double *y)
{
  const double at_zero = compare_fit_limit(fit, h);
  for (int i = 0; i < LINE; i++) {
    x[i] = low * pow(high / low, i / (LINE - 1.0));
    y[i] = fabs(at_zero + fit->line.value[1] * x[i]);
  }
}

/* The points |energy - reference| over 1/w^2 of one group and time step, and their line. */
static void step_curves(const Compare *c, const CompareFit *fit, double h, double *memory,
                        PictureCurve curve[2])
{
  double *x = memory, *y = x + c->n, *e = y + c->n, *line = e + c->n, low = INFINITY, high = 0.0;
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (!compare_fit_step(fit, run, h))
      continue;
    x[n] = 1.0 / (run->w * run->w);
    y[n] = fabs(run->mean[0].value - fit->reference_energy);
    e[n] = hypot(run->mean[0].error, fit->reference_error);
    low = fmin(low, x[n]);
    high = fmax(high, x[n++]);
  }
  fit_line(fit, h, low / COMPARE_FIT_BEYOND, high * COMPARE_FIT_BEYOND, line, line + LINE);
  curve[0] = (PictureCurve){.label = fit->group, .n = n, .x = x, .y = y, .error = e, .style = PICTURE_POINTS};
  curve[1] =
      (PictureCurve){.label = "the fit", .n = LINE, .x = line, .y = line + LINE, .style = PICTURE_DASHES};
}

/* Points and line for each time step of a group; returns the number of curves. */
static int group_curves(const Compare *c, const CompareFit *fit, double *memory, PictureCurve *curve,
                        char (*label)[LABEL])
{
  const size_t reals = 3 * (size_t)c->n + 2 * (size_t)LINE;
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const double h = c->run[i].h;
    int before = 0;
    for (int k = 0; k < i; k++)
      before |= compare_fit_step(fit, &c->run[k], h);
    if (before || !compare_fit_step(fit, &c->run[i], h))
      continue;
    step_curves(c, fit, h, memory + (size_t)n / 2 * reals, curve + n);
    if (fit->with_h) {
      snprintf(label[n / 2], LABEL, "%.90s, h = %g", fit->group, h);
      curve[n].label = label[n / 2];
    }
    n += 2;
  }
  return n;
}

/* Whether a fit has a slope in 1/w^2 and a constrained reference. */
static int has_limit(const CompareFit *fit)
{
  return fit->with_w && fit->reference >= 0 && fit->line.dof >= 0 && !fit->line.dependent;
}

static Status draw_limit(const Compare *c, const char *dir, Error *error)
{
  int fits = 0;
  for (int k = 0; k < c->nfit; k++)
    fits += has_limit(&c->fit[k]);
  if (fits == 0)
    return STATUS_OK;
  const size_t most = (size_t)fits * (size_t)c->n, each = 3 * (size_t)c->n + 2 * (size_t)LINE;
  SCOPED(arena_free) Arena arena = {0};
  PictureCurve *curve = arena_take(&arena, 2 * most, sizeof *curve);
  char(*label)[LABEL] = arena_take(&arena, most, sizeof *label);
  double *memory = arena_take(&arena, most * each, sizeof *memory);
  TRY(arena_check(&arena, "a picture", error));
  int n = 0;
  for (int k = 0; k < c->nfit; k++)
    if (has_limit(&c->fit[k]))
      n += group_curves(c, &c->fit[k], memory + (size_t)n / 2 * each, curve + n, label + n / 2);
  char text[128];
  const char *const title = title_of(c, text, sizeof text);
  const QuantityWords along = results_caption(&c->run[0].set, "compare_w", "w"),
                      excess = results_caption(&c->run[0].set, "compare_w", "excess");
  const PictureAxes axes = {
      .title = title, .xlabel = along.text, .ylabel = excess.text, .logx = 1, .logy = 1};
  return picture_lines(dir, "compare_w", &axes, n, curve, error);
}

Status compare_draw(const Compare *compare, const char *dir, Error *error)
{
  const CompareRun *reference = &compare->run[0];
  const Status first = reference->failed != NULL ? STATUS_OK
                       : reference->ncurve > 0   ? draw_curves(compare, dir, error)
                                                 : draw_distributions(compare, dir, error);
  if (first != STATUS_OK && first != STATUS_RUN)
    return first;
  const Status second = draw_limit(compare, dir, error);
  return second != STATUS_OK ? second : first;
}
