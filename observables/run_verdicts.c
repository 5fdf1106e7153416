#include "observables/run_verdicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "observables/convergence.h"
#include "observables/run_tests.h"
#include "observables/run_verdicts_alchemy.h"
#include "observables/run_verdicts_biases.h"

enum { WORDS = 700, HEADLINE = 1600 };

/* The numbers and tests of a run. */
typedef struct Judged {
  RunFound of;
  RunTests tests;
} Judged;

/* Writes the sentence on a subject into words ("" if it does not apply), and returns its level. */
typedef ResultLevel Matter(const Judged *run, char *words);

static double number(const Judged *run, const char *key) { return results_value(run->of.set, "", key); }

static bool says(const Judged *run, const char *key, const char *text)
{
  return results_says(run->of.set, "", key, text);
}

static bool tested(const Judged *run, RunTested which) { return !isnan(run->tests.adjusted[which]); }

static bool alarms(const Judged *run, RunTested which) { return verdict_alarms(run->tests.adjusted[which]); }

static ResultLevel progress(const Judged *run, char *words)
{
  const double steps = number(run, "steps"), wanted = number(run, "steps_wanted");
  const ResultTable *t = run->of.series;
  const ResultColumn *step = results_numbers(t, "step");
  if (run->of.ended && steps < wanted) {
    text_append(words, WORDS, "%.0f of %.0f steps are done: means and errors are of these.", steps, wanted);
    return RESULT_NOTE;
  }
  if (!run->of.ended && step != NULL && t->nrow > 0)
    text_append(words, WORDS, "Its last row is of step %.0f.", step->value[t->nrow - 1]);
  return RESULT_NOTE;
}

static ResultLevel samples(const Judged *run, char *words)
{
  const double replicas = number(run, "replicas"), n = number(run, "independent_samples"),
               correlation = number(run, "correlation_steps");
  if (isnan(number(run, "samples")))
    return RESULT_NOTE;
  if (number(run, "samples") < 1.0) {
    text_append(words, WORDS, "There are no samples after equilibration, and no averages.");
    return RESULT_BAD;
  }
  const double ladders = results_value(run->of.set, "ladder", "ladders");
  if (isfinite(ladders)) {
    if (ladders > 1.0)
      text_append(words, WORDS, "Errors are from %.0f independent ladders%s.", ladders,
                  ladders < VERDICT_DRAWS ? ", too few for tests" : "");
    else
      text_append(words, WORDS, "Errors are from blocks of time of one ladder: other ladders may disagree.");
    return RESULT_NOTE;
  }
  if (replicas > 1.0 && says(run, "replicas_differ", "yes")) {
    text_append(words, WORDS,
                "The %.0f replicas have different parameters: means over them are averages of different "
                "systems, and their energies are not compared with each other.",
                replicas);
    return RESULT_NOTE;
  }
  if (replicas > 1.0) {
    text_append(words, WORDS, "Errors are from the scatter of %.0f replicas%s", replicas,
                replicas < VERDICT_DRAWS ? ", too few for tests."
                                         : ". They assume that the replicas have left their common start.");
    return replicas < VERDICT_DRAWS ? RESULT_WARN : RESULT_NOTE;
  }
  if (run_tests_draws(run->of.set) > 0) {
    text_append(
        words, WORDS,
        "There are about %.3g independent samples (one in %.3g steps): errors are from %.0f blocks of time.",
        n, correlation, number(run, "error_blocks"));
    return RESULT_GOOD;
  }
  if (isnan(n))
    return RESULT_NOTE;
  text_append(words, WORDS,
              "The run is too short to determine its correlation: at most %.3g independent samples. All "
              "errors are lower bounds; run longer (--resume with a larger time).",
              n);
  return RESULT_WARN;
}

static ResultLevel conditions(const Judged *run, char *words)
{
  if (run_tests_vary(run->of.set))
    text_append(
        words, WORDS,
        "Temperature or pressure follows a schedule after equilibration or differs between replicas, the "
        "electric field oscillates, or a bias pulls: "
        "means are averages over these conditions, and tests of equilibrium are left out.");
  return RESULT_NOTE;
}

static ResultLevel temperature(const Judged *run, char *words)
{
  const RunTests *t = &run->tests;
  if (says(run, "thermostat", "none")) {
    if (isfinite(t->temperature))
      text_append(words, WORDS, "There is no thermostat: the temperature is that of the start.");
    return RESULT_NOTE;
  }
  if (isnan(t->target) || isnan(t->temperature) || !(t->temperature_error > 0.0))
    return RESULT_NOTE;
  const bool test = tested(run, RUN_TESTED_TEMPERATURE), off = alarms(run, RUN_TESTED_TEMPERATURE);
  char text[RESULTS_SHOWN];
  text_append(words, WORDS, "The temperature, %s K, is %.1f standard errors from the %.5g K %s%s.",
              results_show(text, t->temperature, t->temperature_error), fabs(t->apart.z), t->target,
              t->unbiased ? "set" : "expected at the ends of steps",
              !test ? "; these errors allow no test"
              : off ? ": they disagree"
                    : ": they agree");
  return !test ? RESULT_NOTE : off ? RESULT_WARN : RESULT_GOOD;
}

/* R-hat across replicas, or the halves of a single one. */
static ResultLevel mixing(const Judged *run, char *words)
{
  const double rhat = number(run, "rhat");
  if (isnan(rhat))
    return RESULT_NOTE;
  text_append(words, WORDS, "R-hat of the energies of %s is %.3g: %s.",
              number(run, "replicas") > 1.0 ? "the replicas" : "the halves of the run", rhat,
              rhat < CONVERGENCE_SLOW ? "they sample the same distribution"
              : !says(run, "mixing", "frozen")
                  ? "they still depend on their starts, run longer"
                  : "they are frozen, each in its own region, so means depend on their starts");
  return rhat < CONVERGENCE_SLOW ? RESULT_GOOD : RESULT_WARN;
}

/* The step up to which the energy drifts. */
static ResultLevel settling(const Judged *run, char *words)
{
  const double until = number(run, "drift_until"), ps = number(run, "time_ps") / number(run, "steps");
  if (!(until > 0.0))
    return RESULT_NOTE;
  text_append(words, WORDS, "The energy drifts until step %.0f", until);
  if (isfinite(ps))
    text_append(words, WORDS, " (%.3g ps)", until * ps);
  text_append(words, WORDS, ": output.equilibration should exclude the steps before.");
  return RESULT_WARN;
}

/* The two halves of the rows after equilibration. If their correlation is unknown, errors are too large: a
 * difference is significant, agreement is not. */
static ResultLevel equilibration(const Judged *run, char *words)
{
  const RunTests *t = &run->tests;
  const bool off = alarms(run, RUN_TESTED_REST);
  const ResultColumn *potential = results_numbers(run->of.averaged, "potential");
  char first[RESULTS_SHOWN], second[RESULTS_SHOWN];
  if (potential == NULL)
    return RESULT_NOTE;
  if (t->rows < RUN_TESTS_ROWS) {
    text_append(
        words, WORDS,
        "Too few rows to test whether the run was stationary after equilibration: inspect the curves.");
    return RESULT_NOTE;
  }
  if (!tested(run, RUN_TESTED_REST) || (!t->sound && !off)) {
    text_append(words, WORDS,
                "Stationarity after equilibration cannot be tested: the halves of the series are too short "
                "for the correlation of the energy. Inspect the curves.");
    return RESULT_NOTE;
  }
  text_append(words, WORDS, "The %s in the first and the second half after equilibration, %s and %s%s%s, %s.",
              potential->quantity != NULL ? potential->quantity->label : potential->name,
              results_show(first, t->half[0].mean, t->half_error[0]),
              results_show(second, t->half[1].mean, t->half_error[1]), potential->unit[0] != '\0' ? " " : "",
              potential->unit,
              off ? "differs: equilibration was too short (output.equilibration)"
                  : "agrees: no sign that equilibration was too short");
  return off ? RESULT_WARN : RESULT_GOOD;
}

/* A drift of more than this fraction of the kinetic energy, beyond the word's prediction and its own error,
 * causes a warning for any length of the series. */
static const double drift_large = 0.01, drift_errors = 3.0;

/* The rate, and the expected rate. */
static ResultLevel drift(const Judged *run, char *words)
{
  const RunTests *t = &run->tests;
  if (!t->line_fits)
    return RESULT_NOTE;
  const double kinetic = number(run, "kinetic"), rate = t->line.slope - t->expected,
               error = hypot(t->line.slope_error, t->expected_error);
  const bool test = tested(run, RUN_TESTED_DRIFT), clear = fabs(rate) > drift_errors * error,
             seen = test ? alarms(run, RUN_TESTED_DRIFT) : clear,
             large = seen && fabs(rate) * t->length > drift_large * kinetic,
             explained = t->expected_error > 0.0;
  char measured[RESULTS_SHOWN], expected[RESULTS_SHOWN];
  text_append(words, WORDS, "The conserved energy %s: %s kcal/mol/ps over %.4g ps",
              !explained ? seen ? "drifts" : "shows no drift"
              : seen     ? "drifts at a rate that the word does not explain"
              : test     ? "drifts at the rate that the word explains"
                         : "may drift at the rate that the word explains",
              results_show(measured, t->line.slope, t->line.slope_error), t->length);
  if (explained)
    text_append(words, WORDS, ", of which the word's own shadow work explains %s",
                results_show(expected, t->expected, t->expected_error));
  if (!test)
    text_append(words, WORDS, "; the series is too short for a reliable error");
  if (seen && kinetic > 0.0)
    text_append(words, WORDS, "%s %.2g %% of the kinetic energy",
                explained ? "; the unexplained part is" : ",", 100.0 * fabs(rate) * t->length / kinetic);
  text_append(words, WORDS, large ? "; use a shorter step." : ".");
  return large ? RESULT_WARN : !test || seen ? RESULT_NOTE : RESULT_GOOD;
}

/* The energy error of mechanical systems. */
static ResultLevel energy(const Judged *run, char *words)
{
  const double first = number(run, "energy_first"), off = number(run, "energy_error");
  if (isnan(first) || isnan(off))
    return RESULT_NOTE;
  text_append(words, WORDS, "The energy, %.6g at first, deviated by up to %.2g.", first, off);
  return RESULT_NOTE;
}

static ResultLevel constraints(const Judged *run, char *words)
{
  const ResultNumber *largest = results_find(run->of.set, "", "", "largest_g");
  const double g = number(run, "largest_g");
  const char *method = results_text(run->of.set, "method");
  const bool penalty = strstr(method, "penalty") != NULL || isfinite(number(run, "w"));
  if (isnan(g) || method[0] == '\0' || strcmp(method, "none") == 0)
    return RESULT_NOTE;
  if (penalty) {
    text_append(words, WORDS, "Constraints are penalties: the largest relative |g| is %.2g%s.", g,
                largest->meant ? " on average" : "");
    return RESULT_NOTE;
  }
  text_append(words, WORDS, "Constraints are satisfied to %.1e of their lengths.", g);
  return g < 1e-6 ? RESULT_GOOD : RESULT_WARN;
}

/* The energy of penalties compared with equipartition and with the step's prediction (docs/statistics.md). */
static ResultLevel penalties(const Judged *run, char *words)
{
  const double energy = number(run, "penalty"), due = number(run, "penalty_equipartition"),
               expected = number(run, "penalty_heat_expected"), heat = number(run, "penalty_heat"),
               allowed = number(run, "penalty_heat_allowed"), at = number(run, "penalty_temperature");
  char text[RESULTS_SHOWN];
  if (isnan(allowed))
    return RESULT_NOTE;
  const ResultNumber *verdict = results_find(run->of.set, "", "", "penalty_heated");
  const bool heated = says(run, "penalty_heated", "yes"), cools = (isfinite(heat) ? heat : expected) < 0.0;
  text_append(words, WORDS, "%s",
              !heated ? "Penalties"
              : cools ? "The step cools the penalties"
                      : "The step heats the penalties");
  if (isfinite(at))
    text_append(words, WORDS, heated ? " at %.5g K" : ", at %.5g K,", at);
  text_append(words, WORDS, heated ? ": they" : "");
  if (isfinite(energy))
    text_append(words, WORDS, " have an energy of %s; equipartition gives %.3g",
                results_show(text, energy, results_error(run->of.set, "", "penalty")), due);
  else
    text_append(words, WORDS, " should have %.3g by equipartition", due);
  if (isfinite(heat))
    text_append(words, WORDS, "; %s of it is heat, beyond equipartition and strain by forces",
                results_show(text, heat, results_error(run->of.set, "", "penalty_heat")));
  if (isfinite(expected))
    text_append(words, WORDS, "; by its own prediction the step %s %s%.3g",
                expected < 0.0 ? "removes" : "adds",
                says(run, "penalty_heat_bound", "lower") ? "at least " : "", fabs(expected));
  else
    text_append(words, WORDS, "; by its own prediction the step is unstable");
  if (heated)
    text_append(words, WORDS, ". This exceeds the limit of %.3g: %s.", allowed, verdict->note);
  else
    text_append(words, WORDS, ". The limit is %.3g.", allowed);
  return heated                                               ? RESULT_WARN
         : isfinite(heat) && run_tests_draws(run->of.set) > 0 ? RESULT_GOOD
                                                              : RESULT_NOTE;
}

/* Temperature ladders: whether replicas travel through them, and whether ladders agree. */
static ResultLevel ladder(const Judged *run, char *words)
{
  enum { SLOW = 20 }; /* least number of round trips in a ladder for mixed replicas */
  const char *key[] = {"rhat", "acceptance_least", "round_trips", "ladders", "consistent"},
             *mixing = results_word(run->of.set, "ladder", "mixing");
  const ResultNumber *stuck = results_find(run->of.set, "ladder", "", "bottleneck"),
                     *state = results_find(run->of.set, "ladder", "", "bottleneck_state");
  double x[5];
  stuck = stuck != NULL ? stuck : state;
  for (int k = 0; k < 5; k++)
    x[k] = results_value(run->of.set, "ladder", key[k]);
  if (isnan(x[1]))
    return RESULT_NOTE;
  ResultLevel verdict = RESULT_GOOD;
  text_append(words, WORDS,
              "Exchanges between neighbours: the least acceptance is %.2g, with %.0f round trips between "
              "the ends of %.0f ladder%s",
              x[1], x[2], x[3], x[3] > 1.0 ? "s" : "");
  if (stuck != NULL || x[2] < SLOW * x[3]) {
    text_append(words, WORDS, "; %s", stuck != NULL ? stuck->note : "few: run longer");
    verdict = RESULT_WARN;
  }
  if (isfinite(x[0])) {
    text_append(words, WORDS, ". R-hat of the energies across ladders is %.4g: %s", x[0],
                mixing != NULL ? mixing : "unknown");
    verdict = x[0] < CONVERGENCE_SLOW                           ? verdict
              : mixing != NULL && strcmp(mixing, "frozen") == 0 ? RESULT_BAD
                                                                : RESULT_WARN;
  }
  if (alarms(run, RUN_TESTED_LADDER)) {
    text_append(words, WORDS,
                ". The energies at the temperatures contradict each other (p = %.1g): the sampling is not "
                "canonical, or not in equilibrium",
                x[4]);
    verdict = RESULT_BAD;
  }
  text_append(words, WORDS, ".");
  return verdict;
}

static ResultLevel windows(const Judged *run, char *words)
{
  return run_verdicts_biases_windows(run->of.set, words, WORDS);
}

static ResultLevel pull(const Judged *run, char *words)
{
  return run_verdicts_biases_pull(run->of.set, words, WORDS);
}

static ResultLevel alchemy(const Judged *run, char *words)
{
  return run_verdicts_alchemy(run->of.set, words, WORDS);
}

static ResultLevel evaporation(const Judged *run, char *words)
{
  const double n = number(run, "evaporated_replicas"), all = number(run, "replicas");
  if (isnan(n))
    return RESULT_NOTE;
  if (n > 0.0)
    text_append(
        words, WORDS,
        "In %.0f of %.0f replicas a molecule has left the cluster: averages mix clusters and gas. A wall "
        "(system.wall) or a constraining sphere (system.constraining_radius) keeps them together.",
        n, all);
  else
    text_append(words, WORDS, "No molecule has left the cluster.");
  return n > 0.0 ? RESULT_WARN : RESULT_GOOD;
}

/* Rejected boxes truncate the distribution of volumes. */
static ResultLevel volumes(const Judged *run, char *words)
{
  const double n = number(run, "barostat_too_small");
  if (n > 0.0)
    text_append(words, WORDS,
                "%.0f moves of the barostat were rejected because the box would have been too small for the "
                "cutoff: only larger boxes are sampled, and the mean volume is too large.",
                n);
  return RESULT_WARN;
}

static ResultLevel solves(const Judged *run, char *words)
{
  const double n = number(run, "indefinite_solves");
  if (n > 0.0)
    text_append(words, WORDS,
                "%.0f Zhang-Skeel matrices were not positive definite: the step is long for these penalties.",
                n);
  return RESULT_WARN;
}

static ResultLevel left_out(const Judged *run, char *words)
{
  int n = 0;
  const char *first = "";
  for (int i = 0; i < run->of.set->n; i++) {
    const ResultNumber *it = &run->of.set->number[i];
    if (it->observed && !isfinite(it->value) && n++ == 0)
      first = it->note;
  }
  if (n > 0)
    text_append(words, WORDS, "%d number%s of the observables %s left out%s%.300s", n, n > 1 ? "s" : "",
                n > 1 ? "are" : "is", *first != '\0' ? ", the first of them: " : ".",
                strncmp(first, "left out: ", 10) == 0 ? first + 10 : first);
  return RESULT_NOTE;
}

/* A subject, its test, and the headline's reason and advice if the test fails. `steady`: it has a meaning
 * only under constant conditions. */
typedef struct {
  const char *name;
  Matter *judge;
  const char *why;
  RunTested test;
  bool steady;
} Row;

static const char not_settled[] = "the energy still drifts after equilibration (raise output.equilibration)";

static const Row rows[] = {
    {"progress", progress, .why = ""},
    {"conditions", conditions, .why = ""},
    {"samples", samples, .steady = true,
     .why = "there are few independent samples (raise integrator.time or ensemble.replicas)"},
    {"mixing", mixing, .steady = true, .why = "the run still depends on its start (raise integrator.time)"},
    {"settling", settling, .steady = true, .why = not_settled},
    {"rest", equilibration, .steady = true, .why = not_settled, .test = RUN_TESTED_REST},
    {"temperature", temperature, .steady = true,
     .why = "the temperature differs from the one set (try a shorter integrator.timestep)",
     .test = RUN_TESTED_TEMPERATURE},
    {"drift", drift, .steady = true,
     .why = "the conserved energy drifts more than the step explains (use a shorter integrator.timestep)",
     .test = RUN_TESTED_DRIFT},
    {"energy", energy, .why = ""},
    {"constraints", constraints,
     .why = "constraints are not satisfied closely (use a smaller geometry.tolerance)"},
    {"penalties", penalties, .steady = true,
     .why = "the step heats the penalties, so total energies and heat capacities do not correspond to the "
            "temperature set (use a shorter integrator.timestep, as holonom check suggests, or a smaller "
            "geometry.w)"},
    {"ladder", ladder,
     .why =
         "temperatures of the ladder do not mix or do not agree (raise integrator.time or exchange.number)",
     .test = RUN_TESTED_LADDER},
    {"windows", windows, .why = "umbrella windows do not overlap (add windows to biases)"},
    {"pull", pull,
     .why = "the work of the pull does not suffice for a free energy (raise biases.over, ensemble.replicas "
            "or output.equilibration)"},
    {"alchemy", alchemy,
     .why = "the alchemical states do not suffice for a free energy (add states, or raise integrator.time)"},
    {"evaporation", evaporation,
     .why = "molecules have left the cluster (lower the temperature, or set system.constraining_radius)"},
    {"volumes", volumes,
     .why = "the box is too small for its volume to fluctuate freely (take more molecules, or a shorter "
            "forces.cutoff)"},
    {"solves", solves, .why = "the step is too long for these penalties (use a shorter integrator.timestep)"},
    {"observables", left_out, .why = ""},
};
enum { MATTERS = (int)(sizeof rows / sizeof *rows) };

/* Lists the reasons of all subjects with the worst level. */
static void reasons(const ResultLevel *verdict, ResultLevel worst, char *words)
{
  const char *why[MATTERS];
  int n = 0;
  for (int i = 0; i < MATTERS; i++) {
    bool known = verdict[i] != worst || rows[i].why[0] == '\0';
    for (int k = 0; k < n; k++)
      known |= why[k] == rows[i].why;
    if (!known)
      why[n++] = rows[i].why;
  }
  for (int k = 0; k < n; k++)
    text_append(words, HEADLINE, "%s%s", k == 0 ? ", since " : k == n - 1 ? ", and " : ", ", why[k]);
  text_append(words, HEADLINE, ".");
}

/* The headline of the verdicts. */
static ResultLevel headline(const Judged *run, const ResultLevel *verdict, ResultLevel worst, int tests,
                            int notes, char *words)
{
  const char *ended = results_text(run->of.set, "ended");
  if (!run->of.ended) {
    text_append(
        words, HEADLINE,
        "This run has no results: it was killed, or is not yet merged. The report shows the data available.");
    return RESULT_WARN;
  }
  if (strcmp(ended, "failed") == 0) {
    text_append(words, HEADLINE, "This run failed: %.500s", results_text(run->of.set, "message"));
    return RESULT_BAD;
  }
  if (worst == RESULT_BAD || worst == RESULT_WARN) {
    text_append(words, HEADLINE,
                worst == RESULT_BAD ? "Not to be used as it stands" : "To be used with care");
    reasons(verdict, worst, words);
  } else if (tests == 0)
    text_append(words, HEADLINE, "The run is %s; nothing about it could be tested.", ended);
  else
    text_append(
        words, HEADLINE,
        notes > 0
            ? "Nothing that could be tested speaks against these numbers. Inspect what could not be tested."
            : "Nothing speaks against these numbers.");
  if (strcmp(ended, "interrupted") == 0)
    text_append(words, HEADLINE, " The run was interrupted.");
  return worst == RESULT_NOTE ? RESULT_GOOD : worst;
}

static Status judge(ResultSet *set, const RunFound *found, Error *error)
{
  char words[MATTERS][WORDS] = {{0}}, top[HEADLINE] = "";
  ResultLevel level[MATTERS], worst = RESULT_NOTE;
  int tests = 0, notes = 0;
  Judged run = {.of = *found};
  TRY(run_tests_make(&run.tests, found, error));
  for (int i = 0; i < MATTERS; i++) {
    level[i] = rows[i].steady && run_tests_vary(set) ? RESULT_NOTE : rows[i].judge(&run, words[i]);
    if (words[i][0] == '\0') {
      level[i] = RESULT_NOTE;
      continue;
    }
    tests += level[i] != RESULT_NOTE;
    notes += level[i] == RESULT_NOTE;
    worst = level[i] > worst ? level[i] : worst;
  }
  const ResultLevel all = headline(&run, level, worst, tests, notes, top);
  results_judge(set, "run", all, NAN, top);
  for (int i = 0; i < MATTERS; i++)
    if (words[i][0] != '\0')
      results_judge(set, rows[i].name, level[i], run.tests.adjusted[rows[i].test], words[i]);
  return results_failed(set) ? error_memory(error, "verdicts") : STATUS_OK;
}

Status run_verdicts_make(ResultSet *set, Error *error)
{
  LOCALE_PLAIN;
  if (set->nverdict > 0)
    return STATUS_OK;
  /* Rows are read into another set; the tables of the given one are unchanged. */
  ResultSet tables = results_make(set->sorts, set->reduced);
  tables.dir = set->dir;
  const RunFound found = run_tests_read(set, &tables);
  const Status status = judge(set, &found, error);
  tables.dir = NULL;
  results_free(&tables);
  return status;
}
