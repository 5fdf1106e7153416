#include "simulation/run/report.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/stop.h"
#include "base/ticks.h"
#include "base/tool.h"
#include "engine/units.h"
#include "observables/convergence.h"
#include "observables/picture.h"
#include "observables/run_verdicts.h"
#include "simulation/run/alchemy_report.h"
#include "simulation/run/ladder_report.h"
#include "simulation/run/pull_report.h"
#include "simulation/run/record.h"

/* --- what ran ------- */

/* The constraint method, "penalty", both, or the name of a special method. */
static void summarise_way(const Simulation *s, ResultSet *set)
{
  const PlanOptions *o = plan_options(s->plan);
  const bool soft = config_penalises(s->config), both = soft && o->constraints != NULL;
  char words[64];
  snprintf(words, sizeof words, "%s%s%s", o->constraints != NULL ? o->constraints : "", both ? " and " : "",
           soft                     ? "penalty"
           : o->constraints != NULL ? ""
                                    : "none");
  results_words(set, "", "method", o->method != NULL ? o->method->name : words);
}

static void summarise_penalties(const Config *c, ResultSet *set)
{
  if (c->geometry.w > 0.0) /* else constraints have their own strengths */
    results_real(set, "", "w", c->geometry.w);
  results_words(set, "", "hessian", c->geometry.hessian == HESSIAN_FULL ? "full" : "gauss-newton");
  results_real(set, "", "beta", c->integrator.beta);
  results_words(set, "", "noise", c->thermostat.tangent ? "tangent" : "all");
}

/* With varying conditions there is no target to compare with. */
static void summarise_conditions(const Simulation *s, ResultSet *set)
{
  static const char *const key[SCHEDULED] = {"temperature_schedule", "pressure_schedule"};
  const Config *c = s->config;
  char words[1024];
  if (s->kT > 0.0 && !(c->schedule.varies && c->schedule.points.n > 0))
    results_real(set, "", "target_temperature", simulation_kelvin(s, s->kT));
  for (int i = 0; i < SCHEDULED; i++)
    if (config_schedule_words(c, (ConfigScheduled)i, words, sizeof words))
      results_words(set, "", key[i], words);
  if (c->schedule.points.n > 0 || c->schedule.varies)
    results_words(set, "", "conditions", c->schedule.varies ? "varying" : "constant");
}

/* Whether replicas have different Hamiltonians, as umbrella windows have. */
static bool differ(const Simulation *s)
{
  const int n = s->parameters.n;
  bool other = false;
  for (int r = 1; r < s->replicas && s->ladder == NULL; r++)
    for (int p = 0; p < n; p++)
      other = other || s->parameters.value[(ptrdiff_t)r * n + p] != s->parameters.value[p];
  return other;
}

static void summarise_method(Run *run)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  ResultSet *set = &run->results;
  const PlanOptions *o = plan_options(s->plan);
  static const char *const thermostat[] = {"none", "langevin", "rescale"};
  results_whole(set, "", "replicas", s->replicas);
  summarise_way(s, set);
  if (config_penalises(c))
    summarise_penalties(c, set);
  results_words(set, "", "word", o->word != NULL ? o->word : "H");
  if (o->method == NULL)
    results_words(set, "", "acceleration", o->accel);
  results_real(set, "", "timestep", s->h);
  if (!c->reduced)
    results_note(set, "%.6g fs", s->h * UNITS_AKMA_FS);
  results_words(set, "", "thermostat", thermostat[c->thermostat.type]);
  summarise_conditions(s, set);
  if (differ(s))
    results_words(set, "", "replicas_differ", "yes");
  if (c->thermostat.type == THERMOSTAT_RESCALE)
    results_real(set, "", "thermostat_time", c->thermostat.time);
  if (c->thermostat.type == THERMOSTAT_LANGEVIN) {
    results_real(set, "", "friction", c->thermostat.friction);
    results_note(set, c->thermostat.convention == FRICTION_UNIFORM ? "uniform" : "mass");
  }
  if (s->measurement->potential >= 0)
    results_whole(set, "", "freedom", simulation_freedom(s));
  const int removed = simulation_freedom_removed(s);
  if (s->measurement->potential >= 0 && removed > 0)
    results_whole(set, "", "freedom_removed", removed);
  results_whole(set, "", "seed", c->seed);
  results_words(set, "", "instructions", isa_name(s->isa));
  results_whole(set, "", "threads", s->threads);
}

/* Shares of the stepping time. Clocks restart when a run is resumed, since checkpoints do not contain them. A
 * resumed run reports the shares of its latest steps, or no shares after too few timed steps. */
static void summarise_shares(Run *run)
{
  enum { FEWEST = 100 };
  ResultSet *set = &run->results;
  const double all = run->times.stepping + run->times.output;
  double seconds[COST_COUNT], sum = 0.0;
  int64_t timed, steps;
  ensemble_clock(run->s->ensemble, seconds, &timed, &steps);
  for (int i = 0; i < COST_COUNT && (!run->resume || timed >= FEWEST); i++)
    sum += seconds[i];
  if (sum > 0.0)
    results_group(set, "share");
  if (sum > 0.0 && run->resume)
    results_note(set, "measured over the last %lld steps, since the run was resumed",
                 (long long)run->share.steps);
  for (int i = 0; i < COST_COUNT && sum > 0.0; i++)
    results_real(set, "share", plan_cost_name((PlanCost)i), seconds[i] / sum);
  results_real(set, "", "share_of_output", all > 0.0 ? run->times.output / all : 0.0);
}

static void summarise_times(Run *run)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  const int64_t done = ensemble_step(s->ensemble), indefinite = ensemble_indefinite(s->ensemble);
  const double stepping = run->times.stepping, work = (double)done * s->replicas;
  results_whole(set, "", "steps", done);
  results_whole(set, "", "steps_wanted", s->steps);
  results_real(set, "", "time", simulation_time(s));
  if (!s->config->reduced)
    results_real(set, "", "time_ps", (double)done * s->h * UNITS_AKMA_FS * 1e-3);
  results_real(set, "", "wall", run->times.wall);
  results_note(set, "of which %.3f for the start configuration", run->times.start);
  if (run->parts != NULL)
    results_note(set, "; all times are sums over %d parts", parts_number(run->parts));
  results_real(set, "", "steps_per_second", stepping > 0.0 ? (double)done / stepping : 0.0);
  results_real(set, "", "replica_steps_per_second", stepping > 0.0 ? work / stepping : 0.0);
  summarise_shares(run);
  if (indefinite > 0)
    results_whole(set, "", "indefinite_solves", indefinite);
}

/* --- means ------- */

static MeansTable means_of(const Run *run, double kelvin[LADDER_TEMPERATURES], char *remark, size_t size)
{
  const RecordRows *rows = record_averaged(run);
  snprintf(remark, size, "%s the largest; %s", rows->largest, rows->units);
  return ladder_report_table(run->s, remark, kelvin);
}

/* Adds the basis of the errors. */
static void summarise_correlation(Run *run)
{
  const MeasureCorrelation c = measure_correlation(run->measure);
  ResultSet *set = &run->results;
  if (c.blocks == 0) {
    results_whole(set, "", "independent_samples", run->s->replicas);
    results_note(set, "the replicas; errors are from their scatter");
    return;
  }
  results_real(set, "", "correlation_steps", c.steps);
  results_note(set, "%s", c.thermo.plateau ? "" : "at least");
  results_real(set, "", "independent_samples", c.independent);
  results_note(set, "%s", c.thermo.plateau ? "" : "at most");
  results_whole(set, "", "error_blocks", c.blocks);
  results_words(set, "", "errors", c.thermo.plateau ? "sound" : "lower bounds");
  results_note(set, c.thermo.plateau ? "the blocks are longer than the correlation"
                                     : "the run is too short to measure its correlation: run longer");
}

/* Tests whether replicas agree, and from when on. */
static Status summarise_mixing(Run *run, Error *error)
{
  MixingResult m;
  ResultSet *set = &run->results;
  if (measure_mixing(run->measure) == NULL)
    return STATUS_OK;
  TRY(mixing_result(measure_mixing(run->measure), &m, error));
  if (isnan(m.alike.rhat))
    return STATUS_OK;
  if (!differ(run->s)) {
    results_real(set, "", "rhat", m.alike.rhat);
    results_note(set, "of %s", m.chains > 1 ? "replicas" : "the halves of the run");
    results_words(set, "", "mixing", convergence_word(&m.alike));
  }
  if (m.gain > 1.5) {
    results_whole(set, "", "drift_until",
                  run->s->equilibration + (int64_t)m.start * run->s->config->output.thermo_every);
    results_note(set,
                 "the samples after it contain %.2g times as many independent ones of the mean energy; set "
                 "output.equilibration to exclude earlier steps",
                 m.gain);
  }
  return STATUS_OK;
}

static void summarise_columns(Run *run)
{
  const Measurement *g = run->s->measurement;
  const double samples = (double)measure_samples(run->measure);
  for (int i = 0; i < g->n; i++) {
    double mean, err, tau;
    if ((g->column[i].traits & MEANS_HIDDEN) != 0)
      continue;
    measure_mean(run->measure, i, 0, &mean, &err, &tau);
    results_mean(&run->results, "", g->name[i], mean, err, tau, samples);
  }
}

/* Means by temperature are lists in a group. Columns that the input names are also in a group, where names
 * cannot clash with keys. */
static Status summarise_means(Run *run, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  char remark[256];
  const Simulation *s = run->s;
  const bool grouped = s->ladder != NULL || s->measurement->named;
  if (record_averaged(run) == NULL)
    return STATUS_OK;
  const MeansTable table = means_of(run, kelvin, remark, sizeof remark);
  results_whole(&run->results, "", "samples", measure_samples(run->measure));
  if (measure_samples(run->measure) > 0 && !grouped)
    summarise_correlation(run);
  if (measure_samples(run->measure) > 0 && s->ladder == NULL && !s->config->schedule.varies)
    TRY(summarise_mixing(run, error));
  if (grouped)
    means_summary(measure_means(run->measure), &table, &run->results);
  if (!grouped && measure_samples(run->measure) > 0)
    summarise_columns(run);
  return STATUS_OK;
}

static Status write_replicas(Run *run, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  char remark[256];
  if (record_averaged(run) == NULL || record_averaged(run)->name == NULL)
    return STATUS_OK;
  const MeansTable table = means_of(run, kelvin, remark, sizeof remark);
  return results_csv_write(means_table(measure_means(run->measure), &table, &run->results), run->options->dir,
                           error);
}

/* --- the summary ------- */

static Status summarise(Run *run, Error *error)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  const bool whole = ensemble_step(s->ensemble) >= s->steps;
  results_words(set, "", "ended", run->status != STATUS_OK ? "failed" : whole ? "complete" : "interrupted");
  if (run->message != NULL)
    results_words(set, "", "message", run->message);
  results_words(set, "", "title", s->config->title != NULL ? s->config->title : "");
  results_words(set, "", "program", "holonom " HOLONOM_VERSION);
  s->sort->system(run);
  summarise_method(run);
  summarise_times(run);
  TRY(summarise_means(run, error));
  TRY(s->sort->summary(run, error));
  results_append(set, &run->observed);
  ladder_report_summary(run);
  alchemy_report_summary(run);
  TRY(pull_report_summary(run, error));
  for (int i = 0; i < run->nwriter; i++)
    if (text_ends(run->writer[i].name, ".csv"))
      TRY(results_csv_describe(&run->results, run->options->dir, run->writer[i].name, error));
  if (file_exists(run->options->dir, "rdf_replicas.csv"))
    TRY(results_csv_describe(&run->results, run->options->dir, "rdf_replicas.csv", error));
  return STATUS_OK;
}

/* The summary is written even if parts are missing. */
static Status write_results(Run *run, Error *error)
{
  Error why;
  Status status = summarise(run, error);
  if (status == STATUS_OK)
    status = run_verdicts_make(&run->results, error);
  TRY(results_json_write(&run->results, run->options->dir, status == STATUS_OK ? error : &why));
  TRY(results_yaml_write(&run->results, run->options->dir, status == STATUS_OK ? error : &why));
  return status;
}

/* --- last words ------- */

void report_mean(const ResultNumber *n, char *words, size_t size)
{
  const int digits = n->error > 0.0 && isfinite(n->error) ? 1 - (int)floor(log10(n->error)) : 0;
  const int places = digits < 0 ? 0 : digits;
  text_append(words, size, "mean %s: ", n->name);
  if (!isfinite(n->error))
    text_append(words, size, "%.6g %s, without error (%.0f sample%s)\n", n->value, n->unit, n->samples,
                n->samples == 1.0 ? "" : "s");
  else if (n->error <= 0.0 || digits < -6 || digits > 12)
    text_append(words, size, "%.6g +- %.2g %s\n", n->value, n->error, n->unit);
  else
    text_append(words, size, "%.*f +- %.*f %s\n", places, n->value, places, n->error, n->unit);
}

static void print_means(const Run *run, char *words, size_t size)
{
  static const char *const names[] = {"energy_per_molecule",  "potential", "total",        "temperature",
                                      "temperature_unbiased", "pressure",  "pressure_atom"};
  const bool each = results_find(&run->results, "", "", names[0]) != NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const ResultNumber *n = results_find(&run->results, "", "", names[i]);
    if (n != NULL && !(each && (i == 1 || i == 2)))
      report_mean(n, words, size);
  }
}

/* Prints the warnings about the results. */
static void print_verdicts(const Run *run)
{
  const ResultSet *set = &run->results;
  for (int i = 1; i < set->nverdict; i++)
    if (set->verdict[i].level >= RESULT_WARN)
      run_remark(run, "warning: ", set->verdict[i].words);
}

/* Lists a file and the picture of the same name. */
static void list_file(const Run *run, const char *name, char *words, size_t size)
{
  char picture[64];
  snprintf(picture, sizeof picture, "%.*s.png", (int)strcspn(name, "."), name);
  if (file_exists(run->options->dir, name))
    text_append(words, size, ", %s", name);
  if (text_ends(name, ".csv") && file_exists(run->options->dir, picture))
    text_append(words, size, ", %s", picture);
}

/* Lists the files written during the run, tables, and others that exist. */
static void list_files(const Run *run, char *words, size_t size)
{
  static const char *const others[] = {"final.gro", "final.xyz", "last-good.xyz", "observables.json"};
  for (int i = 0; i < run->nwriter; i++)
    if (strchr(run->writer[i].name, '/') == NULL) /* not in a replica's folder */
      list_file(run, run->writer[i].name, words, size);
  for (int i = 0; i < run->results.ntable; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.csv", run->results.table[i]->name);
    if (!run->results.table[i]->apart)
      list_file(run, name, words, size);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    list_file(run, others[i], words, size);
}

static void close_with_words(Run *run)
{
  FILE *out = run->options->out;
  char words[1024] = "", files[1024] = "";
  run->s->sort->words(run, words, sizeof words);
  print_means(run, words, sizeof words);
  print_verdicts(run);
  ladder_report_words(run, words, sizeof words);
  alchemy_report_words(run, words, sizeof words);
  pull_report_words(run, words, sizeof words);
  list_files(run, files, sizeof files);
  if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  text_print(run->log, "%s", words);
  if (out == NULL)
    return;
  fputs(words, out);
  printable_print(out, "results in %s: summary.yaml%s, holonom.log\n", run->options->dir, files);
}

/* --- files ------- */

static void print_step(const Run *run)
{
  const Simulation *s = run->s;
  const double fs = s->h * UNITS_AKMA_FS, ps = 1e-3 * fs * (double)s->steps;
  char words[128];
  if (s->config->reduced)
    return;
  snprintf(words, sizeof words, "%.6g fs; %lld steps: %.6g ps", fs, (long long)s->steps, ps);
  run_remark(run, "time step: ", words);
}

void report_begin(const Run *run)
{
  LOCALE_PLAIN;
  char words[512];
  print_step(run);
  if (!run->resume && config_bare(run->s->config, words, sizeof words))
    run_remark(run, "note: ", words);
  const int64_t asked = run->resume ? run_folder_asked(run->folder) : 0;
  if (asked <= run->s->steps)
    return;
  snprintf(words, sizeof words,
           "this input requests %lld steps, but the original one %lld: the run will be complete after %lld. "
           "Use the same --set as before, or continue with the input.yaml of its folder",
           (long long)run->s->steps, (long long)asked, (long long)run->s->steps);
  run_remark(run, "warning: ", words);
}

/* With few ladders and errors from blocks of time, passes the correlation of the energies to the observables
 * of all sets. */
static void conclude(const Run *run)
{
  const MbarEstimates *e = run->estimates;
  int sets;
  ObservableSet *const *set = sampling_sets(run->sampling, &sets);
  measure_conclude(run->measure);
  for (int i = 0; i < sets && e != NULL && e->errors == MBAR_ERRORS_BLOCKS; i++)
    observable_set_learn(set[i], e->inefficiency, ladder_options(run->s->ladder)->interval);
}

static Status write_observables(Run *run, Error *error)
{
  ResultSet *observed = &run->observed;
  results_free(observed);
  *observed = results_make(run->s->sort->quantities, run->s->config->reduced);
  if (run->sampling == NULL)
    return STATUS_OK;
  TRY(sampling_write(run->sampling, run->options->dir, observed, error));
  for (int i = 0; i < observed->n; i++) {
    char words[512];
    results_number_line(&observed->number[i], words, sizeof words);
    text_print(run->log, "%s\n", words);
  }
  run_remark(run, "observables: ", observed->remark);
  return STATUS_OK;
}

/* Writes tables and pictures. */
static Status write_files(Run *run, Error *error)
{
  TRY(run_folder_end(run->folder, error));
  TRY(ladder_report_results(run, error));
  conclude(run);
  TRY(write_observables(run, error));
  TRY(pull_report_results(run, error));
  TRY(write_replicas(run, error));
  return record_draw(run, error);
}

/* Draws the pictures of a run that a signal has ended, in the remaining seconds of a limit for all of
 * them. */
static Status draw_left(Run *run, double begun, Error *error)
{
  const double reporting = ticks_seconds() - begun, asked = stop_since();
  Error why;
  if (!stop_asked())
    return STATUS_OK;
  const Status drawn =
      picture_draw_left(run->options->dir, run_folder_pictures,
                        TOOL_SECONDS_STOPPED - (asked < reporting ? asked : reporting), &why);
  if (drawn == STATUS_RUN)
    run_remark(run, "no picture: ", why.text);
  return picture_outcome(drawn, &why, error);
}

Status report_write(Run *run, Error *error)
{
  LOCALE_PLAIN;
  Error why;
  const double begun = ticks_seconds();
  run->results = results_make(run->s->sort->quantities, run->s->config->reduced);
  run->results.dir = strdup(run->options->dir);
  run->results.failed = run->results.dir == NULL;
  const Status others = write_files(run, &why);
  const bool first = others != STATUS_OK && run->status == STATUS_OK;
  if (first) { /* "complete" must hold for all files */
    run->status = others;
    run->message = why.text;
  }
  Status status = write_results(run, error);
  if (status == STATUS_OK && others == STATUS_OK)
    status = draw_left(run, begun, error);
  if (status == STATUS_OK && others == STATUS_OK)
    close_with_words(run);
  else if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  if (first)
    run->message = NULL;
  return others == STATUS_OK ? status : error_pass(error, others, &why);
}
