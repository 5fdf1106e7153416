/* compare.html: the comparison as a page. */
#include <math.h>
#include <stdlib.h>

#include "cmd/compare_private.h"
#include "engine/locale.h"
#include "engine/text.h"
#include "html/html.h"

/* What a function prints, as a string of fresh memory without the end of its last line; NULL without memory.
 */
static char *printed(void (*print)(const Compare *c, int i, FILE *out), const Compare *c, int i)
{
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return NULL;
  print(c, i, file);
  if (fclose(file) != 0) {
    free(text);
    return NULL;
  }
  if (size > 0 && text[size - 1] == '\n')
    text[size - 1] = '\0';
  return text;
}

static void pair_words(const Compare *c, int i, FILE *out)
{
  fprintf(out, "%s and %s: ", c->run[c->pair[i].a].label, c->run[c->pair[i].b].label);
  compare_report_verdict(c, &c->pair[i], out);
  fputs(".", out);
}

static void remark_words(const Compare *c, int i, FILE *out)
{
  (void)i;
  compare_report_remarks(c, out);
}

static void fit_words(const Compare *c, int i, FILE *out) { compare_report_fit(c, &c->fit[i], out); }

/* --- verdicts ----------------------------------------------------------------------------------------------
 */

/* 1: they agree (are equal within the margin), 0: they differ, -1: neither can be said. */
static int outcome(const Compare *c, const ComparePair *pair)
{
  if (!(c->margin.value > 0.0))
    return pair->agree;
  return pair->verdict == COMPARE_EQUAL ? 1 : pair->verdict == COMPARE_DIFFER ? 0 : -1;
}

static void write_verdicts(const Compare *c, Html *html)
{
  char words[256] = "";
  int count[3] = {0};
  for (int i = 0; i < c->npair; i++)
    count[outcome(c, &c->pair[i]) + 1]++;
  static const char *const what[][2] = {
      {"has too few samples for a verdict", "have too few samples for a verdict"},
      {"differs", "differ"},
      {"shows no difference", "show no difference"},
      {"is equal within the margin", "are equal within the margin"}};
  const int order[] = {1, 2, 0};
  const char *separator = "";
  text_append(words, sizeof words, c->npair > 1 ? "Of %d pairs of runs " : "The pair of runs ", c->npair);
  for (int k = 0; k < 3; k++) {
    const int of = order[k], n = count[of];
    if (n == 0)
      continue;
    text_append(words, sizeof words, "%s", separator);
    if (c->npair > 1)
      text_append(words, sizeof words, "%d ", n);
    text_append(words, sizeof words, "%s", what[of == 2 && c->margin.value > 0.0 ? 3 : of][n > 1]);
    separator = ", ";
  }
  text_append(words, sizeof words, ".");
  html_verdicts(html, count[1] > 0 ? HTML_WARN : count[0] > 0 ? HTML_NOTE : HTML_GOOD, words);
  for (int i = 0; i < c->npair; i++) {
    static const HtmlVerdict sign[] = {HTML_NOTE, HTML_WARN, HTML_GOOD};
    char *text = printed(pair_words, c, i);
    html_verdict(html, sign[outcome(c, &c->pair[i]) + 1], text);
    free(text);
  }
  html_verdicts_end(html);
  if (c->ntest > 0)
    html_text(
        html,
        "%d test%s together, at 5 %% by Holm and Bonferroni. No difference seen is no proof of equality%s",
        c->ntest, c->ntest > 1 ? "s" : "",
        c->margin.value > 0.0 ? "; equal within the margin is, by two one-sided tests."
                              : ": that needs a margin (holonom compare --margin).");
}

/* --- tables ------------------------------------------------------------------------------------------------
 */

static void write_runs(const Compare *c, Html *html)
{
  static const char *const heading[] = {
      "Run",  "w",     "h (AKMA)",    "Replicas", "Independent samples", "Temperature (K)",
      "Mean", "Error", "Energy unit", "Folder"};
  html_section(html, "runs", "Runs");
  html_table(html, "runs", 10, "lrrrrrrrll", heading);
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    char w[HTML_NUMBER] = "", h[HTML_NUMBER] = "", replicas[HTML_NUMBER], draws[HTML_NUMBER] = "",
         temperature[HTML_NUMBER], mean[HTML_NUMBER], error[HTML_NUMBER];
    if (run->w > 0.0)
      snprintf(w, sizeof w, "%g", run->w);
    if (isfinite(run->h))
      snprintf(h, sizeof h, "%g", run->h);
    if (isfinite(run->independent))
      snprintf(draws, sizeof draws, "%.3g", run->independent);
    snprintf(replicas, sizeof replicas, "%d", run->replicas);
    html_row(html, (const char *[]){run->label, w, h, replicas, draws,
                                    html_measured(temperature, run->temperature, run->temperature_error),
                                    html_value(mean, run->mean[0].value, run->mean[0].error),
                                    html_error(error, run->mean[0].value, run->mean[0].error),
                                    run->mean[0].unit, run->dir});
  }
  html_table_end(html);
  char *remarks = printed(remark_words, c, 0);
  if (remarks != NULL && remarks[0] != '\0')
    html_lines(html, NULL, remarks);
  free(remarks);
}

static void test_row(const Compare *c, const ComparePair *pair, const CompareTest *t, Html *html)
{
  char name[160], difference[HTML_NUMBER] = "", error[HTML_NUMBER] = "", z[HTML_NUMBER] = "",
                  p[HTML_NUMBER] = "", all[HTML_NUMBER] = "", low[HTML_NUMBER] = "", high[HTML_NUMBER] = "";
  snprintf(name, sizeof name, t->kind == COMPARE_CURVE ? "%s%s, where most" : "%s%s", t->before, t->name);
  if (t->kind == COMPARE_DISTRIBUTION) {
    snprintf(name, sizeof name, "distribution, total variation");
    html_value(difference, t->distance.tv, t->distance.null_sd);
    html_error(error, t->distance.tv, t->distance.null_sd);
  } else if (isfinite(t->mean.difference)) {
    html_value(difference, t->mean.difference, t->mean.error);
    html_error(error, t->mean.difference, t->mean.error);
    snprintf(z, sizeof z, "%.1f", t->mean.z);
  }
  if (isfinite(t->p))
    snprintf(p, sizeof p, "%.2g", t->p);
  if (isfinite(t->adjusted))
    snprintf(all, sizeof all, "%.2g", t->adjusted);
  if (isfinite(t->within.low) && isfinite(t->margin)) {
    snprintf(low, sizeof low, "%.3g to %.3g", t->within.low, t->within.high);
    snprintf(high, sizeof high, "%.3g", t->margin);
  }
  html_row(html, (const char *[]){c->run[pair->a].label, c->run[pair->b].label, name, difference, error, z,
                                  t->unit, p, all, low, high, compare_files_verdict(t)});
}

static void write_tests(const Compare *c, Html *html)
{
  static const char *const heading[] = {"Run",    "Other run", "Quantity", "Difference",     "Error",
                                        "z",      "Unit",      "p",        "p of all tests", "90 % interval",
                                        "Margin", "Verdict"};
  html_section(html, "tests", "Tests");
  html_table(html, "tests", 12, "lllrrrlrrrrl", heading);
  for (int i = 0; i < c->npair; i++)
    for (int k = 0; k < c->pair[i].ntest; k++)
      test_row(c, &c->pair[i], &c->pair[i].test[k], html);
  html_table_end(html);
}

static void write_figures(const Compare *c, const char *dir, Html *html)
{
  html_section(html, "distributions", "Distributions");
  if (!html_figure(html, dir, "compare",
                   "The distributions of all runs, and below them the difference of each to the first; bands "
                   "are two standard errors."))
    html_text(html, "There is no picture of them.");
  if (c->nfit == 0)
    return;
  html_section(html, "limit", "Against the strength of penalties");
  (void)html_figure(html, dir, "compare_w",
                    "How far the energy of penalty runs is from the constrained one.");
  for (int i = 0; i < c->nfit; i++) {
    char *text = printed(fit_words, c, i);
    html_lines(html, NULL, text);
    free(text);
  }
}

Status compare_page_write(const Compare *c, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Html *html;
  char title[64], lead[512] = "";
  snprintf(title, sizeof title, "Comparison of %d runs", c->n);
  for (int i = 0; i < c->n; i++)
    text_append(lead, sizeof lead, "%s%.80s", i > 0 ? "; " : "", c->run[i].label);
  if (c->margin.value > 0.0)
    text_append(lead, sizeof lead, ". Margin: %s.", c->margin.text);
  const Status status = html_create(&html, dir, "compare.html", title, lead, error);
  if (status != STATUS_OK)
    return status;
  write_verdicts(c, html);
  write_figures(c, dir, html);
  write_runs(c, html);
  write_tests(c, html);
  return html_close(html, true, error);
}
