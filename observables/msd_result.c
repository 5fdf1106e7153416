/* Curves, self-diffusion and files of mean-square displacements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "observables/msd_private.h"
#include "observables/picture.h"
#include "observables/table.h"

static const double ps = UNITS_AKMA_FS * 1e-3; /* of an AKMA time unit */

/* What of each kind beside its curve: slope/6 in A^2/ps, and the intercept in A^2. */
enum { FIT_D, FIT_INTERCEPT, FITS };

typedef struct Evaluation {
  const Msd *msd;
  double from, to; /* fit window, ps */
} Evaluation;

static double lag_ps(const Msd *m, int k) { return (double)m->lag[k] * m->options.interval * ps; }

/* By default 2 to 20 ps, less where the series is short. */
static Evaluation window(const Msd *m)
{
  Evaluation e = {m, m->options.msd_from * ps, m->options.msd_to * ps};
  const double length = (double)m->clock.n * m->options.interval * ps;
  if (!(e.to > 0.0))
    e.to = fmin(20.0, fmin(0.25 * length, lag_ps(m, m->nlag - 1)));
  if (!(e.from > 0.0))
    e.from = fmin(2.0, 0.25 * e.to);
  return e;
}

/* A line through the curve in the window, weighted by 1/t^2: where diffusion is all there is, the errors grow
 * with t. */
static void fit(const Evaluation *e, const double *curve, double out[FITS])
{
  const Msd *m = e->msd;
  double s = 0.0, st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0;
  int n = 0;
  for (int k = 0; k < m->nlag; k++) {
    const double t = lag_ps(m, k);
    if (t < e->from * (1.0 - 1e-9) || t > e->to * (1.0 + 1e-9) || !isfinite(curve[k]))
      continue;
    const double w = 1.0 / (t * t);
    s += w;
    st += w * t;
    stt += w * t * t;
    sy += w * curve[k];
    sty += w * t * curve[k];
    n++;
  }
  const double slope = n > 1 ? (s * sty - st * sy) / (s * stt - st * st) : NAN;
  out[FIT_D] = slope / 6.0;
  out[FIT_INTERCEPT] = (sy - slope * st) / s;
}

/* out: of each kind the curve [nlag] and the fit; then the lengths of the box. */
static int curve_size(const Msd *m) { return m->nlag + FITS; }

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Evaluation *e = self;
  const Msd *m = e->msd;
  const double *origins = sum + m->nblock * m->nlag;
  for (int b = 0; b < m->nblock; b++, out += curve_size(m)) {
    for (int k = 0; k < m->nlag; k++)
      out[k] = origins[k] > 0.0 ? sum[b * m->nlag + k] / origins[k] : NAN;
    fit(e, out, out + m->nlag);
  }
  for (int d = 0; d < 3; d++)
    out[d] = origins[m->nlag + d] / n;
}

/* --- files -----------------------------------------------------------------------------------------------
 */

/* Correction of self-diffusion for the box, in A^2/ps: 2.837297 kT/(6 pi eta L). Yeh and Hummer, J. Phys.
 * Chem. B 108, 15873 (2004). NaN where viscosity or temperature are unknown, or the box is no cube. */
static double correction(const Msd *m, const double length[3])
{
  const double boltzmann = 1.380649e-23; /* J/K */
  const double spread =
      fmax(length[0], fmax(length[1], length[2])) - fmin(length[0], fmin(length[1], length[2]));
  if (!(m->options.viscosity > 0.0 && m->options.temperature > 0.0 && length[0] > 0.0) ||
      spread > 1e-3 * length[0])
    return NAN;
  const double si = 2.837297 * boltzmann * m->options.temperature /
                    (6.0 * M_PI * m->options.viscosity * 1e-3 * length[0] * 1e-10); /* m^2/s */
  return si * 1e8;
}

static Status write_csv(const Msd *m, const char *dir, const Evaluation *e, const BlockRowsErrors *errors,
                        const double *value, const double *error, Error *why)
{
  char *path = table_path(dir, "msd.csv");
  FILE *file;
  Status status = path != NULL ? table_create(&file, path, why) : error_memory(why, "a file name");
  if (status == STATUS_OK) {
    fprintf(file, "time_ps");
    for (int b = 0; b < m->nblock; b++)
      fprintf(file, ",msd_%s,msd_%s_err", m->name[b], m->name[b]);
    fprintf(file,
            "\n# mean-square displacement of the molecules' centres of mass, A^2%s\n# samples: %lld\n"
            "# interval_ps: %.12g\n# fit_from_ps: %.9g\n# fit_to_ps: %.9g\n",
            m->drift ? "" : ", less the motion of the centre of all molecules", (long long)errors->samples,
            m->options.interval * ps, e->from, e->to);
    block_rows_print(errors, "the fit window", file);
    for (int b = 0; b < m->nblock; b++) {
      const int at = b * curve_size(m) + m->nlag;
      fprintf(file, "# D_%s: %.9g\n# D_%s_err: %.4g\n", m->name[b], 10.0 * value[at + FIT_D], m->name[b],
              10.0 * error[at + FIT_D]);
    }
    fprintf(file,
            "# D: slope/6 of the line through the fit window weighted by 1/t^2, 1e-9 m^2/s, without any "
            "correction for the size of the box\n");
    for (int k = 0; k < m->nlag && isfinite(value[k]); k++) {
      fprintf(file, "%.10g", lag_ps(m, k));
      for (int b = 0; b < m->nblock; b++)
        fprintf(file, ",%.12g,%.4g", value[b * curve_size(m) + k], error[b * curve_size(m) + k]);
      fprintf(file, "\n");
    }
    status = table_close(file, path, why);
  }
  free(path);
  return status;
}

static void report_all(const Msd *m, const Evaluation *e, const double *value, const double *error,
                       ObservableReport *report)
{
  const double *length = value + m->nblock * curve_size(m);
  const double add = 10.0 * correction(m, length);
  char note[160];
  snprintf(note, sizeof note, "fit from %.4g to %.4g ps; box of %.4f A", e->from, e->to, length[0]);
  for (int b = 0; b < m->nblock; b++) {
    const int at = b * curve_size(m) + m->nlag;
    const double d = 10.0 * value[at + FIT_D], spread = 10.0 * error[at + FIT_D];
    observable_report_add(report, "msd", m->name[b], "D_L", d, spread, "1e-9 m2/s", note);
    if (!isfinite(add))
      continue;
    char from[160];
    snprintf(from, sizeof from, "Yeh and Hummer, cubic box, viscosity %.4g mPa s (%.100s)",
             m->options.viscosity, m->options.viscosity_source);
    observable_report_add(report, "msd", m->name[b], "D_correction", add, NAN, "1e-9 m2/s", from);
    observable_report_add(report, "msd", m->name[b], "D_infinite", d + add, spread, "1e-9 m2/s",
                          "D_L + D_correction; the error is that of D_L");
  }
  if (!isfinite(add))
    observable_report_remark(report, "msd: no correction for the size of the box, which needs a cube, the "
                                     "temperature and the viscosity");
}

static Status draw(const Msd *m, const char *dir, const Evaluation *e, const double *value,
                   const double *error, Error *why)
{
  int n = 0;
  while (n < m->nlag && isfinite(value[n]))
    n++;
  const size_t room = (size_t)m->nlag;
  double *x = malloc((1 + 2 * (size_t)m->nblock) * room * sizeof *x);
  PictureCurve *curve = calloc(2 * (size_t)m->nblock, sizeof *curve);
  Status status = STATUS_OK;
  if (x == NULL || curve == NULL) {
    status = error_memory(why, "a picture");
  } else {
    for (int k = 0; k < n; k++)
      x[k] = lag_ps(m, k);
    for (int b = 0; b < m->nblock; b++) {
      const double *y = value + b * curve_size(m), *line = y + m->nlag;
      double *fitted = x + (1 + 2 * (size_t)b) * room, *bar = fitted + room;
      for (int k = 0; k < n; k++) {
        const double spread = error[b * curve_size(m) + k];
        bar[k] = isfinite(spread) ? spread : 0.0;
        fitted[k] = x[k] >= e->from * (1.0 - 1e-9) && x[k] <= e->to * (1.0 + 1e-9)
                        ? line[FIT_INTERCEPT] + 6.0 * line[FIT_D] * x[k]
                        : NAN;
      }
      curve[2 * b] =
          (PictureCurve){.label = m->name[b], .n = n, .x = x, .y = y, .error = bar, .style = PICTURE_POINTS};
      curve[2 * b + 1] = (PictureCurve){.n = n, .x = x, .y = fitted, .style = PICTURE_DASHES};
    }
    const PictureAxes axes = {
        .xlabel = "time (ps)", .ylabel = "mean-square displacement (Å²)", .logx = 1, .logy = 1};
    status = picture_lines(dir, "msd", &axes, 2 * m->nblock, curve, why);
  }
  free(x);
  free(curve);
  return status;
}

Status msd_result_write(void *self, const char *dir, ObservableReport *report, Error *error)
{
  const Msd *m = self;
  const Evaluation e = window(m);
  const size_t nout = (size_t)m->nblock * (size_t)curve_size(m) + 3;
  const BlockRowsFunction function = {&e, (int)nout, evaluate};
  BlockRowsErrors errors;
  double *value = malloc(2 * nout * sizeof *value);
  if (value == NULL)
    return error_memory(error, "mean-square displacements");
  double *spread = value + nout;
  /* Displacements that begin in one block and end in the next tie them together. */
  const double shortest = 2.0 * e.to / (m->options.interval * ps);
  Status status = block_rows_result(m->rows, shortest, &function, value, spread, &errors, error);
  if (status == STATUS_OK)
    status = write_csv(m, dir, &e, &errors, value, spread, error);
  if (status == STATUS_OK) {
    report_all(m, &e, value, spread, report);
    if (!errors.plateau)
      observable_report_remark(report, "msd: %.4g ps are short for a fit to %.4g ps; errors may be too small",
                               (double)errors.samples * m->options.interval * ps, e.to);
    Error why;
    if (errors.samples > 1 && draw(m, dir, &e, value, spread, &why) != STATUS_OK)
      observable_report_remark(report, "msd: no picture: %s", why.text);
  }
  free(value);
  return status;
}
