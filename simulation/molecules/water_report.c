#include "simulation/molecules/water_report.h"

#include <math.h>

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

static Status write_replicas(const Run *run, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  const MeansTable table = table_of(run, kelvin);
  return means_write(measure_means(run->measure), &table, run->options->dir, error);
}

/* What the errors rest on. */
static Status summarise_correlation(const Run *run, Text *text, Error *error)
{
  MeasureCorrelation c;
  TRY(measure_correlation(run->measure, &c, error));
  if (c.blocks == 0) {
    text_print(text, "independent_samples: %d # the replicas, whose scatter the errors are from\n",
               ensemble_replicas(run->s->ensemble));
    return STATUS_OK;
  }
  text_print(text,
             "correlation_steps: %.4g # from one independent sample to the next%s, by the slowest of "
             "energies and distances\n"
             "independent_samples: %.4g%s\n"
             "error_blocks: %d # of time, that the errors are from\n"
             "errors: %s\n",
             c.steps, c.thermo.plateau ? "" : " (at least)", c.independent,
             c.thermo.plateau ? "" : " # at most", c.blocks,
             c.thermo.plateau
                 ? "sound # the blocks are longer than the correlation"
                 : "lower bounds # the run is too short for its correlation to be known: it must be longer");
  return STATUS_OK;
}

/* Whether there is one answer to be had, and since when. */
static Status summarise_mixing(const Run *run, Text *text, Error *error)
{
  MixingResult m;
  const Status status = mixing_result(measure_mixing(run->measure), &m, error);
  if (status != STATUS_OK || isnan(m.alike.rhat))
    return status;
  text_print(text, "rhat: %.4g # of the energies of %s\nmixing: %s\n", m.alike.rhat,
             m.chains > 1 ? "replicas" : "the halves of the run", convergence_word(&m.alike));
  if (m.gain > 1.5)
    text_print(text,
               "drift_until: %lld # step: most independent samples of the mean energy, %.2g times as many, "
               "come after it; output.equilibration should leave out what is before\n",
               (long long)run->s->equilibration + (long long)m.start * run->s->config->output.thermo_every,
               m.gain);
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

static Status summarise_penalties(const Run *run, Text *text, Error *error)
{
  PenaltyFound found;
  const Status status = find_penalties(run, &found, error);
  if (status == STATUS_OK)
    penalty_report_summary(run->s, &found, run->s->ladder != NULL, text);
  return status;
}

static Status tell_penalties(const Run *run, Error *error)
{
  PenaltyFound found;
  TRY(find_penalties(run, &found, error));
  return penalty_report_end(run, &found, error);
}

static Status summarise_means(const Run *run, Text *text, Error *error)
{
  const WaterColumns *c = water_columns(run->s);
  text_print(text, "samples: %lld # of each replica, after equilibration\n",
             (long long)measure_samples(run->measure));
  if (run->s->ladder != NULL) {
    double kelvin[LADDER_TEMPERATURES];
    const MeansTable table = table_of(run, kelvin);
    means_summary(measure_means(run->measure), &table, text);
    return STATUS_OK;
  }
  if (measure_samples(run->measure) == 0)
    return STATUS_OK;
  if (isfinite(system_water(run->s)->rates.reading))
    text_print(text,
               "temperature_expected: %.6g # K, what temperature reads at target_temperature by the word's "
               "discretisation alone, from the frequencies at the start; %s\n",
               system_water(run->s)->rates.reading * run->s->kT / UNITS_BOLTZMANN,
               c->unbiased >= 0 ? "temperature_unbiased has no such error" : no_unbiased);
  Status known = summarise_correlation(run, text, error);
  if (known == STATUS_OK)
    known = summarise_mixing(run, text, error);
  if (known != STATUS_OK)
    return known;
  for (int i = 0; i < c->momenta; i++) {
    double mean, err, tau;
    TRY(measure_mean(run->measure, i, &mean, &err, &tau, error));
    text_print(text, "%s: %.10g\n", run->s->gauge->name[i], mean);
    if (isfinite(err))
      text_print(text, "%s_err: %.4g\n", run->s->gauge->name[i], err);
    if (isfinite(tau))
      text_print(text, "%s_correlation: %.4g # samples\n", run->s->gauge->name[i], tau);
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

static void summarise_method(const Run *run, const WaterReport *of, Text *text)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  const char *method = c->geometry.method == GEOMETRY_PENALTY ? "penalty" : config_constraint_method(c);
  text_print(text, "model: %s\nmolecules: %d\nreplicas: %d\n",
             system_water(s)->model != NULL ? system_water(s)->model->name : "none", s->molecules,
             s->replicas);
  if (of->method != NULL)
    of->method(run, text);
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

static void summarise_times(const Run *run, Text *text)
{
  const int64_t done = ensemble_step(run->s->ensemble);
  const double work = (double)done * ensemble_replicas(run->s->ensemble);
  text_print(text, "steps: %lld\nsteps_wanted: %lld\n", (long long)done, (long long)run->s->steps);
  text_print(text, "time: %.10g # AKMA\n", (double)done * run->s->h);
  text_print(text, "time_ps: %.10g\n", system_picoseconds(run->s, done));
  report_wall(run, text);
  const double stepping = run->times.stepping;
  text_print(text, "steps_per_second: %.6g\nreplica_steps_per_second: %.6g\n",
             stepping > 0 ? (double)done / stepping : 0.0, stepping > 0 ? work / stepping : 0.0);
  double seconds[PART_COUNT], sum = 0.0;
  int64_t timed, steps;
  ensemble_clock(run->s->ensemble, seconds, &timed, &steps);
  for (int i = 0; i < PART_COUNT; i++)
    sum += seconds[i];
  if (sum > 0.0) {
    text_print(text, "share: # of the time in steps, from one step in 64\n");
    for (int i = 0; i < PART_COUNT; i++)
      text_print(text, "  %s: %.4f\n", plan_part_name((PlanPart)i), seconds[i] / sum);
  }
  text_print(text, "share_of_output: %.4f # writing files, of steps and files together\n",
             stepping + run->times.output > 0.0 ? run->times.output / (stepping + run->times.output) : 0.0);
  if (ensemble_indefinite(run->s->ensemble) > 0)
    text_print(text, "indefinite_solves: %lld # Zhang-Skeel matrices that were not positive definite\n",
               (long long)ensemble_indefinite(run->s->ensemble));
}

Status water_report_summary(const Run *run, const WaterReport *of, Text *text, Error *error)
{
  summarise_method(run, of, text);
  summarise_times(run, text);
  of->times(run, text);
  TRY(summarise_means(run, text, error));
  TRY(summarise_penalties(run, text, error));
  return of->means != NULL ? of->means(run, text, error) : STATUS_OK;
}

/* --- results ----------------------------------------------------------------------------------------------
 */

static Status write_observables(const Run *run, Error *error)
{
  WaterRun *w = water_run(run);
  ObservableReport *report = &w->observed;
  observable_report_free(report);
  const Status status =
      w->sampling != NULL ? sampling_write(w->sampling, run->options->dir, report, error) : STATUS_OK;
  for (int i = 0; i < report->n && status == STATUS_OK; i++) {
    char words[512];
    observable_number_words(&report->number[i], words, sizeof words);
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

void water_report_evaporation(const Run *run, Text *text)
{
  text_print(text, "evaporated_replicas: %d # where a molecule left the cluster\n", count_evaporated(run));
  if (run->s->config->system.constraining_radius > 0.0)
    text_print(text, "sphere_returns: %lld # times that a replica went back, for the constraining sphere\n",
               (long long)ensemble_refused(run->s->ensemble));
}
