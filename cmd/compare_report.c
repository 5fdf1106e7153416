/* Prints the report of compare.h. */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/compare_private.h"

enum { NUMBER = 64 }; /* characters of a printed number */

/* Prints "value +- error" with two digits of the error. */
static const char *measured(char text[NUMBER], double value, double error)
{
  int decimals = 4;
  if (error > 0.0 && isfinite(error)) {
    decimals = 1 - (int)floor(log10(error));
    decimals = decimals < 0 ? 0 : (decimals > 9 ? 9 : decimals);
  }
  if (isnan(error))
    snprintf(text, NUMBER, "%.*f +- ?", decimals, value);
  else
    snprintf(text, NUMBER, "%.*f +- %.*f", decimals, value, decimals, error);
  return text;
}

static const char *probability(char text[NUMBER], double p)
{
  if (p < 1e-15)
    snprintf(text, NUMBER, "p < 1e-15");
  else
    snprintf(text, NUMBER, p < 0.001 ? "p = %.0e" : "p = %.2g", p);
  return text;
}

/* --- table ------- */

static const StatisticsWelch *against_reference(const Compare *c, int i)
{
  for (int k = 0; k < c->npair; k++)
    if (c->pair[k].a == 0 && c->pair[k].b == i)
      return &c->pair[k].test[0].mean;
  return NULL;
}

static void print_run(const Compare *c, int i, int width, FILE *out)
{
  const CompareRun *run = &c->run[i];
  char w[NUMBER] = "-", w2[NUMBER] = "0", h[NUMBER] = "?", draws[NUMBER] = "?", energy[NUMBER],
       temperature[NUMBER], difference[NUMBER] = "reference", z[NUMBER] = "";
  if (run->w > 0.0) {
    snprintf(w, sizeof w, "%g", run->w);
    snprintf(w2, sizeof w2, "%.4g", 1.0 / (run->w * run->w));
  }
  if (isfinite(run->h))
    snprintf(h, sizeof h, "%g", run->h);
  if (run->failed != NULL) {
    fprintf(out, "%-*s  %6s  %9s  %7s  failed\n", width, run->label, w, w2, h);
    return;
  }
  if (isfinite(run->independent))
    snprintf(draws, sizeof draws, "%s%.3g",
             run->replicas < VERDICT_DRAWS && run->too_few[0] != '\0' ? "< " : "", run->independent);
  const StatisticsWelch *against = against_reference(c, i);
  if (against != NULL) {
    if (isnan(against->difference)) /* the reference failed */
      snprintf(difference, sizeof difference, "-");
    else
      measured(difference, against->difference, against->error);
    if (isfinite(against->z))
      snprintf(z, sizeof z, "%.1f", against->z);
  }
  fprintf(out, "%-*s  %6s  %9s  %7s  %8d  %11s  %18s  %20s  %18s  %7s\n", width, run->label, w, w2, h,
          run->replicas, draws, measured(temperature, run->temperature, run->temperature_error),
          measured(energy, run->mean[0].value, run->mean[0].error), difference, z);
}

static void print_table(const Compare *c, FILE *out)
{
  int width = 3;
  for (int i = 0; i < c->n; i++)
    width = (int)strlen(c->run[i].label) > width ? (int)strlen(c->run[i].label) : width;
  fprintf(out, "%-*s  %6s  %9s  %7s  %8s  %11s  %18s  %20s  %18s  %7s\n", width, "run", "w", "1/w^2", "h",
          "replicas", "independent", "temperature", "potential energy", "difference", "z");
  fprintf(out, "%-*s  %6s  %9s  %7s  %8s  %11s  %18s  %20s  %18s  %7s\n", width, "", "", "", "AKMA", "",
          "samples", "K", "kcal/mol", "kcal/mol", "");
  for (int i = 0; i < c->n; i++)
    print_run(c, i, width, out);
  fprintf(out, "(+- is one standard error, z = difference/error; kinetic temperatures are not tested: at the "
               "end of a step they have a bias that other averages do not share)\n");
}

/* Prints the other means, one line per quantity. */
static void print_more_means(const Compare *c, FILE *out)
{
  for (int k = 1; k < c->run[0].nmean; k++) {
    const CompareMean *first = &c->run[0].mean[k];
    const char *separator = "";
    fprintf(out, "%s%s%s:", first->name.text, first->unit[0] != '\0' ? ", " : "", first->unit);
    for (int i = 0; i < c->n; i++) {
      char value[NUMBER];
      const CompareMean *mean = compare_mean(&c->run[i], first);
      if (mean != NULL)
        fprintf(out, "%s %s %s", separator, c->run[i].label, measured(value, mean->value, mean->error));
      separator = ";";
    }
    fprintf(out, "\n");
  }
}

enum { SETTING = NUMBER + sizeof((ResultNumber){0}.note) };

static void setting_words(const ResultNumber *n, char text[SETTING])
{
  if (n->kind == RESULT_WORD) {
    snprintf(text, SETTING, "%s", n->word);
    return;
  }
  snprintf(text, SETTING,
           n->quantity != NULL && n->quantity->format[0] != '\0' ? n->quantity->format : "%.17g", n->value);
  if (n->unit[0] != '\0')
    text_append(text, SETTING, " %s", n->unit);
  if (n->unit[0] != '\0' && n->note[0] != '\0')
    text_append(text, SETTING, " (%s)", n->note);
}

/* Prints a setting that differs between two runs. `without` replaces a missing value; NULL: skips the
 * setting. The density is a setting only where it is not a mean. */
static void print_setting(const Compare *c, int i, const char *key, const char *without, FILE *out)
{
  char text[2][SETTING];
  const int run[] = {0, i};
  for (int k = 0; k < 2; k++) {
    const ResultNumber *n = results_find(&c->run[run[k]].set, "", "", key);
    if (n != NULL ? n->meant : without == NULL)
      return;
    if (n != NULL)
      setting_words(n, text[k]);
    else
      snprintf(text[k], SETTING, "%s", without);
  }
  if (strcmp(text[0], text[1]) != 0)
    printable_print(out, "note: %s has %s %s, %s has %s\n", c->run[0].label, key, text[0], c->run[i].label,
                    text[1]);
}

/* Prints the run's own warnings, except on samples, and always its verdict on penalties. */
static void print_verdicts(const CompareRun *run, FILE *out)
{
  for (int i = 1; i < run->set.nverdict; i++) {
    const ResultVerdict *v = &run->set.verdict[i];
    const bool bad = v->level >= RESULT_WARN;
    if (strcmp(v->matter, "samples") != 0 && (bad || strcmp(v->matter, "penalties") == 0))
      printable_print(out, "%s%s: %s\n", bad ? "warning: " : "", run->label, v->words);
  }
}

void compare_report_remarks(const Compare *c, FILE *out)
{
  static const struct {
    const char *key, *without;
  } setting[] = {{.key = "model"},
                 {.key = "molecules"},
                 {.key = "density"},
                 {"barostat_pressure", "none"},
                 {.key = "target_temperature"},
                 {.key = "thermostat"},
                 {.key = "friction"},
                 {.key = "timestep"},
                 {.key = "precision"},
                 {.key = "freedom"}};
  for (size_t k = 0; k < sizeof setting / sizeof setting[0]; k++)
    for (int i = 1; i < c->n; i++)
      print_setting(c, i, setting[k].key, setting[k].without, out);
  for (int i = 0; i < c->n; i++) {
    const ResultSet *set = &c->run[i].set;
    const double target = results_value(set, "", "target_temperature"),
                 reading = results_value(set, "", "temperature_expected");
    if (fabs(reading - target) > 0.005 * target)
      fprintf(out,
              "note: the expected kinetic temperature of %s is %.5g K instead of %.5g K, because of its time "
              "step\n",
              c->run[i].label, reading, target);
    const char *ended = results_word(set, "", "ended");
    if (ended != NULL && strcmp(ended, "complete") != 0)
      printable_print(out, "note: %s did not complete (%s)%s%s\n", c->run[i].label, ended,
                      c->run[i].failed != NULL ? ": " : "", c->run[i].failed != NULL ? c->run[i].failed : "");
    if (c->run[i].too_few[0] != '\0')
      fprintf(out, "note: %s %s\n", c->run[i].label, c->run[i].too_few);
    print_verdicts(&c->run[i], out);
  }
  compare_motion_print(c, out);
  for (int k = 0; k < c->npair; k++) {
    const ComparePair *pair = &c->pair[k];
    const CompareTest *energy = pair->test;
    if (pair->ntest > 0 && energy->kind == COMPARE_MEAN && energy->error[0] > 0.0 &&
        energy->value[0] == energy->value[1] && energy->error[0] == energy->error[1])
      fprintf(out,
              "note: %s and %s have identical energies: the same run or the same seed; their agreement is "
              "meaningless\n",
              c->run[pair->a].label, c->run[pair->b].label);
  }
}

/* --- pairs ------- */

/* In the order of the counts. */
const CompareWords compare_report_words[COMPARE_VERDICTS] = {
    {COMPARE_FAILED, RESULT_WARN, "not compared: failed", "not made because a run failed"},
    {COMPARE_DIFFER, RESULT_WARN, "differ", "different"},
    {COMPARE_HEATED, RESULT_WARN, "heated", "with heated penalties, which cannot count as equal"},
    {COMPARE_EQUAL, RESULT_GOOD, "equal within margin", "equal within the margin"},
    {COMPARE_NEAR, RESULT_GOOD, "equal within margin, not the same",
     "equal within the margin, though significantly different"},
    {COMPARE_ALIKE, RESULT_GOOD, "no difference seen", "without a significant difference"},
    {COMPARE_UNDECIDED, RESULT_NOTE, "undecided", "undecided: longer runs are needed"},
    {COMPARE_UNLIKE, RESULT_NOTE, "not tested: replicas differ",
     "not tested because replicas have different parameters"},
    {COMPARE_TOO_FEW, RESULT_NOTE, "too few samples", "with too few independent samples for a verdict"}};

const CompareWords *compare_report_find(CompareVerdict verdict)
{
  const CompareWords *row = compare_report_words;
  while (row->verdict != verdict)
    row++;
  return row;
}

/* The text for all tests with one verdict, before and after their names; %s is the margin. Tests without a
 * margin have their own clause. */
typedef struct Clause {
  CompareVerdict verdict;
  bool limited;
  const char *alone, *before, *after; /* alone: for a verdict that all tests share; NULL: as before */
} Clause;

static const Clause clauses[] = {
    {COMPARE_DIFFER, true, NULL, "differ, not equal within %s, in ", ""},
    {COMPARE_DIFFER, false, NULL, "differ in ", " (no margin)"},
    {COMPARE_UNDECIDED, true, NULL, "undecided, more samples are needed to decide within %s, for ", ""},
    {COMPARE_NEAR, true, "equal within %s, though significantly different",
     "equal within %s, though significantly different, in ", ""},
    {COMPARE_EQUAL, true, "equal within %s", "equal within %s in ", ""},
    {COMPARE_ALIKE, false, NULL, "no difference seen in ", " (no margin)"},
    {COMPARE_UNLIKE, false, "no test, since replicas have different parameters", "no test of ",
     ", since replicas have different parameters"},
    {COMPARE_TOO_FEW, false, "too few independent samples for a verdict", "too few independent samples for ",
     ""}};

/* Clauses without a margin. */
static const Clause plain[] = {
    {COMPARE_DIFFER, false, NULL, "differ in the ", ""},
    {COMPARE_ALIKE, false, "agree", NULL, ""}, /* printed only if all tests agree */
    {COMPARE_UNLIKE, false, "no test, since replicas have different parameters", "no test of the ",
     ", since replicas have different parameters"},
    {COMPARE_TOO_FEW, false, "too few independent samples for a verdict", "too few independent samples for ",
     ""}};

static bool belongs(const CompareTest *t, const Clause *clause)
{
  return t->verdict == clause->verdict && (clause->limited == isfinite(t->margin) ||
                                           t->verdict == COMPARE_TOO_FEW || t->verdict == COMPARE_UNLIKE);
}

/* Prints the names of a clause's tests; returns their number. */
static int print_names(const ComparePair *pair, const Clause *clause, const char *between, FILE *out)
{
  int n = 0;
  for (int k = 0; k < pair->ntest; k++)
    if (belongs(&pair->test[k], clause)) {
      if (out != NULL)
        fprintf(out, "%s%s", n > 0 ? between : "", pair->test[k].name);
      n++;
    }
  return n;
}

/* Prints a text with at most one %s, replaced by the margin. */
static void print_margin(const char *text, const char *margin, FILE *out)
{
  const char *at = strstr(text, "%s");
  if (at == NULL)
    fputs(text, out);
  else
    fprintf(out, "%.*s%s%s", (int)(at - text), text, margin, at + 2);
}

/* Prints the clauses of all tests, the worst first. Tests without a margin are never reported as within or
 * beyond one. */
static void print_clauses(const Compare *c, const ComparePair *pair, FILE *out)
{
  const bool limited = c->margin.n > 0;
  const Clause *const rows = limited ? clauses : plain;
  const size_t n = limited ? sizeof clauses / sizeof *clauses : sizeof plain / sizeof *plain;
  const char *separator = "";
  for (size_t k = 0; k < n; k++) {
    const Clause *clause = &rows[k];
    const int count = print_names(pair, clause, "", NULL);
    const bool alone = count == pair->ntest && clause->alone != NULL;
    if (count == 0 || (!alone && clause->before == NULL && separator[0] != '\0'))
      continue;
    fputs(separator, out);
    print_margin(alone || clause->before == NULL ? clause->alone : clause->before, c->margin.text, out);
    if (!alone && clause->before != NULL) {
      (void)print_names(pair, clause, limited ? ", " : ", the ", out);
      fputs(clause->after, out);
    }
    separator = "; ";
  }
}

static void print_failed(const Compare *c, const ComparePair *pair, FILE *out)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  const bool both = a->failed != NULL && b->failed != NULL;
  fprintf(out, "not compared because %s%s%s failed", a->failed != NULL ? a->label : b->label,
          both ? " and " : "", both ? b->label : "");
}

void compare_report_verdict(const Compare *c, const ComparePair *pair, FILE *out)
{
  const Clause differs = plain[0];
  if (pair->verdict == COMPARE_FAILED)
    print_failed(c, pair, out);
  else if (pair->verdict == COMPARE_HEATED)
    fputs("cannot count as equal, though no test shows a difference", out);
  else if (c->margin.n > 0 || pair->test[0].verdict != COMPARE_DIFFER)
    print_clauses(c, pair, out);
  else { /* the energy is the first test */
    fprintf(out, "differ by %.1f standard errors", fabs(pair->test[0].mean.z));
    for (int k = 1, n = 0; k < pair->ntest; k++)
      if (belongs(&pair->test[k], &differs))
        fprintf(out, "%s%s", n++ == 0 ? " in energy, and in the " : ", the ", pair->test[k].name);
  }
  compare_heat_print(c, pair, out);
  if (pair->verdict != COMPARE_FAILED)
    compare_step_print(c, pair, out);
}

static void print_test(const CompareTest *t, FILE *out)
{
  char difference[NUMBER], p[NUMBER];
  const StatisticsDistance *d = &t->distance;
  if (t->kind == COMPARE_MEAN)
    fprintf(out, "%s %s%s%s", t->name, measured(difference, t->mean.difference, t->mean.error),
            t->unit[0] != '\0' ? " " : "", t->unit);
  else if (t->kind == COMPARE_CURVE && isfinite(t->r))
    fprintf(out, "%s by %.1f standard errors at %.4g %s, the largest difference", t->name, fabs(t->mean.z),
            t->r, t->curve_of[0]->x->unit);
  else if (t->kind == COMPARE_CURVE)
    fprintf(out, "%s: no bin to compare", t->name);
  else
    fprintf(out, "TV %.4f (equal runs: %.4f +- %.4f)", d->tv, d->null_mean, d->null_sd);
  if (isnan(t->p))
    fprintf(out, ", not tested");
  else if (t->kind == COMPARE_DISTRIBUTION)
    fprintf(out, ", p %s %.2g", d->p * (d->permutations + 1) < 1.5 ? "<=" : "=", d->p);
  else
    fprintf(out, ", %s", probability(p, t->p));
}

static void print_within(const CompareTest *t, FILE *out)
{
  char number[NUMBER];
  if (isnan(t->within.p))
    return;
  if (t->kind == COMPARE_CURVE)
    fprintf(out, "; least conclusive at %.4g %s: %s", t->least_r, t->curve_of[0]->x->unit,
            measured(number, t->least.difference, t->least.error));
  fprintf(out, "; 90 %% interval %.3g to %.3g, margin %.3g: %s, %s", t->within.low, t->within.high, t->margin,
          t->verdict == COMPARE_NEAR     ? "equal within it, though significantly different"
          : t->verdict == COMPARE_EQUAL  ? "equal"
          : t->verdict == COMPARE_DIFFER ? "differ"
                                         : "undecided",
          probability(number, t->within.p));
}

/* Prints the curves of both runs that have different bins; returns their number. */
static int print_left_out(const Compare *c, const ComparePair *pair, bool few, FILE *out)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  int n = 0;
  for (int i = 0; i < a->ncurve; i++) {
    const CompareCurve *other = compare_curve(b, a->curve[i].name.text);
    if (other == NULL || compare_curve_bins(&a->curve[i], other))
      continue;
    fprintf(out, "%s%s: different bins, not compared", few ? "; " : "\n  ", a->curve[i].name.text);
    n++;
  }
  return n;
}

/* Prints one line for few tests, else a line per test. */
static void print_pair(const Compare *c, const ComparePair *pair, FILE *out)
{
  const int few = pair->ntest <= 2 && c->margin.n == 0;
  int distributions = 0;
  fprintf(out, "%s and %s: ", c->run[pair->a].label, c->run[pair->b].label);
  compare_report_verdict(c, pair, out);
  if (pair->verdict == COMPARE_FAILED) {
    fputc('\n', out);
    return;
  }
  for (int k = 0; k < pair->ntest; k++) {
    fprintf(out, few ? (k == 0 ? ": " : "; ") : "\n  ");
    print_test(&pair->test[k], out);
    print_within(&pair->test[k], out);
    distributions += pair->test[k].kind != COMPARE_MEAN;
  }
  if (print_left_out(c, pair, few, out) == 0 && distributions == 0)
    fprintf(out, "%sdistributions not compared (missing, or different bins)", few ? "; " : "\n  ");
  fprintf(out, "\n");
}

static void print_pairs(const Compare *c, FILE *out)
{
  for (int k = 0; k < c->npair; k++)
    print_pair(c, &c->pair[k], out);
  if (c->ntest > 0)
    fprintf(out,
            "(agree: no significant difference at %g %% over all %d test%s, Holm-Bonferroni; p and intervals "
            "are those of single tests. ",
            100.0 * VERDICT_LEVEL, c->ntest, c->ntest > 1 ? "s" : "");
  else
    fprintf(out, "(no tests were possible. ");
  fprintf(
      out,
      "Runs with fewer than %d independent replicas, or too short for their correlation time, get no verdict",
      VERDICT_DRAWS);
  if (c->run[0].fraction.nrow > 0)
    fprintf(out, ". TV: total variation distance of the distributions; its p from permutations of replicas "
                 "or of blocks longer than the correlation time");
  if (c->run[0].ncurve > 0)
    fprintf(out, ". %s: the p of the most significant bin, times the number of bins",
            c->run[0].temperatures > 0 ? "Curves over temperature"
                                       : "Curves (bins with at least eight independent visits)");
  if (c->margin.n > 0)
    fprintf(out,
            ". Equal within %s: two one-sided tests at 5 %% over all tests; curves: in all bins; TV: by "
            "bootstrap; undecided: neither a difference nor equality is shown",
            c->margin.words);
  fprintf(out, ")\n");
}

/* --- the limit of large w ------- */

static void print_limit(const Compare *c, const CompareFit *fit, FILE *out)
{
  char difference[NUMBER], p[NUMBER];
  const char *name = c->run[fit->reference].label;
  if (fit->unsound) {
    fprintf(out, "  errors of some runs are lower bounds: the limit of infinite w is not tested\n");
    return;
  }
  fprintf(out, "  at infinite w%s the fit differs from %s%s by %s kcal/mol (%.1f standard errors, %s: %s)\n",
          fit->with_h ? " and h = 0" : "",
          fit->extrapolated ? "the constrained runs, extrapolated to h = 0," : name,
          fit->with_h && !fit->extrapolated ? " at its own time step" : "",
          measured(difference, fit->at_infinity.difference, fit->at_infinity.error), fabs(fit->at_infinity.z),
          probability(p, fit->at_infinity.p),
          isnan(fit->adjusted)            ? "not tested"
          : fit->adjusted < VERDICT_LEVEL ? "significant"
                                          : "not significant");
  if (c->margin.n > 0 && !isnan(fit->within.p))
    fprintf(out, "  90 %% interval %.3g to %.3g: %s %s (%s)\n", fit->within.low, fit->within.high,
            fit->within_adjusted < VERDICT_LEVEL ? "equal within" : "not shown to be equal within",
            c->margin.text, probability(p, fit->within.p));
  if (fit->with_h && !fit->extrapolated)
    fprintf(out, "  (this difference includes the h^2 bias of the constrained run; another constrained run "
                 "at a different time step would measure it)\n");
  if (!fit->with_h)
    fprintf(out, "  (all runs have one time step: this difference includes an error of penalties of order "
                 "beta h^2; runs at another time step would measure it)\n");
}

/* The picture over 1/w^2 has logarithmic axes and shows the absolute difference. */
static void print_sign_changes(const Compare *c, const CompareFit *fit, FILE *out)
{
  for (int i = 0; i < c->n; i++) {
    bool before = !compare_fit_step(fit, &c->run[i], c->run[i].h);
    for (int k = 0; k < i; k++)
      before |= compare_fit_step(fit, &c->run[k], c->run[i].h);
    const double w = before ? NAN : compare_fit_changes(c, fit, c->run[i].h);
    if (!isfinite(w))
      continue;
    fprintf(out, "  the fit crosses the reference at w = %.3g", w);
    if (fit->with_h)
      fprintf(out, " for h = %g", c->run[i].h);
    fprintf(out,
            ": below it energies are %s, above it %s; compare_w draws the absolute difference, so its dashed "
            "line dips to zero there\n",
            fit->line.value[1] > 0.0 ? "higher" : "lower", fit->line.value[1] > 0.0 ? "lower" : "higher");
  }
}

void compare_report_fit(const Compare *c, const CompareFit *fit, FILE *out)
{
  char e0[NUMBER], term[NUMBER], p[NUMBER];
  const StatisticsFit *line = &fit->line;
  int k = 1;
  if (line->dof < 0 || line->dependent) {
    fprintf(out,
            "%s: w and h change together in these runs, so that 1/w^2 and h^2 cannot be separated; add a run "
            "with the same w and another h\n",
            fit->group);
    return;
  }
  fprintf(out, "%s: energy = (%s)", fit->group, measured(e0, line->value[0], line->error[0]));
  if (fit->with_w) {
    fprintf(out, " + (%s)/w^2", measured(term, line->value[k], line->error[k]));
    k++;
  }
  if (fit->with_h)
    fprintf(out, " + (%s) h^2", measured(term, line->value[k], line->error[k]));
  if (line->dof > 0)
    fprintf(out, ", chi2 = %.1f for %d degree%s of freedom, %s", line->chi2, line->dof,
            line->dof > 1 ? "s" : "", probability(p, line->p));
  else
    fprintf(out, " through %s points", line->terms == 2 ? "two" : "three");
  if (fit->left_out > 0)
    fprintf(out, "; without the %d of smallest w, which deviate from 1/w^2 (chi2 = %.1f with all %d)",
            fit->left_out, fit->all.chi2, fit->n);
  fprintf(out, "\n");
  for (int of_h = 0; of_h < 2; of_h++)
    if (!isnan(fit->order[of_h]))
      fprintf(out, "  fitted order in %s: %.2f +- %.2f\n", of_h ? "h" : "1/w", fit->order[of_h],
              fit->order_error[of_h]);
  if (fit->reference >= 0 && fit->with_w) {
    print_limit(c, fit, out);
    print_sign_changes(c, fit, out);
  }
}

void compare_report_print(const Compare *compare, FILE *out)
{
  LOCALE_PLAIN;
  print_table(compare, out);
  print_more_means(compare, out);
  compare_report_remarks(compare, out);
  fprintf(out, "\n");
  print_pairs(compare, out);
  if (compare->nfit > 0)
    fprintf(out, "\n");
  for (int k = 0; k < compare->nfit; k++)
    compare_report_fit(compare, &compare->fit[k], out);
}
