#include "simulation/mechanics/mechanics_report.h"

#include <math.h>
#include <stdlib.h>

#include "engine/locale.h"
#include "integrators/accel.h"
#include "integrators/oscillator.h"
#include "observables/picture.h"
#include "simulation/ladder/ladder_report.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/molecules/penalty_report.h"
#include "simulation/run/history.h"
#include "simulation/run/report.h"

enum { POINTS = 4096, CURVES = 6 };
enum { KINETIC, POTENTIAL, CHANGE, ENERGIES };

struct MechanicsReport {
  const Mechanics *m;
  int ncurve;
  int coordinate[CURVES];
  double *time, *x[CURVES]; /* [POINTS] each */
  History *energy; /* kinetic, potential with penalty, total less the first; of a Hamiltonian the last */
  struct {
    int n;          /* points kept                                       */
    int64_t stride; /* of the rows that were added                       */
    int64_t rows;
    /* Over all rows. */
    MechanicsEnergy first, last;
    double drift; /* max |E - E(0)|                                    */
    double largest, hidden;
  } sum;
};

const char *mechanics_report_units(const Mechanics *m)
{
  return m->s->config->reduced ? "none" : m->sort->form->units;
}

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
  const Status status = fine ? history_create(&r->energy, ENERGIES, error) : error_memory(error, "a report");
  if (status != STATUS_OK) {
    mechanics_report_free(r);
    return status;
  }
  *report = r;
  return STATUS_OK;
}

void mechanics_report_free(MechanicsReport *r)
{
  if (r == NULL)
    return;
  for (int k = 0; k < CURVES; k++)
    free(r->x[k]);
  free(r->time);
  history_free(r->energy);
  free(r);
}

void mechanics_report_chunks(MechanicsReport *r, ChunkList *list)
{
  chunk_add(list, &r->sum, sizeof r->sum);
  history_chunks(r->energy, list);
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

void mechanics_report_add(MechanicsReport *r, double time, const double *q, const MechanicsEnergy *energy)
{
  if (r->sum.rows == 0)
    r->sum.first = *energy;
  r->sum.last = *energy;
  r->sum.drift = fmax(r->sum.drift, fabs(energy->total - r->sum.first.total));
  r->sum.largest = fmax(r->sum.largest, energy->largest);
  r->sum.hidden = fmax(r->sum.hidden, energy->hidden);
  const double parts[ENERGIES] = {energy->kinetic, energy->potential + energy->penalty,
                                  energy->total - r->sum.first.total};
  history_add(r->energy, time, parts);
  if (r->sum.rows++ % r->sum.stride != 0)
    return;
  if (r->sum.n == POINTS) {
    thin(r);
    if ((r->sum.rows - 1) % r->sum.stride != 0)
      return;
  }
  r->time[r->sum.n] = time;
  for (int k = 0; k < r->ncurve; k++)
    r->x[k][r->sum.n] = q[r->coordinate[k]];
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

/* Not of a Hamiltonian, whose energy is one. */
static bool has_kinetic(const Simulation *s)
{
  const MechanicsColumns *c = s->gauge->self;
  return c->kinetic >= 0;
}

static Status draw_energy(MechanicsReport *r, const Run *run, Error *error)
{
  static const char *const label[ENERGIES] = {"kinetic energy", "potential energy", "energy - first"};
  const Simulation *s = run->s;
  const HistoryPicture of = {.from = has_kinetic(s) ? KINETIC : CHANGE,
                             .n = ENERGIES,
                             .label = label,
                             .after = (double)s->equilibration * s->h,
                             .xlabel = "time",
                             .title = s->config->title};
  Error why;
  const Status status = history_draw(r->energy, &of, run->options->dir, "energy", &why);
  return report_picture(run, status, &why, error);
}

static Status draw(const MechanicsReport *r, const Run *run, Error *error)
{
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
  const PictureAxes axes = {.title = title, .xlabel = "time", .ylabel = "coordinates"};
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

static const char *step_name(const Mechanics *m)
{
  const PlanOptions *o = plan_options(m->s->plan);
  return o->method != NULL ? o->method->name : o->constraints != NULL ? o->constraints : o->accel;
}

/* A word of A and B is symplectic with a kick that is a gradient; a noise letter ends that. */
static const char *symplectic(const Mechanics *m)
{
  const PlanOptions *o = plan_options(m->s->plan);
  if (m->s->config->thermostat.langevin)
    return "no (a thermostat)";
  if (o->method != NULL)
    return o->method->traits & METHOD_SYMPLECTIC ? "yes" : "no";
  const unsigned traits = accel_map_find(o->accel)->traits;
  if ((traits & (ACCEL_SYMPLECTIC | ACCEL_IRREVERSIBLE)) != 0)
    return (traits & ACCEL_SYMPLECTIC) != 0 ? "yes" : "no";
  return "no (to second order in the nonlinearity of the stiff forces)";
}

/* --- averages ------- */

static MeansTable table_of(const Run *run, double kelvin[LADDER_TEMPERATURES], char *remark, size_t size)
{
  snprintf(remark, size, "largest_g and hidden_g are the largest; units: %s",
           mechanics_report_units(mechanics_of(run->s)));
  return ladder_report_table(run->s, "rows", remark, kelvin);
}

static void summarise_means(Run *run)
{
  double kelvin[LADDER_TEMPERATURES];
  char remark[256];
  const Means *means = measure_means(run->measure);
  const MeansTable table = table_of(run, kelvin, remark, sizeof remark);
  if (means->samples > 0)
    results_whole(&run->results, "", "rows", means->samples);
  means_summary(means, &table, &run->results);
}

static Status write_replicas(Run *run, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  char remark[256];
  const MeansTable table = table_of(run, kelvin, remark, sizeof remark);
  return report_table(run, means_table(measure_means(run->measure), &table, &run->results), error);
}

/* Whether there are rows over several replicas. */
static bool has_ensemble(const Run *run)
{
  return run->s->config->output.thermo_every > 0 && run->s->replicas > 1;
}

/* Of a column at temperature k of a ladder, 0 without one; NaN: there is none. */
static void average(const Run *run, int column, int k, double *mean, double *error)
{
  *mean = *error = NAN;
  if (column >= 0 && measure_samples(run->measure) > 0)
    measure_mean_at(run->measure, column, k, mean, error);
}

/* At temperature k of a ladder, 0 without one; without means (output.thermo_every) what the step predicts.
 */
static PenaltyFound penalties_at(const Run *run, const PenaltyModes *modes, int k)
{
  const Simulation *s = run->s;
  const MechanicsColumns *c = s->gauge->self;
  const int draws = means_draws(measure_means(run->measure));
  double excess, excess_error;
  PenaltyFound found = {.kT = s->ladder != NULL ? ladder_kT(s->ladder, k) : s->kT};
  found.expected = penalty_heat(s, modes, s->h, found.kT);
  found.draws = s->config->output.thermo_every > 0 && draws > 1 ? draws : 0;
  average(run, c->penalty, k, &found.energy, &found.error);
  average(run, c->excess, k, &excess, &excess_error);
  penalty_report_judge(&found, excess, excess_error, s->ladder != NULL ? ladder_options(s->ladder)->n : 1);
  return found;
}

/* What the penalties hold, of a ladder where it is worst. */
static Status find_penalties(const Run *run, PenaltyFound *found, Error *error)
{
  const Simulation *s = run->s;
  *found = (PenaltyFound){.kT = s->kT, .energy = NAN, .error = NAN};
  if (s->config->geometry.method != GEOMETRY_PENALTY)
    return STATUS_OK;
  PenaltyModes modes;
  TRY(penalty_modes_create(&modes, s->kind[0], s->kind[0]->reference, error));
  *found = penalties_at(run, &modes, 0);
  for (int k = 1; s->ladder != NULL && k < ladder_options(s->ladder)->n; k++) {
    const PenaltyFound at = penalties_at(run, &modes, k);
    penalty_report_worse(found, &at);
  }
  penalty_modes_free(&modes);
  return STATUS_OK;
}

Status mechanics_report_summary(Run *run, Error *error)
{
  const MechanicsReport *r = mechanics_run(run);
  const Simulation *s = run->s;
  const Kind *kind = s->kind[0];
  const PlanOptions *o = plan_options(s->plan);
  const int64_t done = ensemble_step(s->ensemble), indefinite = ensemble_indefinite(s->ensemble);
  const double stepping = run->times.stepping;
  ResultSet *set = &run->results;
  results_whole(set, "", "sites", kind->nsite);
  results_whole(set, "", "dimensions", kind->dim);
  results_whole(set, "", "constraints", s->ncon);
  results_whole(set, "", "potentials", kind->npot);
  results_words(set, "", "method", step_name(r->m));
  results_words(set, "", "word", o->word != NULL ? o->word : "H");
  results_words(set, "", "symplectic", symplectic(r->m));
  results_real(set, "", "timestep", s->config->integrator.timestep);
  if (o->w > 0.0)
    results_real(set, "", "w", o->w);
  results_whole(set, "", "replicas", s->replicas);
  results_whole(set, "", "seed", s->config->seed);
  results_words(set, "", "instructions", isa_name(s->isa));
  results_whole(set, "", "steps", done);
  results_whole(set, "", "steps_wanted", s->steps);
  results_real(set, "", "time", simulation_time(s));
  results_real(set, "", "energy_first", r->sum.first.total);
  results_real(set, "", "energy_last", r->sum.last.total);
  results_real(set, "", "energy_error", r->sum.drift);
  results_note(set, "%s", s->config->thermostat.langevin ? "a thermostat exchanges it" : "");
  results_real(set, "", "largest_g", r->sum.largest);
  results_real(set, "", "hidden_g", r->sum.hidden);
  report_wall(run);
  results_real(set, "", "steps_per_second", stepping > 0.0 ? (double)done / stepping : 0.0);
  if (indefinite > 0)
    results_whole(set, "", "indefinite_solves", indefinite);
  summarise_means(run);
  PenaltyFound found;
  TRY(find_penalties(run, &found, error));
  penalty_report_summary(s, &found, true, set);
  return STATUS_OK;
}

Status mechanics_report_results(Run *run, Error *error)
{
  MechanicsReport *r = mechanics_run(run);
  Status status = draw(r, run, error);
  if (status == STATUS_OK)
    status = draw_energy(r, run, error);
  return status == STATUS_OK && has_ensemble(run) ? write_replicas(run, error) : status;
}

Status mechanics_report_words(Run *run, char *words, size_t size, Error *error)
{
  const MechanicsReport *r = mechanics_run(run);
  text_append(words, size, "%lld steps in %.1f s; energy %.9g, %s by up to %.3g; largest |g| %.3g\n",
              (long long)ensemble_step(run->s->ensemble), run->times.wall, r->sum.last.total,
              run->s->config->thermostat.langevin ? "exchanged with the thermostat" : "off", r->sum.drift,
              r->sum.largest);
  PenaltyFound found;
  TRY(find_penalties(run, &found, error));
  return penalty_report_end(run, &found, error);
}

void mechanics_report_files(const Run *run, char *words, size_t size)
{
  text_append(words, size, ", trajectory.csv");
  report_list_picture(run, "trajectory", words, size);
  text_append(words, size, ", energy.csv");
  report_list_picture(run, "energy", words, size);
  text_append(words, size, has_ensemble(run) ? ", ensemble.csv, replicas.csv" : "");
}

double mechanics_report_energy(const MechanicsReport *r) { return r->sum.last.total; }

/* --- check ------------------------------------------------------------------------------------------------
 */

static void check_system(const Mechanics *m, FILE *out)
{
  const int ncon = m->s->ncon;
  m->sort->form->tell(m, out);
  fprintf(out, ", %d replica%s\n", m->s->replicas, m->s->replicas > 1 ? "s" : "");
  if (ncon > 0)
    fprintf(out, "constraints: %d, independent (rank %d), %s\n", ncon, ncon,
            m->s->constrained ? "kept exactly" : "as penalties");
  if (has_kinetic(m->s))
    fprintf(out, "degrees of freedom: %d\n", m->size - (m->s->constrained ? ncon : 0));
}

static void check_method(const Mechanics *m, FILE *out)
{
  LOCALE_PLAIN;
  const PlanOptions *o = plan_options(m->s->plan);
  fprintf(out, "method: %s, word %s%s%s; symplectic: %s\n", step_name(m), o->word != NULL ? o->word : "H",
          o->composition != NULL ? ", composed by " : "", o->composition != NULL ? o->composition : "",
          symplectic(m));
  fprintf(out, "length: %lld steps of %.15g: %.15g\n", (long long)m->s->config->integrator.steps,
          m->s->config->integrator.timestep,
          (double)m->s->config->integrator.steps * m->s->config->integrator.timestep);
}

static Status check_start(const Mechanics *m, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  const MechanicsEnergy e = mechanics_energy(m->s, 0);
  fprintf(out, "start: energy %.12g, largest |g|/scale %.3g, largest |dg/dt| %.3g\n", e.total, e.largest,
          e.hidden);
  if (!has_kinetic(m->s))
    return STATUS_OK;
  double fastest;
  const double w = plan_options(m->s->plan)->w, h = m->s->config->integrator.timestep;
  mechanics_tangent_look(m->tangent, m->q, m->p);
  Status status = mechanics_tangent_fastest(m->tangent, w, &fastest, error);
  if (status != STATUS_OK || !(fastest > 0.0))
    return status;
  const OscillatorStep step = oscillator_step(m->s->plan);
  const double limit = oscillator_limit(&step);
  fprintf(out, "fastest frequency at the start%s: W = %.5g, h W = %.4g",
          m->s->constrained ? " (constraints left out)" : "", fastest, h * fastest);
  if (accel_map_has(plan_options(m->s->plan)->accel, ACCEL_PLAIN) && h * fastest > limit)
    fprintf(out, ": UNSTABLE, %.4g is the limit of this word with verlet", limit);
  fprintf(out, "\n");
  return penalty_report_check(m->s, out, error);
}

Status mechanics_report_check(Simulation *s, FILE *out, Error *error)
{
  const Mechanics *m = mechanics_of(s);
  fprintf(out, "# what runs\n");
  check_system(m, out);
  check_method(m, out);
  return check_start(m, out, error);
}
