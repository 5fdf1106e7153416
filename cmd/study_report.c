/* What a study has found: files, the page, the words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "cmd/study.h"
#include "engine/locale.h"
#include "engine/text.h"
#include "engine/visible.h"
#include "html/html.h"

#define PAGE_NAME "study.html"

/* What a run cost. */
typedef struct Cost {
  double step;        /* microseconds a step of one replica                      */
  double independent; /* seconds an independent sample; NaN: not known           */
  double solves;      /* share of the time in steps                              */
} Cost;

static Cost cost_of(const CompareRun *run)
{
  const Summary *s = run->summary;
  const double rate = summary_number(s, "replica_steps_per_second"), steps = summary_number(s, "steps"),
               replicas = summary_number(s, "replicas");
  const double solves = summary_real(summary_within(s, "share", "solves"));
  return (Cost){
      .step = 1e6 / rate, .independent = steps * replicas / rate / run->independent, .solves = solves};
}

/* --- tables for programs -----------------------------------------------------------------------------------
 */

static void csv_test(Text *text, const Study *s, int point, const Compare *c, const ComparePair *pair,
                     const CompareTest *t)
{
  const bool mean = t->kind == COMPARE_MEAN;
  const char *const word[] = {
      s->point[point].words,          c->run[pair->a].label, c->run[pair->b].label, t->name, t->unit,
      compare_report_word(t->verdict)};
  const double x[] = {mean ? t->of[0]->value : NAN,
                      mean ? t->of[0]->error : NAN,
                      mean ? t->of[1]->value : NAN,
                      mean ? t->of[1]->error : NAN,
                      t->kind == COMPARE_DISTRIBUTION ? t->distance.tv : t->mean.difference,
                      t->kind == COMPARE_DISTRIBUTION ? t->distance.null_sd : t->mean.error,
                      t->r,
                      t->margin,
                      t->within.low,
                      t->within.high,
                      t->adjusted,
                      t->within_adjusted};
  text_csv_row(text, 6, word, (int)(sizeof x / sizeof *x), x);
}

static Status write_tests(const Study *s, Compare *const *c, const char *dir, Error *error)
{
  Text *text;
  TRY(text_replace(&text, dir, "study.csv", error));
  text_print(text, "point,reference,run,quantity,unit,verdict,value_reference,err_reference,value,err,"
                   "difference,difference_err,at,margin,low,high,p_differ_all,p_equal_all\n");
  for (int p = 0; p < s->npoint; p++)
    for (int k = 0; k < c[p]->npair; k++)
      for (int t = 0; t < c[p]->pair[k].ntest; t++)
        csv_test(text, s, p, c[p], &c[p]->pair[k], &c[p]->pair[k].test[t]);
  return text_close(text, error);
}

static Status write_runs(const Study *s, Compare *const *c, const char *dir, Error *error)
{
  Text *text;
  TRY(text_replace(&text, dir, "study_runs.csv", error));
  text_print(text,
             "point,run,folder,energy,energy_err,temperature,temperature_err,replicas,independent,"
             "%s,%s,%s,%s,%s,%s,%s,step_us,independent_s,share_of_solves\n",
             COMPARE_HEAT_NAMES(""));
  for (int p = 0; p < s->npoint; p++)
    for (int i = 0; i < c[p]->n; i++) {
      const CompareRun *run = &c[p]->run[i];
      const Cost cost = cost_of(run);
      const char *const word[] = {s->point[p].words, run->label, run->dir};
      enum { BEFORE = 6, BEHIND = BEFORE + COMPARE_HEAT_NUMBERS };
      double x[BEHIND + 3] = {run->mean[0].value,     run->mean[0].error, run->temperature,
                              run->temperature_error, run->replicas,      run->independent};
      compare_heat_numbers(run, x + BEFORE);
      x[BEHIND] = cost.step;
      x[BEHIND + 1] = cost.independent;
      x[BEHIND + 2] = cost.solves;
      text_csv_row(text, 3, word, (int)(sizeof x / sizeof *x), x);
    }
  return text_close(text, error);
}

/* --- words -------------------------------------------------------------------------------------------------
 */

/* How many pairs have each verdict, as a sentence. */
static HtmlVerdict summarise(const Study *s, Compare *const *c, char *words, size_t size)
{
  const int pairs = s->npoint * (s->nrun - 1);
  int count[COMPARE_VERDICTS] = {0};
  for (int p = 0; p < s->npoint; p++)
    compare_page_count(c[p], count);
  words[0] = '\0';
  text_append(words, size, "%d comparison%s with a reference", pairs, pairs == 1 ? "" : "s");
  return compare_page_sum(count, words, size);
}

/* "differs in energy by ..., ..." of the test that says most. */
static const CompareTest *strongest(const ComparePair *pair)
{
  const CompareTest *most = NULL;
  for (int t = 0; t < pair->ntest; t++)
    if (!isnan(pair->test[t].adjusted) && (most == NULL || pair->test[t].adjusted < most->adjusted))
      most = &pair->test[t];
  return most;
}

/* Where a curve differs in most errors, and where by most. */
static void describe_curve(const Compare *c, const ComparePair *pair, const CompareTest *t, FILE *out)
{
  char number[HTML_NUMBER];
  StatisticsWelch widest;
  double r;
  fprintf(out, " at %.4g %s, where it is most errors (%.1f)", t->r, t->runit, fabs(t->mean.z));
  if (compare_curve_widest(c, pair, t, &widest, &r) && r != t->r)
    fprintf(out, ", and largest at %.4g %s, by %s", r, t->runit,
            html_measured(number, widest.difference, widest.error));
}

static void describe(const Study *s, const Compare *c, int point, const ComparePair *pair, FILE *out)
{
  char number[HTML_NUMBER];
  const CompareTest *t = strongest(pair);
  visible_print(out, "%s%s%s, against %s: ", s->point[point].words,
                s->point[point].words[0] != '\0' ? ": " : "", c->run[pair->b].label, c->run[pair->a].label);
  compare_report_verdict(c, pair, out);
  if (t != NULL && t->kind == COMPARE_DISTRIBUTION)
    fprintf(out, "; total variation distance of the distributions %s",
            html_measured(number, t->distance.tv, t->distance.null_sd));
  else if (t != NULL)
    fprintf(out, "; %s%s by %s", t->before, t->name,
            html_measured(number, t->mean.difference, t->mean.error));
  if (t != NULL && t->kind == COMPARE_MEAN && t->unit[0] != '\0')
    fprintf(out, " %s", t->unit);
  if (t != NULL && t->kind == COMPARE_CURVE)
    describe_curve(c, pair, t, out);
  compare_heat_cause(c, pair, t, out);
}

/* --- the page ----------------------------------------------------------------------------------------------
 */

static void page_verdicts(const Study *s, Compare *const *c, Html *html)
{
  char words[512];
  const HtmlVerdict all = summarise(s, c, words, sizeof words);
  html_verdicts(html, all, words);
  for (int p = 0; p < s->npoint; p++)
    for (int k = 0; c[p] != NULL && k < c[p]->npair; k++) {
      const ComparePair *pair = &c[p]->pair[k];
      char *text = NULL;
      size_t size;
      FILE *out = open_memstream(&text, &size);
      if (out == NULL)
        continue;
      describe(s, c[p], p, pair, out);
      if (fclose(out) == 0)
        html_verdict(html, compare_page_sign(pair->verdict), text);
      free(text);
    }
  html_verdicts_end(html);
}

static void page_costs(const Study *s, Compare *const *c, Html *html)
{
  static const char *const heading[] = {"Run",
                                        "At",
                                        "Energy (kcal/mol)",
                                        "Error",
                                        "Independent samples",
                                        "Step of a replica (us)",
                                        "Independent sample (s)",
                                        "Share of solves"};
  html_section(html, "runs", "Runs and what they cost");
  html_table(html, "study_runs", 8, "llrrrrrr", heading);
  for (int p = 0; p < s->npoint; p++)
    for (int i = 0; i < c[p]->n; i++) {
      const CompareRun *run = &c[p]->run[i];
      const Cost cost = cost_of(run);
      const CompareMean *energy = &run->mean[0];
      char t[6][HTML_NUMBER];
      html_row(html,
               (const char *[]){
                   run->label, s->point[p].words, html_value(t[0], energy->value, energy->error),
                   html_error(t[1], energy->value, energy->error),
                   html_number(t[2], "%.3g", run->independent), html_number(t[3], "%.3g", cost.step),
                   html_number(t[4], "%.3g", cost.independent), html_number(t[5], "%.2f", cost.solves)});
    }
  html_table_end(html);
}

static void page_point(const Study *s, int p, const Compare *c, Html *html)
{
  char id[32];
  snprintf(id, sizeof id, "point-%d", p + 1);
  html_section(html, id, s->point[p].words[0] != '\0' ? s->point[p].words : "Distributions");
  if (!html_figure(html, s->point[p].folder, "compare",
                   "All runs, and below them the difference of each to the first; bands are two standard "
                   "errors."))
    html_text(html, "There is no picture of these runs.");
  (void)html_figure(html, s->point[p].folder, "compare_w",
                    "How far the energy of penalty runs is from the constrained one; dashed: the fit.");
  snprintf(id, sizeof id, "penalties-%d", p + 1);
  compare_heat_table(c, id, html);
  compare_page_remarks(c, html);
}

static Status write_page(const Study *s, Compare *const *c, const char *dir, Error *error)
{
  Html *html;
  char lead[256];
  snprintf(lead, sizeof lead, "%d runs%s%s", s->npoint * s->nrun, s->text != NULL ? ", compared within " : "",
           s->text != NULL ? s->margin.text : "");
  TRY(html_create(&html, dir, PAGE_NAME, s->title, lead, error));
  page_verdicts(s, c, html);
  page_costs(s, c, html);
  for (int p = 0; p < s->npoint; p++)
    page_point(s, p, c[p], html);
  html_section(html, "files", "Files");
  html_file(html, dir, "study.csv", (size_t)1 << 20);
  html_file(html, dir, "study_runs.csv", (size_t)1 << 20);
  html_files_end(html);
  return html_close(html, true, error);
}

/* --- all of it ---------------------------------------------------------------------------------------------
 */

static Status compare_point(const Study *s, int p, Compare **c, Error *error)
{
  const char **folder = malloc((size_t)s->nrun * sizeof *folder);
  if (folder == NULL)
    return error_memory(error, "a comparison");
  for (int i = 0; i < s->nrun; i++)
    folder[i] = s->run[p * s->nrun + i].folder;
  Status status = compare_create(c, folder, s->nrun, 0, error);
  free(folder);
  if (status == STATUS_OK && s->text != NULL)
    status = compare_margin(*c, &s->margin, error);
  Text *text = NULL;
  if (status == STATUS_OK)
    status = text_replace(&text, s->point[p].folder, "compare.txt", error);
  if (status != STATUS_OK)
    return status;
  status = compare_write(*c, s->point[p].folder, text_file(text), error);
  Error why;
  const Status closed = text_close(text, &why);
  return status != STATUS_OK || closed == STATUS_OK ? status : error_set(error, closed, "%s", why.text);
}

static void print(const Study *s, Compare *const *c, const char *dir, FILE *out)
{
  char words[512];
  (void)summarise(s, c, words, sizeof words);
  visible_print(out, "%s\n", words);
  for (int p = 0; p < s->npoint; p++)
    for (int k = 0; k < c[p]->npair; k++) {
      fputs("  ", out);
      describe(s, c[p], p, &c[p]->pair[k], out);
      fputs("\n", out);
    }
  visible_print(out, "results in %s: study.csv, study_runs.csv\na page of it: %s/" PAGE_NAME "\n", dir, dir);
}

static const char *const files[] = {PAGE_NAME, "study.csv", "study_runs.csv", NULL};
static const OwnedNames names = {.file = files};

Status study_report_check(const Study *s, const char *dir, Error *error)
{
  static const char *const said[] = {"compare.txt", NULL};
  Status status = owned_check(dir, &names, NULL, error);
  for (int p = 0; p < s->npoint && status == STATUS_OK; p++) {
    status = owned_check(s->point[p].folder, &compare_files_names, NULL, error);
    if (status == STATUS_OK)
      status = owned_check(s->point[p].folder, &(OwnedNames){.file = said}, NULL, error);
  }
  return status;
}

Status study_report(const Study *s, const char *dir, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  Compare **c = calloc((size_t)s->npoint, sizeof *c);
  if (c == NULL)
    return error_memory(error, "a study");
  Status status = STATUS_OK;
  for (int p = 0; p < s->npoint && status == STATUS_OK; p++)
    status = compare_point(s, p, &c[p], error);
  if (status == STATUS_OK) /* nothing old stays beside what is new */
    status = owned_clear(dir, &names, error);
  if (status == STATUS_OK)
    status = write_tests(s, c, dir, error);
  if (status == STATUS_OK)
    status = write_runs(s, c, dir, error);
  if (status == STATUS_OK)
    status = write_page(s, c, dir, error);
  if (status == STATUS_OK)
    print(s, c, dir, out);
  for (int p = 0; p < s->npoint; p++)
    compare_free(c[p]);
  free(c);
  return status;
}
