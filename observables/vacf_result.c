/* Velocity autocorrelations: curves, spectra, Green-Kubo diffusion and files. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "observables/diffusion.h"
#include "observables/green_kubo.h"
#include "observables/picture.h"
#include "observables/vacf_private.h"

/* The factor from 1/ps to 1/cm; 1 in reduced units. */
static double wavenumber(const Vacf *v) { return v->is.options.reduced ? 1.0 : 33.3564095198152; }

/* out: for each series C [nlag] in A^2/ps^2, spectrum [nlag] in ps, integrals in A^2/ps. */
static int curve_size(const Vacf *v) { return 2 * v->nlag + GREEN_KUBO_NUMBERS; }

/* The half of Hann's window that falls from 1 to 0 at the longest lag. */
Status vacf_result_create(Vacf *v, Error *error)
{
  const size_t n = (size_t)v->nlag;
  v->is.nout = v->nseries * curve_size(v);
  v->in = observable_arena(v, 3 * n, sizeof *v->in);
  TRY_MEMORY(v->in != NULL, "a spectrum", error);
  v->out = v->in + n;
  v->weight = v->out + n;
  for (size_t k = 0; k < n; k++)
    v->weight[k] = pow(cos(0.5 * M_PI * (double)k / (double)(n - 1)), 2);
    /* FFTW's planner is not thread-safe. */
#pragma omp critical(fftw_plans)
  v->plan = fftw_plan_r2r_1d(v->nlag, v->in, v->out, FFTW_REDFT00, FFTW_ESTIMATE);
  TRY_MEMORY(v->plan != NULL, "a spectrum", error);
  return STATUS_OK;
}

void vacf_result_free(void *self)
{
  const Vacf *v = self;
#pragma omp critical(fftw_plans)
  fftw_destroy_plan(v->plan);
}

double vacf_result_shortest(const void *self)
{
  const Vacf *v = self;
  return v->lanes.nbatch > 0 ? 1.0 : 2.0 * v->nlag;
}

void vacf_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  const Vacf *v = self;
  const double *origins = sum + v->nseries * v->nlag;
  const double step = v->is.options.interval * v->ps;
  (void)n;
  for (int s = 0; s < v->nseries; s++, out += curve_size(v)) {
    for (int k = 0; k < v->nlag; k++) {
      out[k] = origins[k] > 0.0 ? sum[s * v->nlag + k] / origins[k] / (v->ps * v->ps) : NAN;
      v->in[k] = out[k] / out[0] * v->weight[k];
    }
    fftw_execute(v->plan);
    for (int k = 0; k < v->nlag; k++)
      out[v->nlag + k] = step * v->out[k];
    double *integral = out + 2 * v->nlag;
    green_kubo_integrals(out, v->nlag, step, integral);
    for (int k = 0; k < GREEN_KUBO_NUMBERS; k++)
      integral[k] /= v->dim;
  }
}

/* The number of samples of each replica. */
static int64_t samples_of(const Vacf *v) { return v->lanes.nbatch > 0 ? v->lanes.n[0] : v->clock->n; }

/* --- files -----------------------------------------------------------------------------------------------
 */

static void say_curves(const Vacf *v, ResultTable *t, bool spectrum, const BlockRowsErrors *errors)
{
  if (v->is.options.reduced)
    results_say(
        t, spectrum
               ? "units: none\nspectra of the velocities against frequencies: cosine transform of C(t)/C(0) "
                 "from minus to plus the longest time T,\nunder the window cos^2(pi t/(2 T)) (Hann's)"
               : "units: none\nvelocity autocorrelation <v(0).v(t)> of the centre of mass and of sites");
  else if (spectrum)
    results_say(
        t,
        "spectra of the velocities, ps, against wavenumbers, 1/cm: cosine transform of C(t)/C(0) from "
        "minus to plus the longest time, in ps,\nunder the window cos^2(pi t/(2 T)), T = %.9g ps (Hann's)",
        v->is.options.interval * v->ps * (v->nlag - 1));
  else
    results_say(t, "velocity autocorrelation <v(0).v(t)> of centres of mass and of sites, A^2/ps^2%s",
                v->drift ? "" : ", relative to the centre of mass");
  results_say(t, "samples: %lld", (long long)samples_of(v));
  if (v->lanes.nbatch > 0)
    results_say(t, "replicas: %d\nerrors: one standard error, by jackknife over %d groups of %.0f of them",
                v->lanes.replicas, errors->nblock, errors->length);
  else
    block_rows_say(errors, "its correlation", t);
}

static void add_curves(const Vacf *v, bool spectrum, const ObservableResult *r, ResultSet *set)
{
  const size_t n = (size_t)v->nlag;
  const double step = v->is.options.interval * v->ps,
               unit = spectrum ? 0.5 / (step * (v->nlag - 1)) * wavenumber(v) : step;
  ResultTable *t = results_add_table(set, spectrum ? "vacf_spectrum" : "vacf", n);
  results_add_steps(t,
                    v->is.options.reduced ? spectrum ? "frequency" : "time"
                    : spectrum            ? "wavenumber"
                                          : "time_ps",
                    unit);
  for (int s = 0; s < v->nseries; s++) {
    const int at = s * curve_size(v) + (spectrum ? v->nlag : 0);
    char name[64];
    snprintf(name, sizeof name, "%s_%s", spectrum ? "S" : "C", v->series[s].label);
    results_add_column(t, name, r->value + at, r->error + at);
  }
  say_curves(v, t, spectrum, &r->errors);
}

static void report_diffusion(const Vacf *v, int s, const double *value, const double *error,
                             ResultSet *report)
{
  LOCALE_PLAIN;
  const double n = fmax(1.0, (double)v->clock->n),
               length[3] = {v->clock->length[0] / n, v->clock->length[1] / n, v->clock->length[2] / n},
               cube = diffusion_cube(length, v->clock->oblique > 0);
  char note[160];
  const char *why =
      green_kubo_unfit(value, error, v->nlag, v->is.options.interval * v->ps, 10.0, note, sizeof note);
  if (why != NULL) {
    results_observed(report, "vacf", v->series[s].label, "D_green_kubo", NAN, NAN, why);
    return;
  }
  snprintf(note, sizeof note, "Green-Kubo, integral to %.4g ps; every other sample would change it by %.2g",
           v->is.options.interval * v->ps * (v->nlag - 1), 10.0 * value[GREEN_KUBO_SPACING]);
  diffusion_report(report, &v->is.options, v->drag, cube, "vacf", v->series[s].label, "D_green_kubo",
                   value[GREEN_KUBO_INTEGRAL], error[GREEN_KUBO_INTEGRAL], note);
  diffusion_remark(report, &v->is.options, v->drag, cube, "vacf");
}

static void report_all(const Vacf *v, const double *value, const double *error, ResultSet *report)
{
  char coarse[160] = "";
  for (int s = 0; s < v->nseries; s++) {
    const int at = s * curve_size(v);
    if (value[at + 1] < 0.5 * value[at])
      snprintf(coarse + strlen(coarse), sizeof coarse - strlen(coarse), "%s%s", coarse[0] != '\0' ? ", " : "",
               v->series[s].label);
    if (v->series[s].centre && !v->is.options.reduced)
      report_diffusion(v, s, value + at + 2 * v->nlag, error + at + 2 * v->nlag, report);
    results_observed(report, "vacf", v->series[s].label, "v2", value[at], error[at], "mean square velocity");
  }
  if (coarse[0] != '\0')
    results_remark(report, "vacf: samples %.4g%s apart are too few for the spectrum of %s",
                   v->is.options.interval * v->ps, v->is.options.reduced ? "" : " ps", coarse);
}

Status vacf_result_write(void *self, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  (void)dir;
  (void)error;
  const Vacf *v = self;
  add_curves(v, false, r, set);
  add_curves(v, true, r, set);
  report_all(v, r->value, r->error, set);
  snprintf(r->doubt, sizeof r->doubt, "%lld samples are few for %d lags", (long long)samples_of(v), v->nlag);
  return STATUS_OK;
}

/* Draws C(t)/C(0) of all series, and their spectra below. */
Status vacf_result_draw(const void *self, const ObservableResult *r, const char *dir, const ResultSet *set,
                        Error *why)
{
  (void)r;
  const Vacf *v = self;
  const ResultTable *in_time = set->table[set->ntable - 2], *spectrum = set->table[set->ntable - 1];
  const QuantityWords label = results_caption(set, "vacf", "scaled");
  const size_t n = in_time->nrow, nseries = (size_t)v->nseries;
  if (samples_of(v) < v->nlag)
    return error_set(why, STATUS_RUN, "%lld samples do not reach the longest of %d lags",
                     (long long)samples_of(v), v->nlag);
  SCOPED(scoped_free) double *scaled = malloc(2 * nseries * n * sizeof *scaled);
  SCOPED(scoped_free) PictureCurve *curve = malloc(2 * nseries * sizeof *curve);
  TRY_MEMORY(scaled != NULL && curve != NULL, "a picture", why);
  for (int s = 0; s < v->nseries; s++) {
    const size_t at = (size_t)s * 2 * n;
    PictureCurve *c = &curve[s];
    *c = picture_curve(in_time, 0, 1 + s);
    curve[v->nseries + s] = picture_curve(spectrum, 0, 1 + s);
    for (size_t k = 0; k < n; k++) {
      scaled[at + k] = c->y[k] / c->y[0];
      scaled[at + n + k] = c->error[k] / c->y[0];
    }
    c->label = v->series[s].label;
    c->y = scaled + at;
    c->error = scaled + at + n;
  }
  const PictureGuide zero = {.at = 0.0};
  const ResultColumn *wave = &spectrum->column[0];
  const PicturePanel panel[2] = {
      {.axes = {.x = &in_time->column[0], .ylabel = label.text, .nguide = 1, .guide = &zero},
       .n = v->nseries,
       .curve = curve},
      {.axes = {.x = wave,
                .y = &spectrum->column[1],
                .xmax = v->is.options.reduced ? wave->value[n - 1] : fmin(1200.0, wave->value[n - 1])},
       .n = v->nseries,
       .curve = curve + nseries}};
  return picture_panels(dir, "vacf", 2, panel, 1, why);
}
