#include "simulation/mechanics/mechanics_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "integrators/accel.h"
#include "observables/picture.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/run/penalty_report.h"

enum { CURVES = 6, POINTS = 4096 };

void mechanics_report_energies(const Run *run, const MeasureRow *row)
{
  MechanicsReport *r = mechanics_run(run);
  const Measurement *g = run->s->measurement;
  const double total = row->value[g->total];
  if (r->rows++ == 0)
    r->first = total;
  r->last = total;
  r->drift = fmax(r->drift, fabs(total - r->first));
  r->largest = fmax(r->largest, row->value[measurement_find(g, "largest_g")]);
  r->hidden = fmax(r->hidden, row->value[measurement_find(g, "hidden_g")]);
}

/* --- pictures ------- */

/* The drawn coordinates: all, or those of a few evenly spaced sites including the last. */
static int chosen_sites(const Kind *kind)
{
  return kind->nsite < CURVES / kind->dim ? kind->nsite : CURVES / kind->dim;
}

static int chosen(const Kind *kind, int curve)
{
  const int site = (curve / kind->dim + 1) * kind->nsite / chosen_sites(kind) - 1;
  return site * kind->dim + curve % kind->dim;
}

void mechanics_report_curves(const Simulation *s, RecordRows *rows)
{
  const Kind *kind = s->kind[0];
  rows->ncurve = chosen_sites(kind) * kind->dim;
  for (int k = 0; k < rows->ncurve; k++)
    rows->curve[k] = (RecordCurve){s->measurement->shown + chosen(kind, k), -1, false};
  rows->groups = POINTS;
  rows->draw = mechanics_report_draw;
}

static double reach(const History *h, int i, int n)
{
  double most = 0.0;
  for (int k = 0; k < n; k++)
    most = fmax(most, fabs(history_point(h, i)[k]));
  return most;
}

/* The number of points before a run diverged; later ones would dominate the picture. */
static int worth_drawing(const History *h, int ncurve)
{
  const int all = history_points(h), first = all / 50 + 4;
  double size = 0.0;
  int n = 0;
  for (; n < all && (n < first || !(reach(h, n, ncurve) > 30.0 * size)); n++)
    if (n < first)
      size = fmax(size, reach(h, n, ncurve));
  return size > 0.0 ? n : all;
}

static Status draw_paths(const Run *run, const char *title, int n, int ncurve, double *const *x, Error *error)
{
  PictureCurve curve[CURVES];
  char label[CURVES][32];
  Error why;
  for (int k = 0; k < ncurve / 2; k++) {
    snprintf(label[k], sizeof label[k], "site %d", chosen(run->s->kind[0], 2 * k) / 2 + 1);
    curve[k] = (PictureCurve){.label = label[k], .n = n, .x = x[2 * k], .y = x[2 * k + 1]};
  }
  const PictureAxes plane = {.title = title, .xlabel = "x", .ylabel = "y", .equal = 1};
  const Status drawn = picture_lines(run->options->dir, "paths", &plane, ncurve / 2, curve, &why);
  return run_picture(run, drawn, &why, error);
}

Status mechanics_report_draw(const Run *run, const History *h, Error *error)
{
  const Simulation *s = run->s;
  const int ncurve = chosen_sites(s->kind[0]) * s->kind[0]->dim;
  const int n = run->status != STATUS_OK ? worth_drawing(h, ncurve) : history_points(h);
  if (n < history_points(h))
    text_print(run->log, "pictures end at time %.6g, where the run begins to diverge\n",
               history_time(h, n - 1));
  SCOPED(scoped_free) double *memory = malloc((size_t)ncurve * (size_t)n * sizeof *memory + 1);
  SCOPED(scoped_free) double *time = malloc((size_t)n * sizeof *time + 1);
  TRY_MEMORY(memory != NULL && time != NULL, "a picture", error);
  double *x[CURVES];
  MechanicsName name[CURVES];
  PictureCurve curve[CURVES];
  Error why;
  for (int k = 0; k < ncurve; k++) {
    x[k] = memory + (size_t)k * (size_t)n;
    for (int i = 0; i < n; i++) {
      time[i] = history_time(h, i);
      x[k][i] = history_point(h, i)[k];
    }
    name[k] = mechanics_name(mechanics_of(s), chosen(s->kind[0], k), false);
    curve[k] = (PictureCurve){.label = name[k].text, .n = n, .x = time, .y = x[k]};
  }
  const char *title = s->config->title != NULL && *s->config->title != '\0' ? s->config->title : NULL;
  const QuantityWords xlabel = record_caption(run, "trajectory", "time");
  const PictureAxes axes = {.title = title, .xlabel = xlabel.text, .ylabel = "coordinates"};
  const Status drawn = picture_lines(run->options->dir, "trajectory", &axes, ncurve, curve, &why);
  TRY(run_picture(run, drawn, &why, error));
  return s->kind[0]->dim == 2 ? draw_paths(run, title, n, ncurve, x, error) : STATUS_OK;
}

/* --- summary ------- */

/* A word of A and B is symplectic if its kick is a gradient; a letter of noise is not. */
const char *mechanics_report_symplectic(const Simulation *s)
{
  const PlanOptions *o = plan_options(s->plan);
  if (s->config->thermostat.type != THERMOSTAT_NONE)
    return "no (a thermostat)";
  if (o->method != NULL)
    return o->method->traits & METHOD_SYMPLECTIC ? "yes" : "no";
  const unsigned traits = accel_map_find(o->accel)->traits;
  if ((traits & (ACCEL_SYMPLECTIC | ACCEL_IRREVERSIBLE)) != 0)
    return (traits & ACCEL_SYMPLECTIC) != 0 ? "yes" : "no";
  return "no (to second order in the nonlinearity of the stiff forces)";
}

void mechanics_report_system(Run *run)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  results_whole(set, "", "sites", s->kind[0]->nsite);
  results_whole(set, "", "dimensions", s->kind[0]->dim);
  results_whole(set, "", "constraints", s->ncon);
  results_whole(set, "", "potentials", s->kind[0]->npot);
  results_words(set, "", "symplectic", mechanics_report_symplectic(s));
}

Status mechanics_report_summary(Run *run, Error *error)
{
  TRY(penalty_report_summary(run, error));
  const MechanicsReport *r = mechanics_run(run);
  ResultSet *set = &run->results;
  results_real(set, "", "energy_first", r->first);
  results_real(set, "", "energy_last", r->last);
  results_real(set, "", "energy_error", r->drift);
  results_note(set, "%s",
               run->s->config->thermostat.type != THERMOSTAT_NONE ? "energy is exchanged with the thermostat"
                                                                  : "");
  results_real(set, "", "largest_g", r->largest);
  results_real(set, "", "hidden_g", r->hidden);
  return STATUS_OK;
}

void mechanics_report_words(const Run *run, char *words, size_t size)
{
  const MechanicsReport *r = mechanics_run(run);
  text_append(words, size, "%lld steps in %.1f s; energy %.9g, %s by up to %.3g; largest |g| %.3g\n",
              (long long)ensemble_step(run->s->ensemble), run->times.wall, r->last,
              run->s->config->thermostat.type != THERMOSTAT_NONE ? "exchanged with the thermostat" : "off",
              r->drift, r->largest);
}
