/* What the numbers of a run say of it, in words. Each matter is a row; one of which nothing can be said says
 * so, or nothing where it does not arise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"
#include "html/run_tests.h"
#include "observables/convergence.h"

enum { WORDS = 700, HEADLINE = 1600 };

/* A matter writes its sentence into words, "" for none, and returns how it stands. */
typedef HtmlVerdict Matter(const RunRead *run, char *words);

static double number(const RunRead *run, const char *key) { return results_value(run->set, "", key); }

static bool tested(const RunRead *run, RunTested which) { return !isnan(run->tests->adjusted[which]); }

static bool alarms(const RunRead *run, RunTested which)
{
  return verdict_alarms(run->tests->adjusted[which]);
}

static HtmlVerdict progress(const RunRead *run, char *words)
{
  const double steps = number(run, "steps"), wanted = number(run, "steps_wanted");
  const ResultTable *t = run->series;
  const ResultColumn *step = run_read_numbers(t, "step");
  if (run->ended && steps < wanted) {
    text_append(words, WORDS, "%.0f of %.0f steps are done: means and errors are of these.", steps, wanted);
    return HTML_NOTE;
  }
  if (!run->ended && step != NULL && t->nrow > 0)
    text_append(words, WORDS, "Its last row is of step %.0f.", step->value[t->nrow - 1]);
  return HTML_NOTE;
}

static HtmlVerdict samples(const RunRead *run, char *words)
{
  const double replicas = number(run, "replicas"), n = number(run, "independent_samples"),
               correlation = number(run, "correlation_steps");
  if (isnan(number(run, "samples")))
    return HTML_NOTE;
  if (number(run, "samples") < 1.0) {
    text_append(words, WORDS, "There is no sample after equilibration: there are no averages.");
    return HTML_BAD;
  }
  const double ladders = results_value(run->set, "ladder", "ladders");
  if (isfinite(ladders)) {
    if (ladders > 1.0)
      text_append(words, WORDS, "Errors are from %.0f independent ladders%s.", ladders,
                  ladders < VERDICT_DRAWS ? ", too few for tests" : "");
    else
      text_append(words, WORDS, "Errors are from blocks of time of one ladder: others may disagree.");
    return HTML_NOTE;
  }
  if (replicas > 1.0) {
    text_append(words, WORDS, "Errors are from the scatter of %.0f replicas%s", replicas,
                replicas < VERDICT_DRAWS
                    ? ", too few for tests."
                    : ", which are independent of each other once they have forgotten the start "
                      "they share; that is not shown by these errors.");
    return replicas < VERDICT_DRAWS ? HTML_WARN : HTML_NOTE;
  }
  if (run_tests_draws(run) > 0) {
    text_append(
        words, WORDS,
        "There are about %.3g independent samples (one in %.3g steps): errors are from %.0f blocks of time.",
        n, correlation, number(run, "error_blocks"));
    return HTML_GOOD;
  }
  if (isnan(n))
    return HTML_NOTE;
  text_append(words, WORDS,
              "The run is too short for its own correlation to be known: at most %.3g independent samples. "
              "All errors are lower bounds; run longer (--resume with a larger time).",
              n);
  return HTML_WARN;
}

static HtmlVerdict temperature(const RunRead *run, char *words)
{
  const RunTests *t = run->tests;
  if (strcmp(run_read_word(run, "thermostat"), "none") == 0) {
    if (isfinite(t->temperature))
      text_append(words, WORDS, "There is no thermostat: the temperature is that of the start.");
    return HTML_NOTE;
  }
  if (isnan(t->target) || isnan(t->temperature) || !(t->temperature_error > 0.0))
    return HTML_NOTE;
  const bool test = tested(run, RUN_TESTED_TEMPERATURE), off = alarms(run, RUN_TESTED_TEMPERATURE);
  char text[HTML_NUMBER];
  text_append(words, WORDS, "The temperature, %s K, is %.1f standard errors from the %.5g K %s%s.",
              html_measured(text, t->temperature, t->temperature_error), fabs(t->apart.z), t->target,
              t->unbiased ? "that are set" : "that this step reads when it is right",
              !test ? "; with such errors that is no test"
              : off ? ": they do not agree"
                    : ": they agree");
  return !test ? HTML_NOTE : off ? HTML_WARN : HTML_GOOD;
}

/* R-hat across replicas, or the halves of the only one. */
static HtmlVerdict mixing(const RunRead *run, char *words)
{
  const double rhat = number(run, "rhat");
  if (isnan(rhat))
    return HTML_NOTE;
  text_append(words, WORDS, "R-hat of the energies of %s is %.3g: %s.",
              number(run, "replicas") > 1.0 ? "the replicas" : "the halves of the run", rhat,
              rhat < CONVERGENCE_SLOW ? "they sample the same"
              : strcmp(run_read_word(run, "mixing"), "frozen") != 0
                  ? "they are slow to forget where they began, run longer"
                  : "they are frozen, each in a part of its own, and means say how they were started");
  return rhat < CONVERGENCE_SLOW ? HTML_GOOD : HTML_WARN;
}

/* Where the energy has stopped to drift. */
static HtmlVerdict settling(const RunRead *run, char *words)
{
  const double until = number(run, "drift_until"), ps = number(run, "time_ps") / number(run, "steps");
  if (!(until > 0.0))
    return HTML_NOTE;
  text_append(words, WORDS, "The energy drifts until step %.0f", until);
  if (isfinite(ps))
    text_append(words, WORDS, " (%.3g ps)", until * ps);
  text_append(words, WORDS, ": output.equilibration should leave out what is before.");
  return HTML_WARN;
}

/* The two halves of the rows after equilibration. Where their correlation is not known, errors are too large:
 * they can show a difference, and not its absence. */
static HtmlVerdict equilibration(const RunRead *run, char *words)
{
  const RunTests *t = run->tests;
  const bool off = alarms(run, RUN_TESTED_REST);
  const ResultColumn *potential = run_read_numbers(run->averaged, "potential");
  char first[HTML_NUMBER], second[HTML_NUMBER];
  if (potential == NULL)
    return HTML_NOTE;
  if (t->rows < RUN_TESTS_ROWS) {
    text_append(
        words, WORDS,
        "Too few rows to say whether the run was at rest after its equilibration: look at the curves.");
    return HTML_NOTE;
  }
  if (!tested(run, RUN_TESTED_REST) || (!t->sound && !off)) {
    text_append(words, WORDS,
                "Whether the run was at rest after its equilibration cannot be said: the halves of what "
                "follows are too short for the correlation of the energy. Look at the curves.");
    return HTML_NOTE;
  }
  text_append(words, WORDS, "The %s in the first and the second half after equilibration, %s and %s%s%s, %s.",
              potential->quantity != NULL ? potential->quantity->label : potential->name,
              html_measured(first, t->half[0].mean, t->half_error[0]),
              html_measured(second, t->half[1].mean, t->half_error[1]), potential->unit[0] != '\0' ? " " : "",
              potential->unit,
              off ? "differs: equilibration was too short (output.equilibration)"
                  : "agrees: no sign that equilibration was too short");
  return off ? HTML_WARN : HTML_GOOD;
}

/* A drift of more than this share of the kinetic energy, beyond what the word explains and its own error, is
 * worth a warning however short the series. */
static const double drift_large = 0.01, drift_errors = 3.0;

/* The rate, and beside it the one that is expected. */
static HtmlVerdict drift(const RunRead *run, char *words)
{
  const RunTests *t = run->tests;
  if (!t->line_fits)
    return HTML_NOTE;
  const double kinetic = number(run, "kinetic"), rate = t->line.slope - t->expected,
               error = hypot(t->line.slope_error, t->expected_error);
  const bool test = tested(run, RUN_TESTED_DRIFT), clear = fabs(rate) > drift_errors * error,
             seen = test ? alarms(run, RUN_TESTED_DRIFT) : clear,
             large = seen && fabs(rate) * t->length > drift_large * kinetic,
             explained = t->expected_error > 0.0;
  char measured[HTML_NUMBER], expected[HTML_NUMBER];
  text_append(words, WORDS, "The conserved energy %s: %s kcal/mol/ps over %.4g ps",
              !explained ? seen ? "drifts" : "shows no drift"
              : seen     ? "drifts at a rate that the word does not explain"
              : test     ? "drifts at the rate that the word explains"
                         : "may drift at the rate that the word explains",
              html_measured(measured, t->line.slope, t->line.slope_error), t->length);
  if (explained)
    text_append(words, WORDS, ", of which the word's own shadow work explains %s",
                html_measured(expected, t->expected, t->expected_error));
  if (!test)
    text_append(words, WORDS, "; the series is too short for a reliable error");
  if (seen && kinetic > 0.0)
    text_append(words, WORDS, "%s %.2g %% of the kinetic energy",
                explained ? "; the unexplained part is" : ",", 100.0 * fabs(rate) * t->length / kinetic);
  text_append(words, WORDS, large ? "; a shorter step is wanted." : ".");
  return large ? HTML_WARN : !test || seen ? HTML_NOTE : HTML_GOOD;
}

/* Of mechanical systems. */
static HtmlVerdict energy(const RunRead *run, char *words)
{
  const double first = number(run, "energy_first"), off = number(run, "energy_error");
  if (isnan(first) || isnan(off))
    return HTML_NOTE;
  text_append(words, WORDS, "The energy, %.6g at first, was off by up to %.2g.", first, off);
  return HTML_NOTE;
}

static HtmlVerdict constraints(const RunRead *run, char *words)
{
  const ResultNumber *largest = results_find(run->set, "", "", "largest_g");
  const double g = number(run, "largest_g");
  const char *method = run_read_word(run, "method");
  const bool penalty = strstr(method, "penalty") != NULL || isfinite(number(run, "w"));
  if (isnan(g) || method[0] == '\0' || strcmp(method, "none") == 0)
    return HTML_NOTE;
  if (penalty) {
    text_append(words, WORDS, "Constraints are kept by penalties: the largest |g|, relative, is %.2g%s.", g,
                largest->meant ? " on average" : "");
    return HTML_NOTE;
  }
  text_append(words, WORDS, "Constraints hold to %.1e of their lengths.", g);
  return g < 1e-6 ? HTML_GOOD : HTML_WARN;
}

static bool heated(const RunRead *run) { return strcmp(run_read_word(run, "penalty_heated"), "yes") == 0; }

/* The energy of penalties beside what equipartition and the step say (docs/statistics.md). */
static HtmlVerdict penalties(const RunRead *run, char *words)
{
  const double energy = number(run, "penalty"), due = number(run, "penalty_equipartition"),
               expected = number(run, "penalty_heat_expected"), heat = number(run, "penalty_heat"),
               allowed = number(run, "penalty_heat_allowed"), at = number(run, "penalty_temperature");
  char text[HTML_NUMBER];
  if (isnan(allowed))
    return HTML_NOTE;
  text_append(words, WORDS, "Penalties");
  if (isfinite(at))
    text_append(words, WORDS, ", at %.5g K,", at);
  if (isfinite(energy))
    text_append(words, WORDS, " hold %s, where equipartition gives %.3g",
                html_measured(text, energy, results_error(run->set, "", "penalty")), due);
  else
    text_append(words, WORDS, " should hold %.3g by equipartition", due);
  if (isfinite(heat))
    text_append(words, WORDS, "; %s of it is heat, neither that nor strain by forces",
                html_measured(text, heat, results_error(run->set, "", "penalty_heat")));
  if (isfinite(expected))
    text_append(
        words, WORDS, "; by its own prediction the step %s %s%.3g", expected < 0.0 ? "takes away" : "adds",
        strcmp(run_read_word(run, "penalty_heat_bound"), "lower") == 0 ? "at least " : "", fabs(expected));
  else
    text_append(words, WORDS, "; by its own prediction the step is unstable");
  text_append(words, WORDS,
              heated(run) ? ". That is more than the %.3g that are allowed: a shorter step is wanted, or "
                            "smaller w, or noise along the manifold (holonom check names the step)."
                          : ". Up to %.3g is allowed.",
              allowed);
  return heated(run) ? HTML_WARN : isfinite(heat) && run_tests_draws(run) > 0 ? HTML_GOOD : HTML_NOTE;
}

/* A ladder of temperatures: whether replicas get through, and whether ladders agree. */
static HtmlVerdict ladder(const RunRead *run, char *words)
{
  enum { SLOW = 20 }; /* round trips of a ladder in all, below which its replicas have hardly mixed */
  const char *key[] = {"rhat", "acceptance_least", "round_trips", "ladders", "consistent"},
             *mixing = results_word(run->set, "ladder", "mixing");
  double x[5];
  for (int k = 0; k < 5; k++)
    x[k] = results_value(run->set, "ladder", key[k]);
  if (isnan(x[1]))
    return HTML_NOTE;
  HtmlVerdict verdict = HTML_GOOD;
  text_append(words, WORDS,
              "Exchanges between temperatures: the least acceptance is %.2g, with %.0f round trips between "
              "the lowest and the highest temperature in %.0f ladder%s",
              x[1], x[2], x[3], x[3] > 1.0 ? "s" : "");
  if (x[1] < 0.1 || x[2] < SLOW * x[3]) {
    text_append(words, WORDS, "%s",
                x[1] < 0.1 ? "; there is a bottleneck, more temperatures are wanted" : "; few: run longer");
    verdict = HTML_WARN;
  }
  if (isfinite(x[0])) {
    text_append(words, WORDS, ". R-hat of the energies across ladders is %.4g, which is called %s", x[0],
                mixing != NULL ? mixing : "unknown");
    verdict = x[0] < CONVERGENCE_SLOW                           ? verdict
              : mixing != NULL && strcmp(mixing, "frozen") == 0 ? HTML_BAD
                                                                : HTML_WARN;
  }
  if (alarms(run, RUN_TESTED_LADDER)) {
    text_append(words, WORDS,
                ". The energies at the temperatures contradict each other (p = %.1g): something is wrong",
                x[4]);
    verdict = HTML_BAD;
  }
  text_append(words, WORDS, ".");
  return verdict;
}

static HtmlVerdict evaporation(const RunRead *run, char *words)
{
  const double n = number(run, "evaporated_replicas"), all = number(run, "replicas");
  if (isnan(n))
    return HTML_NOTE;
  if (n > 0.0)
    text_append(words, WORDS,
                "In %.0f of %.0f replicas a molecule has left the cluster: averages mix clusters and gas.", n,
                all);
  else
    text_append(words, WORDS, "No molecule has left the cluster.");
  return n > 0.0 ? HTML_WARN : HTML_GOOD;
}

/* Boxes that were turned down cut the distribution of volumes off below. */
static HtmlVerdict volumes(const RunRead *run, char *words)
{
  const double n = number(run, "barostat_too_small");
  if (n > 0.0)
    text_append(
        words, WORDS,
        "%.0f moves of the barostat were turned down because the box would have been too small for the "
        "cutoff: volumes are those of larger boxes alone, and their mean is too large.",
        n);
  return HTML_WARN;
}

static HtmlVerdict solves(const RunRead *run, char *words)
{
  const double n = number(run, "indefinite_solves");
  if (n > 0.0)
    text_append(words, WORDS,
                "%.0f Zhang-Skeel matrices were not positive definite: the step is long for these penalties.",
                n);
  return HTML_WARN;
}

static HtmlVerdict left_out(const RunRead *run, char *words)
{
  int n = 0;
  const char *first = "";
  for (int i = 0; i < run->set->n; i++) {
    const ResultNumber *it = &run->set->number[i];
    if (it->observed && !isfinite(it->value) && n++ == 0)
      first = it->note;
  }
  if (n > 0)
    text_append(words, WORDS, "%d number%s of the observables %s left out%s%.300s", n, n > 1 ? "s" : "",
                n > 1 ? "are" : "is", *first != '\0' ? ", the first of them: " : ".",
                strncmp(first, "left out: ", 10) == 0 ? first + 10 : first);
  return HTML_NOTE;
}

/* A matter, and what the headline says where it speaks against the numbers: the reason, and what can be done.
 */
typedef struct {
  Matter *says;
  const char *why;
} Row;

static const char not_settled[] =
    "the energy still drifts after the equilibration that was set (raise output.equilibration)";

static const Row rows[] = {
    {progress, ""},
    {samples, "there are few independent samples (raise integrator.time or ensemble.replicas)"},
    {mixing, "the run is slow to forget where it began (raise integrator.time)"},
    {settling, not_settled},
    {equilibration, not_settled},
    {temperature, "the temperature is not the one that was set (try a shorter integrator.timestep)"},
    {drift, "the conserved energy drifts more than the step explains (use a shorter integrator.timestep)"},
    {energy, ""},
    {constraints, "constraints are not kept closely (use a smaller geometry.tolerance)"},
    {penalties,
     "the step heats the penalties, so that total energies and heat capacities are not those of the "
     "temperature "
     "that was set (use a shorter integrator.timestep, which holonom check names, or a smaller geometry.w)"},
    {ladder,
     "temperatures of the ladder do not mix or do not agree (raise integrator.time or exchange.number)"},
    {evaporation,
     "molecules have left the cluster (lower the temperature, or set system.constraining_radius)"},
    {volumes, "the box is too small for its volume to fluctuate freely (take more molecules, or a shorter "
              "forces.cutoff)"},
    {solves, "the step is too long for these penalties (use a shorter integrator.timestep)"},
    {left_out, ""},
};
enum { MATTERS = (int)(sizeof rows / sizeof *rows) };

/* Why the numbers are not simply good: the reasons of all matters that stand as badly as the worst. */
static void reasons(const HtmlVerdict *verdict, HtmlVerdict worst, char *words)
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

/* The one sentence on top. */
static HtmlVerdict headline(const RunRead *run, const HtmlVerdict *verdict, HtmlVerdict worst, int tests,
                            int notes, char *words)
{
  const char *ended = run_read_word(run, "ended");
  if (!run->ended || run->held) {
    text_append(words, HEADLINE,
                run->held ? "This run is still going: here is what there is so far."
                          : "This run has left no results: it was killed, or is still to be merged. Here is "
                            "what there is.");
    return run->held ? HTML_NOTE : HTML_WARN;
  }
  if (strcmp(ended, "failed") == 0) {
    text_append(words, HEADLINE, "This run went wrong: %.500s", run_read_word(run, "message"));
    return HTML_BAD;
  }
  if (worst == HTML_BAD || worst == HTML_WARN) {
    text_append(words, HEADLINE, worst == HTML_BAD ? "Not to be used as it stands" : "To be used with care");
    reasons(verdict, worst, words);
  } else if (tests == 0)
    text_append(words, HEADLINE, "The run is %s; nothing about it could be tested.", ended);
  else
    text_append(words, HEADLINE,
                notes > 0
                    ? "Nothing that could be tested speaks against these numbers; the rest is to be judged."
                    : "Nothing speaks against these numbers.");
  if (strcmp(ended, "interrupted") == 0)
    text_append(words, HEADLINE, " The run was interrupted.");
  return worst == HTML_NOTE ? HTML_GOOD : worst;
}

Status run_verdict_write(const RunRead *of, Html *html, Error *error)
{
  LOCALE_PLAIN;
  RunTests of_run;
  RunRead with = *of;
  const RunRead *const run = &with;
  const Status status = run_tests_make(&of_run, of, error);
  if (status != STATUS_OK)
    return status;
  with.tests = &of_run;
  char words[MATTERS][WORDS] = {{0}}, top[HEADLINE] = "";
  HtmlVerdict verdict[MATTERS], worst = HTML_NOTE;
  int tests = 0, notes = 0;
  for (int i = 0; i < MATTERS; i++) {
    verdict[i] = rows[i].says(run, words[i]);
    if (words[i][0] == '\0') {
      verdict[i] = HTML_NOTE;
      continue;
    }
    tests += verdict[i] != HTML_NOTE;
    notes += verdict[i] == HTML_NOTE;
    worst = verdict[i] > worst ? verdict[i] : worst;
  }
  const HtmlVerdict all = headline(run, verdict, worst, tests, notes, top);
  html_verdicts(html, all, top);
  for (int i = 0; i < MATTERS; i++)
    if (words[i][0] != '\0')
      html_verdict(html, verdict[i], words[i]);
  html_verdicts_end(html);
  return STATUS_OK;
}
