/* Mean-square displacements: curves, self-diffusion and files. */
#include <math.h>
#include <stdio.h>

#include "observables/diffusion.h"
#include "observables/distribution.h"
#include "observables/msd_private.h"
#include "observables/picture.h"

/* Diffusion is left out if slope/6 changes within the window by more than this fraction, and significantly:
 * displacements are not yet diffusive. */
static const double most_change = 0.25, chance = 1e-3;
/* It is also left out if displacements are below this fraction of the distance between molecules: they have
 * not left the cage of their neighbours. */
static const double least_way = 0.3;

typedef struct Window {
  double from, to; /* of the fit, ps; in reduced units, unconverted */
} Window;

static double lag_ps(const Msd *m, int k) { return (double)m->lag[k] * m->is.options.interval * m->ps; }

/* The unit after a time in a sentence; and the factor on D. */
static const char *unit_of(const Msd *m) { return m->is.options.reduced ? "" : " ps"; }
static double scale_of(const Msd *m) { return diffusion_scale(&m->is.options); }

/* The default is 2 to 20 ps, or less for a short series. */
static Window window(const Msd *m)
{
  Window e = {m->is.options.msd.from * m->ps, m->is.options.msd.to * m->ps};
  const double length = (double)m->clock->n * m->is.options.interval * m->ps;
  if (!(e.to > 0.0))
    e.to = fmin(20.0, fmin(0.25 * length, lag_ps(m, m->nlag - 1)));
  if (!(e.from > 0.0))
    e.from = fmin(2.0, 0.25 * e.to);
  return e;
}

/* Fits a line to the curve from `from` to `to`, weighted by 1/t^2: for diffusion the errors grow with t. */
static void line(const Msd *m, const double *curve, double from, double to, double *slope, double *intercept)
{
  double s = 0.0, st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0;
  int n = 0;
  for (int k = 0; k < m->nlag; k++) {
    const double t = lag_ps(m, k);
    if (t < from * (1.0 - 1e-9) || t > to * (1.0 + 1e-9) || !isfinite(curve[k]))
      continue;
    const double w = 1.0 / (t * t);
    s += w;
    st += w * t;
    stt += w * t * t;
    sy += w * curve[k];
    sty += w * t * curve[k];
    n++;
  }
  *slope = n > 1 ? (s * sty - st * sy) / (s * stt - st * st) : NAN;
  *intercept = (sy - *slope * st) / s;
}

static void fit(const Msd *m, const Window *e, const double *curve, double out[MSD_FITS])
{
  const double middle = sqrt(e->from * e->to);
  double slope, early, late, unused;
  line(m, curve, e->from, e->to, &slope, &out[MSD_INTERCEPT]);
  line(m, curve, e->from, middle, &early, &unused);
  line(m, curve, middle, e->to, &late, &unused);
  out[MSD_D] = slope / (2.0 * m->dim);
  out[MSD_CHANGE] = (late - early) / (2.0 * m->dim);
}

/* out: for each series the curve [nlag] and the fit; then the lengths of the box. */
static int curve_size(const Msd *m) { return m->nlag + MSD_FITS; }

void msd_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  const Msd *m = self;
  const Window w = window(m);
  const double *origins = sum + m->nseries * m->nlag;
  for (int b = 0; b < m->nseries; b++, out += curve_size(m)) {
    for (int k = 0; k < m->nlag; k++)
      out[k] = origins[k] > 0.0 ? sum[b * m->nlag + k] / origins[k] : NAN;
    fit(m, &w, out, out + m->nlag);
  }
  for (int d = 0; d < 3; d++)
    out[d] = origins[m->nlag + d] / n;
}

/* Displacements that begin in one block and end in the next correlate them. */
double msd_result_shortest(const void *self)
{
  const Msd *m = self;
  return 2.0 * window(m).to / (m->is.options.interval * m->ps);
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static bool of_sites(const Msd *m) { return m->series[m->nseries - 1].site != NULL; }

/* The displacement within the fit window relative to the distance between molecules, density^(-1/3); NaN
 * without a box. */
static double way(const Msd *m, const double *value, int b)
{
  const double *curve = value + b * curve_size(m), *length = value + m->nseries * curve_size(m);
  const double to = window(m).to;
  double msd = NAN;
  for (int k = 0; k < m->nlag; k++)
    if (lag_ps(m, k) <= to * (1.0 + 1e-9) && isfinite(curve[k]))
      msd = curve[k];
  return length[0] * length[1] * length[2] > 0.0
             ? sqrt(msd) / cbrt(length[0] * length[1] * length[2] / m->total)
             : NAN;
}

/* Returns why the diffusion coefficient of kind b is left out, or NULL. */
static const char *unfit(const Msd *m, const ObservableResult *r, int b, char *words, size_t size)
{
  const int at = b * curve_size(m) + m->nlag, blocks = r->errors.nblock;
  const double noise = blocks > 1 ? -distribution_t_quantile(0.5 * chance, blocks - 1) : 0.0;
  const double slope = r->value[at + MSD_D], change = r->value[at + MSD_CHANGE], gone = way(m, r->value, b);
  if (!isfinite(slope))
    return "left out: the series has fewer than two times within the fit window";
  if (gone < least_way) {
    snprintf(words, size,
             "left out: molecules move by only %.2g of the distance between them within %.4g%s and have not "
             "left their neighbours; run longer",
             gone, window(m).to, unit_of(m));
    return words;
  }
  if (!(fabs(change) > most_change * fabs(slope)) || fabs(change) <= noise * r->error[at + MSD_CHANGE])
    return NULL;
  snprintf(
      words, size,
      "left out: not diffusive within the fit window, where slope/%d goes %s by %.2g of %.3g; run longer",
      2 * m->dim, change > 0.0 ? "up" : "down", scale_of(m) * fabs(change), scale_of(m) * slope);
  return words;
}

static void say_fits(const Msd *m, ResultTable *t, const ObservableResult *r)
{
  for (int b = 0; b < m->nseries; b++) {
    char words[200];
    const int at = b * curve_size(m) + m->nlag;
    const char *none = unfit(m, r, b, words, sizeof words);
    if (none != NULL)
      results_say(t, "%s: D is %s", m->series[b].name, none);
    else
      results_say(t, "D_%s: %.9g\nD_%s_err: %.4g", m->series[b].name, scale_of(m) * r->value[at + MSD_D],
                  m->series[b].name, scale_of(m) * r->error[at + MSD_D]);
  }
  results_say(t, "D: slope/%d of the line through the fit window weighted by 1/t^2%s%s", 2 * m->dim,
              m->is.options.reduced ? "" : ", 1e-9 m^2/s",
              m->dim == 3 && !m->is.options.reduced ? ", without any correction for the size of the box"
                                                    : "");
}

static void add_table(const Msd *m, const ObservableResult *r, ResultSet *set)
{
  const bool reduced = m->is.options.reduced;
  const char *const unit = reduced ? "" : "_ps";
  const Window w = window(m);
  double time[MSD_LEVELS * MSD_SLOTS];
  size_t n = 0;
  for (; n < (size_t)m->nlag && isfinite(r->value[n]); n++)
    time[n] = lag_ps(m, (int)n);
  ResultTable *t = results_add_table(set, "msd", n);
  results_add_column(t, reduced ? "time" : "time_ps", time, NULL);
  for (int b = 0; b < m->nseries; b++) {
    char name[64];
    snprintf(name, sizeof name, "msd_%s", m->series[b].name);
    results_add_column(t, name, r->value + b * curve_size(m), r->error + b * curve_size(m));
  }
  results_say(t,
              "mean-square displacement of %s%s%s\nsamples: %lld\n"
              "interval%s: %.12g\nfit_from%s: %.9g\nfit_to%s: %.9g",
              of_sites(m) ? "the centre of mass and of sites" : "the molecules' centres of mass",
              reduced ? "" : ", A^2", m->drift ? "" : ", relative to the centre of mass",
              (long long)r->errors.samples, unit, m->is.options.interval * m->ps, unit, w.from, unit, w.to);
  block_rows_say(&r->errors, "the fit window", t);
  say_fits(m, t, r);
}

static void report_all(const Msd *m, const ObservableResult *r, ResultSet *report)
{
  const Window w = window(m);
  const double *length = r->value + m->nseries * curve_size(m),
               cube = diffusion_cube(length, box_oblique(&m->clock->box));
  char note[160], words[200];
  const bool box = length[0] > 0.0;
  snprintf(note, sizeof note, box ? "fit from %.4g to %.4g%s; box of %.4f A" : "fit from %.4g to %.4g%s",
           w.from, w.to, unit_of(m), length[0]);
  for (int b = 0; b < m->nseries; b++) {
    const int at = b * curve_size(m) + m->nlag;
    const char *why = unfit(m, r, b, words, sizeof words);
    if (why != NULL)
      results_observed(report, "msd", m->series[b].name, box ? "D_L" : "D", NAN, NAN, why);
    else
      diffusion_report(report, &m->is.options, m->drag, cube, "msd", m->series[b].name, box ? "D_L" : "D",
                       r->value[at + MSD_D], r->error[at + MSD_D], note);
  }
  diffusion_remark(report, &m->is.options, m->drag, cube, "msd");
}

Status msd_result_write(void *self, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  (void)dir;
  (void)error;
  const Msd *m = self;
  add_table(m, r, set);
  report_all(m, r, set);
  snprintf(r->doubt, sizeof r->doubt, "%.4g%s are short for a fit to %.4g%s",
           (double)r->errors.samples * m->is.options.interval * m->ps, unit_of(m), window(m).to, unit_of(m));
  return STATUS_OK;
}

/* Draws the curves, with the fitted lines. */
Status msd_result_draw(const void *self, const ObservableResult *r, const char *dir, const ResultSet *set,
                       Error *why)
{
  const Msd *m = self;
  const ResultTable *const table = set->table[set->ntable - 1];
  const Window w = window(m);
  const double *const time = table->column[0].value;
  if (r->errors.samples < 2)
    return STATUS_OK;
  SCOPED(arena_free) Arena arena = {0};
  double(*fitted)[MSD_LEVELS * MSD_SLOTS] = arena_take(&arena, (size_t)m->nseries, sizeof *fitted);
  PictureCurve *curve = arena_take(&arena, 2 * (size_t)m->nseries, sizeof *curve);
  TRY(arena_check(&arena, "a picture", why));
  for (int b = 0; b < m->nseries; b++) {
    const double *line = r->value + b * curve_size(m) + m->nlag;
    for (size_t k = 0; k < table->nrow; k++)
      fitted[b][k] = time[k] >= w.from * (1.0 - 1e-9) && time[k] <= w.to * (1.0 + 1e-9)
                         ? line[MSD_INTERCEPT] + 2.0 * m->dim * line[MSD_D] * time[k]
                         : NAN;
    curve[2 * b] = picture_curve(table, 0, 1 + b);
    curve[2 * b].label = m->series[b].name;
    curve[2 * b].style = PICTURE_POINTS;
    curve[2 * b + 1] =
        (PictureCurve){.n = (int)table->nrow, .x = time, .y = fitted[b], .style = PICTURE_DASHES};
  }
  const PictureAxes axes = {.x = &table->column[0], .y = &table->column[1], .logx = 1, .logy = 1};
  return picture_lines(dir, "msd", &axes, 2 * m->nseries, curve, why);
}
