#include "simulation/run/penalty_report.h"

#include <math.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "observables/verdict.h"
#include "simulation/run/ladder_report.h"

typedef struct PenaltyFound {
  double kT;
  PenaltyHeat expected;
  double energy, error;    /* of the penalties; NAN: not measured */
  double heat, heat_error; /* excess over the exact energy; NAN: not measured */
  int64_t draws;           /* number of draws for the errors; 0: the errors are not reliable */
  bool heated;             /* |heat| above the limit is measured (verdict.h), or predicted and not refuted */
} PenaltyFound;

/* excess: mean of the column with its error; NAN: there is no such column. family: number of tests in the
 * run. */
static void judge(PenaltyFound *f, double excess, double excess_error, int family)
{
  const PenaltyHeat *e = &f->expected;
  f->heat = excess + e->seen - e->due;
  f->heat_error = excess_error;
  const double over = fabs(f->heat) - e->allowed;
  const bool shown = verdict_alarms(family * verdict_above(over, excess_error, f->draws)),
             refuted = verdict_alarms(family * verdict_above(-over, excess_error, f->draws));
  f->heated = e->modes > 0 && (shown || (fabs(e->heat) > e->allowed && !refuted));
}

/* The heat relative to the limit. */
static double degree(const PenaltyFound *f)
{
  const double heat = isfinite(f->heat) ? f->heat : f->expected.heat;
  return fabs(heat) / f->expected.allowed;
}

static int temperatures_of(const Simulation *s)
{
  return s->ladder != NULL ? ladder_options(s->ladder)->n : 1;
}

/* The mean of a column with samples, at temperature k of a ladder; NAN without one. */
static void average(const Run *run, int column, int k, double *mean, double *error)
{
  *mean = *error = NAN;
  if (column >= 0 && measure_samples(run->measure) > 0)
    measure_mean(run->measure, column, k, mean, error, NULL);
}

/* The number of draws for the errors. */
static int64_t count_draws(const Run *run)
{
  if (run->s->ladder != NULL || run->s->replicas > 1)
    return means_draws(measure_means(run->measure));
  const MeasureCorrelation c = measure_correlation(run->measure);
  return c.thermo.plateau ? c.blocks : 0;
}

/* At temperature k of a ladder; without a ladder at that of the run. */
static void find_at(const Run *run, const PenaltyKinds *modes, int k, PenaltyFound *found)
{
  double excess, excess_error;
  const Simulation *s = run->s;
  *found = (PenaltyFound){.kT = s->ladder != NULL ? ladder_kT(s->ladder, k) : s->kT};
  found->expected = penalty_heat(s, modes, s->h, found->kT);
  found->draws = count_draws(run);
  average(run, measurement_find(s->measurement, "penalty"), k, &found->energy, &found->error);
  average(run, measurement_find(s->measurement, "penalty_excess"), k, &excess, &excess_error);
  judge(found, excess, excess_error, temperatures_of(s));
}

/* Evaluates the penalties, in a ladder at the temperature with the largest excess. */
static Status find(const Run *run, PenaltyFound *found, Error *error)
{
  SCOPED(penalty_kinds_free) PenaltyKinds modes = {0};
  *found = (PenaltyFound){.kT = run->s->kT};
  if (!config_penalises(run->s->config) || run->s->config->schedule.varies)
    return STATUS_OK;
  TRY(penalty_kinds_create(&modes, run->s, error));
  for (int k = 0; k < temperatures_of(run->s); k++) {
    PenaltyFound at;
    find_at(run, &modes, k, &at);
    if (k == 0 || at.heated > found->heated || (at.heated == found->heated && degree(&at) > degree(found)))
      *found = at;
  }
  return STATUS_OK;
}

/* --- words ------- */

static const char *energy_unit(const Simulation *s) { return s->config->reduced ? "" : " kcal/mol"; }

/* "0.62 fs", or a number in reduced units. */
static void step_words(const Simulation *s, double h, char *words, size_t size)
{
  /* rounded down to two digits */
  const double x = s->config->reduced ? h : h * UNITS_AKMA_FS, unit = pow(10.0, floor(log10(x)) - 1.0);
  text_append(words, size, "%.4g%s", unit * floor(x / unit * (1.0 + 1e-9)), s->config->reduced ? "" : " fs");
}

/* The largest acceptable time step, and an alternative. */
static void advice(const Simulation *s, const PenaltyKinds *modes, const PenaltyHeat *e, double kT,
                   char *words, size_t size)
{
  text_append(words, size, "integrator.timestep up to ");
  step_words(s, penalty_step(s, modes, s->h, kT), words, size);
  text_append(words, size, " keeps %s within %g %% of equipartition", e->least ? "the predicted heat" : "it",
              100.0 * PENALTY_ALLOWED);
  if (!s->config->thermostat.tangent)
    text_append(words, size, "; thermostat.noise: tangent leaves these modes cold and allows longer steps");
  else
    text_append(words, size, "; so does a smaller geometry.w");
}

Status penalty_report_summary(Run *run, Error *error)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  PenaltyFound found;
  TRY(find(run, &found, error));
  const PenaltyFound *f = &found;
  const PenaltyHeat *e = &f->expected;
  const double draws = f->draws > 0 ? (double)f->draws : NAN;
  if (e->modes == 0)
    return STATUS_OK;
  if (results_find(set, "", "", "penalty") == NULL && isfinite(f->energy)) {
    results_mean(set, "", "penalty", f->energy, f->error, NAN, draws);
    results_note(set, "%s", s->ladder != NULL ? "at penalty_temperature" : "");
  }
  if (s->ladder != NULL)
    results_real(set, "", "penalty_temperature", simulation_kelvin(s, f->kT));
  results_real(set, "", "penalty_equipartition", e->due);
  results_note(set, "%s",
               s->config->thermostat.tangent ? "noise along the manifold does not reach the penalised modes"
                                             : "1/2 kT for each penalised mode");
  results_real(set, "", "penalty_heat_expected", isfinite(e->heat) ? e->heat : INFINITY);
  if (e->least) {
    results_words(set, "", "penalty_heat_bound", "lower");
    results_note(set, "fast force-field motions, mainly bends of hydrogens, add heat");
  }
  if (isfinite(f->heat))
    results_mean(set, "", "penalty_heat", f->heat, f->heat_error, NAN, draws);
  results_real(set, "", "penalty_heat_allowed", e->allowed);
  results_note(set, "%g %% of 1/2 kT for each of %d penalised modes", 100.0 * PENALTY_ALLOWED, e->modes);
  results_words(set, "", "penalty_heated", f->heated ? "yes" : "no");
  if (!f->heated)
    return STATUS_OK;
  SCOPED(penalty_kinds_free) PenaltyKinds modes = {0};
  char words[256] = "";
  TRY(penalty_kinds_create(&modes, s, error));
  advice(s, &modes, e, f->kT, words, sizeof words);
  results_note(set, "total energies and heat capacities are not those of this temperature; %s", words);
  return STATUS_OK;
}

/* "adds at least 1.3 of heat", "removes 0.27 of it". */
static void heat_words(const PenaltyHeat *e, char *words, size_t size)
{
  if (e->heat < 0.0)
    text_append(words, size, "removes %.3g of it", -e->heat);
  else
    text_append(words, size, "adds %s%.3g of heat", e->least ? "at least " : "", e->heat);
}

/* --- before a run ------- */

/* The temperature with the largest heat relative to the limit: heat is proportional to kT^2, the limit to
 * kT. */
static double highest(const Simulation *s)
{
  double kT = s->kT;
  for (int k = 0; s->ladder != NULL && k < temperatures_of(s); k++)
    kT = fmax(kT, ladder_kT(s->ladder, k));
  if (config_schedule_has(s->config, SCHEDULED_TEMPERATURE))
    kT = fmax(kT, config_schedule_highest(s->config));
  return kT;
}

/* Equipartition and predicted heat at that temperature, with the acceptable time step. Excessive heat gives a
 * warning and *heated. `words` is empty without a prediction. */
static Status expected(const Simulation *s, char *words, size_t size, bool *heated, Error *error)
{
  words[0] = '\0';
  *heated = false;
  if (!config_penalises(s->config) || s->config->thermostat.type == THERMOSTAT_NONE)
    return STATUS_OK;
  SCOPED(penalty_kinds_free) PenaltyKinds modes = {0};
  TRY(penalty_kinds_create(&modes, s, error));
  const double kT = highest(s);
  const PenaltyHeat e = penalty_heat(s, &modes, s->h, kT);
  if (e.modes > 0) {
    *heated = fabs(e.heat) > e.allowed;
    text_append(words, size, "%sat %s%.5g%s penalties have %.3g%s by equipartition%s, and the time step ",
                *heated ? "warning: " : "", s->config->reduced ? "kT = " : "", simulation_kelvin(s, kT),
                s->config->reduced ? "" : " K", e.due, energy_unit(s),
                s->config->thermostat.tangent ? " (noise does not reach them)" : "");
    heat_words(&e, words, size);
    if (e.least)
      text_append(words, size, ", plus that of fast force-field motions, mainly bends of hydrogens");
    text_append(words, size, "; ");
    if (*heated)
      advice(s, &modes, &e, kT, words, size);
    else {
      text_append(words, size, "%.3g is allowed", e.allowed);
      if (!e.least) {
        text_append(words, size, ": time steps up to ");
        step_words(s, penalty_step(s, &modes, 16.0 * s->h, kT), words, size);
        text_append(words, size, " satisfy this");
      } else
        text_append(words, size, "; the run reports the measured heat");
    }
  }
  return STATUS_OK;
}

void penalty_report_start(const Run *run)
{
  char words[700];
  bool heated;
  Error why;
  if (expected(run->s, words, sizeof words, &heated, &why) != STATUS_OK)
    return; /* no memory: the run reports it */
  if (heated)
    run_remark(run, "", words);
  else if (words[0] != '\0')
    text_print(run->log, "penalties: %s\n", words);
}

Status penalty_report_check(Simulation *s, FILE *out, Error *error)
{
  char words[700];
  bool heated;
  TRY(expected(s, words, sizeof words, &heated, error));
  if (words[0] != '\0')
    fprintf(out, "%s%s\n", heated ? "" : "penalties: ", words);
  return STATUS_OK;
}
