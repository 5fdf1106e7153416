/* Curves, self-diffusion and files of mean-square displacements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "engine/units.h"
#include "observables/diffusion.h"
#include "observables/distribution.h"
#include "observables/msd_private.h"
#include "observables/picture.h"

/* What of each series beside its curve: D, slope/6 of three dimensions, in A^2/ps, the intercept in A^2; and
 * by how much D is larger in the later half of the window (of its logarithm) than in the earlier one. */
enum { FIT_D, FIT_INTERCEPT, FIT_CHANGE, FITS };

/* Diffusion is left out where slope/6 changes within the window by more than this share of it, and by more
 * than noise explains: displacements are not diffusive yet. */
static const double most_change = 0.25, chance = 1e-3;
/* And where molecules have not moved by this share of the distance between them, by which they would have
 * left the cage of their neighbours. */
static const double least_way = 0.3;

typedef struct Evaluation {
  const Msd *msd;
  double from, to; /* fit window, ps; in reduced units as they are */
} Evaluation;

static double lag_ps(const Msd *m, int k) { return (double)m->lag[k] * m->options.interval * m->ps; }

/* Behind a time in a sentence; what D is multiplied by; D in a box goes by another name than elsewhere. */
static const char *unit_of(const Msd *m) { return m->options.reduced ? "" : " ps"; }
static double scale_of(const Msd *m) { return diffusion_scale(&m->options); }

/* By default 2 to 20 ps, less where the series is short. */
static Evaluation window(const Msd *m)
{
  Evaluation e = {m, m->options.msd.from * m->ps, m->options.msd.to * m->ps};
  const double length = (double)m->clock->n * m->options.interval * m->ps;
  if (!(e.to > 0.0))
    e.to = fmin(20.0, fmin(0.25 * length, lag_ps(m, m->nlag - 1)));
  if (!(e.from > 0.0))
    e.from = fmin(2.0, 0.25 * e.to);
  return e;
}

/* A line through the curve from `from` to `to`, weighted by 1/t^2: where diffusion is all there is, the
 * errors grow with t. */
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

static void fit(const Evaluation *e, const double *curve, double out[FITS])
{
  const double middle = sqrt(e->from * e->to);
  double slope, early, late, unused;
  line(e->msd, curve, e->from, e->to, &slope, &out[FIT_INTERCEPT]);
  line(e->msd, curve, e->from, middle, &early, &unused);
  line(e->msd, curve, middle, e->to, &late, &unused);
  out[FIT_D] = slope / (2.0 * e->msd->dim);
  out[FIT_CHANGE] = (late - early) / (2.0 * e->msd->dim);
}

/* out: of each series the curve [nlag] and the fit; then the lengths of the box. */
static int curve_size(const Msd *m) { return m->nlag + FITS; }

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Evaluation *e = self;
  const Msd *m = e->msd;
  const double *origins = sum + m->nseries * m->nlag;
  for (int b = 0; b < m->nseries; b++, out += curve_size(m)) {
    for (int k = 0; k < m->nlag; k++)
      out[k] = origins[k] > 0.0 ? sum[b * m->nlag + k] / origins[k] : NAN;
    fit(e, out, out + m->nlag);
  }
  for (int d = 0; d < 3; d++)
    out[d] = origins[m->nlag + d] / n;
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static bool of_sites(const Msd *m) { return m->series[m->nseries - 1].site != NULL; }

/* How far molecules move within the fit window against the distance between all of them, density^(-1/3); NaN
 * without a box. value: all outputs. */
static double way(const Evaluation *e, const double *value, int b)
{
  const Msd *m = e->msd;
  const double *curve = value + b * curve_size(m), *length = value + m->nseries * curve_size(m);
  double msd = NAN;
  for (int k = 0; k < m->nlag; k++)
    if (lag_ps(m, k) <= e->to * (1.0 + 1e-9) && isfinite(curve[k]))
      msd = curve[k];
  return length[0] * length[1] * length[2] > 0.0
             ? sqrt(msd) / cbrt(length[0] * length[1] * length[2] / m->total)
             : NAN;
}

/* NULL, or why there is no diffusion of kind b in the fit. value, error: all outputs. */
static const char *unfit(const Evaluation *e, const BlockRowsErrors *errors, const double *value,
                         const double *error, int b, char *words, size_t size)
{
  LOCALE_PLAIN;
  const double noise = errors->nblock > 1 ? -distribution_t_quantile(0.5 * chance, errors->nblock - 1) : 0.0;
  const int at = b * curve_size(e->msd) + e->msd->nlag;
  const double slope = value[at + FIT_D], change = value[at + FIT_CHANGE], gone = way(e, value, b);
  if (!isfinite(slope))
    return "left out: the series has fewer than two times within the fit window";
  if (gone < least_way) {
    snprintf(words, size,
             "left out: molecules move by only %.2g of the distance between them within %.4g%s and have not "
             "left their neighbours; later times (a longer run) are wanted",
             gone, e->to, unit_of(e->msd));
    return words;
  }
  if (!(fabs(change) > most_change * fabs(slope)) || fabs(change) <= noise * error[at + FIT_CHANGE])
    return NULL;
  snprintf(
      words, size,
      "left out: not diffusive within the fit window, where slope/%d goes %s by %.2g of %.3g; later times "
      "(a longer run) are wanted",
      2 * e->msd->dim, change > 0.0 ? "up" : "down", scale_of(e->msd) * fabs(change),
      scale_of(e->msd) * slope);
  return words;
}

static void say_fits(const Msd *m, ResultTable *t, const Evaluation *e, const BlockRowsErrors *errors,
                     const double *value, const double *error)
{
  for (int b = 0; b < m->nseries; b++) {
    char words[200];
    const int at = b * curve_size(m) + m->nlag;
    const char *none = unfit(e, errors, value, error, b, words, sizeof words);
    if (none != NULL)
      results_say(t, "%s: D is %s", m->series[b].name, none);
    else
      results_say(t, "D_%s: %.9g\nD_%s_err: %.4g", m->series[b].name, scale_of(m) * value[at + FIT_D],
                  m->series[b].name, scale_of(m) * error[at + FIT_D]);
  }
  results_say(t, "D: slope/%d of the line through the fit window weighted by 1/t^2%s%s", 2 * m->dim,
              m->options.reduced ? "" : ", 1e-9 m^2/s",
              m->dim == 3 && !m->options.reduced ? ", without any correction for the size of the box" : "");
}

static Status write_table(const Msd *m, const char *dir, const Evaluation *e, const BlockRowsErrors *errors,
                          const double *value, const double *error, ResultSet *set, Error *why)
{
  const char *const unit = m->options.reduced ? "" : "_ps";
  size_t n = 0;
  double *time = malloc((size_t)m->nlag * sizeof *time);
  if (time == NULL)
    return error_memory(why, "mean-square displacements");
  for (; n < (size_t)m->nlag && isfinite(value[n]); n++)
    time[n] = lag_ps(m, (int)n);
  ResultTable *t = results_add_table(set, "msd", n);
  results_add_column(t, m->options.reduced ? "time" : "time_ps", time, NULL);
  free(time);
  for (int b = 0; b < m->nseries; b++) {
    char name[64];
    snprintf(name, sizeof name, "msd_%s", m->series[b].name);
    results_add_column(t, name, value + b * curve_size(m), error + b * curve_size(m));
  }
  results_say(t,
              "mean-square displacement of %s%s%s\nsamples: %lld\n"
              "interval%s: %.12g\nfit_from%s: %.9g\nfit_to%s: %.9g",
              of_sites(m) ? "the centre of mass and of sites" : "the molecules' centres of mass",
              m->options.reduced ? "" : ", A^2",
              m->drift ? "" : ", less the motion of the centre of all molecules", (long long)errors->samples,
              unit, m->options.interval * m->ps, unit, e->from, unit, e->to);
  block_rows_say(errors, "the fit window", t);
  say_fits(m, t, e, errors, value, error);
  return results_csv_write(t, dir, why);
}

static void report_all(const Msd *m, const Evaluation *e, const BlockRowsErrors *errors, const double *value,
                       const double *error, ResultSet *report)
{
  LOCALE_PLAIN;
  const double *length = value + m->nseries * curve_size(m),
               cube = diffusion_cube(length, box_oblique(&m->clock->box));
  char note[160], words[200];
  const bool box = length[0] > 0.0;
  snprintf(note, sizeof note, box ? "fit from %.4g to %.4g%s; box of %.4f A" : "fit from %.4g to %.4g%s",
           e->from, e->to, unit_of(m), length[0]);
  for (int b = 0; b < m->nseries; b++) {
    const int at = b * curve_size(m) + m->nlag;
    const char *why = unfit(e, errors, value, error, b, words, sizeof words);
    if (why != NULL)
      results_observed(report, "msd", m->series[b].name, box ? "D_L" : "D", NAN, NAN, why);
    else
      diffusion_report(report, &m->options, cube, "msd", m->series[b].name, box ? "D_L" : "D",
                       value[at + FIT_D], error[at + FIT_D], note);
  }
  diffusion_remark(report, &m->options, cube, "msd");
}

/* The curves, each with its line where that is fitted. */
static Status draw(const Msd *m, const ResultTable *table, const char *dir, const Evaluation *e,
                   const double *value, Error *why)
{
  const size_t n = table->nrow, blocks = (size_t)m->nseries;
  const double *time = table->column[0].value;
  double *fitted = malloc((blocks * n + 1) * sizeof *fitted);
  PictureCurve *curve = calloc(2 * blocks, sizeof *curve);
  Status status = STATUS_OK;
  if (fitted == NULL || curve == NULL) {
    status = error_memory(why, "a picture");
  } else {
    for (int b = 0; b < m->nseries; b++) {
      const double *line = value + b * curve_size(m) + m->nlag;
      double *y = fitted + (size_t)b * n;
      for (size_t k = 0; k < n; k++)
        y[k] = time[k] >= e->from * (1.0 - 1e-9) && time[k] <= e->to * (1.0 + 1e-9)
                   ? line[FIT_INTERCEPT] + 2.0 * m->dim * line[FIT_D] * time[k]
                   : NAN;
      curve[2 * b] = picture_curve(table, 0, 1 + b);
      curve[2 * b].label = m->series[b].name;
      curve[2 * b].style = PICTURE_POINTS;
      curve[2 * b + 1] = (PictureCurve){.n = (int)n, .x = time, .y = y, .style = PICTURE_DASHES};
    }
    const PictureAxes axes = {.x = &table->column[0], .y = &table->column[1], .logx = 1, .logy = 1};
    status = picture_lines(dir, "msd", &axes, 2 * m->nseries, curve, why);
  }
  free(fitted);
  free(curve);
  return status;
}

Status msd_result_write(void *self, const char *dir, ResultSet *report, Error *error)
{
  const Msd *m = self;
  const Evaluation e = window(m);
  const size_t nout = (size_t)m->nseries * (size_t)curve_size(m) + 3;
  const BlockRowsFunction function = {.self = &e, .nout = (int)nout, .call = evaluate};
  BlockRowsErrors errors;
  double *value = malloc(2 * nout * sizeof *value);
  if (value == NULL)
    return error_memory(error, "mean-square displacements");
  double *spread = value + nout;
  /* Displacements that begin in one block and end in the next tie them together. */
  const double shortest = 2.0 * e.to / (m->options.interval * m->ps);
  Status status = block_rows_result(m->rows, shortest, &function, value, spread, &errors, error);
  if (status == STATUS_OK)
    status = write_table(m, dir, &e, &errors, value, spread, report, error);
  if (status == STATUS_OK) {
    const int first = report->n;
    report_all(m, &e, &errors, value, spread, report);
    if (!errors.plateau)
      results_doubt(report, first, "msd", "%.4g%s are short for a fit to %.4g%s",
                    (double)errors.samples * m->options.interval * m->ps, unit_of(m), e.to, unit_of(m));
    Error why;
    if (errors.samples > 1)
      status = draw(m, report->table[report->ntable - 1], dir, &e, value, &why);
    status = observable_drawn(status, "msd", &why, report, error);
  }
  free(value);
  return status;
}
