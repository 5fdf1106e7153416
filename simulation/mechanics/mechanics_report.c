#include "simulation/mechanics/mechanics_report.h"

#include <math.h>
#include <stdlib.h>

#include "integrators/accel.h"
#include "observables/picture.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/run/record.h"
#include "simulation/run/report.h"

enum { POINTS = 4096, CURVES = 6 };

struct MechanicsReport {
  const Mechanics *m;
  int ncurve;
  int coordinate[CURVES];
  double *time, *x[CURVES]; /* [POINTS] each */
  struct {
    int n;          /* points kept                                       */
    int64_t stride; /* of those that were added                          */
    int64_t points;
    /* Over all rows of energies. */
    int64_t rows;
    double first, last; /* totals                                        */
    double drift;       /* max |E - E(0)|                                */
    double largest, hidden;
  } sum;
};

/* Which coordinates are drawn: all if they are few, else those of sites spread evenly up to the last. */
static void choose(MechanicsReport *r)
{
  const int dim = r->m->s->kind[0]->dim, nsite = r->m->s->kind[0]->nsite;
  const int sites = nsite < CURVES / dim ? nsite : CURVES / dim;
  for (int k = 0; k < sites; k++)
    for (int d = 0; d < dim; d++)
      r->coordinate[r->ncurve++] = ((k + 1) * nsite / sites - 1) * dim + d;
}

Status mechanics_report_create(MechanicsReport **report, const Mechanics *m, Error *error)
{
  *report = NULL;
  MechanicsReport *r = calloc(1, sizeof *r);
  if (r == NULL)
    return error_memory(error, "a report");
  r->m = m;
  r->sum.stride = 1;
  choose(r);
  r->time = calloc(POINTS, sizeof *r->time);
  bool fine = r->time != NULL;
  for (int k = 0; k < r->ncurve; k++) {
    r->x[k] = calloc(POINTS, sizeof *r->x[k]);
    fine = fine && r->x[k] != NULL;
  }
  if (fine)
    *report = r;
  else
    mechanics_report_free(r);
  return fine ? STATUS_OK : error_memory(error, "a report");
}

void mechanics_report_free(MechanicsReport *r)
{
  if (r == NULL)
    return;
  for (int k = 0; k < CURVES; k++)
    free(r->x[k]);
  free(r->time);
  free(r);
}

void mechanics_report_chunks(MechanicsReport *r, ChunkList *list)
{
  chunk_add(list, &r->sum, sizeof r->sum);
  chunk_add(list, r->time, POINTS * sizeof *r->time);
  for (int k = 0; k < r->ncurve; k++)
    chunk_add(list, r->x[k], POINTS * sizeof *r->x[k]);
}

static void thin(MechanicsReport *r)
{
  r->sum.n /= 2;
  for (int i = 0; i < r->sum.n; i++) {
    r->time[i] = r->time[2 * i];
    for (int k = 0; k < r->ncurve; k++)
      r->x[k][i] = r->x[k][2 * i];
  }
  r->sum.stride *= 2;
}

void mechanics_report_energies(const Run *run, const MeasureRow *row)
{
  MechanicsReport *r = mechanics_run(run);
  const Gauge *g = run->s->gauge;
  const double total = row->value[g->total];
  if (r->sum.rows++ == 0)
    r->sum.first = total;
  r->sum.last = total;
  r->sum.drift = fmax(r->sum.drift, fabs(total - r->sum.first));
  r->sum.largest = fmax(r->sum.largest, row->value[gauge_find(g, "largest_g")]);
  r->sum.hidden = fmax(r->sum.hidden, row->value[gauge_find(g, "hidden_g")]);
}

void mechanics_report_point(const Run *run, const MeasureRow *row)
{
  MechanicsReport *r = mechanics_run(run);
  if (r->sum.points++ % r->sum.stride != 0)
    return;
  if (r->sum.n == POINTS) {
    thin(r);
    if ((r->sum.points - 1) % r->sum.stride != 0)
      return;
  }
  r->time[r->sum.n] = (double)row->step * run->s->h;
  for (int k = 0; k < r->ncurve; k++)
    r->x[k][r->sum.n] = row->value[r->coordinate[k]];
  r->sum.n++;
}

/* --- pictures ---------------------------------------------------------------------------------------------
 */

static double reach(const MechanicsReport *r, int i)
{
  double most = 0.0;
  for (int k = 0; k < r->ncurve; k++)
    most = fmax(most, fabs(r->x[k][i]));
  return most;
}

/* Of a run that blew up, the points before it did: beside 1e90 nothing else is to be seen. */
static int worth_drawing(const MechanicsReport *r)
{
  const int first = r->sum.n / 50 + 4;
  double size = 0.0;
  int n = 0;
  for (; n < r->sum.n && (n < first || !(reach(r, n) > 30.0 * size)); n++)
    if (n < first)
      size = fmax(size, reach(r, n));
  return size > 0.0 ? n : r->sum.n;
}

Status mechanics_report_results(Run *run, Error *error)
{
  const MechanicsReport *r = mechanics_run(run);
  const int n = run->status != STATUS_OK ? worth_drawing(r) : r->sum.n;
  if (n < r->sum.n)
    text_print(run->log, "pictures end at time %.6g, where the run begins to blow up\n", r->time[n - 1]);
  const Mechanics *m = r->m;
  MechanicsName name[CURVES];
  PictureCurve curve[CURVES];
  Error why;
  for (int k = 0; k < r->ncurve; k++) {
    name[k] = mechanics_name(m, r->coordinate[k], false);
    curve[k] = (PictureCurve){.label = name[k].text, .n = n, .x = r->time, .y = r->x[k]};
  }
  const char *title =
      m->s->config->title != NULL && *m->s->config->title != '\0' ? m->s->config->title : NULL;
  const QuantityWords time = record_caption(run, "trajectory", "time");
  const PictureAxes axes = {.title = title, .xlabel = time.text, .ylabel = "coordinates"};
  Status drawn = picture_lines(run->options->dir, "trajectory", &axes, r->ncurve, curve, &why);
  const Status status = report_picture(run, drawn, &why, error);
  if (status != STATUS_OK || m->s->kind[0]->dim != 2)
    return status;
  char label[CURVES][32];
  for (int k = 0; k < r->ncurve / 2; k++) {
    snprintf(label[k], sizeof label[k], "site %d", r->coordinate[2 * k] / 2 + 1);
    curve[k] = (PictureCurve){.label = label[k], .n = n, .x = r->x[2 * k], .y = r->x[2 * k + 1]};
  }
  const PictureAxes plane = {.title = title, .xlabel = "x", .ylabel = "y", .equal = 1};
  drawn = picture_lines(run->options->dir, "paths", &plane, r->ncurve / 2, curve, &why);
  return report_picture(run, drawn, &why, error);
}

/* --- summary ----------------------------------------------------------------------------------------------
 */

/* A word of A and B is symplectic with a kick that is a gradient; a noise letter ends that. */
const char *mechanics_report_symplectic(const Simulation *s)
{
  const PlanOptions *o = plan_options(s->plan);
  if (s->config->thermostat.langevin)
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
  (void)error;
  const MechanicsReport *r = mechanics_run(run);
  ResultSet *set = &run->results;
  results_real(set, "", "energy_first", r->sum.first);
  results_real(set, "", "energy_last", r->sum.last);
  results_real(set, "", "energy_error", r->sum.drift);
  results_note(set, "%s", run->s->config->thermostat.langevin ? "a thermostat exchanges it" : "");
  results_real(set, "", "largest_g", r->sum.largest);
  results_real(set, "", "hidden_g", r->sum.hidden);
  return STATUS_OK;
}

void mechanics_report_words(const Run *run, char *words, size_t size)
{
  const MechanicsReport *r = mechanics_run(run);
  text_append(words, size, "%lld steps in %.1f s; energy %.9g, %s by up to %.3g; largest |g| %.3g\n",
              (long long)ensemble_step(run->s->ensemble), run->times.wall, r->sum.last,
              run->s->config->thermostat.langevin ? "exchanged with the thermostat" : "off", r->sum.drift,
              r->sum.largest);
}

double mechanics_report_energy(const MechanicsReport *r) { return r->sum.last; }
