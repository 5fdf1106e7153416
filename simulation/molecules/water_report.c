#include "simulation/molecules/water_report.h"

#include <math.h>
#include <string.h>

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/units.h"
#include "integrators/oscillator.h"
#include "simulation/ladder/ladder_report.h"
#include "simulation/molecules/penalty_report.h"
#include "simulation/run/report.h"

/* In the place of temperature_unbiased. */
static const char no_unbiased[] =
    "at no point of this word's step do momenta have exactly the temperature that is set";

/* --- means ------------------------------------------------------------------------------------------------
 */

static MeansTable table_of(const Run *run, double kelvin[LADDER_TEMPERATURES])
{
  return ladder_report_table(run->s, "samples",
                             "energies kcal/mol, temperature K, pressure bar, momenta g/mol A/AKMA", kelvin);
}

static Status write_replicas(Run *run, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  const MeansTable table = table_of(run, kelvin);
  return report_table(run, means_table(measure_means(run->measure), &table, &run->results), error);
}

/* What the errors rest on. */
static Status summarise_correlation(Run *run, Error *error)
{
  MeasureCorrelation c;
  ResultSet *set = &run->results;
  TRY(measure_correlation(run->measure, &c, error));
  if (c.blocks == 0) {
    results_whole(set, "", "independent_samples", ensemble_replicas(run->s->ensemble));
    results_note(set, "the replicas, whose scatter the errors are from");
    return STATUS_OK;
  }
  results_real(set, "", "correlation_steps", c.steps);
  results_note(set, "%s", c.thermo.plateau ? "" : "at least");
  results_real(set, "", "independent_samples", c.independent);
  results_note(set, "%s", c.thermo.plateau ? "" : "at most");
  results_whole(set, "", "error_blocks", c.blocks);
  results_words(set, "", "errors", c.thermo.plateau ? "sound" : "lower bounds");
  results_note(set, c.thermo.plateau
                        ? "the blocks are longer than the correlation"
                        : "the run is too short for its correlation to be known: it must be longer");
  return STATUS_OK;
}

/* Whether there is one answer to be had, and since when. */
static Status summarise_mixing(Run *run, Error *error)
{
  MixingResult m;
  ResultSet *set = &run->results;
  TRY(mixing_result(measure_mixing(run->measure), &m, error));
  if (isnan(m.alike.rhat))
    return STATUS_OK;
  results_real(set, "", "rhat", m.alike.rhat);
  results_note(set, "of %s", m.chains > 1 ? "replicas" : "the halves of the run");
  results_words(set, "", "mixing", convergence_word(&m.alike));
  if (m.gain > 1.5) {
    results_whole(set, "", "drift_until",
                  run->s->equilibration + (int64_t)m.start * run->s->config->output.thermo_every);
    results_note(set,
                 "most independent samples of the mean energy, %.2g times as many, come after it; "
                 "output.equilibration should leave out what is before",
                 m.gain);
  }
  return STATUS_OK;
}

/* Draws behind the errors. */
static Status count_draws(const Run *run, int64_t *draws, Error *error)
{
  MeasureCorrelation c;
  *draws = run->s->ladder != NULL ? ladder_options(run->s->ladder)->ladders : run->s->replicas;
  if (run->s->ladder != NULL || run->s->replicas > 1)
    return STATUS_OK;
  const Status status = measure_correlation(run->measure, &c, error);
  *draws = status == STATUS_OK && c.thermo.plateau ? c.blocks : 0;
  return status;
}

/* At temperature k of a ladder; without one at that of the run. */
static Status penalties_at(const Run *run, const PenaltyModes *modes, int k, PenaltyFound *found,
                           Error *error)
{
  const Simulation *s = run->s;
  const Measure *m = run->measure;
  const WaterColumns *c = water_columns(s);
  const int column[] = {c->penalty, c->excess};
  double mean[2] = {NAN, NAN}, err[2] = {NAN, NAN};
  *found = (PenaltyFound){.kT = s->ladder != NULL ? ladder_kT(s->ladder, k) : s->kT};
  found->expected = penalty_heat(s, modes, s->h, found->kT);
  Status status = count_draws(run, &found->draws, error);
  for (int i = 0; i < 2 && status == STATUS_OK && measure_samples(m) > 0; i++)
    if (column[i] < 0)
      continue;
    else if (s->ladder != NULL)
      measure_mean_at(m, column[i], k, &mean[i], &err[i]);
    else
      status = measure_mean(m, column[i], &mean[i], &err[i], NULL, error);
  found->energy = mean[0];
  found->error = err[0];
  penalty_report_judge(found, mean[1], err[1], s->ladder != NULL ? ladder_options(s->ladder)->n : 1);
  return status;
}

/* What the penalties hold beside what they should, of a ladder where it is worst. */
static Status find_penalties(const Run *run, PenaltyFound *found, Error *error)
{
  const Simulation *s = run->s;
  *found = (PenaltyFound){.kT = s->kT};
  if (s->config->geometry.method != GEOMETRY_PENALTY || system_water(s)->model == NULL)
    return STATUS_OK;
  PenaltyModes modes;
  Status status = penalty_modes_create(&modes, s->kind[0], s->kind[0]->reference, error);
  for (int k = 0; status == STATUS_OK && k < (s->ladder != NULL ? ladder_options(s->ladder)->n : 1); k++) {
    PenaltyFound at;
    status = penalties_at(run, &modes, k, &at, error);
    if (k == 0)
      *found = at;
    else
      penalty_report_worse(found, &at);
  }
  penalty_modes_free(&modes);
  return status;
}

static Status summarise_penalties(Run *run, Error *error)
{
  PenaltyFound found;
  TRY(find_penalties(run, &found, error));
  penalty_report_summary(run->s, &found, run->s->ladder != NULL, &run->results);
  return STATUS_OK;
}

static Status tell_penalties(const Run *run, Error *error)
{
  PenaltyFound found;
  TRY(find_penalties(run, &found, error));
  return penalty_report_end(run, &found, error);
}

static Status summarise_means(Run *run, Error *error)
{
  ResultSet *set = &run->results;
  const Measure *m = run->measure;
  const WaterColumns *c = water_columns(run->s);
  const double samples = (double)measure_samples(m), reading = system_water(run->s)->rates.reading;
  results_whole(set, "", "samples", measure_samples(m));
  if (run->s->ladder != NULL) {
    double kelvin[LADDER_TEMPERATURES];
    const MeansTable table = table_of(run, kelvin);
    means_summary(measure_means(m), &table, set);
    return STATUS_OK;
  }
  if (measure_samples(m) == 0)
    return STATUS_OK;
  if (isfinite(reading)) {
    results_real(set, "", "temperature_expected", reading * run->s->kT / UNITS_BOLTZMANN);
    results_note(set, "%s", c->unbiased >= 0 ? "temperature_unbiased has no such error" : no_unbiased);
  }
  TRY(summarise_correlation(run, error));
  TRY(summarise_mixing(run, error));
  for (int i = 0; i < c->momenta; i++) {
    double mean, err, tau;
    TRY(measure_mean(m, i, &mean, &err, &tau, error));
    results_mean(set, "", run->s->gauge->name[i], mean, err, tau, samples);
  }
  return STATUS_OK;
}

/* --- evaporation -------------------------------------------------------------------------------------------
 */

/* The first few in the log; how many in the summary. */
enum { TOLD = 10 };

/* Inside a constraining sphere none has left, however far from the others it was. */
static int count_evaporated(const Run *run)
{
  int n = 0;
  if (run->s->config->system.constraining_radius > 0.0)
    return 0;
  for (int r = 0; r < ensemble_replicas(run->s->ensemble); r++)
    n += measure_evaporation(run->measure, r).step >= 0;
  return n;
}

static void tell_evaporation(const Run *run)
{
  const int all = count_evaporated(run);
  int told = 0;
  for (int r = 0; all > 0 && r < ensemble_replicas(run->s->ensemble) && told < TOLD; r++) {
    const EvaporationEvent e = measure_evaporation(run->measure, r);
    if (e.step < 0)
      continue;
    text_print(run->log, "replica %d: molecule %d has left by step %lld, its nearest neighbour %.1f A away\n",
               r, e.molecule + 1, (long long)e.step, e.distance);
    told++;
  }
  if (all > 0 && run->options->out != NULL)
    fprintf(run->options->out,
            "note: molecules evaporated in %d of %d replicas (see holonom.log); a wall (system.wall) or a "
            "constraining sphere (system.constraining_radius) would keep them\n",
            all, ensemble_replicas(run->s->ensemble));
}

/* --- the bias of kinetic temperatures ----------------------------------------------------------------------
 */

/* Beyond this a temperature is said to be off. */
static const double tolerable = 0.01;

bool water_report_reading(const Simulation *s, double reading, char *words, size_t size)
{
  words[0] = '\0';
  if (!isfinite(reading) || !(s->kT > 0.0))
    return false;
  const double kelvin = s->kT / UNITS_BOLTZMANN;
  text_append(words, size,
              "%skinetic temperature: at %.6g K momenta at the end of a step read about %.5g K, by the "
              "word's discretisation alone; %s\n",
              fabs(reading - 1.0) > tolerable ? "note: " : "", kelvin, reading * kelvin,
              oscillator_unbiased(s->plan) ? "temperature_unbiased reads what is set" : no_unbiased);
  return true;
}

/* --- summary ----------------------------------------------------------------------------------------------
 */

static void summarise_method(Run *run, const WaterReport *of)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  ResultSet *set = &run->results;
  const bool penalty = c->geometry.method == GEOMETRY_PENALTY;
  const char *method = penalty ? "penalty" : config_constraint_method(c);
  results_words(set, "", "model", system_water(s)->model != NULL ? system_water(s)->model->name : "none");
  results_whole(set, "", "molecules", s->molecules);
  results_whole(set, "", "replicas", s->replicas);
  if (of->method != NULL)
    of->method(run);
  results_words(set, "", "method", method != NULL ? method : "none");
  if (penalty) {
    results_real(set, "", "w", c->geometry.w);
    results_words(set, "", "hessian", c->geometry.hessian == HESSIAN_FULL ? "full" : "gauss-newton");
    results_real(set, "", "beta", c->integrator.beta);
    results_words(set, "", "noise", c->thermostat.tangent ? "tangent" : "all");
  }
  results_words(set, "", "word", c->integrator.word);
  results_words(set, "", "acceleration", c->integrator.acceleration);
  results_real(set, "", "timestep", s->h);
  results_note(set, "%.6g fs", s->h * UNITS_AKMA_FS);
  results_words(set, "", "thermostat", c->thermostat.langevin ? "langevin" : "none");
  results_real(set, "", "target_temperature", s->kT / UNITS_BOLTZMANN);
  results_real(set, "", "friction", c->thermostat.friction);
  results_note(set, c->thermostat.convention == FRICTION_UNIFORM ? "uniform" : "mass");
  results_whole(set, "", "freedom", plan_freedom(s->plan, s->nmol));
  results_whole(set, "", "seed", c->seed);
  results_words(set, "", "precision", system_water(s)->precision == PAIR_DOUBLE ? "double" : "mixed");
  results_words(set, "", "instructions", isa_name(s->isa));
  results_whole(set, "", "threads", s->threads);
}

static void summarise_times(Run *run)
{
  ResultSet *set = &run->results;
  const int64_t done = ensemble_step(run->s->ensemble);
  const double work = (double)done * ensemble_replicas(run->s->ensemble);
  results_whole(set, "", "steps", done);
  results_whole(set, "", "steps_wanted", run->s->steps);
  results_real(set, "", "time", (double)done * run->s->h);
  results_real(set, "", "time_ps", system_picoseconds(run->s, done));
  report_wall(run);
  const double stepping = run->times.stepping, all = stepping + run->times.output;
  results_real(set, "", "steps_per_second", stepping > 0 ? (double)done / stepping : 0.0);
  results_real(set, "", "replica_steps_per_second", stepping > 0 ? work / stepping : 0.0);
  double seconds[PART_COUNT], sum = 0.0;
  int64_t timed, steps;
  ensemble_clock(run->s->ensemble, seconds, &timed, &steps);
  for (int i = 0; i < PART_COUNT; i++)
    sum += seconds[i];
  if (sum > 0.0)
    results_group(set, "share");
  for (int i = 0; i < PART_COUNT && sum > 0.0; i++)
    results_real(set, "share", plan_part_name((PlanPart)i), seconds[i] / sum);
  results_real(set, "", "share_of_output", all > 0.0 ? run->times.output / all : 0.0);
  if (ensemble_indefinite(run->s->ensemble) > 0)
    results_whole(set, "", "indefinite_solves", ensemble_indefinite(run->s->ensemble));
}

/* What is looked for most often has a name of its own. */
static void add_known(ResultSet *set, const ResultNumber *n)
{
  static const struct {
    const char *observable, *quantity, *format;
  } known[] = {{"msd", "D_L", "diffusion_%s"},
               {"msd", "D_infinite", "diffusion_%s_corrected"},
               {"dipole", "epsilon", "dielectric_constant"}};
  for (size_t i = 0; i < sizeof known / sizeof *known && isfinite(n->value); i++) {
    if (strcmp(n->of, known[i].observable) != 0 || strcmp(n->name, known[i].quantity) != 0)
      continue;
    char name[96];
    snprintf(name, sizeof name, known[i].format, n->subject);
    results_mean(set, "", name, n->value, n->error, NAN, n->samples);
  }
}

static void summarise_observables(Run *run)
{
  ResultSet *observed = &water_run(run)->observed;
  for (int i = 0; i < observed->n; i++)
    add_known(&run->results, &observed->number[i]);
  results_append(&run->results, observed);
}

Status water_report_summary(Run *run, const WaterReport *of, Error *error)
{
  summarise_method(run, of);
  summarise_times(run);
  of->times(run);
  TRY(summarise_means(run, error));
  TRY(summarise_penalties(run, error));
  if (of->means != NULL)
    TRY(of->means(run, error));
  summarise_observables(run);
  return STATUS_OK;
}

/* --- results ----------------------------------------------------------------------------------------------
 */

static Status write_observables(const Run *run, Error *error)
{
  WaterRun *w = water_run(run);
  ResultSet *report = &w->observed;
  results_free(report);
  const Status status =
      w->sampling != NULL ? sampling_write(w->sampling, run->options->dir, report, error) : STATUS_OK;
  for (int i = 0; i < report->n && status == STATUS_OK; i++) {
    char words[512];
    results_number_line(&report->number[i], words, sizeof words);
    text_print(run->log, "%s\n", words);
  }
  if (report->remark[0] != '\0')
    report_remark(run, "observables: ", report->remark);
  return status;
}

static Status draw_thermo(const Run *run, Error *error)
{
  Error why;
  const WaterRun *w = water_run(run);
  const Status status = thermo_picture_draw(w->picture, run->options->dir, &why);
  return report_picture(run, status, &why, error);
}

/* Where ladders are few, and errors from blocks of time, observables learn how slow the energies are. */
static void conclude(const Run *run)
{
  const MbarEstimates *e = run->estimates;
  int sets;
  ObservableSet *const *set = sampling_sets(water_run(run)->sampling, &sets);
  measure_conclude(run->measure);
  if (e != NULL && e->errors == MBAR_ERRORS_BLOCKS && sets > 0)
    observable_set_learn(set[0], e->inefficiency, ladder_options(run->s->ladder)->interval);
}

Status water_report_results(Run *run, Error *error)
{
  conclude(run);
  TRY(write_replicas(run, error));
  TRY(write_observables(run, error));
  return draw_thermo(run, error);
}

/* --- last words
 * --------------------------------------------------------------------------------------------- */

void water_report_mean(char *words, size_t size, const char *what, double mean, double error, int64_t samples,
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
Status water_report_errors(const Run *run, char *words, size_t size, Error *error)
{
  MeasureCorrelation c;
  MixingResult m;
  const Mixing *mixing = measure_mixing(run->measure);
  Status status = tell_penalties(run, error);
  if (status == STATUS_OK && mixing != NULL)
    status = mixing_result(mixing, &m, error);
  if (status == STATUS_OK && mixing != NULL && m.alike.frozen)
    text_append(words, size,
                "note: the replicas are frozen (R-hat %.3g): each stays in a part of its own, and means say "
                "how they were started\n",
                m.alike.rhat);
  if (status == STATUS_OK)
    status = measure_correlation(run->measure, &c, error);
  if (status != STATUS_OK || measure_samples(run->measure) == 0 || c.thermo.plateau)
    return status;
  char steps[48] = "";
  if (c.steps > 0.0)
    snprintf(steps, sizeof steps, " (at least %.3g steps)", c.steps);
  text_append(words, size, "note: the run is short for its correlation%s: errors are lower bounds\n", steps);
  return STATUS_OK;
}

/* Where kinetic temperatures are off. */
void water_report_bias(const Run *run)
{
  char words[512];
  if (run->options->out != NULL && fabs(system_water(run->s)->rates.reading - 1.0) > tolerable &&
      water_report_reading(run->s, system_water(run->s)->rates.reading, words, sizeof words))
    fprintf(run->options->out, "%s", words);
}

Status water_report_cluster_words(Run *run, char *words, size_t size, Error *error)
{
  LOCALE_PLAIN;
  const WaterColumns *c = water_columns(run->s);
  const int64_t done = ensemble_step(run->s->ensemble);
  snprintf(words, size, "%lld steps of %d replica%s", (long long)done, run->s->replicas,
           run->s->replicas > 1 ? "s" : "");
  if (run->times.stepping > 0.0) /* not where parts are merged */
    text_append(words, size, " in %.1f s: %.4g replica-steps/s", run->times.wall,
                (double)done * run->s->replicas / run->times.stepping);
  text_append(words, size, "\n");
  static const char *const unit[] = {"kcal/mol", "kcal/mol", "K", "K"};
  const int column[] = {c->potential, c->total, c->temperature, c->unbiased};
  for (int i = 0; i < 4 && run->s->ladder == NULL && measure_samples(run->measure) > 0; i++) {
    double mean, err, tau;
    if (column[i] < 0)
      continue;
    TRY(measure_mean(run->measure, column[i], &mean, &err, &tau, error));
    water_report_mean(words, size, run->s->gauge->name[column[i]], mean, err, measure_samples(run->measure),
                      unit[i]);
  }
  tell_evaporation(run);
  water_report_bias(run);
  return water_report_errors(run, words, size, error);
}

void water_report_files(const Run *run, char *words, size_t size)
{
  const Config *c = run->s->config;
  text_append(words, size, ", thermo.csv");
  report_list_picture(run, "thermo", words, size);
  if (file_exists(run->options->dir, "rdf.csv"))
    text_append(words, size, ", rdf.csv (bins of %.3g A)",
                c->output.observe.rdf.max / c->output.observe.rdf.bins);
  report_list_picture(run, "rdf", words, size);
  if (run->status == STATUS_OK)
    text_append(words, size, "%s%s, final.xyz", system_form(run->s)->final != NULL ? ", " : "",
                system_form(run->s)->final != NULL ? system_form(run->s)->final : "");
  else if (file_exists(run->options->dir, "last-good.xyz"))
    text_append(words, size, ", last-good.xyz");
  if (file_exists(run->options->dir, "observables.json"))
    text_append(words, size, ", observables.json");
}

void water_report_evaporation(Run *run)
{
  results_whole(&run->results, "", "evaporated_replicas", count_evaporated(run));
  if (run->s->config->system.constraining_radius > 0.0)
    results_whole(&run->results, "", "sphere_returns", ensemble_refused(run->s->ensemble));
}
