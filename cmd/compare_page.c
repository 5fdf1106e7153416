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

HtmlVerdict compare_page_sign(CompareVerdict verdict)
{
  return verdict == COMPARE_DIFFER || verdict == COMPARE_HEATED       ? HTML_WARN
         : verdict == COMPARE_UNDECIDED || verdict == COMPARE_TOO_FEW ? HTML_NOTE
                                                                      : HTML_GOOD;
}

void compare_page_count(const Compare *c, int count[COMPARE_VERDICTS])
{
  for (int k = 0; k < c->npair; k++)
    count[c->pair[k].verdict]++;
}

HtmlVerdict compare_page_sum(const int count[COMPARE_VERDICTS], char *words, size_t size)
{
  static const struct {
    CompareVerdict verdict;
    const char *said;
  } rows[] = {{COMPARE_DIFFER, "different"},
              {COMPARE_HEATED, "with penalties that the step heats, not to be called equal"},
              {COMPARE_EQUAL, "equal within the margin"},
              {COMPARE_NEAR, "equal within the margin, though not the same"},
              {COMPARE_ALIKE, "without a visible difference"},
              {COMPARE_UNDECIDED, "undecided: longer runs are wanted"},
              {COMPARE_TOO_FEW, "with too few independent samples for a verdict"}};
  HtmlVerdict all = HTML_GOOD;
  const char *separator = ": ";
  for (size_t v = 0; v < sizeof rows / sizeof *rows; v++) {
    const int found = count[rows[v].verdict];
    if (found == 0)
      continue;
    const HtmlVerdict sign = compare_page_sign(rows[v].verdict);
    all = sign > all ? sign : all;
    text_append(words, size, "%s%d %s", separator, found, rows[v].said);
    separator = "; ";
  }
  text_append(words, size, ".");
  return all;
}

static void write_verdicts(const Compare *c, Html *html)
{
  char words[256] = "";
  int count[COMPARE_VERDICTS] = {0};
  text_append(words, sizeof words, "%d pair%s of runs", c->npair, c->npair == 1 ? "" : "s");
  compare_page_count(c, count);
  const HtmlVerdict all = compare_page_sum(count, words, sizeof words);
  html_verdicts(html, all, words);
  for (int i = 0; i < c->npair; i++) {
    char *text = printed(pair_words, c, i);
    html_verdict(html, compare_page_sign(c->pair[i].verdict), text);
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

void compare_page_remarks(const Compare *c, Html *html)
{
  char *remarks = printed(remark_words, c, 0);
  if (remarks != NULL && remarks[0] != '\0')
    html_lines(html, NULL, remarks);
  free(remarks);
}

static void write_runs(const Compare *c, Html *html)
{
  static const char *const heading[] = {
      "Run",  "w",     "h (AKMA)",    "Replicas", "Independent samples", "Temperature (K)",
      "Mean", "Error", "Energy unit", "Folder"};
  html_section(html, "runs", "Runs");
  html_table(html, "runs", 10, "lrrrrrrrll", heading);
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    const CompareMean *energy = &run->mean[0];
    char t[7][HTML_NUMBER];
    html_row(html, (const char *[]){run->label, html_number(t[0], "%g", run->w > 0.0 ? run->w : NAN),
                                    html_number(t[1], "%g", run->h), html_number(t[2], "%.0f", run->replicas),
                                    html_number(t[3], "%.3g", run->independent),
                                    html_measured(t[4], run->temperature, run->temperature_error),
                                    html_value(t[5], energy->value, energy->error),
                                    html_error(t[6], energy->value, energy->error), energy->unit, run->dir});
  }
  html_table_end(html);
  compare_heat_table(c, "penalties", html);
  compare_page_remarks(c, html);
}

static void test_row(const Compare *c, const ComparePair *pair, const CompareTest *t, Html *html)
{
  const bool distribution = t->kind == COMPARE_DISTRIBUTION, limited = isfinite(t->margin);
  const double x = distribution ? t->distance.tv : t->mean.difference,
               error = distribution ? t->distance.null_sd : t->mean.error;
  char name[160], of[7][HTML_NUMBER] = {""}, interval[2 * HTML_NUMBER] = "";
  snprintf(name, sizeof name, t->kind == COMPARE_CURVE ? "%s%s, where most" : "%s%s", t->before,
           distribution ? "distribution, total variation" : t->name);
  if (distribution || isfinite(x)) {
    html_value(of[0], x, error);
    html_error(of[1], x, error);
  }
  if (limited && isfinite(t->within.low))
    text_append(interval, sizeof interval, "%.3g to %.3g", t->within.low, t->within.high);
  if (limited && isfinite(t->least_r)) /* another bin than that of the difference */
    text_append(interval, sizeof interval, " at %.4g %s", t->least_r, t->runit);
  html_row(html, (const char *[]){c->run[pair->a].label, c->run[pair->b].label, name, of[0], of[1],
                                  html_number(of[2], "%.1f", distribution || !isfinite(x) ? NAN : t->mean.z),
                                  t->unit, html_number(of[3], "%.2g", t->p),
                                  html_number(of[4], "%.2g", t->adjusted), interval,
                                  html_number(of[5], "%.3g", interval[0] != '\0' ? t->margin : NAN),
                                  compare_report_word(t->verdict)});
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
                    "How far the energy of penalty runs is from the constrained one; dashed: the fit.");
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
  TRY(html_create(&html, dir, "compare.html", title, lead, error));
  write_verdicts(c, html);
  write_figures(c, dir, html);
  write_runs(c, html);
  write_tests(c, html);
  return html_close(html, true, error);
}
