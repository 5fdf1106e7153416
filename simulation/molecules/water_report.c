#include "simulation/molecules/water_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "integrators/oscillator.h"
#include "simulation/molecules/drift_report.h"
#include "simulation/molecules/system_words.h"
#include "simulation/molecules/water_run.h"
#include "simulation/run/penalty_report.h"

/* Words where temperature_unbiased does not exist. */
static const char no_unbiased[] = "momenta of this word never have exactly the set temperature";
/* Motions with different frictions share a temperature other than that of their noise. */
static const char uneven[] =
    "with thermostat.convention: uniform temperature_unbiased is not exact either (docs/theory.md)";

static const char *unbiased_words(const Simulation *s, const char *even)
{
  return !oscillator_unbiased(s->plan) ? no_unbiased
         : s->config->thermostat.type == THERMOSTAT_LANGEVIN &&
                 s->config->thermostat.convention == FRICTION_UNIFORM
             ? uneven
             : even;
}

/* --- evaporation ------- */

/* The limit of lines in the log; the summary has the total. */
enum { TOLD = 10 };

/* Inside a constraining sphere no molecule counts as having left. */
static int count_evaporated(const Run *run)
{
  int n = 0;
  if (run->s->config->system.constraining_radius > 0.0)
    return 0;
  for (int r = 0; r < ensemble_replicas(run->s->ensemble); r++)
    n += measure_evaporation(run->measure, r).step >= 0;
  return n;
}

static void print_evaporation(const Run *run)
{
  const int all = count_evaporated(run);
  int printed = 0;
  for (int r = 0; all > 0 && r < ensemble_replicas(run->s->ensemble) && printed < TOLD; r++) {
    const EvaporationEvent e = measure_evaporation(run->measure, r);
    if (e.step < 0)
      continue;
    text_print(run->log, "replica %d: molecule %d had left by step %lld, its nearest neighbour %.1f A away\n",
               r, e.molecule + 1, (long long)e.step, e.distance);
    printed++;
  }
}

/* --- the bias of kinetic temperatures ------- */

/* Larger relative deviations are reported. */
static const double tolerable = 0.01, slow_tolerable = 0.002;

static const double picosecond = 1000.0 / UNITS_AKMA_FS;

bool water_report_reading(const Simulation *s, char *words, size_t size)
{
  const SystemRates *rates = &system_molecules(s)->rates;
  words[0] = '\0';
  const double reading = rates->reading, kelvin = s->kT / UNITS_BOLTZMANN;
  if (!isfinite(reading) || !(s->kT > 0.0) || s->config->schedule.varies)
    return false;
  text_append(words, size,
              "%skinetic temperature: at %.6g K momenta at the end of a step read about %.5g K, by the "
              "word's discretisation alone; %s\n",
              fabs(reading - 1.0) > tolerable ? "note: " : "", kelvin, reading * kelvin,
              unbiased_words(s, "temperature_unbiased has no such bias"));
  if (fabs(rates->slow - 1.0) > slow_tolerable)
    text_append(words, size,
                "slow motions: sampled at about %.5g K if they exchange energy with fast motions faster than "
                "with the thermostat, as in liquids with weak friction%s\n",
                rates->slow * kelvin,
                s->config->thermostat.type == THERMOSTAT_LANGEVIN && oscillator_unbiased(s->plan)
                    ? "; the word GL-BAOAOAB samples them at the set temperature"
                    : "");
  if (s->config->output.conserved && fabs(rates->drift) > 2.0 * rates->drift_error)
    text_append(words, size,
                "conserved energy: drifts by about %.3g kcal/mol/ps in each replica, due to the word's "
                "shadow work (docs/theory.md)\n",
                rates->drift * picosecond);
  return true;
}

/* --- summary ------- */

/* Atoms in trajectories without names, unless all. */
static void report_selections(Run *run)
{
  char name[32], words[1024];
  for (int i = 0; i < TRAJECTORY_FORMATS; i++) {
    const Selection *selection = &water_run(run)->selection[i];
    if (selection->atom == NULL || (trajectory_formats[i]->traits & TRAJECTORY_NAMES) != 0 ||
        !selection_words(selection, words, sizeof words))
      continue;
    snprintf(name, sizeof name, "%s_atoms", trajectory_formats[i]->name);
    results_words(&run->results, "", name, words);
  }
}

void water_report_system(Run *run)
{
  ResultSet *set = &run->results;
  const MolecularSystem *w = system_molecules(run->s);
  results_words(set, "", w->origin->key, w->name);
  results_whole(set, "", "molecules", run->s->topology->nmol);
  results_words(set, "", "precision", w->precision == PAIR_DOUBLE ? "double" : "mixed");
  report_selections(run);
  system_words_summary(run->s, set);
}

void water_report_kinds(Run *run)
{
  const Topology *t = run->s->topology;
  results_group(&run->results, "kinds");
  for (int k = 0; k < t->nsort; k++) {
    int n = 0, first = -1; /* a file may count one molecule in several rows */
    for (int i = t->nsort - 1; i >= 0; i--)
      if (strcmp(t->sort[i].kind->name, t->sort[k].kind->name) == 0) {
        n += t->sort[i].nmol;
        first = i;
      }
    if (first == k)
      results_whole(&run->results, "kinds", t->sort[k].kind->name, n);
  }
}

void water_report_cluster_system(Run *run)
{
  water_report_system(run);
  if (system_origin(run->s)->described || run->s->topology->nsort > 1)
    water_report_kinds(run);
}

/* Adds the expected temperature. */
static void summarise_reading(Run *run)
{
  const SystemRates *rates = &system_molecules(run->s)->rates;
  if (!isfinite(rates->reading) || run->s->ladder != NULL || run->s->config->schedule.varies ||
      measure_samples(run->measure) == 0)
    return;
  const double kelvin = run->s->kT / UNITS_BOLTZMANN;
  results_real(&run->results, "", "temperature_expected", rates->reading * kelvin);
  results_note(&run->results, "%s", unbiased_words(run->s, "temperature_unbiased has no such error"));
  results_real(&run->results, "", "temperature_slow", rates->slow * kelvin);
}

/* Frequently used results have keys of their own. */
static void add_known(ResultSet *set, const ResultNumber *n)
{
  static const struct {
    const char *observable, *quantity, *format;
  } known[] = {{"msd", "D_L", "diffusion_%s"},
               {"msd", "D_infinite", "diffusion_%s_corrected"},
               {"dipole", "epsilon", "dielectric_constant"},
               {"volume", "compressibility", "compressibility"},
               {"volume", "expansion", "thermal_expansion"},
               {"volume", "heat_capacity", "heat_capacity"},
               {"zero_step", "potential_zero_step", "potential_zero_step"}};
  for (size_t i = 0; i < sizeof known / sizeof *known && isfinite(n->value); i++) {
    if (strcmp(n->of, known[i].observable) != 0 || strcmp(n->name, known[i].quantity) != 0)
      continue;
    char name[96];
    snprintf(name, sizeof name, known[i].format, n->subject);
    results_mean(set, "", name, n->value, n->error, NAN, n->samples);
  }
}

Status water_report_energies(Run *run, Error *error)
{
  TRY(penalty_report_summary(run, error));
  return drift_report_summary(run, error);
}

void water_report_known(Run *run)
{
  summarise_reading(run);
  for (int i = 0; i < run->observed.n; i++)
    add_known(&run->results, &run->observed.number[i]);
}

/* --- last words ------- */

/* Prints the bias of kinetic temperatures. */
static void tell_bias(const Run *run)
{
  char words[512];
  if (run->options->out != NULL && fabs(system_molecules(run->s)->rates.reading - 1.0) > tolerable &&
      water_report_reading(run->s, words, sizeof words))
    fprintf(run->options->out, "%s", words);
}

void water_report_remarks(const Run *run)
{
  if (run->s->sort->record->evaporates)
    print_evaporation(run);
  tell_bias(run);
}

void water_report_cluster_words(const Run *run, char *words, size_t size)
{
  const int64_t done = ensemble_step(run->s->ensemble);
  text_append(words, size, "%lld steps of %d replica%s", (long long)done, run->s->replicas,
              run->s->replicas > 1 ? "s" : "");
  if (run->times.stepping > 0.0) /* not for merged parts */
    text_append(words, size, " in %.1f s: %.4g replica-steps/s", run->times.wall,
                (double)done * run->s->replicas / run->times.stepping);
  text_append(words, size, "\n");
  water_report_remarks(run);
}

Status water_report_cluster_summary(Run *run, Error *error)
{
  TRY(water_report_energies(run, error));
  results_whole(&run->results, "", "evaporated_replicas", count_evaporated(run));
  if (run->s->config->system.constraining_radius > 0.0)
    results_whole(&run->results, "", "sphere_returns", ensemble_refused(run->s->ensemble));
  water_report_known(run);
  return STATUS_OK;
}
