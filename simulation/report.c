#include "simulation/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/units.h"
#include "integrators/oscillator.h"
#include "observables/picture.h"
#include "simulation/report_box.h"

/* In the place of temperature_unbiased. */
static const char no_unbiased[] =
    "no momenta of a step of this word have exactly the temperature that is set";

/* --- means ------------------------------------------------------------------------------------------------
 */

static Status write_replicas(const ReportOptions *o, Error *error)
{
  Text *text;
  const Status status = text_create(&text, o->dir, "replicas.csv", error);
  if (status != STATUS_OK)
    return status;
  const Columns *c = measure_columns(o->measure);
  text_print(text, "replica");
  for (int i = 0; i < c->n; i++)
    text_print(text, ",%s", c->name[i]);
  text_print(
      text,
      "\n# means of each replica over %lld samples after equilibration; energies kcal/mol, temperature K\n",
      (long long)measure_samples(o->measure));
  for (int r = 0; r < ensemble_replicas(o->ensemble) && measure_samples(o->measure) > 0; r++) {
    text_print(text, "%d", r);
    for (int i = 0; i < c->n; i++)
      text_print(text, ",%.17g", measure_replica_mean(o->measure, r, i));
    text_print(text, "\n");
  }
  return text_close(text, error);
}

/* What the errors rest on. */
static Status summarise_correlation(const ReportOptions *o, Text *text, Error *error)
{
  MeasureCorrelation c;
  const Status status = measure_correlation(o->measure, &c, error);
  if (status != STATUS_OK)
    return status;
  if (c.blocks == 0) {
    text_print(text, "independent_samples: %d # the replicas, whose scatter the errors are from\n",
               ensemble_replicas(o->ensemble));
    return STATUS_OK;
  }
  text_print(
      text,
      "correlation_steps: %.4g # from one independent sample to the next%s, by the slowest of energies and "
      "distances\n"
      "independent_samples: %.4g%s\n"
      "error_blocks: %d # of time, that the errors are from\n"
      "errors: %s\n",
      c.steps, c.thermo.plateau ? "" : " (at least)", c.independent, c.thermo.plateau ? "" : " # at most",
      c.blocks,
      c.thermo.plateau
          ? "sound # the blocks are longer than the correlation"
          : "lower bounds # the run is too short for its correlation to be known: it must be longer");
  return STATUS_OK;
}

static Status summarise_means(const ReportOptions *o, Text *text, Error *error)
{
  const Columns *c = measure_columns(o->measure);
  text_print(text, "samples: %lld # of each replica, after equilibration\n",
             (long long)measure_samples(o->measure));
  if (measure_samples(o->measure) == 0)
    return STATUS_OK;
  if (isfinite(o->reading))
    text_print(text,
               "temperature_expected: %.6g # K, what temperature reads at target_temperature by the word's "
               "discretisation alone, from the frequencies at the start; %s\n",
               o->reading * o->system->kT / UNITS_BOLTZMANN,
               c->unbiased >= 0 ? "temperature_unbiased has no such error" : no_unbiased);
  const Status known = summarise_correlation(o, text, error);
  if (known != STATUS_OK)
    return known;
  for (int i = 0; i < c->momenta; i++) {
    double mean, err, tau;
    const Status status = measure_mean(o->measure, i, &mean, &err, &tau, error);
    if (status != STATUS_OK)
      return status;
    text_print(text, "%s: %.10g\n", c->name[i], mean);
    if (isfinite(err))
      text_print(text, "%s_err: %.4g\n", c->name[i], err);
    if (isfinite(tau))
      text_print(text, "%s_correlation: %.4g # samples\n", c->name[i], tau);
  }
  return STATUS_OK;
}

/* --- evaporation -------------------------------------------------------------------------------------------
 */

/* The first few in the log; how many in the summary. */
enum { TOLD = 10 };

static int count_evaporated(const ReportOptions *o)
{
  int n = 0;
  for (int r = 0; r < ensemble_replicas(o->ensemble); r++)
    n += measure_evaporation(o->measure, r).step >= 0;
  return n;
}

static void tell_evaporation(const ReportOptions *o)
{
  int told = 0;
  for (int r = 0; r < ensemble_replicas(o->ensemble) && told < TOLD; r++) {
    const EvaporationEvent e = measure_evaporation(o->measure, r);
    if (e.step < 0)
      continue;
    text_print(o->log, "replica %d: molecule %d has left by step %lld, its nearest neighbour %.1f A away\n",
               r, e.molecule + 1, (long long)e.step, e.distance);
    told++;
  }
  const int all = count_evaporated(o);
  if (all > 0 && o->out != NULL)
    fprintf(
        o->out,
        "note: molecules evaporated in %d of %d replicas (see holonom.log); a wall (system.wall) would keep "
        "them\n",
        all, ensemble_replicas(o->ensemble));
}

/* --- the bias of kinetic temperatures ----------------------------------------------------------------------
 */

/* Beyond this a temperature is said to be off. */
static const double tolerable = 0.01;

bool report_reading(const Simulation *s, double reading, char *words, size_t size)
{
  words[0] = '\0';
  if (!isfinite(reading) || !(s->kT > 0.0))
    return false;
  const double kelvin = s->kT / UNITS_BOLTZMANN;
  text_append(
      words, size,
      "%skinetic temperature: at %.6g K momenta at the end of a step read about %.5g K, by the word's "
      "discretisation alone; %s\n",
      fabs(reading - 1.0) > tolerable ? "note: " : "", kelvin, reading * kelvin,
      oscillator_unbiased(s->plan) ? "temperature_unbiased reads what is set" : no_unbiased);
  return true;
}

/* --- summary ----------------------------------------------------------------------------------------------
 */

static void summarise_method(const ReportOptions *o, Text *text)
{
  const Simulation *s = o->system;
  const Config *c = s->config;
  const char *method = c->geometry.method == GEOMETRY_PENALTY ? "penalty" : config_constraint_method(c);
  text_quoted(text, "title", c->title != NULL ? c->title : "");
  text_print(text, "program: holonom %s\n", HOLONOM_VERSION);
  text_print(text, "model: %s\nmolecules: %d\nreplicas: %d\n",
             system_water(s)->model != NULL ? system_water(s)->model->name : "none", s->molecules,
             s->replicas);
  if (c->sort == SORT_BOX)
    report_box_method(o, text);
  text_print(text, "method: %s\n", method != NULL ? method : "none");
  if (c->geometry.method == GEOMETRY_PENALTY) {
    text_print(text, "w: %.10g # sqrt(kcal/mol)/A^2\nhessian: %s\n", c->geometry.w,
               c->geometry.hessian == HESSIAN_FULL ? "full" : "gauss-newton");
    text_print(text, "beta: %.10g\nnoise: %s\n", c->integrator.beta,
               c->thermostat.tangent ? "tangent" : "all");
  }
  text_print(text, "word: %s\nacceleration: %s\n", c->integrator.word, c->integrator.acceleration);
  text_print(text, "timestep: %.10g # AKMA, %.6g fs\n", s->h, s->h * UNITS_AKMA_FS);
  text_print(text, "thermostat: %s\n", c->thermostat.langevin ? "langevin" : "none");
  text_print(text, "target_temperature: %.10g # K\n", s->kT / UNITS_BOLTZMANN);
  text_print(text, "friction: %.10g # AKMA, %s\n", c->thermostat.friction,
             c->thermostat.convention == FRICTION_UNIFORM ? "uniform" : "mass");
  text_print(text, "freedom: %d # degrees, of each replica\n", plan_freedom(s->plan, s->nmol));
  text_print(text, "seed: %lld\nprecision: %s\ninstructions: %s\nthreads: %d\n", (long long)c->seed,
             system_water(s)->precision == PAIR_DOUBLE ? "double" : "mixed", isa_name(s->isa), s->threads);
}

static void summarise_times(const ReportOptions *o, Text *text)
{
  const int64_t done = ensemble_step(o->ensemble);
  const double work = (double)done * ensemble_replicas(o->ensemble);
  text_print(text, "steps: %lld\nsteps_wanted: %lld\n", (long long)done, (long long)o->system->steps);
  text_print(text, "time: %.10g # AKMA\n", (double)done * o->system->h);
  text_print(text, "time_ps: %.10g\n", system_picoseconds(o->system, done));
  text_print(text, "wall: %.3f # seconds, of which %.3f for the start configuration\n", o->times.wall,
             o->times.start);
  const double stepping = o->times.stepping;
  text_print(text, "steps_per_second: %.6g\nreplica_steps_per_second: %.6g\n",
             stepping > 0 ? (double)done / stepping : 0.0, stepping > 0 ? work / stepping : 0.0);
  double seconds[PART_COUNT], sum = 0.0;
  int64_t timed, steps;
  ensemble_clock(o->ensemble, seconds, &timed, &steps);
  for (int i = 0; i < PART_COUNT; i++)
    sum += seconds[i];
  if (sum > 0.0) {
    text_print(text, "share: # of the time in steps, from one step in 64\n");
    for (int i = 0; i < PART_COUNT; i++)
      text_print(text, "  %s: %.4f\n", plan_part_name((PlanPart)i), seconds[i] / sum);
  }
  text_print(text, "share_of_output: %.4f # writing files, of steps and files together\n",
             stepping + o->times.output > 0.0 ? o->times.output / (stepping + o->times.output) : 0.0);
  if (ensemble_indefinite(o->ensemble) > 0)
    text_print(text, "indefinite_solves: %lld # Zhang-Skeel matrices that were not positive definite\n",
               (long long)ensemble_indefinite(o->ensemble));
}

static Status write_summary(const ReportOptions *o, Error *error)
{
  Text *text;
  Status status = text_create(&text, o->dir, "summary.yaml", error);
  if (status != STATUS_OK)
    return status;
  const bool whole = ensemble_step(o->ensemble) >= o->system->steps;
  text_print(text, "ended: %s\n", o->status != STATUS_OK ? "failed" : (whole ? "complete" : "interrupted"));
  if (o->message != NULL)
    text_quoted(text, "message", o->message);
  summarise_method(o, text);
  summarise_times(o, text);
  if (o->system->config->sort == SORT_BOX)
    report_box_times(o, text);
  else
    text_print(text, "evaporated_replicas: %d # where a molecule left the cluster\n", count_evaporated(o));
  status = summarise_means(o, text, error);
  if (status == STATUS_OK && o->system->config->sort == SORT_BOX)
    status = report_box_means(o, text, error);
  if (status == STATUS_OK)
    status = report_box_observables(o, text, error);
  const Status closed = text_close(text, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? closed : status;
}

/* --- distribution ------------------------------------------------------------------------------------------
 */

typedef Status Writer(const Rdf *rdf, const char *path, Error *error);

static Status write_rdf(const ReportOptions *o, const char *name, Writer *writer, Error *error)
{
  char *path = file_path(o->dir, name);
  const Status status =
      path == NULL ? error_memory(error, "a file name") : writer(measure_rdf(o->measure), path, error);
  free(path);
  return status;
}

static Status write_distribution(const ReportOptions *o, Error *error)
{
  if (measure_distances(o->measure) == 0)
    return STATUS_OK;
  Status status = write_rdf(o, "rdf.csv", rdf_write_csv, error);
  if (status == STATUS_OK)
    status = write_rdf(o, "rdf_replicas.csv", rdf_write_replicas, error);
  if (status != STATUS_OK)
    return status;
  const PictureCurve curve = {.label = NULL, .rdf = measure_rdf(o->measure)};
  Error why;
  status = picture_rdf(o->dir, "rdf", o->system->config->title, 1, &curve, &why);
  if (status == STATUS_RUN)
    text_print(o->log, "no picture: %s\n", why.text);
  return picture_outcome(status, &why, error);
}

/* *drawn: there is one. */
static Status draw_thermo(const ReportOptions *o, bool *drawn, Error *error)
{
  Error why;
  const Status status = thermo_picture_draw(o->picture, o->dir, drawn, &why);
  *drawn = *drawn && status == STATUS_OK;
  if (status == STATUS_RUN)
    text_print(o->log, "no picture: %s\n", why.text);
  return picture_outcome(status, &why, error);
}

/* --- last words
 * --------------------------------------------------------------------------------------------- */

void report_mean(char *words, size_t size, const char *what, double mean, double error, int64_t samples,
                 const char *unit)
{
  const int digits = error > 0.0 && isfinite(error) ? 1 - (int)floor(log10(error)) : 0;
  const int places = digits < 0 ? 0 : digits;
  if (!isfinite(error))
    text_append(words, size, "mean %s: %.6g %s, without error: %lld sample%s\n", what, mean, unit,
                (long long)samples, samples == 1 ? "" : "s");
  else if (error <= 0.0 || digits < -6 || digits > 12)
    text_append(words, size, "mean %s: %.6g +- %.2g %s\n", what, mean, error, unit);
  else
    text_append(words, size, "mean %s: %.*f +- %.*f %s\n", what, places, mean, places, error, unit);
}

/* Where the errors are only lower bounds. */
static Status tell_errors(const ReportOptions *o, char *words, size_t size, Error *error)
{
  MeasureCorrelation c;
  const Status status = measure_correlation(o->measure, &c, error);
  if (status != STATUS_OK || measure_samples(o->measure) == 0 || c.thermo.plateau)
    return status;
  char steps[48] = "";
  if (c.steps > 0.0)
    snprintf(steps, sizeof steps, " (at least %.3g steps)", c.steps);
  text_append(words, size, "note: the run is short for its correlation%s: errors are lower bounds\n", steps);
  return STATUS_OK;
}

static Status cluster_words(const ReportOptions *o, char *words, size_t size, Error *error)
{
  LOCALE_PLAIN;
  const Columns *c = measure_columns(o->measure);
  const int64_t done = ensemble_step(o->ensemble);
  const double rate = o->times.stepping > 0 ? (double)done * o->system->replicas / o->times.stepping : 0.0;
  snprintf(words, size, "%lld steps of %d replica%s in %.1f s: %.4g replica-steps/s\n", (long long)done,
           o->system->replicas, o->system->replicas > 1 ? "s" : "", o->times.wall, rate);
  static const char *const unit[] = {"kcal/mol", "kcal/mol", "K", "K"};
  const int column[] = {c->nonbonded, c->total, c->temperature, c->unbiased};
  for (int i = 0; i < 4 && measure_samples(o->measure) > 0; i++) {
    double mean, err, tau;
    if (column[i] < 0)
      continue;
    const Status status = measure_mean(o->measure, column[i], &mean, &err, &tau, error);
    if (status != STATUS_OK)
      return status;
    report_mean(words, size, c->name[column[i]], mean, err, measure_samples(o->measure), unit[i]);
  }
  tell_evaporation(o);
  return STATUS_OK;
}

static Status close_with_words(const ReportOptions *o, bool drawn, Error *error)
{
  LOCALE_PLAIN;
  const bool box = o->system->config->sort == SORT_BOX;
  char words[1024];
  Status status =
      box ? report_box_words(o, words, sizeof words, error) : cluster_words(o, words, sizeof words, error);
  if (status == STATUS_OK)
    status = tell_errors(o, words, sizeof words, error);
  if (status != STATUS_OK)
    return status;
  if (o->message != NULL)
    text_print(o->log, "FAILED: %s\n", o->message);
  text_print(o->log, "%s", words);
  char reading[512];
  if (o->out != NULL && fabs(o->reading - 1.0) > tolerable &&
      report_reading(o->system, o->reading, reading, sizeof reading))
    fprintf(o->out, "%s", reading);
  const char *left = file_exists(o->dir, "last-good.xyz") ? ", last-good.xyz" : "";
  if (o->status == STATUS_OK)
    left = box ? ", final.gro, final.xyz" : ", final.xyz";
  char rdf[64] = "";
  if (measure_distances(o->measure) > 0)
    snprintf(rdf, sizeof rdf, ", rdf.csv (bins of %.3g A), rdf.png",
             o->system->config->output.rdf_max / o->system->config->output.rdf_bins);
  if (o->out != NULL)
    fprintf(o->out, "%sresults in %s: summary.yaml, thermo.csv%s%s%s%s, holonom.log\n", words, o->dir,
            drawn ? ", thermo.png" : "", rdf, left, o->sampling != NULL ? ", observables.json" : "");
  return STATUS_OK;
}

Status report_write(const ReportOptions *options, Error *error)
{
  Status status = write_replicas(options, error);
  if (status == STATUS_OK)
    status = write_distribution(options, error);
  if (status == STATUS_OK)
    status = write_summary(options, error);
  bool drawn = false;
  if (status == STATUS_OK)
    status = draw_thermo(options, &drawn, error);
  if (status == STATUS_OK)
    status = close_with_words(options, drawn, error);
  return status;
}
